// What is under a point of the canvas, in the order in which things lie: dots, ports, reroute points, nodes, wires.
#pragma once

#include "engine/document/document.h"

#include <cstdint>
#include <string>

namespace ui {

struct Hit {
    enum class Kind : std::uint8_t { None, Dot, Input, Output, Reroute, Node, Badge, Wire };
    Kind kind = Kind::None;
    engine::NodeId node;   // Dot, Input, Output, Node, Badge
    std::string port;      // Dot, Input
    engine::EdgeKey edge;  // Dot, Reroute, Wire
    std::size_t index = 0; // Reroute
    bool operator==(const Hit&) const = default;
    explicit operator bool() const { return kind != Kind::None; }
};

} // namespace ui
