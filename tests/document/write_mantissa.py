"""Writes a .mantissa file with NumPy and the standard library alone, as docs/file-format.md describes it.

usage: write_mantissa.py OUT.mantissa

An input ramp [1,4,4,1], conv2d with two filters from float32 tensors, and dense with a float64 kernel and a bfloat16
bias (its bit patterns), under the explicit dialect with compute asked as widest.
"""
import io
import json
import sys
import zipfile

import numpy as np


def add_member(archive, name, data):
    info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_STORED
    archive.writestr(info, data)


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def bfloat16_bits(array):
    """Truncates; exact for values that fit, as here."""
    return (np.asarray(array, "<f4").view("<u4") >> 16).astype("<u2")


def main(path):
    tensors = {
        "conv1/kernel": ("float32", np.arange(18, dtype="<f4").reshape(3, 3, 1, 2) / 16),
        "conv1/bias": ("float32", np.array([0.5, -0.25], "<f4")),
        "dense1/kernel": ("float64", np.linspace(-1, 1, 24, dtype="<f8").reshape(8, 3)),
        "dense1/bias": ("bfloat16", bfloat16_bits([1.5, -2.0, 0.0])),
    }
    widest = {"compute": "widest"}
    model = {
        "mantissa": 1,
        "title": "written by a script",
        "settings": {"dialect": "explicit", "combo": {"input": "float32", "weight": "float64"}},
        "nodes": [
            {"id": 1, "name": "x", "op": "input", "params": {"shape": [1, 4, 4, 1], "value": {"init": "ramp"}}},
            {"id": 2, "name": "conv1", "op": "conv2d", "slots": widest,
             "params": {"filters": 2, "kernel_size": [3, 3], "weight": {"tensor": "conv1/kernel"},
                        "bias": {"tensor": "conv1/bias"}}},
            {"id": 3, "name": "flat", "op": "flatten"},
            {"id": 4, "name": "dense1", "op": "dense", "slots": widest,
             "params": {"units": 3, "weight": {"tensor": "dense1/kernel"}, "bias": {"tensor": "dense1/bias"}}},
            {"id": 5, "name": "y", "op": "output"},
        ],
        "edges": [{"from": [i, "output"], "to": [i + 1, "input"]} for i in range(1, 5)],
        "tensors": {name: {"file": f"tensors/{name}.npy", "dtype": dtype} for name, (dtype, _) in tensors.items()},
    }
    with zipfile.ZipFile(path, "w") as archive:
        add_member(archive, "model.json", json.dumps(model, indent=1))
        for name in sorted(tensors):
            add_member(archive, f"tensors/{name}.npy", npy(tensors[name][1]))


if __name__ == "__main__":
    main(sys.argv[1])
