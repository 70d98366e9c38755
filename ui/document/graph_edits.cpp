// Lists of edits for the gestures of a graph, and fresh ids and names.
#include "ui/document/graph_edits.h"

#include "ui/document/edit_names.h"

#include "engine/document/model_json.h"

#include <algorithm>

namespace ui {

using namespace engine;

namespace {

std::vector<Point> reroutesOf(const Document& document, const EdgeKey& key)
{
    const auto it = document.layout.reroutes.find(key);
    return it == document.layout.reroutes.end() ? std::vector<Point>{} : it->second;
}

Point positionOf(const Document& document, NodeId id)
{
    const auto it = document.layout.positions.find(id);
    return it == document.layout.positions.end() ? Point{} : it->second;
}

template <class List> std::uint32_t freshId(const List& list)
{
    std::set<std::uint32_t> used;
    for (const auto& x : list)
        used.insert(x.id);
    const std::uint32_t last = used.empty() ? 0 : *used.rbegin();
    if (last < kMaxFileId)
        return last + 1;
    std::uint32_t free = 1;
    while (used.contains(free))
        ++free;
    return free;
}

} // namespace

NamedEdit connectEdit(const Document& document, const Edge& edge)
{
    const EdgeKey key{edge.to, edge.toPort};
    const Edge* old = document.graph.edgeInto(edge.to, edge.toPort);
    const QString name = EditNames::connect(EditNames::node(document, edge.from), EditNames::node(document, edge.to));
    if (!old)
        return {AddEdge{edge, {}}, name};
    const bool isSame = *old == edge;
    return {EditList{{RemoveEdge{key}, AddEdge{edge, isSame ? reroutesOf(document, key) : std::vector<Point>{}}}},
            name};
}

NamedEdit insertOnEdgeEdit(const Document& document, const EdgeKey& key, Node node, const std::string& inPort,
                           std::optional<Point> at)
{
    const Edge* old = document.graph.edgeInto(key.to, key.toPort);
    if (!old)
        return {RemoveEdge{key}, {}}; // refused when applied
    const Edge edge = *old;
    const std::vector<Point> points = reroutesOf(document, key);
    const auto middle = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
    const Point from = positionOf(document, edge.from), to = positionOf(document, edge.to);
    const bool takesPoint = !at && !points.empty(); // the node stands where the middle one was
    if (!at)
        at = takesPoint ? *middle : Point{(from.x + to.x) / 2, (from.y + to.y) / 2};

    const QString name = EditNames::insert(QString::fromStdString(node.name), EditNames::node(document, edge.from),
                                           EditNames::node(document, edge.to));
    const NodeId id = node.id;
    EditList list;
    list.edits = {RemoveEdge{key}, AddNode{std::move(node), *at},
                  AddEdge{{edge.from, edge.fromPort, id, inPort}, {points.begin(), middle}},
                  AddEdge{{id, "output", edge.to, edge.toPort}, {middle + (takesPoint ? 1 : 0), points.end()}}};
    for (Frame frame : document.layout.frames) {
        const auto holds = [&](NodeId n) {
            return std::find(frame.nodes.begin(), frame.nodes.end(), n) != frame.nodes.end();
        };
        if (!holds(edge.from) || !holds(edge.to))
            continue;
        frame.nodes.push_back(id);
        list.edits.push_back(PutFrame{frame, {}});
    }
    return {std::move(list), name};
}

NamedEdit moveEdit(const Document& document, const std::map<NodeId, Point>& positions)
{
    std::set<NodeId> ids;
    for (const auto& [id, at] : positions)
        ids.insert(id);
    return {MoveNodes{positions, {}}, EditNames::move(EditNames::nodes(document, ids))};
}

NamedEdit muteEdit(const Document& document, const std::set<NodeId>& nodes)
{
    const bool areMuted = std::all_of(nodes.begin(), nodes.end(), [&](NodeId id) {
        const Node* node = document.graph.find(id);
        return !node || node->muted;
    });
    EditList steps;
    for (const NodeId id : nodes)
        if (const Node* node = document.graph.find(id)) {
            Node changed = *node;
            changed.muted = !areMuted;
            steps.edits.push_back(ReplaceNode{std::move(changed)});
        }
    const QString what = EditNames::nodes(document, nodes);
    return {std::move(steps), areMuted ? EditNames::unmute(what) : EditNames::mute(what)};
}

NodeId FreshIds::next()
{
    // A file may hold the largest id there is; then the gaps are used.
    if (m_next > kMaxFileId)
        m_next = 1;
    while (m_graph.find(NodeId{m_next}))
        ++m_next;
    return NodeId{m_next++};
}

std::uint32_t freshFrameId(const Layout& layout)
{
    return freshId(layout.frames);
}

std::uint32_t freshCommentId(const Layout& layout)
{
    return freshId(layout.comments);
}

std::string uniqueName(const std::set<std::string>& taken, const std::string& base)
{
    if (!taken.contains(base))
        return base;
    const std::size_t digits = base.find_last_not_of("0123456789") + 1;
    const bool isCounted = digits > 1 && digits < base.size() && base[digits - 1] == '_' && base.size() - digits < 7;
    const std::string stem = isCounted ? base.substr(0, digits - 1) : base;
    for (unsigned long n = isCounted ? std::stoul(base.substr(digits)) + 1 : 2;; ++n)
        if (std::string name = stem + "_" + std::to_string(n); !taken.contains(name))
            return name;
}

std::set<std::string> nodeNames(const Graph& graph)
{
    std::set<std::string> names;
    for (const auto& [id, node] : graph.nodes())
        names.insert(node.name);
    return names;
}

} // namespace ui
