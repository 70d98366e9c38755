// A shape as people read it.
#pragma once

#include "engine/model/shape.h"

#include <QString>

namespace ui {

QString shapeText(const engine::Shape& shape); // "32×26×26×32", an unknown extent as "?"; rank 0: "scalar"

} // namespace ui
