// flatten and reshape: other shapes of the same values. They share the operand's bytes, except that flatten under
// channels_first moves the channels last first, as Keras does.
#include "engine/ops/op_errors.h"
#include "engine/ops/ops.h"

#include <cstring>
#include <new>

namespace engine {

namespace {

constexpr PortSpec kPorts[]{
    {.name = "input", .role = PortRole::Activation, .sentence = "The values that take another shape."}};

constexpr std::string_view kDataFormats[]{"channels_last", "channels_first"};
constexpr ParamSpec kFlattenParams[]{
    {.name = "axis",
     .kind = ParamKind::Int,
     .sentence = "Dimensions before it become the rows, the others the columns; negative counts from the end.",
     .minimum = -kMaxRank,
     .maximum = kMaxRank,
     .defaultText = "1"},
    {.name = "data_format",
     .kind = ParamKind::Choice,
     .sentence = "With channels_first, dimension 1 is moved last before flattening, as Keras does.",
     .choices = kDataFormats,
     .defaultText = "\"channels_last\""},
};
constexpr ParamSpec kReshapeParams[]{
    {.name = "shape",
     .kind = ParamKind::IntList,
     .sentence = "The whole new shape; 0 copies the operand's dimension, one -1 is inferred.",
     .minimum = -1,
     .maximum = static_cast<double>(kMaxElements),
     .maxLength = kMaxRank,
     .defaultText = "[-1]"},
};

bool movesChannels(const Params& params)
{
    return params.text("data_format") == "channels_first";
}

Result<Shape> flattenShape(const Params& params, std::span<const std::optional<Shape>> operands)
{
    const Result<Shape> given = operandShape(operands, 0, "input");
    if (!given)
        return given.error();
    const Shape& in = *given;
    const std::int64_t axis = params.integer("axis"), split = axis < 0 ? axis + in.rank() : axis;
    if (split < 0 || split > in.rank())
        return Error{"shape-axis",
                     {},
                     "axis " + std::to_string(axis) + " does not exist in shape " + in.text(),
                     "use an axis from " + std::to_string(-in.rank()) + " to " + std::to_string(in.rank())};
    if (movesChannels(params) && split != 1)
        return Error{"shape-axis",
                     {},
                     "data_format channels_first needs axis 1 and has axis " + std::to_string(axis),
                     "set axis to 1, or data_format to channels_last"};
    Shape out{1, 1};
    for (int i = 0; i < in.rank(); ++i)
        out[i < split ? 0 : 1] *= in[i];
    return out;
}

Result<Shape> reshapeShape(const Params& params, std::span<const std::optional<Shape>> operands)
{
    const Result<Shape> given = operandShape(operands, 0, "input");
    if (!given)
        return given.error();
    const Shape& in = *given;
    const Shape asked(params.list("shape"));
    Shape out = asked;
    int inferred = -1;
    for (int i = 0; i < out.rank(); ++i) {
        if (out[i] == 0 && i >= in.rank())
            return Error{"shape-reshape",
                         {},
                         "shape " + asked.text() + " copies dimension " + std::to_string(i) + ", which " + in.text() +
                             " does not have",
                         "write the size"};
        if (out[i] == 0)
            out[i] = in[i];
        if (out[i] != -1)
            continue;
        if (inferred >= 0)
            return Error{"shape-reshape",
                         {},
                         "shape " + asked.text() + " has more than one -1",
                         "leave at most one dimension to be inferred"};
        inferred = i;
    }
    if (inferred >= 0)
        out[inferred] = 1;
    const Result<std::int64_t> known = checkedElements(out);
    if (!known)
        return known.error();
    const std::int64_t count = in.elements();
    const bool fits = inferred < 0 ? *known == count : *known > 0 && count % *known == 0;
    if (!fits)
        return Error{"shape-reshape",
                     {},
                     in.text() + " has " + std::to_string(count) + " elements, which shape " + asked.text() +
                         " cannot hold",
                     "choose dimensions whose product is " + std::to_string(count)};
    if (inferred >= 0)
        out[inferred] = count / *known;
    return out;
}

// Copies [n, c, s] to [n, s, c].
template <class T> bool moveChannelsLast(const Shape& shape, const void* from, void* to, const Exec& exec)
{
    const std::int64_t channels = shape[1], count = shape.elements();
    const std::int64_t space = count / (shape[0] * channels);
    const T* in = static_cast<const T*>(from);
    T* out = static_cast<T*>(to);
    return exec.parallelFor(shape[0], [&](std::int64_t n) {
        const std::int64_t base = n * channels * space;
        for (std::int64_t s = 0; s < space; ++s)
            for (std::int64_t c = 0; c < channels; ++c)
                out[base + s * channels + c] = in[base + c * space + s];
    });
}

bool moveChannelsLast(int bytes, const Shape& shape, const void* from, void* to, const Exec& exec)
{
    switch (bytes) {
    case 1:
        return moveChannelsLast<std::uint8_t>(shape, from, to, exec);
    case 2:
        return moveChannelsLast<std::uint16_t>(shape, from, to, exec);
    case 4:
        return moveChannelsLast<std::uint32_t>(shape, from, to, exec);
    default:
        return moveChannelsLast<std::uint64_t>(shape, from, to, exec);
    }
}

bool isPlainReshape(const Params& params, const Shape& in)
{
    return !movesChannels(params) || in.rank() < 3 || in.elements() == 0;
}

Result<Tensor> flattenCpu(const KernelArgs& args)
try {
    const Tensor& x = args.operands[0];
    const std::optional<Shape> shapes[]{x.shape()};
    const Result<Shape> out = flattenShape(args.params, shapes);
    if (!out)
        return out.error();
    if (isPlainReshape(args.params, x.shape()))
        return x.reshaped(*out);
    Tensor y = Tensor::allocate(x.dtype(), *out);
    const int bytes = facts(x.dtype()).bytes;
    if (!moveChannelsLast(bytes, x.shape(), x.raw(), y.mutableRaw(), args.exec))
        return stoppedError();
    return y;
} catch (const std::bad_alloc&) {
    return memoryError("flatten");
}

Result<ReferenceResult> flattenReference(const ReferenceArgs& args)
try {
    const DDTensor& x = args.operands[0];
    const std::optional<Shape> shapes[]{x.shape()};
    const Result<Shape> out = flattenShape(args.params, shapes);
    if (!out)
        return out.error();
    if (isPlainReshape(args.params, x.shape()))
        return ReferenceResult{x.reshaped(*out), {}};
    DDTensor y = DDTensor::allocate(*out, x.hasLo() ? DDTensor::Lo::Present : DDTensor::Lo::Absent);
    bool isFinished = moveChannelsLast<double>(x.shape(), x.hi(), y.mutableHi(), args.exec);
    if (x.hasLo())
        isFinished = isFinished && moveChannelsLast<double>(x.shape(), x.lo(), y.mutableLo(), args.exec);
    if (!isFinished)
        return stoppedError();
    return ReferenceResult{y, {}};
} catch (const std::bad_alloc&) {
    return memoryError("flatten");
}

Result<Tensor> reshapeCpu(const KernelArgs& args)
{
    const std::optional<Shape> shapes[]{args.operands[0].shape()};
    const Result<Shape> out = reshapeShape(args.params, shapes);
    return out ? Result<Tensor>(args.operands[0].reshaped(*out)) : out.error();
}

Result<ReferenceResult> reshapeReference(const ReferenceArgs& args)
{
    const std::optional<Shape> shapes[]{args.operands[0].shape()};
    const Result<Shape> out = reshapeShape(args.params, shapes);
    return out ? Result<ReferenceResult>(ReferenceResult{args.operands[0].reshaped(*out), {}}) : out.error();
}

std::string flattenName(const Params& params, ComputePair, Isa)
{
    return movesChannels(params) ? "flatten transpose" : "flatten view";
}

std::string reshapeName(const Params&, ComputePair, Isa)
{
    return "reshape view";
}

std::vector<OpExample> flattenExamples()
{
    return {{"an image becomes a row", "{}", {{1, 2, 2, 1}}, {{1, 2, 3, 4}}, {1, 2, 3, 4}},
            {"channels move last",
             R"({"data_format": "channels_first"})",
             {{1, 2, 1, 3}},
             {{1, 2, 3, 10, 20, 30}},
             {1, 10, 2, 20, 3, 30}}};
}

std::vector<OpExample> reshapeExamples()
{
    return {{"two rows of three", R"({"shape": [2, -1]})", {{6}}, {{1, 2, 3, 4, 5, 6}}, {1, 2, 3, 4, 5, 6}}};
}

constexpr SlotMask kMoveSlots = slotBit(Slot::Input) | slotBit(Slot::Output);

} // namespace

constinit const OpSpec op_flatten{
    .name = "flatten",
    .title = "Flatten",
    .category = "shape",
    .summary = "Makes a matrix: the dimensions before `axis` are the rows, the others the columns.",
    .doc = R"(With `axis` 1 each image becomes a row, as `Flatten` does in Keras and, by default, in ONNX. Other axes
are ONNX'. Keras' `Flatten(data_format="channels_first")` moves the channels last before it flattens; ONNX never
does: `data_format` says which.)",
    .role = OpRole::Move,
    .ports = kPorts,
    .slots = kMoveSlots,
    .pairs = PairSet::Any,
    .carriesBits = true,
    .params = kFlattenParams,
    .inferShape = flattenShape,
    .reference = flattenReference,
    .cpu = flattenCpu,
    .kernelName = flattenName,
    .examples = flattenExamples,
};

constinit const OpSpec op_reshape{
    .name = "reshape",
    .title = "Reshape",
    .category = "shape",
    .summary = "Gives the same values, in row-major order, another shape.",
    .doc = R"(`shape` is the whole shape as in ONNX (allowzero=0): 0 copies a dimension, one -1 is inferred. Keras'
`Reshape` leaves the batch out: write 0 first.)",
    .role = OpRole::Move,
    .ports = kPorts,
    .slots = kMoveSlots,
    .pairs = PairSet::Any,
    .carriesBits = true,
    .params = kReshapeParams,
    .inferShape = reshapeShape,
    .reference = reshapeReference,
    .cpu = reshapeCpu,
    .kernelName = reshapeName,
    .examples = reshapeExamples,
};

} // namespace engine
