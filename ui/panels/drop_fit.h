// What each op would do with a wire that was dropped on the empty canvas. Asked of the planner on a graph of two nodes
// (the wire's end as an input, and the op), so that dialect, slots and shapes answer as they will.
#pragma once

#include "engine/model/plan_view.h"
#include "ui/panels/panel_context.h"

namespace ui {

// The free end of the wire: at an output (an op is wanted that takes it) or at an input port (one that feeds it).
struct DroppedWire {
    enum class End : std::uint8_t { Output, Input };
    engine::NodeId node;
    std::string port = "output";
    End end = End::Output;
};

struct DropFit {
    QString id; // unique in the list
    std::string op;
    engine::ParamMap params; // preset: the cast's target
    std::string port;        // of the new node, where the wire goes
    QString title, remark;   // remark: "takes it as it is", "second input free", why it does not fit
    std::optional<DotLevel> dot;
    bool fits = true;
};

// Those that fit first. Without a planner, or where the wire's dtype is not known, by roles and formats alone.
std::vector<DropFit> dropFits(const PanelContext& context, const DroppedWire& wire, const engine::Planner& planner);

} // namespace ui
