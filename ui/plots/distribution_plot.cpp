#include "ui/plots/distribution_plot.h"

#include "ui/plots/plot_paint.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kBarShare = 0.89, kBandWidth = 56;
enum BarSet : qsizetype { Plain, Correct, Wrong, BarSets };

BarSet setOf(qsizetype bar, qsizetype bars)
{
    return bar == 1 ? Correct : bar == bars - 1 ? Wrong : Plain;
}

double gridStep(double high)
{
    for (double step : {1.0, 2.0, 5.0, 10.0, 20.0})
        if (high / step <= 5)
            return step;
    return 25;
}

} // namespace

DistributionPlot::DistributionPlot(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent)
    : PlotWidget(selection, store, themes, parent)
{
    m_chart.setCount(1);
    connect(&m_chart, &ChartAdapter::moved, this, qOverload<>(&QWidget::update));
}

void DistributionPlot::setMotion(Motion motion)
{
    PlotWidget::setMotion(motion);
    m_chart.setMotion(motion);
}

QString DistributionPlot::title() const
{
    return m_name.isEmpty() ? tr("Distribution") : m_name;
}

QString DistributionPlot::subtitle() const
{
    return m_dtype.isEmpty() ? tr("distance in ULP") : tr("distance in %1 ULP").arg(m_dtype);
}

const ShownRun* DistributionPlot::canvasRun(const QList<ShownRun>& runs) const
{
    for (const ShownRun& s : runs)
        if (s.isActive && s.run)
            return &s;
    return nullptr;
}

PlotBlank DistributionPlot::findBlank() const
{
    PlotBlank e = PlotWidget::findBlank();
    if (!e.title.isEmpty())
        return e;
    const QString icon = QStringLiteral("distribution");
    if (!selection().current())
        return {icon, tr("No node selected"), tr("Select one to see how its errors spread.")};
    const QList<ShownRun> runs = shownRuns();
    const ShownRun* shown = canvasRun(runs);
    const engine::NodeResult* node = shown ? resultIn(*shown->run, selection().current()) : nullptr;
    if (!node) {
        const engine::Finding* f = shown && !shown->run->ok ? refusingFinding(*shown->run) : nullptr;
        return {icon, tr("No result"),
                f ? QString::fromStdString(f->message)
                  : tr("This node did not run under the canvas's dialect and combo.")};
    }
    if (!node->error)
        return {icon, tr("No errors yet"),
                tr("The reference of %1 is not ready.").arg(QString::fromStdString(node->name))};
    return {};
}

void DistributionPlot::buildBars()
{
    m_bars.clear();
    m_name.clear();
    m_dtype.clear();
    m_words.clear();
    m_mostWords.clear();
    m_node = {};
    m_notFinite = 0;
    const QList<ShownRun> runs = shownRuns();
    const ShownRun* shown = canvasRun(runs);
    const engine::NodeResult* node = shown ? resultIn(*shown->run, selection().current()) : nullptr;
    if (!node || !node->error)
        return;
    const engine::ErrorMetrics& e = *node->error;
    m_node = node->id;
    m_name = QString::fromStdString(node->name);
    m_dtype = QString::fromUtf8(engine::dtypeName(node->dtype).data());
    m_isStale = shown->isStale;
    for (HistogramBar& b : ulpBars(e))
        m_bars.append(std::move(b));
    std::int64_t drawn = 0;
    for (const HistogramBar& b : m_bars)
        drawn += b.count;
    m_notFinite = e.nan + e.inf;
    m_words = counted(drawn, tr("value"), tr("values"));
    if (e.zeroRef > 0)
        m_words += tr(" · %1 exact zeros not drawn").arg(grouped(e.zeroRef));
    if (e.zeroRefWrong > 0)
        m_words += tr(", %1 of them missed").arg(grouped(e.zeroRefWrong));
    if (m_notFinite > 0)
        m_words += tr(" · %1 not finite (NaN or Inf)").arg(grouped(m_notFinite));
    if (e.maxUlp)
        m_mostWords =
            *e.maxUlp == 0 ? tr("every value exact")
            : *e.maxUlp < 1e9
                ? tr("max %1 ULP").arg(*e.maxUlp < 100 ? shortNumber(*e.maxUlp, 3) : grouped(std::llround(*e.maxUlp)))
                : tr("max %1 ULP").arg(shortNumber(*e.maxUlp, 3));
}

void DistributionPlot::rebuild(const QSizeF& size)
{
    buildBars();
    const double band = m_notFinite > 0 ? kBandWidth + kBarShare * 8 : 0;
    m_area = QRectF(44, 34, std::max(60.0, size.width() - 44 - 16 - band), std::max(30.0, size.height() - 34 - 44));
    m_band = band > 0 ? QRectF(m_area.right() + 6, m_area.top(), kBandWidth, m_area.height()) : QRectF();
    double most = 0;
    for (const HistogramBar& b : m_bars)
        most = std::max(most, b.percent);
    m_step = gridStep(std::max(most, 4.0));
    m_high = std::max(m_step, std::ceil(most / m_step - 1e-9) * m_step);
    const double room = m_area.height() > 40 ? m_high * 14 / m_area.height() : 0; // for the share above the bar
    if (m_high - most < room)
        m_high += room - (m_high - most);
    const Theme& t = theme();
    const double opacity = m_isStale ? t.plot.staleOpacity : 1;
    QList<ChartBars> sets(BarSets);
    sets[Plain].fill = t.plot.histogram;
    sets[Plain].opacity = 0.8 * opacity;
    sets[Correct].fill = t.text.secondary;
    sets[Correct].opacity = opacity;
    sets[Wrong].fill = t.loss.key;
    sets[Wrong].opacity = opacity;
    for (ChartBars& s : sets)
        s.values.fill(0, m_bars.size());
    for (qsizetype i = 0; i < m_bars.size(); ++i)
        sets[setOf(i, m_bars.size())].values[i] = m_bars[i].percent;
    m_chart.setArea(0, m_area);
    m_chart.setRange(0, {-0.5, static_cast<double>(std::max<qsizetype>(1, m_bars.size())) - 0.5}, {0, m_high});
    m_chart.setBars(0, m_bars.isEmpty() ? QList<ChartBars>() : sets, kBarShare, 1);
    m_chart.commit();
}

