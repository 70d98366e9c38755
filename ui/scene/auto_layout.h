// Layered positions: columns by topological depth, few crossings, wires that skip a column get a lane of their own.
// Pure: the caller makes an edit of it.
#pragma once

#include "engine/document/document.h"

#include <QSizeF>

namespace ui {

struct LayoutPlan {
    std::map<engine::NodeId, engine::Point> positions;
    std::map<engine::EdgeKey, std::vector<engine::Point>> reroutes; // of edges that skip a column
};

// Sizes of all nodes; `origin`: the top-left corner of the whole.
LayoutPlan layeredLayout(const engine::Graph& graph, const std::map<engine::NodeId, QSizeF>& sizes,
                         engine::Point origin = {});

} // namespace ui
