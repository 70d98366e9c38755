// Everything a node shows, as one value: made from the document, the plan and the results, compared to know whether to
// repaint. A face holds no reference to any of them.
#pragma once

#include "ui/scene/cast_mark.h"
#include "ui/scene/node_words.h"
#include "ui/scene/scene_context.h"

namespace ui {

enum class SlotArrow : std::uint8_t { None, Lost, NotLost, Widened };

struct SlotColumn {
    QString label;
    std::optional<engine::DType> asked, ran; // asked only where it differs from ran
    SlotArrow arrow = SlotArrow::None;
    bool operator==(const SlotColumn&) const = default;
};

enum class NodeBadge : std::uint8_t { None, Warning, Error, Muted };

struct NodeFace {
    engine::NodeId id;
    QString name, op, params, shape;
    std::vector<SlotColumn> columns;
    NodeBadge badge = NodeBadge::None;
    QString reason; // refused: in place of the footer
    bool isRefused = false, isBlocked = false, isMuted = false;
    std::optional<engine::DType> dtype; // of the output
    std::optional<DotLevel> castDot;    // Cast nodes
    // Results; absent before the first run of this node.
    std::optional<engine::Health> health;
    std::optional<double> local, total; // relative L2; local absent: its stages are not there
    bool areStagesPending = false;      // more of this run is on its way
    bool isStale = false;
    bool isRunning = false; // read by itself: progress is no other face

    bool hasAskedRow() const;
    QString figure() const; // "6.3e−8", "exact" or nothing
    // Of what the pixmap shows; rings, bars and dimming are drawn live.
    std::size_t contentKey() const;
    QString accessibleName() const;
};

// For every blocked node the refused one it waits for.
using WaitsFor = std::map<engine::NodeId, engine::NodeId>;
WaitsFor waitsFor(const SceneContext& context);

NodeFace nodeFace(const SceneContext& context, const NodeText& text, const WaitsFor& waits);

} // namespace ui
