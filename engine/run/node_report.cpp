#include "engine/run/node_report.h"

#include "engine/run/scalar_weights.h"

#include <cmath>

namespace engine {

namespace {

constexpr std::string_view kOutputRounding = "output-rounding";

bool isReportedCast(const PlanStep& s)
{
    return s.kind == StepKind::Cast && s.rule != kOutputRounding;
}

} // namespace

std::vector<int> NodeReporter::stepsOf(NodeId id) const
{
    std::vector<int> steps;
    for (std::size_t i = 0; i < m_plan.steps.size(); ++i)
        if (m_plan.steps[i].node == id)
            steps.push_back(static_cast<int>(i));
    return steps;
}

ContentKey NodeReporter::nodeKey(const PlannedNode& node, std::string_view what) const
{
    KeyBuilder k(what);
    for (int s : stepsOf(node.id))
        k.add(m_run.step(s).key).add(m_plan.steps[static_cast<std::size_t>(s)].port);
    for (int s : node.arrived)
        k.add(s < 0 ? ContentKey{} : m_run.step(s).key);
    // The same key gives the same error only against the same reference.
    k.add(m_state.referenceKey(node.id)).add(std::int64_t{m_state.request().keepStages});
    k.add(m_run.step(node.outStep).key);
    return k.key();
}

std::shared_ptr<const NodeMeasure> NodeReporter::measured(const PlannedNode& node) const
{
    const ContentKey key = nodeKey(node, "measure");
    if (const auto* cached = m_state.caches().measures.find(key))
        return *cached;
    auto m = std::make_shared<NodeMeasure>();
    const Tensor& out = m_run.step(node.outStep).value;
    const ReferenceNode* reference = m_state.reference(node.id);
    if (reference && !reference->output.isNull())
        m->error = measure(out, reference->output, reference->magnitudes, m_exec);
    for (int index : stepsOf(node.id)) {
        const PlanStep& s = m_plan.steps[static_cast<std::size_t>(index)];
        const Tensor& value = m_run.step(index).value;
        if (isReportedCast(s)) {
            CastReport report = measureCast(m_run.step(s.operands[0]).value, value, m_exec);
            report.port = s.port;
            report.from = s.from;
            report.to = s.dtype;
            report.implicit = s.implicit;
            report.rule = s.rule;
            report.sentence = s.sentence;
            m->casts.push_back(std::move(report));
        } else if (s.kind == StepKind::Source || s.kind == StepKind::Weight) {
            const std::string port = s.kind == StepKind::Source ? "output" : s.port;
            StoredReport report = measureStored(m_state.sources().at(node.id).at(port), value, m_exec);
            report.port = port;
            report.to = s.dtype;
            m->stored.push_back(std::move(report));
        }
    }
    m->health = healthOf(out, m_exec);
    m->valueBits = isFloat(out.dtype()) ? valueBits(out, m_exec) : 0;
    std::shared_ptr<const NodeMeasure> sealed = std::move(m);
    if (!m_exec.stopRequested())
        m_state.caches().measures.insert(key, sealed, std::int64_t{sizeof(NodeMeasure)} + 512);
    return sealed;
}

NodeResult NodeReporter::describe(const PlannedNode& node) const
{
    NodeResult r;
    const Node& n = *m_state.request().graph.find(node.id);
    r.id = node.id;
    r.name = n.name;
    r.op = n.op;
    r.shape = node.shape;
    r.slots = node.slots;
    for (Slot s : kSlots)
        r.hasSlot[static_cast<std::size_t>(s)] = hasSlot(*node.spec, s);
    r.dtype = node.dtype;
    r.effectiveBits = node.effectiveBits;
    if (node.spec->kernelName && !node.muted)
        r.kernel = node.spec->kernelName(m_state.params().at(node.id), node.pair, m_plan.isa);
    for (int s : stepsOf(node.id))
        r.timeMs += m_run.step(s).timeMs;
    r.reused = m_run.step(node.outStep).reused;
    r.output = m_run.step(node.outStep).value;
    r.bytes = r.output.bytes();
    for (std::size_t p = 0; p < node.operands.size(); ++p)
        if (node.operands[p] >= 0 && node.operands[p] != node.arrived[p])
            r.castOperands.push_back({std::string(node.spec->ports[p].name), m_run.step(node.operands[p]).value});
    const auto m = measured(node);
    r.error = m->error;
    r.casts = m->casts;
    r.stored = m->stored;
    r.health = m->health;
    r.valueBits = m->valueBits;
    return r;
}

Result<AttributionOutput> NodeReporter::attributed(const PlannedNode& node, const ReferenceNode& reference) const
{
    const bool isSource = node.spec->role == OpRole::Source;
    std::vector<Tensor> arrived, cast;
    std::vector<char> owned;
    for (std::size_t p = 0; p < node.operands.size(); ++p) {
        const int a = node.arrived[p], c = node.operands[p];
        arrived.push_back(a < 0 ? Tensor{} : m_run.step(a).value);
        cast.push_back(c < 0 ? Tensor{} : m_run.step(c).value);
        const bool isOwned = a >= 0 && m_plan.steps[static_cast<std::size_t>(a)].kind == StepKind::Weight &&
                             m_plan.steps[static_cast<std::size_t>(a)].node == node.id;
        owned.push_back(isOwned ? 1 : 0);
    }
    const Params& params = m_state.params().at(node.id);
    const Params& stored = m_run.storedParams(node.id);
    const Params used = roundScalarWeights(*node.spec, stored, node.pair.multiply);
    const bool hasBound = node.spec->reductionLength && !node.muted;
    const AttributionInput input{
        .spec = *node.spec,
        .params = params,
        .reference = reference.operands,
        .arrived = arrived,
        .cast = cast,
        .before = m_run.step(node.opStep).value,
        .after = m_run.step(node.outStep).value,
        .referenceOutput = reference.output,
        .pair = node.pair,
        .reductionLength = hasBound ? node.spec->reductionLength(params, node.operandShapes) : 0,
        .exec = m_exec,
        .keep = m_state.request().keepStages,
        .isSource = isSource,
        .isCastNode = node.spec->role == OpRole::Cast,
        .owned = owned,
        .passesThrough = node.muted,
        .storedParams = &stored,
        .castParams = &used,
    };
    auto made = attribute(input);
    if (made && m_exec.stopRequested())
        return Error{"stopped", {}, "the run was stopped", {}};
    return made;
}

Status NodeReporter::addStages(const PlannedNode& node, NodeResult& result) const
{
    const ReferenceNode* reference = m_state.reference(node.id);
    if (!reference || reference->output.isNull())
        return success();
    const ContentKey key = nodeKey(node, "stages");
    const auto* cached = m_state.caches().stages.find(key);
    std::shared_ptr<const AttributionOutput> stages = cached ? *cached : nullptr;
    if (!stages) {
        auto made = attributed(node, *reference);
        if (!made)
            return made.error();
        stages = std::make_shared<const AttributionOutput>(std::move(*made));
        std::int64_t bytes = std::int64_t{sizeof(AttributionOutput)};
        for (const Tensor& t : stages->stages.signedStages)
            bytes += t.isNull() ? 0 : t.bytes();
        m_state.caches().stages.insert(key, stages, bytes);
    }
    result.stagesExcluded = stages->stages.excluded;
    if (stages->stages.excluded < result.output.elements())
        result.stages = stages->stages;
    result.bound = stages->bound;
    return success();
}

std::optional<std::vector<std::int64_t>> topOne(const Tensor& output)
{
    if (output.isNull() || output.shape().rank() != 2 || output.shape()[1] == 0)
        return std::nullopt;
    std::vector<std::int64_t> top;
    const std::int64_t columns = output.shape()[1];
    for (std::int64_t row = 0; row < output.shape()[0]; ++row) {
        std::int64_t best = 0;
        double bestValue = elementAsDouble(output, row * columns);
        for (std::int64_t c = 1; c < columns && !std::isnan(bestValue); ++c) {
            const double v = elementAsDouble(output, row * columns + c);
            if (v > bestValue || std::isnan(v)) {
                best = c;
                bestValue = v;
            }
        }
        top.push_back(best);
    }
    return top;
}

} // namespace engine
