// What a graph would do under one dialect and combo, known without running it: shapes, dtypes, casts, findings.
// Made from the plan by engine/run; what the canvas colours its edges by.
#pragma once

#include "engine/model/runner.h"

namespace engine {

struct PortView {
    std::string port;
    std::optional<DType> arrives; // storage dtype of what arrives or is owned; absent: not connected or unknown
    std::optional<DType> used;    // after its casts
    bool owned = false;           // the layer's own weight
    // The first cast of this port, if any:
    bool isCast = false, isImplicit = false, isExact = true;
    std::string rule, sentence;
};

struct NodeView {
    NodeId id;
    Shape shape;
    std::optional<DType> dtype; // of the output; absent: refused or blocked
    int effectiveBits = 0;
    std::array<SlotState, kSlotCount> slots{};
    std::array<bool, kSlotCount> hasSlot{};
    std::vector<PortView> ports; // the present ones, in the record's order
    bool refused = false, blocked = false;
};

struct PlanView {
    std::string dialect;
    Combo combo;
    bool ok = true;
    std::map<NodeId, NodeView> nodes;
    std::vector<Finding> findings;
    std::string plan; // printed
};

// Cheap (no tensor is touched); any thread.
using Planner = std::function<PlanView(const RunRequest& request, const Configuration& configuration)>;

} // namespace engine
