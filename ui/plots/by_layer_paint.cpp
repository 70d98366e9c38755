// Painting, hovering and clicking of ByLayerPlot; what is where was decided in rebuild().
#include "ui/plots/by_layer_plot.h"
#include "ui/plots/plot_paint.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

const SeriesPoint* pointOf(const std::vector<SeriesPoint>& points, engine::NodeId node)
{
    const auto it = std::find_if(points.begin(), points.end(), [&](const SeriesPoint& p) { return p.node == node; });
    return it == points.end() ? nullptr : &*it;
}

QString numberOf(const SeriesPoint* p)
{
    if (!p || p->kind == PointKind::Absent)
        return QStringLiteral("–");
    return p->kind == PointKind::Exact       ? ByLayerPlot::tr("exact")
           : p->kind == PointKind::NotFinite ? ByLayerPlot::tr("not finite")
                                             : shortNumber(p->value, 3);
}

} // namespace

void ByLayerPlot::paintGround(QPainter& painter) const
{
    const Theme& t = theme();
    painter.fillRect(m_axis.area, t.plot.area);
    if (m_selected >= 0) {
        const double spacing = columnX(1) - columnX(0);
        QRectF column(columnX(m_selected) - spacing / 2, m_axis.area.top(), spacing, 0);
        column.setBottom(m_axis.hasExact ? m_axis.exactBand.bottom() : m_axis.area.bottom());
        painter.setOpacity(0.75);
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.surface.selected);
        painter.drawRoundedRect(column, 3, 3);
        painter.setOpacity(1);
    }
    double last = 1e9;
    for (const AxisTick& tick : m_axis.ticks) {
        const double y =
            m_axis.area.bottom() - (tick.at - m_axis.low) / (m_axis.high - m_axis.low) * m_axis.area.height();
        drawHorizontal(painter, m_axis.area.left(), m_axis.area.right(), std::min(y, m_axis.area.bottom() - 1),
                       t.plot.grid);
        if (last - y >= 12)
            drawText(painter, {m_axis.area.left() - 8, y + 3.5}, tick.label, monoFont(10), t.plot.label,
                     Qt::AlignRight);
        last = last - y >= 12 ? y : last;
    }
    drawHorizontal(painter, m_axis.area.left(), m_axis.area.right(), m_axis.area.bottom(), t.plot.axis);
}

void ByLayerPlot::paintBands(QPainter& painter) const
{
    const Theme& t = theme();
    const auto band = [&](const QRectF& rect, const QString& name) {
        painter.fillRect(rect, t.plot.area);
        drawText(painter, {rect.left() - 8, rect.center().y() + 3.5}, name, monoFont(10), t.plot.label, Qt::AlignRight);
    };
    if (m_axis.hasExact)
        band(m_axis.exactBand, tr("exact"));
    if (m_axis.hasNotFinite)
        band(m_axis.notFiniteBand, tr("not finite"));
    for (const Row& r : m_rows) {
        painter.setOpacity(r.isStale ? t.plot.staleOpacity : 1);
        const DTypeStyle style = t.dtype(r.series.combo.input);
        for (const SeriesPoint& p : r.series.points) {
            const qsizetype column = columnOf(p.node);
            if (column < 0)
                continue;
            const QPointF at(columnX(column), m_axis.y(p));
            if (p.kind == PointKind::NotFinite) {
                drawBurst(painter, at, 7, t.plot.area, t);
            } else if (p.kind == PointKind::Exact) {
                painter.setPen(QPen(r.emphasis == Emphasis::Own ? t.text.primary : style.line, 1.75));
                painter.setBrush(t.plot.area);
                painter.drawEllipse(at, 4, 4);
            }
        }
    }
    painter.setOpacity(1);
    paintEdges(painter);
}

