// The words of what goes wrong or gets lost while a graph is lowered, with the remedies that would help there.
#include "engine/plan/lowering.h"

#include <algorithm>

namespace engine {

bool Lowering::refuse(Work& w, std::string port, std::string rule, std::string message,
                      std::vector<std::string> remedies)
{
    w.out.refused = true;
    m_plan.ok = false;
    m_plan.findings.push_back(
        {Severity::Error, w.node.id, std::move(port), std::move(rule), std::move(message), std::move(remedies), ""});
    return false;
}

void Lowering::refuseNode(const Node& node, std::string rule, std::string message, std::vector<std::string> remedies)
{
    m_plan.nodes.back().refused = true;
    m_plan.ok = false;
    m_plan.findings.push_back(
        {Severity::Error, node.id, "", std::move(rule), std::move(message), std::move(remedies), ""});
}

bool Lowering::refuseMismatch(Work& w, const DialectQuery& query, const DialectAnswer& answer,
                              const std::vector<int>& ports)
{
    const auto nameOf = [&](int operand) {
        return w.spec.ports[static_cast<std::size_t>(ports[static_cast<std::size_t>(operand)])].name;
    };
    const std::string_view other = nameOf(answer.mismatchOperand);
    std::vector<std::string> remedies;
    if (hasSlot(w.spec, Slot::Compute))
        remedies = {"compute-widest", "compute-narrowest"};
    remedies.insert(remedies.end(), {"insert-cast", "switch-dialect"});
    refuse(w, std::string(other), answer.rule, mismatchSentence(m_in.dialect, query, answer, nameOf(0), other),
           std::move(remedies));
    if (!answer.messages.empty())
        m_plan.findings.back().frameworkMessage = answer.messages.front().second;
    return false;
}

void Lowering::warnOfLoss(Work& w, int port, DType from, DType to, const DialectAnswer& answer)
{
    const std::string name{w.spec.ports[static_cast<std::size_t>(port)].name};
    const std::string op{w.spec.name}, source{dtypeName(from)}, target{dtypeName(to)};
    const std::string said =
        answer.warning.empty() ? ", and the framework says nothing" : ", and the framework warns of it";
    const bool byLayer = m_in.dialect.behaviour == Behaviour::CastToLayer && w.spec.isLayer;
    Finding f{Severity::Warning, w.node.id, name, answer.rule, "", {}, answer.warning};
    f.message = byLayer
                    ? op + "'s layer dtype is " + target + ": its " + source + " " + name +
                          (isFloat(from) ? " was narrowed" : " was cast to it, which does not hold every value") + said
                    : op + ": its " + source + " " + name + " was cast to " + target + ", which holds less" + said;
    if (byLayer)
        f.remedies = {"set-layer-dtype", "set-floatx"};
    f.remedies.insert(f.remedies.end(), {"insert-cast", "switch-dialect"});
    w.remarks.push_back(std::move(f));
}

bool Lowering::refuseNoKernel(Work& w, ComputePair pair)
{
    std::string possible;
    const auto add = [&](ComputePair p) {
        const std::string text = p.multiply == p.accumulate && !hasSlot(w.spec, Slot::Accumulate)
                                     ? std::string(dtypeName(p.multiply))
                                     : "(" + p.text() + ")";
        if (pairAllowed(w.spec.pairs, p))
            possible += (possible.empty() ? "" : " ") + text;
    };
    if (w.spec.pairs == PairSet::Contraction || w.spec.pairs == PairSet::Reduction)
        std::for_each(computePairs().begin(), computePairs().end(), add);
    else
        for (const DTypeFacts& d : allDTypes())
            add({d.dtype, d.dtype});
    const bool hasOwnSlot =
        std::any_of(kSlots.begin(), kSlots.end(), [&](Slot s) { return asked(w, s).kind != SlotAsk::Kind::Inherited; });
    std::vector<std::string> remedies{"insert-cast"};
    if (hasSlot(w.spec, Slot::Compute))
        remedies.insert(remedies.begin(), "set-compute");
    if (hasOwnSlot)
        remedies.insert(remedies.begin(), "clear-slot");
    return refuse(w, "", "no-kernel",
                  std::string(w.spec.name) + " has no kernel for " +
                      (hasSlot(w.spec, Slot::Accumulate) ? "(" + pair.text() + "), multiply and accumulate"
                                                         : std::string(dtypeName(pair.multiply))) +
                      "; it has " + possible,
                  std::move(remedies));
}

} // namespace engine
