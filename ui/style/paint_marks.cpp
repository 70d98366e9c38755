// Small marks: tags with their wire, coercion dots, ports, arrows, status icons.
#include "ui/style/paint.h"

#include "ui/style/tokens_table.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>
#include <numbers>

namespace ui {

namespace {

constexpr double kUnderlineThickness = 2, kUnderlineDash = 0.8;
constexpr int kBurstPoints = 10;
constexpr double kBurstInner = 8.5;

// The nearest y that falls on a device pixel's edge.
double snappedY(const QPainter& painter, double y)
{
    const QTransform t = painter.deviceTransform();
    if (t.type() > QTransform::TxScale)
        return y;
    return (std::round(y * t.m22() + t.dy()) - t.dy()) / t.m22();
}

void drawUnderline(QPainter& painter, QPointF left, double width, const DTypeStyle& style)
{
    const double top = snappedY(painter, left.y() + kTagUnderlineOffset - kUnderlineThickness / 2);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (style.core > 0) {
        for (double y : {top, top + 2})
            painter.fillRect(QRectF(left.x(), y, width, 1), style.line);
    } else {
        QPen pen(style.line, kUnderlineThickness, Qt::SolidLine, style.roundCap ? Qt::RoundCap : Qt::FlatCap);
        if (!style.dash.isEmpty()) {
            QList<qreal> pattern;
            for (double d : style.dash)
                pattern.append(d * kUnderlineDash / kUnderlineThickness);
            pen.setDashPattern(pattern);
        }
        const double inset = style.roundCap ? kUnderlineThickness / 2 : 0, y = top + kUnderlineThickness / 2;
        painter.setPen(pen);
        painter.drawLine(QPointF(left.x() + inset, y), QPointF(left.x() + width - inset, y));
    }
    painter.restore();
}

QPolygonF burst(QPointF centre, double outer, double inner)
{
    QPolygonF points;
    for (int i = 0; i < 2 * kBurstPoints; ++i) {
        const double angle = std::numbers::pi * (i / static_cast<double>(kBurstPoints) - 0.5);
        const double r = i % 2 == 0 ? outer : inner;
        points << centre + QPointF(r * std::cos(angle), r * std::sin(angle));
    }
    return points;
}

void drawOverflow(QPainter& painter, QPointF centre, const Theme& theme, const QColor& ground)
{
    constexpr double kOuter = tokens::coercion_dot::kOverflowRadius, kHalo = tokens::coercion_dot::kHaloWidth;
    painter.setBrush(ground);
    painter.drawPolygon(burst(centre, kOuter + kHalo, kBurstInner + kHalo));
    painter.setBrush(theme.loss.overflow);
    painter.drawPolygon(burst(centre, kOuter, kBurstInner));
    // The exclamation mark is drawn, so that it looks alike with every font.
    painter.setBrush(theme.ink.on);
    painter.drawEllipse(centre + QPointF(0, 4.2), 1.3, 1.3);
    painter.setPen(QPen(theme.ink.on, 2.2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre + QPointF(0, -4.5), centre + QPointF(0, 0.5));
}

} // namespace

double tagWidth(engine::DType dtype, int pixels)
{
    return QFontMetricsF(monoFont(pixels)).horizontalAdvance(darkTheme().dtype(dtype).tag);
}

double drawTag(QPainter& painter, QPointF baseline, engine::DType dtype, const Theme& theme, int pixels)
{
    const DTypeStyle style = theme.dtype(dtype);
    const double width = tagWidth(dtype, pixels);
    painter.save();
    painter.setFont(monoFont(pixels));
    painter.setPen(style.text);
    painter.drawText(baseline, style.tag);
    painter.restore();
    drawUnderline(painter, baseline, width, style);
    return width;
}

void drawDot(QPainter& painter, QPointF centre, DotLevel level, const Theme& theme, const QColor& ground, double scale)
{
    const QColor behind = ground.isValid() ? ground : theme.surface.canvas;
    const double radius = dotRadius(level), halo = radius + tokens::coercion_dot::kHaloWidth;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(centre);
    painter.scale(scale, scale);
    painter.setPen(Qt::NoPen);
    if (level == DotLevel::Overflow) {
        drawOverflow(painter, {}, theme, behind);
    } else {
        painter.setBrush(behind);
        painter.drawEllipse(QPointF(), halo, halo);
        if (level == DotLevel::Exact)
            painter.setPen(QPen(theme.text.secondary, tokens::coercion_dot::kExactStroke));
        else
            painter.setBrush(level == DotLevel::Large ? theme.loss.large : theme.loss.key);
        painter.drawEllipse(QPointF(), radius, radius);
    }
    painter.restore();
}

void drawPort(QPainter& painter, QPointF centre, PortLook look, const QColor& color, const Theme& theme)
{
    constexpr double kHollow = tokens::node::kPortRadius, kFull = kHollow - 0.5;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (look == PortLook::Connected) {
        constexpr double kRing = kFull + tokens::node::kPortRing;
        painter.setBrush(theme.surface.canvas);
        painter.drawEllipse(centre, kRing, kRing);
        painter.setBrush(color);
        painter.drawEllipse(centre, kFull, kFull);
    } else {
        const bool isMissing = look == PortLook::Missing;
        painter.setBrush(theme.surface.node);
        painter.setPen(QPen(isMissing ? theme.status.error : theme.text.tertiary, isMissing ? 2 : 1.5));
        painter.drawEllipse(centre, kHollow, kHollow);
    }
    painter.restore();
}

void drawSlotArrow(QPainter& painter, QPointF centre, bool isNarrowing, const QColor& color)
{
    constexpr double kHalf = 3.5, kHead = 2.75;
    const double tip = isNarrowing ? kHalf : -kHalf, back = isNarrowing ? -kHead : kHead;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(centre);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawLine(QPointF(0, -kHalf), QPointF(0, kHalf));
    painter.drawPolyline(QPolygonF{QPointF(-kHead, tip + back), QPointF(0, tip), QPointF(kHead, tip + back)});
    painter.restore();
}

QColor statusColor(Status status, const Theme& theme)
{
    switch (status) {
    case Status::Ok:
        return theme.status.ok;
    case Status::Warning:
        return theme.status.warning;
    case Status::Error:
        return theme.status.error;
    case Status::Info:
        break;
    }
    return theme.status.info;
}

QPixmap statusIcon(Status status, int size, const Theme& theme, double ratio)
{
    const char* const name = status == Status::Error ? "error" : status == Status::Warning ? "warning" : "ok";
    return iconPixmap(QLatin1String(name), size, statusColor(status, theme), ratio);
}

QString elideMiddle(const QString& text, const QFont& font, double width)
{
    return QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, width);
}

} // namespace ui
