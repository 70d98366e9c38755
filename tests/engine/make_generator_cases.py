"""Writes tests/golden/generator_cases.txt: normal quantiles and draws from mpmath and a Philox of its own.

Usage: make_generator_cases.py > ../golden/generator_cases.txt. Needs mpmath. Floats are in hexadecimal.
Rows: quantile P Z | uniform SEED INDEX U | normal SEED INDEX Z | truncated SEED INDEX Z
"""
import random

import mpmath as mp

mp.mp.prec = 240


def philox(counter, key):
    """Philox4x32-10, 128-bit counter and 64-bit key as lists of 32-bit words."""
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & 0xFFFFFFFF, (p0 >> 32) ^ c[3] ^ k[1], p0 & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def draw(seed, index):
    """The exact u in (0, 1)."""
    split = lambda v: [v & 0xFFFFFFFF, v >> 32]
    w = philox(split(index) + [0, 0], split(seed))
    return (mp.mpf((w[0] << 21) | (w[1] >> 11)) + mp.mpf(1) / 2) / mp.mpf(2) ** 53


def lower_quantile(p):
    """z < 0 with Phi(z) = p <= 1/2, by Newton's method on log Phi."""
    if p == mp.mpf(1) / 2:
        return mp.mpf(0)
    z = -mp.sqrt(-2 * mp.log(2 * p)) if p < mp.mpf(1) / 10 else mp.sqrt(2 * mp.pi) * (p - mp.mpf(1) / 2)
    for _ in range(60):
        cdf = mp.erfc(-z / mp.sqrt(2)) / 2
        step = (mp.log(cdf) - mp.log(p)) * cdf * mp.sqrt(2 * mp.pi) * mp.exp(z * z / 2)
        z -= step
        if abs(step) < abs(z) * mp.mpf(2) ** -150:
            return z
    raise ValueError(p)


def quantile(p):
    return lower_quantile(p) if p <= mp.mpf(1) / 2 else -lower_quantile(1 - p)


def main():
    rng = random.Random(20)
    points = [2.0 ** -e for e in range(1, 55)] + [1 - 2.0 ** -e for e in range(2, 54)]
    points += [2.0 ** -e for e in (100, 300, 1000, 1022, 1060, 1074)]
    points += [0.075, 0.0749999, 0.0750001, 0.925, 0.92499999, 0.92500001, 0.5 + 2.0 ** -53, 0.5 - 2.0 ** -54]
    points += [mp.exp(-25) * (1 + d) for d in (-1e-9, 0, 1e-9)]  # where AS 241 changes its polynomials
    points += [rng.random() for _ in range(300)]
    points += [rng.random() * 2.0 ** -rng.randrange(1, 54) for _ in range(200)]
    points += [1 - rng.random() * 2.0 ** -rng.randrange(1, 40) for _ in range(100)]
    for p in points:
        p = float(p)
        print("quantile", p.hex(), float(quantile(mp.mpf(p))).hex())
    draws = [(seed, i) for seed in (0, 7, 2 ** 53 - 1, 2 ** 64 - 1) for i in range(40)]
    draws += [(7, 2 ** 32 + 5), (1, 2 ** 40), (2 ** 32, 0)]
    inside = mp.erf(mp.sqrt(2))
    below = (1 - inside) / 2
    for seed, index in draws:
        u = draw(seed, index)
        print("uniform", seed, index, min(float(u), 1 - 2.0 ** -53).hex())
        print("normal", seed, index, float(quantile(u)).hex())
        deviation = mp.mpf("0.87962566103423978")
        print("truncated", seed, index, float(quantile(below + u * inside) / deviation).hex())


if __name__ == "__main__":
    main()
