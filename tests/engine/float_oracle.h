// An oracle for the narrow float formats that shares nothing with the engine: a code's value by ldexp from its
// fields, and rounding by looking for the two neighbours of an exact __float128 and comparing distances.
#pragma once

#include "engine/model/dtype.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace oracle {

using Exact = __float128;

struct Format {
    engine::DType dtype;
    int exponentBits, fractionBits;
    bool hasInfinity;
    std::uint32_t allOnes() const { return (1u << (exponentBits + fractionBits)) - 1; }
    std::uint32_t infinity() const { return ((1u << exponentBits) - 1) << fractionBits; }
    std::uint32_t maxFinite() const { return hasInfinity ? infinity() - 1 : allOnes() - 1; }
    std::uint32_t sign() const { return allOnes() + 1; }
};

inline constexpr Format kFloat16{engine::DType::f16, 5, 10, true};
inline constexpr Format kBFloat16{engine::DType::bf16, 8, 7, true};
inline constexpr Format kE4M3FN{engine::DType::e4m3fn, 4, 3, false};
inline constexpr Format kE5M2{engine::DType::e5m2, 5, 2, true};
inline constexpr Format kTf32{engine::DType::tf32, 8, 10, true};
inline constexpr Format kFloat32{engine::DType::f32, 8, 23, true};

// Of a magnitude as if every code were finite: what lies above the largest finite value.
inline double finiteValue(const Format& f, std::uint32_t magnitude)
{
    const int field = static_cast<int>(magnitude >> f.fractionBits);
    const int fraction = static_cast<int>(magnitude & ((1u << f.fractionBits) - 1));
    const int bias = (1 << (f.exponentBits - 1)) - 1;
    return field == 0 ? std::ldexp(fraction, 1 - bias - f.fractionBits)
                      : std::ldexp(fraction + (1 << f.fractionBits), field - bias - f.fractionBits);
}

inline double value(const Format& f, std::uint32_t code)
{
    const std::uint32_t magnitude = code & f.allOnes();
    double v = finiteValue(f, magnitude);
    if (f.hasInfinity && magnitude == f.infinity())
        v = std::numeric_limits<double>::infinity();
    else if (magnitude > f.maxFinite())
        v = std::numeric_limits<double>::quiet_NaN();
    return code & f.sign() ? -v : v;
}

enum class Ties { Even, Away };
enum class Beyond { Special, Largest };

// Of a finite x; signOfZero decides where x is 0.
inline std::uint32_t nearest(const Format& f, Exact x, Ties ties = Ties::Even, Beyond beyond = Beyond::Special,
                             bool signOfZero = false)
{
    const bool negative = x < 0 || (x == 0 && signOfZero);
    const Exact a = x < 0 ? -x : x;
    std::uint32_t low = 0, high = f.maxFinite(); // largest code whose value is at most a
    while (low < high) {
        const std::uint32_t middle = (low + high + 1) / 2;
        if (static_cast<Exact>(finiteValue(f, middle)) <= a)
            low = middle;
        else
            high = middle - 1;
    }
    const Exact below = a - static_cast<Exact>(finiteValue(f, low));
    const Exact above = static_cast<Exact>(finiteValue(f, low + 1)) - a;
    const bool up = above < below || (above == below && (ties == Ties::Away || (low & 1)));
    std::uint32_t code = low + (up ? 1 : 0);
    if (code > f.maxFinite())
        code = beyond == Beyond::Largest ? f.maxFinite() : f.hasInfinity ? f.infinity() : f.allOnes();
    return code | (negative ? f.sign() : 0);
}

inline std::uint32_t nearest(const Format& f, double x, Ties ties = Ties::Even, Beyond beyond = Beyond::Special,
                             bool signOfZero = false)
{
    return nearest(f, static_cast<Exact>(x), ties, beyond, signOfZero);
}

inline std::uint32_t towardZero(const Format& f, Exact x)
{
    const Exact a = x < 0 ? -x : x;
    std::uint32_t code = nearest(f, a, Ties::Even, Beyond::Largest);
    if (static_cast<Exact>(finiteValue(f, code)) > a)
        --code;
    return code | (x < 0 ? f.sign() : 0);
}

} // namespace oracle
