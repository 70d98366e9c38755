// Nodes on the clipboard: the text of a model.json with the chosen nodes, their inner edges, reroute points, positions
// and the frames they fill, and the tensors they name as a .mantissa file in base64 under "tensor_file". The same text
// is the plain text of the clipboard. Pure but for QMimeData; nothing is applied here.
#pragma once

#include "ui/document/graph_edits.h"

#include <QMimeData>

#include <memory>

namespace ui {

inline constexpr char kNodesMime[] = "application/x-mantissa-nodes";

// The chosen nodes as a document of their own; ids stay.
engine::Document partOf(const engine::Document& document, const std::set<engine::NodeId>& nodes);
engine::Result<QByteArray> encodeNodes(const engine::Document& document, const std::set<engine::NodeId>& nodes);
engine::Result<engine::Document> decodeNodes(const QByteArray& text);

engine::Result<std::unique_ptr<QMimeData>> mimeOfNodes(const engine::Document& document,
                                                       const std::set<engine::NodeId>& nodes);
bool holdsNodes(const QMimeData& mime); // cheap: looks at the kind and the first letters
engine::Result<engine::Document> nodesOfMime(const QMimeData& mime);

// One undo step, and the ids that the new nodes get.
struct Pasting {
    NamedEdit step;
    std::set<engine::NodeId> nodes;
};
// With fresh ids and unique names; tensors that the document has already are shared. `at`: where the top left corner
// of the whole comes; without it 24 px right of and below where it was, and on from there while that place is taken.
Pasting pasteEdit(const engine::Document& into, const engine::Document& part,
                  std::optional<engine::Point> at = std::nullopt);
Pasting duplicateEdit(const engine::Document& document, const std::set<engine::NodeId>& nodes);
NamedEdit cutEdit(const engine::Document& document, const std::set<engine::NodeId>& nodes);

} // namespace ui
