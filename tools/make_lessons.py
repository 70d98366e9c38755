#!/usr/bin/env python3
"""Writes resources/lessons/*.mantissa. Needs NumPy, h5py and the collection of models and digits.

    make_lessons.py [--shared DIR] [--out DIR]      default: ../shared and resources/lessons

Each file asks a question, says what to try, and gives the answer, which the tests check. Running it
again gives the same bytes.
"""
import argparse
import os
import shutil

import numpy as np

from keras_to_mantissa import Data, convert, read_idx
from mantissa_writer import Model, settings

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SEED = 7
LICENCES = (  # as shipped beside the lessons, and where it comes from
    ("OpenCV.Apache-2.0.txt", "datasets/digits-opencv/LICENSE"),
    ("TinyMaix.Apache-2.0.txt", "models/LICENSES/TinyMaix.APACHE-2.0"),
    ("LeNet.CC0-1.0.txt", "models/framework-written/LICENSE.CC0-1.0"),
)


def digits(shared):
    """The 200 digits as uint8 [200, 28, 28, 1]: OpenCV's, padded to 28 x 28; twenty of each, in order."""
    return read_idx(os.path.join(shared, "datasets/digits-opencv/digits200-images-idx3-ubyte"))[..., None]


def image_input(model, images):
    value = dict(model.tensor("digits", images), scale="unit")
    return model.node("input", "digits", {"shape": [-1, 28, 28, 1], "value": value})


# --- the second article --------------------------------------------------------------------------

def high_level(images, title, about, run, slots):
    """A conv2d layer that owns its kernel and bias."""
    m = Model(title, about, run)
    x = image_input(m, images)
    y = m.node("conv2d", "conv1", {"filters": 32, "kernel_size": [3, 3], "padding": "valid",
                                   "weight": {"init": "glorot_uniform", "seed": SEED}, "bias": {"init": "zeros"}},
               [("input", x)], slots)
    m.node("output", "output", {}, [("input", y)])
    return m


def low_level(images, title, about, run, slots):
    """The same network from raw ops: variables of one's own, a convolution without bias, and bias_add."""
    m = Model(title, about, run)
    x = image_input(m, images)
    kernel = m.node("weights", "kernel", {"shape": [3, 3, 1, 32], "value": {"init": "glorot_uniform", "seed": SEED}})
    bias = m.node("weights", "bias", {"shape": [32], "value": {"init": "zeros"}})
    y = m.node("conv2d", "conv1", {"filters": 32, "kernel_size": [3, 3], "padding": "valid", "use_bias": False},
               [("input", x), ("weight", kernel)], slots)
    y = m.node("bias_add", "bias_add", {}, [("input", y), ("bias", bias)], slots)
    m.node("output", "output", {}, [("input", y)])
    return m


FOUR = ("Input and weight, each float32 or float64: which of the four combinations are right? Try: run all four "
        "and look at the stages of conv1. Answer: each computes in the wider of its two dtypes, so no operand is "
        "narrowed, and float64/float64 is right to 9e-17 (relative L2). A float32 operand has lost its bits "
        "before the layer sees it: float32 images cost 1.7e-8, a float32 kernel 2.6e-8, and no float64 "
        "arithmetic brings them back. float32/float32 is off by 5.9e-8, most of it from its own arithmetic. ")
HIGH = FOUR + ("The network is 32 filters of 3 x 3 over handwritten digits, glorot_uniform kernel, zero bias, "
               "padding valid; set padding to same to have the raw ops' choice of the article this follows.")
LOW = FOUR + ("Here the route is the low-level one: a kernel and a bias of one's own, conv2d without bias, then "
              "bias_add; the numbers are those of the layer. The article used padding same here and valid there; "
              "both lessons use valid, so that like is compared with like.")
SILENT = ("The images are float64. Is the result? Try: look at the dot at conv1's input, then give conv1 the "
          "layer dtype float64. Answer: under tf.keras' rule a layer casts its inputs to its own dtype and says "
          "nothing. Here the float32 weights make it float32: 11 % of the pixels change, and the result is "
          "float32 arithmetic from there on. With layer dtype float64 the cast is gone; what float32 storage "
          "took from the kernel stays lost.")


# --- the first article ---------------------------------------------------------------------------

IDENTITY = ("A model that returns its input, float64 in. What comes out? Try: run it, and look at the two dots. "
            "Answer: %s 1.0 has an exact float32, so the example of the article this follows hides the harm; 0.1 "
            "has not.")
