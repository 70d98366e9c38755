// Where an arrow key leads on the canvas: along the wires, over their coercion dots; up and down among neighbours.
// Pure.
#pragma once

#include "ui/scene/graph_scene.h"

namespace ui {

enum class Way : std::uint8_t { Left, Right, Up, Down };
// Nothing where there is no way; from nothing: the first node.
Hit stepFrom(const GraphScene& scene, const Hit& from, Way way);

} // namespace ui
