// The graph: nodes, edges, and what each node asks. It cannot be malformed (no dangling edge, no
// cycle, at most one edge per input port) and may be wrong (shapes, dtypes): that is a finding.
#pragma once

#include "engine/model/ids.h"
#include "engine/model/op_spec.h"

#include <map>
#include <set>

namespace engine {

// What a slot asks. Inherited: the dialect decides. Widest and Narrowest (compute only): of the operands.
struct SlotAsk {
    enum class Kind : std::uint8_t { Inherited, Fixed, Widest, Narrowest };
    Kind kind = Kind::Inherited;
    DType dtype = DType::f32; // Fixed
    bool operator==(const SlotAsk& o) const { return kind == o.kind && (kind != Kind::Fixed || dtype == o.dtype); }
    static SlotAsk fixed(DType d) { return {Kind::Fixed, d}; }
    std::optional<std::string> text() const; // nothing, a dtype name, "widest", "narrowest"
};

struct Node {
    NodeId id;
    std::string name; // unique for people, not for the engine; not empty
    std::string op;   // name of a record; an unknown one is kept and refuses to run
    ParamMap params;  // only what differs from the defaults need be here
    std::array<SlotAsk, kSlotCount> slots{};
    std::optional<DType> layerDtype;  // what `dtype=` sets under cast_to_layer
    std::set<std::string> forbidCast; // ports that refuse an implicit cast, as `explicit` would
    bool muted = false;               // passes its first input through
    std::string extra;                // unknown fields of the file, canonical JSON object text or empty
    SlotAsk slot(Slot s) const { return slots[static_cast<std::size_t>(s)]; }
    bool operator==(const Node&) const = default;
};

struct Edge {
    NodeId from;
    std::string fromPort = "output";
    NodeId to;
    std::string toPort;
    bool operator==(const Edge&) const = default;
};

class Graph {
public:
    const std::map<NodeId, Node>& nodes() const { return m_nodes; }
    const std::vector<Edge>& edges() const { return m_edges; } // sorted by (to, toPort)
    const Node* find(NodeId id) const;
    NodeId freshId() const; // one above the largest ever used here
    // Errors: "node-exists", "node-unknown", "port-taken", "cycle", "edge-unknown". On error nothing changed.
    Status addNode(Node node);
    Status removeNode(NodeId id);  // and its edges
    Status replaceNode(Node node); // same id: parameters, slots, name, ...
    Status addEdge(Edge edge);
    Status removeEdge(NodeId to, std::string_view toPort);
    const Edge* edgeInto(NodeId to, std::string_view port) const;
    std::vector<Edge> edgesFrom(NodeId id) const;
    std::vector<NodeId> topologicalOrder() const; // ties by id
    bool operator==(const Graph& o) const { return m_nodes == o.m_nodes && m_edges == o.m_edges; }

private:
    bool reaches(NodeId from, NodeId target) const;
    std::map<NodeId, Node> m_nodes;
    std::vector<Edge> m_edges;
    std::uint32_t m_lastId = 0;
};

// "node 3 \"conv1\"" or "node 3 \"conv1\", port weight"
std::string placeOf(const Node& node, std::string_view port = {});

} // namespace engine
