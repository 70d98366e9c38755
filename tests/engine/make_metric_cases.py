#!/usr/bin/env python3
"""Makes tests/golden/metric_cases.json: error metrics of design 3.5 in exact rational arithmetic.

Every dtype, with zeros, NaN, Inf, subnormals, powers of two whose low part points down, and values at, just
above and just below the overflow threshold. Square roots and logarithms by mpmath at 60 digits.
Usage: make_metric_cases.py OUT.json (NumPy and mpmath)
"""
import json
import math
import struct
import sys
from fractions import Fraction

import mpmath
import numpy as np

mpmath.mp.dps = 60
# name: exponent bits, fraction bits, has infinity
FORMATS = {"float64": (11, 52, True), "float32": (8, 23, True), "float16": (5, 10, True), "bfloat16": (8, 7, True),
           "float8_e4m3fn": (4, 3, False), "float8_e5m2": (5, 2, True)}
HALF_DECADES = [float(mpmath.mpf(10) ** (mpmath.mpf(k) / 2 - 20)) for k in range(49)]
BINS = [Fraction(b) for b in ("0", "1/2", "1", "2", "4", "8", "16", "32")]


def decode(code, fmt):
    """A Fraction, or "nan", "inf", "-inf"."""
    e, m, has_inf = fmt
    sign = -1 if code >> (e + m) else 1
    field, frac = (code >> m) & (2 ** e - 1), code & (2 ** m - 1)
    if field == 2 ** e - 1:
        if has_inf:
            return "nan" if frac else ("inf" if sign > 0 else "-inf")
        if frac == 2 ** m - 1:
            return "nan"
    bias = 2 ** (e - 1) - 1
    if field == 0:
        return sign * Fraction(frac) * Fraction(2) ** (1 - bias - m)
    return sign * Fraction(2 ** m + frac) * Fraction(2) ** (field - bias - m)


def encode_near(x, fmt):
    """Code of a value near x (rounded toward zero, clamped): which neighbour does not matter here."""
    e, m, has_inf = fmt
    bias = 2 ** (e - 1) - 1
    a, sign = abs(x), (1 if x < 0 else 0) << (e + m)
    if a == 0:
        return sign
    q = max(floor_log2(a), 1 - bias) - m
    n = int(a / Fraction(2) ** q)
    code = n if n < 2 ** m else (q + m + bias) * 2 ** m + (n - 2 ** m)
    largest = (2 ** e - 1) * 2 ** m - 1 if has_inf else 2 ** (e + m) - 2
    return sign | min(code, largest)


def floor_log2(a):
    k = a.numerator.bit_length() - a.denominator.bit_length()
    return k if Fraction(2) ** k <= a else k - 1


