// Small networks for tests, built node by node: a chain builder, the second article's network and a LeNet.
#pragma once

#include "engine/model/runner.h"

#include <string>
#include <utility>
#include <vector>

namespace support {

using engine::Edge;
using engine::Graph;
using engine::IntList;
using engine::Node;
using engine::NodeId;
using engine::ParamMap;
using engine::Source;

inline Source initializer(std::string name, std::uint64_t seed = 0)
{
    Source s;
    s.generator = std::move(name);
    s.seed = seed;
    return s;
}

inline Source uniformSource(double low, double high, std::uint64_t seed)
{
    Source s = initializer("uniform", seed);
    s.a = low;
    s.b = high;
    return s;
}

// Each node is fed by the one before it.
class Chain {
public:
    Node& add(const std::string& op, ParamMap params = {}, const std::string& name = {})
    {
        Node n;
        n.id = {++m_last};
        n.op = op;
        n.name = name.empty() ? op + std::to_string(m_last) : name;
        n.params = std::move(params);
        m_nodes.push_back(std::move(n));
        return m_nodes.back();
    }
    Graph graph() const
    {
        Graph g;
        for (const Node& n : m_nodes)
            (void)g.addNode(n);
        for (std::size_t i = 1; i < m_nodes.size(); ++i)
            (void)g.addEdge({m_nodes[i - 1].id, "output", m_nodes[i].id, "input"});
        return g;
    }

private:
    std::uint32_t m_last = 0;
    std::vector<Node> m_nodes;
};

// 28 x 28 images in [0, 1), 32 filters 3 x 3, glorot_uniform, zero bias. compute: widest where asked.
inline Graph articleNetwork(std::int64_t batch, bool widest)
{
    Chain c;
    c.add("input", {{"shape", IntList{batch, 28, 28, 1}}, {"value", uniformSource(0, 1, 11)}}, "images");
    Node& conv =
        c.add("conv2d", {{"filters", std::int64_t{32}}, {"weight", initializer("glorot_uniform", 7)}}, "conv1");
    if (widest)
        conv.slots[static_cast<std::size_t>(engine::Slot::Compute)] = {engine::SlotAsk::Kind::Widest, {}};
    c.add("output", {}, "features");
    return c.graph();
}

// The LeNet of the performance goals: 32 and 64 filters 3 x 3 SAME, two poolings, 128 and 10 units.
inline Graph lenet(std::int64_t batch, bool widest)
{
    Chain c;
    const auto layer = [&](const std::string& op, ParamMap params, std::uint64_t seed) {
        params["weight"] = initializer("glorot_uniform", seed);
        Node& n = c.add(op, std::move(params));
        if (widest)
            n.slots[static_cast<std::size_t>(engine::Slot::Compute)] = {engine::SlotAsk::Kind::Widest, {}};
    };
    c.add("input", {{"shape", IntList{batch, 28, 28, 1}}, {"value", uniformSource(0, 1, 11)}}, "images");
    layer("conv2d", {{"filters", std::int64_t{32}}, {"padding", std::string("same")}}, 1);
    c.add("relu");
    c.add("max_pooling2d");
    layer("conv2d", {{"filters", std::int64_t{64}}, {"padding", std::string("same")}}, 2);
    c.add("relu");
    c.add("max_pooling2d");
    c.add("flatten");
    layer("dense", {{"units", std::int64_t{128}}}, 3);
    c.add("relu");
    layer("dense", {{"units", std::int64_t{10}}}, 4);
    c.add("softmax");
    c.add("output", {}, "classes");
    return c.graph();
}

inline engine::RunRequest fourCombos(Graph graph, const std::string& dialect = "explicit")
{
    engine::RunRequest r;
    r.graph = std::move(graph);
    for (const engine::Combo& combo : engine::kFourCombos)
        r.configurations.push_back({dialect, combo});
    return r;
}

} // namespace support
