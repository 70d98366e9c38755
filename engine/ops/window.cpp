#include "engine/ops/window.h"

namespace engine::window {

namespace {

Error windowError(const Axis& a, std::int64_t extent)
{
    return {"shape-window",
            {},
            "a window of " + std::to_string(extent) + " (kernel " + std::to_string(a.kernel) + ", dilation " +
                std::to_string(a.dilation) + ") does not fit into " + std::to_string(a.in) + " elements padded to " +
                std::to_string(a.in + a.before + a.after),
            "make the kernel smaller, or use padding same"};
}

struct Layout {
    int height, width, channel;
};
Layout layoutOf(const Params& params)
{
    return params.text("data_format") == "channels_first" ? Layout{2, 3, 1} : Layout{1, 2, 3};
}

Result<Geometry> geometryOf(const Params& params, const Shape& input, const IntList& kernel, const IntList& strides,
                            Rounding rounding)
{
    const std::string& format = params.text("data_format");
    if (input.rank() != 4)
        return Error{"shape-rank",
                     {},
                     "the input has shape " + input.text() + " with " + std::to_string(input.rank()) +
                         " dimensions and needs 4",
                     format == "channels_first" ? "give [batch, channels, height, width]"
                                                : "give [batch, height, width, channels]"};
    const Layout at = layoutOf(params);
    const IntList &pads = params.list("pads"), &dilation = params.list("dilation");
    Geometry geometry;
    Axis* axes[]{&geometry.rows, &geometry.columns};
    for (std::size_t i = 0; i < 2; ++i) {
        Axis axis;
        axis.in = input[i == 0 ? at.height : at.width];
        axis.kernel = kernel[i];
        axis.stride = strides[i];
        axis.dilation = dilation[i];
        axis.before = pads[i];
        axis.after = pads[i + 2];
        Result<Axis> resolved = resolveAxis(axis, params.text("padding"), rounding);
        if (!resolved) {
            resolved.error().message += ", in the " + std::string(i == 0 ? "height" : "width") + " of " + input.text();
            return resolved.error();
        }
        *axes[i] = *resolved;
    }
    const Axis &rows = geometry.rows, &columns = geometry.columns;
    Window2d& g = geometry.g;
    g.batch = input[0];
    g.inC = g.outC = input[at.channel];
    g.channelsFirst = at.channel == 1;
    g.inH = rows.in, g.inW = columns.in, g.outH = rows.out, g.outW = columns.out;
    g.kernelH = rows.kernel, g.kernelW = columns.kernel, g.strideH = rows.stride, g.strideW = columns.stride;
    g.dilationH = rows.dilation, g.dilationW = columns.dilation, g.padTop = rows.before, g.padLeft = columns.before;
    return geometry;
}

Result<Geometry> withOutput(Geometry geometry)
{
    const Window2d& g = geometry.g;
    geometry.output = g.channelsFirst ? Shape{g.batch, g.outC, g.outH, g.outW} : Shape{g.batch, g.outH, g.outW, g.outC};
    const Result<std::int64_t> count = checkedElements(geometry.output);
    return count ? Result<Geometry>(std::move(geometry)) : count.error();
}

} // namespace

Result<Axis> resolveAxis(Axis a, std::string_view padding, Rounding rounding)
{
    const std::int64_t extent = (a.kernel - 1) * a.dilation + 1;
    if (padding == "same" || padding == "same_lower") {
        a.out = (a.in + a.stride - 1) / a.stride;
        const std::int64_t total = a.out == 0 ? 0 : std::max<std::int64_t>((a.out - 1) * a.stride + extent - a.in, 0);
        a.before = padding == "same" ? total / 2 : total - total / 2;
        a.after = total - a.before;
        return a;
    }
    if (padding == "valid")
        a.before = a.after = 0;
    const std::int64_t room = a.in + a.before + a.after - extent + (rounding == Rounding::Ceil ? a.stride - 1 : 0);
    if (room < 0)
        return windowError(a, extent);
    a.out = room / a.stride + 1;
    if (rounding == Rounding::Ceil && (a.out - 1) * a.stride >= a.in + a.before)
        --a.out;
    return a.out > 0 ? Result<Axis>(a) : windowError(a, extent);
}

bool hasEmptyWindow(const Axis& a)
{
    // Only windows that reach over an end can be empty; of very many, those nearest to the ends are looked at.
    constexpr std::int64_t kMostWindows = 100'000;
    const auto isEmpty = [&](std::int64_t o) { return tapsInside(a, o * a.stride - a.before, 0, a.in).count() == 0; };
    for (std::int64_t i = 0; i < std::min(a.out, kMostWindows); ++i)
        if (isEmpty(i) || isEmpty(a.out - 1 - i))
            return true;
    return false;
}

Result<Geometry> convGeometry(const Params& params, const Shape& input)
{
    Result<Geometry> geometry =
        geometryOf(params, input, params.list("kernel_size"), params.list("strides"), Rounding::Floor);
    if (!geometry)
        return geometry;
    Window2d& g = geometry->g;
    g.outC = params.integer("filters");
    g.groups = params.integer("groups");
    if (g.inC % g.groups != 0 || g.outC % g.groups != 0)
        return Error{"shape-groups",
                     {},
                     std::to_string(g.inC) + " input channels (shape " + input.text() + ") and " +
                         std::to_string(g.outC) + " filters are not both multiples of " + std::to_string(g.groups) +
                         " groups",
                     "choose groups that divides both"};
    return withOutput(std::move(*geometry));
}

Result<Geometry> poolGeometry(const Params& params, const Shape& input)
{
    const IntList &pool = params.list("pool_size"), &strides = params.list("strides");
    if (strides.size() == 1)
        return Error{"param-range", {}, "strides has 1 entry", "give 2 entries, or none for the pool size"};
    Result<Geometry> geometry = geometryOf(params, input, pool, strides.empty() ? pool : strides,
                                           params.flag("ceil_mode") ? Rounding::Ceil : Rounding::Floor);
    return geometry ? withOutput(std::move(*geometry)) : geometry;
}

} // namespace engine::window
