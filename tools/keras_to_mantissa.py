#!/usr/bin/env python3
"""Converts a Keras model (.h5 or .keras) to .mantissa. Needs NumPy and h5py.

    keras_to_mantissa.py MODEL [OUT.mantissa] [--input [NODE=]FILE.npy | FILE.npz:KEY | FILE-idx] [--scale unit]

Weights keep their bits and their dtype; what each layer computes in becomes its layer dtype, under the
rule of tf.keras. A layer that the ops cannot express is refused by name (exit 1).
"""
import argparse
import gzip
import os
import sys
from collections import Counter

import numpy as np

from keras_file import Refused, policy, read
from keras_ops import Builder, Value, count
from mantissa_writer import Model, settings


class Data:
    """Real numbers for an input. source: how model.json refers to them, when not embedded."""

    def __init__(self, array, dtype=None, scale="raw", source=None):
        self.array, self.dtype, self.scale, self.source = array, dtype, scale, source


def read_idx(path):
    data = open(path, "rb").read()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    kinds = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
    if data[:2] != b"\0\0" or data[2] not in kinds:
        raise Refused("%s: neither .npy, .npz nor IDX" % path)
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return np.frombuffer(data, kinds[data[2]], offset=4 + 4 * data[3]).reshape(shape)


def read_array(path, key=None):
    if path.endswith((".npy", ".npz")):
        loaded = np.load(path, allow_pickle=False)
        if path.endswith(".npz"):
            if key not in loaded:
                raise Refused("%s: has no member %r; it has %s" % (path, key, ", ".join(loaded.files)))
            loaded = loaded[key]
        return loaded
    return read_idx(path)


def check_single_use_of_padding(model):
    """A ZeroPadding2D can be folded only into the one convolution that it feeds."""
    uses = Counter(k for c in model.calls for k in c.inputs)
    uses.update(model.outputs)
    for c in model.calls:
        if c.kind == "ZeroPadding2D" and uses[c.key] != 1:
            raise Refused("layer %s (ZeroPadding2D): feeds %d layers; it can only be folded into one convolution"
                          % (c.name, uses[c.key]))


def majority(names, otherwise):
    return Counter(names).most_common(1)[0][0] if names else otherwise


def input_node(out, call, storage, data):
    """The input node of a model, with its numbers or with zeros."""
    shape = call.config.get("batch_shape") or call.config["batch_input_shape"]
    shape = [None if n is None else int(n) for n in shape]
    dtype = policy(call.config.get("dtype"), "input " + call.name)[1]
    slots = {"input": dtype} if dtype != storage else {}
    if data is None:
        if None in shape[1:]:
            raise Refused("input %s: its shape is %s; give it numbers with --input" % (call.name, shape))
        params = {"shape": [1] + shape[1:]}
    else:
        array = np.asarray(data.array)
        size = count(shape[1:])
        if array.ndim < 1 or array[:1].size != size:
            raise Refused("input %s: has %s elements a row, the numbers given have shape %s"
                          % (call.name, size, list(array.shape)))
        params = {"shape": [-1] + shape[1:]}
        array = array.reshape([len(array)] + shape[1:])
        params["value"] = dict(data.source or out.tensor(call.name, array, data.dtype))
        if data.scale != "raw":
            params["value"]["scale"] = data.scale
    return Value(out.node("input", call.name, params, slots=slots), shape)


def convert(path, data=None, dialect="keras_tf26"):
    """The Model that says what the file says. data: input name -> Data."""
    keras = read(path)
    check_single_use_of_padding(keras)
    data = data or {}
    unknown = set(data) - {c.name for c in keras.inputs}
    if unknown:
        names = ", ".join(c.name for c in keras.inputs)
        raise Refused("%s: no input %s; it has %s" % (path, sorted(unknown)[0], names))
    storage = policy(keras.inputs[0].config.get("dtype"), "input " + keras.inputs[0].name)[1]
    weight = majority([d for c in keras.calls for _, d in c.weights], storage)
    about = "Converted from %s, written by Keras %s." % (os.path.basename(path), keras.version)
    out = Model(keras.name, about, settings(dialect, storage, weight))
    values = {c.key: input_node(out, c, storage, data.get(c.name)) for c in keras.inputs}
    build = Builder(out, weight)
    for call in keras.calls:
        values[call.key] = build.layer(call, [values[k] for k in call.inputs])
    for key in keras.outputs:
        name = key[0] + "/output" if len(keras.outputs) > 1 else "output"
        out.node("output", name, {}, [("input", build.result(values[key]))])
    return out


def parse_inputs(given, scale, refer, first, out_path):
    """--input arguments as name -> Data."""
    data = {}
    for item in given:
        name, _, where = item.rpartition("=")
        stem, found, key = where.partition(".npz:")
        file = stem + ".npz" if found else where
        array = read_array(file, key)
        source = None
        if refer:
            source = {"file": os.path.relpath(file, os.path.dirname(os.path.abspath(out_path)))}
            if key:
                source["member"] = key
        data[name or first] = Data(array, None, scale, source)
    return data


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("model")
    p.add_argument("out", nargs="?", help="default: MODEL with the ending .mantissa")
    p.add_argument("--input", action="append", default=[], metavar="[NODE=]FILE",
                   help="numbers for an input; repeatable")
    p.add_argument("--images", metavar="FILE", help="the same for the first input")
    p.add_argument("--scale", choices=("raw", "unit"), default="raw", help="unit: integers become k / (2^depth - 1)")
    p.add_argument("--refer", action="store_true", help="name the file instead of embedding its numbers")
    p.add_argument("--dialect", default="keras_tf26")
    a = p.parse_args()
    out = a.out or os.path.splitext(a.model)[0] + ".mantissa"
    try:
        first = read(a.model).inputs[0].name
        data = parse_inputs(a.input + ([a.images] if a.images else []), a.scale, a.refer, first, out)
        convert(a.model, data, a.dialect).save(out)
    except (Refused, OSError, ValueError) as e:
        print("keras_to_mantissa: %s" % e, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
