// The casts' rows of the module's kernel table (cast.cu).
#pragma once

#include "engine/cuda/module.h"

#include <vector>

namespace engine {

std::vector<MantissaCudaKernel> castTable();

} // namespace engine
