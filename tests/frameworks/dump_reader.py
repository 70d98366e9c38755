"""Reads what `mantissa-cli run --dump DIR --json` left: nodes, operands and values as float64 arrays."""
import json
import os

import numpy as np

import harness

FRACTION, LEAST, LARGEST = harness.FRACTION, harness.LEAST, harness.LARGEST


def least_normal(dtype):
    return 2.0 ** (LEAST[dtype] + FRACTION[dtype])


def binade(hi, lo):
    """floor(log2 |hi + lo|) where it is not zero: a power of two whose lo points to zero lies one below."""
    m, e = np.frexp(hi)
    return e - 1 - ((np.abs(m) == 0.5) & (hi * np.sign(lo) < 0))


def ulp(hi, lo, dtype):
    emin = LEAST[dtype] + FRACTION[dtype]
    emax = int(np.floor(np.log2(LARGEST[dtype])))
    return np.ldexp(1.0, np.clip(np.where(hi == 0, emin, binade(hi, lo)), emin, emax) - FRACTION[dtype])


def to_odd(hi, lo):
    """hi + lo truncated to 53 bits, the last one set where that is inexact: rounding it again is rounding once."""
    inward = np.where(hi * np.sign(lo) < 0, np.nextafter(hi, 0.0), hi)
    return np.where(lo == 0, hi, (inward.view(np.int64) | 1).view(np.float64))


def round_pair(hi, lo, dtype):
    """A real number, as a double-double, rounded once."""
    return hi if dtype == "float64" else harness.round_to(to_odd(hi, np.broadcast_to(lo, hi.shape)), dtype)


class Dump:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "dump.json")) as f:
            listing = json.load(f)
        self.nodes = {n["id"]: n for n in listing["nodes"]}
        self.labels = {f["file"]: f["dtype"] for f in listing["files"]}
        self.cache = {}

    def has(self, name):
        return name in self.labels

    def load(self, name):
        """float64 values of a file of the listing."""
        if name not in self.cache:
            self.cache[name] = harness.values_of(np.load(os.path.join(self.folder, name)), self.labels[name])
        return self.cache[name]

    def pair(self, stem, ending=".npy"):
        hi = self.load(stem + ending)
        return hi, self.load(stem + ".lo.npy") if self.has(stem + ".lo.npy") else np.zeros_like(hi)

    def reference(self, ident):
        return self.pair("reference/%d" % ident, ".hi.npy")

    def real(self, ident, port):
        """(hi, lo) of what the reference run feeds a port: the producer's reference, or the source values."""
        source = self.nodes[ident]["inputs"].get(port)
        return self.reference(source) if source is not None else self.pair("source/%d.%s" % (ident, port))


class RunDump:
    """The operands of one run's nodes."""

    def __init__(self, dump, entry):
        self.dump, self.entry = dump, entry
        c = entry["combo"]
        self.prefix = "%s-%s-%s/" % (c["input"], c["weight"], entry["dialect"])
        self.nodes = {n["id"]: n for n in entry["nodes"]}

    def output(self, ident):
        return self.dump.load("%s%d.npy" % (self.prefix, ident))

    def dtype(self, ident):
        return self.dump.labels["%s%d.npy" % (self.prefix, ident)]

    def stage(self, ident, name):
        file = "%s%d.%s.npy" % (self.prefix, ident, name)
        return self.dump.load(file) if self.dump.has(file) else None

    def arrived(self, ident, port):
        """(values, dtype) at a port before any cast: what was wired, or the layer's weights as stored."""
        source = self.dump.nodes[ident]["inputs"].get(port)
        if source is not None:
            return self.output(source), self.dtype(source)
        kept = next(s for s in self.nodes[ident]["stored"] if s["port"] == port)
        return round_pair(*self.dump.real(ident, port), kept["to"]), kept["to"]

    def operand(self, ident, port):
        """What the kernel got."""
        file = "%s%d.%s.cast.npy" % (self.prefix, ident, port)
        return self.dump.load(file) if self.dump.has(file) else self.arrived(ident, port)[0]
