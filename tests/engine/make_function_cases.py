#!/usr/bin/env python3
"""Writes tests/golden/function_cases.txt: exact values of the engine's functions, by mpmath with 400 bits.

Each line: function, argument (hi lo), value (hi lo), as hexadecimal floats. The argument is hi + lo exactly; hi of the
value is the value rounded to float64, lo the rest rounded to float64. elu has alpha = 1.7 (rounded to float64).
"""
import math
import pathlib
import random

from mpmath import erf, erfc, exp, expm1, log1p, mp, mpf, pi, sqrt, tanh

mp.prec = 400
INF = float("inf")
NAN = float("nan")
ALPHA = 1.7
# Klambauer et al., "Self-normalizing neural networks", 2017, equation 14, for the fixed point (0, 1).
TAIL = erfc(sqrt(mpf(1) / 2)) * exp(mpf(1) / 2)
SELU_ALPHA = sqrt(2 / pi) / (1 - TAIL)
SELU_LAMBDA = (1 - TAIL) * sqrt(2 * pi) / sqrt(
    2 * erfc(sqrt(mpf(2))) * exp(2) + pi * TAIL**2 - 2 * (2 + pi) * TAIL + pi + 2)


def gelu(x):
    if abs(x) > 100:  # beyond 2^-2000 of the limit
        return x if x > 0 else mpf(0)
    return x / 2 * erfc(-x / sqrt(mpf(2)))


def gelu_tanh(x):
    return x / (1 + exp(-2 * sqrt(2 / pi) * (x + mpf("0.044715") * x**3)))


# name: (function, first and last interesting argument, limits at -Inf and +Inf)
FUNCTIONS = {
    "exp": (exp, -745.2, 709.8, 0.0, INF),
    "expm1": (expm1, -60, 709.8, -1.0, INF),
    "log1p": (log1p, -1, 50, NAN, INF),
    "tanh": (tanh, -22, 22, -1.0, 1.0),
    "erf": (erf, -6, 6, -1.0, 1.0),
    "sigmoid": (lambda x: 1 / (1 + exp(-x)), -745.2, 40, 0.0, 1.0),
    "softplus": (lambda x: log1p(exp(x)), -745.2, 40, 0.0, INF),
    "gelu": (gelu, -38.6, 9, -0.0, INF),
    "gelu_tanh": (gelu_tanh, -21.3, 9, -0.0, INF),
    "elu": (lambda x: x if x > 0 else ALPHA * expm1(x), -45, 3, -ALPHA, INF),
    "selu": (lambda x: SELU_LAMBDA * (x if x > 0 else SELU_ALPHA * expm1(x)), -45, 3,
             -SELU_LAMBDA * SELU_ALPHA, INF),
}
ONE_SIDED = {"exp", "sigmoid", "softplus"}  # not zero at zero


def to_double(value):
    """mpf to the nearest float64, subnormals and overflow included."""
    if value == 0:
        return 0.0
    exponent = max(mp.mag(value) - 53, -1074)
    try:
        return math.ldexp(int(mp.nint(mp.ldexp(value, -int(exponent)))), int(exponent))
    except OverflowError:
        return math.copysign(INF, value)


def split(value):
    hi = to_double(value)
    return (hi, 0.0) if math.isinf(hi) else (hi, to_double(value - mpf(hi)))


def arguments(name, rng):
    first, last = FUNCTIONS[name][1:3]
    xs = [sign * x for x in (5e-324, 1e-310, 2.0**-1022, 2.0**-970, 2.0**-540, 2.0**-60, 2.0**-54, 2.0**-53, 2.0**-30,
                             2.0**-28, 2.0**-14, 0.5, 1.0, 2.0**0.5) for sign in (1, -1)]
    xs += [1e5, 1e100, 1.2e307, 1.7e308, 1.7976931348623157e308]
    xs += [-1e5, -1e100, -1.7976931348623157e308]
    xs += [709.782712893384, 709.7827128933841, 36.7368005696771, -36.7368005696771, -708.3964185322641,
           -744.4400719213812, -745.1332191019411, -745.1332191019412, -745.1332191019413]
    xs += [-36.0, -35.99999, -36.00001, -38.4857, -38.56, -39.0, -21.1, -21.2, -19.9]
    xs += [rng.uniform(first, last) for _ in range(70)]
    xs += [rng.uniform(max(first, -4), min(last, 4)) for _ in range(60)]
    xs += [first + (last - first) * 0.05 * rng.random() for _ in range(40)]
    xs += [math.ldexp(rng.uniform(1, 2), rng.randint(-60, 3)) * rng.choice((1, -1)) for _ in range(50)]
    return [x for x in xs if not (name == "log1p" and x <= -1)]


def low_part(x, rng):
    lo = math.ldexp(rng.uniform(-1, 1), math.frexp(x)[1] - 54)
    return lo if x + lo == x and abs(lo) > 2.0**-1000 else 0.0


def specials(name):
    at_minus, at_plus = FUNCTIONS[name][3:5]
    yield (-INF, 0.0), (split(at_minus) if isinstance(at_minus, mpf) else (at_minus, 0.0))
    yield (INF, 0.0), (at_plus, 0.0)
    yield (NAN, 0.0), (NAN, 0.0)
    if name == "log1p":
        yield (-1.0, 0.0), (-INF, 0.0)
        yield (-1.5, 0.0), (NAN, 0.0)
    for zero in (0.0, -0.0):
        yield (zero, 0.0), (split(FUNCTIONS[name][0](mpf(0))) if name in ONE_SIDED else (zero, 0.0))


def cases(name):
    rng = random.Random("functions " + name)
    yield from specials(name)
    function = FUNCTIONS[name][0]
    for i, x in enumerate(arguments(name, rng)):
        rest_of_x = low_part(x, rng) if i % 2 else 0.0
        for lo in (0.0, rest_of_x) if rest_of_x else (0.0,):
            hi, rest = split(function(mpf(x) + mpf(lo)))
            if hi == 0 and name not in ONE_SIDED:
                hi = math.copysign(0.0, x)  # underflow
            yield (x, lo), (hi, rest)


def main():
    path = pathlib.Path(__file__).resolve().parent.parent / "golden" / "function_cases.txt"
    with open(path, "w", encoding="ascii") as out:
        for name in FUNCTIONS:
            for numbers in cases(name):
                print(name, *(float(v).hex() for pair in numbers for v in pair), file=out)


if __name__ == "__main__":
    main()
