// The plan's steps while an op is lowered: adding one, keeping count of the significand, and what each slot ran.
#include "engine/plan/lowering.h"

#include <algorithm>

namespace engine {

void Lowering::fillSlots(Work& w) const
{
    const auto ranOf = [&](Slot slot) -> std::optional<DType> {
        if (slot == Slot::Compute || slot == Slot::Accumulate)
            return slot == Slot::Compute ? w.out.pair.multiply : w.out.pair.accumulate;
        if (slot == Slot::Output)
            return w.out.dtype;
        if (w.spec.role == OpRole::Source)
            return stepDType(w.out.opStep);
        for (std::size_t i = 0; i < w.spec.ports.size(); ++i)
            if (w.out.operands[i] >= 0 && (w.spec.ports[i].role != PortRole::Activation) == (slot == Slot::Weight))
                return stepDType(w.out.operands[i]);
        return std::nullopt;
    };
    for (const Slot slot : kSlots)
        if (hasSlot(w.spec, slot))
            w.out.slots[static_cast<std::size_t>(slot)] = {w.node.slot(slot).text(), ranOf(slot)};
}

void Lowering::castOperand(Work& w, int port, DType to, bool implicit, std::string rule, std::string sentence)
{
    int& value = w.out.operands[static_cast<std::size_t>(port)];
    value = addCast(w, std::string(w.spec.ports[static_cast<std::size_t>(port)].name), value, to, implicit,
                    std::move(rule), std::move(sentence));
}

int Lowering::addCast(Work& w, std::string port, int value, DType to, bool implicit, std::string rule,
                      std::string sentence)
{
    if (stepDType(value) == to)
        return value;
    PlanStep step;
    step.kind = StepKind::Cast;
    step.node = w.node.id;
    step.port = std::move(port);
    step.operands = {value};
    step.from = stepDType(value);
    step.dtype = to;
    step.shape = m_plan.steps[static_cast<std::size_t>(value)].shape;
    step.implicit = implicit;
    step.rule = std::move(rule);
    step.sentence = std::move(sentence);
    w.bits = std::min(w.bits, significandBits(to));
    return addStep(std::move(step));
}

int Lowering::addStep(PlanStep step)
{
    m_plan.steps.push_back(std::move(step));
    return static_cast<int>(m_plan.steps.size()) - 1;
}

int Lowering::arrivingBits(const Work& w) const
{
    int bits = kAllBits;
    for (std::size_t i = 0; i < w.spec.ports.size(); ++i)
        if (const PlannedNode* from = producer(w.node.id, w.spec.ports[i].name); from && w.out.arrived[i] >= 0)
            bits = std::min(bits, from->effectiveBits);
    return bits;
}

} // namespace engine
