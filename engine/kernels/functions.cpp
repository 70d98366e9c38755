// The float64 functions. SLEEF's scalar deterministic functions were checked over their whole domain: what they lack
// (exp next to overflow, log1p above 1e307, tanh, expm1 and log1p of subnormals) and the compositions whose tails
// amplify the rounding of an argument (both gelus) is done here. Nothing calls libm but fma, which is exact.
#include "engine/kernels/functions.h"

#include "engine/model/exec.h"

// sleef.h hides the fma variants unless the including file is itself compiled for FMA.
extern "C" {
double Sleef_finz_expd1_u10purecfma(double);
double Sleef_finz_expm1d1_u10purecfma(double);
double Sleef_finz_logd1_u10purecfma(double);
double Sleef_finz_log1pd1_u10purecfma(double);
double Sleef_finz_tanhd1_u10purecfma(double);
double Sleef_finz_erfd1_u10purecfma(double);
double Sleef_finz_erfcd1_u15purecfma(double);
double Sleef_cinz_expd1_u10purec(double);
double Sleef_cinz_expm1d1_u10purec(double);
double Sleef_cinz_logd1_u10purec(double);
double Sleef_cinz_log1pd1_u10purec(double);
double Sleef_cinz_tanhd1_u10purec(double);
double Sleef_cinz_erfd1_u10purec(double);
double Sleef_cinz_erfcd1_u15purec(double);
}

