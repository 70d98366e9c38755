// elu, selu, sigmoid, tanh, softplus: functions of engine/kernels/functions.h, evaluated in float64 and rounded once
// to the compute dtype.
#include "engine/kernels/functions.h"
#include "engine/ops/ops.h"
#include "engine/ops/pointwise.h"

namespace engine {

namespace {

using pointwise::Values;

// A record's two evaluations from the two forms of its function.
template <double (*f)(double)> Result<Tensor> functionCpu(const KernelArgs& args)
{
    return pointwise::mapElements(args, f);
}
template <DoubleDouble (*f)(DoubleDouble)> Result<ReferenceResult> functionReference(const ReferenceArgs& args)
{
    return pointwise::mapReference(args, Values::Rounded, f);
}

Result<Tensor> eluCpu(const KernelArgs& args)
{
    const double alpha = pointwise::roundedParameter(args.params.real("alpha"), args.pair.multiply);
    return pointwise::mapElements(args, [alpha](double x) { return eluOf(x, alpha); });
}
Result<ReferenceResult> eluReference(const ReferenceArgs& args)
{
    const DoubleDouble alpha = args.params.real("alpha");
    return pointwise::mapReference(args, alpha.hi == 0 ? Values::Exact : Values::Rounded,
                                   [alpha](DoubleDouble x) { return eluDD(x, alpha); });
}

constexpr std::array<ParamSpec, 1> kEluParams{{{
    .name = "alpha",
    .kind = ParamKind::Real,
    .isScalarWeight = true,
    .sentence = "Minus the limit at -infinity, rounded to the compute dtype like a weight.",
    .minimum = -1e9,
    .defaultText = "1.0",
}}};

} // namespace

constinit const OpSpec op_elu{
    .name = "elu",
    .title = "ELU",
    .category = "activations",
    .summary = "Negative values become alpha (e^x - 1).",
    .doc =
        R"(`x < 0 ? alpha * expm1(x) : x`, formed without cancellation near zero; -0 and NaN stay. `alpha` is rounded to
the compute dtype, as a weight is. Keras and ONNX agree, defaults included.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots,
    .pairs = PairSet::Pointwise,
    .params = kEluParams,
    .inferShape = pointwise::sameShape,
    .reference = eluReference,
    .cpu = eluCpu,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("elu", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"alpha of one", "{}", {{4}}, {{-2, -1, 0, 2}}, {-0.8646647167633873, -0.6321205588285577, 0, 2}}};
    },
};

constinit const OpSpec op_selu{
    .name = "selu",
    .title = "SELU",
    .category = "activations",
    .summary = "ELU scaled so that mean 0 and variance 1 are a fixed point.",
    .doc = R"(`lambda * (x < 0 ? alpha * expm1(x) : x)` with the constants of Klambauer et al. (2017) as real numbers:
alpha = 1.67326324235437728..., lambda = 1.05070098735548049.... Keras writes them with nine digits, ONNX' defaults are
their float32 neighbours (1.67326319217681884765625, 1.05070102214813232421875); both differ from these by less than
4e-8 relative.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots,
    .pairs = PairSet::Pointwise,
    .inferShape = pointwise::sameShape,
    .reference = functionReference<seluDD>,
    .cpu = functionCpu<seluOf>,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("selu", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"both sides",
                 "{}",
                 {{5}},
                 {{-2, -1, 0, 1, 2}},
                 {-1.520166468595695, -1.1113307378125628, 0, 1.0507009873554805, 2.101401974710961}}};
    },
};

constinit const OpSpec op_sigmoid{
    .name = "sigmoid",
    .title = "Sigmoid",
    .category = "activations",
    .summary = "1 / (1 + e^-x), between 0 and 1.",
    .doc = R"(Formed by sign: `1 / (1 + exp(-x))` for x >= 0, `exp(x) / (1 + exp(x))` below, so that nothing overflows
and small results keep their digits, subnormal ones too. Keras and ONNX agree.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots,
    .pairs = PairSet::Pointwise,
    .inferShape = pointwise::sameShape,
    .reference = functionReference<sigmoidDD>,
    .cpu = functionCpu<sigmoidStable>,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("sigmoid", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"around zero", "{}", {{3}}, {{-2, 0, 1}}, {0.11920292202211756, 0.5, 0.7310585786300049}}};
    },
};

constinit const OpSpec op_tanh{
    .name = "tanh",
    .title = "Tanh",
    .category = "activations",
    .summary = "Hyperbolic tangent, between -1 and 1.",
    .doc = R"(Within 1 ulp in float32 and 2 ulp in float64, subnormal values and -0 kept. Keras and ONNX agree.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots,
    .pairs = PairSet::Pointwise,
    .inferShape = pointwise::sameShape,
    .reference = functionReference<tanhDD>,
    .cpu = functionCpu<tanhStable>,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("tanh", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"odd", "{}", {{3}}, {{-2, 0, 1}}, {-0.9640275800758169, 0, 0.7615941559557649}}};
    },
};

constinit const OpSpec op_softplus{
    .name = "softplus",
    .title = "Softplus",
    .category = "activations",
    .summary = "log(1 + e^x), a smooth ReLU.",
    .doc = R"(Formed as `max(x, 0) + log1p(exp(-|x|))`, which neither overflows nor cancels. Keras and ONNX agree;
PyTorch's `threshold`, beyond which it returns x, changes no more than the last digits.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots,
    .pairs = PairSet::Pointwise,
    .inferShape = pointwise::sameShape,
    .reference = functionReference<softplusDD>,
    .cpu = functionCpu<softplusStable>,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("softplus", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {
            {"around zero", "{}", {{3}}, {{-2, 0, 1}}, {0.1269280110429725, 0.6931471805599453, 1.3132616875182228}}};
    },
};

} // namespace engine
