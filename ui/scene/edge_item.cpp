#include "ui/scene/edge_item.h"

#include "ui/scene/level_of_detail.h"
#include "ui/scene/node_words.h"
#include "ui/style/paint.h"
#include "ui/style/shape_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <cmath>

namespace ui {

namespace {

constexpr double kStaleOpacity = 0.35, kFar = 1e6;
constexpr double kLetterPad = 5, kLetterHeight = 16, kLetterRoom = 32, kLeastText = 8;

} // namespace

EdgeItem::EdgeItem(PaintContext& context, engine::EdgeKey key) : m_context(context), m_key(std::move(key))
{
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(0);
}

bool EdgeItem::read(const NodeItem& from, const NodeItem& to)
{
    m_from = from.id();
    std::vector<QPointF> through;
    const auto& reroutes = m_context.scene.document.layout().reroutes;
    if (const auto it = reroutes.find(m_key); it != reroutes.end())
        for (const engine::Point& p : it->second)
            through.push_back({std::clamp(p.x, -kFar, kFar), std::clamp(p.y, -kFar, kFar)});
    const std::pair ends{from.outputAt(), to.inputAt(m_key.toPort)};
    if (ends != m_ends || through != m_reroutes || m_flat.isEmpty()) {
        prepareGeometryChange();
        m_ends = ends;
        m_reroutes = std::move(through);
        m_wire = wirePath(ends.first, ends.second, m_reroutes);
        const QList<QPolygonF> flat = m_wire.all.toSubpathPolygons();
        m_flat = flat.isEmpty() ? QPolygonF() : flat.first();
    }
    m_isStale = from.face().isStale;
    const bool wasKnown = m_dtype.has_value();
    const std::optional<DotLevel> before = m_cast ? std::optional(m_cast->level) : std::nullopt;
    readPlan();
    const std::optional<DotLevel> now = m_cast ? std::optional(m_cast->level) : std::nullopt;
    update();
    return wasKnown && now && before != now;
}

void EdgeItem::readPlan()
{
    const SceneContext& s = m_context.scene;
    const engine::NodeView* source = s.plans.node(m_from);
    const engine::PortView* port = s.plans.port(m_key.to, m_key.toPort);
    m_dtype = source ? source->dtype : std::nullopt;
    m_used = port && m_dtype ? port->used : std::nullopt;
    m_cast = port && m_dtype ? castMark(*port, s.results.resultOf(m_key.to)) : std::nullopt;
    m_bits = m_dtype && source->effectiveBits > 0 ? std::optional(source->effectiveBits) : std::nullopt;
    m_label = m_dtype ? wireTag(*m_dtype, m_bits) : QString();
    m_shape = source && source->dtype ? shapeText(source->shape) : QString();
}

QString EdgeItem::accessibleName() const
{
    const SceneContext& s = m_context.scene;
    const auto nameOf = [&](engine::NodeId id) {
        const engine::Node* node = s.graph().find(id);
        return node ? latin(node->name) : QString();
    };
    const QString what = m_dtype ? latin(engine::dtypeName(*m_dtype)) + " " + m_shape
                                 : QCoreApplication::translate("Canvas", "no value");
    return QCoreApplication::translate("Canvas", "edge from %1 to %2, %3, %4")
        .arg(nameOf(m_from), nameOf(m_key.to), latin(m_key.toPort), what);
}

double EdgeItem::distanceTo(QPointF at) const
{
    double least = std::numeric_limits<double>::infinity();
    for (qsizetype i = 1; i < m_flat.size(); ++i) {
        const QPointF a = m_flat[i - 1], ab = m_flat[i] - a, ap = at - a;
        const double squared = QPointF::dotProduct(ab, ab);
        const double t = squared > 0 ? std::clamp(QPointF::dotProduct(ap, ab) / squared, 0.0, 1.0) : 0;
        least = std::min(least, std::hypot(ap.x() - t * ab.x(), ap.y() - t * ab.y()));
    }
    return least;
}

QRectF EdgeItem::boundingRect() const
{
    constexpr double kRoom = 16; // band, pipe and letter
    return m_wire.all.controlPointRect().adjusted(-kRoom, -kRoom, kRoom, kRoom);
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    const double zoom = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    const Detail detail = detailAt(zoom);
    if (detail == Detail::Block || isHidden)
        return;
    const Theme& theme = m_context.scene.theme();
    QPainter& p = *painter;
    const double scale = wireScale(zoom) / zoom;
    const double opacity = p.opacity();
    p.setOpacity(opacity * (m_isStale && !isRinged ? kStaleOpacity : 1));
    if (!m_dtype) {
        paintUnknownWire(p, m_wire.all, theme, scale);
    } else if (!m_cast) {
        drawWire(p, m_wire.all, *m_dtype, theme, look(scale));
    } else {
        drawWire(p, m_wire.before, *m_dtype, theme, look(scale));
        const QPointF end = m_wire.after.currentPosition();
        QPainterPath after({std::min(m_wire.dot.x() + (radius + 2) * dotScale(zoom) / zoom, end.x()), end.y()});
        after.lineTo(end);
        WireLook narrowed = look(scale);
        narrowed.effectiveBits.reset();
        drawWire(p, after, m_cast->to, theme, narrowed);
    }
    p.setOpacity(opacity);
    if (detail == Detail::Full && m_dtype)
        paintLetter(p, zoom);
}

WireLook EdgeItem::look(double scale) const
{
    return {.effectiveBits = m_bits, .isHovered = isHovered, .isSelected = isRinged, .scale = scale};
}

void paintUnknownWire(QPainter& p, const QPainterPath& path, const Theme& theme, double scale)
{
    constexpr double kWidth = 1.5, kSpace = 4;
    QPen pen(theme.text.tertiary, kWidth * scale, Qt::SolidLine, Qt::FlatCap);
    pen.setDashPattern({1, kSpace / kWidth});
    p.strokePath(path, pen);
}

void EdgeItem::paintLetter(QPainter& p, double zoom) const
{
    const Theme& theme = m_context.scene.theme();
    const bool isLong = (isHovered || isRinged) && !m_shape.isEmpty();
    const QString text = isLong ? m_label + " " + m_shape : m_label;
    const double scale = std::max(1.0, kLeastText / (11 * zoom));
    const QFont font = monoFont(11);
    const double width = QFontMetricsF(font).horizontalAdvance(text) + 2 * kLetterPad;
    // Without a dot the straight run counts too, and a straight wire has its letter in the middle of all of it.
    const double visible = m_wire.length + (m_cast ? 0 : node_size::kDotDistance);
    if (!isLong && visible < width * scale + kLetterRoom)
        return;
    const bool isStraight = !m_cast && m_ends.first.y() == m_ends.second.y() && m_reroutes.empty();
    p.save();
    p.translate(isStraight ? (m_ends.first + m_ends.second) / 2 : m_wire.middle);
    p.scale(scale, scale);
    const QRectF pad(-width / 2, -kLetterHeight / 2, width, kLetterHeight);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.surface.canvas);
    p.drawRoundedRect(pad, 4, 4);
    p.setFont(font);
    p.setPen(theme.dtype(*m_dtype).text);
    p.drawText(QPointF(pad.left() + kLetterPad, 4), text);
    p.restore();
}

} // namespace ui
