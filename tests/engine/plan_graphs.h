// What the plan tests share: a small graph builder, the second article's network, a LeNet, and casts and findings
// of a plan as short texts.
#pragma once

#include "engine/dialects/dialects.h"
#include "engine/ops/ops.h"
#include "engine/plan/plan.h"

#include <initializer_list>
#include <stdexcept>

namespace engine::testing {

class GraphBuilder {
public:
    NodeId add(std::string name, std::string op, ParamMap params = {})
    {
        Node n;
        n.id = graph.freshId();
        n.name = std::move(name);
        n.op = std::move(op);
        n.params = std::move(params);
        check(graph.addNode(n));
        return n.id;
    }
    // The node after `from`, wired to its first port.
    NodeId then(NodeId from, std::string name, std::string op, ParamMap params = {})
    {
        const NodeId id = add(std::move(name), std::move(op), std::move(params));
        wire(from, id, "input");
        return id;
    }
    void wire(NodeId from, NodeId to, std::string port) { check(graph.addEdge({from, "output", to, std::move(port)})); }
    template <class Change> void change(NodeId id, Change edit)
    {
        Node n = *graph.find(id);
        edit(n);
        check(graph.replaceNode(n));
    }
    void ask(NodeId id, Slot slot, SlotAsk what)
    {
        change(id, [&](Node& n) { n.slots[static_cast<std::size_t>(slot)] = what; });
    }
    Graph graph;

private:
    static void check(const Status& s)
    {
        if (!s)
            throw std::logic_error(s.error().text());
    }
};

inline constexpr SlotAsk kWidest{SlotAsk::Kind::Widest, DType::f32};
inline constexpr SlotAsk kNarrowest{SlotAsk::Kind::Narrowest, DType::f32};

inline Source generated(std::string name)
{
    Source s;
    s.generator = std::move(name);
    return s;
}

// [2,28,28,1], 32 filters 3x3, SAME.
inline GraphBuilder secondArticle()
{
    GraphBuilder b;
    const NodeId image = b.add("image", "input", {{"shape", IntList{2, 28, 28, 1}}});
    const NodeId conv = b.then(image, "conv1", "conv2d", {{"filters", std::int64_t{32}}, {"padding", "same"}});
    b.then(conv, "result", "output");
    return b;
}

inline GraphBuilder leNet()
{
    GraphBuilder b;
    NodeId at = b.add("digits", "input", {{"shape", IntList{32, 28, 28, 1}}});
    const ParamMap conv1{{"filters", std::int64_t{6}}, {"kernel_size", IntList{5, 5}}, {"padding", "same"}};
    const ParamMap conv2{{"filters", std::int64_t{16}}, {"kernel_size", IntList{5, 5}}};
    at = b.then(at, "conv1", "conv2d", conv1);
    at = b.then(at, "relu1", "relu");
    at = b.then(at, "pool1", "average_pooling2d");
    at = b.then(at, "conv2", "conv2d", conv2);
    at = b.then(at, "relu2", "relu");
    at = b.then(at, "pool2", "max_pooling2d");
    at = b.then(at, "flatten", "flatten");
    at = b.then(at, "fc1", "dense", {{"units", std::int64_t{84}}});
    at = b.then(at, "relu3", "relu");
    at = b.then(at, "fc2", "dense", {{"units", std::int64_t{10}}});
    at = b.then(at, "probabilities", "softmax");
    b.then(at, "classes", "output");
    return b;
}

struct LowerOptions {
    DType floatx = DType::f32;
    Isa isa = Isa::V3;
    const OpCatalog* ops = nullptr;
    const DialectSpec* record = nullptr;
    decltype(LowerInput::checkSource) checkSource = {};
};

inline Plan lowered(const Graph& graph, std::string_view dialect, Combo combo, const LowerOptions& options = {})
{
    const DialectSpec* record = options.record ? options.record : dialectCatalog().find(dialect);
    LowerInput input{graph, options.ops ? *options.ops : opCatalog(), *record, combo, options.floatx, options.isa, {},
                     {}};
    input.checkSource = options.checkSource;
    return lower(input);
}

using Texts = std::vector<std::string>;

// "input f64>f32 keras_tf26/cast-to-layer", in order, of one node.
inline Texts castsOf(const Plan& plan, NodeId id)
{
    Texts out;
    for (const PlanStep& s : plan.steps)
        if (s.kind == StepKind::Cast && s.node == id)
            out.push_back(s.port + " " + std::string(facts(s.from).shortName) + ">" +
                          std::string(facts(s.dtype).shortName) + " " + s.rule + (s.implicit ? " implicit" : ""));
    return out;
}

inline Texts rulesOf(const Plan& plan)
{
    Texts out;
    for (const Finding& f : plan.findings)
        out.push_back(std::to_string(f.node.value) + (f.port.empty() ? "" : "." + f.port) + " " + f.rule);
    return out;
}

inline std::string joined(const Texts& texts)
{
    std::string out;
    for (const std::string& t : texts)
        out += (out.empty() ? "" : " | ") + t;
    return out;
}

#define COMPARE_TEXTS(got, ...)                                                                                        \
    do {                                                                                                               \
        const Texts wantTexts __VA_ARGS__;                                                                             \
        const Texts gotTexts = got;                                                                                    \
        QVERIFY2(gotTexts == wantTexts, ("got: " + joined(gotTexts) + "\nexpected: " + joined(wantTexts)).c_str());    \
    } while (false)

inline const PlanStep& opOf(const Plan& plan, NodeId id)
{
    return plan.steps[static_cast<std::size_t>(plan.find(id)->opStep)];
}

struct ConvGraph {
    GraphBuilder b = secondArticle();
    NodeId input{1}, conv{2}, output{3};
};

} // namespace engine::testing
