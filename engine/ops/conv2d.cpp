// conv2d: two-dimensional convolution (cross-correlation, as all frameworks mean it), with groups and dilation.
#include "engine/ops/contraction.h"
#include "engine/ops/ops.h"
#include "engine/ops/window.h"

namespace engine {

namespace {

constexpr PortSpec kPorts[]{
    {.name = "input", .role = PortRole::Activation, .sentence = "Images, in the layout of `data_format`."},
    {.name = "weight",
     .role = PortRole::Weight,
     .sentence = "The kernel [kh, kw, in/groups, filters], whatever the data format.",
     .source = "weight"},
    {.name = "bias", .role = PortRole::Bias, .sentence = "One number per filter.", .source = "bias"},
};

constexpr ParamSpec kParams[]{
    {.name = "filters",
     .kind = ParamKind::Int,
     .sentence = "Number of output channels.",
     .minimum = 1,
     .defaultText = "1"},
    {.name = "kernel_size",
     .kind = ParamKind::IntList,
     .sentence = "Height and width of the kernel.",
     .unit = "rows x columns",
     .minimum = 1,
     .maximum = window::kMaxExtent,
     .minLength = 2,
     .maxLength = 2,
     .defaultText = "[3,3]"},
    {.name = "strides",
     .kind = ParamKind::IntList,
     .sentence = "Step of the kernel from one output to the next.",
     .unit = "rows x columns",
     .minimum = 1,
     .maximum = window::kMaxExtent,
     .minLength = 2,
     .maxLength = 2,
     .defaultText = "[1,1]"},
    window::kPadding,
    window::kPads,
    window::kDilation,
    {.name = "groups",
     .kind = ParamKind::Int,
     .sentence = "Groups of channels that do not see each other; as many as input channels: depthwise.",
     .minimum = 1,
     .defaultText = "1"},
    window::kDataFormat,
    {.name = "use_bias", .kind = ParamKind::Bool, .sentence = "Whether a bias is added.", .defaultText = "true"},
    {.name = "weight",
     .kind = ParamKind::Source,
     .sentence = "The kernel's values while its port is free.",
     .defaultText = R"({"init": "glorot_uniform"})"},
    {.name = "bias",
     .kind = ParamKind::Source,
     .sentence = "The bias' values while its port is free.",
     .defaultText = R"({"init": "zeros"})"},
};

bool portPresent(const Params& params, int port)
{
    return port != 2 || params.flag("use_bias");
}

Shape kernelShape(const Window2d& g)
{
    return {g.kernelH, g.kernelW, g.inC / g.groups, g.outC};
}

Result<Shape> weightShape(const Params& params, std::span<const Shape> activations, int port)
{
    if (port == 2)
        return Shape{params.integer("filters")};
    if (activations.empty())
        return Error{"port-missing", {}, "port input has no value", "connect the port"};
    const Result<window::Geometry> geometry = window::convGeometry(params, activations[0]);
    if (!geometry)
        return geometry.error();
    const Shape shape = kernelShape(geometry->g);
    const Result<std::int64_t> count = checkedElements(shape);
    return count ? Result<Shape>(shape) : count.error();
}

Result<Shape> inferShape(const Params& params, std::span<const std::optional<Shape>> operands)
{
    const Result<Shape> input = operandShape(operands, 0, "input");
    if (!input)
        return input.error();
    const Result<Shape> weight = operandShape(operands, 1, "weight");
    if (!weight)
        return weight.error();
    const Result<window::Geometry> geometry = window::convGeometry(params, *input);
    if (!geometry)
        return geometry.error();
    const Shape expected = kernelShape(geometry->g);
    if (const Result<std::int64_t> count = checkedElements(expected); !count)
        return count.error();
    if (const Status s = contraction::checkWeight("weight", *weight, expected, "[kh, kw, in/groups, filters]"); !s)
        return s.error();
    if (!params.flag("use_bias"))
        return geometry->output;
    const Result<Shape> bias = operandShape(operands, 2, "bias");
    if (!bias)
        return bias.error();
    if (const Status s = contraction::checkWeight("bias", *bias, Shape{geometry->g.outC}, "[filters]"); !s)
        return s.error();
    return geometry->output;
}

Result<Tensor> run(const Params& params, const Tensor& x, const Tensor& w, const void* bias, ComputePair pair,
                   const Exec& exec)
{
    const Result<window::Geometry> geometry = window::convGeometry(params, x.shape());
    if (!geometry)
        return geometry.error();
    return contraction::compute("conv2d", pair, geometry->output, [&](void* y) {
        return conv2dPlain(geometry->g, pair, x.raw(), w.raw(), bias, y, exec);
    });
}

Result<Tensor> cpu(const KernelArgs& args)
{
    const Tensor& bias = contraction::operandOrNull(args.operands, 2);
    return run(args.params, args.operands[0], args.operands[1], bias.raw(), args.pair, args.exec);
}

Result<Tensor> contract64(const Contract64Args& args)
{
    return run(args.params, args.input, args.weight, nullptr, {DType::f64, DType::f64}, args.exec);
}

Result<ReferenceResult> reference(const ReferenceArgs& args)
{
    const Result<window::Geometry> geometry = window::convGeometry(args.params, args.operands[0].shape());
    if (!geometry)
        return geometry.error();
    using contraction::span;
    const DDTensor& bias = contraction::operandOrNull(args.operands, 2);
    return contraction::computeDD("conv2d", geometry->output, [&](DDOut y) {
        return conv2dDD(geometry->g, span(args.operands[0]), span(args.operands[1]), span(bias), y, args.exec);
    });
}

std::string kernelName(const Params&, ComputePair, Isa isa)
{
    return contraction::plainName("conv2d", isa);
}

std::int64_t reductionLength(const Params& params, std::span<const std::optional<Shape>> operands)
{
    if (operands.empty() || !operands[0])
        return 0;
    const Result<window::Geometry> geometry = window::convGeometry(params, *operands[0]);
    if (!geometry)
        return 0;
    const Window2d& g = geometry->g;
    return g.kernelH * g.kernelW * (g.inC / g.groups) + (params.flag("use_bias") ? 1 : 0);
}

std::vector<OpExample> examples()
{
    return {{"a 2x2 kernel on a 3x3 image",
             R"({"kernel_size": [2,2]})",
             {{1, 3, 3, 1}, {2, 2, 1, 1}, {1}},
             {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4}, {0.5}},
             {37.5, 47.5, 67.5, 77.5}},
            {"padding same adds the odd row and column after the image",
             R"({"kernel_size": [2,2], "padding": "same", "use_bias": false})",
             {{1, 2, 2, 1}, {2, 2, 1, 1}},
             {{1, 2, 3, 4}, {1, 10, 100, 1000}},
             {4321, 402, 43, 4}},
            {"depthwise: each channel has its own filter",
             R"({"filters": 2, "kernel_size": [1,2], "groups": 2, "data_format": "channels_first", "use_bias": false})",
             {{1, 2, 1, 3}, {1, 2, 1, 2}},
             {{1, 2, 3, 4, 5, 6}, {1, 10, 2, 20}},
             {5, 8, 140, 170}}};
}

} // namespace