IDENTITY_FILES = (
    ("identity_narrowed", "A float64 input becomes float32", "float32", None,
     "float32. The layer's dtype is floatx, float32, and tf.keras casts the input to it in silence: 1.0 loses "
     "nothing, 0.1 loses 1.5e-9."),
    ("identity_cure_layer_dtype", "Cure 1: the layer's own dtype", "float32", "float64",
     "float64. The layers were given dtype float64, so nothing is cast and both lose nothing."),
    ("identity_cure_floatx", "Cure 2: floatx float64", "float64", None,
     "float64. The global default is float64 here, so a layer without a dtype of its own casts nothing and both lose "
     "nothing."),
)


def identity(title, answer, floatx, layer_dtype):
    m = Model(title, IDENTITY % answer, settings("keras_tf26", "float64", "float64", floatx))
    for name, value in (("one", 1.0), ("tenth", 0.1)):
        x = m.node("input", name, {"shape": [1], "value": {"values": [value]}})
        y = m.node("identity", name + "/call", {}, [("input", x)], layer_dtype=layer_dtype)
        m.node("output", name + "/output", {}, [("input", y)])
    return m


# --- trained networks ----------------------------------------------------------------------------

LENET = ("A trained LeNet reads 200 real digits. How few bits can it live with? Try: run it as float16:float16, "
         "bfloat16:bfloat16, float8_e4m3fn:float8_e4m3fn and float8_e5m2:float8_e5m2, and watch the error by "
         "layer. Answer: 191 of the 200 are read rightly in float64, float32 and float16, and about as many "
         "below that, although the probabilities are off by 4e-16, 2e-7, 3e-4, 2e-3 (bfloat16) and 5e-2 (fp8): "
         "the choice hides what the numbers show. In every format the first layer costs most; after it the error "
         "hardly grows. The weights are float64 and most have no exact float32.")
MNIST = ("A small published network with batch normalisation, float32 weights, and one real digit of each class. "
         "Does float64 help it? Try: run all four combinations and compare the two with float64 images, layer by "
         "layer. Answer: its kernels and statistics are float32 values and lose nothing as float32, so conv2d is "
         "equal in both. But batch normalisation's epsilon is a weight too, and 0.001 has no exact float32: from "
         "the first of them on float64/float32 is off by about 1e-9, float64/float64 by 1e-15. The choices are "
         "TensorFlow's in each of the four (it takes the 5 for a 6, the 8 for a 9 and the 9 for a 4).")


def trained(path, images, name, title, about, run):
    """A converted network whose nodes follow the combo: no layer dtypes, products in the wider operand."""
    m = convert(path, {name: Data(images, None, "unit")})
    m.title, m.about, m.settings = title, about, run
    for n in m.nodes:
        n["layer_dtype"] = None
        if any(p in n["params"] for p in ("weight", "mean")):
            n["slots"] = {"compute": "widest"}
    return m


def unscaled(values):
    """Images k / 255 that were stored as float32, as the integers k they were; nothing may be lost by it."""
    whole = np.rint(values.astype(np.float64) * 255)
    if not np.array_equal((whole / 255).astype(np.float32), values) or whole.min() < 0 or whole.max() > 255:
        raise ValueError("these are not 8-bit images over 255")
    return whole.astype(np.uint8)


def lessons(shared):
    """(file name, Model) of every lesson."""
    every = digits(shared)
    some = every[np.arange(32) * 200 // 32]
    explicit = settings("explicit", "float32", "float32")
    widest = {"compute": "widest"}
    yield "four_combos", high_level(some, "Four combinations", HIGH, explicit, widest)
    yield "four_combos_raw_ops", low_level(some, "Four combinations, from raw ops", LOW, explicit, widest)
    yield "seed", high_level(some, "Is it float64?", SILENT, settings("keras_tf26", "float64", "float32"), {})
    for name, title, floatx, layer_dtype, answer in IDENTITY_FILES:
        yield name, identity(title, answer, floatx, layer_dtype)
    lenet = os.path.join(shared, "models/framework-written/keras-v3/lenet_float64.keras")
    wide = settings("explicit", "float64", "float64")
    yield "lenet_digits", trained(lenet, every, "image", "A trained LeNet", LENET, wide)
    mnist = os.path.join(shared, "models/keras-h5/mnist_valid.h5")
    x = unscaled(np.load(mnist.replace(".h5", ".tfjs.npz"))["x"])
    yield "mnist_valid", trained(mnist, x, "ftr0_input", "A published network", MNIST, explicit)


def write(shared, out):
    os.makedirs(os.path.join(out, "LICENSES"), exist_ok=True)
    for name, model in lessons(shared):
        model.save(os.path.join(out, name + ".mantissa"))
    for name, origin in LICENCES:
        shutil.copyfile(os.path.join(shared, origin), os.path.join(out, "LICENSES", name))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", default=os.path.join(ROOT, "..", "shared"))
    parser.add_argument("--out", default=os.path.join(ROOT, "resources", "lessons"))
    a = parser.parse_args()
    write(a.shared, a.out)
