// Bars: health pill, error bar, the forms of the stages, the hatch of a muted node.
#include "ui/style/paint.h"

#include "ui/style/tokens_table.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui {

namespace {

constexpr double kSmallestShare = 3;      // px of a class that is present
constexpr double kTotalOpacity = 0.38;    // of the total behind the local error
constexpr double kNormalOpacity = 0.75;   // of the health that needs no look
constexpr double kStageGapOpacity = 0.55; // of the hatch in the arithmetic stage
constexpr double kMutedOpacity = 0.7;

// A texture drawn at the device ratio, so that it is as sharp as what is around it.
QBrush texture(const QImage& image, double ratio)
{
    QBrush brush(image);
    brush.setTransform(QTransform::fromScale(1 / ratio, 1 / ratio));
    return brush;
}

QImage blank(int side, const QColor& ground)
{
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(ground);
    return image;
}

// Stripes from bottom left to top right, `width` of every `period` px across.
QBrush hatch(const QColor& ground, const QColor& stripe, double width, double period, double ratio)
{
    const int side = std::max(2, static_cast<int>(std::lround(period * std::numbers::sqrt2 * ratio)));
    QImage image = blank(side, ground);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    // The tile is rounded to whole pixels: the stripe keeps its share of the period.
    painter.setPen(QPen(stripe, width / period * side / std::numbers::sqrt2, Qt::SolidLine, Qt::FlatCap));
    for (int shift : {-side, 0, side})
        painter.drawLine(QPointF(shift - side, 2 * side), QPointF(shift + 2 * side, -side));
    painter.end();
    return texture(image, ratio);
}

QBrush dots(const QColor& ground, const QColor& dot, double diameter, double period, double ratio)
{
    const int side = std::max(2, static_cast<int>(std::lround(period * ratio)));
    QImage image = blank(side, ground);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(dot);
    const double radius = diameter / 2 / period * side;
    painter.drawEllipse(QPointF(side / 2.0, side / 2.0), radius, radius);
    painter.end();
    return texture(image, ratio);
}

QColor withOpacity(QColor color, double opacity)
{
    color.setAlphaF(static_cast<float>(opacity));
    return color;
}

double ratioOf(const QPainter& painter)
{
    return painter.device()->devicePixelRatioF();
}

// Widths of the classes: their share, but at least kSmallestShare where one is present.
std::array<double, 5> classWidths(const std::array<double, 5>& counts, double width)
{
    std::array<double, 5> widths{};
    std::array<bool, 5> isSmall{};
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        double rest = width, sum = 0;
        for (std::size_t i = 0; i < counts.size(); ++i)
            isSmall[i] ? rest -= kSmallestShare : sum += counts[i];
        for (std::size_t i = 0; i < counts.size(); ++i) {
            widths[i] = isSmall[i] ? kSmallestShare : sum > 0 ? counts[i] / sum * rest : 0;
            if (counts[i] > 0 && widths[i] < kSmallestShare) {
                isSmall[i] = isChanged = true;
                break;
            }
        }
    }
    return widths;
}

// The part between two x of a rectangle with round ends. Intersecting paths would be exact too, but a thousand bars are
// drawn in one frame.
QPolygonF slice(const QRectF& whole, double from, double to)
{
    constexpr int kSteps = 6; // per end: finer than can be seen at these radii
    const double r = whole.height() / 2, middle = whole.center().y();
    const auto half = [&](double x) {
        const double in = std::min({x - whole.left(), whole.right() - x, r});
        return std::sqrt(std::max(0.0, r * r - (r - in) * (r - in)));
    };
    QPolygonF top, all;
    const auto add = [&](double x) {
        if (x > from && x < to)
            top << QPointF(x, middle - half(x));
    };
    top << QPointF(from, middle - half(from));
    for (int i = 1; i <= kSteps; ++i)
        add(whole.left() + r * (1 - std::cos(i * std::numbers::pi / 2 / kSteps)));
    for (int i = kSteps; i >= 1; --i)
        add(whole.right() - r * (1 - std::cos(i * std::numbers::pi / 2 / kSteps)));
    top << QPointF(to, middle - half(to));
    all = top;
    for (auto point = top.crbegin(); point != top.crend(); ++point)
        all << QPointF(point->x(), 2 * middle - point->y());
    return all;
}

} // namespace

