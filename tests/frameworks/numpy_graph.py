"""Evaluates a .mantissa file by its values alone, in NumPy long double: what the program's reference
run must agree with. Independent of the program; casts and dtypes do nothing here, as in a reference.
"""
import io
import json
import math
import zipfile

import numpy as np

LD = np.longdouble
KINDS = {"float64": "<f8", "float32": "<f4", "float16": "<f2"}


def from_bits(array, dtype):
    """float64 values of a tensor whose label is dtype; bfloat16 and fp8 come as bit patterns."""
    if dtype == "bfloat16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if dtype in ("float8_e4m3fn", "float8_e5m2"):
        import ml_dtypes
        return array.view(getattr(ml_dtypes, dtype)).astype(np.float64)
    return array


class File:
    def __init__(self, path):
        with zipfile.ZipFile(path) as z:
            self.model = json.loads(z.read("model.json"))
            self.tensors = {}
            for name, entry in self.model.get("tensors", {}).items():
                array = np.lib.format.read_array(io.BytesIO(z.read(entry["file"])))
                self.tensors[name] = (array, entry["dtype"])
        self.nodes = self.model["nodes"]
        self.ids = {n["name"]: n["id"] for n in self.nodes}
        self.feeds = {}
        for e in self.model.get("edges", []):
            self.feeds.setdefault(e["to"][0], {})[e["to"][1]] = e["from"][0]

    def source(self, source, shape):
        """A source's real numbers in long double (an integer image over 2^depth - 1 is one float64 division)."""
        if "tensor" in source:
            array, dtype = self.tensors[source["tensor"]]
            values = from_bits(array, dtype)
            if source.get("scale") == "unit":
                values = values.astype(np.float64) / float(np.iinfo(array.dtype).max)
            return values.astype(LD)
        if "values" in source:
            return np.broadcast_to(np.array(source["values"], LD), shape) if len(source["values"]) == 1 else \
                np.array(source["values"], LD).reshape(shape)
        fixed = {"zeros": 0, "ones": 1, "constant": source.get("a")}
        if source.get("init") in fixed:
            return np.full(shape, fixed[source["init"]], LD)
        raise NotImplementedError("source %s" % source)


# --- the ops -------------------------------------------------------------------------------------

