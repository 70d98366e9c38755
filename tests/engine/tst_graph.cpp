// The graph: every edit that would malform it is refused and changes nothing; order and edges are deterministic.
#include "engine/model/dialect.h"
#include "engine/model/graph.h"
#include "engine/model/snapshot.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <random>

using namespace engine;

namespace {

Node node(std::uint32_t id, const std::string& name = "n")
{
    Node n;
    n.id = NodeId{id};
    n.name = name;
    n.op = "identity";
    return n;
}

Edge edge(std::uint32_t from, std::uint32_t to, const std::string& port = "input")
{
    return {NodeId{from}, "output", NodeId{to}, port};
}

std::vector<std::uint32_t> order(const Graph& g)
{
    std::vector<std::uint32_t> ids;
    for (NodeId id : g.topologicalOrder())
        ids.push_back(id.value);
    return ids;
}

Graph nodesUpTo(std::uint32_t count)
{
    Graph g;
    for (std::uint32_t i = 1; i <= count; ++i)
        if (!g.addNode(node(i)))
            return {};
    return g;
}

} // namespace

class TestGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void names()
    {
        QCOMPARE(behaviourName(Behaviour::CastToLayer), std::string_view("cast_to_layer"));
        QCOMPARE(behaviourName(Behaviour::Explicit), std::string_view("explicit"));
        QCOMPARE(behaviourName(Behaviour::AutocastList), std::string_view("autocast_list"));
        QCOMPARE(stageName(Stage::Inherited), std::string_view("inherited"));
        QCOMPARE(stageName(Stage::Output), std::string_view("output"));
        QCOMPARE(slotName(Slot::Accumulate), std::string_view("accumulate"));
        QCOMPARE(SlotAsk{}.text(), std::optional<std::string>());
        QCOMPARE(SlotAsk::fixed(DType::bf16).text(), std::optional<std::string>("bfloat16"));
        QCOMPARE((SlotAsk{SlotAsk::Kind::Widest}).text(), std::optional<std::string>("widest"));
        QCOMPARE(placeOf(node(3, "conv1")), std::string("node 3 \"conv1\""));
        QCOMPARE(placeOf(node(3, "conv1"), "weight"), std::string("node 3 \"conv1\", port weight"));
    }

    void pairs()
    {
        QCOMPARE(computePairs().size(), std::size_t{11});
        QCOMPARE(computePairs()[2].text(), std::string("tf32,float32"));
        const auto count = [](PairSet set) {
            int n = 0;
            for (const DTypeFacts& m : allDTypes())
                for (const DTypeFacts& a : allDTypes())
                    n += pairAllowed(set, {m.dtype, a.dtype});
            return n;
        };
        QCOMPARE(count(PairSet::Contraction), 11);
        QCOMPARE(count(PairSet::Reduction), 10);
        QCOMPARE(count(PairSet::Pointwise), 6);
        QCOMPARE(count(PairSet::Any), 15);
        QCOMPARE(defaultAccumulate(DType::f64), DType::f64);
        QCOMPARE(defaultAccumulate(DType::f16), DType::f32);
        QVERIFY(pairAllowed(PairSet::Contraction, {DType::e5m2, defaultAccumulate(DType::e5m2)}));
    }

    void refusedEditsChangeNothing()
    {
        Graph g = nodesUpTo(3);
        QVERIFY(g.addEdge(edge(1, 2)).ok() && g.addEdge(edge(2, 3)).ok());
        const Graph before = g;
        QCOMPARE(g.addNode(node(2)).error().code, std::string("node-exists"));
        QCOMPARE(g.addNode(node(0)).error().code, std::string("node-unknown"));
        QCOMPARE(g.removeNode(NodeId{9}).error().code, std::string("node-unknown"));
        QCOMPARE(g.replaceNode(node(9)).error().code, std::string("node-unknown"));
        QCOMPARE(g.addEdge(edge(1, 9)).error().code, std::string("node-unknown"));
        QCOMPARE(g.addEdge(edge(9, 1)).error().code, std::string("node-unknown"));
        QCOMPARE(g.addEdge(edge(1, 3)).error().code, std::string("port-taken"));
        QCOMPARE(g.addEdge(edge(3, 1)).error().code, std::string("cycle"));
        QCOMPARE(g.addEdge(edge(2, 2, "other")).error().code, std::string("cycle"));
        QCOMPARE(g.removeEdge(NodeId{1}, "input").error().code, std::string("edge-unknown"));
        QCOMPARE(g.removeEdge(NodeId{3}, "inpu").error().code, std::string("edge-unknown"));
        QCOMPARE(g.removeEdge(NodeId{77}, "input").error().code, std::string("edge-unknown"));
        QVERIFY(g == before);
        QCOMPARE(g.freshId(), NodeId{4});
    }

    void edgesAreSortedAndFollowTheirNodes()
    {
        Graph g = nodesUpTo(4);
        for (const Edge& e : {edge(1, 4, "weight"), edge(2, 3), edge(3, 4, "input"), edge(1, 3, "bias")})
            QVERIFY(g.addEdge(e).ok());
        std::vector<std::pair<std::uint32_t, std::string>> keys;
        for (const Edge& e : g.edges())
            keys.emplace_back(e.to.value, e.toPort);
        QVERIFY(std::is_sorted(keys.begin(), keys.end()));
        QCOMPARE(g.edgeInto(NodeId{4}, "weight")->from, NodeId{1});
        QVERIFY(g.edgeInto(NodeId{4}, "bias") == nullptr);
        QCOMPARE(g.edgesFrom(NodeId{1}).size(), std::size_t{2});
        QVERIFY(g.replaceNode(node(3, "other")).ok());
        QCOMPARE(g.edges().size(), std::size_t{4});
        QCOMPARE(g.find(NodeId{3})->name, std::string("other"));
        QVERIFY(g.removeNode(NodeId{3}).ok());
        QCOMPARE(g.edges().size(), std::size_t{1});
        QVERIFY(g.removeEdge(NodeId{4}, "weight").ok());
        QVERIFY(g.edges().empty());
        QVERIFY(g.removeNode(NodeId{4}).ok());
        QCOMPARE(g.freshId(), NodeId{5}); // ids are never used again
    }

    void orderBreaksTiesById()
    {
        Graph g = nodesUpTo(5);
        QVERIFY(g.addEdge(edge(5, 1)).ok() && g.addEdge(edge(5, 1, "other")).ok() && g.addEdge(edge(1, 2)).ok());
        QCOMPARE(order(g), (std::vector<std::uint32_t>{3, 4, 5, 1, 2}));
    }

    // Random edges: accepted exactly where a depth-first search of our own finds no way back.
    void cyclesAreRefusedExactly()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 50; ++round) {
            const std::uint32_t count = 12;
            Graph g = nodesUpTo(count);
            bool path[13][13] = {};
            for (int i = 0; i < 60; ++i) {
                const auto from = static_cast<std::uint32_t>(random() % count + 1);
                const auto to = static_cast<std::uint32_t>(random() % count + 1);
                const bool closes = from == to || path[to][from];
                const Status status = g.addEdge(edge(from, to, "p" + std::to_string(i)));
                QCOMPARE(status.ok(), !closes);
                for (std::size_t a = 1; !closes && a <= count; ++a)
                    for (std::size_t b = 1; b <= count; ++b)
                        path[a][b] = path[a][b] || ((a == from || path[a][from]) && (b == to || path[to][b]));
            }
            const std::vector<std::uint32_t> ids = order(g);
            QCOMPARE(ids.size(), std::size_t{count});
            for (const Edge& e : g.edges())
                QVERIFY(std::find(ids.begin(), ids.end(), e.from.value) <
                        std::find(ids.begin(), ids.end(), e.to.value));
        }
    }

    void aLongChainIsQuick()
    {
        Graph g = nodesUpTo(5000);
        for (std::uint32_t i = 1; i < 5000; ++i)
            QVERIFY(g.addEdge(edge(i, i + 1)).ok());
        QCOMPARE(g.addEdge(edge(5000, 1)).error().code, std::string("cycle"));
        QCOMPARE(g.topologicalOrder().size(), std::size_t{5000});
    }
};

QTEST_GUILESS_MAIN(TestGraph)
#include "tst_graph.moc"
