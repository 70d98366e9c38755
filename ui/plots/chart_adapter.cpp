#include "ui/plots/chart_adapter.h"

#include <QtCharts/QBarSet>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QScatterSeries>
#include <QtCharts/QStackedBarSeries>
#include <QtCharts/QValueAxis>

#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QPainter>

#include <algorithm>

namespace ui {

// Owned by the scene: the chart; by the chart: axes and series.
struct ChartAdapter::Chart {
    QChart* chart = nullptr;
    QValueAxis *x = nullptr, *y = nullptr;
    QRectF area;
    ChartRange xRange, yRange;
    QList<ChartLine> lines;
    QList<ChartMarks> marks;
    QList<ChartBars> bars;
    double barWidth = 0.8, barMinimum = 0;
    // Series as they are in the chart: up to three per line (casing, line, core), one per group of marks, one of bars.
    QList<QList<QLineSeries*>> lineSeries;
    QList<QScatterSeries*> markSeries;
    QStackedBarSeries* barSeries = nullptr;

    explicit Chart(QGraphicsScene& scene);
    bool seriesFit() const;
    void makeSeries();
    void styleSeries();
    void add(QAbstractSeries* series);
    double barValue(double value) const;
};

ChartAdapter::Chart::Chart(QGraphicsScene& scene) : chart(new QChart), x(new QValueAxis), y(new QValueAxis)
{
    scene.addItem(chart);
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation); // the data moves, see ValueMotion
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->addAxis(x, Qt::AlignBottom);
    chart->addAxis(y, Qt::AlignLeft);
    x->setVisible(false);
    y->setVisible(false);
}

bool ChartAdapter::Chart::seriesFit() const
{
    const auto parts = [](const ChartLine& l) {
        return 1 + (l.casing.style() != Qt::NoPen ? 1 : 0) + (l.core.style() != Qt::NoPen ? 1 : 0);
    };
    if (lineSeries.size() != lines.size() || markSeries.size() != marks.size() ||
        (barSeries ? barSeries->count() : 0) != bars.size())
        return false;
    for (qsizetype i = 0; i < lines.size(); ++i)
        if (lineSeries[i].size() != parts(lines[i]))
            return false;
    return bars.isEmpty() || barSeries->barSets().first()->count() == bars.first().values.size();
}

void ChartAdapter::Chart::add(QAbstractSeries* series)
{
    chart->addSeries(series);
    series->attachAxis(x);
    series->attachAxis(y);
}

// Qt Charts draws series in the order in which they were added, so a changed number of them is a fresh set.
void ChartAdapter::Chart::makeSeries()
{
    chart->removeAllSeries();
    lineSeries.clear();
    markSeries.clear();
    barSeries = nullptr;
    if (!bars.isEmpty()) {
        barSeries = new QStackedBarSeries;
        for (const ChartBars& b : bars) {
            auto* set = new QBarSet(QString());
            set->append(QList<double>(b.values.size(), 0.0));
            barSeries->append(set);
        }
        add(barSeries);
    }
    for (const ChartLine& l : lines) {
        lineSeries.append(QList<QLineSeries*>());
        const int parts = 1 + (l.casing.style() != Qt::NoPen ? 1 : 0) + (l.core.style() != Qt::NoPen ? 1 : 0);
        for (int i = 0; i < parts; ++i) {
            lineSeries.last().append(new QLineSeries);
            add(lineSeries.last().last());
        }
    }
    for (qsizetype i = 0; i < marks.size(); ++i) {
        markSeries.append(new QScatterSeries);
        add(markSeries.last());
    }
}

namespace {

QScatterSeries::MarkerShape qtShape(MarkerShape shape)
{
    switch (shape) {
    case MarkerShape::Circle:
        return QScatterSeries::MarkerShapeCircle;
    case MarkerShape::Triangle:
        return QScatterSeries::MarkerShapeTriangle;
    case MarkerShape::Square:
        return QScatterSeries::MarkerShapeRectangle;
    case MarkerShape::Diamond:
        return QScatterSeries::MarkerShapeRotatedRectangle;
    case MarkerShape::Pentagon:
        break;
    }
    return QScatterSeries::MarkerShapePentagon;
}

} // namespace

