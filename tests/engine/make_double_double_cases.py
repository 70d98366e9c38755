"""Writes tests/golden/double_double_cases.txt: exact results of double-double operations, by mpmath.

A line is: operation, a.hi, a.lo, b.hi, b.lo, then the result as three floats that sum to it (each the rest of the one
before, rounded to nearest), in hexadecimal. Ordinary operands, cancellation, far apart, near both ends of the range,
not finite. Usage: make_double_double_cases.py [FILE]; needs mpmath.
"""
import math
import pathlib
import random
import sys
from fractions import Fraction

from mpmath import mp, mpf

mp.prec = 5000
rng = random.Random(20240818)


def exact(x):
    sign, man, exp, _ = x._mpf_
    value = Fraction(int(man)) * Fraction(2) ** exp
    return -value if sign else value


def nearest(q):
    """Of a rational: true division of integers rounds once, subnormals included."""
    try:
        return q.numerator / q.denominator
    except OverflowError:
        return math.inf if q > 0 else -math.inf


def dd(low_exponent, high_exponent):
    exponent = rng.randint(low_exponent, high_exponent)
    hi = rng.choice((-1, 1)) * math.ldexp(rng.getrandbits(52) | 1 << 52, exponent - 52)
    if rng.random() < 0.1:
        hi = math.copysign(math.ldexp(1.0, exponent), hi)
    if rng.random() < 0.15:
        return hi, 0.0
    lo = rng.choice((-1, 1)) * math.ldexp(rng.getrandbits(53), exponent - 53 - 53 - rng.choice((0, 0, 1, 3, 20, 60)))
    total = nearest(Fraction(hi) + Fraction(lo))
    return total, nearest(Fraction(hi) + Fraction(lo) - Fraction(total))


def pairs(op):
    for _ in range(180):
        yield dd(-30, 30), dd(-30, 30)
    for _ in range(40):
        yield dd(-300, 300), dd(-300, 300)
    for _ in range(100):  # cancellation: b is a with the sign that cancels, off in some bit
        a = dd(-20, 20)
        b = nearest(Fraction(a[0]) * (1 + Fraction(rng.choice((-1, 0, 1)), 2 ** rng.randint(20, 60))))
        sign = -1 if op == "add" else 1
        yield a, (sign * b, sign * a[1] * rng.choice((1, 1, -1, 0.5)) if abs(a[1]) < math.ulp(b) / 4 else 0.0)
    for _ in range(90):  # both ends of the range
        yield dd(-1070, -930), dd(-1070, -930) if op != "mul" else dd(-120, 60)
        if op in ("add", "sub"):
            yield dd(900, 1010), dd(900, 1010)
        else:
            yield dd(480, 1020), dd(-1060, 500) if op == "mul" else dd(400, 1020)


def apply(op, a, b):
    x, y = mpf(a[0]) + mpf(a[1]), mpf(b[0]) + mpf(b[1])
    if op == "div" and y == 0:
        return mpf("nan") if x == 0 or x != x else mpf(math.copysign(math.inf, a[0]) * math.copysign(1, b[0]))
    return {"add": x + y, "sub": x - y, "mul": x * y, "div": x / y if op == "div" else 0, "sqrt": 0}[op]


def line(op, a, b, result):
    parts = []
    if mp.isfinite(result):
        rest = exact(result)
        for _ in range(3):
            parts.append(nearest(rest))
            if math.isinf(parts[-1]):
                break
            rest -= Fraction(parts[-1])
    else:
        parts.append(float(result))
    parts += [0.0] * (3 - len(parts))
    return " ".join([op] + [v.hex() for v in (*a, *b, *parts)])


def main():
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else \
        pathlib.Path(__file__).parent.parent / "golden" / "double_double_cases.txt"
    lines = ["# made by make_double_double_cases.py: operation, a, b, result in three parts"]
    special = [(v, 0.0) for v in (math.inf, -math.inf, math.nan, 0.0, 1.5, -2.0)] + [(1.0, 2.0 ** -60)]
    for op in ("add", "sub", "mul", "div"):
        lines += [line(op, a, b, apply(op, a, b)) for a, b in pairs(op)]
        lines += [line(op, a, b, apply(op, a, b)) for a in special for b in special]
    none = (0.0, 0.0)
    for low, high in [(-20, 20)] * 200 + [(-1070, -900)] * 60 + [(900, 1020)] * 40:
        a = dd(low, high)
        if a[0] < 0:
            a = (-a[0], -a[1])
        lines.append(line("sqrt", a, none, mp.sqrt(mpf(a[0]) + mpf(a[1]))))
    for v, result in ((math.inf, math.inf), (math.nan, math.nan), (-1.0, math.nan), (-math.inf, math.nan), (0.0, 0.0)):
        lines.append(line("sqrt", (v, 0.0), none, mpf(result)))
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