constinit const OpSpec op_conv2d{
    .name = "conv2d",
    .title = "Conv2D",
    .category = "layers",
    .summary = "Slides a kernel over images: every output is a weighted sum of a window of the input.",
    .doc = R"(`y[n, oh, ow, k] = sum of x[n, oh*s - pad + kh*d, ow*s - pad + kw*d, c] * w[kh, kw, c, k] + bias[k]`, a
cross-correlation, as in Keras and ONNX. The sum runs over (kh, c / 16, kw, c % 16) within the group, one accumulator
per output. Padding is a zero operand that is multiplied, so that 0 times infinity is NaN. The bias is converted to
the accumulate dtype and added last.

Keras and ONNX differ in: layout (`data_format`; the kernel is [kh, kw, in/groups, filters] in both, transpose ONNX'
[filters, in/groups, kh, kw]); padding (Keras `same` is ONNX `SAME_UPPER`; `same_lower` and `explicit` are ONNX only);
depthwise (Keras has a layer of its own; here `groups` = input channels).)",
    .role = OpRole::Contraction,
    .ports = kPorts,
    .slots = kAllSlots,
    .pairs = PairSet::Contraction,
    .params = kParams,
    .portPresent = portPresent,
    .weightShape = weightShape,
    .inferShape = inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .contract64 = contract64,
    .reductionLength = reductionLength,
    .examples = examples,
};

} // namespace engine
