#include "ui/plots/stages_plot.h"

#include "ui/plots/plot_paint.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kGap = 1.5;
constexpr std::array<engine::Stage, engine::kStageCount> kStages{engine::Stage::Inherited, engine::Stage::Storage,
                                                                 engine::Stage::Cast, engine::Stage::Arithmetic,
                                                                 engine::Stage::Output};

QString stageWord(engine::Stage s)
{
    return QString::fromUtf8(engine::stageName(s).data());
}

QList<StagesPlot::Segment> stacked(const StageBar& bar)
{
    QList<StagesPlot::Segment> segments;
    double right = 0, left = 0;
    for (engine::Stage s : kStages) {
        const std::optional<double>& share = bar.share[static_cast<std::size_t>(s)];
        if (!share || *share == 0)
            continue;
        double& end = *share > 0 ? right : left;
        segments.append({s, *share, std::min(end, end + *share), std::max(end, end + *share)});
        end += *share;
    }
    return segments;
}

} // namespace

StagesPlot::StagesPlot(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent)
    : PlotWidget(selection, store, themes, parent)
{
    connect(&m_motion, &ValueMotion::moved, this, qOverload<>(&QWidget::update));
}

void StagesPlot::setMotion(Motion motion)
{
    PlotWidget::setMotion(motion);
    m_motion.setMotion(motion);
}

QString StagesPlot::title() const
{
    return m_subject.name.isEmpty() ? tr("Stages") : tr("Stages of %1").arg(m_subject.name);
}

QString StagesPlot::subtitle() const
{
    return tr("share of the squared error");
}

StagesPlot::Row StagesPlot::rowOf(const ShownRun& shown) const
{
    Row row{.combo = shown.combo, .segments = {}, .relL2 = {}, .refusal = {}, .isActive = shown.isActive};
    const engine::RunResult* run = shown.staged ? shown.staged : shown.run;
    if (!run) {
        row.kind = store().isRunning() ? Row::Kind::Waiting : Row::Kind::NotRun;
        return row;
    }
    row.isStale = shown.staged ? shown.stagesAreStale : shown.isStale;
    for (const StageBar& bar : stageBars(shown.staged ? *shown.stagedSnapshot : *shown.snapshot, m_subject.id)) {
        if (!(bar.combo == shown.combo))
            continue;
        row.relL2 = bar.relL2;
        row.segments = stacked(bar);
        row.kind = !bar.ok                   ? Row::Kind::Refused
                   : bar.isExact             ? Row::Kind::Exact
                   : !row.segments.isEmpty() ? Row::Kind::Bar
                   : !shown.staged           ? Row::Kind::Waiting
                                             : Row::Kind::NotMeasured;
    }
    if (!run->ok && !resultIn(*run, m_subject.id)) {
        row.kind = Row::Kind::Refused;
        const engine::Finding* f = refusingFinding(*run);
        row.refusal = f ? QString::fromStdString(f->message) : QString();
    }
    return row;
}

void StagesPlot::rebuild(const QSizeF& size)
{
    m_subject = subject();
    m_rows.clear();
    m_low = 0;
    m_high = 1;
    std::vector<double> ends;
    double tags = 0;
    for (const ShownRun& s : shownRuns()) {
        m_rows.append(rowOf(s));
        tags = std::max(tags, comboTagWidth(s.combo));
        for (const Segment& g : m_rows.last().segments) {
            m_low = std::min(m_low, g.from < -0.005 ? std::floor(g.from * 4) / 4 : 0.0);
            m_high = std::max(m_high, g.to > 1.005 ? std::ceil(g.to * 4) / 4 : 1.0);
            ends.push_back(g.from);
            ends.push_back(g.to);
        }
    }
    m_left = 14 + tags + 33;
    m_right = size.width() - 86;
    m_bottom = size.height() - 32;
    m_pitch = std::min(41.0, (m_bottom - m_top) / static_cast<double>(std::max<qsizetype>(1, m_rows.size())));
    m_barHeight = std::clamp(m_pitch - 10, 8.0, 20.0);
    m_motion.setTarget(std::move(ends));
}

double StagesPlot::x(double share) const
{
    return m_left + (share - m_low) / (m_high - m_low) * (m_right - m_left);
}

