// The references of the functions: double-double in and out, evaluated in IEEE binary128 by libquadmath (113 bits,
// 15 exponent bits), in the forms of design 3.3. Arguments reach a condition number of 1500 (the tails of the gelus),
// which leaves 2^-102. libquadmath's own functions were checked against mpmath over their whole domain.
#include "engine/kernels/functions.h"

// Declared here and not by quadmath.h, which only GCC has.
using Quad = __float128;
extern "C" {
Quad expq(Quad);
Quad expm1q(Quad);
Quad tanhq(Quad);
Quad erfcq(Quad);
Quad log1pq(Quad);
}

namespace engine {

namespace {

Quad quad(double hi, double lo)
{
    return lo == 0 ? static_cast<Quad>(hi) : static_cast<Quad>(hi) + static_cast<Quad>(lo); // keeps -0
}
Quad quad(DoubleDouble x)
{
    return quad(x.hi, x.lo);
}
Quad quad(double a, double b, double c)
{
    return quad(a, b) + static_cast<Quad>(c);
}

DoubleDouble round(Quad q)
{
    const double hi = static_cast<double>(q);
    return std::isfinite(hi) ? DoubleDouble{hi, static_cast<double>(q - static_cast<Quad>(hi))} : DoubleDouble{hi};
}

Quad expOfMinusMagnitude(Quad x)
{
    return expq(x < 0 ? x : -x);
}
Quad sigmoid(Quad x)
{
    const Quad e = expOfMinusMagnitude(x);
    return (x < 0 ? e : Quad(1)) / (1 + e);
}

} // namespace

DoubleDouble expDD(DoubleDouble x)
{
    return round(expq(quad(x)));
}

DoubleDouble tanhDD(DoubleDouble x)
{
    return round(tanhq(quad(x)));
}

DoubleDouble sigmoidDD(DoubleDouble x)
{
    return round(sigmoid(quad(x)));
}

DoubleDouble softplusDD(DoubleDouble x)
{
    const Quad q = quad(x);
    const Quad tail = log1pq(expOfMinusMagnitude(q));
    return round(q > 0 ? q + tail : tail);
}

DoubleDouble geluErfDD(DoubleDouble x)
{
    if (x.hi < -64)
        return {-0.0};
    const Quad sqrtHalf = quad(0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55, 0x1.57d3e3adec175p-109);
    const Quad q = quad(x);
    return round(q / 2 * erfcq(-q * sqrtHalf));
}

DoubleDouble geluTanhDD(DoubleDouble x)
{
    if (x.hi < -64)
        return {-0.0};
    if (!(x.hi < 64))
        return x;
    const Quad linear = quad(0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54, -0x1.c7402c7d60cfbp-110);
    const Quad cubic = quad(0x1.2444f2a4d8b4bp-4, -0x1.6c843a29d1c70p-61, -0x1.e59a5ef3f43e4p-115);
    const Quad q = quad(x);
    return round(q * sigmoid(q * (linear + cubic * q * q)));
}

DoubleDouble eluDD(DoubleDouble x, DoubleDouble alpha)
{
    return x.hi < 0 ? round(quad(alpha) * expm1q(quad(x))) : x;
}

DoubleDouble seluDD(DoubleDouble x)
{
    const Quad lambda = quad(0x1.0cfabd6a91132p+0, 0x1.6fc7d272f2696p-55, 0x1.8d679cf9ec387p-110);
    const Quad lambdaAlpha = quad(0x1.c212cc640f031p+0, 0x1.05161b045a1f1p-56, -0x1.250440954f076p-110);
    return round(x.hi < 0 ? lambdaAlpha * expm1q(quad(x)) : lambda * quad(x));
}

void softmaxDD(const SoftmaxRow& row)
{
    const auto at = [&row](std::int64_t i) {
        return quad(row.hi[i * row.stride], row.lo ? row.lo[i * row.stride] : 0);
    };
    Quad maximum = at(0);
    for (std::int64_t i = 1; i < row.n; ++i)
        if (at(i) > maximum)
            maximum = at(i);
    Quad sum = 0;
    for (std::int64_t i = 0; i < row.n; ++i)
        sum += expq(at(i) - maximum); // NaN for a row of -Inf, as in IEEE
    // Evaluated again: a row of 113-bit values has no place to stay.
    for (std::int64_t i = 0; i < row.n; ++i) {
        const DoubleDouble y = round(expq(at(i) - maximum) / sum);
        row.yHi[i * row.stride] = y.hi;
        row.yLo[i * row.stride] = y.lo;
    }
}

} // namespace engine
