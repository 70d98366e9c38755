#!/usr/bin/env python3
"""Every case of the keras-layers collection that the ops can express, through mantissa-cli in float32.

    keras_layers.py [MANTISSA_CLI]

The data are what Keras 2 computed, its inputs, weights and outputs rounded to 6 decimals; how far that
and float32 on both sides can carry is derived case by case (error_bound.py). Exit 1 when a case differs,
77 when the collection, the program, NumPy or h5py is absent.
"""
import collections
import csv
import json
import os
import sys
import tempfile

import error_bound
import harness
import numpy_graph as graph_values
from harness import np

harness.add_tools()
from keras_file import Call, Refused  # noqa: E402
from keras_ops import Builder, Value  # noqa: E402
from mantissa_writer import Model, settings  # noqa: E402

ROUNDED = 5e-7  # the data themselves: inputs, weights and results have 6 decimals
FLOAT32 = (2.0 ** -24, 2.0 ** -149)
# A worst case carried through a deep pipeline allows anything; no case may be further off than this all the same.
LIMIT = 1e-4
DEFAULTS = {
    "strides": 1, "padding": "valid", "use_bias": True, "dilation_rate": 1, "data_format": "channels_last", "groups": 1,
    "activation": "linear", "pool_size": 2, "axis": -1, "epsilon": 1e-3, "center": True, "scale": True, "rate": 0.5,
}
ARGUMENTS = {"Conv2D": ("filters", "kernel_size"), "SeparableConv2D": ("filters", "kernel_size"), "Dense": ("units",),
             "Activation": ("activation",), "Dropout": ("rate",), "Permute": ("dims",)}
POOLS = ("MaxPooling2D", "AveragePooling2D")


def weights_needed(kind, cfg):
    bias = 1 if cfg["use_bias"] else 0
    return {"Conv2D": 1 + bias, "SeparableConv2D": 2 + bias, "Dense": 1 + bias,
            "BatchNormalization": 2 + bool(cfg["scale"]) + bool(cfg["center"])}.get(kind, 0)


def array(entry, dtype=np.float32):
    return np.array(entry["data"], dtype).reshape(entry["shape"])


class Case:
    """Adds the nodes of one case to a model."""

    def __init__(self, model, key, data):
        self.model, self.key, self.build = model, key, Builder(model, "float32", dialect_is_layered=False)
        self.weights = [array(w) for w in data.get("weights", [])]
        inputs = data.get("inputs") or data["input"]
        self.inputs = [array(i) for i in (inputs if isinstance(inputs, list) else [inputs])]
        self.count = 0

    def source(self, index=0):
        name = "%s/input%d" % (self.key, index)
        x = self.inputs[index][None]
        return Value(self.model.node("input", name, {"shape": list(x.shape), "value": self.model.tensor(name, x)}),
                     (None,) + x.shape[1:])

    def layer(self, kind, config, values):
        cfg = dict(DEFAULTS, **config)
        if kind in POOLS and "strides" not in config:
            cfg["strides"] = None
        cfg.update(zip(ARGUMENTS.get(kind, ()), config.get("args", ())))
        need = weights_needed(kind, cfg)
        self.count += 1
        taken, self.weights = self.weights[:need], self.weights[need:]
        call = Call("%s/%d" % (self.key, self.count), kind, cfg, [], [(w, "float32") for w in taken])
        return self.build.layer(call, values)


