// Scalar functions with the same bits on every machine with FMA (SLEEF's deterministic finz_ variants; without FMA
// the cinz_ ones, which give other bits), and their references in double-double through libquadmath.
// Design 3.3 and 3.4.
#pragma once

#include "engine/model/double_double.h"

#include <cstdint>

namespace engine {

// All in float64; narrower dtypes call these and round once. Within 2 ulp (compositions 4), subnormals kept.
double expStable(double x);
double expm1Stable(double x);
double log1pStable(double x);
double tanhStable(double x);
double erfStable(double x);
double sigmoidStable(double x);
double softplusStable(double x);
double geluErf(double x);  // x/2 erfc(-x/sqrt 2); the limit -0 at -Inf
double geluTanh(double x); // x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))); the limit -0 at -Inf
double eluOf(double x, double alpha);
double seluOf(double x);

// The same, double-double, 2^-98 relative (as far as float64's exponents hold the low part).
DoubleDouble expDD(DoubleDouble x);
DoubleDouble tanhDD(DoubleDouble x);
DoubleDouble sigmoidDD(DoubleDouble x);
DoubleDouble softplusDD(DoubleDouble x);
DoubleDouble geluErfDD(DoubleDouble x);
DoubleDouble geluTanhDD(DoubleDouble x);
DoubleDouble eluDD(DoubleDouble x, DoubleDouble alpha);
DoubleDouble seluDD(DoubleDouble x);

// One row of n elements `stride` apart: exp(x - max) / sum exp(x - max). lo may be null (zero). The differences are
// taken in 113 bits: in double-double their error alone, multiplied by up to 745, would pass 2^-98.
struct SoftmaxRow {
    const double* hi = nullptr;
    const double* lo = nullptr;
    double* yHi = nullptr;
    double* yLo = nullptr;
    std::int64_t n = 0, stride = 1;
};
void softmaxDD(const SoftmaxRow& row);

} // namespace engine