void ChartAdapter::Chart::styleSeries()
{
    for (qsizetype i = 0; i < bars.size(); ++i) {
        QBarSet* set = barSeries->barSets().at(i);
        QColor fill = bars[i].fill;
        fill.setAlphaF(static_cast<float>(bars[i].opacity) * fill.alphaF());
        set->setBrush(fill);
        set->setPen(Qt::NoPen);
    }
    if (barSeries)
        barSeries->setBarWidth(barWidth);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        QList<QPen> pens;
        if (lines[i].casing.style() != Qt::NoPen)
            pens.append(lines[i].casing);
        pens.append(lines[i].pen);
        if (lines[i].core.style() != Qt::NoPen)
            pens.append(lines[i].core);
        for (qsizetype k = 0; k < pens.size(); ++k) {
            lineSeries[i][k]->setPen(pens[k]);
            // A casing or core covers; only the line itself is seen through.
            lineSeries[i][k]->setOpacity(pens[k] == lines[i].pen ? lines[i].opacity : 1);
        }
    }
    for (qsizetype i = 0; i < marks.size(); ++i) {
        QScatterSeries* s = markSeries[i];
        s->setMarkerShape(qtShape(marks[i].shape));
        s->setMarkerSize(marks[i].size);
        s->setBrush(marks[i].fill);
        s->setPen(marks[i].outline);
        s->setOpacity(marks[i].opacity);
    }
}

double ChartAdapter::Chart::barValue(double value) const
{
    if (value <= 0 || area.height() <= 0)
        return 0;
    return std::max(value, barMinimum * (yRange.high - yRange.low) / area.height());
}

ChartAdapter::ChartAdapter(QObject* parent) : QObject(parent), m_scene(std::make_unique<QGraphicsScene>())
{
    m_scene->setItemIndexMethod(QGraphicsScene::NoIndex);
    connect(&m_motion, &ValueMotion::moved, this, [this] {
        show(m_motion.shown());
        Q_EMIT moved();
    });
}

ChartAdapter::~ChartAdapter() = default;

void ChartAdapter::setCount(int charts)
{
    while (count() > charts) {
        delete m_charts.back()->chart;
        m_charts.pop_back();
    }
    while (count() < charts)
        m_charts.push_back(std::make_unique<Chart>(*m_scene));
}

void ChartAdapter::setArea(int chart, const QRectF& area)
{
    Chart& c = *m_charts[static_cast<std::size_t>(chart)];
    if (area == c.area)
        return;
    c.area = area;
    c.chart->setGeometry(area.adjusted(-1, -1, 1, 1));
    c.chart->layout()->activate();
    c.chart->setPlotArea(area.translated(-c.chart->pos()));
}

void ChartAdapter::setRange(int chart, ChartRange x, ChartRange y)
{
    Chart& c = *m_charts[static_cast<std::size_t>(chart)];
    c.xRange = x;
    c.yRange = y;
    c.x->setRange(x.low, x.high);
    c.y->setRange(y.low, y.high);
}

void ChartAdapter::setLines(int chart, QList<ChartLine> lines, QList<ChartMarks> marks)
{
    Chart& c = *m_charts[static_cast<std::size_t>(chart)];
    c.lines = std::move(lines);
    c.marks = std::move(marks);
}

void ChartAdapter::setBars(int chart, QList<ChartBars> bars, double widthShare, double minimum)
{
    Chart& c = *m_charts[static_cast<std::size_t>(chart)];
    c.bars = std::move(bars);
    c.barWidth = widthShare;
    c.barMinimum = minimum;
}