def merge(case, kind, config):
    x = case.source()
    branches = [case.layer("Dense", {"units": config["units"]}, [x]) for _ in range(len(case.weights) // 2)]
    return case.layer(kind, {}, branches)


def activation(case, config):
    """The function with arguments of its own is the layer of that name."""
    name = config["activation"]
    if name == "relu" and len(config) > 1:
        arguments = {"max_value": config.get("max_value"), "negative_slope": config.get("alpha")}
        return case.layer("ReLU", arguments, [case.source()])
    if name == "elu" and "alpha" in config:
        return case.layer("ELU", {"alpha": config["alpha"]}, [case.source()])
    return case.layer("Activation", {"activation": name}, [case.source()])


def graph(case, nodes):
    values, inputs, result = {}, 0, None
    for n in nodes:
        if "model" in n:
            return values[n["model"]["outputs"]]
        if n["layer"] == "Input":
            values[n["name"]] = case.source(inputs)
            inputs += 1
        else:
            values[n["name"]] = result = case.layer(n["layer"], n, [values[f] for f in n["from"]])
    return result


def build(case, file, key, config):
    if file == "activations.json":
        return activation(case, config)
    if file.startswith("merge/"):
        return merge(case, os.path.basename(file)[:-5], config)
    if "graph" in config:
        return graph(case, config["graph"])
    value = case.source()
    steps = config.get("sequence") or [dict(config, layer=key.split(".")[-2])]
    for step in steps:
        value = case.layer(step["layer"], step, [value])
    return value


def collect(folder):
    """(Model with every case that can be said, {key: (node name, expected)}, reasons of the others)."""
    model = Model("keras-layers", "", settings("explicit", "float32", "float32"))
    wanted, refused, files = {}, collections.Counter(), {}
    with open(os.path.join(folder, "index.tsv"), newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        data = files.setdefault(row["file"], json.load(open(os.path.join(folder, row["file"]))))[row["key"]]
        before = len(model.nodes), len(model.edges), dict(model.tensors)
        try:
            case = Case(model, row["key"], data)
            value = build(case, row["file"], row["key"], json.loads(row["config"]))
            if case.weights:
                raise AssertionError("%s: %d weights were not used" % (row["key"], len(case.weights)))
            model.node("output", row["key"], {}, [("input", case.build.result(value))])
            wanted[row["key"]] = (value.id, array(data["expected"], np.float64))
        except Refused as e:
            del model.nodes[before[0]:], model.edges[before[1]:]
            model.tensors = before[2]
            refused[str(e).partition("(")[2].partition(")")[0]] += 1  # the layer's kind
    return model, wanted, refused, len(rows)


def rounding(x):
    """What the file's decimals and their way into float32 can have moved."""
    return ROUNDED + FLOAT32[0] * np.abs(x)


def bounds(path):
    """{node id: bound on |ours - theirs|}: the data's rounding, and float32 arithmetic on both sides."""
    file, values = graph_values.File(path), {}
    for n in file.nodes:
        if n["op"] == "input":
            x = file.source(n["params"]["value"], None)
            values[n["id"]] = x, rounding(x)
        else:
            feeds = {port: values[i] for port, i in file.feeds[n["id"]].items()}
            weights = {k: (w, rounding(w)) for k, w in error_bound.owned(file, n).items()}
            values[n["id"]] = error_bound.step(file, n, feeds, weights, (FLOAT32, FLOAT32))
    return {i: np.minimum(e + ROUNDED, LIMIT) for i, (_, e) in values.items()}


def compare(run, wanted, allowed):
    failures = []
    for key, (ident, expected) in wanted.items():
        y = run.output(ident)[0]
        if y.shape != expected.shape:
            failures.append("%s: shape %s, expected %s" % (key, y.shape, expected.shape))
            continue
        off = np.abs(y - expected)
        worst = int(np.argmax(off - allowed[ident][0]))
        if not np.all(off <= allowed[ident][0]):
            failures.append("%s: element %d is %.8g, expected %.6f within %.3g"
                            % (key, worst, y.flat[worst], expected.flat[worst], allowed[ident][0].flat[worst]))
    return failures


def main():
    cli, shared = harness.start(sys.argv[1:])
    model, wanted, refused, total = collect(os.path.join(shared, "conformance", "keras-layers"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases.mantissa")
        model.save(path)
        failures = compare(harness.run_cli(cli, path, folder), wanted, bounds(path))
    print("\n".join("FAIL " + f for f in failures))
    print("keras-layers: %d passed, %d failed, %d of %d not expressible (%s)" % (
        len(wanted) - len(failures), len(failures), sum(refused.values()), total,
        ", ".join("%s %d" % item for item in sorted(refused.items()))))
    return 1 if failures or len(wanted) + sum(refused.values()) != total or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