// Arrow heads of what lies outside the axis, with their values where they do not run into one another.
void ByLayerPlot::paintEdges(QPainter& painter) const
{
    const Theme& t = theme();
    QList<QRectF> taken;
    for (const Edge& e : m_edges) {
        const double tip = e.side > 0 ? -1 : 1;
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.text.secondary);
        painter.drawPolygon(QPolygonF(QList<QPointF>{e.at + QPointF(-4, -6 * tip), e.at + QPointF(4, -6 * tip), e.at}));
        const double width = textWidth(e.value, monoFont(10));
        QRectF label(e.at.x() + 7, e.side > 0 ? e.at.y() : e.at.y() - 12, width, 12);
        if (label.right() > m_axis.area.right())
            label.moveRight(e.at.x() - 7);
        if (std::any_of(taken.begin(), taken.end(),
                        [&](const QRectF& r) { return r.adjusted(-3, 0, 3, 0).intersects(label); }))
            continue;
        taken.append(label);
        drawText(painter, label.bottomLeft() - QPointF(0, 2), e.value, monoFont(10), t.text.primary);
    }
}

void ByLayerPlot::paintLabels(QPainter& painter) const
{
    const Theme& t = theme();
    for (const CategoryLabel& label : m_labels.labels) {
        const bool chosen = label.index == m_selected;
        painter.save();
        painter.translate(label.at);
        if (m_labels.isTurned)
            painter.rotate(kLabelAngle);
        drawText(painter, {0, 0}, label.text, uiFont(10, chosen ? Weight::SemiBold : Weight::Regular),
                 chosen ? t.text.primary : t.plot.label, m_labels.isTurned ? Qt::AlignRight : Qt::AlignHCenter);
        painter.restore();
    }
}

void ByLayerPlot::paintEnds(QPainter& painter) const
{
    const Theme& t = theme();
    const double x = m_axis.area.right() + 12;
    for (const EndLabel& e : m_ends) {
        painter.setPen(QPen(t.line.strong, 1));
        painter.drawLine(QPointF(e.from, e.wanted), QPointF(x - 4, e.y));
        if (e.row >= 0) {
            painter.setOpacity(m_rows[e.row].isStale ? t.plot.staleOpacity : 1);
            drawComboTag(painter, {x, e.y + 3}, m_rows[e.row].series.combo, t);
            painter.setOpacity(1);
        } else {
            drawText(painter, {x, e.y + 3.5}, e.text, uiFont(11, e.weight),
                     e.weight == Weight::SemiBold ? t.text.primary : t.text.secondary);
        }
    }
}

void ByLayerPlot::paintSelected(QPainter& painter) const
{
    if (m_selected < 0 || m_rows.isEmpty() || m_rows.last().emphasis == Emphasis::Quiet)
        return;
    const Theme& t = theme();
    const SeriesPoint* p = pointOf(m_rows.last().series.points, m_columns[m_selected]);
    if (!p || p->kind == PointKind::Absent)
        return;
    const QPointF at(columnX(m_selected), m_axis.y(*p));
    painter.setOpacity(m_rows.last().isStale ? t.plot.staleOpacity : 1);
    if (p->kind == PointKind::Value && m_axis.outside(*p) == 0) {
        painter.setPen(QPen(t.plot.area, 1.5));
        painter.setBrush(t.loss.key);
        painter.drawEllipse(at, 5.5, 5.5);
    }
    drawValueBox(painter, at, {numberOf(p)}, {m_axis.area.left(), kBandGap, m_axis.area.width(), m_axis.area.bottom()},
                 t);
    painter.setOpacity(1);
}

void ByLayerPlot::paintPlot(QPainter& painter)
{
    drawTitle(painter, 14, 18);
    paintGround(painter);
    m_chart.paint(painter);
    paintBands(painter);
    paintLabels(painter);
    paintEnds(painter);
    paintSelected(painter);
    if (!m_bandWords.isEmpty())
        drawText(painter, {m_axis.area.left(), m_wordsY}, m_bandWords, uiFont(10), theme().text.tertiary);
}

