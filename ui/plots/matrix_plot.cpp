#include "ui/plots/matrix_plot.h"

#include "ui/plots/plot_paint.h"

#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kBarTop = 28, kBarBottom = 16;

} // namespace

MatrixPlot::MatrixPlot(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent)
    : PlotWidget(selection, store, themes, parent)
{
    connect(&m_chart, &ChartAdapter::moved, this, qOverload<>(&QWidget::update));
}

void MatrixPlot::setMotion(Motion motion)
{
    PlotWidget::setMotion(motion);
    m_chart.setMotion(motion);
}

QString MatrixPlot::title() const
{
    return m_data.subject.name.isEmpty() ? tr("Matrix") : tr("Matrix of %1").arg(m_data.subject.name);
}

QString MatrixPlot::subtitle() const
{
    switch (shownMetric()) {
    case Metric::MaxRel:
        return tr("relative error of each value; line: largest");
    case Metric::MedianBits:
        return tr("relative error of each value; line: median bits");
    default:
        return tr("relative error of each value; line: relative L2");
    }
}

void MatrixPlot::placeCells(const QSizeF& size)
{
    m_cells.clear();
    QStringList counts;
    for (const MatrixCell& c : m_data.cells) {
        if (c.kind != CellKind::Value || c.exact + c.notFinite == 0)
            continue;
        QStringList parts;
        if (c.exact > 0)
            parts.append(tr("%1 exact").arg(grouped(c.exact)));
        if (c.notFinite > 0)
            parts.append(tr("%1 not finite").arg(grouped(c.notFinite)));
        counts.append(theme().dtype(c.combo.input).tag + QStringLiteral(" × ") + theme().dtype(c.combo.weight).tag +
                      QStringLiteral(": ") + parts.join(QStringLiteral(", ")));
    }
    m_words = counts.join(QStringLiteral(" · "));
    const qsizetype n = m_data.cells.size();
    const qsizetype columns = n > 4 ? 3 : 2;
    const double bottom = m_words.isEmpty() ? 9 : 20;
    const double width = (size.width() - 25 - 9 * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    const double height = (size.height() - 8.5 - 9 - bottom) / 2;
    for (qsizetype i = 0; i < n; ++i) {
        const qsizetype column = i < 4 ? i % 2 : 2, row = i < 4 ? i / 2 : 0;
        m_cells.append(QRectF(12.5 + (width + 9) * static_cast<double>(column),
                              8.5 + (height + 9) * static_cast<double>(row), width, i < 4 ? height : 2 * height + 9));
    }
}

QRectF MatrixPlot::barArea(qsizetype cell) const
{
    QRectF area = m_cells[cell].adjusted(kPad, kBarTop, -kPad, -kBarBottom);
    if (m_data.hasExact)
        area.setLeft(area.left() + kBandRoom);
    if (m_data.hasNotFinite)
        area.setRight(area.right() - kBandRoom);
    return area;
}

void MatrixPlot::buildCharts()
{
    m_chart.setCount(static_cast<int>(m_cells.size()));
    const Theme& t = theme();
    for (qsizetype i = 0; i < m_cells.size(); ++i) {
        const MatrixCell& cell = m_data.cells[i];
        const int chart = static_cast<int>(i);
        const double bins = std::max(1, m_data.bins);
        m_chart.setArea(chart, barArea(i));
        m_chart.setRange(chart, {-0.5, bins - 0.5}, {0, std::max(m_data.most, 1e-9) * 1.08});
        ChartBars bars;
        bars.fill = t.plot.histogram;
        bars.opacity = cell.isStale ? t.plot.staleOpacity : 1;
        bars.values.fill(0, m_data.bins);
        for (int k = 0; cell.histogram && k < m_data.bins; ++k)
            bars.values[k] =
                static_cast<double>(cell.histogram->counts[static_cast<std::size_t>(m_data.firstBin + k)]) /
                static_cast<double>(std::max<std::int64_t>(1, cell.compared));
        m_chart.setBars(chart, m_data.bins > 0 ? QList<ChartBars>{bars} : QList<ChartBars>(), 0.74, 1);
    }
    m_chart.commit();
}

void MatrixPlot::placeButtons()
{
    if (isFigure())
        return;
    while (m_buttons.size() < 2 * m_cells.size()) {
        auto* button = new QPushButton(this);
        button->setStyleSheet(QStringLiteral("QPushButton { padding: 0 8px; min-height: 20px; border-radius: 5px; }"
                                             "QPushButton:focus { padding: 0 7px; }"));
        button->setFont(uiFont(11, Weight::Medium));
        const qsizetype at = m_buttons.size();
        connect(button, &QPushButton::clicked, this, [this, at] {
            const MatrixCell& cell = m_data.cells[at / 2];
            if (at % 2 < cell.remedies.size())
                Q_EMIT remedyRequested(cell.combo, cell.remedies[at % 2]);
        });
        m_buttons.append(button);
    }
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        const bool isShown =
            i / 2 < m_cells.size() && i % 2 < m_data.cells[i / 2].remedies.size() && findBlank().title.isEmpty();
        m_buttons[i]->setVisible(isShown);
        if (!isShown)
            continue;
        const MatrixCell& cell = m_data.cells[i / 2];
        const QString& remedy = cell.remedies[i % 2];
        m_buttons[i]->setText(remedyLabel(remedy));
        m_buttons[i]->setToolTip(remedySentence(remedy));
        m_buttons[i]->setAccessibleName(remedySentence(remedy) + QStringLiteral(", ") + comboWords(cell.combo));
        m_buttons[i]->setObjectName(remedy);
        const QRectF rect = m_cells[i / 2];
        const double left = i % 2 == 0 ? rect.left() + kPad : m_buttons[i - 1]->geometry().right() + 6;
        const QSize hint = m_buttons[i]->sizeHint();
        const double width = std::min<double>(hint.width(), rect.right() - kPad - left);
        m_buttons[i]->setGeometry(QRectF(left, rect.bottom() - 30, width, 22).toRect());
        m_buttons[i]->setEnabled(!cell.isStale);
    }
}

