#include "ui/scene/node_item.h"

#include "ui/scene/level_of_detail.h"
#include "ui/style/paint.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <cmath>

namespace ui {

namespace {

enum PixmapKind { Body, Content, ContentWithoutBar, Name };
constexpr double kStaleOpacity = 0.45, kInheritedOpacity = 0.38;
constexpr std::array<double, 8> kBuckets{0.25, 1.0 / 3, 0.5, 0.75, 1, 1.5, 2, 4};

double bucketFor(double zoom)
{
    for (const double b : kBuckets)
        if (b >= zoom - 1e-9)
            return b;
    return kBuckets.back();
}

QPointF snapped(QPointF at, double ratio)
{
    return {std::round(at.x() * ratio) / ratio, std::round(at.y() * ratio) / ratio};
}

int thousandths(double x)
{
    return static_cast<int>(std::lround(x * 1000));
}

} // namespace

NodeItem::NodeItem(PaintContext& context, engine::NodeId id) : m_context(context)
{
    m_face.id = id;
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(1);
    read();
    bar = barFigures(m_face);
    barFrom = bar;
}

bool NodeItem::read()
{
    const SceneContext& scene = m_context.scene;
    const engine::Node* node = scene.graph().find(m_face.id);
    if (!node)
        return false; // it goes with the next flush
    if (!(m_text.node == *node))
        m_text = nodeText(scene.spec(*node), *node);
    NodeFace face = nodeFace(scene, m_text, m_context.waits);
    NodeGeometry geometry = nodeGeometry(scene, face, m_text);
    const bool isOther = geometry.size != m_geometry.size || geometry.inputs.size() != m_geometry.inputs.size() ||
                         geometry.footerTop != m_geometry.footerTop;
    if (isOther)
        prepareGeometryChange();
    m_nameWidths.fill(0);
    m_face = std::move(face);
    m_geometry = std::move(geometry);
    m_contentKey = m_face.contentKey();
    update();
    return isOther;
}

void NodeItem::readRunning()
{
    const SnapshotStore& results = m_context.scene.results;
    const bool isRunning = results.isRunning() && results.doing().section(QStringLiteral(", "), 1) == m_face.name;
    if (isRunning || m_face.isRunning)
        update();
    m_face.isRunning = isRunning;
}

QPointF NodeItem::inputAt(std::string_view port) const
{
    const InputPort* found = m_geometry.input(port);
    return pos() + (found ? found->at : QPointF(0, node_size::kPortY));
}

QPointF NodeItem::outputAt() const
{
    return pos() + m_geometry.output.value_or(QPointF(m_geometry.size.width(), node_size::kPortY));
}

QRectF NodeItem::boundingRect() const
{
    const double m = bodyMargin(BodyState::Selected, m_context.scene.theme());
    return m_geometry.rect().adjusted(-m, -m, m, m);
}

BodyState NodeItem::bodyState() const
{
    if (m_face.isRefused)
        return isRinged ? BodyState::RefusedSelected : BodyState::Refused;
    return isRinged ? BodyState::Selected : isHovered ? BodyState::Hover : BodyState::Normal;
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    const QTransform world = painter->worldTransform();
    const double zoom = QStyleOptionGraphicsItem::levelOfDetailFromTransform(world);
    const double ratio = painter->device()->devicePixelRatioF();
    const Detail detail = detailAt(zoom);
    if (detail == Detail::Block)
        return; // drawn in one go by the marks item
    // In device-independent pixels from here on, with the corner on a device pixel: blits, no sampling.
    const QPointF corner = snapped({world.dx(), world.dy()}, ratio);
    painter->setWorldTransform(QTransform::fromTranslate(corner.x(), corner.y()));
    if (detail == Detail::Full)
        paintFull(*painter, zoom, ratio);
    else if (detail == Detail::Middle)
        paintMiddle(*painter, zoom, ratio);
    else
        paintLow(*painter, zoom, ratio);
    painter->setWorldTransform(world);
}

// Kept pixmaps of a node at one zoom: exact where it is kept or may still be rendered in this frame, else at the next
// kept scale.
struct NodeItem::Kept {
    PaintContext& context;
    QPainter& p;
    double zoom, ratio;
    QSizeF size;

