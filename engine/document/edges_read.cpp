// Edges are added in topological order of their targets: none of Graph's own searches for a cycle walks far then.
#include "engine/document/edges_read.h"

#include "engine/document/model_json.h"

#include <algorithm>

namespace engine {

using nlohmann::json;

namespace {

struct ReadEdge {
    Edge edge;
    std::string pointer;
};

// [id, port]
void readEnd(JsonFields& fields, const json& v, const std::string& pointer, const Graph& graph, NodeId& id,
             std::string& port)
{
    if (!v.is_array() || v.size() != 2 || !v[1].is_string() || v[1].get_ref<const std::string&>().empty())
        return fields.fail(pointer, "an end of an edge is missing or of the wrong form",
                           "write [id, port], such as [3, \"input\"]");
    id = NodeId{fields.id(v[0], pointerTo(pointer, std::size_t{0}))};
    port = v[1].get<std::string>();
    if (fields.ok() && !graph.find(id))
        fields.fail(pointer, "there is no node " + std::to_string(id.value), "remove the edge, or add the node");
}

ReadEdge readEdge(JsonFields& fields, const json& v, const std::string& pointer, Document& document)
{
    ReadEdge e{{}, pointer};
    if (!fields.isObject(v, pointer))
        return e;
    fields.onlyKeys(v, {"from", "to", "reroute"}, pointer);
    readEnd(fields, fields.at(v, "from"), pointer + "/from", document.graph, e.edge.from, e.edge.fromPort);
    readEnd(fields, fields.at(v, "to"), pointer + "/to", document.graph, e.edge.to, e.edge.toPort);
    std::vector<Point> reroute;
    const json& points = fields.list(v, "reroute", pointer);
    for (std::size_t i = 0; i < points.size() && fields.ok(); ++i)
        reroute.push_back(fields.point(points[i], pointerTo(pointer + "/reroute", i)));
    if (!reroute.empty())
        document.layout.reroutes[{e.edge.to, e.edge.toPort}] = std::move(reroute);
    return e;
}

// Position of each node in topological order; nodes on or behind a cycle have none.
std::map<NodeId, std::size_t> topologicalPositions(const Graph& graph, const std::vector<ReadEdge>& edges)
{
    std::map<NodeId, std::vector<NodeId>> successors;
    std::map<NodeId, std::size_t> missing;
    for (const ReadEdge& e : edges) {
        successors[e.edge.from].push_back(e.edge.to);
        ++missing[e.edge.to];
    }
    std::vector<NodeId> ready;
    for (const auto& [id, node] : graph.nodes())
        if (!missing.contains(id))
            ready.push_back(id);
    std::map<NodeId, std::size_t> positions;
    for (std::size_t i = 0; i < ready.size(); ++i) {
        positions[ready[i]] = i;
        for (const NodeId next : successors[ready[i]])
            if (--missing[next] == 0)
                ready.push_back(next);
    }
    return positions;
}

// Walks backwards from a node without a position, along others: each has such a predecessor, so one comes again.
void failCycle(JsonFields& fields, const std::map<NodeId, std::size_t>& positions, const std::vector<ReadEdge>& edges)
{
    std::map<NodeId, const ReadEdge*> back;
    for (const ReadEdge& e : edges)
        if (!positions.contains(e.edge.from))
            back.emplace(e.edge.to, &e);
    std::map<NodeId, std::size_t> seen;
    std::vector<NodeId> walk;
    NodeId at = back.begin()->first;
    while (seen.emplace(at, walk.size()).second) {
        walk.push_back(at);
        at = back.at(at)->edge.from;
    }
    constexpr std::size_t kMost = 8;
    std::string text = std::to_string(at.value);
    const std::size_t length = walk.size() - seen.at(at);
    for (std::size_t i = 0; i < std::min(length - 1, kMost); ++i)
        text += " -> " + std::to_string(walk[walk.size() - 1 - i].value);
    text += (length > kMost ? " -> ... -> " : " -> ") + std::to_string(at.value);
    fields.fail(back.at(at)->pointer, "the edges form a cycle of nodes: " + text, "remove one of these edges");
}

} // namespace

void readEdges(JsonFields& fields, const json& list, Document& document)
{
    if (list.size() > kMaxGraphSize)
        return fields.fail("/edges", "there are " + std::to_string(list.size()) + " edges",
                           "at most " + std::to_string(kMaxGraphSize) + " are possible", "file-limit");
    std::vector<ReadEdge> edges;
    std::map<std::pair<NodeId, std::string>, std::size_t> taken;
    for (std::size_t i = 0; i < list.size() && fields.ok(); ++i) {
        edges.push_back(readEdge(fields, list[i], pointerTo("/edges", i), document));
        const Edge& e = edges.back().edge;
        if (const auto [it, isNew] = taken.emplace(std::pair(e.to, e.toPort), i); !isNew)
            fields.fail(pointerTo("/edges", i) + "/to",
                        "port \"" + e.toPort + "\" of node " + std::to_string(e.to.value) + " has the edge " +
                            std::to_string(it->second) + " of this list already",
                        "remove one of the two: a port takes one edge");
    }
    if (!fields.ok())
        return;
    const std::map<NodeId, std::size_t> positions = topologicalPositions(document.graph, edges);
    if (positions.size() < document.graph.nodes().size())
        return failCycle(fields, positions, edges);
    std::stable_sort(edges.begin(), edges.end(), [&](const ReadEdge& a, const ReadEdge& b) {
        return positions.at(a.edge.to) < positions.at(b.edge.to);
    });
    for (ReadEdge& e : edges)
        if (const Status added = document.graph.addEdge(std::move(e.edge)); !added)
            fields.fail(e.pointer, added.error().message, added.error().remedy);
}

} // namespace engine
