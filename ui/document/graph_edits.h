// Edits of the graph with their names, as gestures need them: connect, insert on an edge, move. And what is fresh in a
// document: ids and names nobody has. Pure: nothing is applied here.
#pragma once

#include "engine/document/edit.h"

#include <QString>

namespace ui {

struct NamedEdit {
    engine::Edit edit;
    QString name;       // undo text: "Compute conv2d in the widest dtype"
    QString label = {}; // button: "Compute in float64 (widest)"
};

// Takes the place of the edge that occupies the port: "Connect digits to conv1".
NamedEdit connectEdit(const engine::Document& document, const engine::Edge& edge);
// Puts a new node between the two ends of an edge, into its port `inPort`. Reroute points before and after it stay
// with their halves, and a frame that holds both ends holds the node too. Without `at`: halfway.
NamedEdit insertOnEdgeEdit(const engine::Document& document, const engine::EdgeKey& edge, engine::Node node,
                           const std::string& inPort, std::optional<engine::Point> at = {});
NamedEdit moveEdit(const engine::Document& document, const std::map<engine::NodeId, engine::Point>& positions);

// Mutes them; where all are muted already, unmutes them: "Mute conv1", "Unmute 3 nodes".
NamedEdit muteEdit(const engine::Document& document, const std::set<engine::NodeId>& nodes);

// Ids that the document has never used and that a file can hold.
class FreshIds {
public:
    explicit FreshIds(const engine::Graph& graph) : m_graph(graph), m_next(graph.freshId().value) {}
    engine::NodeId next();

private:
    const engine::Graph& m_graph;
    std::uint32_t m_next;
};
std::uint32_t freshFrameId(const engine::Layout& layout);
std::uint32_t freshCommentId(const engine::Layout& layout);
// `base` where it is free, else "base_2", "base_3"; a number at its end is counted on: "conv2d_2" -> "conv2d_3".
std::string uniqueName(const std::set<std::string>& taken, const std::string& base);
std::set<std::string> nodeNames(const engine::Graph& graph);

} // namespace ui
