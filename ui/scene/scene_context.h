// What the canvas reads, listens to and asks: references to the owners, which outlive it. GUI thread only.
#pragma once

#include "engine/model/op_catalog.h"
#include "ui/document/graph_document.h"
#include "ui/document/selection.h"
#include "ui/live/plan_store.h"
#include "ui/live/snapshot_store.h"
#include "ui/style/theme.h"

#include <algorithm>
#include <span>

namespace ui {

struct SceneContext {
    GraphDocument& document;
    Selection& selection;
    SnapshotStore& results;
    PlanStore& plans;
    ThemeManager& themes;
    const engine::OpCatalog& ops;
    const engine::Graph& graph() const { return document.graph(); }
    const Theme& theme() const { return themes.theme(); }
    const engine::OpSpec* spec(const engine::Node& node) const { return ops.find(node.op); }
};

// The edges into a node, in the order of their ports' names.
inline std::span<const engine::Edge> edgesInto(const engine::Graph& graph, engine::NodeId id)
{
    const auto& edges = graph.edges();
    const auto first = std::lower_bound(edges.begin(), edges.end(), id,
                                        [](const engine::Edge& e, engine::NodeId n) { return e.to < n; });
    const auto last = std::find_if(first, edges.end(), [&](const engine::Edge& e) { return e.to != id; });
    return {first, last};
}

// The name of every op's one output port.
inline constexpr const char* kOutputPort = "output";

} // namespace ui
