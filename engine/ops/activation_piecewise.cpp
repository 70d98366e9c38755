// relu, leaky_relu, relu6: selections, and one product. No function, so the references are exact (leaky_relu: one
// double-double product).
#include "engine/ops/ops.h"
#include "engine/ops/pointwise.h"

namespace engine {

namespace {

using pointwise::Values;

Result<Tensor> reluCpu(const KernelArgs& args)
{
    return pointwise::mapElements(args, [](double x) { return x < 0 ? 0.0 : x; });
}
Result<ReferenceResult> reluReference(const ReferenceArgs& args)
{
    return pointwise::mapReference(args, Values::Exact, [](DoubleDouble x) { return x.hi < 0 ? DoubleDouble{} : x; });
}

double clampToSix(double x)
{
    if (x < 0)
        return 0;
    return x > 6 ? 6 : x;
}
Result<Tensor> relu6Cpu(const KernelArgs& args)
{
    return pointwise::mapElements(args, clampToSix);
}
Result<ReferenceResult> relu6Reference(const ReferenceArgs& args)
{
    return pointwise::mapReference(args, Values::Exact, [](DoubleDouble x) {
        if (x.hi < 0)
            return DoubleDouble{};
        return DoubleDouble{6} < x ? DoubleDouble{6} : x;
    });
}

Result<Tensor> leakyReluCpu(const KernelArgs& args)
{
    const double alpha = pointwise::roundedParameter(args.params.real("alpha"), args.pair.multiply);
    return pointwise::mapElements(args, [alpha](double x) { return x < 0 ? alpha * x : x; });
}
Result<ReferenceResult> leakyReluReference(const ReferenceArgs& args)
{
    const DoubleDouble alpha = args.params.real("alpha");
    return pointwise::mapReference(args, alpha.hi == 0 ? Values::Exact : Values::Rounded,
                                   [alpha](DoubleDouble x) { return x.hi < 0 ? alpha * x : x; });
}

constexpr std::array<ParamSpec, 1> kLeakyParams{{{
    .name = "alpha",
    .kind = ParamKind::Real,
    .isScalarWeight = true,
    .sentence = "Slope for negative values, rounded to the compute dtype like a weight.",
    .minimum = -1e9,
    .defaultText = "0.3",
}}};

} // namespace

constinit const OpSpec op_relu{
    .name = "relu",
    .title = "ReLU",
    .category = "activations",
    .summary = "Negative values become zero.",
    .doc = R"(`x < 0 ? 0 : x`: NaN stays NaN and -0 stays -0. It selects and never rounds, so it has no compute slot.
Keras (`ReLU` with its defaults) and ONNX (`Relu`) agree; Keras' `max_value` is `relu6`, its `negative_slope` is
`leaky_relu`.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = slotBit(Slot::Input) | slotBit(Slot::Output),
    .pairs = PairSet::Pointwise,
    .carriesBits = true,
    .inferShape = pointwise::sameShape,
    .reference = reluReference,
    .cpu = reluCpu,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("relu", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"negative values become zero", "{}", {{4}}, {{-1.5, 0, 0.1, 3}}, {0, 0, 0.1, 3}}};
    },
};

constinit const OpSpec op_relu6{
    .name = "relu6",
    .title = "ReLU6",
    .category = "activations",
    .summary = "Values are limited to the range 0 to 6.",
    .doc = R"(`min(max(x, 0), 6)`, where NaN stays NaN and -0 stays -0. 6 is exact in every float dtype, so it selects
and never rounds. Keras writes it `ReLU(max_value=6)`, ONNX `Clip` with 0 and 6; they agree.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots,
    .pairs = PairSet::Pointwise,
    .carriesBits = true,
    .inferShape = pointwise::sameShape,
    .reference = relu6Reference,
    .cpu = relu6Cpu,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("relu6", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"both ends", "{}", {{5}}, {{-1, 0.5, 6, 6.5, 100}}, {0, 0.5, 6, 6, 6}}};
    },
};

constinit const OpSpec op_leaky_relu{
    .name = "leaky_relu",
    .title = "Leaky ReLU",
    .category = "activations",
    .summary = "Negative values are multiplied by a small slope.",
    .doc = R"(`x < 0 ? alpha * x : x`, NaN and -0 kept. `alpha` is rounded to the compute dtype, as a weight is; the
product is rounded once. The default slope is Keras' 0.3 (`alpha`, in Keras 3 `negative_slope`); ONNX' and PyTorch's is
0.01: set `alpha`.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots,
    .pairs = PairSet::Pointwise,
    .params = kLeakyParams,
    .inferShape = pointwise::sameShape,
    .reference = leakyReluReference,
    .cpu = leakyReluCpu,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("leaky_relu", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"a slope of one quarter", R"({"alpha": 0.25})", {{4}}, {{-8, -0.5, 0, 3}}, {-2, -0.125, 0, 3}}};
    },
};

} // namespace engine
