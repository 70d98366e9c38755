// Double-double arithmetic: an unevaluated sum hi + lo of two float64, |lo| <= ulp(hi)/2. Algorithms and
// error bounds: Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic", ACM TOMS 44(2), 2017. Needs strict IEEE evaluation (-ffp-contract=off).
// A non-finite hi has lo = 0.
#pragma once

#include <cmath>

namespace engine {

struct DoubleDouble {
    double hi = 0, lo = 0;
    constexpr DoubleDouble() = default;
    constexpr DoubleDouble(double h) : hi(h) {}
    constexpr DoubleDouble(double h, double l) : hi(h), lo(l) {}
};

// Exact: a + b = s + e.
inline DoubleDouble twoSum(double a, double b)
{
    const double s = a + b;
    if (!std::isfinite(s))
        return {s, 0};
    const double z = s - a;
    return {s, (a - (s - z)) + (b - z)};
}
// Exact where |a| >= |b| or a == 0.
inline DoubleDouble fastTwoSum(double a, double b)
{
    const double s = a + b;
    return std::isfinite(s) ? DoubleDouble{s, b - (s - a)} : DoubleDouble{s, 0};
}
// Exact unless the low part underflows (|a b| < 2^-960).
inline DoubleDouble twoProduct(double a, double b)
{
    const double p = a * b;
    return std::isfinite(p) ? DoubleDouble{p, std::fma(a, b, -p)} : DoubleDouble{p, 0};
}

DoubleDouble operator-(DoubleDouble a);
DoubleDouble operator+(DoubleDouble a, DoubleDouble b); // AccurateDWPlusDW: 3u^2 + 13u^3
DoubleDouble operator-(DoubleDouble a, DoubleDouble b);
DoubleDouble operator*(DoubleDouble a, DoubleDouble b); // DWTimesDW3: 4u^2
DoubleDouble operator/(DoubleDouble a, DoubleDouble b); // DWDivDW3: 9.8u^2
DoubleDouble sqrt(DoubleDouble a);
DoubleDouble abs(DoubleDouble a);
// By (hi, lo); NaN compares false.
bool operator<(DoubleDouble a, DoubleDouble b);
bool operator==(DoubleDouble a, DoubleDouble b);

} // namespace engine
