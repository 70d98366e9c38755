"""Reads Keras models: .h5 of Keras 2 and 3, .keras of tf.keras 2.15 and Keras 3. Needs NumPy and h5py.

What comes out is a list of layer calls in running order, each with its configuration, its weights in
the order of get_weights(), and the calls that feed it; nothing here knows what a layer computes.
"""
import io
import json
import re
import zipfile

import h5py
import numpy as np


class Refused(Exception):
    """The file, or a layer of it, cannot be expressed; the message names the place and the reason."""


class Call:
    """One use of a layer. name: the layer's name, '#2', '#3' ... for further uses."""

    def __init__(self, layer, kind, config, inputs, weights, index=0):
        self.layer, self.kind, self.config, self.inputs, self.weights = layer, kind, config, inputs, weights
        self.key = (layer, index)
        self.name = layer if index == 0 else "%s#%d" % (layer, index + 1)


class KerasModel:
    """inputs: InputLayer calls; calls: all others in running order; outputs: keys of calls."""

    def __init__(self, name, version, inputs, calls, outputs):
        self.name, self.version, self.inputs, self.calls, self.outputs = name, version, inputs, calls, outputs


# --- dtypes --------------------------------------------------------------------------------------

def policy(value, place):
    """(compute, variable) of what a layer's configuration says about its dtype."""
    if isinstance(value, dict):
        value = (value.get("config") or {}).get("name")
    if value in (None, "_infer"):
        value = "float32"
    if value in ("mixed_float16", "mixed_bfloat16"):
        return value[6:], "float32"
    if value not in ("float64", "float32", "float16", "bfloat16"):
        raise Refused("%s: dtype policy %r is not one of the floating types" % (place, value))
    return value, value


def stored(dataset):
    """(array, dtype name) of a variable; bfloat16 as uint16 bit patterns."""
    array = np.asarray(dataset)
    name = dataset.attrs.get("dtype", "")
    name = name.decode() if isinstance(name, bytes) else str(name)
    if name == "bfloat16" or array.dtype.name == "bfloat16" or (array.dtype.kind == "V" and array.dtype.itemsize == 2):
        if array.dtype.itemsize == 2:
            return np.ascontiguousarray(array).view(np.uint16), "bfloat16"
        return (array.astype("<f4").view(np.uint32) >> 16).astype(np.uint16), "bfloat16"
    return array, array.dtype.name


# --- the two kinds of file -----------------------------------------------------------------------

def text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def snake(kind):
    """Class name as the .keras file's groups have it: MaxPooling2D is max_pooling2d, ReLU re_lu."""
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", kind))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def read_h5(path):
    with h5py.File(path, "r") as f:
        if "model_config" not in f.attrs:
            raise Refused("%s: holds weights only, no graph (it has no model_config); save the whole model" % path)
        config = json.loads(text(f.attrs["model_config"]))
        root = f["model_weights"] if "model_weights" in f else f
        weights = {}
        for layer in map(text, root.attrs.get("layer_names", ())):
            names = map(text, root[layer].attrs.get("weight_names", ()))
            weights[layer] = [stored(root[layer][n]) for n in names]
        return config, weights, text(f.attrs.get("keras_version", "?"))


def read_keras(path):
    with zipfile.ZipFile(path) as z:
        config = json.loads(z.read("config.json"))
        version = json.loads(z.read("metadata.json")).get("keras_version", "?")
        data = z.read("model.weights.h5")
    weights = {}
    with h5py.File(io.BytesIO(data), "r") as f:
        groups = f.get("layers", f.get("_layer_checkpoint_dependencies", {}))
        named = {text(g["vars"].attrs["name"]): g for g in groups.values() if "vars" in g and "name" in g["vars"].attrs}
        seen = {}
        for layer in (config.get("config") or {}).get("layers", ()):
            base = snake(layer["class_name"])
            count = seen[base] = seen.get(base, -1) + 1
            name = layer["config"]["name"]
            group = named.get(name) or groups.get(base if count == 0 else "%s_%d" % (base, count))
            variables = group["vars"] if group is not None and "vars" in group else {}
            weights[name] = [stored(variables[str(i)]) for i in range(len(variables))]
    return config, weights, version


