// What the drivers know of the code compiled per instruction set: one table of micro-kernels each. A micro-kernel
// adds `steps` products, in order, to the accumulators of a few pixels (rows) and one block of channels (columns).
// Freestanding: included by translation units that are compiled for AVX2 and AVX-512.
#pragma once

#include <cstdint>

namespace engine {

// acc[pixel][channel] of `block` channels, read and written; w[step][channel] of `block` channels;
// x[pixel * xStride + step]. T holds the operands exactly.
template <class T> struct PlainTile {
    const T* x = nullptr;
    std::int64_t xStride = 0;
    const T* w = nullptr;
    T* acc = nullptr;
    std::int64_t steps = 0;
};

template <class T> struct PlainKernel {
    int block = 0;                                               // channels
    int height = 0;                                              // most pixels in one call
    void (*run)(const PlainTile<T>& tile, int pixels) = nullptr; // 1 <= pixels <= height
};

// hi starts at the anchor, lo at 0. xLo and wLo as the kernel's name says, else unused.
struct DDTile {
    const double* xHi = nullptr;
    const double* xLo = nullptr;
    std::int64_t xStride = 0;
    const double* wHi = nullptr;
    const double* wLo = nullptr;
    double* hi = nullptr;
    double* lo = nullptr;
    std::int64_t steps = 0;
};

struct DDKernel {
    int height = 0;
    void (*run)(const DDTile& tile, int pixels) = nullptr;
};

struct TileKernels {
    PlainKernel<float> f32;
    PlainKernel<double> f64;
    PlainKernel<double> f16;   // s <- round(s + a b) to float16, values kept in float64
    PlainKernel<double> bf16;  // the same to bfloat16
    DDKernel x1w1, x2w1, x2w2; // x and w as one or two doubles; block as in f64
};

// Constant data: reading v3 or v4 is safe, calling into them only after the CPU was asked.
extern const TileKernels kTilesBaseline, kTilesV3, kTilesV4;

} // namespace engine
