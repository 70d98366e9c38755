#!/usr/bin/env python3
"""Checks resources/tokens.json: dtype colours, loss ramp, stages and text, in both themes.

Pure Python, no packages. Prints a table and exits 1 when a threshold is missed.

What is simulated: protanopia, deuteranopia and tritanopia at full severity, with the linear-light
matrices published by Machado et al. in 2009. Distances are CIEDE2000 under D65.

Why these thresholds. Around 2 is the smallest difference seen side by side; thin marks on a canvas,
apart from each other and remembered from a legend, need several times that.
  MAIN   20  float64, float32, float16, bfloat16 carry the whole story: no hesitation allowed
  FLOAT  12  the two float8 formats among all floats; dash, width and tag help
  INT     8  integers among themselves and against floats: always dotted, with a tag
  LOSS    8  the loss key colour against every dtype: it is also a disc, never a line
  STAGE  12  four stages of one bar: neighbours touch, and two of the four are hatched
  RAMP    6  neighbouring stops of the loss ramp, and no step more than 1.35 x the mean
Contrast follows WCAG 2: text 4.5, graphics (edges, dots, marks) 3.
"""
import json
import math
import os
import sys

MAIN, FLOAT, INT, LOSS, STAGE, RAMP, EVEN = 20.0, 12.0, 8.0, 8.0, 12.0, 6.0, 1.35
TEXT, GRAPHIC = 4.5, 3.0
VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
               (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
               (0.004733, 0.691367, 0.303900)),
}
MAIN_FOUR = ("float64", "float32", "float16", "bfloat16")
SHARED = {"int16": "int32", "uint16": "uint8", "uint32": "int32", "uint64": "int64", "tfloat32": "float32"}


