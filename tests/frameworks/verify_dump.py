#!/usr/bin/env python3
"""Recomputes what `mantissa-cli run` prints, from its --dump alone, and compares.

    verify_dump.py DIR REPORT.json        a dump, and the --json report of the same call
    verify_dump.py [MANTISSA_CLI]         runs the lessons and a few odd models, and verifies each

References of conv2d, dense and relu from source/ (within 2^-90 sum|ab|; a sample again in mpmath), every
error figure, cast, stored figure, stage and bound. Shares no code with the program. Exit 1 when a
number differs, 77 when the program, NumPy, h5py or mpmath is absent.
"""
import json
import os
import sys
import tempfile
from fractions import Fraction

import harness
from harness import np

try:
    import mpmath
except ImportError as missing:
    harness.skip("%s; python3-mpmath is needed" % missing)

import exact_sums  # noqa: E402
import numpy_graph as graph  # noqa: E402
import verify_figures as figures  # noqa: E402
from dump_reader import Dump, RunDump  # noqa: E402

harness.add_tools()
from mantissa_writer import Model, settings  # noqa: E402

CONTRACTIONS = ("conv2d", "dense")
STAGES = ("inherited", "storage", "cast", "arithmetic", "output")
SAMPLE = 12
EVERY = [a for d in ("float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")
         for a in ("--combo", d + ":" + d)] + ["--combo", "float64:float16"]
LESSONS = (  # file, arguments
    ("seed", ["--combo", "all"]),
    ("four_combos", ["--batch", "0:8", "--combo", "all", "--combo", "f16:f16", "--combo", "bf16:bf16"]),
    ("four_combos_raw_ops", ["--batch", "0:4", "--combo", "all"]),
    ("lenet_digits", ["--batch", "0:6", "--combo", "all", "--combo", "float16:float16", "--combo", "bfloat16:bfloat16",
                      "--combo", "float8_e4m3fn:float8_e4m3fn", "--combo", "float8_e5m2:float8_e5m2"]),
    ("mnist_valid", ["--combo", "all", "--combo", "f16:f32"]),
    ("identity_narrowed", ["--combo", "all"]),
)


class Check:
    """Compares and counts."""

    def __init__(self):
        self.count, self.problems = 0, []

    def that(self, ok, where, what, printed=None, ours=None):
        self.count += 1
        if not ok:
            values = "" if printed is None else " is printed as %r, recomputed %r" % (printed, ours)
            self.problems.append("%s: %s%s" % (where, what, values))

    def close(self, where, what, printed, ours, tolerance):
        """Equal, both absent, or within an absolute tolerance."""
        same = printed == ours or (printed is None) == (ours is None) and ours is not None and printed is not None \
            and abs(figures.number(printed) - ours) <= tolerance
        self.that(bool(same), where, what, printed, ours)


def ports_of(node):
    return ["weight"] + (["bias"] if node["parameters"].get("use_bias", False) else [])


def node_of(node):
    """A node of dump.json as numpy_graph knows it."""
    return {"op": node["op"], "params": node["parameters"]}


def channels_last(values, node):
    return graph.last(values, node["parameters"]) if node["op"] == "conv2d" else values


# --- references ----------------------------------------------------------------------------------

def sample_in_mpmath(check, where, node, xs, ws, bias, hi, lo, sizes):
    """Some elements again, in rational arithmetic and mpmath: both our sums and the program's."""
    p, op = node["parameters"], node["op"]
    rng = np.random.default_rng(5)
    for _ in range(SAMPLE):
        at = tuple(int(rng.integers(n)) for n in hi.shape)
        if not np.isfinite(hi[at]):
            continue
        total = Fraction(0)
        for x in xs:
            for w in ws:
                for a, c in exact_sums.terms(op, p, x, w):
                    f = np.broadcast_to(a, hi.shape)[at] if a.shape[-1] != 1 else a[at[:-1] + (0,)]
                    total += Fraction(float(f)) * Fraction(float(c[at[-1]]))
        total += sum((Fraction(float(b[at[-1]])) for b in bias), Fraction(0))
        exact = mpmath.mpf(total.numerator) / total.denominator
        off = abs(exact - (mpmath.mpf(float(hi[at])) + mpmath.mpf(float(lo[at]))))
        allowed = mpmath.ldexp(mpmath.mpf(float(sizes[at])), -90)
        check.that(off <= allowed, where, "reference of element %s (mpmath)" % (at,))


