// What the parts of the attribution share: signed stage arrays (a null tensor is identically zero: nothing is
// stored or computed for it), element differences, and where an op's operands stand.
#pragma once

#include "engine/analysis/analysis.h"
#include "engine/analysis/element_reader.h"

namespace engine {

struct SignedStages {
    std::array<Tensor, kStageCount> stage;
    Tensor total; // y - op(r, W)
    Tensor& operator[](Stage s) { return stage[static_cast<std::size_t>(s)]; }
    const Tensor& operator[](Stage s) const { return stage[static_cast<std::size_t>(s)]; }
};

// a - b, rounded to float64, in the given shape; null where every element is 0.
Tensor difference(const ElementReader& a, const ElementReader& b, const Shape& shape, const Exec& exec);
// The same of two tensors; null at once where they are one.
Tensor difference(const Tensor& a, const Tensor& b, const Shape& shape, const Exec& exec);
// sum += sign * term; either may be null.
void addTo(Tensor& sum, const Tensor& term, double sign, const Exec& exec);

// Both for ops with spec.contract64 (x: first port; w: second; bias: by role, or -1).
int biasPort(const OpSpec& spec);
// y += b along the channel dimension of `y`'s shape.
void addBias(Tensor& y, const Tensor& bias, const Shape& shape, const Params& params, const Exec& exec);
Result<Tensor> asFloat64(const Tensor& t, const Exec& exec);
Error stoppedAnalysis();

Status addLinearStages(const AttributionInput& in, SignedStages& out);
Status addEvaluatedStages(const AttributionInput& in, SignedStages& out);
bool isOwned(const AttributionInput& in, std::size_t port);
// The exact op on widened tensors, with these parameters.
Result<DDTensor> evaluate(const AttributionInput& in, const Params& params, std::span<const DDTensor> operands);
const Params& storedParams(const AttributionInput& in);
const Params& castParams(const AttributionInput& in);
std::vector<DDTensor> widened(std::span<const Tensor> operands, const Exec& exec);

Result<std::optional<BoundReport>> boundOf(const AttributionInput& in, const SignedStages& stages);

} // namespace engine
