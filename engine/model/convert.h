// The only place where a value changes its dtype: one rounding to nearest even from the widest available
// value (semantics reference, section 8). Casts, source storage, the lens and the bits view use it.
#pragma once

#include "engine/model/exec.h"
#include "engine/model/tensor.h"

namespace engine {

enum class FloatOverflow : std::uint8_t { ToSpecial, Saturate }; // 8-bit floats: to Inf/NaN, or to the largest finite

// Element-wise conversion; tf32 as target rounds to 11 significant bits, ties away, stored as float32 with dtype
// tf32. Float to integer truncates toward zero and clamps out of range, NaN to 0; float to bool is x != 0.
// Parallel in chunks; null tensor if stopped.
Tensor convert(const Tensor& t, DType to, const Exec& exec, FloatOverflow overflow = FloatOverflow::ToSpecial);
// Rounds a source value (hi + lo) once.
Tensor convertSource(const DDTensor& t, DType to, const Exec& exec, FloatOverflow overflow = FloatOverflow::ToSpecial);
// Exact widening of any storage dtype; 64-bit integers need lo.
DDTensor widen(const Tensor& t, const Exec& exec);
// Any dtype to float64, rounded once where it does not fit (64-bit integers).
Tensor toFloat64(const Tensor& t, const Exec& exec);
// One element as float64 (64-bit integers rounded); for printing and small tests.
double elementAsDouble(const Tensor& t, std::int64_t index);

} // namespace engine
