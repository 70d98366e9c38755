// The one door to Qt Charts: several charts in one scene, given in plain values and painted into any painter, so that
// a widget, a picture and an SVG show the same. The charts draw lines, markers and bars; titles, ticks, category
// labels and bands are drawn by the plots around them (Qt's axes elide turned labels and hide log ones).
// Coordinates are axis units; on a log axis the caller gives log10. GUI thread only.
#pragma once

#include "ui/plots/value_motion.h"

#include <QBrush>
#include <QObject>
#include <QPen>
#include <QRectF>

#include <memory>
#include <vector>

class QChart;
class QGraphicsScene;
class QPainter;

namespace ui {

enum class MarkerShape : std::uint8_t { Circle, Triangle, Square, Diamond, Pentagon };

struct ChartRange {
    double low = 0, high = 1;
    bool operator==(const ChartRange&) const = default;
};

struct ChartLine {
    QList<QPointF> points;
    QPen pen;
    QPen casing = QPen(Qt::NoPen); // drawn below
    QPen core = QPen(Qt::NoPen);   // drawn above: float64 is a double line
    double opacity = 1;
};

struct ChartMarks {
    QList<QPointF> points;
    MarkerShape shape = MarkerShape::Circle;
    double size = 8; // px
    QColor fill;
    QPen outline = QPen(Qt::NoPen);
    double opacity = 1;
};

// Bars at x = 0, 1, ...; sets are stacked (a set of its own per colour, zero elsewhere).
struct ChartBars {
    QList<double> values;
    QColor fill;
    double opacity = 1;
};

class ChartAdapter : public QObject {
    Q_OBJECT

public:
    explicit ChartAdapter(QObject* parent = nullptr);
    ~ChartAdapter() override;

    void setCount(int charts); // others are dropped
    int count() const { return static_cast<int>(m_charts.size()); }
    void setArea(int chart, const QRectF& area); // of the plot itself, in the painter's pixels
    void setRange(int chart, ChartRange x, ChartRange y);
    void setLines(int chart, QList<ChartLine> lines, QList<ChartMarks> marks);
    // A value above zero gets at least `minimum` px.
    void setBars(int chart, QList<ChartBars> bars, double widthShare, double minimum = 0);
    void setMotion(Motion motion) { m_motion.setMotion(motion); }
    void commit(); // shows what was set since, moving from what was shown
    void finishMotion() { m_motion.finish(); }

    QPointF position(int chart, QPointF value) const;
    QPointF valueAt(int chart, QPointF position) const;
    void paint(QPainter& painter);

    // What Qt Charts holds at this moment, for tests.
    QList<QList<QPointF>> drawnLines(int chart) const;
    QList<QList<QPointF>> drawnMarks(int chart) const;
    QList<QList<double>> drawnBars(int chart) const;

Q_SIGNALS:
    void moved(); // repaint

private:
    struct Chart;
    std::vector<double> flatten() const;
    void show(const std::vector<double>& values);
    std::unique_ptr<QGraphicsScene> m_scene;
    std::vector<std::unique_ptr<Chart>> m_charts;
    ValueMotion m_motion;
};

} // namespace ui