def check_reference(check, dump, ident):
    node, where = dump.nodes[ident], "node %d %s" % (ident, dump.nodes[ident]["name"])
    hi, lo = dump.reference(ident)
    if node["op"] == "relu":
        xh, xl = dump.real(ident, "input")
        negative = (xh < 0) | ((xh == 0) & (xl < 0))
        same = np.array_equal(np.where(negative, 0, xh), hi, equal_nan=True)
        check.that(same and np.array_equal(np.where(negative, 0, xl), lo), where, "reference of relu")
        return
    x, w = dump.real(ident, "input"), dump.real(ident, "weight")
    bias = dump.real(ident, "bias") if "bias" in ports_of(node) else ()
    total = exact_sums.contract(node["op"], node["parameters"], x, w, bias)
    sizes = exact_sums.magnitudes(node["op"], node["parameters"], x[0], w[0], bias[0] if bias else None)
    sizes = sizes.astype(np.float64)
    hi, lo = channels_last(hi, node), channels_last(lo, node)
    off, kept = np.abs(total.add(-hi).add(-lo).value()), np.isfinite(hi)
    worst = np.max(off[kept] / np.maximum(sizes[kept], 1e-300), initial=1e-300)
    check.that(bool(np.all(off[kept] <= sizes[kept] * 2.0 ** -90)), where,
               "reference (largest error over sum|ab|: 2^%.1f)" % np.log2(worst))
    check.that(bool(np.all((hi + lo == hi)[kept]) and not lo[~kept].any()), where, "reference pair is not normalised")
    if not kept.all():  # operands that are not finite: NaN and which Inf are decided by any order of summation
        plain = graph.node_value(None, node_of(node), dict(zip(["input"] + ports_of(node), (x[0], w[0], *bias[:1]))))
        check.that(np.array_equal(channels_last(plain, node)[~kept], hi[~kept], equal_nan=True), where,
                   "reference where it is not finite")
    sample_in_mpmath(check, where, node, x, w, bias, hi, lo, sizes)


# --- stages --------------------------------------------------------------------------------------

def exact_stages(run, ident):
    """Signed stages of a contraction, channels last, each rounded once from a far longer sum."""
    node = run.dump.nodes[ident]
    op, p = node["op"], node["parameters"]

    def three(port):
        return run.dump.real(ident, port), run.arrived(ident, port)[0], run.operand(ident, port)
    (rh, rl), a, ca = three("input")
    (wh, wl), w, cw = three("weight")
    none = np.zeros(1)
    (bh, bl), b, cb = three("bias") if "bias" in ports_of(node) else ((none, none), none, none)
    after = channels_last(run.output(ident), node)
    rounding = channels_last(run.stage(ident, "output"), node)
    contract = exact_sums.contract
    inherited, storage = contract(op, p, [a, -rh, -rl], [wh, wl]), exact_sums.Sum(after.shape)
    # Storage is what this layer's own weights lost; what a wired one lost came from the node before.
    contract(op, p, [a], [w, -wh, -wl], (), inherited if "weight" in node["inputs"] else storage)
    for part in (b, -bh, -bl):
        (inherited if "bias" in node["inputs"] else storage).add(part)
    stages = {
        "inherited": inherited, "storage": storage,
        "cast": contract(op, p, [a], [w], [b], contract(op, p, [ca], [cw], [cb]), -1.0),
        "arithmetic": contract(op, p, [ca], [cw], [cb], None, -1.0).add(after).add(-rounding),
    }
    stages = {k: s.value() for k, s in stages.items()}
    stages["output"] = rounding
    return stages, (ca, cw, cb if "bias" in ports_of(node) else None)


def relu_stages(run, ident):
    (rh, rl), a, ca = run.dump.real(ident, "input"), run.arrived(ident, "input")[0], run.operand(ident, "input")

    def relu(x):
        return np.where(x < 0, 0, x)
    gone = rh < 0
    stages = {"inherited": (relu(a) - np.where(gone, 0, rh)) - np.where(gone, 0, rl), "storage": np.zeros_like(a),
              "cast": relu(ca) - relu(a), "output": run.stage(ident, "output")}
    stages["arithmetic"] = run.output(ident) - stages["output"] - relu(ca)
    return stages


def check_stages(check, run, ident, where):
    """Stages of every node add up to its error; those of conv2d, dense and relu are recomputed, with the bound."""
    node, printed = run.dump.nodes[ident], run.nodes[ident]
    dumped = {s: run.stage(ident, s) for s in STAGES}
    if "stages" not in printed or any(v is None for v in dumped.values()):
        check.that("stages" not in printed, where, "stages are printed but not dumped")
        return
    figures.check_stage_figures(check, run, ident, where, dumped)
    if node["muted"] or node["op"] not in CONTRACTIONS + ("relu",):
        return
    operands = None
    if node["op"] == "relu":
        ours = relu_stages(run, ident)
    else:
        ours, operands = exact_stages(run, ident)
        dumped = {s: channels_last(v, node) for s, v in dumped.items()}
    figures.check_stage_values(check, where, dumped, ours)
    if operands is not None:
        sizes = exact_sums.magnitudes(node["op"], node["parameters"], *operands)
        figures.check_bound(check, run, ident, where, sizes, dumped["arithmetic"], channels_last)


