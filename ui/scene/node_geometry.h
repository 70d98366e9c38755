// Where everything of a node is, in pixels at 1x from its top-left corner. Look, section 4. Pure.
#pragma once

#include "ui/scene/node_face.h"

#include <QPointF>
#include <QSizeF>

namespace ui {

namespace node_size {
inline constexpr double kPadding = 12, kHeader = 32, kParams = 22, kSlots = 38, kAsked = 14, kFooter = 24;
inline constexpr double kSlotsTop = kHeader + kParams;
inline constexpr double kRadius = 8, kPortY = 26, kPortGap = 24, kFewSlots = 43.2;
inline constexpr double kPillWidth = 44, kPillHeight = 8, kBadge = 16, kNameX = 36, kGap = 6;
inline constexpr double kPortRadius = 4.5, kPortRing = 2, kHitRadius = 14, kDotDistance = 30;
} // namespace node_size

struct InputPort {
    std::string name;
    QPointF at;
    bool isWired = false;
    bool isShy = false;      // the layer owns its value and nothing is wired: seen when the node is looked at
    bool isRequired = false; // nothing is wired and the node cannot run without
};

struct NodeGeometry {
    QSizeF size;
    std::vector<InputPort> inputs;
    std::optional<QPointF> output;
    double footerTop = 92;
    double columnWidth = node_size::kFewSlots;
    QRectF rect() const { return {QPointF(), size}; }
    const InputPort* input(std::string_view name) const;
};

NodeGeometry nodeGeometry(const SceneContext& context, const NodeFace& face, const NodeText& text);

} // namespace ui
