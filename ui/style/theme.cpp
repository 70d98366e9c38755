// The two themes, filled from the generated table of tokens. A name that is not in the table does not compile.
#include "ui/style/theme.h"

#include "ui/style/tokens_table.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

consteval std::size_t colorIndex(std::string_view name)
{
    for (std::size_t i = 0; i < tokens::kColors.size(); ++i)
        if (tokens::kColors[i].name == name)
            return i;
    throw "no such colour in tokens.json";
}

consteval std::size_t shadowIndex(std::string_view name)
{
    for (std::size_t i = 0; i < tokens::kShadows.size(); ++i)
        if (tokens::kShadows[i].name == name)
            return i;
    throw "no such shadow in tokens.json";
}

// Picks the tokens of one theme.
struct Picker {
    bool isDark;
    QColor operator()(std::size_t index) const
    {
        const tokens::ColorToken& token = tokens::kColors[index];
        return QColor::fromRgba(isDark ? token.dark : token.light);
    }
    Theme::Shadow shadow(std::size_t dark, std::size_t light) const
    {
        const tokens::ShadowToken& s = tokens::kShadows[isDark ? dark : light];
        return {s.dx, s.dy, s.blur, QColor::fromRgba(s.color)};
    }
};

#define PICK(name) pick(std::integral_constant<std::size_t, colorIndex(name)>::value)
#define SHADOW(name)                                                                                                   \
    pick.shadow(std::integral_constant<std::size_t, shadowIndex("dark." name)>::value,                                 \
                std::integral_constant<std::size_t, shadowIndex("light." name)>::value)

void fillChrome(Theme& t, const Picker& pick)
{
    t.surface = {PICK("surface.window"),  PICK("surface.panel"),  PICK("surface.raised"),
                 PICK("surface.sunken"),  PICK("surface.canvas"), PICK("surface.node"),
                 PICK("surface.overlay"), PICK("surface.hover"),  PICK("surface.selected")};
    t.text = {PICK("text.primary"), PICK("text.secondary"), PICK("text.tertiary"), PICK("text.disabled"),
              PICK("text.inverse")};
    t.line = {PICK("line.hairline"), PICK("line.strong"), PICK("line.node")};
    t.ink = {PICK("ink.fill"), PICK("ink.on"), PICK("ink.hover"), PICK("ink.pressed")};
    t.selection = {PICK("selection.ring"), PICK("selection.band"), PICK("selection.focus"), PICK("selection.text_bg")};
    t.status = {PICK("status.error"),    PICK("status.warning"),    PICK("status.ok"),   PICK("status.info"),
                PICK("status.error_bg"), PICK("status.warning_bg"), PICK("status.ok_bg")};
    t.grid = {PICK("canvas_grid.dot"), PICK("canvas_grid.major"), tokens::grid::kSpacing, tokens::grid::kMajorEvery};
    t.nodeShadow = SHADOW("node");
    t.selectedShadow = SHADOW("node_selected");
    t.popupShadow = SHADOW("popup");
}

void fillData(Theme& t, const Picker& pick)
{
    for (std::size_t i = 0; i < t.loss.ramp.size(); ++i)
        t.loss.ramp[i] = pick(colorIndex("loss.ramp.0") + i);
    t.loss.key = PICK("loss.key");
    t.loss.large = PICK("loss.large");
    t.loss.overflow = PICK("loss.overflow");
    t.stage = {PICK("stage.inherited"), PICK("stage.storage"), PICK("stage.cast"), PICK("stage.arithmetic"),
               PICK("stage.output")};
    t.health = {PICK("health.normal"), PICK("health.subnormal"), PICK("health.zero"), PICK("health.inf"),
                PICK("health.nan")};
    t.plot = {PICK("plot.background"), PICK("plot.plot_area"), PICK("plot.grid"),          PICK("plot.axis"),
              PICK("plot.label"),      PICK("plot.title"),     PICK("plot.bound"),         PICK("plot.reference_line"),
              PICK("plot.hover_rule"), PICK("plot.histogram"), tokens::plot::kStaleOpacity};
}

#undef PICK
#undef SHADOW

Theme makeTheme(bool isDark)
{
    Theme t;
    t.isDark = isDark;
    const Picker pick{isDark};
    fillChrome(t, pick);
    fillData(t, pick);
    return t;
}

std::array<DTypeStyle, engine::kDTypeCount> makeDTypes(bool isDark)
{
    std::array<DTypeStyle, engine::kDTypeCount> styles;
    for (const tokens::DTypeToken& token : tokens::kDTypes) {
        const std::optional<engine::DType> d = engine::dtypeFromName(token.name);
        Q_ASSERT(d);
        DTypeStyle& s = styles[static_cast<std::size_t>(*d)];
        s.tag = QString::fromLatin1(token.tag);
        s.width = token.width;
        s.core = token.core;
        s.dash = QList<double>(token.dash.begin(), token.dash.begin() + token.dashes);
        s.roundCap = token.roundCap;
        s.significand = token.significand;
        s.line = QColor::fromRgba(isDark ? token.darkLine : token.lightLine);
        s.text = QColor::fromRgba(isDark ? token.darkText : token.lightText);
        s.onLine = QColor::fromRgba(isDark ? token.darkOnLine : token.lightOnLine);
    }
    return styles;
}

QColor mix(const QColor& a, const QColor& b, double t)
{
    const auto channel = [t](int x, int y) { return static_cast<int>(std::lround(x + t * (y - x))); };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

} // namespace

QPen DTypeStyle::pen(double scale) const
{
    QPen pen(line, width * scale, Qt::SolidLine, roundCap ? Qt::RoundCap : Qt::FlatCap, Qt::RoundJoin);
    if (!dash.isEmpty()) {
        QList<qreal> pattern;
        for (double d : dash)
            pattern.append(d / width); // QPen counts in widths
        pen.setDashPattern(pattern);
    }
    return pen;
}

DTypeStyle Theme::dtype(engine::DType d) const
{
    static const auto dark = makeDTypes(true), light = makeDTypes(false);
    return (isDark ? dark : light)[static_cast<std::size_t>(d)];
}

double errorPosition(double error)
{
    constexpr double kLow = tokens::error_scale::kLog10Min, kHigh = tokens::error_scale::kLog10Max;
    if (!std::isfinite(error))
        return 1;
    const double magnitude = std::abs(error);
    return magnitude > 0 ? std::clamp((std::log10(magnitude) - kLow) / (kHigh - kLow), 0.0, 1.0) : 0;
}

QColor Theme::lossAt(double error) const
{
    const double at = errorPosition(error) * static_cast<double>(loss.ramp.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(at), loss.ramp.size() - 2);
    return mix(loss.ramp[below], loss.ramp[below + 1], at - static_cast<double>(below));
}

const Theme& darkTheme()
{
    static const Theme theme = makeTheme(true);
    return theme;
}

const Theme& lightTheme()
{
    static const Theme theme = makeTheme(false);
    return theme;
}

double dotRadius(DotLevel level)
{
    using namespace tokens::coercion_dot;
    constexpr std::array<double, 5> kRadii{kExactRadius, kSmallRadius, kMediumRadius, kLargeRadius, kOverflowRadius};
    return kRadii[static_cast<std::size_t>(level)];
}

} // namespace ui
