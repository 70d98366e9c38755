// Pointer and wheel: what a press means, which drag it becomes, what is under the pointer.
#include "ui/scene/graph_view.h"

#include "ui/document/edit_names.h"
#include "ui/scene/node_words.h"

#include <QMimeData>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>

#include <cmath>

namespace ui {

namespace {

constexpr int kDragDistance = 4;
// One notch of a wheel is 120 eighths of a degree; two notches and a half double the zoom.
constexpr double kZoomPerUnit = 1.0 / 300;
constexpr const char* kOpMime = "application/x-mantissa-op";

bool adds(Qt::KeyboardModifiers modifiers)
{
    return modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
}

} // namespace

DragPoint GraphView::pointOf(QPointF viewPos, Qt::KeyboardModifiers modifiers) const
{
    const QPointF corner = mapToScene(QPoint());
    return {corner + viewPos / m_zoom, viewPos.toPoint(), modifiers, m_zoom};
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    m_scene->flush();
    event->accept();
    if (m_drag || m_press)
        return;
    endDropSearch();
    const DragPoint at = pointOf(event->position(), event->modifiers());
    m_dragButton = event->button();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_isSpaceHeld))
        m_drag = panDrag([this](QPoint delta) { scrollBy(delta); }, at);
    else if (event->button() == Qt::LeftButton)
        pressLeft(at);
    else if (event->button() == Qt::RightButton)
        selectForMenu(m_scene->hitAt(at.scene, m_zoom));
    updateCursor();
}

void GraphView::selectForMenu(const Hit& hit)
{
    Selection& selection = m_scene->context().selection;
    const bool isNode = hit.kind == Hit::Kind::Node || hit.kind == Hit::Kind::Badge;
    if ((isNode && !selection.nodes().contains(hit.node)) ||
        (hit.kind == Hit::Kind::Wire && !selection.edges().contains(hit.edge)))
        selectHit(hit, {});
    if (hit.kind == Hit::Kind::None)
        selection.clear();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event)
{
    event->accept();
    if (m_drag)
        return;
    m_press.reset();
    m_dragButton = Qt::NoButton;
    const bool isKey = event->reason() == QContextMenuEvent::Keyboard;
    const NodeItem* current = m_scene->node(m_scene->context().selection.current());
    const QPoint at = isKey && current ? mapFromScene(current->body().center()) : event->pos();
    Q_EMIT menuRequested(viewport()->mapToGlobal(at), mapToScene(at));
}

void GraphView::pressLeft(const DragPoint& at)
{
    const Hit hit = m_scene->hitAt(at.scene, m_zoom);
    const Selection& selection = m_scene->context().selection;
    const bool wasSelected =
        hit.kind == Hit::Kind::Wire ? selection.edges().contains(hit.edge) : selection.nodes().contains(hit.node);
    m_press = Press{hit, at, wasSelected && !adds(at.modifiers)};
    m_nudge = 0;
    const bool isNode = hit.kind == Hit::Kind::Node || hit.kind == Hit::Kind::Badge;
    if ((isNode || hit.kind == Hit::Kind::Wire) && !m_press->wasSelected)
        selectHit(hit, at.modifiers);
    if (isNode)
        m_scene->setFocused({Hit::Kind::Node, hit.node, {}, {}, 0});
    else if (hit.kind == Hit::Kind::None)
        m_scene->setFocused({});
}

void GraphView::selectHit(const Hit& hit, Qt::KeyboardModifiers modifiers)
{
    Selection& selection = m_scene->context().selection;
    if (hit.node && adds(modifiers))
        return selection.toggle(hit.node);
    if (hit.node)
        return selection.select(hit.node);
    std::set<engine::EdgeKey> edges = adds(modifiers) ? selection.edges() : std::set<engine::EdgeKey>();
    if (edges.erase(hit.edge) == 0)
        edges.insert(hit.edge);
    selection.set(adds(modifiers) ? selection.nodes() : std::set<engine::NodeId>(), std::move(edges));
}

std::unique_ptr<Drag> GraphView::wireDragFor(const Press& press)
{
    const Hit& hit = press.hit;
    if (hit.kind == Hit::Kind::Output || hit.kind == Hit::Kind::Input) {
        if (hit.kind == Hit::Kind::Input && m_scene->edge({hit.node, hit.port}))
            return takeWireDrag(*m_scene, {hit.node, hit.port}, WireEnd::Target, press.at);
        return wireDrag(*m_scene, {hit.node, hit.port}, press.at,
                        [this](const PulledWire& wire, const DragPoint& at) { onPulledOnEmpty(wire, at); });
    }
    const EdgeItem* item = m_scene->edge(hit.edge);
    if (!item)
        return nullptr;
    // The nearer end comes along.
    const QPointF toSource = item->wire().all.elementAt(0) - press.at.scene;
    const QPointF toTarget = item->wire().all.currentPosition() - press.at.scene;
    const bool isSource = std::hypot(toSource.x(), toSource.y()) < std::hypot(toTarget.x(), toTarget.y());
    return takeWireDrag(*m_scene, hit.edge, isSource ? WireEnd::Source : WireEnd::Target, press.at);
}

