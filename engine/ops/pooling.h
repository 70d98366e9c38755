// What the two pooling records share: port, parameters, shape rule, and the remark about windows of padding.
#pragma once

#include "engine/ops/window.h"

#include <array>

namespace engine::pooling {

inline constexpr PortSpec kPorts[]{
    {.name = "input", .role = PortRole::Activation, .sentence = "Images, in the layout of `data_format`."}};

inline constexpr ParamSpec kPoolSize{.name = "pool_size",
                                     .kind = ParamKind::IntList,
                                     .sentence = "Height and width of the window.",
                                     .unit = "rows x columns",
                                     .minimum = 1,
                                     .maximum = window::kMaxExtent,
                                     .minLength = 2,
                                     .maxLength = 2,
                                     .defaultText = "[2,2]"};
inline constexpr ParamSpec kStrides{.name = "strides",
                                    .kind = ParamKind::IntList,
                                    .sentence = "Step of the window from one output to the next; none: the pool size.",
                                    .unit = "rows x columns",
                                    .minimum = 1,
                                    .maximum = window::kMaxExtent,
                                    .maxLength = 2,
                                    .defaultText = "[]"};
inline constexpr ParamSpec kCeilMode{.name = "ceil_mode",
                                     .kind = ParamKind::Bool,
                                     .sentence =
                                         "Round the output size up, so that a last, partly covered window counts too.",
                                     .defaultText = "false"};

inline Result<Shape> inferShape(const Params& params, std::span<const std::optional<Shape>> operands)
{
    const Result<Shape> input = operandShape(operands, 0, "input");
    if (!input)
        return input.error();
    const Result<window::Geometry> geometry = window::poolGeometry(params, *input);
    return geometry ? Result<Shape>(geometry->output) : geometry.error();
}

inline bool hasEmptyWindow(const Params& params, std::span<const std::optional<Shape>> operands)
{
    if (operands.empty() || !operands[0])
        return false;
    const Result<window::Geometry> geometry = window::poolGeometry(params, *operands[0]);
    return geometry && geometry->output.elements() > 0 &&
           (window::hasEmptyWindow(geometry->rows) || window::hasEmptyWindow(geometry->columns));
}

} // namespace engine::pooling
