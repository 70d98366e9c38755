// Wires: the dtype's stroke, the double line of float64, and the pipe with a thread of a value that has fewer good
// bits than its label.
#include "ui/style/paint.h"

#include "ui/style/tokens_table.h"

#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr double kHoverBand = 9, kHoverOpacity = 0.16;
constexpr double kRingWidth = 7, kRingGap = 4.6;
constexpr double kPipeExtra = 1.5, kPipeWalls = 2, kThread = 1.75;

void stroke(QPainter& painter, const QPainterPath& path, const QColor& color, double width,
            Qt::PenCapStyle cap = Qt::FlatCap)
{
    painter.strokePath(path, QPen(color, width, Qt::SolidLine, cap, Qt::RoundJoin));
}

} // namespace

std::optional<engine::DType> threadOf(engine::DType dtype, std::optional<int> effectiveBits)
{
    if (!engine::isFloat(dtype) || !effectiveBits || *effectiveBits >= engine::precision(dtype))
        return std::nullopt;
    // Narrowest first: a format that holds the bits with none to spare.
    for (engine::DType d :
         {engine::DType::e5m2, engine::DType::e4m3fn, engine::DType::bf16, engine::DType::f16, engine::DType::f32})
        if (engine::precision(d) >= *effectiveBits)
            return d;
    return engine::DType::f64;
}

QString wireTag(engine::DType dtype, std::optional<int> effectiveBits)
{
    const QString tag = darkTheme().dtype(dtype).tag;
    return threadOf(dtype, effectiveBits) ? tag + QChar(0x00B7) + QString::number(*effectiveBits) : tag;
}

void drawWire(QPainter& painter, const QPainterPath& path, engine::DType dtype, const Theme& theme,
              const WireLook& look)
{
    const DTypeStyle style = theme.dtype(dtype);
    const QColor ground = look.ground.isValid() ? look.ground : theme.surface.canvas;
    const std::optional<engine::DType> thread = threadOf(dtype, look.effectiveBits);
    const double outer = style.width + (thread ? kPipeExtra : 0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (look.isSelected) {
        stroke(painter, path, theme.selection.ring, std::max(kRingWidth, outer + 2.5) * look.scale, Qt::RoundCap);
        stroke(painter, path, ground, std::max(kRingGap, outer + 0.1) * look.scale);
    } else if (look.isHovered) {
        QColor band = theme.selection.ring;
        band.setAlphaF(static_cast<float>(kHoverOpacity));
        stroke(painter, path, band, kHoverBand * look.scale, Qt::RoundCap);
    }
    if (thread) {
        stroke(painter, path, style.line, outer * look.scale);
        stroke(painter, path, ground, (outer - kPipeWalls) * look.scale);
        stroke(painter, path, theme.dtype(*thread).line, kThread * look.scale);
    } else {
        painter.strokePath(path, style.pen(look.scale));
        if (style.core > 0)
            stroke(painter, path, ground, style.core * look.scale);
    }
    painter.restore();
}

} // namespace ui
