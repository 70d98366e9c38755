// The level of a coercion dot (look, section 5): from the measured cast where there is one, else from what the formats
// promise. Pure; the one home of the thresholds.
#pragma once

#include "engine/model/snapshot.h"
#include "ui/style/theme.h"

namespace ui {

DotLevel dotLevel(engine::DType from, engine::DType to);
DotLevel dotLevel(const engine::CastReport& report);

} // namespace ui
