// The keyboard on the canvas. What has the focus is a node or a coercion dot; arrows go along the wires.
#include "ui/scene/graph_view.h"

#include "ui/scene/key_navigation.h"

#include "ui/document/graph_edits.h"

#include <QAccessible>
#include <QKeyEvent>

namespace ui {

namespace {

constexpr double kZoomStep = 1.25;

bool isArrow(int key)
{
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

} // namespace

// Tab is a key of the canvas; Shift+Tab leaves it.
bool GraphView::event(QEvent* event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab) {
        const bool isInside = viewport()->rect().contains(m_pointer.toPoint());
        const QPoint at = isInside ? m_pointer.toPoint() : viewport()->rect().center();
        Q_EMIT searchRequested(viewport()->mapToGlobal(at), pointOf(at, {}).scene);
        event->accept();
        return true;
    }
    return QGraphicsView::event(event);
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    m_scene->flush();
    if (onKey(event))
        event->accept();
    else
        event->ignore();
}

bool GraphView::onKey(QKeyEvent* event)
{
    const int key = event->key();
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
        return true;
    }
    if (isArrow(key) && (modifiers == Qt::NoModifier || modifiers == Qt::ShiftModifier)) {
        modifiers == Qt::ShiftModifier ? nudge(key) : onArrow(key);
        return true;
    }
    if (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    switch (key) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        deleteSelection();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        onEnter();
        return true;
    case Qt::Key_Escape:
        onEscape();
        return true;
    case Qt::Key_Space:
        m_isSpaceHeld = true;
        updateCursor();
        return true;
    default:
        return onZoomKey(key);
    }
}

bool GraphView::onZoomKey(int key)
{
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(kZoomStep);
        return true;
    case Qt::Key_Minus:
        zoomBy(1 / kZoomStep);
        return true;
    case Qt::Key_1:
        setZoom(1, QRectF(viewport()->rect()).center());
        return true;
    case Qt::Key_F:
        m_scene->context().selection.nodes().empty() ? zoomToFit() : zoomToSelection();
        return true;
    case Qt::Key_Home:
        zoomToFit();
        return true;
    default:
        return false;
    }
}

void GraphView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->isAutoRepeat())
        return event->accept();
    if (isArrow(event->key()) || event->key() == Qt::Key_Shift)
        m_nudge = 0;
    if (event->key() == Qt::Key_Space) {
        m_isSpaceHeld = false;
        updateCursor();
    }
    QGraphicsView::keyReleaseEvent(event);
}

void GraphView::focusOutEvent(QFocusEvent* event)
{
    m_isSpaceHeld = false;
    m_nudge = 0;
    QGraphicsView::focusOutEvent(event);
}

void GraphView::onEscape()
{
    if (m_drag || m_press)
        return abandonDrag();
    if (m_scene->pulled())
        return endDropSearch();
    m_scene->context().selection.clear();
    m_scene->setFocused({});
}

void GraphView::abandonDrag()
{
    if (m_drag)
        m_drag->abandon();
    m_drag.reset();
    m_press.reset();
    m_dragButton = Qt::NoButton;
    m_scene->flush();
    updateCursor();
}

void GraphView::onEnter()
{
    const Hit& focused = m_scene->focused();
    if (focused.kind == Hit::Kind::Dot)
        return openCast(focused);
    const NodeItem* node = m_scene->node(focused.node ? focused.node : m_scene->context().selection.current());
    if (!node)
        return;
    if (node->face().isRefused)
        Q_EMIT findingActivated(node->id(), badgeRect(node->id()), globalRect(node->body()));
    else
        Q_EMIT nodeActivated(node->id(), globalRect(node->body()));
}

void GraphView::onArrow(int key)
{
    const Hit from = m_scene->focused()
                         ? m_scene->focused()
                         : Hit{m_scene->context().selection.current() ? Hit::Kind::Node : Hit::Kind::None,
                               m_scene->context().selection.current(),
                               {},
                               {},
                               0};
    const Way way = key == Qt::Key_Left    ? Way::Left
                    : key == Qt::Key_Right ? Way::Right
                    : key == Qt::Key_Up    ? Way::Up
                                           : Way::Down;
    if (const Hit next = stepFrom(*m_scene, from, way))
        focusOn(next);
}

void GraphView::focusOn(const Hit& hit)
{
    m_scene->setFocused(hit);
    if (hit.kind == Hit::Kind::Node)
        m_scene->context().selection.select(hit.node);
    const NodeItem* node = m_scene->node(hit.node);
    const QRectF at =
        hit.kind == Hit::Kind::Dot ? QRectF(m_scene->edge(hit.edge)->wire().dot, QSizeF(1, 1)) : node->body();
    ensureVisible(at, 48, 48);
    QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(this);
    if (QAccessibleInterface* child = canvas && QAccessible::isActive() ? canvas->focusChild() : nullptr) {
        QAccessibleEvent event(child, QAccessible::Focus);
        QAccessible::updateAccessibility(&event);
    }
}

void GraphView::nudge(int key)
{
    GraphDocument& document = m_scene->context().document;
    std::map<engine::NodeId, engine::Point> positions;
    const double dx = key == Qt::Key_Left ? -ThemeManager::kGrid : key == Qt::Key_Right ? ThemeManager::kGrid : 0;
    const double dy = key == Qt::Key_Up ? -ThemeManager::kGrid : key == Qt::Key_Down ? ThemeManager::kGrid : 0;
    for (const engine::NodeId id : m_scene->context().selection.nodes()) {
        // Where it is, not where it glides.
        const auto it = document.layout().positions.find(id);
        if (it != document.layout().positions.end())
            positions[id] = {it->second.x + dx, it->second.y + dy};
        else if (const NodeItem* item = m_scene->node(id))
            positions[id] = {item->pos().x() + dx, item->pos().y() + dy};
    }
    if (positions.empty())
        return;
    // As long as the key is held, it is one step.
    m_nudge = m_nudge ? m_nudge : document.newGesture();
    const NamedEdit named = moveEdit(document.value(), positions);
    apply(named.edit, named.name, m_nudge);
}

} // namespace ui