std::unique_ptr<Drag> GraphView::dragFor(const Press& press)
{
    switch (press.hit.kind) {
    case Hit::Kind::None:
        return bandDrag(*m_scene, press.at);
    case Hit::Kind::Node:
    case Hit::Kind::Badge:
        // Toggled off by this very press, there is nothing to move.
        return m_scene->context().selection.nodes().contains(press.hit.node)
                   ? moveDrag(*m_scene, press.hit.node, press.at)
                   : bandDrag(*m_scene, press.at);
    case Hit::Kind::Reroute:
        return rerouteDrag(
            *m_scene, press.hit.edge, press.hit.index, m_scene->context().document.newGesture(),
            tr("Move a reroute point of %1").arg(EditNames::edge(m_scene->context().document.value(), press.hit.edge)));
    default:
        return wireDragFor(press);
    }
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    m_scene->flush();
    event->accept();
    m_pointer = event->position();
    const DragPoint at = pointOf(event->position(), event->modifiers());
    if (m_press && !m_drag && (at.view - m_press->at.view).manhattanLength() >= kDragDistance) {
        setHovered({});
        m_drag = dragFor(*m_press);
        updateCursor();
    }
    if (!m_drag) {
        if (!m_press)
            hover(m_pointer);
        return;
    }
    m_drag->move(at);
    if (const QString reason = m_drag->whyNot(at); !reason.isEmpty())
        QToolTip::showText(event->globalPosition().toPoint(), reason, viewport());
    else if (QToolTip::isVisible())
        QToolTip::hideText();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    m_scene->flush();
    event->accept();
    if (event->button() != m_dragButton)
        return;
    m_dragButton = Qt::NoButton;
    const std::optional<Press> press = std::exchange(m_press, std::nullopt);
    if (const std::unique_ptr<Drag> drag = std::exchange(m_drag, nullptr))
        drag->drop(pointOf(event->position(), event->modifiers()));
    else if (press)
        clickOn(*press);
    m_scene->flush();
    hover(event->position());
    updateCursor();
}

void GraphView::clickOn(const Press& press)
{
    const Hit& hit = press.hit;
    if ((hit.node && !m_scene->node(hit.node)) || (hit.kind == Hit::Kind::Wire && !m_scene->edge(hit.edge)) ||
        ((hit.kind == Hit::Kind::Dot || hit.kind == Hit::Kind::Reroute) && !m_scene->edge(hit.edge)))
        return; // a key took it away while the button was down
    Selection& selection = m_scene->context().selection;
    if (hit.kind == Hit::Kind::None && !adds(press.at.modifiers))
        selection.clear();
    else if (hit.kind == Hit::Kind::Dot)
        openCast(hit);
    else if (hit.kind == Hit::Kind::Badge)
        Q_EMIT findingActivated(hit.node, badgeRect(hit.node), globalRect(m_scene->node(hit.node)->body()));
    else if ((hit.kind == Hit::Kind::Input || hit.kind == Hit::Kind::Output) && hit.node)
        selectHit({Hit::Kind::Node, hit.node, {}, {}, 0}, press.at.modifiers);
    else if (hit.kind == Hit::Kind::Reroute)
        selectHit({Hit::Kind::Wire, {}, {}, hit.edge, 0}, press.at.modifiers);
    if (press.wasSelected && (hit.kind == Hit::Kind::Node || hit.kind == Hit::Kind::Wire))
        selectHit(hit, {});
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_scene->flush();
    event->accept();
    if (event->button() != Qt::LeftButton)
        return;
    const DragPoint at = pointOf(event->position(), event->modifiers());
    const Hit hit = m_scene->hitAt(at.scene, m_zoom);
    if (hit.kind == Hit::Kind::None)
        Q_EMIT searchRequested(event->globalPosition().toPoint(), at.scene);
    else if (hit.kind == Hit::Kind::Wire)
        addReroute(hit.edge, at);
    else if (hit.kind == Hit::Kind::Node)
        Q_EMIT nodeActivated(hit.node, globalRect(m_scene->node(hit.node)->body()));
}

void GraphView::addReroute(const engine::EdgeKey& edge, const DragPoint& at)
{
    const EdgeItem* item = m_scene->edge(edge);
    GraphDocument& document = m_scene->context().document;
    std::vector<engine::Point> points;
    for (const QPointF& p : item->reroutes())
        points.push_back({p.x(), p.y()});
    const std::size_t index = rerouteIndex(item->wire().all.elementAt(0), item->wire().dot, item->reroutes(), at.scene);
    points.insert(points.begin() + static_cast<std::ptrdiff_t>(index), {snap8(at.scene.x()), snap8(at.scene.y())});
    const Gesture gesture = document.newGesture();
    const QString name = tr("Add a reroute point to %1").arg(EditNames::edge(document.value(), edge));
    apply(engine::SetReroutes{edge, std::move(points)}, name, gesture);
    // Held on, it is placed by the same gesture.
    m_scene->flush();
    m_dragButton = Qt::LeftButton;
    m_drag = rerouteDrag(*m_scene, edge, index, gesture, name);
}

