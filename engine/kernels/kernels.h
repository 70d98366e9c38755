// The plain CPU kernels: clear loops in the fixed order of design 3.3, one translation unit per
// instruction set, chosen at run time. They are the oracle of every faster kernel to come. All calls are
// bit-identical for any thread count, and between x86-64-v3 and v4.
#pragma once

#include "engine/model/exec.h"
#include "engine/model/op_spec.h"

namespace engine {

// Geometry of a 2-D window op, independent of layout. Strides are in elements of the tensors.
struct Window2d {
    std::int64_t batch = 1, inH = 1, inW = 1, inC = 1, outH = 1, outW = 1, outC = 1;
    std::int64_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1, dilationH = 1, dilationW = 1;
    std::int64_t padTop = 0, padLeft = 0;
    std::int64_t groups = 1;
    bool channelsFirst = false; // both activations; kernels are always HWIO [kh, kw, inC/groups, outC]
};

// x, w, bias in pair.multiply's storage; y in pair.accumulate. bias may be null. False: stopped.
bool conv2dPlain(const Window2d& g, ComputePair pair, const void* x, const void* w, const void* bias, void* y,
                 const Exec& exec);
// y[rows, columns] = x[rows, depth] w[depth, columns] (+ bias), sums over depth in order.
struct MatmulShape {
    std::int64_t batch = 1, rows = 1, depth = 1, columns = 1;
    std::int64_t strideX = 0, strideW = 0, strideY = 0; // between batch entries, elements; 0: shared
};
bool matmulPlain(const MatmulShape& g, ComputePair pair, const void* x, const void* w, const void* bias, void* y,
                 const Exec& exec);

// Double-double contraction by anchored accumulation (Dot2 where the anchor is not finite), at most
// 2^-90 * sum|ab| off. lo pointers may be null (zero). magnitudes (sum |a b|, + |bias|) may be null.
struct DDSpan {
    const double* hi = nullptr;
    const double* lo = nullptr;
};
struct DDOut {
    double* hi = nullptr;
    double* lo = nullptr;
    double* magnitudes = nullptr;
};
enum class Limited : std::uint8_t { No, Yes };
struct DDStatus {
    bool finished = false;         // false: stopped
    Limited limited = Limited::No; // a product below 2^-960 or a partial overflow
};
DDStatus conv2dDD(const Window2d& g, DDSpan x, DDSpan w, DDSpan bias, DDOut y, const Exec& exec);
DDStatus matmulDD(const MatmulShape& g, DDSpan x, DDSpan w, DDSpan bias, DDOut y, const Exec& exec);

} // namespace engine
