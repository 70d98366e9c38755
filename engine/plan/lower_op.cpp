// The casts of one op, in the order in which they are decided: asked slots, then asked compute or the dialect, then
// the kernel's pair, then the result. Design 3.2 and 3.3.
#include "engine/plan/lowering.h"

#include <algorithm>
#include <tuple>

namespace engine {
namespace {

bool isWeightSide(PortRole role)
{
    return role != PortRole::Activation;
}

// Wider: more bytes, then more significant bits. Integers count only where no operand is a float.
bool isWider(DType a, DType b)
{
    const auto key = [](DType d) { return std::tuple(isFloat(d), facts(d).bytes, significandBits(d)); };
    return key(a) > key(b);
}

std::string slotSentence(Slot slot, const SlotAsk& ask)
{
    return "The node's " + std::string(slotName(slot)) + " slot asks " + ask.text().value_or("nothing") + ".";
}

} // namespace

SlotAsk Lowering::asked(const Work& w, Slot slot)
{
    return hasSlot(w.spec, slot) ? w.node.slot(slot) : SlotAsk{};
}

bool Lowering::checkSlots(Work& w)
{
    for (const Slot slot : kSlots) {
        const SlotAsk ask = w.node.slot(slot);
        if (ask.kind == SlotAsk::Kind::Inherited)
            continue;
        const std::string name{slotName(slot)};
        if (!hasSlot(w.spec, slot)) {
            w.remarks.push_back({Severity::Warning,
                                 w.node.id,
                                 "",
                                 "slot",
                                 std::string(w.spec.name) + " has no " + name + " slot: what it asks has no effect",
                                 {"clear-slot"},
                                 ""});
            continue;
        }
        if (slot != Slot::Compute && ask.kind != SlotAsk::Kind::Fixed)
            return refuse(w, "", "slot", "the " + name + " slot asks " + *ask.text() + "; only compute can",
                          {"clear-slot"});
        if (slot != Slot::Compute && slot != Slot::Accumulate && !facts(ask.dtype).isStorage)
            return refuse(w, "", "slot",
                          "the " + name + " slot asks " + *ask.text() +
                              ", which is a compute mode and no storage dtype",
                          {"clear-slot"});
    }
    return true;
}

bool Lowering::lowerOp(Work& w)
{
    w.out.operands = w.out.arrived;
    castToSlots(w);
    DialectAnswer answer;
    if (const std::optional<DType> compute = askedCompute(w)) {
        castToCompute(w, *compute);
        answer.compute = *compute;
        answer.output = storageOf(*compute);
    } else if (!castByDialect(w, answer)) {
        return false;
    }
    if (!choosePair(w, answer.compute))
        return false;

    PlanStep step;
    step.kind = StepKind::Op;
    step.node = w.node.id;
    step.operands = w.out.operands;
    step.dtype = resultDType(w.spec, w.out.pair);
    step.shape = w.out.shape;
    step.pair = w.out.pair;
    w.out.opStep = w.out.outStep = addStep(std::move(step));
    const bool carries = w.spec.carriesBits || w.spec.role == OpRole::Output;
    if (!carries)
        w.bits = std::min({w.bits, significandBits(w.out.pair.multiply), significandBits(w.out.pair.accumulate)});
    finishResult(w, answer);
    w.out.effectiveBits = carries ? std::min(arrivingBits(w), w.bits) : w.bits;
    fillSlots(w);
    if (w.spec.remarks)
        for (const std::string& text : w.spec.remarks(w.params, w.out.operandShapes))
            w.remarks.push_back({Severity::Note, w.node.id, "", "remark", text, {}, ""});
    return true;
}

void Lowering::castToSlots(Work& w)
{
    for (const Slot slot : {Slot::Input, Slot::Weight}) {
        const SlotAsk ask = asked(w, slot);
        if (ask.kind != SlotAsk::Kind::Fixed)
            continue;
        for (std::size_t i = 0; i < w.spec.ports.size(); ++i)
            if (w.out.operands[i] >= 0 && isWeightSide(w.spec.ports[i].role) == (slot == Slot::Weight))
                castOperand(w, static_cast<int>(i), ask.dtype, false, "slot/" + std::string(slotName(slot)),
                            slotSentence(slot, ask));
    }
}

std::optional<DType> Lowering::askedCompute(const Work& w) const
{
    const SlotAsk ask = asked(w, Slot::Compute);
    if (ask.kind == SlotAsk::Kind::Inherited)
        return std::nullopt;
    if (ask.kind == SlotAsk::Kind::Fixed)
        return ask.dtype;
    std::optional<DType> best;
    for (const int step : w.out.operands) {
        if (step < 0)
            continue;
        const DType d = stepDType(step);
        const bool better = !best || (isFloat(d) && !isFloat(*best)) ||
                            (isFloat(d) == isFloat(*best) &&
                             (ask.kind == SlotAsk::Kind::Widest ? isWider(d, *best) : isWider(*best, d)));
        if (better)
            best = d;
    }
    return best;
}

// A bias is no factor: under tf32 it stays float32.
void Lowering::castToCompute(Work& w, DType compute)
{
    const SlotAsk ask = asked(w, Slot::Compute);
    for (std::size_t i = 0; i < w.spec.ports.size(); ++i) {
        const bool isAddend = w.spec.ports[i].role == PortRole::Bias && w.spec.role == OpRole::Contraction;
        if (w.out.operands[i] >= 0)
            castOperand(w, static_cast<int>(i), isAddend ? storageOf(compute) : compute, false, "slot/compute",
                        slotSentence(Slot::Compute, ask));
    }
}

bool Lowering::castByDialect(Work& w, DialectAnswer& answer)
{
    std::vector<int> ports;
    for (const bool weightSide : {false, true})
        for (std::size_t i = 0; i < w.spec.ports.size(); ++i)
            if (w.out.operands[i] >= 0 && isWeightSide(w.spec.ports[i].role) == weightSide)
                ports.push_back(static_cast<int>(i));
    std::vector<OperandInfo> infos;
    DialectQuery query;
    query.op = w.spec.name;
    query.role = w.spec.role;
    query.isLayer = w.spec.isLayer;
    for (const int p : ports) {
        const auto i = static_cast<std::size_t>(p);
        infos.push_back({stepDType(w.out.operands[i]), w.spec.ports[i].role});
        query.ownsWeights = query.ownsWeights || !m_in.graph.edgeInto(w.node.id, w.spec.ports[i].name);
    }
    query.operands = infos;
    query.layerDtype = w.node.layerDtype;
    query.floatx = m_in.floatx;
    query.name = w.node.name;
    answer = resolve(m_in.dialect, query);
    if (!answer.ok)
        return refuseMismatch(w, query, answer, ports);
    if (answer.separateBias)
        return refuse(w, "", "no-kernel",
                      std::string(m_in.dialect.title) + " adds " + std::string(w.spec.name) +
                          "'s bias as a step of its own in another dtype, which no backend here does",
                      {"compute-widest", "switch-dialect"});
    std::vector<int> warned;
    for (const CastDecision& c : answer.casts) {
        const int port = ports[static_cast<std::size_t>(c.operand)];
        const std::string name{w.spec.ports[static_cast<std::size_t>(port)].name};
        if (w.node.forbidCast.contains(name))
            return refuse(w, name, "forbid-cast",
                          w.node.name + "'s " + name + " refuses an implicit cast, and the rule of dialect " +
                              std::string(m_in.dialect.name) + " casts it from " + std::string(dtypeName(c.from)) +
                              " to " + std::string(dtypeName(c.to)),
                          {"insert-cast", "allow-cast", "switch-dialect"});
        castOperand(w, port, c.to, true, answer.rule, answer.sentence);
        if (!c.exact && std::find(warned.begin(), warned.end(), port) == warned.end()) {
            warned.push_back(port);
            warnOfLoss(w, port, c.from, c.to, answer);
        }
    }
    if (warned.empty() && !answer.warning.empty())
        w.remarks.push_back({Severity::Note,
                             w.node.id,
                             "",
                             answer.rule,
                             std::string(m_in.dialect.title) + " warns here, though nothing is lost",
                             {},
                             answer.warning});
    return true;
}

bool Lowering::choosePair(Work& w, DType multiply)
{
    const SlotAsk ask = asked(w, Slot::Accumulate);
    w.out.pair.multiply = multiply;
    w.out.pair.accumulate = !hasSlot(w.spec, Slot::Accumulate) ? multiply
                            : ask.kind == SlotAsk::Kind::Fixed ? ask.dtype
                            : w.spec.pairs == PairSet::Any     ? multiply
                                                               : defaultAccumulate(multiply);
    return pairAllowed(w.spec.pairs, w.out.pair) || refuseNoKernel(w, w.out.pair);
}

// From the accumulator to the output: one rounding, straight to what the output slot asks where it asks.
void Lowering::finishResult(Work& w, const DialectAnswer& answer)
{
    const SlotAsk ask = asked(w, Slot::Output);
    const bool isAsked = ask.kind == SlotAsk::Kind::Fixed;
    int value = w.out.outStep;
    if (!isAsked || !answer.resultCasts.empty()) {
        const DType rounded = answer.resultCasts.empty() ? answer.output : storageOf(answer.compute);
        value = addCast(w, "output", value, rounded, false, "output-rounding",
                        "The result is kept in " + std::string(dtypeName(stepDType(value))) +
                            " and rounded once to the output's dtype.");
    }
    for (const CastDecision& c : answer.resultCasts)
        if (c.operand < 0)
            value = addCast(w, "output", value, c.to, true, answer.rule, answer.sentence);
    if (isAsked)
        value = addCast(w, "output", value, ask.dtype, false, "slot/output", slotSentence(Slot::Output, ask));
    w.out.outStep = value;
    w.out.dtype = stepDType(value);
}

} // namespace engine
