"""Sums of products far beyond float64, vectorised over the outputs of conv2d and dense.

Operands are expansions (lists of float64 arrays whose sum is meant). Every product is split without
error (Dekker 1971) and summed over three levels (SumK, K = 3: Ogita, Rump, Oishi 2005), which loses
about n^3 2^-159 of sum|ab|. Independent of the program's anchored accumulation.
"""
import numpy as np

import numpy_graph as graph


def two_sum(a, b):
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def split(a):
    c = 134217729.0 * a
    high = c - (c - a)
    return high, a - high


def two_product(a, b):
    p = a * b
    ah, al = split(a)
    bh, bl = split(b)
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


class Sum:
    def __init__(self, shape):
        self.parts = [np.zeros(shape) for _ in range(3)]

    def add(self, x):
        self.parts[0], x = two_sum(self.parts[0], x)
        self.parts[1], x = two_sum(self.parts[1], x)
        self.parts[2] = self.parts[2] + x
        return self

    def value(self):
        return self.parts[0] + (self.parts[1] + self.parts[2])


def image_terms(p, x, w):
    """(x, w) factors of every term of a conv2d, in channels-last outputs."""
    x, groups = graph.last(x, p), p.get("groups", 1)
    stride, dilation, kernel = p["strides"], p["dilation"], w.shape[:2]
    v = graph.windows(x, kernel, stride, graph.pads_of(p, x.shape[1:3], kernel, stride, dilation), dilation, 0)
    ci, co = w.shape[2], w.shape[3] // groups
    of_filter = np.arange(w.shape[3]) // co * ci
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            for c in range(ci):
                yield v[:, :, :, of_filter + c, i, j] if groups > 1 else v[:, :, :, c:c + 1, i, j], w[i, j, c]


def terms(op, p, x, w):
    if op == "conv2d":
        return image_terms(p, x, w)
    return ((x[..., k:k + 1], w[k]) for k in range(w.shape[0]))


def contract(op, p, xs, ws, bias=(), into=None, sign=1.0):
    """A Sum of sign * (sum xs ws + bias) per output, channels last."""
    total = into
    for x in xs:
        for w in ws:
            if total is not None and not (x.any() and w.any()):
                continue
            for a, b in terms(op, p, x, w):
                high, low = two_product(a, sign * b)
                if total is None:
                    total = Sum(high.shape)
                total.add(high).add(low)
    for b in bias:
        total.add(sign * b)
    return total


def magnitudes(op, p, x, w, bias):
    """sum |x w| + |bias| in long double, channels last."""
    x, w = np.abs(x).astype(np.longdouble), np.abs(w).astype(np.longdouble)
    if op == "conv2d":
        y = graph.last(graph.conv2d(x, w, None, p), p)
    else:
        y = np.tensordot(x, w, 1)
    return y if bias is None else y + np.abs(bias)
