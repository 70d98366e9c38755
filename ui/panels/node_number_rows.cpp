// What is said of a node's error, as rows.
#include "ui/live/error_series.h"
#include "ui/panels/combo_state.h"
#include "ui/panels/node_numbers.h"
#include "ui/panels/words.h"

#include <QCoreApplication>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("NodeNumbers", text);
}

QString numberOrExact(double value)
{
    return value == 0 ? tr("exact") : shortNumber(value, 3);
}

QString bitsText(double bits)
{
    return QString::number(bits, 'f', 1);
}

void addErrors(std::vector<NumberRow>& rows, const engine::NodeResult& node, const engine::ErrorMetrics& error)
{
    const QString source = tr("Against the double-double run of the same graph from the source values.");
    if (error.relL2)
        rows.push_back({tr("Relative L2"), numberOrExact(*error.relL2), {}, source, false});
    if (node.stages)
        rows.push_back({tr("Local, RMSE"),
                        numberOrExact(node.stages->localRmse),
                        {},
                        tr("This node's own part: against the same op on the reference of what arrives."),
                        false});
    if (error.sqnrDb)
        rows.push_back({tr("SQNR"), QString::number(*error.sqnrDb, 'f', 1), tr("dB"), source, false});
    else if (error.relL2 && *error.relL2 == 0)
        rows.push_back({tr("SQNR"), tr("no noise"), {}, source, false});
    const QString of = QStringLiteral("/ %1").arg(engine::isFloat(node.dtype) ? engine::precision(node.dtype) : 0);
    const QString bits = tr("−log₂ of the relative error, where the reference is not zero. ") + source;
    if (error.medianBits)
        rows.push_back({tr("Correct bits, median"), bitsText(*error.medianBits), of, bits, false});
    if (error.minBits)
        rows.push_back({tr("Correct bits, least"), bitsText(*error.minBits), of, bits, false});
    if (error.maxUlp)
        rows.push_back({tr("Largest distance"), numberOrExact(*error.maxUlp),
                        *error.maxUlp == 0 ? QString() : tr("ULP"),
                        tr("In units of the last place of %1. ").arg(dtypeWord(node.dtype)) + source, false});
}

void addCounts(std::vector<NumberRow>& rows, const engine::ErrorMetrics& error)
{
    const auto add = [&](const QString& label, std::int64_t count, const QString& against) {
        if (count > 0)
            rows.push_back({label, countText(count), QStringLiteral("/ ") + countText(error.elements), against, true});
    };
    add(tr("NaN"), error.nan, tr("Values that are NaN in this run."));
    add(tr("Inf"), error.inf, tr("Values that are infinite in this run."));
    add(tr("Overflow"), error.overflow, tr("Values whose reference is finite and that are not, or that saturated."));
    add(tr("Underflow"), error.underflow, tr("Values that are zero and whose reference is not."));
    if (error.referenceLimited)
        rows.push_back({tr("Reference"),
                        tr("limited"),
                        {},
                        tr("Some products lie so low that the reference itself loses bits there."),
                        false});
}

void addCauses(std::vector<NumberRow>& rows, const engine::NodeResult& node)
{
    if (node.bound)
        rows.push_back({tr("Arithmetic, of its bound"), shortNumber(node.bound->maxRatio), QStringLiteral("/ 1"),
                        tr("Largest |arithmetic error| over its own bound n·u·Σ|ab| + n·η/2, with n = %1.")
                            .arg(countText(node.bound->n)),
                        node.bound->maxRatio > 1});
    if (node.error && node.error->condition)
        rows.push_back({tr("Condition, median"),
                        shortNumber(*node.error->condition),
                        {},
                        tr("Σ|ab| over |Σab| of the outputs: how much the terms cancel."),
                        false});
    if (engine::isFloat(node.dtype) && node.effectiveBits > 0 && node.effectiveBits < engine::precision(node.dtype))
        rows.push_back({tr("Effective bits"), QString::number(node.effectiveBits),
                        QStringLiteral("/ %1").arg(engine::precision(node.dtype)),
                        tr("Labelled %1; the narrowest step of this op has fewer bits.").arg(dtypeWord(node.dtype)),
                        false});
    for (const engine::StoredReport& stored : node.stored) {
        if (stored.changed == 0)
            continue;
        const QString what = stored.port == "output" ? tr("values") : text(stored.port);
        rows.push_back({tr("Stored, %1").arg(what), percentText(stored.changed), tr("changed"),
                        tr("Share of the source values that rounding to %1 changed.").arg(dtypeWord(stored.to)),
                        false});
        if (stored.newInf + stored.newNan + stored.newZero > 0)
            rows.push_back({tr("Stored, new Inf · zero · NaN"),
                            QStringLiteral("%1 · %2 · %3")
                                .arg(countText(stored.newInf), countText(stored.newZero), countText(stored.newNan)),
                            {},
                            tr("Values that rounding to %1 made so.").arg(dtypeWord(stored.to)),
                            true});
    }
}

} // namespace

std::vector<NumberRow> numberRows(const engine::NodeResult& result)
{
    std::vector<NumberRow> rows;
    if (result.error) {
        addErrors(rows, result, *result.error);
        addCauses(rows, result);
        addCounts(rows, *result.error);
    } else {
        addCauses(rows, result);
    }
    return rows;
}

QString ranText(const engine::NodeResult& result)
{
    const QString time = result.reused ? tr("reused") : millisecondsText(result.timeMs);
    return QStringList{time, bytesText(result.bytes)}.join(QStringLiteral(" · "));
}

QString noNumbersReason(const PanelContext& context, engine::NodeId node)
{
    const auto findingAt = [&](const std::vector<engine::Finding>& findings) {
        std::vector<engine::Finding> own;
        for (const engine::Finding& f : findings)
            if (f.node == node && f.severity == engine::Severity::Error)
                own.push_back(f);
        return refusalIn(own);
    };
    const engine::RunResult* run = context.snapshots.canvasRun();
    QString own = findingAt(context.plans.plan().findings);
    if (own.isEmpty() && run)
        own = findingAt(run->findings);
    if (!own.isEmpty())
        return tr("No result. %1.").arg(own.endsWith(u'.') ? own.chopped(1) : own);
    if (const engine::NodeView* view = context.plans.node(node); view && view->blocked) {
        for (const auto& [id, other] : context.plans.plan().nodes)
            if (other.refused)
                return tr("No result. Waits for %1.").arg(nodeName(context.document.graph(), id));
    }
    if (!context.snapshots.error().isEmpty())
        return context.snapshots.error();
    return context.snapshots.isRunning() ? tr("The first result is on its way.") : tr("Not run yet.");
}

} // namespace ui