QRectF StagesPlot::rowRect(qsizetype row) const
{
    const double y = m_top + m_pitch * static_cast<double>(row) + std::min(4.0, (m_pitch - m_barHeight) / 2);
    return {m_left, y, m_right - m_left, m_barHeight};
}

QRectF StagesPlot::segmentRect(qsizetype row, qsizetype segment) const
{
    std::size_t at = 0;
    for (qsizetype i = 0; i < row; ++i)
        at += 2 * static_cast<std::size_t>(m_rows[i].segments.size());
    at += 2 * static_cast<std::size_t>(segment);
    const QRectF r = rowRect(row);
    const double from = x(m_motion.shown()[at]), to = x(m_motion.shown()[at + 1]);
    const double gap = to - from > 2 * kGap ? kGap : 0;
    const double axis = m_motion.shown()[at] == 0 ? 1 : 0; // the zero line stays free
    return {from + axis, r.top(), std::max(0.0, to - from - gap - axis), r.height()};
}

void StagesPlot::paintKey(QPainter& painter) const
{
    double left = 14;
    for (engine::Stage s : kStages) {
        drawStageForm(painter, {left, 9, 10, 10}, s, theme());
        drawText(painter, {left + 15, 18}, stageWord(s), uiFont(11), theme().text.secondary);
        left += 15 + textWidth(stageWord(s), uiFont(11)) + 16;
    }
}

void StagesPlot::paintAxis(QPainter& painter) const
{
    const Theme& t = theme();
    const double step = (m_high - m_low) > 2.5 ? 1 : (m_high - m_low) > 1.5 ? 0.5 : 0.25;
    double free = -1e9;
    for (double v = std::ceil(m_low / step) * step; v <= m_high + 1e-9; v += step) {
        drawVertical(painter, x(v) - 0.5, m_top, m_bottom, std::abs(v) < 1e-9 ? t.plot.axis : t.plot.grid);
        const QString label = percent(v);
        const double width = textWidth(label, monoFont(10));
        const double from = std::min(x(v) - width / 2, m_right - width); // clear of the column at the right
        if (from < free)
            continue;
        drawText(painter, {from, m_bottom + 14}, label, monoFont(10), t.plot.label);
        free = from + width + 8;
    }
    drawText(painter, {m_right + 71, m_bottom + 14}, tr("relative L2"), uiFont(10), t.plot.label, Qt::AlignRight);
}

void StagesPlot::paintSegment(QPainter& painter, const QRectF& rect, const Segment& segment) const
{
    const Theme& t = theme();
    if (rect.width() < 0.75)
        return;
    drawStageForm(painter, rect, segment.stage, t);
    const QFont mono = monoFont(10);
    QString text = percent(segment.share);
    double pad = stageNeedsPad(segment.stage) ? 4 : 2;
    if (textWidth(text, mono) + 2 * pad + 4 > rect.width())
        text.chop(2); // the number alone
    const double width = textWidth(text, mono);
    if (width + 2 * pad + 2 > rect.width() || rect.height() < 14)
        return;
    if (stageNeedsPad(segment.stage)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.plot.background);
        painter.drawRoundedRect(QRectF(rect.center().x() - width / 2 - pad, rect.center().y() - 7, width + 2 * pad, 14),
                                3, 3);
    }
    drawText(painter, {rect.center().x(), rect.center().y() + 3.5}, text, mono, stageTextColor(segment.stage, t),
             Qt::AlignHCenter);
}

