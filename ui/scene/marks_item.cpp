#include "ui/scene/marks_item.h"

#include "ui/scene/graph_scene.h"
#include "ui/scene/level_of_detail.h"
#include "ui/style/paint.h"

#include <QHash>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <cmath>

namespace ui {

namespace {

constexpr double kFaded = 0.35, kLitRadius = 9, kRerouteRadius = 4, kBlockDot = 3;
enum SpriteKind { PortSprite = 10, DotSprite };

QColor dotColor(DotLevel level, const Theme& theme)
{
    switch (level) {
    case DotLevel::Exact:
        return theme.text.secondary;
    case DotLevel::Small:
    case DotLevel::Medium:
        return theme.loss.key;
    case DotLevel::Large:
        return theme.loss.large;
    case DotLevel::Overflow:
        break;
    }
    return theme.loss.overflow;
}

// Invalid where nothing is known.
QColor lineColor(const std::optional<engine::DType>& dtype, const Theme& theme)
{
    return dtype ? theme.dtype(*dtype).line : QColor();
}

QRgb blockColor(const NodeFace& face, const Theme& theme)
{
    if (face.isRefused)
        return theme.status.error.rgb();
    const std::optional<double> error = face.local ? face.local : face.total;
    return error && *error > 0 ? theme.lossAt(*error).rgb() : theme.line.node.rgb();
}

} // namespace

struct MarksItem::Frame {
    QPainter& p;
    double zoom, ratio;
    QTransform toDevice; // scene to device-independent pixels
    QRectF exposed;      // in the scene, with room for marks
    QPointF at(QPointF scene) const { return toDevice.map(scene); }
    // A mark of radius `r` px whose middle is at `scene`.
    void sprite(QPointF scene, const QPixmap& pm) const
    {
        const QPointF corner = at(scene) - QPointF(pm.width(), pm.height()) / (2 * ratio);
        p.drawPixmap(QPointF(std::round(corner.x() * ratio), std::round(corner.y() * ratio)) / ratio, pm);
    }
};

MarksItem::MarksItem(PaintContext& context, const GraphScene& scene) : m_context(context), m_scene(scene)
{
    setAcceptedMouseButtons(Qt::NoButton);
    setFlag(ItemUsesExtendedStyleOption);
    setZValue(10);
}

QRectF MarksItem::boundingRect() const
{
    constexpr double kEverywhere = 4e6;
    return {-kEverywhere, -kEverywhere, 2 * kEverywhere, 2 * kEverywhere};
}

void MarksItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*)
{
    const QTransform world = painter->worldTransform();
    const double zoom = QStyleOptionGraphicsItem::levelOfDetailFromTransform(world);
    const double room = 40 / std::min(zoom, 1.0);
    const Frame frame{*painter, zoom, painter->device()->devicePixelRatioF(), world,
                      option->exposedRect.adjusted(-room, -room, room, room)};
    painter->setWorldTransform(QTransform());
    const Detail detail = detailAt(zoom);
    if (detail == Detail::Block) {
        paintHairlines(frame);
        paintBlocks(frame);
    } else if (detail != Detail::Low || m_scene.pulled()) {
        for (const auto& [id, node] : m_scene.nodes())
            if (frame.exposed.intersects(node->body()))
                paintPorts(frame, *node);
    }
    if (detail != Detail::Block)
        paintReroutes(frame);
    paintDots(frame);
    if (m_scene.pulled())
        paintPulledWire(frame);
    if (const auto& band = m_scene.band()) {
        const Theme& theme = m_context.scene.theme();
        painter->setPen(QPen(theme.selection.ring, 1));
        painter->setBrush(theme.selection.band);
        painter->drawRect(world.mapRect(*band));
    }
    painter->setWorldTransform(world);
}

void MarksItem::paintPortAt(const Frame& frame, QPointF at, PortLook look, QColor color) const
{
    const double scale = portScale(frame.zoom);
    const Theme& theme = m_context.scene.theme();
    const PixmapKey key{PortSprite, qHashMulti(0, static_cast<int>(look), color.rgba()), 0, 0,
                        static_cast<int>(scale * frame.ratio * 1000)};
    const double side = 2 * std::ceil(7 * scale);
    frame.sprite(at, m_context.pixmaps.get(key, {side, side}, frame.ratio, [&](QPainter& q) {
        q.translate(side / 2, side / 2);
        q.scale(scale, scale);
        drawPort(q, {}, look, color, theme);
    }));
}

