// Chooses the micro-kernels of an instruction set. The only way to reach them.
#pragma once

#include "engine/kernels/plain_tiles.h"
#include "engine/model/exec.h"

namespace engine {

// Of `isa`, or of the widest instruction set below it that this machine has.
const TileKernels& tileKernels(Isa isa);

} // namespace engine
