#include "engine/run/run_state.h"

#include "engine/reference/source_values.h"

namespace engine {

namespace {

bool isSourceNode(const OpSpec& spec)
{
    return spec.role == OpRole::Source;
}

} // namespace

RunState::RunState(const RunRequest& request, const OpCatalog& ops, RunCaches& caches)
    : m_request(request), m_ops(ops), m_caches(caches)
{
    for (const auto& [id, node] : request.graph.nodes())
        if (const OpSpec* spec = ops.find(node.op))
            if (auto checked = Params::check(spec->params, node.params, placeOf(node)))
                m_params.emplace(id, std::move(*checked));
    for (const auto& [name, array] : request.arrays)
        m_arrayKeys[name] = KeyBuilder("array")
                                .add(keyOfBytes({array.data.raw(), static_cast<std::size_t>(array.data.bytes())}))
                                .add(dtypeName(array.dtype))
                                .add(array.shape)
                                .add(std::int64_t{array.integerDepth})
                                .key();
}

const Source& RunState::sourceOf(NodeId id, const std::string& port) const
{
    const Params& params = m_params.at(id);
    if (port == "output")
        return params.source("value");
    const OpSpec& spec = *m_ops.find(m_request.graph.find(id)->op);
    return params.source(spec.ports[static_cast<std::size_t>(portIndex(spec, port))].source);
}

void RunState::addPlan(const Plan& plan)
{
    for (const PlannedNode& n : plan.nodes)
        if (!n.refused && !n.blocked)
            m_planned.try_emplace(n.id, n);
    for (const PlanStep& step : plan.steps) {
        if (step.kind != StepKind::Source && step.kind != StepKind::Weight)
            continue;
        const std::string port = step.kind == StepKind::Source ? "output" : step.port;
        auto& keys = m_sourceKeys[step.node];
        if (keys.contains(port))
            continue;
        const Source& source = sourceOf(step.node, port);
        KeyBuilder k("source");
        k.add(paramToJson(source)).add(step.shape);
        if (const auto it = m_arrayKeys.find(source.arrayKey()); it != m_arrayKeys.end())
            k.add(it->second);
        if (m_request.batch && port == "output")
            k.add(m_request.batch->first).add(m_request.batch->second);
        keys[port] = k.key();
        m_plannedSources.push_back({step.node, port, step.shape});
    }
}

Status RunState::makeSources(const Exec& exec)
{
    for (const PlannedSource& s : m_plannedSources) {
        const Node& node = *m_request.graph.find(s.node);
        const Batch batch = node.op == "input" ? m_request.batch : Batch{};
        auto values =
            sourceValues(sourceOf(s.node, s.port), s.shape, m_request.arrays, placeOf(node, s.port), exec, batch);
        if (exec.stopRequested())
            return Error{"stopped", {}, "the run was stopped", {}};
        if (!values)
            return values.error();
        m_sources[s.node][s.port] = std::move(*values);
    }
    return success();
}

ContentKey RunState::operandKey(const PlannedNode& node, const PortSpec& port) const
{
    if (const Edge* e = m_request.graph.edgeInto(node.id, port.name))
        return referenceKey(e->from);
    const auto it = m_sourceKeys.find(node.id);
    if (it == m_sourceKeys.end() || !it->second.contains(std::string(port.name)))
        return {};
    return it->second.at(std::string(port.name));
}

DDTensor RunState::operandValue(const PlannedNode& node, const PortSpec& port) const
{
    if (const Edge* e = m_request.graph.edgeInto(node.id, port.name)) {
        const ReferenceNode* from = reference(e->from);
        return from ? from->output : DDTensor{};
    }
    const auto it = m_sources.find(node.id);
    if (it == m_sources.end() || !it->second.contains(std::string(port.name)))
        return {};
    return it->second.at(std::string(port.name));
}

Result<std::shared_ptr<const ReferenceNode>> RunState::referenceNode(const PlannedNode& node, ContentKey key,
                                                                     const Exec& exec)
{
    if (isSourceNode(*node.spec)) {
        auto source = std::make_shared<ReferenceNode>();
        source->output = m_sources.at(node.id).at("output");
        return std::shared_ptr<const ReferenceNode>(std::move(source));
    }
    if (const auto* cached = m_caches.reference.find(key)) {
        m_referenceReused = true;
        return *cached;
    }
    m_referenceMade = true;
    std::vector<DDTensor> operands;
    for (const PortSpec& port : node.spec->ports)
        operands.push_back(operandValue(node, port));
    auto made = referenceOf(*node.spec, m_params.at(node.id), std::move(operands), node.muted, exec);
    if (exec.stopRequested()) // what a stopped kernel leaves is not kept
        return Error{"stopped", {}, "the run was stopped", {}};
    if (!made)
        return made.error();
    auto shared = std::make_shared<const ReferenceNode>(std::move(*made));
    std::int64_t bytes = shared->output.bytes() + (shared->magnitudes.isNull() ? 0 : shared->magnitudes.bytes());
    m_caches.reference.insert(key, shared, bytes);
    return shared;
}

Status RunState::makeReference(const Exec& exec, const std::function<void(const std::string&)>& onNode)
{
    for (NodeId id : m_request.graph.topologicalOrder()) {
        const auto it = m_planned.find(id);
        if (it == m_planned.end())
            continue;
        const PlannedNode& node = it->second;
        onNode(m_request.graph.find(id)->name);
        ContentKey key;
        if (isSourceNode(*node.spec)) {
            key = m_sourceKeys.at(id).at("output");
        } else {
            KeyBuilder k("reference");
            k.add(node.spec->name).add(kernelParamText(m_params.at(id))).add(node.shape).add(std::int64_t{node.muted});
            k.add(std::int64_t{hasFma(exec.isa())});
            for (const PortSpec& port : node.spec->ports)
                k.add(operandKey(node, port));
            key = k.key();
        }
        auto made = referenceNode(node, key, exec);
        if (exec.stopRequested())
            return Error{"stopped", {}, "the run was stopped", {}};
        if (!made)
            return made.error();
        m_reference[id] = std::move(*made);
        m_referenceKeys[id] = key;
    }
    return success();
}

const ReferenceNode* RunState::reference(NodeId id) const
{
    const auto it = m_reference.find(id);
    return it == m_reference.end() ? nullptr : it->second.get();
}

ContentKey RunState::referenceKey(NodeId id) const
{
    const auto it = m_referenceKeys.find(id);
    return it == m_referenceKeys.end() ? ContentKey{} : it->second;
}

std::int64_t RunState::referenceBytes() const
{
    std::int64_t bytes = 0;
    for (const PlannedSource& s : m_plannedSources)
        bytes += 8 * s.shape.elements();
    for (const auto& [id, node] : m_planned) {
        if (isSourceNode(*node.spec) || node.spec->role == OpRole::Move || node.muted)
            continue;
        bytes += node.shape.elements() * (node.spec->role == OpRole::Contraction ? 24 : 16);
    }
    return bytes;
}

} // namespace engine
