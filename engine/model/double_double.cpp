// Algorithms by their names in Joldes, Muller, Popescu (see the header); the square root is SQRTDWtoDW of Lefevre,
// Louvet, Muller, Picot, Rideau, "Accurate calculation of Euclidean norms using double-word arithmetic", ACM TOMS
// 49(1), 2023 (25/8 u^2).
#include "engine/model/double_double.h"

#include "engine/model/narrow_float.h"

namespace engine {

namespace {

// An exact zero keeps the sign that float64 gives it.
DoubleDouble withZeroOf(DoubleDouble z, double plain)
{
    return z.hi == 0 ? DoubleDouble{plain == 0 ? plain : 0.0, 0} : z;
}

bool isOrdinary(double x)
{
    return std::fabs(x) > 0x1p-400 && std::fabs(x) < 0x1p400;
}

DoubleDouble scaled(DoubleDouble a, int exponent)
{
    const double hi = std::ldexp(a.hi, exponent);
    if (!std::isfinite(hi))
        return {hi, 0};
    if (std::fabs(hi) < 0x1p-1022) // subnormal: what is left of a low part only takes part in the rounding
        return {std::ldexp(roundToOdd(a.hi, a.lo), exponent), 0};
    return fastTwoSum(hi, std::ldexp(a.lo, exponent));
}

// DWDivDW3, both operands far from the ends of the range.
DoubleDouble divideOrdinary(DoubleDouble x, DoubleDouble y)
{
    const double t = 1 / y.hi;
    const double rh = std::fma(-y.hi, t, 1.0);
    const double rl = -(y.lo * t);
    const DoubleDouble e = fastTwoSum(rh, rl);
    // DWTimesFP3(e, t)
    const DoubleDouble c = twoProduct(e.hi, t);
    const DoubleDouble d = fastTwoSum(c.hi, std::fma(e.lo, t, c.lo));
    // DWPlusFP(d, t)
    const DoubleDouble s = twoSum(d.hi, t);
    const DoubleDouble inverse = fastTwoSum(s.hi, d.lo + s.lo);
    return x * inverse;
}

} // namespace

DoubleDouble operator-(DoubleDouble a)
{
    return {-a.hi, std::isfinite(a.hi) ? -a.lo : 0};
}

DoubleDouble operator+(DoubleDouble x, DoubleDouble y)
{
    const DoubleDouble s = twoSum(x.hi, y.hi);
    if (!std::isfinite(s.hi))
        return s;
    const DoubleDouble t = twoSum(x.lo, y.lo);
    const DoubleDouble v = fastTwoSum(s.hi, s.lo + t.hi);
    if (!std::isfinite(v.hi))
        return v;
    return withZeroOf(fastTwoSum(v.hi, t.lo + v.lo), s.hi);
}

DoubleDouble operator-(DoubleDouble x, DoubleDouble y)
{
    return x + -y;
}

DoubleDouble operator*(DoubleDouble x, DoubleDouble y)
{
    const DoubleDouble c = twoProduct(x.hi, y.hi);
    if (!std::isfinite(c.hi) || c.hi == 0)
        return {c.hi, 0};
    const double low = std::fma(x.lo, y.hi, std::fma(x.hi, y.lo, x.lo * y.lo));
    return fastTwoSum(c.hi, c.lo + low);
}

DoubleDouble operator/(DoubleDouble x, DoubleDouble y)
{
    const double q = x.hi / y.hi;
    if (!std::isfinite(x.hi) || !std::isfinite(y.hi) || x.hi == 0 || y.hi == 0)
        return {q, 0};
    if (isOrdinary(x.hi) && isOrdinary(y.hi))
        return divideOrdinary(x, y);
    const int ex = std::ilogb(x.hi), ey = std::ilogb(y.hi);
    return scaled(divideOrdinary(scaled(x, -ex), scaled(y, -ey)), ex - ey);
}

DoubleDouble sqrt(DoubleDouble a)
{
    if (!(a.hi > 0) || !std::isfinite(a.hi))
        return {std::sqrt(a.hi), 0};
    if (!isOrdinary(a.hi)) {
        const int half = std::ilogb(a.hi) / 2;
        return scaled(sqrt(scaled(a, -2 * half)), half);
    }
    const double root = std::sqrt(a.hi);
    const double rest = a.lo + std::fma(-root, root, a.hi);
    return fastTwoSum(root, rest / (2 * root));
}

DoubleDouble abs(DoubleDouble a)
{
    return std::signbit(a.hi) ? -a : a;
}

bool operator<(DoubleDouble a, DoubleDouble b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

bool operator==(DoubleDouble a, DoubleDouble b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

} // namespace engine
