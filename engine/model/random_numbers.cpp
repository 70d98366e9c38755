// Counter-based random numbers. Only +, -, *, / and sqrt: the same bits on every machine with IEEE arithmetic.
// Philox: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Normal quantile: Wichura,
// algorithm AS 241 (PPND16), Applied Statistics 37(3), 1988, on a logarithm of our own.
#include "engine/model/generators.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine {

namespace {

// The draw of an element: 53 bits, the first word above the top 21 bits of the second. The real number
// u = (k + 1/2) 2^-53 lies strictly between 0 and 1.
std::int64_t drawAt(std::uint64_t seed, std::uint64_t index)
{
    const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
    const auto high = [](std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); };
    const auto words = philox4x32({low(index), high(index), 0, 0}, {low(seed), high(seed)});
    return static_cast<std::int64_t>((std::uint64_t{words[0]} << 21) | (words[1] >> 11));
}

constexpr double kDrawUnit = 0x1p-53;

// u - 1/2, exactly: k + 1/2 - 2^52 has at most 53 significant bits.
double centredDraw(std::int64_t k)
{
    return (static_cast<double>(k - (std::int64_t{1} << 52)) + 0.5) * kDrawUnit;
}

// Natural logarithm of a positive finite x below 1/2: 2^e m with m in [sqrt(1/2), sqrt(2)), then
// log m = 2 atanh(s), s = (m - 1)/(m + 1), |s| < 0.172: the terms left out are below 2^-64 of the result.
double logBelowHalf(double x)
{
    int e = 0;
    double m = std::frexp(x, &e);
    if (m < 0.70710678118654752) {
        m *= 2;
        --e;
    }
    const double s = (m - 1) / (m + 1), z = s * s;
    double sum = 0;
    for (int n = 25; n >= 3; n -= 2)
        sum = z * (sum + 1.0 / n);
    // ln 2 in two parts; e times the first is exact for |e| < 2^8.
    constexpr double kLn2High = 0x1.62e42fefa38p-1, kLn2Low = 0x1.ef35793c7673p-45;
    const double e1 = e;
    return e1 * kLn2High + (2 * s + (2 * s * sum + e1 * kLn2Low));
}

using Coefficients = std::array<double, 8>;

double polynomial(const Coefficients& c, double x)
{
    double sum = c[7];
    for (std::size_t i = 7; i-- > 0;)
        sum = sum * x + c[i];
    return sum;
}

// Quantile at 1/2 + q, |q| <= 0.425.
double quantileCentral(double q)
{
    static constexpr Coefficients kA{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                     3.3430575583588128105e4, 2.5090809287301226727e3};
    static constexpr Coefficients kB{1.0,
                                     4.2313330701600911252e1,
                                     6.8718700749205790830e2,
                                     5.3941960214247511077e3,
                                     2.1213794301586595867e4,
                                     3.9307895800092710610e4,
                                     2.8729085735721942674e4,
                                     5.2264952788528545610e3};
    const double r = 0.180625 - q * q;
    return q * (polynomial(kA, r) / polynomial(kB, r));
}

// Minus the quantile at p <= 0.075: positive.
double quantileTail(double p)
{
    static constexpr Coefficients kC{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                     3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static constexpr Coefficients kD{1.0,
                                     2.05319162663775882187e0,
                                     1.67638483018380384940e0,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};
    static constexpr Coefficients kE{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static constexpr Coefficients kF{1.0,
                                     5.99832206555887937690e-1,
                                     1.36929880922735805310e-1,
                                     1.48753612908506148525e-2,
                                     7.86869131145613259100e-4,
                                     1.84631831751005468180e-5,
                                     1.42151175831644588870e-7,
                                     2.04426310338993978564e-15};
    const double r = std::sqrt(-logBelowHalf(p));
    if (r <= 5)
        return polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6);
    return polynomial(kE, r - 5) / polynomial(kF, r - 5);
}

constexpr double kCentral = 0.425;

// Quantile at 1/2 + q, odd in q to the last bit; tail = 1/2 - |q|, which the caller may know better.
double quantile(double q, double tail)
{
    if (std::abs(q) <= kCentral)
        return quantileCentral(q);
    return q < 0 ? -quantileTail(tail) : quantileTail(tail);
}

} // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key)
{
    constexpr int kRounds = 10;
    for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * counter[0];
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * counter[2];
        counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
                   static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    return counter;
}

double uniformAt(std::uint64_t seed, std::uint64_t index)
{
    // From k = 2^52 on, k + 1/2 is rounded to even; the last k would give 1.
    const double u = (static_cast<double>(drawAt(seed, index)) + 0.5) * kDrawUnit;
    return std::min(u, 1 - kDrawUnit);
}

double inverseNormalCdf(double p)
{
    if (!(p > 0 && p < 1)) {
        const double infinity = std::numeric_limits<double>::infinity();
        return p == 0 ? -infinity : p == 1 ? infinity : std::numeric_limits<double>::quiet_NaN();
    }
    return quantile(p - 0.5, std::min(p, 1 - p));
}

double normalAt(std::uint64_t seed, std::uint64_t index)
{
    const double q = centredDraw(drawAt(seed, index));
    return quantile(q, 0.5 - std::abs(q));
}

double truncatedNormalAt(std::uint64_t seed, std::uint64_t index)
{
    // Phi(2) - Phi(-2), and the standard deviation of the normal truncated at two of its own.
    constexpr double kInside = 0.95449973610364158560, kDeviation = 0.87962566103423978;
    const double q = centredDraw(drawAt(seed, index)) * kInside;
    return quantile(q, 0.5 - std::abs(q)) / kDeviation;
}

} // namespace engine
