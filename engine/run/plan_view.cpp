#include "engine/run/plan_view.h"

#include "engine/model/dialect.h"
#include "engine/reference/source_values.h"

#include <algorithm>

namespace engine {

namespace {

class ViewMaker {
public:
    ViewMaker(const Graph& graph, const Plan& plan) : m_graph(graph), m_plan(plan)
    {
        for (const PlannedNode& n : plan.nodes)
            m_planned[n.id] = &n;
        for (const Edge& e : graph.edges())
            m_edges[e.to].push_back(&e);
        for (const PlanStep& s : plan.steps)
            if (s.kind == StepKind::Cast)
                m_casts[s.node].push_back(&s);
    }
    std::map<NodeId, NodeView> nodes() const
    {
        std::map<NodeId, NodeView> views;
        for (const PlannedNode& n : m_plan.nodes)
            views.emplace(n.id, view(n));
        return views;
    }

private:
    NodeView view(const PlannedNode& planned) const;
    std::vector<PortView> ports(const PlannedNode& planned, const Node& node) const;
    void addCasts(PortView& port, const PlannedNode& planned) const;
    std::optional<DType> wired(const Edge& edge) const
    {
        const PlannedNode& from = *m_planned.at(edge.from);
        return from.refused || from.blocked ? std::nullopt : std::optional(from.dtype);
    }

    const Graph& m_graph;
    const Plan& m_plan;
    std::map<NodeId, std::vector<const Edge*>> m_edges; // into a node
    std::map<NodeId, const PlannedNode*> m_planned;
    std::map<NodeId, std::vector<const PlanStep*>> m_casts;
};

NodeView ViewMaker::view(const PlannedNode& planned) const
{
    const Node& node = *m_graph.find(planned.id);
    NodeView v;
    v.id = planned.id;
    v.shape = planned.shape;
    v.refused = planned.refused;
    v.blocked = planned.blocked;
    v.slots = planned.slots;
    for (const Slot s : kSlots) {
        const auto i = static_cast<std::size_t>(s);
        v.hasSlot[i] = planned.spec && hasSlot(*planned.spec, s);
        v.slots[i].asked = v.hasSlot[i] ? node.slot(s).text() : std::nullopt;
    }
    v.ports = ports(planned, node);
    if (!planned.refused && !planned.blocked) {
        v.dtype = planned.dtype;
        v.effectiveBits = planned.effectiveBits;
    }
    return v;
}

// Those of the record that the parameters switch on (all where those are invalid), and whatever is wired besides.
std::vector<PortView> ViewMaker::ports(const PlannedNode& planned, const Node& node) const
{
    static const std::vector<const Edge*> none;
    const auto wires = m_edges.find(node.id);
    const auto& edges = wires == m_edges.end() ? none : wires->second;
    const OpSpec* spec = planned.spec;
    // What runs has a step at each present port.
    const bool runs = !planned.refused && !planned.blocked && !planned.muted;
    const auto params = spec && !runs ? Params::check(spec->params, node.params, {}) : Result<Params>(Error{});
    std::vector<PortView> views;
    for (std::size_t i = 0; spec && i < spec->ports.size(); ++i) {
        const PortSpec& port = spec->ports[i];
        const auto edge =
            std::find_if(edges.begin(), edges.end(), [&](const Edge* e) { return e->toPort == port.name; });
        const bool isWired = edge != edges.end();
        const bool isPresent = runs     ? planned.arrived[i] >= 0
                               : params ? !spec->portPresent || spec->portPresent(*params, static_cast<int>(i))
                                        : true;
        if (!isWired && !isPresent)
            continue;
        PortView v;
        v.port = port.name;
        v.owned = !isWired && !port.source.empty();
        v.arrives = isWired ? wired(**edge) : i < planned.arrives.size() ? planned.arrives[i] : std::nullopt;
        if (i < planned.operands.size() && planned.operands[i] >= 0)
            v.used = m_plan.steps[static_cast<std::size_t>(planned.operands[i])].dtype;
        addCasts(v, planned);
        views.push_back(std::move(v));
    }
    for (const Edge* e : edges)
        if (!spec || portIndex(*spec, e->toPort) < 0) {
            PortView v;
            v.port = e->toPort;
            v.arrives = wired(*e);
            views.push_back(std::move(v));
        }
    return views;
}

// Exact: every dtype on the way holds all values of what arrives (up and down again loses nothing).
void ViewMaker::addCasts(PortView& port, const PlannedNode& planned) const
{
    const auto it = m_casts.find(planned.id);
    if (it == m_casts.end())
        return;
    for (const PlanStep* cast : it->second) {
        if (cast->port != port.port)
            continue;
        if (!port.isCast) {
            port.isCast = true;
            port.isImplicit = cast->implicit;
            port.rule = cast->rule;
            port.sentence = cast->sentence;
        }
        port.isExact = port.isExact && port.arrives && isExactCast(*port.arrives, cast->dtype);
        port.used = cast->dtype;
    }
}

} // namespace

Plan planFor(const RunRequest& request, const OpCatalog& ops, const DialectSpec& dialect, Combo combo, Isa isa)
{
    const auto batchOf = [&](const Node& node) { return node.op == "input" ? request.batch : std::nullopt; };
    LowerInput input{.graph = request.graph,
                     .ops = ops,
                     .dialect = dialect,
                     .combo = combo,
                     .floatx = request.floatx,
                     .isa = isa,
                     .sourceShape = {},
                     .checkSource = {}};
    input.sourceShape = [&](const Node& node, const Params& params) {
        return sourceShape(params, request.arrays, placeOf(node), batchOf(node));
    };
    input.checkSource = [&](const Node& node, std::string_view port, const Source& source, const Shape& shape) {
        return checkSource(source, shape, request.arrays, placeOf(node, port), batchOf(node));
    };
    return lower(input);
}

PlanView planView(const RunRequest& request, const OpCatalog& ops, const DialectCatalog& dialects,
                  const Configuration& configuration, Isa isa)
{
    PlanView view;
    view.dialect = configuration.dialect;
    view.combo = configuration.combo;
    const DialectSpec* dialect = dialects.find(configuration.dialect);
    if (!dialect) {
        view.ok = false;
        Finding unknown;
        unknown.severity = Severity::Error;
        unknown.rule = "dialect-unknown";
        unknown.message = "there is no dialect \"" + configuration.dialect + "\"";
        unknown.remedies = {"switch-dialect"};
        view.findings.push_back(std::move(unknown));
        return view;
    }
    const Plan plan = planFor(request, ops, *dialect, configuration.combo, isa);
    view.ok = plan.ok;
    view.findings = plan.findings;
    view.plan = plan.print(request.graph);
    view.nodes = ViewMaker(request.graph, plan).nodes();
    return view;
}

Planner makePlanner(const OpCatalog& ops, const DialectCatalog& dialects, Isa isa)
{
    return [&ops, &dialects, isa](const RunRequest& request, const Configuration& configuration) {
        return planView(request, ops, dialects, configuration, isa);
    };
}

} // namespace engine
