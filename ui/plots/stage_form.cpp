// The forms of the five stages: hollow, solid, solid, diagonal hatch, dots. Cut to the rectangle by geometry rather
// than by a clip or a texture, which an SVG would lose.
#include "ui/plots/plot_paint.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kRadius = 2;

void fill(QPainter& painter, const QRectF& rect, const QColor& color)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(rect, std::min(kRadius, rect.width() / 2), kRadius);
}

// Gaps of 1.5 px every 5 px, at 45 degrees; the ground shows through at 55 %.
void hatch(QPainter& painter, const QRectF& r, QColor ground)
{
    ground.setAlphaF(0.55F);
    painter.setPen(QPen(ground, 1.5, Qt::SolidLine, Qt::FlatCap));
    const double step = 5 * std::sqrt(2.0);
    const QRectF in = r.adjusted(0.5, 0.5, -0.5, -0.5);
    for (double c = in.left() + in.top() + step / 2; c < in.right() + in.bottom(); c += step) {
        // x + y = c within the rectangle
        const double x1 = std::max(in.left(), c - in.bottom()), x2 = std::min(in.right(), c - in.top());
        if (x2 > x1)
            painter.drawLine(QPointF(x1, c - x1), QPointF(x2, c - x2));
    }
}

// Dots of the ground, 1.8 px every 4 px.
void dots(QPainter& painter, const QRectF& r, const QColor& ground)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    for (double y = r.top() + 2; y < r.bottom() - 1; y += 4)
        for (double x = r.left() + 2; x < r.right() - 1; x += 4)
            painter.drawEllipse(QPointF(x, y), 0.9, 0.9);
}

double luminance(const QColor& c)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(double(c.redF())) + 0.7152 * linear(double(c.greenF())) + 0.0722 * linear(double(c.blueF()));
}

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace

void drawStageForm(QPainter& painter, const QRectF& rect, engine::Stage stage, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = theme.stage[static_cast<std::size_t>(stage)];
    switch (stage) {
    case engine::Stage::Inherited:
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect.adjusted(0.75, 0.75, -0.75, -0.75), kRadius, kRadius);
        break;
    case engine::Stage::Storage:
    case engine::Stage::Cast:
        fill(painter, rect, color);
        break;
    case engine::Stage::Arithmetic:
        fill(painter, rect, color);
        hatch(painter, rect, theme.plot.background);
        break;
    case engine::Stage::Output:
        fill(painter, rect, color);
        dots(painter, rect, theme.plot.background);
        break;
    }
    painter.restore();
}

bool stageNeedsPad(engine::Stage stage)
{
    return stage == engine::Stage::Arithmetic || stage == engine::Stage::Output;
}

QColor stageTextColor(engine::Stage stage, const Theme& theme)
{
    if (stage == engine::Stage::Inherited || stageNeedsPad(stage))
        return theme.text.primary;
    const QColor ground = theme.stage[static_cast<std::size_t>(stage)];
    return contrast(theme.text.primary, ground) > contrast(theme.text.inverse, ground) ? theme.text.primary
                                                                                       : theme.text.inverse;
}

} // namespace ui
