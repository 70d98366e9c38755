#include "ui/plots/by_layer_plot.h"

#include "ui/plots/plot_paint.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kLeft = 52, kTop = 30, kMarkerRoom = 14;

AxisKind axisOf(Metric metric)
{
    return isLogarithmic(metric) ? AxisKind::Log : AxisKind::Linear;
}

QString pointWords(const SeriesPoint& p)
{
    switch (p.kind) {
    case PointKind::Value:
        return shortNumber(p.value, 3);
    case PointKind::Exact:
        return ByLayerPlot::tr("exact");
    case PointKind::NotFinite:
        return ByLayerPlot::tr("not finite");
    case PointKind::Absent:
        break;
    }
    return QStringLiteral("–");
}

} // namespace

ByLayerPlot::ByLayerPlot(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent)
    : PlotWidget(selection, store, themes, parent)
{
    m_chart.setCount(1);
    connect(&m_chart, &ChartAdapter::moved, this, qOverload<>(&QWidget::update));
}

void ByLayerPlot::setOwnSetting(OwnSetting own)
{
    m_own = own;
    invalidate();
}

void ByLayerPlot::setMotion(Motion motion)
{
    PlotWidget::setMotion(motion);
    m_chart.setMotion(motion);
}

QString ByLayerPlot::title() const
{
    return tr("%1 against depth").arg(metricTitle(shownMetric()));
}

QString ByLayerPlot::subtitle() const
{
    return tr("total, %1").arg(metricUnit(shownMetric()));
}

QString ByLayerPlot::summary() const
{
    QStringList words;
    for (const Row& r : m_rows)
        if (!r.series.ok)
            words.append(comboWords(r.series.combo) + tr(" refused"));
        else if (!r.series.points.empty())
            words.append(comboWords(r.series.combo) + QStringLiteral(", ") + r.series.points.back().label +
                         QLatin1Char(' ') + pointWords(r.series.points.back()));
    return words.join(QStringLiteral("; "));
}

PlotBlank ByLayerPlot::findBlank() const
{
    PlotBlank e = PlotWidget::findBlank();
    if (!e.title.isEmpty())
        return e;
    for (const ShownRun& s : shownRuns())
        if (s.run && !s.run->nodes.empty())
            return {};
    return {QStringLiteral("by_layer"), tr("Nothing to plot"), tr("No node has run under this dialect.")};
}

void ByLayerPlot::collectRows()
{
    m_rows.clear();
    m_columns.clear();
    m_columnOf.clear();
    m_names.clear();
    for (const ShownRun& s : shownRuns()) {
        if (!s.run)
            continue;
        for (ErrorSeries& series : byLayer(*s.snapshot, shownMetric()))
            if (series.combo == s.combo) {
                const Emphasis strong = m_own == OwnSetting::PerLayer ? Emphasis::Own : Emphasis::Active;
                m_rows.append({std::move(series), s.isActive ? strong : Emphasis::Quiet, s.isStale});
                break;
            }
    }
    std::stable_partition(m_rows.begin(), m_rows.end(), [](const Row& r) { return r.emphasis == Emphasis::Quiet; });
    // The longest run names the columns: a refused one stops early.
    const Row* longest = nullptr;
    for (const Row& r : m_rows)
        if (!longest || r.series.points.size() > longest->series.points.size() ||
            (r.series.points.size() == longest->series.points.size() && !r.isStale))
            longest = &r;
    if (longest)
        for (const SeriesPoint& p : longest->series.points) {
            m_columnOf.insert(p.node.value, m_columns.size());
            m_columns.append(p.node);
            m_names.append(p.label);
        }
    m_selected = columnOf(selection().current());
}

double ByLayerPlot::columnX(qsizetype column) const
{
    const auto n = static_cast<double>(std::max<qsizetype>(1, m_columns.size()));
    return m_axis.area.left() + (static_cast<double>(column) + 0.5) / n * m_axis.area.width();
}

// The canvas's own, and not on a scale of bits, where an absolute error has no place.
bool ByLayerPlot::hasArithmetic(const Row& row) const
{
    return row.emphasis != Emphasis::Quiet && axisOf(shownMetric()) == AxisKind::Log;
}

void ByLayerPlot::layoutArea(const QSizeF& size)
{
    double labelWidth = textWidth(tr("arithmetic"), uiFont(11));
    for (const Row& r : m_rows)
        labelWidth = std::max(labelWidth, comboTagWidth(r.series.combo));
    std::vector<const SeriesPoint*> points;
    std::int64_t exact = 0, notFinite = 0;
    for (const Row& r : m_rows) {
        for (const SeriesPoint& p : r.series.points) {
            points.push_back(&p);
            exact += p.kind == PointKind::Exact ? 1 : 0;
            notFinite += p.kind == PointKind::NotFinite ? 1 : 0;
        }
        if (hasArithmetic(r))
            for (const auto* list : {&r.series.arithmetic, &r.series.bound})
                for (const SeriesPoint& p : *list)
                    points.push_back(&p);
    }
    m_bandWords.clear();
    if (exact > 0)
        m_bandWords = counted(exact, tr("point exact"), tr("points exact"));
    if (notFinite > 0)
        m_bandWords += (exact > 0 ? QStringLiteral(" · ") : QString()) +
                       counted(notFinite, tr("point not finite (NaN or Inf)"), tr("points not finite (NaN or Inf)"));
    const double words = m_bandWords.isEmpty() ? 0 : 14;
    m_wordsY = size.height() - 5;
    const double left = notFinite > 0 ? std::max(kLeft, textWidth(tr("not finite"), monoFont(10)) + 14) : kLeft;
    QRectF whole(left, kTop, std::max(40.0, size.width() - left - labelWidth - 22), 10);
    CategoryPlace place;
    place.spacing = whole.width() / static_cast<double>(std::max<qsizetype>(1, m_columns.size()));
    place.left = whole.left() + place.spacing / 2;
    place.maxHeight = std::min(72.0, size.height() * 0.32);
    place.edge = 2;
    place.rightEdge = size.width() - 2;
    place.keep = m_selected;
    const QFont plain = uiFont(10), strong = uiFont(10, Weight::SemiBold);
    const QString chosen = m_selected >= 0 ? m_names[m_selected] : QString();
    const auto measure = [&](const QString& s) {
        return std::max(textWidth(s, plain), s == chosen ? textWidth(s, strong) : 0.0);
    };
    m_labels = layoutCategories(m_names, place, measure);
    whole.setBottom(std::max(kTop + 24, size.height() - words - m_labels.height - 6));
    place.top = whole.bottom();
    m_labels = layoutCategories(m_names, place, measure);
    m_axis = makeErrorAxis(axisOf(shownMetric()), points, whole);
}

