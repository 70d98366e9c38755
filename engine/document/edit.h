// An edit is a value; applying it gives its inverse. The one way a document changes: undo, redo, gestures and
// property changes are all lists of these. On error nothing has changed.
#pragma once

#include "engine/document/document.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace engine {

struct AddNode {
    Node node; // id chosen by the caller (Graph::freshId())
    Point at;
};
struct RemoveNode { // and its edges, reroute points and frame memberships
    NodeId node;
};
struct AddEdge {
    Edge edge;
    std::vector<Point> reroutes = {};
};
struct RemoveEdge {
    EdgeKey edge;
};
struct ReplaceNode { // parameters, slots, layer dtype, name, mute, forbidden casts: everything but id and edges
    Node node;
};
struct MoveNodes {
    std::map<NodeId, Point> positions;
    std::set<NodeId> unplaced = {}; // lose their position: the inverse of a first placing
};
struct SetReroutes {
    EdgeKey edge;
    std::vector<Point> points;
};
struct SetSettings {
    RunSettings settings;
};
struct PutFrame { // adds or replaces by id
    Frame frame;
    std::optional<std::size_t> index = {}; // where it is added in the order of drawing; absent: last
};
struct RemoveFrame {
    std::uint32_t id = 0;
};
struct PutComment { // adds or replaces by id
    Comment comment;
    std::optional<std::size_t> index = {};
};
struct RemoveComment {
    std::uint32_t id = 0;
};
struct SetTitle {
    std::string title, about;
};
struct PutTensor { // adds or replaces a member of tensors/
    std::string name;
    SourceArray array;
    std::optional<std::string> unknownDType = {}; // its entry of Document::tensorDTypes
};
struct RemoveTensor {
    std::string name;
};
struct EditList;
using Edit =
    std::variant<AddNode, RemoveNode, AddEdge, RemoveEdge, ReplaceNode, MoveNodes, SetReroutes, SetSettings, PutFrame,
                 RemoveFrame, PutComment, RemoveComment, SetTitle, PutTensor, RemoveTensor, EditList>;
struct EditList { // all or nothing
    std::vector<Edit> edits;
};

// What depends on it: results (structure) or only the picture (layout).
enum class Affects : std::uint8_t { Layout, Structure };
Affects affects(const Edit& edit);

// The inverse, or an error and an untouched document: those of Graph, "edge-field", "node-field", "layout-field",
// "settings-field", "tensor-field", "frame-unknown", "comment-unknown", "tensor-unknown", "document-limit". Whatever
// is accepted can be saved and loaded again.
Result<Edit> applyEdit(Document& document, const Edit& edit);

// Invariants between graph and layout: positions, reroutes and frames name only what exists. Empty: all well.
std::string brokenInvariant(const Document& document);

} // namespace engine
