#!/usr/bin/env python3
"""Keras models written by Keras itself, converted and run, against what the framework computed.

    framework_models.py [MANTISSA_CLI]

1. Each layer alone, fed the framework's own input of that layer: within both programs' a-priori bounds
   (error_bound.py) plus one ulp of the output dtype. Also the expressible layers of models that are not.
2. The double-double run from the real-valued input: within 2^-50 relative L2 of the model's `reference:`.
3. Lessons: LeNet's choice for all 200 digits is Keras'; mnist_valid's predictions are TensorFlow.js'.

Exit 1 when something differs, 77 when the collection, the program, NumPy or h5py is absent.
"""
import csv
import glob
import os
import subprocess
import sys
import tempfile

import error_bound
import harness
import numpy_graph
from harness import np

harness.add_tools()
from keras_file import Refused, policy, read  # noqa: E402
from keras_ops import Builder, Value  # noqa: E402
from keras_to_mantissa import Data, convert  # noqa: E402
from mantissa_writer import Model, settings  # noqa: E402

LD = np.longdouble
FOLDERS = ("keras-v3", "keras-tf2.3", "keras-tf2.15")


def party(dtype):
    return harness.unit_roundoff(dtype), 2.0 ** harness.LEAST[dtype]


def wider(dtype):
    return dtype if dtype in ("float64", "float32") else "float32"


class Expected:
    """The arrays beside a model: what the framework was fed and what each layer gave, with their dtypes."""

    def __init__(self, path):
        stem = path.rsplit(".", 1)[0].replace(".legacy", "")
        self.found = os.path.exists(stem + ".expected.npz")
        if not self.found:
            return
        self.wanted, self.given = dict(np.load(stem + ".expected.npz")), dict(np.load(stem + ".input.npz"))

    def layer(self, name):
        """(array as stored, dtype name) of a call's output, or None."""
        for kind in ("layer:", "output:"):
            for key, array in self.wanted.items():
                plain, _, label = key.partition("@")
                if plain == kind + name:
                    return array, label or array.dtype.name
        return None

    def inputs(self, kind, names):
        """kind is source or fed; by position, because TF 2.3 renames inputs."""
        keys = [k for k in self.given if k.startswith(kind + ":")]
        return {n: self.given[k] for n, k in zip(names, keys)}


# --- each layer alone ----------------------------------------------------------------------------

class Alone:
    """One layer in a document of its own: input nodes with the framework's values, then the layer's nodes."""

    def __init__(self, model, build, call, feeds, wanted):
        self.call, self.wanted = call, wanted
        self.first = len(model.nodes)
        values = []
        for i, (array, dtype) in enumerate(feeds):
            name = "%s/in%d" % (call.name, i)
            source = model.tensor(name, array, dtype)
            ident = model.node("input", name, {"shape": list(array.shape), "value": source}, slots={"input": dtype})
            values.append(Value(ident, (None,) + array.shape[1:]))
        self.id = build.result(build.layer(call, values))
        self.nodes = range(self.first + 1, len(model.nodes) + 1)


def layers_alone(keras, expected):
    """(Model, [Alone]) of every layer of a model whose inputs and output are known and that can be said."""
    storage = policy(keras.inputs[0].config.get("dtype"), keras.name)[1]
    model = Model(keras.name, "", settings("keras_tf26", storage, "float32"))
    fed = expected.inputs("fed", [i.name for i in keras.inputs])
    known = {i.key: (fed[i.name], fed[i.name].dtype.name) for i in keras.inputs}
    build, done, refused = Builder(model, "float32"), [], 0
    for call in keras.calls:
        wanted = expected.layer(call.name)
        feeds = [known.get(k) for k in call.inputs]
        if wanted is None and call.kind == "Dropout":
            wanted = feeds[0]
        known[call.key] = wanted
        if wanted is None or None in feeds:
            continue
        before = len(model.nodes), len(model.edges)
        try:
            done.append(Alone(model, build, call, feeds, wanted))
        except Refused:
            del model.nodes[before[0]:], model.edges[before[1]:]
            build.pads.clear()
            refused += 1
    return model, done, refused


def in_float32(folder, model):
    """The layers of a model that the collection's ledger shows computing in float32 under the label float64: Keras
    on PyTorch does in Dense, TensorFlow's gelu takes its constant through float32."""
    for ledger in ["dtypes.tsv"] + sorted(f for f in os.listdir(folder) if f.startswith("dtypes.keras")):
        with open(os.path.join(folder, ledger), newline="") as f:
            rows = [r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if r["model"] == model]
        if rows:  # the writer's own; the others are the same file on another backend
            return {r["tensor"] for r in rows if r["kind"] == "layer" and r["dtype"] == "float64"
                    and r["bits_local"] not in ("-", "exact") and float(r["bits_local"]) < 40}
    return set()


def parties(node, dtype, short):
    """Who rounds in what. Ours accumulates 16-bit types in float32, the framework may keep its own dtype
    (both normalise in float32 or wider)."""
    theirs = "float32" if short else wider(dtype) if node["op"] == "batch_normalization" else dtype
    return party(dtype if node["op"] in error_bound.LIPSCHITZ else wider(dtype)), party(theirs)


