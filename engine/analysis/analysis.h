// Error analysis of one node: metrics, casts, stages, bounds, lens. Definitions: design 3.5 to 3.7.
// Pure functions; each pass is fused, parallel in fixed chunks (same numbers for any thread count).
#pragma once

#include "engine/model/snapshot.h"

namespace engine {

// y against r, ULP of y's dtype. `magnitudes` (float64, sum |a b| per element) gives `condition`; may be null.
ErrorMetrics measure(const Tensor& y, const DDTensor& r, const Tensor& magnitudes, const Exec& exec);

// What a conversion did to a tensor: before -> after, in ULP of after's dtype.
CastReport measureCast(const Tensor& before, const Tensor& after, const Exec& exec);
StoredReport measureStored(const DDTensor& source, const Tensor& stored, const Exec& exec);
Health healthOf(const Tensor& t, const Exec& exec);
int valueBits(const Tensor& t, const Exec& exec);

// Everything attribution needs about one node of one run. Per port; null where absent.
struct AttributionInput {
    const OpSpec& spec;
    const Params& params;
    std::span<const DDTensor> reference; // r and W: what the reference run fed the node
    std::span<const Tensor> arrived;     // a and W~: storage dtype
    std::span<const Tensor> cast;        // c(a), c(W~): what the kernel got
    const Tensor& before;                // kernel result before output rounding
    const Tensor& after;                 // node output
    const DDTensor& referenceOutput;     // op(r, W)
    ComputePair pair;
    std::int64_t reductionLength = 0; // 0: no bound
    const Exec& exec;
    bool keep = false;       // keep signed stages and per-element bounds
    bool isSource = false;   // Input node: stored - source is the storage stage
    bool isCastNode = false; // everything local is cast
    // Per port: not 0 where the tensor is the layer's own weight, whose deviation from the source is storage; that of
    // a wired one is inherited. Empty: the layer owns what has a weight's, bias' or statistic's role.
    std::span<const char> owned = {};
    bool passesThrough = false; // muted: the first operand leaves as it came
    // Scalar weights (epsilon, alpha) rounded at storage, and then to what the kernel multiplied with; null: as params.
    const Params* storedParams = nullptr;
    const Params* castParams = nullptr;
};
struct AttributionOutput {
    Attribution stages;
    std::optional<BoundReport> bound;
};
Result<AttributionOutput> attribute(const AttributionInput& input);

// Design 3.7: what this tensor would lose in each other storage float, without rerunning anything.
struct LensRow {
    DType dtype = DType::f32;
    CastReport loss; // exactly what a real cast would report
};
struct Lens {
    int firstExponent = 0;               // floor(log2 |x|) of the first bin
    std::vector<std::int64_t> exponents; // counts per binade, finite non-zero values
    std::int64_t zeros = 0, infinities = 0, nans = 0;
    std::vector<LensRow> rows; // every float storage dtype other than its own
};
Lens lensOf(const Tensor& t, const Exec& exec);

} // namespace engine