void MatrixPlot::rebuild(const QSizeF& size)
{
    m_data = matrixData(shownRuns(), subject(), shownMetric(), store().isRunning());
    placeCells(size);
    buildCharts();
    placeButtons();
}

QString MatrixPlot::wordsOf(const MatrixCell& cell) const
{
    switch (cell.kind) {
    case CellKind::Refused:
        return cell.refusal;
    case CellKind::Waiting:
        return tr("on its way");
    case CellKind::NotRun:
        return tr("not run");
    case CellKind::NoValue:
        return tr("no reference to compare with");
    case CellKind::Value:
        break;
    }
    return metricTitle(shownMetric()) + QLatin1Char(' ') + cell.number;
}

PlotHover MatrixPlot::hoverAt(QPointF position) const
{
    for (qsizetype i = 0; i < m_cells.size(); ++i) {
        if (!m_cells[i].contains(position))
            continue;
        const MatrixCell& cell = m_data.cells[i];
        PlotHover hover;
        hover.anchor = position;
        hover.lines = {m_data.subject.name + QStringLiteral(" · ") + comboWords(cell.combo), wordsOf(cell)};
        const QRectF area = barArea(i);
        if (cell.kind != CellKind::Value)
            return hover;
        if (m_data.bins > 0 && position.x() >= area.left() && position.x() < area.right() &&
            position.y() >= area.top()) {
            const int k = std::clamp(static_cast<int>((position.x() - area.left()) / area.width() * m_data.bins), 0,
                                     m_data.bins - 1);
            const double low = m_data.log10Low() + k * engine::RelHistogram::kStep;
            const std::int64_t n =
                cell.histogram ? cell.histogram->counts[static_cast<std::size_t>(m_data.firstBin + k)] : 0;
            hover.lines.append(tr("%1 to %2: %3")
                                   .arg(shortNumber(std::pow(10, low)),
                                        shortNumber(std::pow(10, low + engine::RelHistogram::kStep)),
                                        counted(n, tr("value"), tr("values"))));
            hover.rule = position.x();
            hover.ruleArea = area;
        }
        const auto add = [&](std::int64_t n, const QString& what) {
            if (n > 0)
                hover.lines.append(grouped(n) + QLatin1Char(' ') + what);
        };
        add(cell.exact, tr("exact"));
        add(cell.notFinite, tr("not finite (NaN or Inf)"));
        add(cell.below, tr("below 1e−20"));
        add(cell.above, tr("above 1e4"));
        return hover;
    }
    return {};
}

void MatrixPlot::clickAt(QPointF position)
{
    for (qsizetype i = 0; i < m_cells.size(); ++i)
        if (m_cells[i].contains(position)) {
            const MatrixCell cell = m_data.cells[i];
            const engine::NodeId node = cell.kind == CellKind::Refused ? cell.refusedNode : m_data.subject.id;
            if (node)
                selection().select(node);
            Q_EMIT comboClicked(cell.combo);
            return;
        }
}

QString MatrixPlot::summary() const
{
    QStringList words;
    for (const MatrixCell& c : m_data.cells)
        words.append(comboWords(c.combo) + QStringLiteral(": ") + wordsOf(c));
    return words.join(QStringLiteral("; "));
}

PlotTable MatrixPlot::table()
{
    ensureBuilt();
    PlotTable t{{"node", "input", "weight", "bin", "from", "to", "count"}, {}};
    for (const MatrixCell& c : m_data.cells) {
        const QStringList head{m_data.subject.name, QString::fromUtf8(engine::dtypeName(c.combo.input).data()),
                               QString::fromUtf8(engine::dtypeName(c.combo.weight).data())};
        const auto add = [&](const QString& bin, const QString& from, const QString& to, const QString& count) {
            t.rows.append(head + QStringList{bin, from, to, count});
        };
        add(metricTitle(shownMetric()), {}, {},
            c.value                       ? QString::number(*c.value, 'g', 17)
            : c.kind == CellKind::Refused ? tr("refused")
                                          : QString());
        if (!c.histogram)
            continue;
        add(QStringLiteral("exact"), {}, {}, QString::number(c.exact));
        add(QStringLiteral("below"), {}, QStringLiteral("1e-20"), QString::number(c.below));
        for (int k = 0; k < engine::RelHistogram::kBins; ++k) {
            const double low = engine::RelHistogram::kLog10First + k * engine::RelHistogram::kStep;
            add(QString::number(k), QString::number(std::pow(10, low), 'g', 6),
                QString::number(std::pow(10, low + engine::RelHistogram::kStep), 'g', 6),
                QString::number(c.histogram->counts[static_cast<std::size_t>(k)]));
        }
        add(QStringLiteral("above"), QStringLiteral("1e4"), {}, QString::number(c.above));
        add(QStringLiteral("not finite"), {}, {}, QString::number(c.notFinite));
    }
    return t;
}

} // namespace ui
