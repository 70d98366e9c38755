// Generators and initialisers: the same bits on every machine. Philox4x32-10, key from the node's seed,
// counter = element index; uniform = (k + 1/2) 2^-53; normal by inverse CDF; no libm call on the way.
#pragma once

#include "engine/model/exec.h"
#include "engine/model/param.h"
#include "engine/model/tensor.h"

#include <array>

namespace engine {

// Four 32-bit words of Philox4x32-10 for a 128-bit counter and 64-bit key (Salmon et al., SC 2011).
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);
double uniformAt(std::uint64_t seed, std::uint64_t index); // in (0, 1)
double inverseNormalCdf(double p); // 0 < p < 1; relative error below 2^-48, plain arithmetic only
double normalAt(std::uint64_t seed, std::uint64_t index);
// Normal within two standard deviations, divided by 0.8796 (the deviation that is left) as Keras does: unit variance.
double truncatedNormalAt(std::uint64_t seed, std::uint64_t index);

// Source values of a Generator or Values source; fans from the shape ([in, out]; HWIO: receptive field times
// channels), as Keras computes them. Errors: "source-init", "source-values" (count), "source-shape".
Result<DDTensor> generate(const Source& source, const Shape& shape, const Exec& exec);

} // namespace engine