std::optional<qsizetype> ByLayerPlot::columnUnder(QPointF p) const
{
    if (m_columns.isEmpty() || p.x() < m_axis.area.left() || p.x() > m_axis.area.right() || p.y() < 24)
        return std::nullopt;
    const double share = (p.x() - m_axis.area.left()) / m_axis.area.width();
    return std::clamp(static_cast<qsizetype>(share * static_cast<double>(m_columns.size())), qsizetype(0),
                      m_columns.size() - 1);
}

QPointF ByLayerPlot::columnAt(engine::NodeId node) const
{
    return {columnX(columnOf(node)), m_axis.area.top() + 2};
}

PlotHover ByLayerPlot::hoverAt(QPointF position) const
{
    const std::optional<qsizetype> column = columnUnder(position);
    if (!column)
        return {};
    PlotHover hover;
    hover.lines.append(m_names[*column]);
    const engine::NodeId node = m_columns[*column];
    for (auto r = m_rows.rbegin(); r != m_rows.rend(); ++r) {
        const QString name = r->emphasis == Emphasis::Own ? tr("this graph") : comboWords(r->series.combo);
        hover.lines.append(name + QStringLiteral("  ") + numberOf(pointOf(r->series.points, node)) +
                           (r->isStale ? tr("  (earlier)") : QString()));
        if (r->emphasis == Emphasis::Quiet)
            continue;
        if (const SeriesPoint* p = pointOf(r->series.arithmetic, node); p && p->kind != PointKind::Absent)
            hover.lines.append(tr("arithmetic  %1").arg(numberOf(p)));
        if (const SeriesPoint* p = pointOf(r->series.bound, node); p && p->kind != PointKind::Absent)
            hover.lines.append(tr("its bound  %1").arg(numberOf(p)));
    }
    hover.rule = columnX(*column);
    hover.ruleArea = m_axis.area;
    hover.anchor = {columnX(*column), position.y()};
    return hover;
}

void ByLayerPlot::clickAt(QPointF position)
{
    if (const std::optional<qsizetype> column = columnUnder(position))
        selection().select(m_columns[*column]);
}

void ByLayerPlot::stepSelection(int by)
{
    if (m_columns.isEmpty())
        return;
    const qsizetype next = m_selected < 0 ? (by > 0 ? 0 : m_columns.size() - 1) : m_selected + by;
    selection().select(m_columns[std::clamp(next, qsizetype(0), m_columns.size() - 1)]);
}

PlotTable ByLayerPlot::table()
{
    ensureBuilt();
    PlotTable t{{"node", "line", "input", "weight", "metric", "kind", "value"}, {}};
    const auto add = [&](const Row& r, const std::vector<SeriesPoint>& points, const QString& line) {
        for (const SeriesPoint& p : points) {
            static const QStringList kinds{"value", "exact", "not finite", "absent"};
            // Exact is a zero of an error; of correct bits it is no number.
            const bool isNumber =
                p.kind == PointKind::Value || (p.kind == PointKind::Exact && isLogarithmic(shownMetric()));
            t.rows.append({p.label, line, QString::fromUtf8(engine::dtypeName(r.series.combo.input).data()),
                           QString::fromUtf8(engine::dtypeName(r.series.combo.weight).data()),
                           metricTitle(shownMetric()), kinds[static_cast<qsizetype>(p.kind)],
                           isNumber ? QString::number(p.value, 'g', 17) : QString()});
        }
    };
    for (const ShownRun& s : shownRuns())
        for (const Row& r : m_rows)
            if (r.series.combo == s.combo) {
                add(r, r.series.points, QStringLiteral("total"));
                add(r, r.series.arithmetic, QStringLiteral("arithmetic"));
                add(r, r.series.bound, QStringLiteral("bound"));
            }
    return t;
}

} // namespace ui
