#include "engine/kernels/dispatch.h"

namespace engine {

const TileKernels& tileKernels(Isa isa)
{
    if (isa == Isa::V4 && isaAvailable(Isa::V4))
        return kTilesV4;
    if (isa != Isa::Baseline && isaAvailable(Isa::V3))
        return kTilesV3;
    return kTilesBaseline;
}

} // namespace engine
