// Geometry of the 2-D window ops: output sizes and padding as Keras and ONNX define them, parameters they share, and
// a walk over the windows of a pooling. With ceil_mode the last window is dropped if it starts in the padding after the
// input (ONNX, PyTorch).
#pragma once

#include "engine/kernels/kernels.h"
#include "engine/ops/op_errors.h"

#include <algorithm>

namespace engine::window {

inline constexpr std::string_view kPaddings[]{"valid", "same", "same_lower", "explicit"};
inline constexpr std::string_view kDataFormats[]{"channels_last", "channels_first"};
inline constexpr double kMaxExtent = 1e6; // of kernels, strides, dilations, pads

inline constexpr ParamSpec kPadding{
    .name = "padding",
    .kind = ParamKind::Choice,
    .sentence = "valid: none; same: zeros so that the output has ceil(input / stride), the odd one after the input; "
                "same_lower: the odd one before it; explicit: `pads`.",
    .choices = kPaddings,
    .defaultText = "\"valid\""};
inline constexpr ParamSpec kPads{.name = "pads",
                                 .kind = ParamKind::IntList,
                                 .sentence = "Padding with padding explicit: top, left, bottom, right.",
                                 .unit = "px",
                                 .minimum = 0,
                                 .maximum = kMaxExtent,
                                 .minLength = 4,
                                 .maxLength = 4,
                                 .defaultText = "[0,0,0,0]"};
inline constexpr ParamSpec kDilation{.name = "dilation",
                                     .kind = ParamKind::IntList,
                                     .sentence = "Distance between neighbouring taps of the window.",
                                     .unit = "rows x columns",
                                     .minimum = 1,
                                     .maximum = kMaxExtent,
                                     .minLength = 2,
                                     .maxLength = 2,
                                     .defaultText = "[1,1]"};
inline constexpr ParamSpec kDataFormat{
    .name = "data_format",
    .kind = ParamKind::Choice,
    .sentence = "channels_last: [N, H, W, C] as Keras; channels_first: [N, C, H, W] as ONNX.",
    .choices = kDataFormats,
    .defaultText = "\"channels_last\""};

// One spatial dimension of a window op.
struct Axis {
    std::int64_t in = 1, kernel = 1, stride = 1, dilation = 1;
    std::int64_t before = 0, after = 0; // padding, elements
    std::int64_t out = 1;
};

enum class Rounding : std::uint8_t { Floor, Ceil };

// in, kernel, stride, dilation, and for explicit padding before and after, are given; the rest follows.
Result<Axis> resolveAxis(Axis axis, std::string_view padding, Rounding rounding);
// True if some output position sees no input element.
bool hasEmptyWindow(const Axis& axis);

struct Geometry {
    Window2d g;
    Axis rows, columns;
    Shape output;
};

Result<Geometry> convGeometry(const Params& params, const Shape& input);
Result<Geometry> poolGeometry(const Params& params, const Shape& input);

// Pooling window by window. Sink: first(o, i, n), next(o, i, n), empty(o, n), finish(o, n, taps, padded), where o and
// i are element indexes of output and input, n consecutive channels, taps the elements seen, padded those and the
// padding in the window. Taps come in row-major order. False: stopped.
template <class Sink> bool walkWindows(const Geometry& geometry, const Exec& exec, const Sink& sink);

// Taps [first, end) of a window that starts at `start` lie inside [low, high).
struct TapRange {
    std::int64_t first, end;
    std::int64_t count() const { return std::max<std::int64_t>(end - first, 0); }
};
inline TapRange tapsInside(const Axis& a, std::int64_t start, std::int64_t low, std::int64_t high)
{
    const auto ceilDiv = [](std::int64_t x, std::int64_t d) { return x <= 0 ? 0 : (x + d - 1) / d; };
    return {std::min(ceilDiv(low - start, a.dilation), a.kernel),
            std::min(ceilDiv(high - start, a.dilation), a.kernel)};
}

template <class Sink>
void walkWindow(const Geometry& geometry, std::int64_t image, std::int64_t oh, std::int64_t ow, const Sink& sink)
{
    const Axis &rows = geometry.rows, &columns = geometry.columns;
    // Planes of a channels_first tensor are images of one channel.
    const std::int64_t channels = geometry.g.channelsFirst ? 1 : geometry.g.inC;
    const std::int64_t top = oh * rows.stride - rows.before, left = ow * columns.stride - columns.before;
    const TapRange kh = tapsInside(rows, top, 0, rows.in), kw = tapsInside(columns, left, 0, columns.in);
    const std::int64_t to = ((image * rows.out + oh) * columns.out + ow) * channels;
    if (kh.count() * kw.count() == 0)
        sink.empty(to, channels);
    for (std::int64_t i = kh.first; i < kh.end; ++i)
        for (std::int64_t j = kw.first; j < kw.end; ++j) {
            const std::int64_t ih = top + i * rows.dilation, iw = left + j * columns.dilation;
            const std::int64_t from = ((image * rows.in + ih) * columns.in + iw) * channels;
            if (i == kh.first && j == kw.first)
                sink.first(to, from, channels);
            else
                sink.next(to, from, channels);
        }
    const std::int64_t padded = tapsInside(rows, top, -rows.before, rows.in + rows.after).count() *
                                tapsInside(columns, left, -columns.before, columns.in + columns.after).count();
    sink.finish(to, channels, kh.count() * kw.count(), padded);
}

template <class Sink> bool walkWindows(const Geometry& geometry, const Exec& exec, const Sink& sink)
{
    const Window2d& g = geometry.g;
    const std::int64_t images = g.channelsFirst ? g.batch * g.inC : g.batch;
    if (g.inC == 0)
        return true;
    return exec.parallelFor(images * g.outH, [&](std::int64_t task) {
        for (std::int64_t ow = 0; ow < g.outW && !exec.stopRequested(); ++ow)
            walkWindow(geometry, task / g.outH, task % g.outH, ow, sink);
    }) && !exec.stopRequested();
}

} // namespace engine::window