    PixmapKey key(int kind, std::size_t content, double room, double scale) const
    {
        const QSizeF area = (size + QSizeF(2 * room, 2 * room)) * scale;
        return {kind, content, thousandths(area.width()), thousandths(area.height()), thousandths(scale * ratio)};
    }
    double scaleFor(int kind, std::size_t content, double room) const
    {
        if (context.pixmaps.has(key(kind, content, room, zoom)))
            return zoom;
        if (context.sharpness == Sharpness::Exact && context.sharpenLeft > 0) {
            --context.sharpenLeft;
            return zoom;
        }
        context.wasLeftBlurred = true;
        return bucketFor(zoom);
    }
    template <class Paint> void draw(int kind, std::size_t content, double room, Paint paint) const
    {
        const double scale = scaleFor(kind, content, room);
        const QSizeF area = (size + QSizeF(2 * room, 2 * room)) * scale;
        const QPixmap pm = context.pixmaps.get(key(kind, content, room, scale), area, ratio, [&](QPainter& q) {
            q.scale(scale, scale);
            q.translate(room, room);
            paint(q, scale * ratio);
        });
        const QPointF at = snapped({-room * zoom, -room * zoom}, ratio);
        if (scale == zoom)
            p.drawPixmap(at, pm);
        else
            p.drawPixmap(QRectF(at, QSizeF(pm.width(), pm.height()) / ratio * (zoom / scale)), pm, QRectF(pm.rect()));
    }
};

void NodeItem::paintFull(QPainter& p, double zoom, double ratio) const
{
    const Theme& theme = m_context.scene.theme();
    const BodyState state = bodyState();
    const QSizeF size = m_geometry.size;
    const Kept kept{m_context, p, zoom, ratio, size};
    kept.draw(Body, static_cast<std::size_t>(state) * 2 + (m_face.isMuted ? 1 : 0), bodyMargin(state, theme),
              [&](QPainter& q, double r) { paintBody(q, size, state, m_face.isMuted, theme, r); });
    const double opacity = p.opacity();
    p.setOpacity(m_face.isStale || m_face.isBlocked ? opacity * kStaleOpacity : opacity);
    const BarIn barIn = isBarMoving() ? BarIn::Live : BarIn::Content;
    kept.draw(barIn == BarIn::Live ? ContentWithoutBar : Content, m_contentKey, 0,
              [&](QPainter& q, double r) { paintContent(q, m_face, m_geometry, barIn, theme, r); });
    p.scale(zoom, zoom);
    if (barIn == BarIn::Live)
        paintBar(p, barTrack(m_geometry), m_face, bar, theme);
    p.setOpacity(opacity);
    if (m_face.isRunning)
        paintProgress(p, size, m_context.scene.results.progress(), theme);
    if (isRinged)
        paintSelectionRing(p, m_geometry.rect(), node_size::kRadius, theme);
    if (isFocused)
        paintFocusRing(p, m_geometry.rect(), node_size::kRadius, theme);
}

void NodeItem::paintBodySmall(QPainter& p, QSizeF size, double radius) const
{
    const Theme& theme = m_context.scene.theme();
    const QColor border = m_face.isRefused ? theme.status.error : isHovered ? theme.text.tertiary : theme.line.strong;
    p.setPen(QPen(border, m_face.isRefused ? 1.5 : 1));
    p.setBrush(theme.surface.node);
    p.drawRoundedRect(QRectF(QPointF(), size), radius, radius);
    if (isRinged)
        paintSelectionRing(p, QRectF(QPointF(), size), radius, theme);
    if (isFocused)
        paintFocusRing(p, QRectF(QPointF(), size), radius, theme);
}

// Whole where it fits, else shortened in steps of 8 px: zooming must not render every name in every frame.
void NodeItem::paintName(QPainter& p, QPointF baseline, double width, int pixels, double ratio) const
{
    if (width < pixels)
        return;
    const Theme& theme = m_context.scene.theme();
    const QFont font = uiFont(pixels, Weight::SemiBold);
    double& whole = m_nameWidths[static_cast<std::size_t>(pixels) % m_nameWidths.size()];
    if (whole <= 0)
        whole = std::ceil(QFontMetricsF(font).horizontalAdvance(m_face.name)) + 1;
    const int room = static_cast<int>(whole <= width ? whole : std::max(8.0, std::floor(width / 8) * 8));
    const std::size_t content = qHashMulti(0, m_face.name, m_face.isMuted);
    const PixmapKey key{Name, content, room, pixels, thousandths(ratio)};
    if (!m_context.pixmaps.has(key)) {
        // Many names at once are spread over frames: one that comes late is missed less than a frame is.
        m_context.wasLeftBlurred = m_context.wasLeftBlurred || m_context.namesLeft <= 0;
        if (m_context.namesLeft-- <= 0)
            return;
    }
    const double ascent = std::ceil(pixels * 1.1);
    const QPixmap pm = m_context.pixmaps.get(key, QSizeF(room, std::ceil(pixels * 1.45)), ratio, [&](QPainter& q) {
        q.setFont(font);
        q.setPen(m_face.isMuted ? theme.text.tertiary : theme.text.primary);
        q.drawText(QPointF(0, ascent), QFontMetricsF(font).elidedText(m_face.name, Qt::ElideMiddle, room));
    });
    p.drawPixmap(snapped(baseline - QPointF(0, ascent), ratio), pm);
}

void NodeItem::paintMiddle(QPainter& p, double zoom, double ratio) const
{
    const Theme& theme = m_context.scene.theme();
    const QSizeF size = m_geometry.size * zoom;
    paintBodySmall(p, size, 4);
    const double opacity = p.opacity();
    if (m_face.isStale || m_face.isBlocked)
        p.setOpacity(opacity * kStaleOpacity);
    const QPixmap icon = iconPixmap(iconOfOp(m_face.op), 14, theme.text.secondary, ratio);
    p.drawPixmap(QPointF(8, 8), icon);
    paintName(p, {27, 20}, size.width() - 27 - 8, 12, ratio);
    const double step = (size.width() - 16) / 5, y = std::round(size.height() - 24);
    for (std::size_t i = 0; i < m_face.columns.size() && !m_face.isBlocked; ++i) {
        const SlotColumn& c = m_face.columns[i];
        const double x = 8 + step * static_cast<double>(i);
        if (c.ran) {
            QPainterPath line({x, y});
            line.lineTo(x + step * 0.72, y);
            drawWire(p, line, *c.ran, theme, {.ground = theme.surface.node});
        }
        if (c.arrow == SlotArrow::Lost) {
            p.setPen(Qt::NoPen);
            p.setBrush(theme.loss.key);
            p.drawEllipse(QPointF(x + step * 0.36, y - 6), 2, 2);
        }
    }
    if (!m_face.isRefused && !m_face.isBlocked) {
        const QRectF track(8, std::round(size.height() - 12), size.width() - 16, 4);
        p.fillRect(track, theme.surface.sunken);
        const auto fill = [&](double position, std::optional<double> error, double alpha) {
            if (!error || *error <= 0)
                return;
            QColor color = theme.lossAt(*error);
            color.setAlphaF(static_cast<float>(alpha));
            p.fillRect(QRectF(track.topLeft(), QSizeF(track.width() * position, track.height())), color);
        };
        fill(bar.total, m_face.total, kInheritedOpacity);
        fill(bar.local, m_face.local, 1);
    }
    p.setOpacity(opacity);
}

void NodeItem::paintLow(QPainter& p, double zoom, double ratio) const
{
    const Theme& theme = m_context.scene.theme();
    const QSizeF size = m_geometry.size * zoom;
    p.setRenderHint(QPainter::Antialiasing, isRinged || isFocused);
    paintBodySmall(p, size, isRinged || isFocused ? 3 : 0);
    const double opacity = p.opacity();
    if (m_face.isStale || m_face.isBlocked)
        p.setOpacity(opacity * kStaleOpacity);
    const double bottom = size.height() - 4, height = std::max(2.0, 14 * zoom);
    const int pixels = zoom >= 0.2 ? 10 : 8;
    if (size.height() >= pixels + height + 6)
        paintName(p, {6, std::round((bottom - height + pixels) / 2)}, size.width() - 9, pixels, ratio);
    if (!m_face.isRefused && !m_face.isBlocked && m_face.total) {
        const double width = size.width() - 10;
        const auto fill = [&](double position, double error, double alpha) {
            QColor color = theme.lossAt(error);
            color.setAlphaF(static_cast<float>(alpha));
            if (error > 0)
                p.fillRect(QRectF(5, bottom - height, width * position, height), color);
        };
        fill(bar.total, *m_face.total, kInheritedOpacity);
        fill(bar.local, m_face.local.value_or(0), 1);
    }
    p.setOpacity(opacity);
    p.setRenderHint(QPainter::Antialiasing, true);
}

} // namespace ui
