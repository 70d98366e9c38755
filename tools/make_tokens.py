#!/usr/bin/env python3
"""Writes what the window compiles in from resources/tokens.json: ui/style/tokens_table.h, and the two icons that the
stylesheet loads by address (resources/icons/dark and resources/icons/light). Standard library only.

    make_tokens.py            writes them
    make_tokens.py --check    exits 1 if one of them is not what would be written
"""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENGINE_NAME = {"tfloat32": "tf32"}  # the engine's word where it is not the token's
CHECK_MARK = ('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none" '
              'stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">'
              '<path d="M3.8 8.4l2.8 2.8 5.6-6.2"/></svg>\n')


def argb(text):
    """#RRGGBB or #RRGGBBAA -> 0xAARRGGBB"""
    digits = text[1:]
    return f"0x{digits[6:] or 'FF'}{digits[:6]}".upper().replace("0X", "0x")


def constant(name):
    return "k" + "".join(part[:1].upper() + part[1:] for part in re.split(r"[_ ]", name))


def number(value):
    return repr(value)


def flat(tree, prefix=""):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        elif isinstance(value, list):
            for i, item in enumerate(value):
                yield f"{prefix}{key}.{i}", item
        else:
            yield f"{prefix}{key}", value


def colors(tokens):
    dark, light = (dict(flat(tokens["themes"][t])) for t in ("dark", "light"))
    for name, value in dark.items():
        if isinstance(value, str) and value.startswith("#"):
            yield f'    {{"{name}", {argb(value)}, {argb(light[name])}}},'


def shadows(tokens):
    for theme in ("dark", "light"):
        for name, s in tokens["themes"][theme]["shadow"].items():
            yield (f'    {{"{theme}.{name}", {number(s["dx"])}, {number(s["dy"])}, {number(s["blur"])}, '
                   f'{argb(s["color"])}}},')


def dtypes(tokens):
    for name, d in tokens["dtype"].items():
        dash = ", ".join(number(v) for v in d["dash_px"])
        shades = ", ".join(argb(d[t][part]) for t in ("dark", "light") for part in ("line", "text", "on_line"))
        yield (f'    {{"{ENGINE_NAME.get(name, name)}", "{d["tag"]}", {number(d["width"])}, {number(d["core"])}, '
               f'{{{dash}}}, {len(d["dash_px"])}, {"true" if d["cap"] == "round" else "false"}, '
               f'{d["significand"] or 0},\n     {shades}}},')


def palette(entries):
    return [f'    {{QPalette::{role}, "{name}"}},' for role, name in entries.items()]


def sizes(tokens):
    groups = {group: tokens[group] for group in ("node", "control", "radius", "motion", "combo", "coercion_dot")}
    groups["error_scale"] = tokens["error_scale"]
    grid, plot = tokens["themes"]["dark"]["canvas_grid"], tokens["themes"]["dark"]["plot"]
    groups["grid"] = {k: grid[k] for k in ("spacing", "major_every")}
    groups["plot"] = {"stale_opacity": plot["stale_opacity"]}
    for group, tree in groups.items():
        yield f"namespace {group} {{"
        for name, value in flat(tree):
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                kind = "int" if isinstance(value, int) else "double"
                yield f"inline constexpr {kind} {constant(name.replace('.', '_'))} = {number(value)};"
        yield f"}} // namespace {group}"


def families(names):
    return ", ".join(f'"{n}"' for n in names)


def table(tokens):
    block = "\n".join
    return f"""// Written by tools/make_tokens.py from resources/tokens.json: do not edit. Colours are 0xAARRGGBB.
#pragma once

#include <QPalette>

#include <array>
#include <cstdint>
#include <string_view>

// clang-format off
namespace ui::tokens {{

struct ColorToken {{
    std::string_view name;
    std::uint32_t dark, light;
}};

inline constexpr auto kColors = std::to_array<ColorToken>({{
{block(colors(tokens))}
}});

struct ShadowToken {{
    std::string_view name;
    double dx, dy, blur;
    std::uint32_t color;
}};

inline constexpr auto kShadows = std::to_array<ShadowToken>({{
{block(shadows(tokens))}
}});

struct DTypeToken {{
    std::string_view name; // the engine's
    const char* tag;
    double width, core;
    std::array<double, 6> dash;
    int dashes;
    bool roundCap;
    int significand;
    std::uint32_t darkLine, darkText, darkOnLine, lightLine, lightText, lightOnLine;
}};

inline constexpr auto kDTypes = std::to_array<DTypeToken>({{
{block(dtypes(tokens))}
}});

struct PaletteToken {{
    QPalette::ColorRole role;
    std::string_view color;
}};

inline constexpr auto kPalette = std::to_array<PaletteToken>({{
{block(palette(tokens["qt"]["palette"]))}
}});
inline constexpr auto kPaletteDisabled = std::to_array<PaletteToken>({{
{block(palette(tokens["qt"]["palette_disabled"]))}
}});

inline constexpr auto kUiFamilies = std::to_array<const char*>({{{families(tokens["type"]["ui"])}}});
inline constexpr auto kMonoFamilies = std::to_array<const char*>({{{families(tokens["type"]["mono"])}}});

{block(sizes(tokens))}

}} // namespace ui::tokens
// clang-format on
"""


def outputs(tokens):
    yield "ui/style/tokens_table.h", table(tokens)
    with open(os.path.join(ROOT, "resources/icons/chevron_down.svg"), encoding="utf-8") as f:
        chevron = f.read()
    for theme, look in tokens["themes"].items():
        folder = f"resources/icons/{theme}"
        yield f"{folder}/chevron_down.svg", chevron.replace("currentColor", look["text"]["secondary"])
        yield f"{folder}/check_on_ink.svg", CHECK_MARK.replace("currentColor", look["ink"]["on"])


def main():
    with open(os.path.join(ROOT, "resources/tokens.json"), encoding="utf-8") as f:
        tokens = json.load(f)
    stale = 0
    for name, text in outputs(tokens):
        path = os.path.join(ROOT, name)
        if "--check" in sys.argv[1:]:
            old = open(path, encoding="utf-8").read() if os.path.exists(path) else None
            if old != text:
                print(f"{name} is not what tools/make_tokens.py writes from resources/tokens.json: run it")
                stale = 1
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
    return stale


if __name__ == "__main__":
    sys.exit(main())
