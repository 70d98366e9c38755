// What an edit changed, all in all: told from its inverse and the document after it. A node that a list adds and
// removes again has not changed.
#pragma once

#include "engine/document/edit.h"

namespace ui {

struct Changes {
    std::vector<engine::NodeId> nodesAdded, nodesRemoved, nodesChanged;
    std::vector<engine::EdgeKey> edgesAdded, edgesRemoved, reroutes; // a replaced edge is removed and added
    bool moved = false, frames = false, comments = false, settings = false, title = false, tensors = false;

    bool isStructural() const; // results depend on it
    bool isLayout() const;     // the picture depends on it
    bool isEmpty() const { return !isStructural() && !isLayout(); }
};

Changes changesOf(const engine::Edit& inverse, const engine::Document& after);

} // namespace ui