def linear(hex_colour):
    parts = [int(hex_colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def seen(rgb, vision):
    return [min(1.0, max(0.0, sum(m * c for m, c in zip(row, rgb)))) for row in VISION[vision]]


def luminance(rgb):
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def contrast(a, b):
    la, lb = luminance(linear(a)), luminance(linear(b))
    return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)


def lab(rgb):
    r, g, b = rgb
    xyz = ((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
           0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
           (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883)
    fx, fy, fz = [v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz]
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def ciede2000(one, two):
    l1, a1, b1 = one
    l2, a2, b2 = two
    mean7 = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - math.sqrt(mean7 / (mean7 + 25.0 ** 7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    dh, total = h2 - h1, h1 + h2
    if c1 * c2 == 0:
        dh, mean_h = 0.0, total
    elif abs(dh) <= 180:
        mean_h = total / 2
    else:
        dh += 360 if dh < 0 else -360
        mean_h = (total + 360) / 2 if total < 360 else (total - 360) / 2
    big_dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh) / 2)
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    t = (1 - 0.17 * math.cos(math.radians(mean_h - 30)) + 0.24 * math.cos(math.radians(2 * mean_h))
         + 0.32 * math.cos(math.radians(3 * mean_h + 6)) - 0.20 * math.cos(math.radians(4 * mean_h - 63)))
    rc = 2 * math.sqrt(mean_c ** 7 / (mean_c ** 7 + 25.0 ** 7))
    rt = -math.sin(math.radians(60 * math.exp(-((mean_h - 275) / 25) ** 2))) * rc
    sl = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    sc, sh = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    return math.sqrt(dl * dl + dc * dc + (big_dh / sh) ** 2 + rt * dc * big_dh / sh)


class Table:
    def __init__(self):
        self.failures = 0

    def row(self, theme, vision, what, value, need, where):
        good = value >= need - 1e-9
        self.failures += not good
        print(f"{theme:6} {vision:7} {what:34} {value:7.2f}  >= {need:5.2f}  {'ok  ' if good else 'FAIL'} {where}")


def worst(pairs):
    return min(pairs, key=lambda p: p[0])


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(root, "resources", "tokens.json"), encoding="utf-8") as f:
        tokens = json.load(f)
    table = Table()
    dtypes = [d for d in tokens["dtype"] if d not in SHARED]
    floats = [d for d in dtypes if tokens["dtype"][d]["family"] == "float"]
    others = [d for d in dtypes if d not in floats]
    for theme, look in tokens["themes"].items():
        colour = {d: tokens["dtype"][d][theme]["line"] for d in dtypes}
        for vision in VISION:
            point = {d: lab(seen(linear(c), vision)) for d, c in colour.items()}
            loss = lab(seen(linear(look["loss"]["key"]), vision))
            stage = [lab(seen(linear(look["stage"][s]), vision)) for s in ("storage", "cast", "arithmetic", "output")]

            def closest(group, other=None):
                return worst([(ciede2000(point[a], point[b]), f"{a} / {b}") for i, a in enumerate(group)
                              for b in (other if other is not None else group[:i])])
            table.row(theme, vision, "the four main dtypes", *_pad(closest(MAIN_FOUR), MAIN))
            table.row(theme, vision, "all floats", *_pad(closest(floats), FLOAT))
            table.row(theme, vision, "floats against integers and bool", *_pad(closest(floats, others), INT))
            table.row(theme, vision, "integers and bool", *_pad(closest(others), INT))
            table.row(theme, vision, "loss key against every dtype",
                      *_pad(worst([(ciede2000(loss, p), d) for d, p in point.items()]), LOSS))
            table.row(theme, vision, "stages",
                      *_pad(worst([(ciede2000(stage[i], stage[j]), f"{i}/{j}") for i in range(4) for j in range(i)]), STAGE))
        ramp = [lab(linear(c)) for c in look["loss"]["ramp"]]
        steps = [ciede2000(a, b) for a, b in zip(ramp, ramp[1:])]
        table.row(theme, "normal", "loss ramp, smallest step", min(steps), RAMP, "")
        table.row(theme, "normal", "loss ramp, evenness (limit/actual)", EVEN / (max(steps) / (sum(steps) / len(steps))), 1.0, "")
        light = [p[0] for p in ramp]
        rising = all(b > a for a, b in zip(light, light[1:])) or all(b < a for a, b in zip(light, light[1:]))
        table.row(theme, "normal", "loss ramp, lightness monotone", float(rising), 1.0, "")

        surface, text, status = look["surface"], look["text"], look["status"]
        grounds = ("window", "panel", "raised", "sunken", "canvas", "node", "overlay")
        for name in ("primary", "secondary", "tertiary"):
            table.row(theme, "text", f"text.{name}", *_pad(worst([(contrast(text[name], surface[g]), g) for g in grounds]), TEXT))
        for name in ("error", "warning", "ok"):
            table.row(theme, "text", f"status.{name}",
                      *_pad(worst([(contrast(status[name], surface[g]), g) for g in grounds]
                                  + [(contrast(status[name], status[name + "_bg"]), name + "_bg")]), TEXT))
        table.row(theme, "text", "text.primary on selected row", contrast(text["primary"], surface["selected"]), TEXT, "")
        table.row(theme, "text", "ink.on on ink.fill", contrast(look["ink"]["on"], look["ink"]["fill"]), TEXT, "")
        tags = [(contrast(tokens["dtype"][d][theme]["text"], surface[g]), f"{d} on {g}") for d in dtypes for g in grounds]
        table.row(theme, "text", "dtype tags on every surface", *_pad(worst(tags), TEXT))
        fills = [(contrast(tokens["dtype"][d][theme]["on_line"], colour[d]), d) for d in dtypes]
        table.row(theme, "text", "dtype tags on their own fill", *_pad(worst(fills), TEXT))
        for g in ("canvas", "sunken", "panel"):
            table.row(theme, "graphic", f"edges on {g}", *_pad(worst([(contrast(c, surface[g]), d) for d, c in colour.items()]), GRAPHIC))
        table.row(theme, "graphic", "dots on canvas and node",
                  *_pad(worst([(contrast(c, surface[g]), f"{c} on {g}") for g in ("canvas", "node")
                               for c in (look["loss"]["key"], look["loss"]["large"], look["loss"]["overflow"])]), GRAPHIC))
        table.row(theme, "graphic", "glyph on the overflow burst", contrast(look["ink"]["on"], look["loss"]["overflow"]), GRAPHIC, "")
        table.row(theme, "graphic", "stages on panel",
                  *_pad(worst([(contrast(c, surface["panel"]), s) for s, c in look["stage"].items()]), GRAPHIC))
        table.row(theme, "graphic", "selection ring on canvas", contrast(look["selection"]["ring"], surface["canvas"]), GRAPHIC, "")
    styles = {}
    for name, d in tokens["dtype"].items():
        if name == "tfloat32":
            continue
        styles.setdefault((d["width"], tuple(d["dash_px"]), d["core"]), []).append(name)
    twins = [names for names in styles.values() if len(names) > 1]
    table.row("both", "-", "dtypes sharing width+dash+core (0)", 1.0 - len(twins), 1.0, str(twins) if twins else "")
    print(f"{'FAIL' if table.failures else 'PASS'}: {table.failures} below threshold")
    return 1 if table.failures else 0


def _pad(pair, need):
    return pair[0], need, pair[1]


if __name__ == "__main__":
    sys.exit(main())
