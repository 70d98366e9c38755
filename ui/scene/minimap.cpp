#include "ui/scene/minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr double kPad = 10, kStripe = 2, kNearWorst = 0.1; // a stripe within a decade of the largest

} // namespace

Minimap::Minimap(GraphScene& scene, QWidget* parent) : QWidget(parent), m_scene(scene)
{
    setAccessibleName(tr("Minimap"));
    setCursor(Qt::ArrowCursor);
    setFixedSize(kWidth, kHeight);
    connect(&scene, &GraphScene::mirrored, this, &Minimap::refresh);
    connect(&scene.context().themes, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

void Minimap::setView(const QRectF& sceneRect)
{
    m_view = sceneRect;
    refresh();
}

void Minimap::setWanted(bool isWanted)
{
    m_isWanted = isWanted;
    refresh();
}

void Minimap::place()
{
    move(parentWidget()->width() - kWidth - kMargin, parentWidget()->height() - kHeight - kMargin);
}

void Minimap::refresh()
{
    QRectF world = m_view;
    m_worst = 0;
    for (const auto& [id, node] : m_scene.nodes()) {
        world |= node->body();
        m_worst = std::max(m_worst, node->face().local.value_or(0));
    }
    if (!m_isPressed)
        m_world = world;
    setVisible(m_isWanted && !m_scene.nodes().empty());
    update();
}

QTransform Minimap::toMap() const
{
    const QRectF area = QRectF(rect()).adjusted(kPad, kPad, -kPad, -kPad);
    const double scale =
        m_world.isEmpty() ? 1 : std::min(area.width() / m_world.width(), area.height() / m_world.height());
    QTransform t;
    t.translate(area.center().x(), area.center().y());
    t.scale(scale, scale);
    t.translate(-m_world.center().x(), -m_world.center().y());
    return t;
}

QRectF Minimap::blockOf(engine::NodeId id) const
{
    const NodeItem* node = m_scene.node(id);
    return node ? toMap().mapRect(node->body()) : QRectF();
}

QRectF Minimap::viewRing() const
{
    return toMap().mapRect(m_view);
}

QColor Minimap::stripeOf(const NodeFace& face) const
{
    const Theme& theme = m_scene.context().theme();
    if (face.badge == NodeBadge::Error)
        return theme.status.error;
    if (face.local && *face.local > 0 && *face.local >= kNearWorst * m_worst)
        return theme.loss.key;
    return face.badge == NodeBadge::Warning ? theme.status.warning : QColor();
}

void Minimap::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = m_scene.context().theme();
    p.setPen(QPen(theme.line.hairline, 1));
    p.setBrush(theme.surface.panel);
    p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    p.setClipRect(rect().adjusted(2, 2, -2, -2));
    const QTransform map = toMap();
    for (const auto& [id, node] : m_scene.nodes()) {
        const QRectF block = map.mapRect(node->body());
        p.setPen(QPen(theme.line.strong, 1));
        p.setBrush(theme.surface.raised);
        p.drawRoundedRect(block, 1.5, 1.5);
        if (const QColor stripe = stripeOf(node->face()); stripe.isValid())
            p.fillRect(QRectF(block.left(), block.top(), kStripe, block.height()), stripe);
    }
    p.setPen(QPen(theme.selection.ring, 1.25));
    p.setBrush(Qt::NoBrush);
    p.drawRoundedRect(viewRing().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

void Minimap::ask(QPointF at)
{
    Q_EMIT centreAsked(toMap().inverted().map(at));
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_isPressed = true;
        ask(event->position());
    }
    event->accept();
}

void Minimap::mouseReleaseEvent(QMouseEvent* event)
{
    m_isPressed = false;
    refresh();
    event->accept();
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        ask(event->position());
    event->accept();
}

} // namespace ui
