// Edits of the graph. Each checks first and changes afterwards, so that a refused edit leaves nothing behind.
// Edges are kept sorted by (to, toPort): the edges into a node are a range found by bisection.
#include "engine/model/graph.h"

#include <algorithm>
#include <tuple>

namespace engine {

namespace {

bool isBefore(const Edge& e, NodeId to, std::string_view port)
{
    return std::tuple(e.to, std::string_view(e.toPort)) < std::tuple(to, port);
}

template <class Edges> auto lowerBound(Edges& edges, NodeId to, std::string_view port)
{
    return std::partition_point(edges.begin(), edges.end(), [&](const Edge& e) { return isBefore(e, to, port); });
}

Error unknownNode(NodeId id)
{
    return {"node-unknown", "node " + std::to_string(id.value), "there is no node " + std::to_string(id.value),
            "use the id of an existing node"};
}

} // namespace

std::optional<std::string> SlotAsk::text() const
{
    switch (kind) {
    case Kind::Inherited:
        return std::nullopt;
    case Kind::Fixed:
        return std::string(dtypeName(dtype));
    case Kind::Widest:
        return "widest";
    case Kind::Narrowest:
        return "narrowest";
    }
    return std::nullopt;
}

std::string placeOf(const Node& node, std::string_view port)
{
    std::string place = "node " + std::to_string(node.id.value) + " \"" + node.name + "\"";
    if (!port.empty())
        place += ", port " + std::string(port);
    return place;
}

const Node* Graph::find(NodeId id) const
{
    const auto it = m_nodes.find(id);
    return it == m_nodes.end() ? nullptr : &it->second;
}

NodeId Graph::freshId() const
{
    return NodeId{m_lastId + 1};
}

Status Graph::addNode(Node node)
{
    if (!node.id)
        return Error{"node-unknown", placeOf(node), "0 is not a node id", "use ids from 1 to 4294967295"};
    if (const Node* other = find(node.id))
        return Error{"node-exists", placeOf(node),
                     "id " + std::to_string(node.id.value) + " belongs to \"" + other->name + "\" already",
                     "use a fresh id"};
    m_lastId = std::max(m_lastId, node.id.value);
    const NodeId id = node.id;
    m_nodes.emplace(id, std::move(node));
    return success();
}

Status Graph::removeNode(NodeId id)
{
    if (m_nodes.erase(id) == 0)
        return unknownNode(id);
    std::erase_if(m_edges, [id](const Edge& e) { return e.from == id || e.to == id; });
    return success();
}

Status Graph::replaceNode(Node node)
{
    const auto it = m_nodes.find(node.id);
    if (it == m_nodes.end())
        return unknownNode(node.id);
    it->second = std::move(node);
    return success();
}

Status Graph::addEdge(Edge edge)
{
    const Node* from = find(edge.from);
    const Node* to = find(edge.to);
    if (!from || !to)
        return unknownNode(from ? edge.to : edge.from);
    if (const Edge* taken = edgeInto(edge.to, edge.toPort))
        return Error{"port-taken", placeOf(*to, edge.toPort),
                     "the port is connected to " + placeOf(*find(taken->from)) + " already", "remove that edge first"};
    if (reaches(edge.to, edge.from))
        return Error{"cycle", placeOf(*to, edge.toPort),
                     "an edge from " + placeOf(*from) + " would close a cycle: its values depend on this node",
                     "connect a node that does not depend on this one"};
    m_edges.insert(lowerBound(m_edges, edge.to, edge.toPort), std::move(edge));
    return success();
}

Status Graph::removeEdge(NodeId to, std::string_view toPort)
{
    const auto it = lowerBound(m_edges, to, toPort);
    if (it == m_edges.end() || it->to != to || it->toPort != toPort) {
        const Node* node = find(to);
        return Error{"edge-unknown",
                     node ? placeOf(*node, toPort)
                          : "node " + std::to_string(to.value) + ", port " + std::string(toPort),
                     "no edge ends here", "name the port of an existing edge"};
    }
    m_edges.erase(it);
    return success();
}

const Edge* Graph::edgeInto(NodeId to, std::string_view port) const
{
    const auto it = lowerBound(m_edges, to, port);
    return it != m_edges.end() && it->to == to && it->toPort == port ? &*it : nullptr;
}

std::vector<Edge> Graph::edgesFrom(NodeId id) const
{
    std::vector<Edge> found;
    std::copy_if(m_edges.begin(), m_edges.end(), std::back_inserter(found),
                 [id](const Edge& e) { return e.from == id; });
    return found;
}

// Walks backwards from the target, as the edges into a node are cheap to find.
bool Graph::reaches(NodeId from, NodeId target) const
{
    if (from == target)
        return true;
    if (std::none_of(m_edges.begin(), m_edges.end(), [from](const Edge& e) { return e.from == from; }))
        return false;
    std::set<NodeId> seen{target};
    std::vector<NodeId> open{target};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        for (auto it = lowerBound(m_edges, id, {}); it != m_edges.end() && it->to == id; ++it) {
            if (it->from == from)
                return true;
            if (seen.insert(it->from).second)
                open.push_back(it->from);
        }
    }
    return false;
}

std::vector<NodeId> Graph::topologicalOrder() const
{
    std::map<NodeId, std::vector<NodeId>> successors;
    std::map<NodeId, std::size_t> missing;
    for (const Edge& e : m_edges) {
        successors[e.from].push_back(e.to);
        ++missing[e.to];
    }
    std::set<NodeId> ready;
    for (const auto& [id, node] : m_nodes)
        if (!missing.contains(id))
            ready.insert(id);
    std::vector<NodeId> order;
    order.reserve(m_nodes.size());
    while (!ready.empty()) {
        const NodeId id = *ready.begin();
        ready.erase(ready.begin());
        order.push_back(id);
        for (NodeId next : successors[id])
            if (--missing[next] == 0)
                ready.insert(next);
    }
    return order;
}

} // namespace engine
