// Sums of two tensors under NumPy broadcasting: what add and bias_add compute.
#pragma once

#include "engine/model/op_spec.h"

namespace engine {

// Each sum rounded once to the operands' dtype, one of the six float storage dtypes.
Result<Tensor> broadcastSum(const Tensor& a, const Tensor& b, const Exec& exec);
// In double-double. Limited where a sum of finite values is not finite.
Result<ReferenceResult> broadcastSum(const DDTensor& a, const DDTensor& b, const Exec& exec);

} // namespace engine
