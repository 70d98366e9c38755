// The form of a combo in a plot: line colour, dash and core from the input dtype, marker fill from the weight dtype,
// marker shape from the pair.
#pragma once

#include "ui/plots/chart_adapter.h"
#include "ui/style/theme.h"

#include "engine/model/combo.h"

namespace ui {

enum class Emphasis : std::uint8_t { Quiet, Active, Own }; // Own: the graph's per-layer setting, in ink

ChartLine comboLine(const engine::Combo& combo, Emphasis emphasis, const Theme& theme);
ChartMarks comboMarks(const engine::Combo& combo, Emphasis emphasis, const Theme& theme);
MarkerShape comboMarker(const engine::Combo& combo);
ChartLine arithmeticLine(const Theme& theme);
ChartMarks arithmeticMarks(const Theme& theme);
ChartLine boundLine(const Theme& theme);

} // namespace ui