def check_condition(check, run, ident, where):
    """The median of sum|ab| / |sum ab| over the outputs, of the reference."""
    node, printed = run.dump.nodes[ident], run.nodes[ident]["error"]
    if node["op"] not in CONTRACTIONS:
        return
    bias = run.dump.real(ident, "bias")[0] if "bias" in ports_of(node) else None
    sizes = exact_sums.magnitudes(node["op"], node["parameters"], run.dump.real(ident, "input")[0],
                                  run.dump.real(ident, "weight")[0], bias)
    hi = channels_last(run.dump.reference(ident)[0], node)
    kept = np.isfinite(hi) & (hi != 0)
    ratios = (sizes[kept] / np.abs(hi[kept])).astype(np.float64)
    ours = float(np.median(ratios)) if ratios.size else None
    check.close(where, "condition", printed.get("condition"), ours, 1e-12 * (ours or 0))


def verify(folder, report):
    check, dump = Check(), Dump(folder)
    reachable = [i for i in dump.nodes if dump.has("reference/%d.hi.npy" % i)]
    for ident in reachable:
        if dump.nodes[ident]["op"] in CONTRACTIONS + ("relu",) and not dump.nodes[ident]["muted"]:
            check_reference(check, dump, ident)
    for entry in report["runs"]:
        run = RunDump(dump, entry)
        for ident, printed in run.nodes.items():
            where = "%s, node %d %s" % (run.prefix[:-1], ident, printed["name"])
            if printed.get("error"):
                figures.check_error(check, run, ident, where)
                check_condition(check, run, ident, where)
            figures.check_values(check, run, ident, where)
            figures.check_casts(check, run, ident, where)
            figures.check_stored(check, run, ident, where)
            check_stages(check, run, ident, where)
    return check


def odd_model(path, special, compute):
    """Groups and asymmetric padding; among ordinary inputs those that overflow, vanish or are not
    finite, so that every count has something to count."""
    m = Model("odd", "", settings("explicit", "float32", "float32"))
    values = np.random.default_rng(3).standard_normal((2, 5, 4, 4))
    values.flat[3:3 + 7 * len(special):7] = special
    x = m.node("input", "x", {"shape": [2, 5, 4, 4], "value": m.tensor("x", values)})
    y = m.node("conv2d", "conv", {
        "filters": 6, "kernel_size": [3, 2], "strides": [2, 1], "groups": 2,
        "padding": "explicit", "pads": [1, 0, 2, 1],
        "weight": {"init": "glorot_uniform", "seed": 3}, "bias": {"init": "uniform", "seed": 5}},
        [("input", x)], {"compute": compute})
    y = m.node("flatten", "flatten", {}, [("input", m.node("relu", "relu", {}, [("input", y)]))])
    y = m.node("dense", "dense", {"units": 3, "weight": {"init": "he_normal", "seed": 9},
                                  "bias": {"init": "constant", "a": 0.1}}, [("input", y)], {"compute": "widest"})
    y = m.node("cast", "cast", {"to": "bfloat16"}, [("input", y)])
    m.node("output", "output", {}, [("input", y)])
    m.save(path)


def cases(folder):
    """(name, path, choices) of what is run and verified."""
    for name, choices in LESSONS:
        yield name, os.path.join(harness.ROOT, "resources", "lessons", name + ".mantissa"), choices
    odd = (("extreme", [1e5, -7e4, 1e-8, 3e-5, 1e-40, 449.0, 464.0, 500.0, -1e300], "widest", EVERY),
           ("not_finite", [np.nan, np.inf, -np.inf, 1e5], "widest", EVERY),
           ("tf32", [1 + 2.0 ** -11, 1 + 3 * 2.0 ** -11, -1e-42], "tf32", ["--combo", "float32:float32"]))
    for name, special, compute, choices in odd:
        path = os.path.join(folder, name + ".mantissa")
        odd_model(path, special, compute)
        yield name, path, choices


def verify_cases(cli):
    checks = []
    with tempfile.TemporaryDirectory() as made:
        for name, path, choices in cases(made):
            with tempfile.TemporaryDirectory() as folder:
                report = harness.call(cli, ["run", path, "--dump", folder, *choices])
                checks.append(verify(folder, report))
            print("%s: %d numbers, %d differ" % (name, checks[-1].count, len(checks[-1].problems)), flush=True)
    return checks


def main():
    arguments = sys.argv[1:]
    np.seterr(all="ignore")
    if len(arguments) == 2 and os.path.isdir(arguments[0]):
        with open(arguments[1]) as f:
            checks = [verify(arguments[0], json.load(f))]
    else:
        checks = verify_cases(harness.find_cli(arguments))
    problems = [p for c in checks for p in c.problems]
    print("\n".join("DIFFERS " + p for p in problems[:40]))
    print("verify_dump: %d numbers recomputed, %d differ" % (sum(c.count for c in checks), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
