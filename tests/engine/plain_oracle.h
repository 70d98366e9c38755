// The definition of a plain contraction's arithmetic (design 3.3), one step at a time. Narrow floats are decoded from
// their fields and rounded by comparing with the middle of two neighbours: nothing of the engine's is used.
#pragma once

#include "tests/engine/contraction_cases.h"

#include <cmath>
#include <limits>

namespace plain_oracle {

using engine::ComputePair;
using engine::DType;
using engine::Isa;

using Bytes = std::vector<unsigned char>;
using Quad = __float128;

inline std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

// A value from its bits, by the definition of the format (exponent and fraction bits; E4M3FN has NaN at all ones).
inline double decode(DType d, const unsigned char* p)
{
    if (d == DType::f64 || d == DType::f32 || d == DType::tf32) {
        double wide = 0;
        float narrow = 0;
        std::memcpy(d == DType::f64 ? static_cast<void*>(&wide) : &narrow, p, d == DType::f64 ? 8 : 4);
        return d == DType::f64 ? wide : static_cast<double>(narrow);
    }
    const bool isByte = d == DType::e4m3fn || d == DType::e5m2;
    const int e = d == DType::f16 || d == DType::e5m2 ? 5 : d == DType::bf16 ? 8 : 4, m = (isByte ? 7 : 15) - e;
    const int bits = isByte ? p[0] : p[0] | p[1] << 8, bias = (1 << (e - 1)) - 1;
    const int exponent = bits >> m & ((1 << e) - 1), fraction = bits & ((1 << m) - 1);
    const double sign = bits >> (e + m) ? -1 : 1;
    if (exponent == (1 << e) - 1 && d != DType::e4m3fn)
        return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    if (d == DType::e4m3fn && (bits & 127) == 127)
        return std::numeric_limits<double>::quiet_NaN();
    return sign *
           (exponent ? std::ldexp(1 + std::ldexp(fraction, -m), exponent - bias) : std::ldexp(fraction, 1 - bias - m));
}

inline double decode16(DType d, int code)
{
    const unsigned char bytes[2]{static_cast<unsigned char>(code & 255), static_cast<unsigned char>(code >> 8)};
    return decode(d, bytes);
}

// s + a b rounded once to float16 or bfloat16: the largest code not above it, then the middle decides. The sum in
// binary128 may be inexact, its error (two_sum) breaks a tie.
inline double fmaNarrow(DType d, double s, double a, double b)
{
    const Quad product = static_cast<Quad>(a) * b, sum = product + s, part = sum - s;
    const Quad rest = (s - (sum - part)) + (product - part);
    if (!(sum - sum == 0))
        return static_cast<double>(sum);
    const Quad value = sum < 0 ? -sum : sum, below = sum < 0 ? -rest : rest;
    const int infinity = d == DType::f16 ? 0x7c00 : 0x7f80;
    int low = 0;
    for (int step = 1 << 14; step; step >>= 1)
        if (low + step < infinity && decode16(d, low + step) <= value)
            low += step;
    const Quad down = decode16(d, low);
    const Quad up = low + 1 == infinity ? 2 * down - decode16(d, low - 1) : static_cast<Quad>(decode16(d, low + 1));
    const Quad middle = (down + up) / 2;
    const bool goesUp = value > middle || (value == middle && (below > 0 || (below == 0 && low % 2 == 1)));
    const double rounded = !goesUp ? static_cast<double>(down) : decode16(d, low + 1);
    return sum < 0 || (sum == 0 && std::signbit(static_cast<double>(sum))) ? -rounded : rounded;
}

inline bool isNarrow(DType d)
{
    return d == DType::f16 || d == DType::bf16;
}

inline double step(ComputePair pair, Isa isa, double s, double a, double b)
{
    if (isNarrow(pair.accumulate))
        return fmaNarrow(pair.accumulate, s, a, b);
    if (pair.accumulate == DType::f64)
        return isa == Isa::Baseline ? s + a * b : std::fma(a, b, s);
    const float fa = static_cast<float>(a), fb = static_cast<float>(b), fs = static_cast<float>(s);
    return static_cast<double>(isa == Isa::Baseline ? fs + fa * fb : std::fma(fa, fb, fs));
}

// The bytes of an accumulator; any NaN as the positive quiet one.
inline void encode(DType d, double v, unsigned char* p)
{
    if (std::isnan(v))
        v = std::numeric_limits<double>::quiet_NaN();
    const float f = static_cast<float>(v);
    if (!isNarrow(d)) {
        std::memcpy(p, d == DType::f64 ? static_cast<const void*>(&v) : &f, d == DType::f64 ? 8 : 4);
        return;
    }
    const int infinity = d == DType::f16 ? 0x7c00 : 0x7f80;
    int code = std::isnan(v) ? infinity | (d == DType::f16 ? 0x200 : 0x40) : infinity;
    for (int c = 0; c < infinity; ++c)
        if (decode16(d, c) == std::fabs(v))
            code = c;
    code |= std::signbit(v) ? 0x8000 : 0;
    p[0] = static_cast<unsigned char>(code & 255);
    p[1] = static_cast<unsigned char>(code >> 8);
}

} // namespace plain_oracle