# --- graphs --------------------------------------------------------------------------------------

def tensor_keys(value, place):
    """The (layer, node index) of every tensor in the arguments of a call, in order."""
    if isinstance(value, dict):
        if value.get("class_name") == "__keras_tensor__":
            layer, node, index = value["config"]["keras_history"]
            if index:
                raise Refused("%s: takes output %d of %s; only layers with one output are known"
                              % (place, index, layer))
            return [(layer, node)]
        return [k for v in value.values() for k in tensor_keys(v, place)]
    if isinstance(value, (list, tuple)):
        if len(value) in (3, 4) and isinstance(value[0], str) and all(isinstance(v, int) for v in value[1:3]):
            keys = [(value[0], value[1])]
            return keys + (tensor_keys(value[3], place) if len(value) == 4 else [])
        return [k for v in value for k in tensor_keys(v, place)]
    return []


def inbound(layer):
    """One list of keys per use of the layer."""
    nodes = layer.get("inbound_nodes") or []
    place = "layer " + layer["config"]["name"]
    if nodes and isinstance(nodes[0], (list, tuple)) and nodes[0] and isinstance(nodes[0][0], str):
        return [tensor_keys(n, place) for n in nodes]  # TFOpLambda: the call itself, not a list of calls
    return [tensor_keys(n, place) for n in nodes]


def functional(config, weights):
    inputs, waiting = {}, []
    for layer in config["layers"]:
        name = layer["config"]["name"]
        if layer["class_name"] == "InputLayer":
            inputs[name] = Call(name, "InputLayer", layer["config"], [], [])
            continue
        for index, keys in enumerate(inbound(layer)):
            waiting.append(Call(name, layer["class_name"], layer["config"], keys, weights.get(name, []), index))
    outputs = tensor_keys(config["output_layers"], "output_layers")
    needed, stack = set(), list(outputs)
    by_key = {c.key: c for c in waiting}
    while stack:
        key = stack.pop()
        if key not in needed:
            needed.add(key)
            stack += by_key[key].inputs if key in by_key else []
    done, calls = {i.key for i in inputs.values()}, []
    waiting = [c for c in waiting if c.key in needed]
    while waiting:
        ready = [c for c in waiting if all(k in done for k in c.inputs)]
        if not ready:
            raise Refused("layer %s: what feeds it is not in the file" % waiting[0].name)
        calls.append(ready[0])
        done.add(ready[0].key)
        waiting.remove(ready[0])
    order = [k[0] for k in tensor_keys(config["input_layers"], "input_layers")]
    return [inputs[n] for n in order], calls, outputs


def sequential(config, weights):
    layers = config["layers"] if isinstance(config, dict) else config
    first = layers[0]["config"]
    if layers[0]["class_name"] == "InputLayer":
        source, layers = first, layers[1:]
    else:
        built = config.get("build_input_shape") if isinstance(config, dict) else None
        shape = first.get("batch_input_shape") or built
        if not shape:
            raise Refused("layer %s: the model was saved without an input shape" % first["name"])
        dtype = policy(first.get("dtype"), "layer " + first["name"])[1]
        source = {"name": first["name"] + "_input", "batch_input_shape": shape, "dtype": dtype}
    start = Call(source["name"], "InputLayer", source, [], [])
    calls, key = [], start.key
    for layer in layers:
        name = layer["config"]["name"]
        calls.append(Call(name, layer["class_name"], layer["config"], [key], weights.get(name, [])))
        key = calls[-1].key
    return [start], calls, [key]


def read(path):
    """The model in a file."""
    try:
        config, weights, version = read_keras(path) if zipfile.is_zipfile(path) else read_h5(path)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as e:
        raise Refused("%s: not a Keras model (%s)" % (path, e)) from e
    kind, inner = config.get("class_name"), config.get("config")
    if kind == "Sequential":
        parts = sequential(inner, weights)
    elif kind in ("Functional", "Model"):
        parts = functional(inner, weights)
    else:
        raise Refused("%s: a %s is code, not a graph; only Sequential and Functional models can be read" % (path, kind))
    name = inner.get("name", "model") if isinstance(inner, dict) else "model"
    return KerasModel(name, version, *parts)
