// Lowering: graph + dialect + combo -> plan, node by node in topological order. What is wrong becomes a finding
// and refuses its node; what follows it is blocked; everything else is planned all the same.
#include "engine/plan/lowering.h"

#include <algorithm>

namespace engine {
namespace {

// The parameter a source node's values come from; null where the record has none.
const Source* valuesOf(const OpSpec& spec, const Params& params)
{
    for (const ParamSpec& p : spec.params)
        if (p.kind == ParamKind::Source)
            return &params.source(p.name);
    return nullptr;
}

DialectAnswer unchanged(DType dtype)
{
    DialectAnswer answer;
    answer.compute = answer.output = dtype;
    return answer;
}

} // namespace

Plan lower(const LowerInput& input)
{
    return Lowering(input).run();
}

const PlannedNode* Plan::find(NodeId id) const
{
    const auto it = std::find_if(nodes.begin(), nodes.end(), [&](const PlannedNode& n) { return n.id == id; });
    return it == nodes.end() ? nullptr : &*it;
}

Lowering::Lowering(const LowerInput& input) : m_in(input)
{
    m_plan.dialect = input.dialect.name;
    m_plan.combo = input.combo;
    m_plan.isa = input.isa;
    m_plan.overflow = input.dialect.overflow;
}

Plan Lowering::run()
{
    const std::vector<NodeId> order = m_in.graph.topologicalOrder();
    m_plan.nodes.reserve(order.size()); // nodes are referred to while they are lowered
    for (const NodeId id : order) {
        m_index[id] = m_plan.nodes.size();
        lowerNode(*m_in.graph.find(id));
    }
    return std::move(m_plan);
}

void Lowering::lowerNode(const Node& node)
{
    PlannedNode& out = m_plan.nodes.emplace_back();
    out.id = node.id;
    out.spec = m_in.ops.find(node.op);
    for (const Edge& e : edgesInto(node.id)) {
        const PlannedNode& from = m_plan.nodes[m_index.at(e.from)];
        out.blocked = out.blocked || from.refused || from.blocked;
    }
    if (out.blocked) {
        m_plan.ok = false;
        return;
    }
    if (!out.spec)
        return refuseNode(node, "unknown-op", "there is no op named \"" + node.op + "\" in this version",
                          {"remove-node"});
    const Result<Params> params = Params::check(out.spec->params, node.params, placeOf(node));
    if (!params)
        return refuseNode(node, "parameter", params.error().message, {"fix-parameter"});

    const std::size_t before = m_plan.steps.size();
    Work w{node, *out.spec, *params, out, kAllBits, {}};
    const std::size_t ports = out.spec->ports.size();
    out.arrived.assign(ports, -1);
    out.operands.assign(ports, -1);
    out.operandShapes.assign(ports, std::nullopt);
    out.arrives.assign(ports, std::nullopt);
    const bool done = node.muted && ports > 0 ? lowerMuted(node, out) : lowerKnown(w);
    if (!done) {
        m_plan.steps.resize(before);
        out.opStep = out.outStep = -1;
        out.operands.assign(ports, -1);
        for (int& step : out.arrived)
            step = step < static_cast<int>(before) ? step : -1;
        return;
    }
    m_plan.findings.insert(m_plan.findings.end(), w.remarks.begin(), w.remarks.end());
}

bool Lowering::lowerKnown(Work& w)
{
    if (!checkEdges(w) || !checkSlots(w))
        return false;
    if (w.spec.role == OpRole::Source)
        return lowerSource(w);
    if (!gather(w) || !shapes(w))
        return false;
    if (w.spec.role == OpRole::Cast)
        return lowerCastNode(w);
    storeOwned(w);
    return lowerOp(w);
}

bool Lowering::lowerSource(Work& w)
{
    const Source* values = valuesOf(w.spec, w.params);
    const bool fromArray = values && !values->arrayKey().empty() && m_in.sourceShape;
    // The caller knows arrays and which rows of them are asked for; without it the parameters say all.
    const Result<Shape> shape =
        m_in.sourceShape ? m_in.sourceShape(w.node, w.params) : w.spec.inferShape(w.params, w.out.operandShapes);
    if (!shape)
        return refuse(w, "", fromArray ? "source" : "shape", shape.error().message, {"fix-parameter"});
    if (values && !canGive(w, "output", *values, *shape))
        return false;
    const bool isWeights = w.spec.name == "weights";
    const SlotAsk own = asked(w, isWeights ? Slot::Weight : Slot::Input);
    const DType ofCombo = isWeights ? m_in.combo.weight : m_in.combo.input;
    PlanStep step;
    step.kind = StepKind::Source;
    step.node = w.node.id;
    step.port = "output";
    step.dtype = own.kind == SlotAsk::Kind::Fixed ? own.dtype : ofCombo;
    step.shape = *shape;
    w.out.shape = *shape;
    w.out.pair = {step.dtype, step.dtype};
    w.bits = significandBits(step.dtype);
    w.out.opStep = w.out.outStep = addStep(std::move(step));
    finishResult(w, unchanged(stepDType(w.out.opStep)));
    w.out.effectiveBits = w.bits;
    fillSlots(w);
    return true;
}

bool Lowering::lowerCastNode(Work& w)
{
    const std::optional<DType> to = dtypeFromName(w.params.text("to"));
    if (!to || !facts(*to).isStorage)
        return refuse(w, "", "parameter", "\"" + w.params.text("to") + "\" is not a storage dtype", {"fix-parameter"});
    const int value = w.out.arrived[0];
    w.out.operands = w.out.arrived;
    w.out.pair = {*to, *to};
    PlanStep step;
    step.kind = StepKind::Cast;
    step.node = w.node.id;
    step.port = "input";
    step.operands = {value};
    step.from = stepDType(value);
    step.dtype = *to;
    step.shape = w.out.shape;
    step.rule = "node";
    step.sentence = "A Cast node: it does what it says.";
    w.out.opStep = w.out.outStep = addStep(std::move(step));
    w.bits = significandBits(*to);
    finishResult(w, unchanged(*to));
    w.out.effectiveBits = std::min(arrivingBits(w), w.bits);
    fillSlots(w);
    return true;
}

bool Lowering::lowerMuted(const Node& node, PlannedNode& out)
{
    const PlannedNode* from = producer(node.id, out.spec->ports[0].name);
    if (!from) {
        refuseNode(node, "not-connected",
                   node.name + " is muted and its " + std::string(out.spec->ports[0].name) +
                       " is not connected: there is nothing to pass on",
                   {"connect", "remove-node"});
        return false;
    }
    out.muted = true;
    out.shape = from->shape;
    out.arrived[0] = out.operands[0] = out.opStep = out.outStep = from->outStep;
    out.operandShapes[0] = from->shape;
    out.arrives[0] = from->dtype;
    out.dtype = from->dtype;
    out.pair = {from->dtype, from->dtype};
    out.effectiveBits = from->effectiveBits;
    return true;
}

} // namespace engine
