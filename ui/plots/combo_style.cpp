#include "ui/plots/combo_style.h"

namespace ui {

namespace {

QPen dashed(const QColor& color, double width, const QList<double>& dash)
{
    QPen pen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!dash.isEmpty()) {
        QList<qreal> pattern;
        for (double d : dash)
            pattern.append(d / width); // QPen counts dashes in widths
        pen.setDashPattern(pattern);
    }
    return pen;
}

constexpr double kQuiet = 0.8;

} // namespace

MarkerShape comboMarker(const engine::Combo& combo)
{
    using engine::DType;
    if (combo == engine::Combo{DType::f32, DType::f32})
        return MarkerShape::Circle;
    if (combo == engine::Combo{DType::f32, DType::f64})
        return MarkerShape::Triangle;
    if (combo == engine::Combo{DType::f64, DType::f32})
        return MarkerShape::Square;
    if (combo == engine::Combo{DType::f64, DType::f64})
        return MarkerShape::Diamond;
    return MarkerShape::Pentagon;
}

ChartLine comboLine(const engine::Combo& combo, Emphasis emphasis, const Theme& theme)
{
    ChartLine line;
    const DTypeStyle style = theme.dtype(combo.input);
    const bool strong = emphasis != Emphasis::Quiet;
    double width = strong ? 2.75 : 2;
    if (style.core > 0)
        width = strong ? style.width : 3.5;
    if (emphasis == Emphasis::Own) {
        width = 2.5;
        line.pen = QPen(theme.text.primary, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    } else {
        line.pen = dashed(style.line, width, style.dash);
        if (style.core > 0)
            line.core = QPen(theme.plot.area, strong ? style.core : 1.2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    }
    if (strong)
        line.casing = QPen(theme.plot.area, width + 3.5, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    line.opacity = strong ? 1 : kQuiet;
    return line;
}

ChartMarks comboMarks(const engine::Combo& combo, Emphasis emphasis, const Theme& theme)
{
    ChartMarks marks;
    marks.shape = emphasis == Emphasis::Own ? MarkerShape::Circle : comboMarker(combo);
    marks.fill = emphasis == Emphasis::Own ? theme.text.primary : theme.dtype(combo.weight).line;
    marks.outline = QPen(theme.plot.area, 1.5);
    marks.size = 8;
    marks.opacity = emphasis == Emphasis::Quiet ? kQuiet : 1;
    return marks;
}

ChartLine arithmeticLine(const Theme& theme)
{
    ChartLine line;
    line.pen = QPen(theme.text.secondary, 1.25, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    return line;
}

ChartMarks arithmeticMarks(const Theme& theme)
{
    ChartMarks marks;
    marks.shape = MarkerShape::Square;
    marks.fill = theme.plot.area;
    marks.outline = QPen(theme.text.secondary, 1.5);
    marks.size = 6;
    return marks;
}

ChartLine boundLine(const Theme& theme)
{
    ChartLine line;
    line.pen = dashed(theme.plot.bound, 1.5, {1.5, 3});
    return line;
}

} // namespace ui
