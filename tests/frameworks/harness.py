"""What the scripts here share: finding the collection and the program, running it, reading its dump.

A script that lacks something exits with 77, which CTest shows as skipped, and says what was missing.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHARED = os.path.join(os.path.dirname(ROOT), "shared")


def skip(why):
    print("SKIP: " + why)
    sys.exit(77)


try:
    import numpy as np
    import h5py  # noqa: F401  (the converter reads with it)
except ImportError as missing:
    skip("%s; python3-numpy and python3-h5py are needed" % missing)


def add_tools():
    sys.path.insert(0, os.path.join(ROOT, "tools"))


def shared_folder():
    if not os.path.isdir(SHARED):
        skip("%s is not here" % SHARED)
    return SHARED


def find_cli(arguments):
    """The path of mantissa-cli, or a skip."""
    given = [a for a in arguments if not a.startswith("-")]
    cli = given[0] if given else os.environ.get("MANTISSA_CLI")
    if not cli:
        skip("name mantissa-cli as the first argument or in MANTISSA_CLI")
    if not os.path.exists(cli):
        skip("%s is not built" % cli)
    return cli


def start(arguments):
    """(path of mantissa-cli, the shared folder), or a skip."""
    return find_cli(arguments), shared_folder()


BITS = {"bfloat16": 7, "float8_e4m3fn": 3, "float8_e5m2": 2}
FRACTION = {"float64": 52, "float32": 23, "tf32": 10, "float16": 10, **BITS}
LEAST = {"float64": -1074, "float32": -149, "tf32": -136, "float16": -24, "bfloat16": -133,
         "float8_e4m3fn": -9, "float8_e5m2": -16}


def values_of(array, dtype):
    """float64 values of an array whose label is dtype; bfloat16 and fp8 come as bit patterns."""
    if dtype == "bfloat16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if dtype in BITS:
        return np.array([fp8_value(k, dtype) for k in range(256)])[array]
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def fp8_value(k, dtype):
    """The value of an 8-bit pattern, from the OCP formats' definition."""
    e_bits, bias = (4, 7) if dtype == "float8_e4m3fn" else (5, 15)
    m_bits = 7 - e_bits
    sign, e, m = -1.0 if k & 128 else 1.0, (k & 127) >> m_bits, k & ((1 << m_bits) - 1)
    if dtype == "float8_e4m3fn" and k & 127 == 127:
        return float("nan")
    if dtype == "float8_e5m2" and e == 31:
        return sign * float("inf") if m == 0 else float("nan")
    return sign * (m + ((1 << m_bits) if e else 0)) * 2.0 ** (max(e, 1) - bias - m_bits)


def unit_roundoff(dtype):
    return 2.0 ** -(FRACTION[dtype] + 1)


def ulp(values, dtype):
    """The distance of neighbours of dtype at |values|, element by element."""
    e = np.frexp(np.abs(np.asarray(values, np.float64)))[1] - 1
    return np.exp2(np.maximum(e - FRACTION[dtype], LEAST[dtype]).astype(np.float64))


LARGEST = {"float64": np.finfo(np.float64).max, "float32": (2 - 2.0 ** -23) * 2.0 ** 127,
           "tf32": (2 - 2.0 ** -10) * 2.0 ** 127, "float16": 65504.0,
           "bfloat16": (2 - 2.0 ** -7) * 2.0 ** 127, "float8_e4m3fn": 448.0, "float8_e5m2": 57344.0}


def round_to(values, dtype):
    """float64 values rounded once to dtype, nearest even (tf32: ties away from zero), subnormals kept; past the
    largest is infinite, and NaN in float8_e4m3fn, which has no infinity."""
    values = np.asarray(values, np.float64)
    if dtype == "float64":
        return values
    with np.errstate(invalid="ignore", over="ignore"):
        e = np.maximum(np.frexp(values)[1] - 1 - FRACTION[dtype], LEAST[dtype])
        whole = np.ldexp(values, -e)
        whole = np.copysign(np.floor(np.abs(whole) + 0.5), whole) if dtype == "tf32" else np.rint(whole)
        out = np.ldexp(whole, e)
        out = np.where(np.isfinite(values), out, values)
        past = np.abs(out) > LARGEST[dtype]
        return np.where(past, np.nan if dtype == "float8_e4m3fn" else np.copysign(np.inf, values), out)


class Run:
    """One finished run: the report's entry, and arrays of its dump."""

    def __init__(self, report, entry, folder):
        self.report, self.entry, self.folder = report, entry, folder
        self.nodes = {n["id"]: n for n in entry["nodes"]}
        c = entry["combo"]
        self.path = os.path.join(folder, "%s-%s-%s" % (c["input"], c["weight"], entry["dialect"]))

    def node(self, ident):
        return self.nodes[ident]

    def array(self, name):
        return np.load(os.path.join(self.path, name))

    def output(self, ident):
        """float64 values of a node's output."""
        return values_of(self.array("%d.npy" % ident), self.dtype(ident))

    def dtype(self, ident):
        """The output's dtype: that of the dump's file, as dump.json names it."""
        if not hasattr(self, "labels"):
            self.labels = dump_labels(self.folder)
        return self.labels[os.path.relpath(os.path.join(self.path, "%d.npy" % ident), self.folder)]

    def reference(self, ident):
        """(hi, lo) of the double-double run."""
        base = os.path.join(self.folder, "reference", "%d." % ident)
        return np.load(base + "hi.npy"), np.load(base + "lo.npy")


def dump_labels(folder):
    with open(os.path.join(folder, "dump.json")) as f:
        dump = json.load(f)
    return {entry["file"]: entry["dtype"] for entry in dump["files"]}


def call(cli, arguments):
    """The JSON object that mantissa-cli prints; a failure ends the script with its message."""
    done = subprocess.run([cli] + arguments + ["--json"], capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-2000:] + done.stderr[-2000:])
        sys.exit("mantissa-cli %s: exit code %d" % (" ".join(arguments), done.returncode))
    return json.loads(done.stdout)


def run_cli(cli, path, folder, *choices):
    """The first run of a file, with its dump."""
    dump = os.path.join(folder, os.path.basename(path) + ".dump")
    report = call(cli, ["run", path, "--dump", dump, *choices])
    return Run(report, report["runs"][0], dump)
