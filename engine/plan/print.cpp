// A plan as text: one step a line, aligned and stable, with the pair, the order of every sum and whether FMA was
// there, so that golden files and people can read it.
#include "engine/plan/plan.h"

#include <algorithm>

namespace engine {
namespace {

// Design 3.3; by op, because the order is the kernels' and no dialect's.
std::string_view sumOrder(const OpSpec& spec)
{
    if (spec.name == "conv2d")
        return "sum over kh, c/16, kw, c%16";
    if (spec.role == OpRole::Contraction)
        return "sum over the inner dimension in order";
    if (spec.role == OpRole::Reduction && hasSlot(spec, Slot::Accumulate))
        return spec.name == "batch_normalization" ? "rounded once" : "sum in row-major order";
    return {};
}

std::string value(int step)
{
    return "%" + std::to_string(step);
}

std::string opText(const Plan& plan, const PlanStep& step, const OpSpec& spec)
{
    std::string text{spec.name};
    for (const int operand : step.operands)
        text += operand < 0 ? " -" : " " + value(operand);
    text += " -> " + std::string(dtypeName(step.dtype)) + " " + step.shape.text() + ", (" + step.pair.text() + ")";
    if (const std::string_view order = sumOrder(spec); !order.empty())
        text += ", " + std::string(order);
    if (spec.role == OpRole::Contraction)
        text += hasFma(plan.isa) ? ", fma" : ", no fma";
    return text;
}

std::string stepText(const Plan& plan, const PlanStep& step, const OpSpec* spec)
{
    const std::string dtype{dtypeName(step.dtype)};
    switch (step.kind) {
    case StepKind::Source:
        return "source " + dtype + " " + step.shape.text();
    case StepKind::Weight:
        return "weight " + dtype + " " + step.shape.text();
    case StepKind::Cast:
        return "cast " + value(step.operands[0]) + " " + std::string(dtypeName(step.from)) + " -> " + dtype;
    case StepKind::Op:
        break;
    }
    return opText(plan, step, *spec);
}

std::string placeText(const Graph& graph, const PlanStep& step)
{
    const Node* node = graph.find(step.node);
    std::string text = "node " + std::to_string(step.node.value) + (node ? " " + node->name : "");
    if (!step.port.empty() && step.kind != StepKind::Source)
        text += "." + step.port;
    return step.rule.empty() ? text : text + ", " + step.rule + (step.implicit ? ", implicit" : "");
}

} // namespace

std::string Plan::print(const Graph& graph) const
{
    std::string text = "plan " + dialect + " " + combo.text() + ", " + std::string(isaName(isa)) +
                       (hasFma(isa) ? " with FMA\n" : " without FMA\n");
    std::map<NodeId, const OpSpec*> specs;
    for (const PlannedNode& n : nodes)
        specs[n.id] = n.spec;
    std::vector<std::string> left;
    std::size_t width = 0;
    const std::size_t digits = value(static_cast<int>(steps.size())).size();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::string name = value(static_cast<int>(i));
        left.push_back(name + std::string(digits - std::min(digits, name.size()), ' ') + " = " +
                       stepText(*this, steps[i], specs[steps[i].node]));
        width = std::max(width, left.back().size());
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        text += left[i] + std::string(width - left[i].size(), ' ') + "  # " + placeText(graph, steps[i]) + "\n";
    for (const PlannedNode& n : nodes) {
        const Node* node = graph.find(n.id);
        const std::string place = "node " + std::to_string(n.id.value) + (node ? " " + node->name : "");
        if (n.refused || n.blocked)
            text += place + (n.refused ? ": refused" : ": blocked by a refusal before it") + "\n";
        else if (n.muted)
            text += place + ": muted, passes " + value(n.outStep) + "\n";
        else
            text += place + ": " + value(n.outStep) + " " + std::string(dtypeName(n.dtype)) + ", " +
                    std::to_string(n.effectiveBits) + " effective bits\n";
    }
    for (const Finding& f : findings) {
        static constexpr std::array<std::string_view, 3> kNames{"note", "warning", "error"};
        text += std::string(kNames[static_cast<std::size_t>(f.severity)]) + ": node " + std::to_string(f.node.value) +
                (f.port.empty() ? "" : "." + f.port) + ", " + f.rule + ": " + f.message + "\n";
    }
    return text;
}

} // namespace engine