void StagesPlot::paintRow(QPainter& painter, qsizetype i) const
{
    const Theme& t = theme();
    const Row& row = m_rows[i];
    const QRectF r = rowRect(i);
    const double baseline = r.center().y() + 4;
    painter.setOpacity(row.isStale ? t.plot.staleOpacity : 1);
    drawComboTag(painter, {14, baseline - 1}, row.combo, t);
    for (qsizetype k = 0; k < row.segments.size(); ++k)
        paintSegment(painter, segmentRect(i, k), row.segments[k]);
    double left = x(0) + 4;
    if (row.kind == Row::Kind::Refused) {
        drawOctagon(painter, {left, r.center().y() - 7, 14, 14}, t.status.error);
        left += 20;
    }
    if (row.kind != Row::Kind::Bar)
        drawText(painter, {left, baseline}, wordsOf(row), uiFont(11), t.text.secondary);
    if (row.relL2)
        drawText(painter, {m_right + 71, baseline}, *row.relL2 == 0 ? tr("exact") : shortNumber(*row.relL2),
                 monoFont(11), t.text.primary, Qt::AlignRight);
    painter.setOpacity(1);
    if (row.isActive && m_rows.size() > 1) {
        painter.setPen(QPen(t.selection.ring, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(6, r.top() - 5, m_right + 79 - 6, r.height() + 10), 5, 5);
    }
}

QString StagesPlot::wordsOf(const Row& row) const
{
    switch (row.kind) {
    case Row::Kind::Refused:
        return tr("refused, no result");
    case Row::Kind::Exact:
        return tr("exact, nothing to share out");
    case Row::Kind::Waiting:
        return QStringLiteral("…");
    case Row::Kind::NotRun:
        return tr("not run");
    case Row::Kind::NotMeasured:
        return tr("no finite stages");
    case Row::Kind::Bar:
        break;
    }
    return {};
}

void StagesPlot::paintPlot(QPainter& painter)
{
    paintKey(painter);
    paintAxis(painter);
    for (qsizetype i = 0; i < m_rows.size(); ++i)
        paintRow(painter, i);
}

PlotHover StagesPlot::hoverAt(QPointF position) const
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const QRectF r = rowRect(i);
        if (position.y() < r.top() - 5 || position.y() > r.bottom() + 5)
            continue;
        PlotHover hover;
        hover.anchor = position;
        hover.lines.append(m_subject.name + QStringLiteral(" · ") + comboWords(row.combo));
        for (qsizetype k = 0; k < row.segments.size(); ++k)
            if (const QRectF s = segmentRect(i, k); position.x() >= s.left() && position.x() <= s.right() + kGap) {
                hover.lines.append(stageWord(row.segments[k].stage) + QLatin1Char(' ') +
                                   percent(row.segments[k].share, 2));
                hover.rule = position.x();
                hover.ruleArea = r;
            }
        if (hover.lines.size() == 1 && row.kind == Row::Kind::Bar)
            for (const Segment& s : row.segments)
                hover.lines.append(stageWord(s.stage) + QLatin1Char(' ') + percent(s.share, 2));
        if (row.kind != Row::Kind::Bar)
            hover.lines.append(row.refusal.isEmpty() ? wordsOf(row) : row.refusal);
        if (row.relL2)
            hover.lines.append(tr("relative L2 %1").arg(*row.relL2 == 0 ? tr("exact") : shortNumber(*row.relL2, 3)));
        return hover;
    }
    return {};
}

void StagesPlot::clickAt(QPointF position)
{
    for (qsizetype i = 0; i < m_rows.size(); ++i)
        if (const QRectF r = rowRect(i); position.y() >= r.top() - 5 && position.y() <= r.bottom() + 5) {
            if (m_subject.id)
                selection().select(m_subject.id);
            Q_EMIT comboClicked(m_rows[i].combo);
        }
}

QString StagesPlot::summary() const
{
    QStringList words;
    for (const Row& row : m_rows) {
        QString w = comboWords(row.combo) + QStringLiteral(": ");
        QStringList parts;
        for (const Segment& s : row.segments)
            parts.append(stageWord(s.stage) + QLatin1Char(' ') + percent(s.share));
        words.append(w + (parts.isEmpty() ? wordsOf(row) : parts.join(QStringLiteral(", "))));
    }
    return words.join(QStringLiteral("; "));
}

PlotTable StagesPlot::table()
{
    ensureBuilt();
    PlotTable t{{"node", "input", "weight", "state"}, {}};
    for (engine::Stage s : kStages)
        t.header.append(stageWord(s));
    t.header.append(QStringLiteral("relative L2"));
    for (const Row& row : m_rows) {
        QStringList cells{m_subject.name, QString::fromUtf8(engine::dtypeName(row.combo.input).data()),
                          QString::fromUtf8(engine::dtypeName(row.combo.weight).data()),
                          row.kind == Row::Kind::Bar ? QStringLiteral("measured") : wordsOf(row)};
        for (engine::Stage s : kStages) {
            QString value = row.kind == Row::Kind::Bar ? QStringLiteral("0") : QString();
            for (const Segment& g : row.segments)
                if (g.stage == s)
                    value = QString::number(g.share, 'g', 17);
            cells.append(value);
        }
        cells.append(row.relL2 ? QString::number(*row.relL2, 'g', 17) : QString());
        t.rows.append(cells);
    }
    return t;
}

} // namespace ui
