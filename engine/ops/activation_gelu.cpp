// gelu, exact and by tanh: functions of engine/kernels/functions.h, evaluated in float64 and rounded once to the
// compute dtype.
#include "engine/kernels/functions.h"
#include "engine/ops/ops.h"
#include "engine/ops/pointwise.h"

namespace engine {

namespace {

using pointwise::Values;

bool byTanh(const Params& params)
{
    return params.text("approximate") == "tanh";
}

Result<Tensor> geluCpu(const KernelArgs& args)
{
    return pointwise::mapElements(args, byTanh(args.params) ? geluTanh : geluErf);
}
Result<ReferenceResult> geluReference(const ReferenceArgs& args)
{
    return pointwise::mapReference(args, Values::Rounded, byTanh(args.params) ? geluTanhDD : geluErfDD);
}

constexpr std::array<std::string_view, 2> kApproximations{"none", "tanh"};
constexpr std::array<ParamSpec, 1> kGeluParams{{{
    .name = "approximate",
    .kind = ParamKind::Choice,
    .sentence = "none: by the error function; tanh: the older approximation, another function by up to 5e-4.",
    .choices = kApproximations,
    .defaultText = "\"none\"",
}}};

} // namespace

constinit const OpSpec op_gelu{
    .name = "gelu",
    .title = "GELU",
    .category = "activations",
    .summary = "x times the normal distribution function of x.",
    .doc = R"(`none`: `x/2 * erfc(-x / sqrt 2)`, which keeps the digits of the negative tail where the usual
`x/2 * (1 + erf)` cancels. `tanh`: `x/2 * (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))`, formed as a sigmoid for the same
reason; it is the exact function of that formula, whose distance from `none` is no rounding error. At -infinity both
give their limit, -0; frameworks that multiply -infinity by 0 give NaN there. Keras (`approximate`) and ONNX
(`approximate`, opset 20) agree, defaults included.)",
    .role = OpRole::Activation,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots,
    .pairs = PairSet::Pointwise,
    .params = kGeluParams,
    .inferShape = pointwise::sameShape,
    .reference = geluReference,
    .cpu = geluCpu,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("gelu", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"by the error function",
                 "{}",
                 {{5}},
                 {{-2, -1, 0, 1, 2}},
                 {-0.04550026389635842, -0.15865525393145705, 0, 0.8413447460685429, 1.9544997361036416}},
                {"by tanh",
                 R"({"approximate": "tanh"})",
                 {{5}},
                 {{-2, -1, 0, 1, 2}},
                 {-0.04540230591222498, -0.1588080093917233, 0, 0.8411919906082767, 1.954597694087775}}};
    },
};

} // namespace engine
