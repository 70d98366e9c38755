"""Writes .mantissa files: a zip of model.json and tensors/*.npy, as docs/file-format.md has it.

Needs NumPy and the standard library. The text is canonical and every time stamp fixed, so the same
model gives the same bytes, and saving it again from the program changes nothing.
"""
import io
import json
import os
import tempfile
import zipfile

import numpy as np

FLOATS = ("float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")
BIT_PATTERNS = {"bfloat16": np.uint16, "float8_e4m3fn": np.uint8, "float8_e5m2": np.uint8}
STEP = (320, 160)  # distance of nodes on the canvas: they are up to 240 wide


def number(x):
    """Shortest text that reads back to the same double; a real number that is whole keeps its point."""
    if isinstance(x, (bool, np.bool_)):
        return "true" if x else "false"
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    x = float(x)
    if x != x:
        return '"nan"'
    if x in (float("inf"), float("-inf")):
        return '"inf"' if x > 0 else '"-inf"'
    return repr(x)


def text(value):
    """Canonical JSON on one line; the order of keys is the caller's."""
    if value is None:
        return "null"
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        return number(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(text, value)) + "]"
    return "{" + ", ".join(json.dumps(k, ensure_ascii=False) + ": " + text(v) for k, v in value.items()) + "}"


def lines(items):
    """A list or object with one item a line."""
    return "\n    " + ",\n    ".join(items) + "\n  "


def npy_bytes(array):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    return out.getvalue()


def settings(dialect, input_dtype, weight_dtype, floatx="float32"):
    """The run settings of a file, in the order of the format."""
    combo = {"input": input_dtype, "weight": weight_dtype}
    return {"dialect": dialect, "combo": combo, "floatx": floatx, "backend": "cpu"}


class Model:
    """A graph being written. Nodes get ids 1, 2, 3 ... in the order they are added."""

    def __init__(self, title, about, settings):
        self.title, self.about = title, about
        self.settings = settings
        self.nodes, self.edges, self.tensors = [], [], {}

    def node(self, op, name, params=None, inputs=(), slots=None, layer_dtype=None, at=None):
        """inputs: (port, node id) pairs. Returns the id."""
        ident = len(self.nodes) + 1
        self.nodes.append({"id": ident, "name": name, "op": op, "params": dict(params or {}),
                          "slots": dict(slots or {}), "layer_dtype": layer_dtype, "at": at})
        for port, source in inputs:
            self.edges.append((source, ident, port))
        return ident

    def find(self, name):
        return next(n for n in self.nodes if n["name"] == name)

    def tensor(self, name, array, dtype=None):
        """Keeps an array; dtype says what the bit patterns of bfloat16 and fp8 are. Returns a source."""
        array = np.asarray(array)
        dtype = dtype or array.dtype.name
        if dtype in BIT_PATTERNS and array.dtype != BIT_PATTERNS[dtype]:
            raise ValueError("%s: %s is stored as %s bit patterns" % (name, dtype, np.dtype(BIT_PATTERNS[dtype])))
        self.tensors[name] = (array.astype(array.dtype.newbyteorder("<")), dtype)
        return {"tensor": name}

    def arrange(self):
        """Places nodes without a position by depth, left to right."""
        depth, taken = {}, {}
        sources = {}
        for a, b, _ in self.edges:
            sources.setdefault(b, []).append(a)
        for n in self.nodes:  # inputs always come before
            d = depth[n["id"]] = 1 + max((depth[a] for a in sources.get(n["id"], ())), default=-1)
            if n["at"] is None:
                n["at"] = [d * STEP[0], taken.get(d, 0) * STEP[1]]
            taken[d] = taken.get(d, 0) + 1

    def model_json(self):
        self.arrange()
        top = ['"mantissa": 1']
        for key in ("title", "about"):
            if getattr(self, key):
                top.append('"%s": %s' % (key, text(getattr(self, key))))
        top.append('"settings": ' + text(self.settings))
        nodes = []
        for n in self.nodes:
            kept = {"id": n["id"], "name": n["name"], "op": n["op"]}
            if n["params"]:
                kept["params"] = dict(sorted(n["params"].items()))
            if n["slots"]:
                kept["slots"] = {s: n["slots"][s] for s in ("input", "weight", "compute", "accumulate", "output")
                                 if s in n["slots"]}
            if n["layer_dtype"]:
                kept["layer_dtype"] = n["layer_dtype"]
            kept["at"] = n["at"]
            nodes.append(text(kept))
        edges = [text({"from": [a, "output"], "to": [b, port]})
                 for a, b, port in sorted(self.edges, key=lambda e: (e[1], e[2]))]
        tensors = ["%s: %s" % (text(name), text({"file": "tensors/%s.npy" % name, "dtype": self.tensors[name][1]}))
                   for name in sorted(self.tensors)]
        if nodes:
            top.append('"nodes": [' + lines(nodes) + "]")
        if edges:
            top.append('"edges": [' + lines(edges) + "]")
        if tensors:
            top.append('"tensors": {' + lines(tensors) + "}")
        return "{\n  " + ",\n  ".join(top) + "\n}\n"

    def bytes(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
            def put(name, data):
                info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                # The header fields as libzip writes them, on every system.
                info.create_system, info.create_version, info.extract_version = 3, 63, 10
                info.external_attr = 0o100666 << 16
                z.writestr(info, data)
            put("model.json", self.model_json().encode("utf-8"))
            for name in sorted(self.tensors):
                put("tensors/%s.npy" % name, npy_bytes(self.tensors[name][0]))
        return out.getvalue()

    def save(self, path):
        """Through a temporary file, so that a reader never sees half a model."""
        data = self.bytes()
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)))
        with os.fdopen(handle, "wb") as f:
            f.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