// While a wire is pulled: what fits is lit, what does not fades.
void MarksItem::paintLit(const Frame& frame, QPointF at, const PortKey& key) const
{
    const auto& pulled = m_scene.pulled();
    if (!pulled || !pulled->isFit(key))
        return;
    const bool isTarget = pulled->target == key;
    const double scale = portScale(frame.zoom);
    frame.p.setPen(QPen(m_context.scene.theme().selection.ring, (isTarget ? 2.5 : 1.5) * scale));
    frame.p.setBrush(Qt::NoBrush);
    frame.p.drawEllipse(frame.at(at), kLitRadius * scale, kLitRadius * scale);
}

void MarksItem::paintPorts(const Frame& frame, const NodeItem& node) const
{
    const SceneContext& s = m_context.scene;
    const Theme& theme = s.theme();
    const auto& pulled = m_scene.pulled();
    const bool isLookedAt = node.isHovered || node.isRinged || node.isFocused || pulled.has_value();
    const auto opacity = [&](const PortKey& key) {
        return !pulled || key == pulled->anchor || pulled->isFit(key) ? 1 : kFaded;
    };
    for (const InputPort& port : node.geometry().inputs) {
        if (port.isShy && !isLookedAt)
            continue;
        const PortKey key{node.id(), port.name};
        const engine::PortView* view = s.plans.port(node.id(), port.name);
        const QColor color = !view ? QColor() : lineColor(view->used ? view->used : view->arrives, theme);
        const bool isFilled = port.isWired && color.isValid() && !node.face().isBlocked;
        frame.p.setOpacity(opacity(key));
        paintPortAt(frame, node.pos() + port.at,
                    isFilled          ? PortLook::Connected
                    : port.isRequired ? PortLook::Missing
                                      : PortLook::Optional,
                    color);
        paintLit(frame, node.pos() + port.at, key);
    }
    if (node.geometry().output) {
        const PortKey key{node.id(), kOutputPort};
        frame.p.setOpacity(opacity(key));
        const QColor color = lineColor(node.face().dtype, theme);
        paintPortAt(frame, node.outputAt(), color.isValid() ? PortLook::Connected : PortLook::Optional, color);
        paintLit(frame, node.outputAt(), key);
    }
    frame.p.setOpacity(1);
}

void MarksItem::paintDots(const Frame& frame) const
{
    const Theme& theme = m_context.scene.theme();
    const bool isBlock = detailAt(frame.zoom) == Detail::Block;
    const double scale = dotScale(frame.zoom);
    const QColor ground = theme.surface.canvas;
    for (const auto& [key, edge] : m_scene.edges()) {
        if (!edge->cast() || edge->isHidden || !frame.exposed.contains(edge->wire().dot))
            continue;
        const QPointF at = edge->wire().dot;
        const DotLevel level = edge->cast()->level;
        const bool isLookedAt = m_scene.isDotLookedAt(key);
        if (edge->isPulsing) {
            const double r = edge->radius, t = m_scene.pulse();
            drawDot(frame.p, frame.at(at), level, theme, ground, scale * (isBlock ? kBlockDot : r) / dotRadius(level));
            QColor ring = dotColor(level, theme);
            ring.setAlphaF(static_cast<float>(1 - t));
            frame.p.setPen(QPen(ring, 1.5 * scale));
            frame.p.setBrush(Qt::NoBrush);
            frame.p.drawEllipse(frame.at(at), r * (1 + t) * scale, r * (1 + t) * scale);
            continue;
        }
        const double radius = isBlock ? kBlockDot : dotRadius(level);
        const double side = 2 * std::ceil((radius + 3) * scale);
        const PixmapKey sprite{DotSprite, static_cast<std::size_t>(level) * 2 + (isBlock ? 1 : 0), 0, 0,
                               static_cast<int>(scale * frame.ratio * 1000)};
        frame.sprite(at, m_context.pixmaps.get(sprite, {side, side}, frame.ratio, [&](QPainter& q) {
            drawDot(q, {side / 2, side / 2}, level, theme, ground, scale * radius / dotRadius(level));
        }));
        if (isLookedAt) {
            frame.p.setPen(QPen(theme.selection.ring, 1.5 * scale));
            frame.p.setBrush(Qt::NoBrush);
            frame.p.drawEllipse(frame.at(at), (radius + 4.5) * scale, (radius + 4.5) * scale);
        }
    }
}