// Points of a line run by run: what is exact, absent or not finite breaks it.
void ByLayerPlot::addRun(const std::vector<SeriesPoint>& points, const ChartLine& form, bool isStale)
{
    ChartLine line = form;
    line.opacity *= isStale ? theme().plot.staleOpacity : 1;
    const auto flush = [&] {
        if (line.points.size() == 1 && line.pen.style() == Qt::CustomDashLine) { // a bound alone has no marker
            const QPointF p = line.points.first();
            line.points = {{p.x() - 0.3, p.y()}, {p.x() + 0.3, p.y()}};
        }
        if (line.points.size() > 1)
            m_lines.append(line);
        line.points.clear();
    };
    for (const SeriesPoint& p : points) {
        const qsizetype column = columnOf(p.node);
        if (p.kind == PointKind::Value && column >= 0)
            line.points.append(
                {static_cast<double>(column), std::clamp(m_axis.toAxis(p.value), m_axis.low, m_axis.high)});
        else if (column >= 0)
            flush();
    }
    flush();
}

void ByLayerPlot::addMarks(const std::vector<SeriesPoint>& points, const ChartMarks& form, bool isStale)
{
    ChartMarks marks = form;
    marks.opacity *= isStale ? theme().plot.staleOpacity : 1;
    const double spacing = columnX(1) - columnX(0);
    const auto every = static_cast<qsizetype>(std::max(1.0, std::ceil(kMarkerRoom / spacing)));
    for (const SeriesPoint& p : points) {
        const qsizetype column = columnOf(p.node);
        if (p.kind != PointKind::Value || column < 0)
            continue;
        const int side = m_axis.outside(p);
        if (side != 0)
            m_edges.append({{columnX(column), m_axis.y(p)}, side, shortNumber(p.value)});
        else if (column % every == 0 || column == m_selected)
            marks.points.append({static_cast<double>(column), m_axis.toAxis(p.value)});
    }
    if (!marks.points.isEmpty())
        m_marks.append(marks);
}

void ByLayerPlot::buildSeries()
{
    m_lines.clear();
    m_marks.clear();
    m_edges.clear();
    for (const Row& r : m_rows) {
        if (hasArithmetic(r)) {
            addRun(r.series.arithmetic, arithmeticLine(theme()), r.isStale);
            addRun(r.series.bound, boundLine(theme()), r.isStale);
        }
        addRun(r.series.points, comboLine(r.series.combo, r.emphasis, theme()), r.isStale);
        if (hasArithmetic(r))
            addMarks(r.series.arithmetic, arithmeticMarks(theme()), r.isStale);
        addMarks(r.series.points, comboMarks(r.series.combo, r.emphasis, theme()), r.isStale);
    }
    m_chart.setArea(0, m_axis.area);
    m_chart.setRange(0, {-0.5, static_cast<double>(m_columns.size()) - 0.5}, {m_axis.low, m_axis.high});
    m_chart.setLines(0, m_lines, m_marks);
    m_chart.commit();
}

void ByLayerPlot::placeEndLabels(const QSizeF& size)
{
    m_ends.clear();
    const auto add = [&](const std::vector<SeriesPoint>& points, EndLabel label) {
        for (auto p = points.rbegin(); p != points.rend(); ++p)
            if (const qsizetype column = columnOf(p->node); p->kind != PointKind::Absent && column >= 0) {
                label.wanted = m_axis.y(*p);
                label.from = columnX(column) + 5;
                m_ends.append(label);
                return;
            }
    };
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const Row& r = m_rows[i];
        if (r.emphasis == Emphasis::Own)
            add(r.series.points, {.text = tr("this graph"), .weight = Weight::SemiBold});
        else
            add(r.series.points, {.row = i, .text = {}});
        if (hasArithmetic(r)) {
            add(r.series.arithmetic, {.text = tr("arithmetic")});
            add(r.series.bound, {.text = tr("its bound")});
        }
    }
    constexpr double kApart = 16;
    const double low = 12, high = size.height() - 10;
    while (!m_ends.isEmpty() && (high - low) < kApart * static_cast<double>(m_ends.size() - 1))
        m_ends.removeFirst(); // the quiet combos come first; the values stay on hover
    QList<double> wanted;
    for (const EndLabel& e : m_ends)
        wanted.append(e.wanted);
    const QList<double> placed = moveApart(wanted, kApart, low, high);
    for (qsizetype i = 0; i < m_ends.size(); ++i)
        m_ends[i].y = placed[i];
}

void ByLayerPlot::rebuild(const QSizeF& size)
{
    collectRows();
    layoutArea(size);
    buildSeries();
    placeEndLabels(size);
}

} // namespace ui
