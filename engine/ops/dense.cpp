// dense: the fully connected layer, along the last axis of its input.
#include "engine/ops/contraction.h"
#include "engine/ops/ops.h"

namespace engine {

namespace {

constexpr PortSpec kPorts[]{
    {.name = "input", .role = PortRole::Activation, .sentence = "Rows of numbers: [batch, ..., inputs]."},
    {.name = "weight", .role = PortRole::Weight, .sentence = "The kernel [inputs, units].", .source = "weight"},
    {.name = "bias", .role = PortRole::Bias, .sentence = "One number per unit.", .source = "bias"},
};

constexpr ParamSpec kParams[]{
    {.name = "units",
     .kind = ParamKind::Int,
     .sentence = "Number of outputs per row.",
     .minimum = 1,
     .defaultText = "1"},
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

Status checkInput(const Shape& input)
{
    if (input.rank() >= 2)
        return success();
    return Error{"shape-rank",
                 {},
                 "the input has shape " + input.text() + " with " + std::to_string(input.rank()) +
                     " dimensions and needs at least 2",
                 "put a batch dimension first: [1, inputs]"};
}

Result<Shape> weightShape(const Params& params, std::span<const Shape> activations, int port)
{
    const std::int64_t units = params.integer("units");
    if (port == 2)
        return Shape{units};
    if (activations.empty())
        return Error{"port-missing", {}, "port input has no value", "connect the port"};
    if (const Status s = checkInput(activations[0]); !s)
        return s.error();
    const Shape shape{activations[0].last(), units};
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
    const Result<Shape> expected = weightShape(params, std::span(&*input, 1), 1);
    if (!expected)
        return expected.error();
    if (const Status s = contraction::checkWeight("weight", *weight, *expected, "[inputs, units]"); !s)
        return s.error();
    const std::int64_t units = params.integer("units");
    if (params.flag("use_bias")) {
        const Result<Shape> bias = operandShape(operands, 2, "bias");
        if (!bias)
            return bias.error();
        if (const Status s = contraction::checkWeight("bias", *bias, Shape{units}, "[units]"); !s)
            return s.error();
    }
    Shape out = *input;
    out[out.rank() - 1] = units;
    const Result<std::int64_t> count = checkedElements(out);
    return count ? Result<Shape>(out) : count.error();
}

// All leading dimensions are rows.
MatmulShape matmulShape(const Shape& input, std::int64_t units)
{
    MatmulShape g;
    for (int i = 0; i + 1 < input.rank(); ++i)
        g.rows *= input[i];
    g.depth = input.last();
    g.columns = units;
    return g;
}

Shape outputShape(Shape input, std::int64_t units)
{
    input[input.rank() - 1] = units;
    return input;
}

Result<Tensor> run(const Params& params, const Tensor& x, const Tensor& w, const void* bias, ComputePair pair,
                   const Exec& exec)
{
    if (const Status s = checkInput(x.shape()); !s)
        return s.error();
    const std::int64_t units = params.integer("units");
    return contraction::compute("dense", pair, outputShape(x.shape(), units), [&](void* y) {
        return matmulPlain(matmulShape(x.shape(), units), pair, x.raw(), w.raw(), bias, y, exec);
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
    using contraction::span;
    const Shape& input = args.operands[0].shape();
    if (const Status s = checkInput(input); !s)
        return s.error();
    const std::int64_t units = args.params.integer("units");
    const DDTensor& bias = contraction::operandOrNull(args.operands, 2);
    return contraction::computeDD("dense", outputShape(input, units), [&](DDOut y) {
        return matmulDD(matmulShape(input, units), span(args.operands[0]), span(args.operands[1]), span(bias), y,
                        args.exec);
    });
}

std::string kernelName(const Params&, ComputePair, Isa isa)
{
    return contraction::plainName("dense", isa);
}

std::int64_t reductionLength(const Params& params, std::span<const std::optional<Shape>> operands)
{
    if (operands.empty() || !operands[0] || operands[0]->rank() == 0)
        return 0;
    return operands[0]->last() + (params.flag("use_bias") ? 1 : 0);
}

std::vector<OpExample> examples()
{
    return {{"two rows, three inputs, two units",
             R"({"units": 2})",
             {{2, 3}, {3, 2}, {2}},
             {{1, 2, 3, -1, 0, 0.5}, {1, 2, 3, 4, 5, 6}, {10, -10}},
             {32, 18, 11.5, -9}},
            {"along the last axis of three dimensions",
             R"({"units": 1, "use_bias": false})",
             {{1, 2, 2}, {2, 1}},
             {{1, 2, 3, 4}, {10, 1}},
             {12, 34}}};
}

} // namespace

constinit const OpSpec op_dense{
    .name = "dense",
    .title = "Dense",
    .category = "layers",
    .summary = "Fully connected layer: every output sees every input.",
    .doc =
        R"(`y[..., k] = sum of x[..., i] * w[i, k] + bias[k]`, the sum over i in order, one accumulator per output. The
bias is converted to the accumulate dtype and added last.

Keras' Dense contracts the last axis of an input of any rank, as here; ONNX has Gemm for two dimensions (its `transB`
means a kernel [units, inputs]: transpose it) or MatMul and Add for more.)",
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
