#include "engine/ops/ops.h"

#include <array>

namespace engine {

const OpCatalog& opCatalog()
{
    static constexpr std::array kSpecs{
#define MANTISSA_OP(name) &op_##name,
#include "engine/ops/op_list.inc"
#undef MANTISSA_OP
    };
    static const OpCatalog catalog{kSpecs};
    return catalog;
}

} // namespace engine