std::vector<double> ChartAdapter::flatten() const
{
    std::vector<double> all;
    const auto addPoints = [&all](const QList<QPointF>& points) {
        for (const QPointF& p : points) {
            all.push_back(p.x());
            all.push_back(p.y());
        }
    };
    for (const auto& c : m_charts) {
        for (const ChartLine& l : c->lines)
            addPoints(l.points);
        for (const ChartMarks& m : c->marks)
            addPoints(m.points);
        for (const ChartBars& b : c->bars)
            for (double v : b.values)
                all.push_back(c->barValue(v));
    }
    return all;
}

void ChartAdapter::show(const std::vector<double>& values)
{
    std::size_t at = 0;
    const auto takePoints = [&](qsizetype n) {
        QList<QPointF> points;
        points.reserve(n);
        for (qsizetype i = 0; i < n; ++i, at += 2)
            points.append({values[at], values[at + 1]});
        return points;
    };
    for (const auto& c : m_charts) {
        for (qsizetype i = 0; i < c->lines.size(); ++i) {
            const QList<QPointF> points = takePoints(c->lines[i].points.size());
            for (QLineSeries* s : c->lineSeries[i])
                s->replace(points);
        }
        for (qsizetype i = 0; i < c->marks.size(); ++i)
            c->markSeries[i]->replace(takePoints(c->marks[i].points.size()));
        for (qsizetype i = 0; i < c->bars.size(); ++i)
            for (int k = 0; k < c->bars[i].values.size(); ++k)
                if (QBarSet* set = c->barSeries->barSets().at(i); set->at(k) != values[at++])
                    set->replace(k, values[at - 1]);
    }
}

void ChartAdapter::commit()
{
    bool fresh = false;
    for (const auto& c : m_charts) {
        if (!c->seriesFit()) {
            c->makeSeries();
            fresh = true;
        }
        c->styleSeries();
    }
    m_motion.setTarget(flatten());
    if (fresh || m_motion.shown() == m_motion.target())
        show(m_motion.shown());
}

QPointF ChartAdapter::position(int chart, QPointF v) const
{
    const Chart& c = *m_charts[static_cast<std::size_t>(chart)];
    return {c.area.left() + (v.x() - c.xRange.low) / (c.xRange.high - c.xRange.low) * c.area.width(),
            c.area.bottom() - (v.y() - c.yRange.low) / (c.yRange.high - c.yRange.low) * c.area.height()};
}

QPointF ChartAdapter::valueAt(int chart, QPointF p) const
{
    const Chart& c = *m_charts[static_cast<std::size_t>(chart)];
    return {c.xRange.low + (p.x() - c.area.left()) / c.area.width() * (c.xRange.high - c.xRange.low),
            c.yRange.low + (c.area.bottom() - p.y()) / c.area.height() * (c.yRange.high - c.yRange.low)};
}

void ChartAdapter::paint(QPainter& painter)
{
    QRectF all;
    for (const auto& c : m_charts)
        all |= c->area;
    if (all.isEmpty())
        return;
    all.adjust(-16, -16, 16, 16); // markers on the border
    painter.save();
    painter.setBrush(Qt::NoBrush); // a dashed line fills itself with the painter's brush
    m_scene->render(&painter, all, all, Qt::IgnoreAspectRatio);
    painter.restore();
}

QList<QList<QPointF>> ChartAdapter::drawnLines(int chart) const
{
    QList<QList<QPointF>> all;
    for (const QList<QLineSeries*>& parts : m_charts[static_cast<std::size_t>(chart)]->lineSeries)
        all.append(parts.last()->points());
    return all;
}

QList<QList<QPointF>> ChartAdapter::drawnMarks(int chart) const
{
    QList<QList<QPointF>> all;
    for (const QScatterSeries* s : m_charts[static_cast<std::size_t>(chart)]->markSeries)
        all.append(s->points());
    return all;
}

QList<QList<double>> ChartAdapter::drawnBars(int chart) const
{
    QList<QList<double>> all;
    if (const QStackedBarSeries* bars = m_charts[static_cast<std::size_t>(chart)]->barSeries)
        for (const QBarSet* set : bars->barSets()) {
            all.append(QList<double>());
            for (int i = 0; i < set->count(); ++i)
                all.last().append(set->at(i));
        }
    return all;
}

} // namespace ui
