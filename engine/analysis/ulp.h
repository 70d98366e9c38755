// The unit in the last place of a reference value in a dtype, and what else depends on its range.
// ulp(r) = 2^(clamp(floor(log2 |r|), emin, emax) - m) (design 3.5).
#pragma once

#include "engine/analysis/lanes.h"
#include "engine/model/dtype.h"

#include <cmath>
#include <limits>

namespace engine {

// Largest power of two <= |hi + lo|, within [smallest, largest]; 0 gives `smallest`. A power of two whose lo
// points toward zero lies in the binade below. float64 subnormals lie below every emin.
inline Lanes binadeOf(Lanes hi, Lanes lo, Lanes smallest, Lanes largest)
{
    constexpr std::int64_t kExponent = 0x7ff0000000000000;
    const LaneMask bits = bitsOf(hi);
    const Lanes outward = lanesOf(bitsOf(lo) ^ (bits & INT64_MIN));
    const LaneMask below = (outward < 0.0) & (absLanes(hi) == lanesOf(bits & kExponent));
    const Lanes power = lanesOf((bits & kExponent) - (below & (std::int64_t{1} << 52)));
    const Lanes atLeast = power < smallest ? smallest : power;
    return atLeast > largest ? largest : atLeast;
}

// The facts of a dtype that the passes need. Integers and bool: no ULP, no range.
struct UlpScale {
    bool isFloat = false;
    double smallestBinade = 0, largestBinade = 0; // 2^emin, 2^emax
    double perBinade = 0;                         // 2^m: |e| / binade * perBinade is |e| in ULP
    double minNormal = 0;
    double maxFinite = std::numeric_limits<double>::infinity();
    double overflowFrom = std::numeric_limits<double>::infinity(); // values that round beyond maxFinite
    bool tieOverflows = true;    // E4M3FN: the tie has an even neighbour below (semantics reference, 8.2)
    double bits = 0;             // p
    double below = 0, above = 0; // integers and bool: the first integers out of range, min - 1 and max + 1

    explicit UlpScale(DType dtype)
    {
        const DTypeFacts& f = facts(dtype);
        if (f.kind != DTypeKind::Float) {
            const bool isSigned = f.name.front() == 'i';
            const int valueBits = f.kind == DTypeKind::Boolean ? 1 : f.bytes * 8 - (isSigned ? 1 : 0);
            above = std::ldexp(1.0, valueBits);
            below = isSigned ? -above - 1 : -1; // int64: rounds to -2^63, so that -2^63 itself needs the low part
            maxFinite = 0;                      // every element is looked at
            return;
        }
        isFloat = true;
        smallestBinade = std::ldexp(1.0, f.minExponent);
        largestBinade = std::ldexp(1.0, f.maxExponent);
        perBinade = std::ldexp(1.0, f.fractionBits);
        minNormal = f.minNormal;
        maxFinite = f.maxFinite;
        // float64: 2^1024, infinite, and no finite reference lies there.
        overflowFrom = f.maxFinite + std::ldexp(1.0, f.maxExponent - f.fractionBits - 1);
        tieOverflows = f.hasInfinity;
        bits = precision(dtype);
    }
    // Beyond what the dtype holds: for integers, after truncation toward zero.
    bool overflows(double hi, double lo) const
    {
        if (!isFloat)
            return (hi - above) + lo >= 0 || (below + 1 == below ? (hi - below) + lo <= -1 : (hi - below) + lo <= 0);
        const double magnitude = std::fabs(hi), outward = hi < 0 ? -lo : lo;
        if (magnitude != overflowFrom)
            return magnitude > overflowFrom;
        return outward > 0 || (outward == 0 && tieOverflows);
    }
};

// Correct bits of a relative error: 0..p, p for an exact result.
inline double correctBits(double relative, double p)
{
    return relative == 0 ? p : std::fmin(p, std::fmax(0.0, -std::log2(relative)));
}

} // namespace engine
