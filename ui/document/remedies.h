// One-click acts: each remedy of a finding and each act of a cast's card as an edit with a name. Pure: nothing is
// applied here.
#pragma once

#include "engine/model/op_catalog.h"
#include "ui/document/graph_edits.h"

#include <optional>

namespace ui {

// Remedies of engine::Finding by their stable names ("compute-widest", "compute-narrowest", "insert-cast",
// "set-compute", "set-layer-dtype", "set-floatx", "switch-dialect", "allow-cast", "clear-slot", "remove-node"). Nothing
// where the remedy is no edit here. `arrives`: the dtype at the finding's port, where known; `used`: the dtype that
// it is cast to or should have had, where known (of a mismatch: the dtype of the other operand).
std::optional<NamedEdit> remedyEdit(const engine::Document& document, const engine::OpCatalog& ops, engine::NodeId node,
                                    const std::string& port, const std::string& remedy,
                                    std::optional<engine::DType> arrives, std::optional<engine::DType> used);

// Acts of a coercion dot: make it a Cast node, set the layer dtype to what arrives, forbid it at this port.
enum class CastAct : std::uint8_t { MakeCastNode, SetLayerDType, Forbid };
std::optional<NamedEdit> castActEdit(const engine::Document& document, engine::NodeId node, const std::string& port,
                                     CastAct act, engine::DType arrives, engine::DType used);

// A node of an op with its default parameters, a fresh id and a unique name ("conv2d_3").
engine::Node makeNode(const engine::Document& document, const engine::OpSpec& spec);
// Removes nodes and edges; a removed node with one input and one consumer chain reconnects its neighbours if `heal`.
enum class Heal : std::uint8_t { No, Yes };
NamedEdit removeEdit(const engine::Document& document, const std::set<engine::NodeId>& nodes,
                     const std::set<engine::EdgeKey>& edges, Heal heal);

} // namespace ui
