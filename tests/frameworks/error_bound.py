"""How far two correct programs may differ: a bound carried through a graph's nodes, in NumPy long double.

Each value travels as (exact value, bound on |computed - exact|). A `party` is one of the programs that
compute: (u, eta) of the format that it rounds in; every party's own rounding is added, so that the
bound of two parties holds for their difference.

  sum of n products   n u sum|ab| + n eta / 2             (Higham, Accuracy and Stability, 2nd ed., 3.1 and 2.2)
  a function          L e + 4 ulp, L its Lipschitz constant; 4 ulp is our worst composition and more than the
                      frameworks' libraries are off
  elu, selu           the frameworks form exp(x) - 1 as written: the last party is off by 4 ulp of 1 times the slope
  softmax             half the largest e, and (|x - max| + n + 8) 2u relative: argument, exp, sum, quotient
"""
import numpy as np

import numpy_graph as graph

LD = graph.LD
LIPSCHITZ = {"relu": 1, "relu6": 1, "tanh": 1, "softplus": 1, "sigmoid": 0.25, "selu": 1.7581, "gelu": 1.13,
             "identity": 1, "dropout": 1, "output": 1, "cast": 1}
EXACT = ("relu", "relu6", "identity", "dropout", "output", "cast")
MOVES = ("flatten", "reshape")


def contraction(node, x, ex, w, ew, b, eb, parties):
    """conv2d and dense: the same sum over absolute values gives every term."""
    p = node.get("params", {})

    def total(a, c):
        return graph.conv2d(a, c, None, p) if node["op"] == "conv2d" else np.tensordot(a, c, 1)
    n = int(np.prod(w.shape[:-1])) + (b is not None)
    ax, aw = np.abs(x), np.abs(w)
    sizes = total(ax, aw)
    error = total(ex, aw + ew) + total(ax, ew)
    if b is not None:
        is_first = p.get("data_format") == "channels_first"
        channel = graph.per_channel(np.abs(b), sizes.ndim, 1 if is_first else -1)
        sizes, error = sizes + channel, error + np.max(eb)
    reach = sizes + error
    return error + sum(n * u * reach + n * eta / 2 for u, eta in parties)


def batch_normalization(node, x, ex, w, ew, parties):
    """y = (x - m) g / s + b, in any order of operations: six roundings of terms no larger than
    (|x| + |m|) |g / s| + |b|, and the errors of what goes in, to first order."""
    p, axis = node.get("params", {}), node.get("params", {}).get("axis", -1)
    v = {k: graph.per_channel(a, x.ndim, axis) for k, a in w.items()}
    e = {k: graph.per_channel(a, x.ndim, axis) for k, a in ew.items()}
    s = np.sqrt(v["variance"] + LD(p.get("epsilon", 0.001)))
    g, b = np.abs(v.get("scale", LD(1))), np.abs(v.get("offset", LD(0)))
    d = np.abs(x - v["mean"])
    error = (ex + e["mean"]) * g / s + d * e.get("scale", 0) / s + e.get("offset", 0)
    error = error + d * g * e["variance"] / (2 * s ** 3)
    size = (np.abs(x) + np.abs(v["mean"])) * g / s + b
    return 1.01 * error + sum(6 * u * size + eta for u, eta in parties)


def softmax(y, x, ex, axis, parties):
    away = np.abs(x - x.max(axis, keepdims=True)) + x.shape[axis] + 8
    return np.max(ex, axis, keepdims=True) / 2 + sum(2 * u * away * y + eta for u, eta in parties)


def pooled(node, x, ex, parties):
    p = node.get("params", {})
    if node["op"] == "max_pooling2d":
        return graph.pool(ex, p, False)
    n = int(np.prod(p.get("pool_size", [2, 2])))
    return graph.pool(ex, p, True) + sum((n + 1) * u * graph.pool(np.abs(x), p, True) + eta for u, eta in parties)


def step(file, node, feeds, weights, parties):
    """(value, bound) of a node. feeds: port -> (value, bound) of what is wired; weights: the same for what
    the layer owns."""
    op, p = node["op"], node.get("params", {})
    given = {k: v for k, (v, _) in {**weights, **feeds}.items()}
    errors = {k: np.broadcast_to(e, given[k].shape) for k, (_, e) in {**weights, **feeds}.items()}
    y = graph.node_value(file, node, given)
    x, ex = given["input"], errors["input"]
    if op in ("conv2d", "dense"):
        w, b = (given["weight"], errors["weight"]), (given.get("bias"), errors.get("bias"))
        return y, contraction(node, x, ex, *w, *b, parties)
    if op == "batch_normalization":
        names = [k for k in given if k != "input"]
        return y, batch_normalization(node, x, ex, {k: given[k] for k in names}, {k: errors[k] for k in names}, parties)
    if op in ("max_pooling2d", "average_pooling2d"):
        return y, pooled(node, x, ex, parties)
    if op == "softmax":
        return y, softmax(y, x, ex, p.get("axis", -1), parties)
    if op in MOVES:
        return y, graph.node_value(file, node, {"input": ex})
    if op == "add":
        e = errors["input"] + errors["other"]
        return y, e + sum(u * (np.abs(y) + e) for u, _ in parties)
    alpha = abs(p.get("alpha", {"elu": 1.0, "leaky_relu": 0.3}.get(op, 0.0)))
    slope = LIPSCHITZ.get(op) or max(1, alpha)
    plain = {"elu": alpha, "selu": LIPSCHITZ["selu"]}.get(op, 0)
    own = 0 if op in EXACT else sum(8 * u * np.abs(y) + eta for u, eta in parties) + 8 * parties[-1][0] * plain
    return y, slope * ex + own


def owned(file, node):
    """port -> source values of the weights that a layer owns."""
    ports = {"conv2d": ("weight", "bias"), "dense": ("weight", "bias"),
             "batch_normalization": ("scale", "offset", "mean", "variance")}.get(node["op"], ())
    return {k: file.source(node["params"][k], None) for k in ports if k in node.get("params", {})}