def rounded(values, dtype):
    return harness.round_to(np.asarray(values, np.float64), dtype).astype(LD)


def bound_of(file, alone, short=False):
    """(exact value of the layer on its cast operands, bound on |ours - theirs|)."""
    dtype, values = policy(alone.call.config.get("dtype"), alone.call.name)[0], {}
    for n in (file.nodes[i - 1] for i in alone.nodes):
        if n["op"] == "input":
            array, label = file.tensors[n["params"]["value"]["tensor"]]
            x = rounded(harness.values_of(array, label), dtype)
            values[n["id"]] = x, np.zeros_like(x)
            continue
        # Statistics that the framework keeps in float32 are rounded to the layer's dtype here.
        loose = harness.unit_roundoff(dtype) if n["op"] == "batch_normalization" and dtype != wider(dtype) else 0
        weights = {}
        for port, w in error_bound.owned(file, n).items():
            weights[port] = (w, loose * np.abs(w)) if loose else (rounded(w, dtype), LD(0))
        feeds = {port: values[i] for port, i in file.feeds[n["id"]].items()}
        values[n["id"]] = error_bound.step(file, n, feeds, weights, parties(n, dtype, short))
    return values[alone.id]


def check_alone(cli, keras, expected, folder, name, shorts):
    """([failures], layers passed, layers not expressible, the largest share of its bound that a layer used)."""
    model, layers, refused = layers_alone(keras, expected)
    if not layers:
        return [], 0, refused, 0.0
    path = os.path.join(folder, name + ".layers.mantissa")
    model.save(path)
    run, file = harness.run_cli(cli, path, folder), numpy_graph.File(path)
    failures, most = [], 0.0
    for alone in layers:
        array, label = alone.wanted
        theirs, ours = harness.values_of(array, label), run.output(alone.id)
        if ours.shape != theirs.shape or run.dtype(alone.id) != label:
            failures.append("%s, %s: %s %s, the framework has %s %s" % (
                name, alone.call.name, run.dtype(alone.id), ours.shape, label, theirs.shape))
            continue
        allowed = bound_of(file, alone, alone.call.name in shorts)[1] + harness.ulp(theirs, label)
        share = float(np.max(np.abs(ours.astype(LD) - theirs) / allowed))
        most = max(most, share)
        if not share <= 1:
            failures.append("%s, %s (%s): off by %.3g of what both bounds and one ulp allow" % (
                name, alone.call.name, alone.call.kind, share))
    return failures, len(layers) - len(failures), refused, most


# --- whole models --------------------------------------------------------------------------------

def l2(values, reference):
    values, reference = values.astype(LD), reference.astype(LD)
    return float(np.sqrt(((values - reference) ** 2).sum() / (reference ** 2).sum()))


def check_whole(cli, path, keras, expected, folder, name):
    """[failures] of the double-double run; the converter itself is checked with long double first."""
    sources = expected.inputs("source", [i.name for i in keras.inputs])
    file = os.path.join(folder, name + ".mantissa")
    convert(path, {k: Data(a) for k, a in sources.items()}).save(file)
    key = next(k for k in expected.wanted if k.startswith("reference:"))
    reference = expected.wanted[key]
    parsed, values = numpy_graph.run(file)
    ident, failures = parsed.ids["output"], []
    off = l2(values[ident], reference)
    if not off <= 2.0 ** -52:  # long double against a reference that was rounded to float64
        failures.append("%s: the converted graph itself is 2^%.1f off `%s`" % (name, np.log2(off), key))
    hi, lo = harness.run_cli(cli, file, folder).reference(ident)
    off = l2(hi.astype(LD) + lo, reference)
    if not off <= 2.0 ** -50:
        failures.append("%s: the double-double run is 2^%.1f off `%s`" % (name, np.log2(off), key))
    return failures


def check_lenet(cli, shared, folder):
    """The lesson's choice for each of the 200 digits, in float64 and float32, is Keras'."""
    wanted = np.load(os.path.join(shared, "models/framework-written/keras-v3/lenet_float64.expected.npz"))
    wanted = wanted["test200:probabilities"].argmax(-1)
    path = os.path.join(harness.ROOT, "resources", "lessons", "lenet_digits.mantissa")
    report = harness.call(cli, ["run", path, "--combo", "float64:float64", "--combo", "float32:float32"])
    failures = []
    for run in report["runs"]:
        same = int((np.array(run["top1"]) == wanted).sum())
        if same != 200:
            failures.append("lenet_digits, %s: %d of 200 choices are Keras'" % (run["combo"], same))
    return failures


