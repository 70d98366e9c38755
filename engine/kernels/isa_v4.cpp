// The micro-kernels compiled for x86-64-v4 (AVX-512); the build's flags follow from this file's name.
// Nothing here may run before the CPU was asked.
#include "engine/kernels/plain_tile.inc"

#include "engine/kernels/dd_tile.inc"

namespace engine {

extern constinit const TileKernels kTilesV4 = tileTable();

} // namespace engine
