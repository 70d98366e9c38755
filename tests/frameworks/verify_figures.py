"""The figures of a report, recomputed from arrays: errors, casts, stored values, stages, bounds.

Definitions: design 3.5 and 3.6. Sums are exact (math.fsum), so a figure may differ by the program's own
roundings: 1e-12 relative; stages are float64 differences: 1e-9 of the whole error.
"""
import math

import numpy as np

import dump_reader as reader
import harness

FIGURE = 1e-12
STAGE = 1e-9
EDGES = [0.5, 1, 2, 4, 8, 16, 32]
# 10^(-20 + k/2), nearest float64.
HALF_DECADES = [float(f"1e{k // 2 - 20}") if k % 2 == 0 else float(f"3.16227766016837933200e{k // 2 - 20}")
                for k in range(49)]


def number(printed):
    return float(printed) if isinstance(printed, str) else printed


def scale_of(values):
    """A power of two, so that the squares of values / scale neither overflow nor vanish."""
    largest = float(np.abs(values).max()) if values.size else 0.0
    return 2.0 ** max(math.frexp(largest)[1], -1000) if largest else 1.0


def mean(values):
    scale = scale_of(values)
    return math.fsum(values / scale) / len(values) * scale


def rms(values):
    if not values.size:
        return 0.0
    scaled = values / scale_of(values)
    return math.sqrt(math.fsum(scaled * scaled) / values.size) * scale_of(values)


def percentile_bits(relative, bits, rank):
    """Correct bits of the element at an ascending rank of correct bits."""
    at = np.sort(relative)[::-1][rank]
    return bits if at == 0 else min(bits, max(0.0, -math.log2(at)))


def rounds_beyond(hi, lo, dtype):
    """Whether a real number rounds past the largest finite value of dtype."""
    return ~np.isfinite(reader.round_pair(hi, lo, dtype)) & np.isfinite(hi)


def relative_histogram(relative):
    bins = np.searchsorted(HALF_DECADES, relative[relative > 0], side="right")
    counts = np.bincount(bins, minlength=50).tolist()
    return {"log10_first": -20.0, "step": 0.5, "counts": counts[1:49], "exact": int((relative == 0).sum()),
            "below": counts[0], "above": counts[49]}


