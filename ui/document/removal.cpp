// Removing nodes and edges, and reconnecting the neighbours of what was in between.
#include "ui/document/edit_names.h"
#include "ui/document/remedies.h"

namespace ui {

using namespace engine;

namespace {

// The edge whose values a removed node passed on: into its first port where it has one of that name, else its only one.
const Edge* passedEdge(const Graph& graph, NodeId node)
{
    if (const Edge* input = graph.edgeInto(node, "input"))
        return input;
    const Edge* only = nullptr;
    for (const Edge& e : graph.edges()) {
        if (e.to != node)
            continue;
        if (only)
            return nullptr;
        only = &e;
    }
    return only;
}

void appendReroutes(const Document& document, const Edge& edge, std::vector<Point>& points)
{
    const auto it = document.layout.reroutes.find({edge.to, edge.toPort});
    if (it != document.layout.reroutes.end())
        points.insert(points.begin(), it->second.begin(), it->second.end());
}

// From the kept node upstream of a removed one, through all removed in between.
std::optional<AddEdge> healedEdge(const Document& document, const Edge& into, const std::set<NodeId>& removed)
{
    AddEdge healed{into, {}};
    appendReroutes(document, into, healed.reroutes);
    while (removed.contains(healed.edge.from)) {
        const Edge* passed = passedEdge(document.graph, healed.edge.from);
        if (!passed)
            return std::nullopt;
        appendReroutes(document, *passed, healed.reroutes);
        healed.edge.from = passed->from;
        healed.edge.fromPort = passed->fromPort;
    }
    return healed;
}

QString nameOf(const Document& document, const std::set<NodeId>& nodes, const std::set<EdgeKey>& edges)
{
    if (edges.empty())
        return EditNames::remove(EditNames::nodes(document, nodes));
    const QString edgeWords =
        edges.size() == 1 ? EditNames::edge(document, *edges.begin())
                          : QCoreApplication::translate("EditNames", "%n edges", "", static_cast<int>(edges.size()));
    if (nodes.empty())
        return EditNames::remove(edgeWords);
    return EditNames::remove(
        QCoreApplication::translate("EditNames", "%1 and %2").arg(EditNames::nodes(document, nodes), edgeWords));
}

} // namespace

NamedEdit removeEdit(const Document& document, const std::set<NodeId>& nodes, const std::set<EdgeKey>& edges, Heal heal)
{
    EditList list;
    std::set<EdgeKey> own; // edges that no removed node takes with it
    for (const EdgeKey& key : edges) {
        const Edge* edge = document.graph.edgeInto(key.to, key.toPort);
        if (edge && !nodes.contains(edge->from) && !nodes.contains(edge->to)) {
            own.insert(key);
            list.edits.push_back(RemoveEdge{key});
        }
    }
    for (const NodeId id : nodes)
        list.edits.push_back(RemoveNode{id});
    if (heal == Heal::Yes)
        for (const Edge& edge : document.graph.edges())
            if (nodes.contains(edge.from) && !nodes.contains(edge.to))
                if (std::optional<AddEdge> healed = healedEdge(document, edge, nodes))
                    list.edits.push_back(std::move(*healed));
    return {std::move(list), nameOf(document, nodes, own)};
}

} // namespace ui
