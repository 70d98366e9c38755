// Sums whose printed digits are right: at most 256 values are added in eight lanes (relative error of a sum of
// non-negative values at most (256/8 + 3) * 2^-53), blocks are added in double-double. Sums of squares carry a
// power of two of their own, so that no square overflows or underflows.
#pragma once

#include "engine/analysis/chunks.h"
#include "engine/model/double_double.h"

#include <array>
#include <cmath>

namespace engine {

class CompensatedSum {
public:
    void add(double x)
    {
        const DoubleDouble s = twoSum(m_sum.hi, x);
        m_sum = fastTwoSum(s.hi, s.lo + m_sum.lo);
    }
    void add(const CompensatedSum& o)
    {
        add(o.m_sum.hi);
        add(o.m_sum.lo);
    }
    double value() const { return m_sum.hi + m_sum.lo; }

private:
    DoubleDouble m_sum;
};

// How far arrays of a block must be readable: whole groups of eight lanes.
inline int padded(int n)
{
    return (n + 7) & ~7;
}

// term(i) for i in [0, padded(n)), n <= kBlock; what lies beyond n must be 0.
template <class Term> double laneSum(int n, const Term& term)
{
    double lane[8] = {};
    for (int i = 0; i < n; i += 8)
        for (int k = 0; k < 8; ++k)
            lane[k] += term(i + k);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}
// Of values >= 0; a NaN is passed over.
inline double laneMax(int n, const double* v)
{
    double lane[8] = {};
    for (int i = 0; i < n; i += 8)
        for (int k = 0; k < 8; ++k)
            lane[k] = lane[k] < v[i + k] ? v[i + k] : lane[k];
    return *std::max_element(lane, lane + 8);
}

// value * 2^exponent, exponent even.
struct Scaled {
    double value = 0;
    int exponent = 0;
};
inline double rootMean(Scaled s, std::int64_t count)
{
    return std::ldexp(std::sqrt(s.value / static_cast<double>(count)), s.exponent / 2);
}

// Sum of squares of non-negative values, by the size of the largest of each block: below 2^-400 scaled up, from
// 2^480 on scaled down by 2^600. What a block's own small values lose to underflow is below 2^-54 of its sum.
class SquareSum {
public:
    void addBlock(int n, const double* v, double largest)
    {
        if (largest == 0)
            return;
        const int range = largest < 0x1p-400 ? 0 : largest < 0x1p480 ? 1 : 2;
        const double scale = range == 0 ? 0x1p600 : range == 1 ? 1.0 : 0x1p-600;
        const double sum = laneSum(n, [&](int i) {
            const double x = v[i] * scale;
            return x * x;
        });
        m_ranges[static_cast<std::size_t>(range)].add(sum);
    }
    void add(const SquareSum& o)
    {
        for (std::size_t i = 0; i < m_ranges.size(); ++i)
            m_ranges[i].add(o.m_ranges[i]);
    }
    Scaled total() const
    {
        const double tiny = m_ranges[0].value(), middle = m_ranges[1].value(), huge = m_ranges[2].value();
        if (huge > 0)
            return {huge + middle * 0x1p-1000 * 0x1p-200, 1200};
        if (middle > 0)
            return {middle + tiny * 0x1p-1000 * 0x1p-200, 0};
        return {tiny, -1200};
    }

private:
    std::array<CompensatedSum, 3> m_ranges;
};

} // namespace engine
