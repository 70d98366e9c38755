// What there is to say of one cast: measured where a run has it, else from the plan and the formats.
#include "ui/live/error_series.h"
#include "ui/panels/cast_card.h"
#include "ui/panels/words.h"
#include "ui/style/dot_level.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("CastCard", text);
}

// The steps of this port as one: first from, last to, the worst of each figure.
struct Measured {
    std::optional<engine::CastReport> cast;
    std::int64_t elements = 0;
};

Measured measuredCast(const PanelContext& context, engine::NodeId node, const std::string& port)
{
    Measured found;
    const engine::NodeResult* result = context.snapshots.resultOf(node);
    if (!result)
        return found;
    for (const engine::CastReport& cast : result->casts) {
        if (cast.port != port)
            continue;
        if (!found.cast) {
            found.cast = cast;
            continue;
        }
        engine::CastReport& all = *found.cast;
        all.to = cast.to;
        if (cast.changed > all.changed) {
            all.changed = cast.changed;
            all.rule = cast.rule;
            all.sentence = cast.sentence;
        }
        all.maxUlp = std::max(all.maxUlp, cast.maxUlp);
        all.maxRel = std::max(all.maxRel, cast.maxRel);
        if (cast.bitsKept)
            all.bitsKept = all.bitsKept ? std::min(*all.bitsKept, *cast.bitsKept) : *cast.bitsKept;
        all.newInf += cast.newInf;
        all.newZero += cast.newZero;
        all.newNan += cast.newNan;
    }
    for (const engine::CastOperand& operand : result->castOperands)
        if (operand.port == port && !operand.value.isNull())
            found.elements = operand.value.shape().elements();
    if (port == "output")
        found.elements = result->shape.elements();
    return found;
}

void sayBits(CastFacts& facts, const std::optional<double>& bitsKept)
{
    if (!engine::isFloat(facts.from) || !engine::isFloat(facts.to)) {
        facts.kept = facts.level == DotLevel::Exact ? tr("every value kept")
                                                    : tr("values rounded to %1").arg(dtypeWord(facts.to));
        return;
    }
    const int from = engine::precision(facts.from), to = std::min(from, engine::precision(facts.to));
    // A measured cast may keep fewer than the format has (subnormals); it cannot keep more than was there.
    const int kept = bitsKept ? std::min(to, static_cast<int>(*bitsKept)) : to;
    facts.kept = kept < to ? tr("at worst %1 of %2 significand bits kept").arg(kept).arg(from)
                           : tr("%1 of %2 significand bits kept").arg(kept).arg(from);
    facts.lost = kept < from ? tr("%1 bits lost").arg(from - kept) : tr("none lost");
}

void sayMeasures(CastFacts& facts, const Measured& measured)
{
    const engine::CastReport& cast = *measured.cast;
    facts.changed = percentText(cast.changed);
    if (measured.elements > 0) {
        const auto count = static_cast<std::int64_t>(cast.changed * static_cast<double>(measured.elements) + 0.5);
        facts.changed += QStringLiteral(" · %1 / %2").arg(countText(count), countText(measured.elements));
    }
    if (cast.changed == 0)
        facts.largest = tr("none");
    else if (cast.maxRel)
        facts.largest = shortNumber(*cast.maxRel, 3);
    if (cast.changed > 0 && cast.maxUlp)
        facts.largest += (facts.largest.isEmpty() ? QString() : QStringLiteral(" · ")) +
                         tr("%1 ULP").arg(shortNumber(*cast.maxUlp, 3));
    facts.bad =
        QStringLiteral("%1 · %2 · %3").arg(countText(cast.newInf), countText(cast.newZero), countText(cast.newNan));
}

} // namespace

QString CastFacts::spoken() const
{
    QStringList parts{place, tr("%1 to %2").arg(dtypeWord(from), dtypeWord(to)), kept};
    if (!lost.isEmpty())
        parts << lost;
    if (isMeasured)
        parts << tr("values changed %1").arg(changed) << tr("largest relative change %1").arg(largest)
              << tr("new Inf, zero, NaN %1").arg(bad);
    parts << decided;
    return parts.join(QStringLiteral(", "));
}

std::optional<CastFacts> castFacts(const PanelContext& context, engine::NodeId node, const std::string& port)
{
    Measured measured = measuredCast(context, node, port);
    const engine::PortView* view = context.plans.port(node, port);
    const bool isPlanned = view && view->isCast && view->arrives && view->used;
    // The plan is of now, a stale run is not: what the plan denies is gone, and a measurement of other dtypes does not
    // count.
    if (measured.cast && view &&
        (!isPlanned || measured.cast->from != *view->arrives || measured.cast->to != *view->used))
        measured.cast.reset();
    if (!measured.cast && !isPlanned)
        return std::nullopt;
    CastFacts facts;
    facts.node = node;
    facts.port = port;
    facts.place = tr("cast at %1, %2").arg(nodeName(context.document.graph(), node), text(port));
    QString rule, sentence;
    if (measured.cast) {
        facts.from = measured.cast->from;
        facts.to = measured.cast->to;
        facts.isImplicit = measured.cast->implicit;
        facts.isMeasured = true;
        facts.isStale = context.snapshots.isStale();
        facts.level = dotLevel(*measured.cast);
        sayBits(facts, measured.cast->changed > 0 ? measured.cast->bitsKept : std::nullopt);
        if (measured.cast->changed == 0 && facts.level == DotLevel::Exact)
            facts.lost = tr("no value changed");
        sayMeasures(facts, measured);
        rule = text(measured.cast->rule);
        sentence = text(measured.cast->sentence);
    } else {
        facts.from = *view->arrives;
        facts.to = *view->used;
        facts.isImplicit = view->isImplicit;
        facts.level = dotLevel(facts.from, facts.to);
        sayBits(facts, std::nullopt);
        rule = text(view->rule);
        sentence = text(view->sentence);
    }
    const QString who = facts.isImplicit                           ? tr("Decided by the dialect: %1")
                        : rule.startsWith(QStringLiteral("slot/")) ? tr("Asked by the node: %1")
                                                                   : tr("Asked: %1");
    facts.decided = sentence.isEmpty() ? tr("Rule %1.").arg(rule) : who.arg(sentence);
    return facts;
}

} // namespace ui
