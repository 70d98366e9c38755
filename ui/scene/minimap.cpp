#include "ui/scene/minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr std::size_t kManyNodes = 100;
constexpr double kPad = 10, kStripe = 2, kNearWorst = 0.1; // a stripe within a decade of the largest

} // namespace

Minimap::Minimap(GraphScene& scene, QWidget* parent) : QWidget(parent), m_scene(scene)
{
    setAccessibleName(tr("Minimap"));
    setCursor(Qt::ArrowCursor);
    setFixedSize(kWidth, kHeight);
    connect(&scene, &GraphScene::mirrored, this, &Minimap::readNodes);
    connect(&scene.context().themes, &ThemeManager::changed, this, &Minimap::readNodes);
    readNodes();
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

void Minimap::readNodes()
{
    double worst = 0; // local error
    for (const auto& [id, node] : m_scene.nodes())
        worst = std::max(worst, node->face().local.value_or(0));
    m_blocks.clear();
    for (const auto& [id, node] : m_scene.nodes())
        m_blocks.push_back({node->body(), stripeOf(node->face(), worst)});
    refresh();
}

void Minimap::refresh()
{
    QRectF world = m_view;
    for (const Block& block : m_blocks)
        world |= block.body;
    if (!m_isPressed)
        m_world = world;
    setVisible(m_isWanted && !m_blocks.empty());
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

QColor Minimap::stripeOf(const NodeFace& face, double worst) const
{
    const Theme& theme = m_scene.context().theme();
    if (face.badge == NodeBadge::Error)
        return theme.status.error;
    if (face.local && *face.local > 0 && *face.local >= kNearWorst * worst)
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
    // Many nodes are small ones: plain rectangles in one go.
    const bool isPlain = m_blocks.size() > kManyNodes;
    p.setRenderHint(QPainter::Antialiasing, !isPlain);
    p.setPen(isPlain ? QPen(Qt::NoPen) : QPen(theme.line.strong, 1));
    p.setBrush(isPlain ? theme.line.strong : theme.surface.raised);
    QList<QRectF> plain;
    for (const Block& block : m_blocks) {
        const QRectF at = map.mapRect(block.body);
        if (isPlain)
            plain << at;
        else
            p.drawRoundedRect(at, 1.5, 1.5);
    }
    p.drawRects(plain);
    for (const Block& block : m_blocks)
        if (const QRectF at = map.mapRect(block.body); block.stripe.isValid())
            p.fillRect(QRectF(at.left(), at.top(), std::min(kStripe, at.width()), at.height()), block.stripe);
    p.setRenderHint(QPainter::Antialiasing);
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
