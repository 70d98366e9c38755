#include "ui/panels/combo_state.h"

#include "ui/panels/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ComboState", text);
}

std::vector<const engine::NodeResult*> endsOf(const engine::RunResult& run)
{
    std::vector<const engine::NodeResult*> ends;
    for (const engine::NodeResult& node : run.nodes)
        if (node.op == "output")
            ends.push_back(&node);
    if (ends.empty() && !run.nodes.empty())
        ends.push_back(&run.nodes.back());
    return ends;
}

ComboState measured(const engine::RunResult& run, Metric metric)
{
    PointKind kind = PointKind::Absent; // of the worst end: not finite, then a value, then exact
    double worst = 0;
    QStringList where;
    for (const engine::NodeResult* node : endsOf(run)) {
        if (!node->error)
            continue;
        where << text(node->name);
        const PointKind here = kindOf(*node->error, metric);
        if (here == PointKind::NotFinite)
            kind = PointKind::NotFinite;
        else if (here == PointKind::Exact && kind == PointKind::Absent)
            kind = PointKind::Exact;
        if (here != PointKind::Value || kind == PointKind::NotFinite)
            continue;
        const double value = metricOf(*node->error, metric).value_or(0);
        const bool isWorse = metric == Metric::MedianBits ? value < worst : value > worst;
        if (kind != PointKind::Value || isWorse)
            worst = value;
        kind = PointKind::Value;
    }
    const QString subject =
        tr("%1 at %2, %3").arg(metricTitle(metric), where.join(QStringLiteral(", ")), metricUnit(metric));
    switch (kind) {
    case PointKind::Value:
        return {ComboStateKind::Value,
                metric == Metric::MedianBits ? QString::number(worst, 'f', 1) : shortNumber(worst), subject, false};
    case PointKind::Exact:
        return {ComboStateKind::Exact, tr("exact"), subject, false};
    case PointKind::NotFinite:
        return {ComboStateKind::NotFinite, tr("not finite"),
                tr("Output values are NaN or Inf where they should not be."), false};
    case PointKind::Absent:
        break;
    }
    return {ComboStateKind::None, QStringLiteral("–"), tr("No error is measured at the outputs."), false};
}

} // namespace

QString refusalIn(const std::vector<engine::Finding>& findings)
{
    const auto it = std::find_if(findings.begin(), findings.end(),
                                 [](const engine::Finding& f) { return f.severity == engine::Severity::Error; });
    if (it != findings.end())
        return text(it->message);
    return findings.empty() ? QString() : text(findings.front().message);
}

ComboState comboState(const SnapshotStore& snapshots, const PlanStore& plans, const engine::RunSettings& settings,
                      const engine::Combo& combo, Metric metric)
{
    const engine::PlanView& plan = plans.plan();
    if (plan.dialect == settings.dialect && plan.combo == combo && !plan.ok && !plan.nodes.empty())
        return {ComboStateKind::Refused, {}, refusalIn(plan.findings), false};
    const auto [run, isStale] = snapshots.shownRun(combo);
    if (!run) {
        if (!snapshots.error().isEmpty())
            return {ComboStateKind::None, QStringLiteral("–"), snapshots.error(), false};
        if (snapshots.isRunning())
            return {ComboStateKind::Waiting, QStringLiteral("…"), tr("Waits for its run."), false};
        return {ComboStateKind::None, QStringLiteral("–"), tr("Not run yet."), false};
    }
    ComboState state;
    if (run->ok)
        state = measured(*run, metric);
    else
        state = {ComboStateKind::Refused, {}, refusalIn(run->findings), false};
    state.isStale = isStale;
    if (isStale)
        state.explanation += u'\n' + tr("Of an earlier state of the graph.");
    return state;
}

} // namespace ui
