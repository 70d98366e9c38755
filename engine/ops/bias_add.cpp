// bias_add: one number per channel added to an activation. A raw op in Keras' sense, as tf.nn.bias_add is.
#include "engine/ops/broadcast_sum.h"
#include "engine/ops/op_errors.h"
#include "engine/ops/ops.h"

namespace engine {

namespace {

constexpr PortSpec kPorts[]{
    {.name = "input", .role = PortRole::Activation, .sentence = "The activation."},
    {.name = "bias",
     .role = PortRole::Second,
     .sentence = "One number per channel; its cast is asked by the weight slot."},
};

constexpr std::string_view kDataFormats[]{"channels_last", "channels_first"};
constexpr ParamSpec kParams[]{
    {.name = "data_format",
     .kind = ParamKind::Choice,
     .sentence = "Where the channels are: in the last dimension, or in dimension 1.",
     .choices = kDataFormats,
     .defaultText = "\"channels_last\""},
};

int channelAxis(const Params& params, const Shape& input)
{
    return params.text("data_format") == "channels_first" ? 1 : input.rank() - 1;
}

// The bias as [c, 1, 1, ...], so that plain broadcasting adds it to the right dimension.
Shape alignedBias(const Params& params, const Shape& input, std::int64_t channels)
{
    std::vector<std::int64_t> dims(static_cast<std::size_t>(input.rank() - channelAxis(params, input)), 1);
    dims[0] = channels;
    return Shape(std::move(dims));
}

Result<Shape> inferShape(const Params& params, std::span<const std::optional<Shape>> operands)
{
    Result<Shape> input = operandShape(operands, 0, "input"), bias = operandShape(operands, 1, "bias");
    if (!input || !bias)
        return input ? bias : input;
    if (input->rank() < 2)
        return Error{"shape-rank",
                     {},
                     "the input has shape " + input->text() + ", which has no batch and channels",
                     "give an input of two dimensions or more"};
    const std::int64_t channels = (*input)[channelAxis(params, *input)];
    if (bias->rank() != 1 || (*bias)[0] != channels)
        return Error{"shape-mismatch",
                     {},
                     "the bias has shape " + bias->text() + " and the input " + input->text() + " with " +
                         std::to_string(channels) + " channels (" + params.text("data_format") + ")",
                     "give a bias of shape [" + std::to_string(channels) + "]"};
    return input;
}

// Calls sum(bias in its aligned shape), or says what is wrong with the shapes.
template <class Value, class Sum>
auto withAlignedBias(const Params& params, const Value& input, const Value& bias, Sum sum) -> decltype(sum(bias))
{
    const std::optional<Shape> shapes[]{input.shape(), bias.shape()};
    const Result<Shape> out = inferShape(params, shapes);
    if (!out)
        return out.error();
    return sum(bias.reshaped(alignedBias(params, input.shape(), bias.elements())));
}

Result<ReferenceResult> reference(const ReferenceArgs& args)
{
    const DDTensor& input = args.operands[0];
    return withAlignedBias(args.params, input, args.operands[1],
                           [&](const DDTensor& bias) { return broadcastSum(input, bias, args.exec); });
}

Result<Tensor> cpu(const KernelArgs& args)
{
    const Tensor& input = args.operands[0];
    return withAlignedBias(args.params, input, args.operands[1],
                           [&](const Tensor& bias) { return broadcastSum(input, bias, args.exec); });
}

std::string kernelName(const Params&, ComputePair, Isa)
{
    return "bias_add plain";
}

std::vector<OpExample> examples()
{
    return {{"channels last", "{}", {{2, 3}, {3}}, {{1, 2, 3, 4, 5, 6}, {10, 20, 30}}, {11, 22, 33, 14, 25, 36}},
            {"channels first",
             R"({"data_format": "channels_first"})",
             {{1, 2, 2}, {2}},
             {{1, 2, 3, 4}, {10, 20}},
             {11, 12, 23, 24}}};
}

} // namespace

constinit const OpSpec op_bias_add{
    .name = "bias_add",
    .title = "Bias add",
    .category = "layers",
    .summary = "Adds one number per channel, as a step of its own.",
    .doc = R"(The low-level route: the result of the contraction is rounded before the bias is added, unlike the bias of
conv2d or dense, which enters the accumulator. `data_format` says where the channels are, as in `tf.nn.bias_add`;
ONNX has `Add` for it. Each sum is rounded once, in the compute dtype.)",
    .role = OpRole::Elementwise,
    .isLayer = false,
    .ports = kPorts,
    .slots = slotBit(Slot::Input) | slotBit(Slot::Weight) | slotBit(Slot::Compute) | slotBit(Slot::Output),
    .pairs = PairSet::Pointwise,
    .params = kParams,
    .inferShape = inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .examples = examples,
};

} // namespace engine