void MarksItem::paintReroutes(const Frame& frame) const
{
    const Theme& theme = m_context.scene.theme();
    const double scale = portScale(frame.zoom);
    for (const auto& [key, edge] : m_scene.edges()) {
        if (edge->isHidden)
            continue;
        const QColor color = edge->dtype() ? theme.dtype(*edge->dtype()).line : theme.text.tertiary;
        for (const QPointF& at : edge->reroutes()) {
            if (!frame.exposed.contains(at))
                continue;
            frame.p.setPen(QPen(color, 1.75 * scale));
            frame.p.setBrush(theme.surface.canvas);
            frame.p.drawEllipse(frame.at(at), kRerouteRadius * scale, kRerouteRadius * scale);
        }
    }
}

void MarksItem::paintPulledWire(const Frame& frame) const
{
    const PulledWire& pulled = *m_scene.pulled();
    const Theme& theme = m_context.scene.theme();
    const QPointF fixed = frame.at(pulled.fixedEnd), loose = frame.at(pulled.looseEnd);
    const QPainterPath path = pulled.isFromOutput ? looseWire(fixed, loose) : looseWire(loose, fixed);
    const auto source = pulled.isFromOutput ? pulled.anchor.node
                        : pulled.target     ? pulled.target->node
                                            : engine::NodeId();
    const engine::NodeView* view = m_context.scene.plans.node(source);
    const double scale = wireScale(frame.zoom);
    QColor color = theme.text.tertiary;
    if (view && view->dtype) {
        drawWire(frame.p, path, *view->dtype, theme, {.scale = scale});
        color = theme.dtype(*view->dtype).line;
    } else {
        paintUnknownWire(frame.p, path, theme, scale);
    }
    if (pulled.target)
        return;
    frame.p.setPen(QPen(color, 1.75 * scale));
    frame.p.setBrush(theme.surface.canvas);
    frame.p.drawEllipse(loose, 5 * scale, 5 * scale);
}

void MarksItem::paintHairlines(const Frame& frame) const
{
    const Theme& theme = m_context.scene.theme();
    QHash<QRgb, QList<QLineF>> lines;
    for (const auto& [key, edge] : m_scene.edges()) {
        if (edge->isHidden || !frame.exposed.intersects(edge->boundingRect()))
            continue;
        QList<QLineF>& list = lines[(edge->dtype() ? theme.dtype(*edge->dtype()).line : theme.text.tertiary).rgb()];
        QPointF last = frame.at(edge->wire().all.elementAt(0));
        for (const QPointF& at : edge->reroutes()) {
            list << QLineF(last, frame.at(at));
            last = frame.at(at);
        }
        list << QLineF(last, frame.at(edge->wire().all.currentPosition()));
    }
    frame.p.setRenderHint(QPainter::Antialiasing, false);
    for (auto it = lines.cbegin(); it != lines.cend(); ++it) {
        frame.p.setPen(QPen(QColor(it.key()), 0));
        frame.p.drawLines(it.value());
    }
    frame.p.setRenderHint(QPainter::Antialiasing, true);
}

void MarksItem::paintBlocks(const Frame& frame) const
{
    constexpr double kStripe = 3;
    const Theme& theme = m_context.scene.theme();
    QHash<QRgb, QList<QRectF>> rects, stripes;
    QList<QRectF> rings;
    for (const auto& [id, node] : m_scene.nodes()) {
        if (!frame.exposed.intersects(node->body()))
            continue;
        const QRectF at = frame.toDevice.mapRect(node->body());
        rects[blockColor(node->face(), theme)] << at;
        if (node->face().dtype)
            stripes[theme.dtype(*node->face().dtype).line.rgb()] << QRectF(at.topLeft(), QSizeF(kStripe, at.height()));
        if (node->isRinged || node->isFocused)
            rings << at;
    }
    frame.p.setRenderHint(QPainter::Antialiasing, false);
    frame.p.setPen(Qt::NoPen);
    for (const auto* batch : {&rects, &stripes})
        for (auto it = batch->cbegin(); it != batch->cend(); ++it) {
            frame.p.setBrush(QColor(it.key()));
            frame.p.drawRects(it.value());
        }
    frame.p.setRenderHint(QPainter::Antialiasing, true);
    for (const QRectF& at : rings)
        paintSelectionRing(frame.p, at, 1, theme);
}

} // namespace ui