def error_figures(y, hi, lo, dtype):
    """What design 3.5 says about y against hi + lo; absent figures are left out."""
    bits = harness.FRACTION[dtype] + 1
    both = np.isfinite(y) & np.isfinite(hi)
    high, low = np.where(both, y, 0) - np.where(both, hi, 0), None
    t = high - np.where(both, y, 0)
    low = (np.where(both, y, 0) - (high - t)) + (-np.where(both, hi, 0) - t)
    e = np.abs(high + (low - np.where(both, lo, 0)))[both]
    r, rl = hi[both], lo[both]
    finite_ref = np.isfinite(hi)
    bad = finite_ref & ~np.isfinite(y)
    beyond = rounds_beyond(hi, lo, dtype)
    stuck = (np.abs(y) == reader.LARGEST[dtype]) | (np.isnan(y) & (dtype == "float8_e4m3fn"))
    out = {
        "elements": y.size, "zero_ref": int((hi == 0).sum()), "zero_ref_wrong": int(((hi == 0) & (y != 0)).sum()),
        "nan": int(np.isnan(y).sum()), "inf": int(np.isinf(y).sum()),
        "overflow": int((finite_ref & (np.isinf(y) | (stuck & beyond))).sum()),
        "underflow": int((finite_ref & (y == 0) & (hi != 0)).sum()),
        "subnormal": int(((y != 0) & (np.abs(y) < reader.least_normal(dtype))).sum()),
        "first_bad": int(np.flatnonzero(bad.ravel())[0]) if bad.any() else None,
    }
    if e.size:
        error, whole = rms(e), rms(r)
        out.update(max_abs=float(e.max()), mean_abs=mean(e), rmse=error)
        if whole > 0:
            out["rel_l2"] = error / whole
            if error > 0:
                out["sqnr_db"] = 20 * (math.log10(whole) - math.log10(error))
    some = r != 0
    if some.any():
        relative = e[some] / np.abs(r[some])
        ulps = e[some] / reader.ulp(r[some], rl[some], dtype)
        n = relative.size
        low_middle, high_middle = (percentile_bits(relative, bits, k) for k in ((n - 1) // 2, n // 2))
        out.update(max_rel=float(relative.max()), mean_rel=mean(relative))
        out.update(max_ulp=float(ulps.max()), mean_ulp=mean(ulps))
        out.update(min_bits=percentile_bits(relative, bits, 0), median_bits=(low_middle + high_middle) / 2,
                   p01_bits=percentile_bits(relative, bits, (n - 1) // 100))
        counts = [int((ulps == 0).sum())] + [0] * 8
        for k in np.searchsorted(EDGES, ulps[ulps > 0], side="left"):
            counts[k + 1] += 1
        out["counts"] = counts
        out["rel_histogram"] = relative_histogram(relative)
    else:
        out["counts"] = [0] * 9
    return out


def check_error(check, run, ident, where):
    dtype = run.dtype(ident)
    if dtype not in harness.FRACTION:
        return
    printed = dict(run.nodes[ident]["error"])
    limited = printed.pop("reference_limited", False)
    histogram = printed.pop("ulp_histogram")
    printed["counts"] = histogram["counts"]
    check.that(histogram["bins"] == [0] + EDGES, where, "ulp_histogram bins", histogram["bins"], [0] + EDGES)
    printed.pop("condition", None)
    ours = error_figures(run.output(ident), *run.dump.reference(ident), dtype)
    for key in sorted(set(printed) | set(ours)):
        a, b = printed.get(key), ours.get(key)
        if isinstance(b, float):
            check.close(where, key, a, b, FIGURE * max(abs(b), 1.0 if key.endswith(("bits", "db")) else 0.0))
        elif not (limited and key == "overflow"):
            check.that(a == b, where, key, a, b)


def check_values(check, run, ident, where):
    """What is seen of a node's own values: how many are normal, subnormal ..., and the significand bits they use."""
    dtype, printed = run.dtype(ident), run.nodes[ident]
    if dtype not in harness.FRACTION:
        return
    y = run.output(ident).ravel()
    small = np.abs(y) < reader.least_normal(dtype)
    health = {"normal": int((np.isfinite(y) & ~small).sum()), "subnormal": int((small & (y != 0)).sum()),
              "zero": int((y == 0).sum()), "inf": int(np.isinf(y).sum()), "nan": int(np.isnan(y).sum())}
    for key, count in health.items():
        check.that(printed["health"][key] == count, where, "health " + key, printed["health"][key], count)
    whole = np.abs(np.frexp(y[np.isfinite(y) & (y != 0)])[0] * 2.0 ** 53).astype(np.int64)
    bits = int(53 - np.log2((whole & -whole).min())) if whole.size else 0
    check.that(printed["value_bits"] == bits, where, "value_bits", printed["value_bits"], bits)


# --- conversions ---------------------------------------------------------------------------------

def conversion_figures(hi, lo, after, dtype, before_dtype=None):
    """What a conversion changed; before is a real number (hi, lo)."""
    changed = ~((hi == after) & (lo == 0)) & ~(np.isnan(hi) & np.isnan(after))
    both = np.isfinite(hi) & np.isfinite(after) & (hi != 0)
    e = np.abs((after - hi) - lo)[both]
    was_normal = ~(np.abs(hi) < (reader.least_normal(before_dtype) if before_dtype else 0.0))
    out = {
        "changed": float(changed.sum()) / max(hi.size, 1),
        "new_nan": int((np.isnan(after) & ~np.isnan(hi)).sum()),
        "new_inf": int((np.isinf(after) & np.isfinite(hi)).sum()),
        "new_zero": int(((after == 0) & (hi != 0) & ~np.isnan(hi)).sum()),
        "new_subnormal": int(((after != 0) & (np.abs(after) < reader.least_normal(dtype)) & was_normal).sum()),
    }
    if both.any():
        out["max_ulp"] = float((e / reader.ulp(hi[both], lo[both], dtype)).max())
        out["max_rel"] = float((e / np.abs(hi[both])).max())
    if changed.any():
        bits, relative = harness.FRACTION[dtype] + 1.0, out.get("max_rel", 0.0)
        lost = out["new_inf"] + out["new_nan"] > 0
        out["bits_kept"] = 0.0 if lost else bits if relative == 0 else min(bits, max(0.0, -math.log2(relative)))
    return out


def compare_conversion(check, where, what, printed, ours, keys):
    for key in keys:
        a, b = printed.get(key), ours.get(key)
        if isinstance(b, float):
            check.close(where, "%s %s" % (what, key), a, b, FIGURE * max(abs(b), float(key == "bits_kept")))
        else:
            check.that(a == b, where, "%s %s" % (what, key), a, b)


COUNTS = ("changed", "max_ulp", "new_inf", "new_zero", "new_subnormal", "new_nan")


def check_casts(check, run, ident, where):
    """Casts of operands in their order, each rounded by ourselves; the last must be what the kernel got."""
    values = {}
    for cast in run.nodes[ident]["casts"]:
        port, source, target = cast["port"], cast["from"], cast["to"]
        if source not in harness.FRACTION or target not in harness.FRACTION:
            continue
        if port == "output":
            before = run.output(ident) - run.stage(ident, "output") if run.stage(ident, "output") is not None else None
            before = values.get(port, before)
            if before is None:
                continue
        else:
            before = values.get(port, run.arrived(ident, port)[0])
        after = values[port] = harness.round_to(before, target)
        ours = conversion_figures(before, np.zeros_like(before), after, target, source)
        compare_conversion(check, where, "cast of %s:" % port, cast, ours, COUNTS + ("max_rel", "bits_kept"))
    for port, value in values.items():
        is_result = port == "output" or run.dump.nodes[ident]["op"] == "cast"
        got = run.output(ident) if is_result else run.operand(ident, port)
        same = np.array_equal(value, got, equal_nan=True)
        check.that(same, where, "%s after its casts is not one rounding a cast" % port)


def check_stored(check, run, ident, where):
    for kept in run.nodes[ident]["stored"]:
        if kept["to"] not in harness.FRACTION:
            continue
        hi, lo = run.dump.real(ident, kept["port"])
        ours = conversion_figures(hi, lo, reader.round_pair(hi, lo, kept["to"]), kept["to"])
        compare_conversion(check, where, "stored %s:" % kept["port"], kept, ours, COUNTS)
        if kept["port"] == "output":
            once = reader.round_pair(hi, lo, kept["to"])
            same = np.array_equal(once, run.output(ident), equal_nan=True)
            check.that(same, where, "its values are not the source rounded once")


# --- stages --------------------------------------------------------------------------------------

def check_stage_figures(check, run, ident, where, dumped):
    """Printed RMSEs and shares from the dumped stages; the stages add up to the error."""
    printed = run.nodes[ident]
    hi, lo = run.dump.reference(ident)
    e = (run.output(ident) - hi) - lo
    stacked = np.stack(list(dumped.values()))
    kept = np.isfinite(stacked).all(0) & np.isfinite(e)
    check.that(printed.get("stages_excluded", 0) == int((~kept).sum()), where, "stages_excluded",
               printed.get("stages_excluded", 0), int((~kept).sum()))
    parts, e = stacked[:, kept], e[kept]
    total, size = parts.sum(0), np.abs(parts).sum(0)
    # e itself is rounded once more than the stages, and their sum here four times.
    slack = size * 2.0 ** -50 + np.abs(e) * 2.0 ** -52
    check.that(bool(np.all(np.abs(total - e) <= slack)), where, "the stages do not add up to the error")
    scale = scale_of(total)
    whole = math.fsum((total / scale) ** 2)
    for k, name in enumerate(dumped):
        figure = printed["stages"][name]
        check.close(where, "stage %s rmse" % name, figure["rmse"], rms(parts[k]), FIGURE * rms(parts[k]))
        share = math.fsum(parts[k] / scale * (total / scale)) / whole if whole > 0 else None
        check.close(where, "stage %s share" % name, figure["share"], share, STAGE)
    local = total - parts[0]
    allowed = STAGE * (rms(local) + 2.0 ** -20 * rms(parts[0]))
    check.close(where, "local rmse", printed["local"]["rmse"], rms(local), allowed)
    largest = float(np.abs(local).max()) if local.size else 0.0
    check.close(where, "local max_abs", printed["local"]["max_abs"], largest,
                STAGE * largest + 2.0 ** -50 * float(size.max() if size.size else 0))


def check_stage_values(check, where, dumped, ours):
    """Each dumped stage against ours: within 1e-9 of the whole error, as RMS."""
    kept = np.isfinite(np.stack(list(dumped.values()) + list(ours.values()))).all(0)
    whole = rms(sum(dumped.values())[kept])
    for name, values in dumped.items():
        off = rms((values - ours[name])[kept])
        what = "stage %s: recomputed values differ by %.3g rms of %.3g" % (name, off, whole)
        check.that(off <= STAGE * whole, where, what)


def check_bound(check, run, ident, where, sizes, arithmetic, channels_last):
    """n u sum|ab| + n eta / 2, and how much of it the arithmetic stage uses."""
    node, printed = run.dump.nodes[ident], run.nodes[ident]["bound"]
    shape = run.dump.real(ident, "weight")[0].shape
    n = int(np.prod(shape[:-1])) + bool(node["parameters"].get("use_bias", False))
    accumulate = run.nodes[ident]["slots"]["accumulate"]["ran"]
    u, eta = harness.unit_roundoff(accumulate), 2.0 ** harness.LEAST[accumulate]
    for key, ours in (("n", n), ("u", u), ("eta", eta)):
        check.that(printed.get(key) == ours, where, "bound " + key, printed.get(key), ours)
    bound = (n * u * sizes + n * eta / 2).astype(np.float64)
    kept = np.isfinite(bound) & np.isfinite(arithmetic)
    largest = float(bound[kept].max()) if kept.any() else 0.0
    check.close(where, "bound max_abs", printed["max_abs"], largest, FIGURE * largest)
    dumped = run.stage(ident, "bound")
    if dumped is not None:
        dumped = channels_last(dumped, node)
        same = np.allclose(dumped[kept], bound[kept], rtol=FIGURE, atol=0)
        check.that(bool(same), where, "bound, element by element")
    ratio = float((np.abs(arithmetic[kept]) / bound[kept]).max()) if kept.any() else 0.0
    check.close(where, "bound max_ratio", printed["max_ratio"], ratio, STAGE * max(ratio, 1e-3))
    used = float(np.abs(arithmetic[kept]).max()) if kept.any() else 0.0
    check.close(where, "bound max_arithmetic", printed["max_arithmetic"], used, STAGE * max(used, 1e-3 * largest))
    check.close(where, "bound rms", printed["rms"], rms(bound[kept]), FIGURE * rms(bound[kept]))
    check.that(printed["max_ratio"] <= 1, where, "bound max_ratio is above 1", printed["max_ratio"], ratio)
