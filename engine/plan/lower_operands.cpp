// The operands of one node: what arrives by wire, what the layer owns and stores, and the shapes of all of it.
#include "engine/plan/lowering.h"

#include <algorithm>

namespace engine {
namespace {

bool isOwnable(const PortSpec& port)
{
    return !port.source.empty();
}

} // namespace

std::span<const Edge> Lowering::edgesInto(NodeId id) const
{
    const std::vector<Edge>& edges = m_in.graph.edges(); // sorted by where they end
    const auto first = std::partition_point(edges.begin(), edges.end(), [&](const Edge& e) { return e.to < id; });
    const auto last = std::partition_point(first, edges.end(), [&](const Edge& e) { return e.to == id; });
    return {first, last};
}

// Edges into ports that the record does not have, or that its parameters switch off.
bool Lowering::checkEdges(Work& w)
{
    bool good = true;
    for (const Edge& e : edgesInto(w.node.id)) {
        const int port = portIndex(w.spec, e.toPort);
        if (port < 0)
            good = refuse(w, e.toPort, "port-unknown", std::string(w.spec.name) + " has no port named " + e.toPort,
                          {"disconnect"});
        else if (!isPresent(w, port))
            w.remarks.push_back({Severity::Warning,
                                 w.node.id,
                                 e.toPort,
                                 "port-unused",
                                 w.node.name + "'s " + e.toPort + " is wired, and its parameters switch it off",
                                 {"fix-parameter", "disconnect"},
                                 ""});
    }
    return good;
}

const PlannedNode* Lowering::producer(NodeId to, std::string_view port) const
{
    const Edge* edge = m_in.graph.edgeInto(to, port);
    return edge ? &m_plan.nodes[m_index.at(edge->from)] : nullptr;
}

bool Lowering::isPresent(const Work& w, int port) const
{
    return !w.spec.portPresent || w.spec.portPresent(w.params, port);
}

// What arrives at each port; a free port that the layer cannot own is not connected.
bool Lowering::gather(Work& w)
{
    bool complete = true;
    for (std::size_t i = 0; i < w.spec.ports.size(); ++i) {
        const PortSpec& port = w.spec.ports[i];
        if (!isPresent(w, static_cast<int>(i)))
            continue;
        if (const PlannedNode* from = producer(w.node.id, port.name)) {
            w.out.arrived[i] = from->outStep;
            w.out.operandShapes[i] = from->shape;
            w.out.arrives[i] = from->dtype;
        } else if (!isOwnable(port)) {
            complete = refuse(w, std::string(port.name), "not-connected",
                              w.node.name + "'s " + std::string(port.name) + " is not connected", {"connect"});
        }
    }
    return complete;
}

// Whether the source's values fill the shape.
bool Lowering::canGive(Work& w, std::string_view port, const Source& source, const Shape& shape)
{
    const Status status = m_in.checkSource ? m_in.checkSource(w.node, port, source, shape) : success();
    const std::string place{port == "output" ? std::string_view{} : port};
    return status.ok() || refuse(w, place, "source", status.error().message, {"fix-parameter"});
}

bool Lowering::shapes(Work& w)
{
    std::vector<Shape> activations;
    for (std::size_t i = 0; i < w.spec.ports.size(); ++i)
        if (w.spec.ports[i].role == PortRole::Activation && w.out.operandShapes[i])
            activations.push_back(*w.out.operandShapes[i]);
    for (std::size_t i = 0; i < w.spec.ports.size(); ++i) {
        if (w.out.operandShapes[i] || !isPresent(w, static_cast<int>(i)) || !w.spec.weightShape)
            continue;
        const Result<Shape> own = w.spec.weightShape(w.params, activations, static_cast<int>(i));
        if (!own)
            return refuse(w, "", "shape", own.error().message, {"fix-parameter"});
        if (const Result<std::int64_t> n = checkedElements(*own); !n)
            return refuse(w, std::string(w.spec.ports[i].name), "shape", n.error().message, {"fix-parameter"});
        w.out.operandShapes[i] = *own;
        if (!canGive(w, w.spec.ports[i].name, w.params.source(w.spec.ports[i].source), *own))
            return false;
    }
    const Result<Shape> shape = w.spec.inferShape(w.params, w.out.operandShapes);
    if (!shape)
        return refuse(w, "", "shape", shape.error().message, {"fix-parameter"});
    if (const Result<std::int64_t> n = checkedElements(*shape); !n)
        return refuse(w, "", "shape", n.error().message, {"fix-parameter"});
    w.out.shape = *shape;
    return true;
}

// What the weight slot asks, else the combo's; a bias has the weight's dtype, also where that arrives by wire.
DType Lowering::ownedDType(const Work& w, int port) const
{
    const SlotAsk own = asked(w, Slot::Weight);
    if (own.kind == SlotAsk::Kind::Fixed)
        return own.dtype;
    if (w.spec.ports[static_cast<std::size_t>(port)].role == PortRole::Bias)
        for (std::size_t i = 0; i < w.spec.ports.size(); ++i)
            if (w.spec.ports[i].role == PortRole::Weight && w.out.arrived[i] >= 0)
                return stepDType(w.out.arrived[i]);
    return m_in.combo.weight;
}

void Lowering::storeOwned(Work& w)
{
    for (std::size_t i = 0; i < w.spec.ports.size(); ++i) {
        if (w.out.arrived[i] >= 0 || !w.out.operandShapes[i])
            continue;
        PlanStep step;
        step.kind = StepKind::Weight;
        step.node = w.node.id;
        step.port = w.spec.ports[i].name;
        step.dtype = ownedDType(w, static_cast<int>(i));
        step.shape = *w.out.operandShapes[i];
        w.out.arrives[i] = step.dtype;
        w.out.arrived[i] = addStep(std::move(step));
    }
}

} // namespace engine