def windows(x, kernel, stride, pads, dilation, fill):
    """x [N,H,W,C] -> [N,OH,OW,C,kh,kw]."""
    x = np.pad(x, [(0, 0), tuple(pads[0::2]), tuple(pads[1::2]), (0, 0)], constant_values=fill)
    out = [(x.shape[1 + i] - (kernel[i] - 1) * dilation[i] - 1) // stride[i] + 1 for i in (0, 1)]
    n, h, w, c = x.strides
    return np.lib.stride_tricks.as_strided(
        x, (x.shape[0], out[0], out[1], x.shape[3], kernel[0], kernel[1]),
        (n, h * stride[0], w * stride[1], c, h * dilation[0], w * dilation[1]))


def pads_of(p, size, kernel, stride, dilation):
    """[top, left, bottom, right]."""
    mode = p.get("padding", "valid")
    if mode == "valid":
        return [0, 0, 0, 0]
    if mode == "explicit":
        return p["pads"]
    totals = []
    for n, k, s, d in zip(size, kernel, stride, dilation):
        totals.append(max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0))
    small, large = [t // 2 for t in totals], [t - t // 2 for t in totals]
    return small + large if mode == "same" else large + small


def last(x, p):
    """To channels last, and back (its own inverse is `first`)."""
    return np.moveaxis(x, 1, -1) if p.get("data_format") == "channels_first" else x


def first(x, p):
    return np.moveaxis(x, -1, 1) if p.get("data_format") == "channels_first" else x


def conv2d(x, w, b, p):
    x, groups = last(x, p), p.get("groups", 1)
    stride, dilation = p.get("strides", [1, 1]), p.get("dilation", [1, 1])
    kernel = w.shape[:2]
    v = windows(x, kernel, stride, pads_of(p, x.shape[1:3], kernel, stride, dilation), dilation, 0)
    ci, co = x.shape[3] // groups, w.shape[3] // groups
    parts = []
    for g in range(groups):
        group = v[:, :, :, g * ci:(g + 1) * ci], w[..., g * co:(g + 1) * co]
        parts.append(np.tensordot(*group, ((3, 4, 5), (2, 0, 1))))
    y = np.concatenate(parts, -1)
    return first(y if b is None else y + b, p)


def pool(x, p, average):
    x, kernel = last(x, p), p.get("pool_size", [2, 2])
    stride, dilation = p.get("strides") or kernel, p.get("dilation", [1, 1])
    pads = pads_of(p, x.shape[1:3], kernel, stride, dilation)
    if not average:
        return first(windows(x, kernel, stride, pads, dilation, -np.inf).max((4, 5)), p)
    total = windows(x, kernel, stride, pads, dilation, 0).sum((4, 5))
    outside = 1 if p.get("count_include_pad") else 0
    inside = windows(np.ones_like(x), kernel, stride, pads, dilation, outside).sum((4, 5))
    return first(total / inside, p)


def per_channel(v, rank, axis):
    shape = [1] * rank
    shape[axis] = -1
    return v.reshape(shape)


def batch_normalization(x, p, w):
    axis = p.get("axis", -1)
    v = {k: per_channel(a, x.ndim, axis) for k, a in w.items()}
    y = (x - v["mean"]) / np.sqrt(v["variance"] + LD(p.get("epsilon", 0.001)))
    y = y * v["scale"] if "scale" in v else y
    return y + v["offset"] if "offset" in v else y


def erf(x):
    return np.vectorize(lambda v: LD(math.erf(float(v))), otypes=[LD])(x)


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def elu(x, a):
    return np.where(x > 0, x, a * np.expm1(np.minimum(x, 0)))


SELU_A, SELU_S = LD("1.67326324235437728481704297"), LD("1.05070098735548049341933499")
POINTWISE = {
    "identity": lambda x, p: x, "dropout": lambda x, p: x, "cast": lambda x, p: x, "output": lambda x, p: x,
    "relu": lambda x, p: np.where(x < 0, 0, x), "relu6": lambda x, p: np.clip(x, 0, 6),
    "leaky_relu": lambda x, p: np.where(x >= 0, x, LD(p.get("alpha", 0.3)) * x),
    "elu": lambda x, p: elu(x, LD(p.get("alpha", 1.0))),
    "selu": lambda x, p: SELU_S * elu(x, SELU_A),
    "gelu": lambda x, p: x * (1 + erf(x / np.sqrt(LD(2)))) / 2,
    "sigmoid": lambda x, p: 1 / (1 + np.exp(-x)), "tanh": lambda x, p: np.tanh(x),
    "softplus": lambda x, p: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    "softmax": lambda x, p: softmax(x, p.get("axis", -1)),
}
STATISTICS = {"scale": "use_scale", "offset": "use_offset", "mean": None, "variance": None}


def node_value(file, node, feeds):
    """feeds: port -> long double array."""
    op, p, x = node["op"], node.get("params", {}), feeds.get("input")

    def weight(port, shape=None):
        return feeds[port] if port in feeds else file.source(p[port], shape)
    if op in ("input", "weights"):
        shape = p.get("shape", [1])
        values = file.source(p.get("value", {"init": "zeros"}), shape)
        return values.reshape(shape)
    if op in POINTWISE:
        return POINTWISE[op](x, p)
    if op in ("conv2d", "dense"):
        w, b = weight("weight"), weight("bias") if p.get("use_bias", True) else None
        return conv2d(x, w, b, p) if op == "conv2d" else np.tensordot(x, w, 1) + (0 if b is None else b)
    if op in ("max_pooling2d", "average_pooling2d"):
        return pool(x, p, op[0] == "a")
    if op == "batch_normalization":
        used = [k for k, use in STATISTICS.items() if use is None or p.get(use, True)]
        return batch_normalization(x, p, {k: weight(k) for k in used})
    if op == "flatten":
        return last(x, p if x.ndim > 2 else {}).reshape(int(np.prod(x.shape[:p.get("axis", 1)])), -1)
    if op == "reshape":
        return x.reshape([x.shape[i] if n == 0 else n for i, n in enumerate(p["shape"])])
    if op == "add":
        return x + feeds["other"]
    if op == "bias_add":
        return x + per_channel(feeds["bias"], x.ndim, 1 if p.get("data_format") == "channels_first" else -1)
    if op == "matmul":
        return np.matmul(x, feeds["other"])
    raise NotImplementedError(op)


def run(path):
    """(file, {node id: long double}); nodes come before those that they feed, as our writer has them."""
    file, values = File(path), {}
    for n in file.nodes:
        feeds = {port: values[i] for port, i in file.feeds.get(n["id"], {}).items()}
        values[n["id"]] = node_value(file, n, feeds)
    return file, values
