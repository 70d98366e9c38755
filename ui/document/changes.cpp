// Walks the inverse: what it mentions last of each thing is how that thing was before.
#include "ui/document/changes.h"

#include <algorithm>

namespace ui {

using namespace engine;

namespace {

template <class T> using Was = std::optional<T>; // nothing: it was not there

// How everything that the inverse mentions was. Keeps pointers into the inverse.
struct Before {
    std::map<NodeId, Was<const Node*>> nodes;
    std::map<NodeId, Was<Point>> positions;
    std::map<EdgeKey, Was<const Edge*>> edges;
    std::map<EdgeKey, const std::vector<Point>*> reroutes;
    std::map<std::uint32_t, Was<const Frame*>> frames;
    std::map<std::uint32_t, Was<const Comment*>> comments;
    bool framesReordered = false, commentsReordered = false, tensors = false;
    const RunSettings* settings = nullptr;
    const SetTitle* title = nullptr;

    void operator()(const AddNode& e)
    {
        nodes[e.node.id] = &e.node;
        positions[e.node.id] = e.at;
    }
    void operator()(const RemoveNode& e) { nodes[e.node] = std::nullopt; }
    void operator()(const ReplaceNode& e) { nodes[e.node.id] = &e.node; }
    void operator()(const AddEdge& e)
    {
        const EdgeKey key{e.edge.to, e.edge.toPort};
        edges[key] = &e.edge;
        reroutes[key] = &e.reroutes;
    }
    void operator()(const RemoveEdge& e) { edges[e.edge] = std::nullopt; }
    void operator()(const SetReroutes& e) { reroutes[e.edge] = &e.points; }
    void operator()(const MoveNodes& e)
    {
        for (const auto& [id, at] : e.positions)
            positions[id] = at;
        for (const NodeId id : e.unplaced)
            positions[id] = std::nullopt;
    }
    void operator()(const SetSettings& e) { settings = &e.settings; }
    void operator()(const SetTitle& e) { title = &e; }
    void operator()(const PutFrame& e) { framesReordered |= comesAgain(frames, e.frame.id, &e.frame); }
    void operator()(const RemoveFrame& e) { frames[e.id] = std::nullopt; }
    void operator()(const PutComment& e) { commentsReordered |= comesAgain(comments, e.comment.id, &e.comment); }
    void operator()(const RemoveComment& e) { comments[e.id] = std::nullopt; }
    void operator()(const PutTensor&) { tensors = true; }
    void operator()(const RemoveTensor&) { tensors = true; }
    void operator()(const EditList& e)
    {
        for (const Edit& edit : e.edits)
            std::visit(*this, edit);
    }

private:
    // Removed and put back: possibly to another place in the order of drawing.
    template <class Map, class T> static bool comesAgain(Map& map, std::uint32_t id, const T* value)
    {
        const auto [it, isNew] = map.try_emplace(id, value);
        const bool wasRemoved = !isNew && !it->second;
        it->second = value;
        return wasRemoved;
    }
};

void compareNodes(const Before& before, const Document& after, Changes& changes)
{
    for (const auto& [id, was] : before.nodes) {
        const Node* is = after.graph.find(id);
        if (was && !is)
            changes.nodesRemoved.push_back(id);
        else if (!was && is)
            changes.nodesAdded.push_back(id);
        else if (was && is && **was != *is)
            changes.nodesChanged.push_back(id);
    }
    for (const auto& [id, was] : before.positions) {
        const auto node = before.nodes.find(id);
        const bool isNew = node != before.nodes.end() && !node->second;
        const auto is = after.layout.positions.find(id);
        const bool isPlaced = is != after.layout.positions.end();
        if (!isNew && after.graph.find(id))
            changes.moved = changes.moved || was.has_value() != isPlaced || (was && *was != is->second);
    }
}

void compareEdges(const Before& before, const Document& after, Changes& changes)
{
    for (const auto& [key, was] : before.edges) {
        const Edge* is = after.graph.edgeInto(key.to, key.toPort);
        if (was && is && **was == *is)
            continue;
        if (was)
            changes.edgesRemoved.push_back(key);
        if (is)
            changes.edgesAdded.push_back(key);
    }
    const auto isIn = [](const std::vector<EdgeKey>& keys, const EdgeKey& key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const auto& [key, was] : before.reroutes) {
        if (!after.graph.edgeInto(key.to, key.toPort) || isIn(changes.edgesAdded, key))
            continue;
        const auto is = after.layout.reroutes.find(key);
        if (is == after.layout.reroutes.end() ? !was->empty() : *was != is->second)
            changes.reroutes.push_back(key);
    }
}

template <class Map, class List> bool differs(const Map& before, const List& after)
{
    return std::any_of(before.begin(), before.end(), [&](const auto& entry) {
        const auto& [id, was] = entry;
        const auto is = std::find_if(after.begin(), after.end(), [&](const auto& x) { return x.id == id; });
        return was ? is == after.end() || **was != *is : is != after.end();
    });
}

} // namespace

bool Changes::isStructural() const
{
    return !nodesAdded.empty() || !nodesRemoved.empty() || !nodesChanged.empty() || !edgesAdded.empty() ||
           !edgesRemoved.empty() || settings || tensors;
}

bool Changes::isLayout() const
{
    return !nodesAdded.empty() || !nodesRemoved.empty() || !edgesAdded.empty() || !edgesRemoved.empty() ||
           !reroutes.empty() || moved || frames || comments || title;
}

Changes changesOf(const Edit& inverse, const Document& after)
{
    Before before;
    std::visit(before, inverse);
    Changes changes;
    compareNodes(before, after, changes);
    compareEdges(before, after, changes);
    changes.frames = before.framesReordered || differs(before.frames, after.layout.frames);
    changes.comments = before.commentsReordered || differs(before.comments, after.layout.comments);
    changes.settings = before.settings && *before.settings != after.settings;
    changes.title = before.title && (before.title->title != after.title || before.title->about != after.about);
    changes.tensors = before.tensors;
    return changes;
}

} // namespace ui
