// add: the sum of two tensors, element by element, with broadcasting. A layer, as Keras' Add is.
#include "engine/ops/broadcast_sum.h"
#include "engine/ops/op_errors.h"
#include "engine/ops/ops.h"

namespace engine {

namespace {

constexpr PortSpec kPorts[]{
    {.name = "input", .role = PortRole::Activation, .sentence = "The first summand."},
    {.name = "other",
     .role = PortRole::Second,
     .sentence = "The second summand; its cast is asked by the weight slot."},
};

Result<Shape> inferShape(const Params&, std::span<const std::optional<Shape>> operands)
{
    const Result<Shape> a = operandShape(operands, 0, "input"), b = operandShape(operands, 1, "other");
    if (!a || !b)
        return a ? b : a;
    Result<Shape> out = broadcast(*a, *b);
    if (!out)
        return out;
    const Result<std::int64_t> count = checkedElements(*out);
    return count ? out : count.error();
}

Result<ReferenceResult> reference(const ReferenceArgs& args)
{
    return broadcastSum(args.operands[0], args.operands[1], args.exec);
}

Result<Tensor> cpu(const KernelArgs& args)
{
    return broadcastSum(args.operands[0], args.operands[1], args.exec);
}

std::string kernelName(const Params&, ComputePair, Isa)
{
    return "add plain";
}

std::vector<OpExample> examples()
{
    return {{"element by element", "{}", {{3}, {3}}, {{1, 2, 3}, {0.5, -2, 4}}, {1.5, 0, 7}},
            {"a row and a column broadcast", "{}", {{1, 3}, {2, 1}}, {{1, 2, 3}, {10, 20}}, {11, 12, 13, 21, 22, 23}}};
}

} // namespace

constinit const OpSpec op_add{
    .name = "add",
    .title = "Add",
    .category = "layers",
    .summary = "Adds two tensors element by element; dimensions of size 1 repeat.",
    .doc =
        R"(Broadcasting is NumPy's: dimensions are compared from the right and are equal or 1. So it is in ONNX. Keras'
`Add` layer does the same from the second dimension on. Each sum is rounded once, in the compute dtype.)",
    .role = OpRole::Elementwise,
    .ports = kPorts,
    .slots = slotBit(Slot::Input) | slotBit(Slot::Weight) | slotBit(Slot::Compute) | slotBit(Slot::Output),
    .pairs = PairSet::Pointwise,
    .inferShape = inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .examples = examples,
};

} // namespace engine
