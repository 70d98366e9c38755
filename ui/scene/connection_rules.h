// Whether a wire may go from an output to an input, by the rules of the graph: ports exist, no cycle, one edge per
// input (a new one replaces it). What dtypes and shapes make of it is a finding, never a refusal. Pure.
#pragma once

#include "engine/model/op_catalog.h"
#include "ui/scene/pulled_wire.h"

#include <set>
#include <vector>

namespace ui {

// The nodes that `id` is computed from, itself included; or those that are computed from it.
enum class Along : std::uint8_t { Upstream, Downstream };
std::set<engine::NodeId> reachable(const engine::Graph& graph, engine::NodeId id, Along along);

// Empty where it fits; else one sentence.
QString whyNot(const engine::Graph& graph, const engine::OpCatalog& ops, engine::NodeId from, engine::NodeId to,
               const std::string& toPort);

// The port of a new node that takes a value: the first activation, else the first; nothing for sources.
std::optional<std::string> firstInput(const engine::OpSpec& spec);
bool hasOutput(const engine::OpSpec* spec);

} // namespace ui
