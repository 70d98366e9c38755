// Written by tools/make_tokens.py from resources/tokens.json: do not edit. Colours are 0xAARRGGBB.
#pragma once

#include <QPalette>

#include <array>
#include <cstdint>
#include <string_view>

// clang-format off
namespace ui::tokens {

struct ColorToken {
    std::string_view name;
    std::uint32_t dark, light;
};

inline constexpr auto kColors = std::to_array<ColorToken>({
    {"surface.window", 0xFF1B1E23, 0xFFECEEF1},
    {"surface.panel", 0xFF1F2228, 0xFFFAFBFC},
    {"surface.raised", 0xFF282C34, 0xFFFFFFFF},
    {"surface.sunken", 0xFF181A1F, 0xFFF0F2F5},
    {"surface.canvas", 0xFF15171B, 0xFFF4F5F7},
    {"surface.node", 0xFF23272E, 0xFFFFFFFF},
    {"surface.overlay", 0xFF2A2F38, 0xFFFFFFFF},
    {"surface.hover", 0xFF2E333C, 0xFFE6E9EE},
    {"surface.selected", 0xFF39404D, 0xFFD6DDE8},
    {"text.primary", 0xFFECEEF2, 0xFF16191F},
    {"text.secondary", 0xFFB4BBC7, 0xFF434C5A},
    {"text.tertiary", 0xFF969FAE, 0xFF586170},
    {"text.disabled", 0xFF5F6775, 0xFFA3ABB8},
    {"text.inverse", 0xFF15171B, 0xFFFFFFFF},
    {"line.hairline", 0xFF30353E, 0xFFDDE1E7},
    {"line.strong", 0xFF4A515E, 0xFFB4BCC8},
    {"line.node", 0xFF3A404B, 0xFFCBD1DA},
    {"ink.fill", 0xFFECEEF2, 0xFF1B1F27},
    {"ink.on", 0xFF15171B, 0xFFFFFFFF},
    {"ink.hover", 0xFFFFFFFF, 0xFF000000},
    {"ink.pressed", 0xFFC9CED8, 0xFF3B4350},
    {"selection.ring", 0xFFFFFFFF, 0xFF11141A},
    {"selection.band", 0x1FFFFFFF, 0x1411141A},
    {"selection.focus", 0xFFECEEF2, 0xFF1B1F27},
    {"selection.text_bg", 0xFF4A5568, 0xFFC9D3E3},
    {"status.error", 0xFFFF7362, 0xFFBE2A1B},
    {"status.warning", 0xFFF2B233, 0xFF8A5A00},
    {"status.ok", 0xFF4FC48A, 0xFF13744A},
    {"status.info", 0xFFB4BBC7, 0xFF434C5A},
    {"status.error_bg", 0xFF3A2222, 0xFFFBE6E2},
    {"status.warning_bg", 0xFF37301C, 0xFFFAEFD2},
    {"status.ok_bg", 0xFF1D3329, 0xFFDDF2E7},
    {"canvas_grid.dot", 0xFF2A2E36, 0xFFD8DCE3},
    {"canvas_grid.major", 0xFF3A404B, 0xFFBCC3CE},
    {"loss.ramp.0", 0xFF591E44, 0xFFFFDDEB},
    {"loss.ramp.1", 0xFF791B57, 0xFFFFC1DA},
    {"loss.ramp.2", 0xFF9E0E6B, 0xFFF99DC2},
    {"loss.ramp.3", 0xFFC11C7D, 0xFFF274A9},
    {"loss.ramp.4", 0xFFE52A8D, 0xFFE0498D},
    {"loss.ramp.5", 0xFFFC519D, 0xFFCE0773},
    {"loss.ramp.6", 0xFFFF7FAD, 0xFFA8015B},
    {"loss.ramp.7", 0xFFFFA0BC, 0xFF7F0142},
    {"loss.ramp.8", 0xFFFFBCCD, 0xFF58012B},
    {"loss.key", 0xFFF5479A, 0xFFCF0F74},
    {"loss.large", 0xFFFF7FAD, 0xFFA8015B},
    {"loss.overflow", 0xFFFF7FAD, 0xFF7F0142},
    {"stage.inherited", 0xFF969FAE, 0xFF586170},
    {"stage.storage", 0xFF766C56, 0xFF57503A},
    {"stage.cast", 0xFFF5479A, 0xFFCF0F74},
    {"stage.arithmetic", 0xFFC2B596, 0xFFA98E58},
    {"stage.output", 0xFFE6E9EF, 0xFF14171D},
    {"health.normal", 0xFF969FAE, 0xFF586170},
    {"health.subnormal", 0xFFF2B233, 0xFF8A5A00},
    {"health.zero", 0xFF23272E, 0xFFFFFFFF},
    {"health.inf", 0xFFFF7362, 0xFFBE2A1B},
    {"health.nan", 0xFFFF7362, 0xFFBE2A1B},
    {"shadow.node.color", 0x59000000, 0x1F1B263B},
    {"shadow.node_selected.color", 0x80000000, 0x331B263B},
    {"shadow.popup.color", 0x8C000000, 0x331B263B},
    {"plot.background", 0xFF1F2228, 0xFFFAFBFC},
    {"plot.plot_area", 0xFF181A1F, 0xFFF0F2F5},
    {"plot.grid", 0xFF30353E, 0xFFDDE1E7},
    {"plot.axis", 0xFF4A515E, 0xFFB4BCC8},
    {"plot.label", 0xFF969FAE, 0xFF586170},
    {"plot.title", 0xFFECEEF2, 0xFF16191F},
    {"plot.bound", 0xFFB4BBC7, 0xFF434C5A},
    {"plot.reference_line", 0xFF969FAE, 0xFF586170},
    {"plot.hover_rule", 0xFFB4BBC7, 0xFF434C5A},
    {"plot.histogram", 0xFF969FAE, 0xFF586170},
});

struct ShadowToken {
    std::string_view name;
    double dx, dy, blur;
    std::uint32_t color;
};

inline constexpr auto kShadows = std::to_array<ShadowToken>({
    {"dark.node", 0, 2, 8, 0x59000000},
    {"dark.node_selected", 0, 6, 18, 0x80000000},
    {"dark.popup", 0, 12, 32, 0x8C000000},
    {"light.node", 0, 2, 8, 0x1F1B263B},
    {"light.node_selected", 0, 6, 18, 0x331B263B},
    {"light.popup", 0, 12, 32, 0x331B263B},
});

struct DTypeToken {
    std::string_view name; // the engine's
    const char* tag;
    double width, core;
    std::array<double, 6> dash;
    int dashes;
    bool roundCap;
    int significand;
    std::uint32_t darkLine, darkText, darkOnLine, lightLine, lightText, lightOnLine;
};

inline constexpr auto kDTypes = std::to_array<DTypeToken>({
    {"float64", "f64", 4.5, 1.5, {}, 0, false, 53,
     0xFF7572F3, 0xFF8F92FE, 0xFF15171B, 0xFF2B1FB4, 0xFF2B1FB4, 0xFFFFFFFF},
    {"float32", "f32", 3.0, 0, {}, 0, false, 24,
     0xFF6FE6DF, 0xFF6FE6DF, 0xFF15171B, 0xFF2F9795, 0xFF077472, 0xFF15171B},
    {"float16", "f16", 2.5, 0, {10, 4}, 2, false, 11,
     0xFFF3E64E, 0xFFF3E64E, 0xFF15171B, 0xFFAB8503, 0xFF806306, 0xFF15171B},
    {"bfloat16", "bf16", 2.5, 0, {10, 3, 2.5, 3}, 4, false, 8,
     0xFFCC7414, 0xFFE08730, 0xFF15171B, 0xFF963201, 0xFF963201, 0xFFFFFFFF},
    {"float8_e4m3fn", "e4m3", 2.0, 0, {2.5, 2.5}, 2, false, 4,
     0xFF77BD76, 0xFF77BD76, 0xFF15171B, 0xFF2F7346, 0xFF2F7346, 0xFFFFFFFF},
    {"float8_e5m2", "e5m2", 2.0, 0, {6, 2.5, 2, 2.5, 2, 2.5}, 6, false, 3,
     0xFFC29CFB, 0xFFC29CFB, 0xFF15171B, 0xFF9F4BD6, 0xFF933DC8, 0xFFFFFFFF},
    {"int8", "i8", 2.0, 0, {1, 4}, 2, true, 0,
     0xFF94806F, 0xFFAD9887, 0xFF15171B, 0xFF231E17, 0xFF231E17, 0xFFFFFFFF},
    {"uint8", "u8", 2.0, 0, {1, 4, 1, 8}, 4, true, 0,
     0xFF7D6A4E, 0xFFAE9A7C, 0xFFFFFFFF, 0xFF46300F, 0xFF46300F, 0xFFFFFFFF},
    {"int16", "i16", 2.5, 0, {2, 5}, 2, true, 0,
     0xFFD2BFB3, 0xFFD2BFB3, 0xFF15171B, 0xFF8A895B, 0xFF6A693C, 0xFF15171B},
    {"uint16", "u16", 2.5, 0, {2, 5, 2, 10}, 4, true, 0,
     0xFF7D6A4E, 0xFFAE9A7C, 0xFFFFFFFF, 0xFF46300F, 0xFF46300F, 0xFFFFFFFF},
    {"int32", "i32", 3.0, 0, {3, 6}, 2, true, 0,
     0xFFD2BFB3, 0xFFD2BFB3, 0xFF15171B, 0xFF8A895B, 0xFF6A693C, 0xFF15171B},
    {"uint32", "u32", 3.0, 0, {3, 6, 3, 12}, 4, true, 0,
     0xFFD2BFB3, 0xFFD2BFB3, 0xFF15171B, 0xFF8A895B, 0xFF6A693C, 0xFF15171B},
    {"int64", "i64", 4.5, 0, {4.5, 6}, 2, true, 0,
     0xFFECEDD6, 0xFFECEDD6, 0xFF15171B, 0xFF4A463F, 0xFF4A463F, 0xFFFFFFFF},
    {"uint64", "u64", 4.5, 0, {4.5, 6, 4.5, 13}, 4, true, 0,
     0xFFECEDD6, 0xFFECEDD6, 0xFF15171B, 0xFF4A463F, 0xFF4A463F, 0xFFFFFFFF},
    {"bool", "bool", 1.5, 0, {1.5, 7}, 2, true, 0,
     0xFF6B7177, 0xFF979DA4, 0xFFFFFFFF, 0xFF5D646B, 0xFF5D646B, 0xFFFFFFFF},
    {"tf32", "tf32", 3.0, 0, {}, 0, false, 11,
     0xFF6FE6DF, 0xFF6FE6DF, 0xFF15171B, 0xFF2F9795, 0xFF077472, 0xFF15171B},
});

struct PaletteToken {
    QPalette::ColorRole role;
    std::string_view color;
};

inline constexpr auto kPalette = std::to_array<PaletteToken>({
    {QPalette::Window, "surface.window"},
    {QPalette::WindowText, "text.primary"},
    {QPalette::Base, "surface.sunken"},
    {QPalette::AlternateBase, "surface.panel"},
    {QPalette::Text, "text.primary"},
    {QPalette::PlaceholderText, "text.tertiary"},
    {QPalette::Button, "surface.raised"},
    {QPalette::ButtonText, "text.primary"},
    {QPalette::BrightText, "status.error"},
    {QPalette::Light, "surface.hover"},
    {QPalette::Midlight, "line.hairline"},
    {QPalette::Mid, "line.strong"},
    {QPalette::Dark, "line.strong"},
    {QPalette::Shadow, "surface.canvas"},
    {QPalette::Highlight, "surface.selected"},
    {QPalette::HighlightedText, "text.primary"},
    {QPalette::Link, "text.primary"},
    {QPalette::LinkVisited, "text.secondary"},
    {QPalette::ToolTipBase, "surface.overlay"},
    {QPalette::ToolTipText, "text.primary"},
});
inline constexpr auto kPaletteDisabled = std::to_array<PaletteToken>({
    {QPalette::WindowText, "text.disabled"},
    {QPalette::Text, "text.disabled"},
    {QPalette::ButtonText, "text.disabled"},
    {QPalette::Highlight, "surface.hover"},
});

inline constexpr auto kUiFamilies = std::to_array<const char*>({"Inter", "Noto Sans CJK SC", "Noto Sans", "DejaVu Sans"});
inline constexpr auto kMonoFamilies = std::to_array<const char*>({"JetBrains Mono", "Noto Sans Mono CJK SC", "DejaVu Sans Mono"});

namespace node {
inline constexpr int kWidth = 240;
inline constexpr int kPadding = 12;
inline constexpr int kHeader = 32;
inline constexpr int kParams = 22;
inline constexpr int kSlots = 38;
inline constexpr int kSlotsAsked = 14;
inline constexpr int kFooter = 24;
inline constexpr int kBorder = 1;
inline constexpr int kGrid = 8;
inline constexpr int kPortRadius = 5;
inline constexpr int kPortHit = 14;
inline constexpr int kPortRing = 2;
inline constexpr int kMinPortGap = 24;
} // namespace node
namespace control {
inline constexpr int kHeight = 28;
inline constexpr int kHeightSmall = 22;
inline constexpr int kToolbar = 56;
inline constexpr int kMenu = 28;
inline constexpr int kStatus = 24;
inline constexpr int kDockTitle = 32;
inline constexpr int kRow = 26;
inline constexpr int kIcon = 16;
inline constexpr int kIconToolbar = 20;
inline constexpr int kHitMin = 24;
} // namespace control
namespace radius {
inline constexpr int kTag = 3;
inline constexpr int kControl = 6;
inline constexpr int kNode = 8;
inline constexpr int kCard = 10;
inline constexpr int kSheet = 12;
} // namespace radius
namespace motion {
inline constexpr int kInstant = 0;
inline constexpr int kFastMs = 90;
inline constexpr int kBaseMs = 140;
inline constexpr int kSlowMs = 220;
inline constexpr int kDotChangeMs = 320;
} // namespace motion
namespace combo {
inline constexpr int kMarkerSize = 8;
inline constexpr int kLineWidth = 2;
inline constexpr double kBoundDash0 = 1.5;
inline constexpr int kBoundDash1 = 3;
inline constexpr int kActiveLineWidth = 3;
inline constexpr double kInactiveOpacity = 0.6;
} // namespace combo
namespace coercion_dot {
inline constexpr double kExactRadius = 4.75;
inline constexpr double kExactStroke = 1.75;
inline constexpr int kSmallRadius = 6;
inline constexpr int kMediumRadius = 8;
inline constexpr int kLargeRadius = 10;
inline constexpr int kOverflowRadius = 12;
inline constexpr int kHaloWidth = 2;
inline constexpr int kDistanceFromPort = 30;
inline constexpr int kHitRadius = 14;
} // namespace coercion_dot
namespace error_scale {
inline constexpr int kLog10Min = -17;
inline constexpr int kLog10Max = 0;
} // namespace error_scale
namespace grid {
inline constexpr int kSpacing = 24;
inline constexpr int kMajorEvery = 5;
} // namespace grid
namespace plot {
inline constexpr double kStaleOpacity = 0.45;
} // namespace plot

} // namespace ui::tokens
// clang-format on
