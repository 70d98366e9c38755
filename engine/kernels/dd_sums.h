// Pieces of the double-double contractions: the anchor of a sum, sums of double-doubles row by row, and what decides
// whether the ordinary way is enough. Algorithms by their names in Joldes, Muller, Popescu, ACM TOMS 44(2), 2017.
#pragma once

#include "engine/kernels/kernels.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

namespace engine {

inline constexpr double kTinyProduct = 0x1p-960, kLargeSum = 0x1p1020;

// 1.5 * 2^E above twice every partial sum. The clamp keeps the unit of the sum in the range of normal numbers.
inline double anchorOf(double magnitude, std::int64_t depth)
{
    const double bound = magnitude * (1 + 0x1p-40 + static_cast<double>(depth) * 0x1p-51);
    const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(bound) >> 52) - 1023;
    const std::int64_t field = std::max(exponent, -960) + 2 + 1023;
    return std::bit_cast<double>(field << 52 | std::int64_t{1} << 51);
}

// Infinity where all are zero.
inline double smallestNonzero(const double* v, std::int64_t count, const Exec& exec)
{
    constexpr std::int64_t kChunk = 1 << 20;
    // On the bits of |v| - 1: zero becomes the largest number.
    std::atomic<std::uint64_t> least{std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()) - 1};
    exec.parallelFor((count + kChunk - 1) / kChunk, [&](std::int64_t chunk) {
        std::uint64_t mine = least;
        for (std::int64_t i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk); ++i)
            mine = std::min(mine, (std::bit_cast<std::uint64_t>(v[i]) & (~std::uint64_t{0} >> 1)) - 1);
        for (std::uint64_t seen = least; mine < seen && !least.compare_exchange_weak(seen, mine);) {
        }
    });
    return std::bit_cast<double>(least + 1);
}

// Sums of one row of outputs, far from overflow, without branches.
struct RowSum {
    double *hi, *lo;

    // The first piece: v = hi - anchor + lo.
    void assign(const double* anchor, const double* pieceHi, const double* pieceLo, std::int64_t count) const
    {
        for (std::int64_t j = 0; j < count; ++j) {
            const double head = pieceHi[j] - anchor[j], v = head + pieceLo[j], a = v - head;
            hi[j] = v;
            lo[j] = (head - (v - a)) + (pieceLo[j] - a);
        }
    }

    // Another one: AccurateDWPlusDW.
    void add(const double* anchor, const double* pieceHi, const double* pieceLo, std::int64_t count) const
    {
        for (std::int64_t j = 0; j < count; ++j) {
            const double head = pieceHi[j] - anchor[j], v = head + pieceLo[j], a = v - head;
            const double vLow = (head - (v - a)) + (pieceLo[j] - a);
            const double s = hi[j] + v, c = s - hi[j], sLow = (hi[j] - (s - c)) + (v - c);
            const double t = lo[j] + vLow, d = t - lo[j], tLow = (lo[j] - (t - d)) + (vLow - d);
            const double low = sLow + t, u = s + low, w = tLow + (low - (u - s));
            hi[j] = u + w;
            lo[j] = w - (hi[j] - u);
        }
    }

    // A bias of one double: DWPlusFP.
    void add(const double* bias, std::int64_t count) const
    {
        for (std::int64_t j = 0; j < count; ++j) {
            const double s = hi[j] + bias[j], c = s - hi[j], low = ((hi[j] - (s - c)) + (bias[j] - c)) + lo[j];
            hi[j] = s + low;
            lo[j] = low - (hi[j] - s);
        }
    }
};

inline bool isPlainBias(DDSpan bias, std::int64_t count)
{
    for (std::int64_t k = 0; bias.hi && k < count; ++k)
        if (!(std::fabs(bias.hi[k]) <= kLargeSum) || (bias.lo && bias.lo[k] != 0))
            return false;
    return true;
}

} // namespace engine
