// Scalar parameters that are weights (epsilon, alpha): rounded at storage like any other (design 3.1).
#pragma once

#include "engine/model/op_spec.h"

namespace engine {

// The parameters with each scalar weight rounded once to `dtype`; unchanged where that is no float.
Params roundScalarWeights(const OpSpec& spec, const Params& params, DType dtype);

} // namespace engine