void GraphView::onPulledOnEmpty(const PulledWire& wire, const DragPoint& at)
{
    PulledWire hanging = wire;
    hanging.fits.clear();
    m_scene->setPulled(std::move(hanging));
    Q_EMIT dropSearchRequested(viewport()->mapToGlobal(at.view), at.scene, wire.anchor.node, latin(wire.anchor.port),
                               wire.isFromOutput);
}

void GraphView::endDropSearch()
{
    if (!m_drag)
        m_scene->setPulled({});
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    m_scene->flush();
    event->accept();
    const QPoint angle = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier) {
        setZoom(m_zoom * std::exp2(angle.y() * kZoomPerUnit), event->position());
        return;
    }
    QPoint delta = event->pixelDelta().isNull() ? angle / 2 : event->pixelDelta();
    if ((event->modifiers() & Qt::ShiftModifier) && delta.x() == 0)
        delta = delta.transposed();
    m_flight.stop();
    scrollBy(delta);
    m_pointer = event->position();
    if (m_drag)
        m_drag->move(pointOf(m_pointer, event->modifiers()));
    else
        hover(m_pointer);
}

bool GraphView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        m_pointer = {-1, -1};
        if (!m_drag)
            setHovered({});
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            setZoom(m_zoom * (1 + gesture->value()), gesture->position());
            return true;
        }
    }
    return QGraphicsView::viewportEvent(event);
}

void GraphView::hover(QPointF viewPos)
{
    if (m_drag || !viewport()->rect().contains(viewPos.toPoint()))
        return;
    setHovered(m_scene->hitAt(pointOf(viewPos, {}).scene, m_zoom));
}

void GraphView::setHovered(const Hit& hit)
{
    const Hit before = m_scene->hovered();
    if (hit == before)
        return;
    m_scene->setHovered(hit);
    if (before.kind == Hit::Kind::Dot)
        Q_EMIT castLeft();
    if (before.kind == Hit::Kind::Badge)
        Q_EMIT findingLeft();
    if (hit.kind == Hit::Kind::Dot) {
        const EdgeItem* item = m_scene->edge(hit.edge);
        const double r = item->radius / m_zoom;
        Q_EMIT castHovered(hit.node, latin(hit.port),
                           globalRect(QRectF(item->wire().dot - QPointF(r, r), QSizeF(2 * r, 2 * r))),
                           globalRect(m_scene->node(hit.node)->body()));
    }
    if (hit.kind == Hit::Kind::Badge)
        Q_EMIT findingHovered(hit.node, badgeRect(hit.node), globalRect(m_scene->node(hit.node)->body()));
    updateCursor();
}

void GraphView::openCast(const Hit& dot)
{
    const EdgeItem* item = m_scene->edge(dot.edge);
    const NodeItem* node = m_scene->node(dot.node);
    if (!item || !item->cast() || !node)
        return;
    const double r = item->radius / m_zoom;
    Q_EMIT castActivated(dot.node, latin(dot.port),
                         globalRect(QRectF(item->wire().dot - QPointF(r, r), QSizeF(2 * r, 2 * r))),
                         globalRect(node->body()));
}

QRect GraphView::badgeRect(engine::NodeId id) const
{
    const QRectF body = m_scene->node(id)->body();
    return globalRect(QRectF(body.right() - node_size::kPadding - node_size::kBadge, body.top() + 8, 16, 16));
}

void GraphView::updateCursor()
{
    const Hit::Kind kind = m_scene->hovered().kind;
    const bool isPanning =
        m_drag && m_dragButton != Qt::NoButton && (m_isSpaceHeld || m_dragButton == Qt::MiddleButton);
    const bool isHand = kind == Hit::Kind::Dot || kind == Hit::Kind::Badge;
    const bool isCross = kind == Hit::Kind::Input || kind == Hit::Kind::Output;
    viewport()->setCursor(isPanning       ? Qt::ClosedHandCursor
                          : m_isSpaceHeld ? Qt::OpenHandCursor
                          : isHand        ? Qt::PointingHandCursor
                          : isCross       ? Qt::CrossCursor
                                          : Qt::ArrowCursor);
}

void GraphView::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasFormat(kOpMime))
        event->acceptProposedAction();
    else
        event->ignore(); // files belong to the window
}

void GraphView::dragMoveEvent(QDragMoveEvent* event)
{
    event->setAccepted(event->mimeData()->hasFormat(kOpMime));
}

void GraphView::dropEvent(QDropEvent* event)
{
    if (!event->mimeData()->hasFormat(kOpMime))
        return event->ignore();
    event->acceptProposedAction();
    addNodeAt(QString::fromUtf8(event->mimeData()->data(kOpMime)), pointOf(event->position(), {}).scene, {}, {},
              OnWire::Insert);
    setFocus();
}

} // namespace ui
