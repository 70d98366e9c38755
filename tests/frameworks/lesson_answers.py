#!/usr/bin/env python3
"""The answers that the lessons give, checked by running them.

    lesson_answers.py [MANTISSA_CLI]

Expected values are arithmetic facts (what 0.1 loses in float32, what float32 storage costs on average) or
counts of right digits. Exit 1 when an answer is not so, 77 when the program or NumPy is absent.
"""
import os
import sys
from fractions import Fraction

import harness
from harness import np

ANSWERS = []
FOUR = {("float32", "float32"), ("float32", "float64"), ("float64", "float32"), ("float64", "float64")}


def answer(check):
    ANSWERS.append(check)
    return check


def runs(cli, name, *choices):
    """{(input, weight): {node name: its entry}} and {(input, weight): run}."""
    path = os.path.join(harness.ROOT, "resources", "lessons", name + ".mantissa")
    report = harness.call(cli, ["run", path, *choices])
    found = {(r["combo"]["input"], r["combo"]["weight"]): r for r in report["runs"]}
    return {c: {n["name"]: n for n in r["nodes"]} for c, r in found.items()}, found


@answer
def four_combos(cli):
    """All four run; both routes give the same numbers; what each loses, and where."""
    nodes, found = runs(cli, "four_combos", "--combo", "all")
    raw, _ = runs(cli, "four_combos_raw_ops", "--combo", "all")
    yield "all four run", set(found) == FOUR and all(r["ok"] for r in found.values())
    casts = [c for run in nodes.values() for n in run.values() for c in n["casts"]]
    yield "nothing is narrowed", all(c["to"] != "float32" for c in casts)
    pairs = [(nodes[c]["conv1"]["error"], raw[c]["bias_add"]["error"]) for c in FOUR]
    yield "the layer and the raw ops give the same numbers", all(
        dict(a, condition=None) == dict(b, condition=None) for a, b in pairs)
    off = {c: nodes[c]["conv1"]["error"]["rel_l2"] for c in FOUR}
    for combo, value in ((("float32", "float32"), 5.9e-8), (("float32", "float64"), 1.7e-8),
                         (("float64", "float32"), 2.6e-8), (("float64", "float64"), 9e-17)):
        yield "%s/%s is off by %.2g" % (*combo, value), abs(off[combo] / value - 1) < 0.1
    stages = {c: nodes[c]["conv1"]["stages"] for c in FOUR}
    yield "float32 images are lost before the layer", stages["float32", "float64"]["inherited"]["share"] > 0.999
    yield "a float32 kernel is lost in storage", stages["float64", "float32"]["storage"]["share"] > 0.999
    yield "float32 loses most in its arithmetic", stages["float32", "float32"]["arithmetic"]["share"] > 0.5


@answer
def seed(cli):
    """The float64 images are narrowed, in silence, and that is a finding."""
    nodes, found = runs(cli, "seed")
    (run,), (node,) = found.values(), [r["conv1"] for r in nodes.values()]
    casts = [c for c in node["casts"] if c["port"] == "input"]
    yield "it is float64 by float32", ("float64", "float32") in found
    down = [(c["from"], c["to"], c["implicit"]) for c in casts]
    yield "one implicit cast down", down == [("float64", "float32", True)]
    yield "11 % of the pixels change", abs(casts[0]["changed"] - 0.11) < 0.005
    yield "a warning with remedies", any(f["severity"] == "warning" and f["node"] == node["id"]
                                         and "set-layer-dtype" in f["remedies"] for f in run["findings"])


@answer
def identity(cli):
    """1.0 loses nothing; 0.1 loses what its float32 is off by, unless one of the cures is taken."""
    loss = abs(float(Fraction(float(np.float32(0.1))) - Fraction(0.1)))
    for name, dtype, lost in (("narrowed", "float32", loss), ("cure_layer_dtype", "float64", 0.0),
                              ("cure_floatx", "float64", 0.0)):
        (nodes,) = runs(cli, "identity_" + name)[0].values()
        yield "%s: the output is %s" % (name, dtype), nodes["tenth/call"]["dtype"] == dtype
        yield "%s: 1.0 loses nothing" % name, nodes["one/output"]["error"]["max_abs"] == 0
        yield "%s: 0.1 loses %.2g" % (name, lost), nodes["tenth/output"]["error"]["max_abs"] == lost


@answer
def lenet(cli):
    """191 right digits of 200 down to float16; the digits come twenty of each in order."""
    combos = ["float16:float16", "bfloat16:bfloat16", "float8_e4m3fn:float8_e4m3fn", "float8_e5m2:float8_e5m2"]
    nodes, found = runs(cli, "lenet_digits", "--combo", "all", *(a for c in combos for a in ("--combo", c)))
    right = {c: int((np.array(r["top1"]) == np.repeat(np.arange(10), 20)).sum()) for c, r in found.items()}
    yield "191 of 200 in the four and in float16", all(right[c] == 191 for c in FOUR | {("float16", "float16")})
    yield "about as many below", all(abs(n - 191) <= 3 for n in right.values())
    off = {c[0]: n["output"]["error"]["rel_l2"] for c, n in nodes.items() if c[0] == c[1]}
    for dtype, value in (("float64", 4e-16), ("float32", 2e-7), ("float16", 3e-4), ("bfloat16", 2e-3),
                         ("float8_e4m3fn", 5e-2), ("float8_e5m2", 5e-2)):
        yield "%s is off by about %.0e" % (dtype, value), value / 2 < off[dtype] < value * 2


@answer
def mnist_valid(cli):
    """Weights that are float32 values lose nothing as float32; an epsilon of 0.001 does."""
    nodes, found = runs(cli, "mnist_valid", "--combo", "all")
    a, b = (nodes["float64", w] for w in ("float32", "float64"))
    yield "conv2d is equal in both", a["ftr0"]["error"] == b["ftr0"]["error"]
    yield "float64/float32 is off by about 1e-9", 3e-10 < a["output"]["error"]["rel_l2"] < 3e-9
    yield "float64/float64 is off by about 1e-15", b["output"]["error"]["rel_l2"] < 3e-15
    # To first order batch normalisation is off by |x - mean| |gamma| |epsilon's own error| / (2 s^3): well below 2^-25.
    loss = abs(float(np.float32(0.001)) - 0.001) / 0.001
    yield "it begins at the first batch normalisation", 1e-16 < a["bn0"]["error"]["rel_l2"] < loss
    yield "the same choices in all four", all(r["top1"] == [0, 1, 2, 3, 4, 6, 6, 7, 9, 4] for r in found.values())


def main():
    cli, count, wrong = harness.find_cli(sys.argv[1:]), 0, []
    for check in ANSWERS:
        for what, ok in check(cli):
            count += 1
            if not ok:
                wrong.append("%s: %s" % (check.__name__, what))
    print("\n".join(["WRONG " + w for w in wrong] + ["lesson answers: %d checked, %d wrong" % (count, len(wrong))]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
