#include "engine/run/scalar_weights.h"

#include "engine/model/convert.h"

namespace engine {

Params roundScalarWeights(const OpSpec& spec, const Params& params, DType dtype)
{
    Params rounded = params;
    for (const ParamSpec& p : spec.params) {
        if (!p.isScalarWeight || !isFloat(dtype))
            continue;
        DDTensor one = DDTensor::allocate(Shape{}, DDTensor::Lo::Absent);
        one.mutableHi()[0] = params.real(p.name);
        rounded = rounded.withReal(p.name, elementAsDouble(convertSource(one, dtype, SerialExec(Isa::Baseline)), 0));
    }
    return rounded;
}

} // namespace engine