namespace engine {

namespace {

struct Table {
    double (*exp)(double);
    double (*expm1)(double);
    double (*log)(double);
    double (*log1p)(double);
    double (*tanh)(double);
    double (*erf)(double);
    double (*erfc)(double);
};
constexpr Table kFma{Sleef_finz_expd1_u10purecfma,   Sleef_finz_expm1d1_u10purecfma, Sleef_finz_logd1_u10purecfma,
                     Sleef_finz_log1pd1_u10purecfma, Sleef_finz_tanhd1_u10purecfma,  Sleef_finz_erfd1_u10purecfma,
                     Sleef_finz_erfcd1_u15purecfma};
constexpr Table kNoFma{Sleef_cinz_expd1_u10purec,   Sleef_cinz_expm1d1_u10purec, Sleef_cinz_logd1_u10purec,
                       Sleef_cinz_log1pd1_u10purec, Sleef_cinz_tanhd1_u10purec,  Sleef_cinz_erfd1_u10purec,
                       Sleef_cinz_erfcd1_u15purec};

// bestIsa too, so that a run held to the baseline shows the bits of a machine without FMA.
const Table& sleef()
{
    static const Table& table = __builtin_cpu_supports("fma") && hasFma(bestIsa()) ? kFma : kNoFma;
    return table;
}

constexpr double kDown = 0x1p-512;

// exp(hi + lo) 2^512 as value (1 + rest): keeps the tails of the gelus normal until their last rounding.
struct ScaledExp {
    double value, rest;
};
ScaledExp scaledExp(double hi, double lo)
{
    constexpr DoubleDouble kLog2Up{0x1.62e42fefa39efp+8, 0x1.abc9e3b39803fp-47}; // 512 ln 2
    const DoubleDouble s = twoSum(hi, kLog2Up.hi);
    return {sleef().exp(s.hi), s.lo + kLog2Up.lo + lo};
}

// -erfc'(t) / erfc(t) for t > 1/2, from the continued fraction of erfc; only a correction is made of it.
double logDerivativeErfc(double t)
{
    double c = t;
    for (int k = 8; k >= 1; --k)
        c = t + 0.5 * k / c;
    return 2 * c;
}

// x/2 erfc(-x/sqrt 2) for x in [-39, -36], where erfc alone would be subnormal: the asymptotic series
// -exp(-x^2/2) / sqrt(2 pi) (1 - z + 3 z^2 - 15 z^3 ...), z = 1/x^2; the first omitted term is below 2^-60.
double geluErfTail(double x)
{
    constexpr DoubleDouble kInvSqrt2Pi{0x1.9884533d43651p-2, -0x1.cbc0d30ebfd15p-56};
    const DoubleDouble square = twoProduct(x, x);
    const ScaledExp e = scaledExp(-square.hi / 2, -square.lo / 2);
    const double z = 1 / square.hi;
    double series = 1;
    for (int k = 13; k >= 3; k -= 2)
        series = 1 - k * z * series;
    const double rest = kInvSqrt2Pi.lo / kInvSqrt2Pi.hi + e.rest - z * series;
    return -(e.value * (kInvSqrt2Pi.hi + kInvSqrt2Pi.hi * rest)) * kDown;
}

} // namespace

double expStable(double x)
{
    constexpr DoubleDouble kLog2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    if (!(x > 709) || x > 710)
        return sleef().exp(x);
    // exp gives up at 709.782711, a little below the true end at 709.782713.
    const DoubleDouble s = twoSum(x, -kLog2.hi);
    const double half = sleef().exp(s.hi);
    return 2 * (half + half * (s.lo - kLog2.lo));
}

double expm1Stable(double x)
{
    if (std::fabs(x) < 0x1p-54)
        return x;
    return x > 64 ? expStable(x) : sleef().expm1(x);
}

double log1pStable(double x)
{
    if (std::fabs(x) < 0x1p-54)
        return x;
    return x > 0x1p60 ? sleef().log(x) : sleef().log1p(x); // log1p overflows above 1e307
}

double tanhStable(double x)
{
    return std::fabs(x) < 0x1p-28 ? x : sleef().tanh(x);
}

double erfStable(double x)
{
    return sleef().erf(x);
}

double sigmoidStable(double x)
{
    const double e = sleef().exp(-std::fabs(x));
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

double softplusStable(double x)
{
    const double tail = log1pStable(sleef().exp(-std::fabs(x)));
    return x > 0 ? x + tail : tail;
}

double geluErf(double x)
{
    constexpr DoubleDouble kSqrtHalf{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};
    if (x < -39)
        return -0.0; // below half of the smallest subnormal
    if (x < -36)
        return geluErfTail(x);
    const DoubleDouble product = twoProduct(-x, kSqrtHalf.hi);
    const double t = product.hi;
    double c = sleef().erfc(t);
    if (t > 0.5)
        c -= c * (logDerivativeErfc(t) * (product.lo - x * kSqrtHalf.lo));
    return 0.5 * x * c;
}

// x sigmoid(v), v = 2 sqrt(2/pi) (x + 0.044715 x^3) in double-double: 1 + tanh would cancel for x < 0, and v's error
// is multiplied by up to 745.
double geluTanh(double x)
{
    constexpr DoubleDouble kLinear{0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54};
    constexpr DoubleDouble kCubic{0x1.2444f2a4d8b4bp-4, -0x1.6c843a29d1c70p-61};
    if (x > 40 || x == 0)
        return x;
    if (x < -40)
        return -0.0;
    const DoubleDouble v = (kLinear + kCubic * twoProduct(x, x)) * DoubleDouble(x);
    if (v.hi < -600) {
        const ScaledExp e = scaledExp(v.hi, v.lo);
        return x * (e.value + e.value * e.rest) * kDown;
    }
    // One rounded division n / (1 + e) and its residual, so that only exp and the last addition round.
    const double e = sleef().exp(-std::fabs(v.hi));
    const DoubleDouble n = v.hi < 0 ? twoProduct(x, e) : DoubleDouble(x);
    const DoubleDouble d = fastTwoSum(1, e);
    const double q = n.hi / d.hi;
    const double residual = std::fma(-q, d.hi, n.hi) + n.lo - q * d.lo;
    return q + (residual + q * (v.hi < 0 ? v.lo : v.lo * e)) / d.hi;
}

double eluOf(double x, double alpha)
{
    return x < 0 ? alpha * expm1Stable(x) : x;
}

// The fixed point of Klambauer et al., "Self-normalizing neural networks", NeurIPS 2017: lambda and lambda alpha.
double seluOf(double x)
{
    return x < 0 ? 0x1.c212cc640f031p+0 * expm1Stable(x) : 0x1.0cfabd6a91132p+0 * x;
}

} // namespace engine