void drawHealthPill(QPainter& painter, const QRectF& rect, const engine::Health& health, const Theme& theme)
{
    const std::array<double, 5> counts{static_cast<double>(health.normal), static_cast<double>(health.subnormal),
                                       static_cast<double>(health.zero), static_cast<double>(health.inf),
                                       static_cast<double>(health.nan)};
    const std::array<QColor, 5> colors{withOpacity(theme.health.normal, kNormalOpacity), theme.health.subnormal,
                                       theme.health.zero, theme.health.inf, theme.health.nan};
    const std::array<double, 5> widths = classWidths(counts, rect.width());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.health.zero);
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    double x = rect.left();
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] <= 0)
            continue;
        const QPolygonF part = slice(rect, x, std::min(x + widths[i], rect.right()));
        painter.setBrush(colors[i]);
        painter.drawPolygon(part);
        if (i == 4) {
            painter.setBrush(hatch(Qt::transparent, Qt::white, 1, 3, ratioOf(painter)));
            painter.drawPolygon(part);
        }
        x += widths[i];
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line.strong, 1));
    const QRectF border = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(border, border.height() / 2, border.height() / 2);
    painter.restore();
}

void drawErrorBar(QPainter& painter, const QRectF& rect, std::optional<double> local, std::optional<double> total,
                  const Theme& theme)
{
    const double radius = rect.height() / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.line.hairline, 1));
    painter.setBrush(theme.surface.sunken);
    painter.drawRoundedRect(rect, radius, radius);
    const auto fill = [&](double error, double opacity) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(withOpacity(theme.lossAt(error), opacity));
        painter.drawPolygon(slice(rect, rect.left(), rect.left() + rect.width() * errorPosition(error)));
    };
    if (total && *total != 0)
        fill(*total, kTotalOpacity);
    if (local && *local != 0)
        fill(*local, 1);
    if (local && *local == 0) {
        painter.setPen(QPen(theme.text.tertiary, 1.2));
        painter.setBrush(theme.surface.node);
        painter.drawRoundedRect(QRectF(rect.left() + 1, rect.top() - 1, 3, rect.height() + 2), 1.5, 1.5);
    }
    painter.setPen(QPen(theme.line.strong, 1, Qt::SolidLine, Qt::FlatCap));
    for (double tick : {1e-12, 1e-8, 1e-4}) {
        const double x = rect.left() + rect.width() * errorPosition(tick);
        painter.drawLine(QPointF(x, rect.bottom() + 1.5), QPointF(x, rect.bottom() + 3.5));
    }
    painter.restore();
}

QBrush stageBrush(engine::Stage stage, const Theme& theme, double ratio)
{
    const QColor color = theme.stage[static_cast<std::size_t>(stage)];
    switch (stage) {
    case engine::Stage::Inherited:
        return Qt::NoBrush;
    case engine::Stage::Arithmetic:
        return hatch(color, withOpacity(theme.plot.background, kStageGapOpacity), 1.5, 5, ratio);
    case engine::Stage::Output:
        return dots(color, theme.plot.background, 1.8, 4, ratio);
    case engine::Stage::Storage:
    case engine::Stage::Cast:
        break;
    }
    return color;
}

void drawStage(QPainter& painter, const QRectF& rect, engine::Stage stage, const Theme& theme, double radius)
{
    constexpr double kOutline = 1.5;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (stage == engine::Stage::Inherited) {
        // Too narrow for its outline, a segment is drawn as the outline alone would be: full.
        const double inset = std::min({kOutline / 2, rect.width() / 2, rect.height() / 2});
        QPen pen(theme.stage[static_cast<std::size_t>(stage)], kOutline);
        pen.setJoinStyle(Qt::MiterJoin);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(stageBrush(stage, theme, ratioOf(painter)));
        painter.setBrushOrigin(rect.topLeft());
        painter.drawRoundedRect(rect, radius, radius);
    }
    painter.restore();
}

QBrush mutedBrush(const Theme& theme, double ratio)
{
    return hatch(Qt::transparent, withOpacity(theme.line.node, kMutedOpacity), 1.5, 7, ratio);
}

} // namespace ui