def bits_of(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def real(hi, lo):
    return str(hi) if not math.isfinite(hi) else Fraction(hi) + Fraction(lo)


def median(v):
    n = len(v)
    return v[n // 2] if n % 2 else (v[n // 2 - 1] + v[n // 2]) / 2


def log2(fr):
    return mpmath.log(mpmath.mpf(fr.numerator) / fr.denominator, 2)


def mp(fr):
    return mpmath.mpf(fr.numerator) / mpmath.mpf(fr.denominator)


def rel_histogram(rel):
    """By the relative error rounded to float64: exact, below, 48 half decades from 1e-20 on, above."""
    counts = [0] * 51
    for x in rel:
        counts[0 if x == 0 else 1 + sum(float(x) >= edge for edge in HALF_DECADES)] += 1
    return {"exact": counts[0], "below": counts[1], "counts": counts[2:50], "above": counts[50]}


def metrics(codes, his, los, mags, fmt, limited):
    e, m, has_inf = fmt
    bias = 2 ** (e - 1) - 1
    emin, p = 1 - bias, m + 1
    largest = decode((2 ** e - 1) * 2 ** m - 1 if has_inf else 2 ** (e + m) - 2, fmt)
    emax = floor_log2(largest)
    threshold = largest + Fraction(2) ** (emax - m - 1)
    out = dict(elements=len(codes), zero_ref=0, zero_ref_wrong=0, nan=0, inf=0, overflow=0, underflow=0, subnormal=0,
               first_bad=None)
    ab, rel, ulp, ratios, rs = [], [], [], [], []
    for i, (code, hi, lo, mag) in enumerate(zip(codes, his, los, mags)):
        y, r = decode(code, fmt), real(hi, lo)
        y_finite, r_finite = not isinstance(y, str), not isinstance(r, str)
        out["nan"] += y == "nan"
        out["inf"] += y in ("inf", "-inf")
        out["subnormal"] += bool(y_finite and y != 0 and abs(y) < Fraction(2) ** emin)
        if r_finite:
            out["zero_ref"] += r == 0
            out["zero_ref_wrong"] += r == 0 and y != 0
            out["underflow"] += y == 0 and r != 0
            if not y_finite and out["first_bad"] is None:
                out["first_bad"] = i
            beyond = abs(r) >= threshold if has_inf else abs(r) > threshold
            stuck = y_finite and abs(y) == largest or y == "nan" and not has_inf
            out["overflow"] += y in ("inf", "-inf") or (stuck and beyond)
            if r != 0:
                ratios.append(Fraction(mag) / abs(r))
        elif limited and not y_finite:
            out["overflow"] += 1
        if y_finite and r_finite:
            ab.append(abs(y - r))
            rs.append(r)
            if r != 0:
                rel.append(abs(y - r) / abs(r))
                ulp.append(abs(y - r) / Fraction(2) ** (min(max(floor_log2(abs(r)), emin), emax) - m))
    squares, reference = sum(a * a for a in ab), sum(r * r for r in rs)
    n = len(ab)
    if n:
        out.update(max_abs=float(max(ab)), mean_abs=float(sum(ab) / n), rmse=float(mpmath.sqrt(mp(squares / n))))
        out["rms_reference"] = float(mpmath.sqrt(mp(reference / n)))
        if reference:
            out["rel_l2"] = float(mpmath.sqrt(mp(squares / reference)))
            if squares:
                out["sqnr_db"] = float(10 * mpmath.log10(mp(reference / squares)))
    if rel:
        bits = sorted(mpmath.mpf(p) if x == 0 else min(mpmath.mpf(p), max(mpmath.mpf(0), -log2(x))) for x in rel)
        counts = [0] * 9
        for u in ulp:  # binned by u rounded to float64
            counts[next((k for k, b in enumerate(BINS) if (float(u) if u else 0) <= b), 8)] += 1
        out.update(max_rel=float(max(rel)), mean_rel=float(sum(rel) / len(rel)), max_ulp=float(max(ulp)),
                   mean_ulp=float(sum(ulp) / len(ulp)), min_bits=float(bits[0]),
                   p01_bits=float(bits[(len(bits) - 1) // 100]), median_bits=float(median(bits)), counts=counts,
                   rel_histogram=rel_histogram(rel))
    if ratios:
        out["condition"] = float(median(sorted(ratios)))
    return out


def references(name, rng, n):
    """hi, lo within the range that keeps float64 metrics normal numbers."""
    e, m, _ = FORMATS[name]
    bias = 2 ** (e - 1) - 1
    top = min(bias - 1, 300)
    spread = [int(rng.integers(max(2 - bias - m, -300), top)) if k % 3 == 0 else int(rng.integers(-4, 4))
              for k in range(n)]
    his = [float(rng.choice([-1, 1]) * math.ldexp(1 + rng.random(), s)) for s in spread]
    los = [h * float(rng.uniform(-1, 1)) * 2.0 ** -54 for h in his]
    for k in range(0, n, 9):  # powers of two: lo toward zero is one binade lower
        his[k] = math.ldexp(math.copysign(1, his[k]), int(rng.integers(-3, 3)))
        los[k] = -his[k] * 2.0 ** -55 if k % 2 else his[k] * 2.0 ** -55
    for k in range(4, n, 7):
        his[k] = los[k] = 0.0
    return his, los


def case(name, seed, n, limited=False, with_odd=True):
    rng = np.random.default_rng(seed)
    fmt = FORMATS[name]
    e, m, has_inf = fmt
    his, los = references(name, rng, n)
    codes = []
    for h, l in zip(his, los):
        wrong = Fraction(float(rng.normal())) * Fraction(2) ** (-m + int(rng.integers(-3, 8)))
        codes.append(encode_near(real(h, l) * (1 + wrong), fmt))
    exact = range(2, n, 11)
    for k in exact:
        y = decode(codes[k], fmt)
        his[k], los[k] = float(y), 0.0
    mags = [abs(h) * float(1 + rng.exponential(3)) for h in his]
    largest = float(decode((2 ** e - 1) * 2 ** m - 1 if has_inf else 2 ** (e + m) - 2, fmt))
    top_code = encode_near(Fraction(largest) * 2, fmt)
    inf_code = (2 ** e - 1) << m if has_inf else 2 ** (e + m) - 1
    nan_code = 2 ** (e + m) - 1
    odd = [(nan_code, 1.5, 0.0), (inf_code, 2.5, 0.0), (inf_code, math.inf, 0.0), (nan_code, math.nan, 0.0),
           (0, 1e-30, 0.0), (3, 0.0, 0.0), (1, 1e-300, 0.0), (nan_code, 0.0, 0.0),
           (5, math.inf, 0.0), (nan_code, -math.inf, 0.0), (1 << (e + m), 0.0, 0.0)]
    if name != "float64":
        ulp = math.ldexp(1.0, floor_log2(Fraction(largest)) - m)
        tie = largest + ulp / 2
        down = -math.ulp(tie) / 4
        odd += [(top_code, 3.0, 0.0),
                (top_code, tie, 0.0), (top_code, tie, down), (top_code, tie, -down), (top_code, -tie * 1.01, 0.0),
                (top_code, largest, 0.0), (nan_code, tie * 1.01, 0.0), (nan_code, largest, 0.0), (nan_code, -tie, down)]
    for k, (c, h, l) in enumerate(odd if with_odd else []):
        at = (k * 37 + 5) % n
        codes[at], his[at], los[at], mags[at] = c, h, l, abs(h) * 2 if math.isfinite(h) else 1.0
    title = f"{name} {n}{' limited' if limited else ''}{'' if with_odd else ' finite'}"
    return {"name": title, "dtype": name, "limited": limited, "y": codes,
            "hi": [bits_of(h) for h in his], "lo": [bits_of(l) for l in los], "magnitudes": [bits_of(g) for g in mags],
            "expected": metrics(codes, his, los, mags, fmt, limited)}


def extreme():
    """Squares beyond float64 in both directions."""
    cases = []
    for name, hs in (("float64 huge", [1e300, -3e299, 2.0 ** 1000]), ("float64 tiny", [1e-290, 2.0 ** -970, -3e-291]),
                     ("float64 both", [1e300, 1.0, 1e-290])):
        ys = [h * (1 + 2.0 ** -50) for h in hs]
        codes, zeros = [bits_of(y) for y in ys], [0.0] * 3
        cases.append({"name": name, "dtype": "float64", "limited": False, "y": codes, "hi": [bits_of(h) for h in hs],
                      "lo": [0] * 3, "magnitudes": [bits_of(abs(h)) for h in hs],
                      "expected": metrics(codes, hs, zeros, [abs(h) for h in hs], FORMATS["float64"], False)})
    return cases


def main():
    cases = [case(name, 10 * k + j, n, j == 1) for k, name in enumerate(FORMATS) for j, n in enumerate((300, 257))]
    cases += [case(name, 1000 + k, 509, False, False) for k, name in enumerate(FORMATS)]
    cases += extreme()
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        json.dump({"cases": cases}, f, separators=(",", ":"))
        f.write("\n")


main()
