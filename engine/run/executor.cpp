#include "engine/run/executor.h"

#include "engine/run/scalar_weights.h"

#include <chrono>

namespace engine {

namespace {

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

DType scalarStorage(const Plan& plan, const Node& node)
{
    const SlotAsk ask = node.slot(Slot::Weight);
    return ask.kind == SlotAsk::Kind::Fixed ? storageOf(ask.dtype) : plan.combo.weight;
}

} // namespace

void PlanExecutor::makeKeys()
{
    for (const PlannedNode& n : m_plan.nodes)
        if (n.spec && !n.refused && !n.blocked)
            m_storedParams.emplace(n.id, roundScalarWeights(*n.spec, m_inputs.params.at(n.id),
                                                            scalarStorage(m_plan, *m_inputs.graph.find(n.id))));
    m_values.resize(m_plan.steps.size());
    for (std::size_t i = 0; i < m_plan.steps.size(); ++i)
        m_values[i].key = keyOf(m_plan.steps[i]);
}

ContentKey PlanExecutor::keyOf(const PlanStep& step) const
{
    switch (step.kind) {
    case StepKind::Source:
    case StepKind::Weight: {
        const std::string port = step.kind == StepKind::Source ? "output" : step.port;
        return KeyBuilder("store")
            .add(m_inputs.sourceKeys.at(step.node).at(port))
            .add(dtypeName(step.dtype))
            .add(static_cast<std::int64_t>(m_inputs.overflow))
            .key();
    }
    case StepKind::Cast:
        return KeyBuilder("cast")
            .add(this->step(step.operands[0]).key)
            .add(dtypeName(step.dtype))
            .add(static_cast<std::int64_t>(m_inputs.overflow))
            .key();
    case StepKind::Op:
        break;
    }
    KeyBuilder k("op");
    k.add(m_inputs.graph.find(step.node)->op).add(kernelParamText(m_storedParams.at(step.node)));
    k.add(step.pair.text()).add(std::int64_t{hasFma(m_plan.isa)}).add(step.shape);
    for (int o : step.operands)
        k.add(o < 0 ? ContentKey{} : this->step(o).key);
    return k.key();
}

Result<Tensor> PlanExecutor::compute(const PlanStep& step) const
{
    switch (step.kind) {
    case StepKind::Source:
    case StepKind::Weight: {
        const std::string port = step.kind == StepKind::Source ? "output" : step.port;
        return convertSource(m_inputs.sources.at(step.node).at(port), step.dtype, m_exec, m_inputs.overflow);
    }
    case StepKind::Cast:
        return convert(this->step(step.operands[0]).value, step.dtype, m_exec, m_inputs.overflow);
    case StepKind::Op:
        break;
    }
    std::vector<Tensor> operands;
    operands.reserve(step.operands.size());
    for (int o : step.operands)
        operands.push_back(o < 0 ? Tensor{} : this->step(o).value);
    const OpSpec& spec = *m_plan.find(step.node)->spec;
    if (!spec.cpu)
        return operands.front();
    return spec.cpu({m_storedParams.at(step.node), operands, step.pair, m_exec});
}

Status PlanExecutor::runStep(int index)
{
    StepValue& v = m_values[static_cast<std::size_t>(index)];
    const PlanStep& s = m_plan.steps[static_cast<std::size_t>(index)];
    if (m_exec.stopRequested())
        return Error{"stopped", {}, "the run was stopped", {}};
    if (const Tensor* cached = m_cache.find(v.key)) {
        v.value = *cached;
        v.reused = true;
        return success();
    }
    const auto start = std::chrono::steady_clock::now();
    const auto value = compute(s);
    if (m_exec.stopRequested())
        return Error{"stopped", {}, "the run was stopped", {}};
    if (!value)
        return value.error();
    v.value = *value;
    v.timeMs = millisecondsSince(start);
    m_cache.insert(v.key, v.value, v.value.bytes());
    return success();
}

} // namespace engine