def check_published(cli, shared, folder):
    """Models with predictions of TensorFlow.js beside them, which a float64 run matches to 5e-6 (models/README.tsv);
    ours may be off that by what its report says it is off the reference."""
    failures = []
    for path in sorted(glob.glob(os.path.join(shared, "models", "keras-h5", "*.h5"))):
        if not os.path.exists(path.replace(".h5", ".tfjs.npz")):
            continue
        name, beside = os.path.basename(path), np.load(path.replace(".h5", ".tfjs.npz"))
        file = os.path.join(folder, name + ".mantissa")
        model = convert(path, {read(path).inputs[0].name: Data(beside["x"])})
        model.save(file)
        run, ident = harness.run_cli(cli, file, folder), model.find("output")["id"]
        y = run.output(ident)
        off = float(np.abs(y - beside["y"]).max())
        allowed = 5.5e-6 + run.node(ident)["error"]["max_abs"]
        if not off <= allowed or not np.array_equal(y.argmax(-1), beside["y"].argmax(-1)):
            failures.append("%s: off TensorFlow.js by %.3g" % (name, off))
    lesson = os.path.join(harness.ROOT, "resources", "lessons", "mnist_valid.mantissa")
    wanted = np.load(os.path.join(shared, "models/keras-h5/mnist_valid.tfjs.npz"))["y"].argmax(-1)
    for run in harness.call(cli, ["run", lesson, "--combo", "all"])["runs"]:
        if run["top1"] != wanted.tolist():
            failures.append("lesson mnist_valid, %s: another choice than TensorFlow.js'" % run["combo"])
    return failures


def check_command_line(shared, folder):
    """The converter as people call it: refusals name the layer or the file and leave no output; inputs by file."""
    tool, out = os.path.join(harness.ROOT, "tools", "keras_to_mantissa.py"), os.path.join(folder, "out.mantissa")
    models = os.path.join(shared, "models")
    cut = os.path.join(folder, "cut.keras")
    with open(os.path.join(models, "framework-written/keras-v3/lenet_float32.keras"), "rb") as f, open(cut, "wb") as g:
        g.write(f.read()[:40000])
    failures = []

    def call(wanted, says, *arguments):
        done = subprocess.run([sys.executable, tool, *arguments], capture_output=True, text=True)
        if done.returncode != wanted or says not in done.stderr or "Traceback" in done.stderr:
            failures.append("keras_to_mantissa.py %s: exit %d, %r" % (arguments, done.returncode, done.stderr[-200:]))
        if wanted and os.path.exists(out):
            failures.append("keras_to_mantissa.py %s: was refused and wrote a file" % (arguments,))
    written = os.path.join(models, "framework-written")
    call(1, "layer cat (Concatenate)", os.path.join(written, "keras-tf2.15/cells.keras"), out)
    call(1, "weights only", os.path.join(written, "keras-v3/lenet_float64.weights.h5"), out)
    call(1, "NestedDenseModel", os.path.join(models, "keras-v3/pre_pr22362_nested_container.keras"), out)
    call(1, "not a Keras model", cut, out)
    call(1, "No such file", os.path.join(folder, "absent.h5"), out)
    lenet = os.path.join(written, "keras-v3/lenet_float64")
    call(1, "has no member", lenet + ".keras", out, "--input", lenet + ".input.npz:nothing")
    call(1, "784 elements a row", lenet + ".keras", out, "--input", lenet + ".expected.npz:output:probabilities")
    call(0, "", lenet + ".keras", out, "--input", "image=" + lenet + ".input.npz:source:image")
    call(0, "", lenet + ".keras", out, "--scale", "unit", "--images",
         os.path.join(shared, "datasets/digits-opencv/digits200-images-idx3-ubyte.gz"))
    if numpy_graph.File(out).tensors["image"][0].shape != (200, 28, 28, 1):
        failures.append("keras_to_mantissa.py --images: the digits are not embedded as images")
    return failures


def main():
    cli, shared = harness.start(sys.argv[1:])
    failures, models, layers, refused, most, skipped = [], 0, 0, 0, 0.0, []
    with tempfile.TemporaryDirectory() as folder:
        for kind in FOLDERS:
            base = os.path.join(shared, "models", "framework-written", kind)
            for path in sorted(glob.glob(base + "/*.keras") + glob.glob(base + "/*.h5")):
                expected, name = Expected(path), "%s.%s" % (kind, os.path.basename(path))
                if not expected.found:
                    continue
                keras = read(path)
                shorts = in_float32(base, os.path.basename(path))
                failed, passed, unsaid, share = check_alone(cli, keras, expected, folder, name, shorts)
                failures += failed
                layers, refused, most = layers + passed, refused + unsaid, max(most, share)
                try:
                    failures += check_whole(cli, path, keras, expected, folder, name)
                    models += 1
                except Refused as e:
                    skipped.append("%s: %s" % (name, e))
        failures += check_lenet(cli, shared, folder) + check_published(cli, shared, folder)
        failures += check_command_line(shared, folder)
    print("\n".join(["FAIL " + f for f in failures] + ["not expressible as a whole: " + s for s in skipped]))
    print("framework models: %d converted and run, %d layers alone passed (the closest used %.2f of what is allowed), "
          "%d layers not expressible, %d failures" % (models, layers, most, refused, len(failures)))
    return 1 if failures or not models else 0


if __name__ == "__main__":
    sys.exit(main())
