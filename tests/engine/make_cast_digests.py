"""Writes tests/golden/cast_digests.txt: SHA-256 of what float64 becomes in each narrower float format.

Inputs are a function of their index (see `inputs`), the same in tst_cast_digests.cpp. Outputs are not this project's:
NumPy rounds float64 to float32 and float16 once; the others are ml_dtypes behind a rounding to odd, because alone it
rounds twice; tf32 (ties away) is the rule on the rounded-to-odd word. NaN is written as one code per format.
Usage: make_cast_digests.py [FILE]; needs NumPy and ml_dtypes.
"""
import hashlib
import pathlib
import sys

import ml_dtypes
import numpy as np

BLOCK, BLOCKS = 65536, 160
U = np.uint64
SEED = U(0x4D616E7469737361)
# exponent bits, fraction bits, largest finite code
FORMATS = [(5, 10, 0x7BFF), (8, 7, 0x7F7F), (4, 3, 0x7E), (5, 2, 0x7B)]


def splitmix64(index):
    z = SEED + (index + U(1)) * U(0x9E3779B97F4A7C15)
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))


def code_value(code, e, m):
    """Value of a code; the one after the largest finite continues the pattern, as rounding sees it."""
    field, fraction = code >> m, code & ((1 << m) - 1)
    significand = np.where(field > 0, fraction + (1 << m), fraction)
    return np.ldexp(significand.astype(np.float64), (np.maximum(field, 1) - ((1 << (e - 1)) - 1) - m).astype(np.int32))


def boundary_bits():
    """Every code and every midpoint above it, each with both float64 neighbours and both signs: 12 per code."""
    parts = []
    for e, m, largest in FORMATS:
        code = np.arange(largest + 1)
        here = code_value(code, e, m)
        middle = (here + code_value(code + 1, e, m)) / 2
        for_each = np.empty((code.size, 3, 2, 2), np.uint64)  # delta -1, 0, 1; code or midpoint; sign
        for d in range(3):
            for w, value in enumerate((here, middle)):
                bits = value.view(np.uint64) + U(d) - U(1)
                for_each[:, d, w, 0] = bits
                for_each[:, d, w, 1] = bits ^ U(1 << 63)
        parts.append(for_each.reshape(-1))
    return np.concatenate(parts)


def random_bits(index):
    """A quarter any bits; a quarter any fraction, exponent in -160..159; half a midpoint of some precision, +-2 ulp."""
    r, s = splitmix64(U(2) * index), splitmix64(U(2) * index + U(1))
    kind = s & U(3)
    exponent = U(1023 - 160) + (s >> U(8)) % U(320)
    fraction = r & U((1 << 52) - 1)
    tail = U(52) - (s >> U(40)) % U(24)
    delta = (s >> U(48)) % U(5) - U(2)
    middle = ((fraction >> tail) << tail) + (U(1) << (tail - U(1))) + delta
    ranged = (r & U(1 << 63)) | (exponent << U(52)) | np.where(kind >= 2, middle, fraction)
    return np.where(kind == 0, r, ranged)


def inputs(block, boundary):
    index = np.arange(block * BLOCK, (block + 1) * BLOCK, dtype=np.uint64)
    bits = random_bits(index)
    at = boundary[block * BLOCK:(block + 1) * BLOCK]
    bits[:at.size] = at
    return bits.view(np.float64)


def to_odd(x):
    f = x.astype(np.float32)
    f = np.where(np.abs(f.astype(np.float64)) > np.abs(x), np.nextafter(f, np.float32(0)), f)
    return (f.view(np.uint32) | (f.astype(np.float64) != x)).astype(np.uint32).view(np.float32)


def tf32_away(odd):
    word = odd.view(np.uint32)
    rounded = (word + np.uint32(0x1000)) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(odd), rounded, word).view(np.float32)


def with_one_nan(y, nan, unsigned):
    codes = y.view(unsigned).copy()
    codes[np.isnan(y.astype(np.float32))] = nan
    return codes


def main():
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else \
        pathlib.Path(__file__).parent.parent / "golden" / "cast_digests.txt"
    boundary = boundary_bits()
    lines = [f"# made by make_cast_digests.py: format, block of {BLOCK} inputs, SHA-256 of the little-endian codes"]
    with np.errstate(all="ignore"):
        for block in range(BLOCKS):
            x = inputs(block, boundary)
            odd = to_odd(x)
            for name, y, nan, unsigned in (
                    ("float32", x.astype(np.float32), 0x7FC00000, "<u4"),
                    ("tf32", tf32_away(odd), 0x7FC00000, "<u4"),
                    ("float16", x.astype(np.float16), 0x7E00, "<u2"),
                    ("bfloat16", odd.astype(ml_dtypes.bfloat16), 0x7FC0, "<u2"),
                    ("float8_e4m3fn", odd.astype(ml_dtypes.float8_e4m3fn), 0x7F, "u1"),
                    ("float8_e5m2", odd.astype(ml_dtypes.float8_e5m2), 0x7E, "u1")):
                digest = hashlib.sha256(with_one_nan(y, nan, unsigned).tobytes()).hexdigest()
                lines.append(f"{name} {block} {digest}")
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