QRectF DistributionPlot::barRect(qsizetype bar) const
{
    const QPointF top = m_chart.position(0, {static_cast<double>(bar), m_bars[bar].percent});
    const double width = kBarShare * m_area.width() / static_cast<double>(m_bars.size());
    return {top.x() - width / 2, std::min(top.y(), m_area.bottom() - 1), width,
            std::max(1.0, m_area.bottom() - top.y())};
}

void DistributionPlot::paintPlot(QPainter& painter)
{
    const Theme& t = theme();
    const QFont mono = monoFont(10);
    drawTitle(painter, 14, 18);
    painter.fillRect(m_area, t.plot.area);
    for (double p = m_step; p <= m_high; p += m_step) {
        const double y = m_chart.position(0, {0, p}).y();
        drawHorizontal(painter, m_area.left(), m_area.right(), y, t.plot.grid);
        drawText(painter, {m_area.left() - 6, y + 3.5}, QString::number(p) + QStringLiteral(" %"), mono, t.plot.label,
                 Qt::AlignRight);
    }
    drawText(painter, {m_area.left() - 6, m_area.bottom() + 3.5}, QStringLiteral("0"), mono, t.plot.label,
             Qt::AlignRight);
    m_chart.paint(painter);
    drawHorizontal(painter, m_area.left(), m_area.right(), m_area.bottom(), t.plot.axis);
    for (qsizetype i = 0; i < m_bars.size(); ++i) {
        const QRectF bar = barRect(i);
        const bool isEmpty = m_bars[i].count == 0;
        const QString share = isEmpty ? QStringLiteral("0") : QString::number(m_bars[i].percent, 'f', 1);
        drawText(painter, {bar.center().x(), bar.top() - 4}, share, mono, isEmpty ? t.plot.label : t.text.primary,
                 Qt::AlignHCenter);
        drawText(painter, {bar.center().x(), m_area.bottom() + 14}, m_bars[i].label, mono, t.text.secondary,
                 Qt::AlignHCenter);
    }
    if (!m_band.isEmpty()) {
        painter.fillRect(m_band, t.plot.area);
        drawBurst(painter, {m_band.center().x(), m_band.bottom() - 18}, 12, t.plot.area, t);
        drawText(painter, {m_band.center().x(), m_band.bottom() - 36}, grouped(m_notFinite), mono, t.text.primary,
                 Qt::AlignHCenter);
        drawText(painter, {m_band.center().x(), m_area.bottom() + 14}, tr("not finite"), uiFont(10), t.text.secondary,
                 Qt::AlignHCenter);
    }
    const double y = m_area.bottom() + 34;
    drawText(painter, {m_area.left(), y}, m_words, uiFont(10), t.text.tertiary);
    const double right = m_band.isEmpty() ? m_area.right() : m_band.right();
    if (textWidth(m_words, uiFont(10)) + textWidth(m_mostWords, uiFont(10)) + 12 <= right - m_area.left())
        drawText(painter, {right, y}, m_mostWords, uiFont(10), t.text.tertiary, Qt::AlignRight);
}

std::optional<qsizetype> DistributionPlot::barUnder(QPointF p) const
{
    if (m_bars.isEmpty() || !m_area.adjusted(0, 0, 0, 18).contains(p))
        return std::nullopt;
    return std::clamp(
        static_cast<qsizetype>((p.x() - m_area.left()) / m_area.width() * static_cast<double>(m_bars.size())),
        qsizetype(0), m_bars.size() - 1);
}

PlotHover DistributionPlot::hoverAt(QPointF position) const
{
    PlotHover hover;
    hover.anchor = position;
    if (!m_band.isEmpty() && m_band.contains(position)) {
        hover.lines = {m_name, tr("%1 not finite (NaN or Inf)").arg(grouped(m_notFinite))};
        return hover;
    }
    const std::optional<qsizetype> i = barUnder(position);
    if (!i)
        return hover;
    const HistogramBar& b = m_bars[*i];
    const QString range = *i == 0 ? tr("exact") : b.label + tr(" ULP");
    hover.lines = {m_name + QStringLiteral(" · ") + range,
                   counted(b.count, tr("value"), tr("values")) + QStringLiteral(" · ") +
                       QString::number(b.percent, 'f', b.percent < 0.1 && b.count > 0 ? 4 : 1) + QStringLiteral(" %")};
    if (*i == 1)
        hover.lines.append(tr("correctly rounded"));
    if (*i == m_bars.size() - 1)
        hover.lines.append(tr("five bits or more wrong"));
    hover.rule = barRect(*i).center().x();
    hover.ruleArea = m_area;
    return hover;
}

void DistributionPlot::clickAt(QPointF)
{
    if (m_node)
        selection().select(m_node);
}

PlotTable DistributionPlot::table()
{
    ensureBuilt();
    PlotTable t{{"node", "bin in ULP", "count", "percent"}, {}};
    for (const HistogramBar& b : m_bars)
        t.rows.append({m_name, b.label, QString::number(b.count), QString::number(b.percent, 'g', 17)});
    t.rows.append({m_name, QStringLiteral("not finite"), QString::number(m_notFinite), QString()});
    return t;
}

} // namespace ui
