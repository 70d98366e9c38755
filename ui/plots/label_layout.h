// Where labels go so that they never overlap and are never cut: category labels stay level, turn by -38 degrees, then
// thin; end labels move apart to a least distance. Pure, in pixels.
#pragma once

#include <QList>
#include <QPolygonF>
#include <QString>

#include <functional>

namespace ui {

using TextMeasure = std::function<double(const QString&)>;

struct CategoryLabel {
    qsizetype index = 0;
    QString text; // shortened in the middle only where it would not fit the space left of the plot
    QPointF at;   // baseline: its centre where level, its right end where turned
};

struct CategoryLabels {
    bool isTurned = false;
    QList<CategoryLabel> labels;
    double height = 0; // below the axis
};

inline constexpr double kLabelAngle = -38; // degrees
inline constexpr double kLabelLine = 12;   // height of a line of text, px

struct CategoryPlace {
    double left = 0, spacing = 1;     // x of the first column's centre; distance of columns
    double top = 0;                   // of the axis
    double maxHeight = 72;            // room below the axis
    double edge = 0, rightEdge = 1e9; // no label leaves these
    qsizetype keep = -1;              // this one is always shown
};

CategoryLabels layoutCategories(const QStringList& names, const CategoryPlace& place, const TextMeasure& measure);
// Corners of a label as drawn, for collision tests.
QPolygonF labelOutline(const CategoryLabel& label, bool isTurned, double width);

// The nearest positions in the same order, at least `gap` apart, within [low, high]; evenly spread if that is too
// narrow.
QList<double> moveApart(const QList<double>& wanted, double gap, double low, double high);

} // namespace ui
