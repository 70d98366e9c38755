// identity, dropout, cast and output: the operand passes and shares its bytes. A Cast node's conversion is a step
// of the plan; what it does to the effective bits is seen there, so the record only carries them.
#include "engine/model/double_double.h"
#include "engine/ops/op_errors.h"
#include "engine/ops/ops.h"

#include <cmath>

namespace engine {

namespace {

constexpr PortSpec kPorts[]{{.name = "input", .role = PortRole::Activation, .sentence = "The values that pass."}};

constexpr ParamSpec kDropoutParams[]{
    {.name = "rate",
     .kind = ParamKind::Real,
     .sentence = "Share of the elements that training would drop; without effect at inference.",
     .minimum = 0,
     .maximum = 1,
     .defaultText = "0.5"},
};

constexpr std::string_view kStorageNames[]{"float64",     "float32", "float16", "bfloat16", "float8_e4m3fn",
                                           "float8_e5m2", "int64",   "int32",   "int16",    "int8",
                                           "uint64",      "uint32",  "uint16",  "uint8",    "bool"};
constexpr ParamSpec kCastParams[]{
    {.name = "to",
     .kind = ParamKind::Choice,
     .sentence = "The dtype that the values are rounded to, once.",
     .choices = kStorageNames,
     .defaultText = "\"float32\""},
};

Result<Shape> inferShape(const Params&, std::span<const std::optional<Shape>> operands)
{
    return operandShape(operands, 0, "input");
}

Result<ReferenceResult> reference(const ReferenceArgs& args)
{
    return ReferenceResult{args.operands[0], {}};
}

Result<Tensor> cpu(const KernelArgs& args)
{
    return args.operands[0];
}

// To a float the reference is the identity (design 3.4). To an integer it truncates toward zero, to bool it asks x !=
// 0: that is what was asked for, not a loss; the range is a matter of the dtype and shows as overflow.
Result<ReferenceResult> castReference(const ReferenceArgs& args)
{
    const DType to = *dtypeFromName(args.params.text("to"));
    if (isFloat(to))
        return reference(args);
    const DDTensor& x = args.operands[0];
    DDTensor y = DDTensor::allocate(x.shape(), DDTensor::Lo::Present);
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        const double hi = x.hi()[i], lo = x.hasLo() ? x.lo()[i] : 0;
        if (to == DType::boolean) {
            y.mutableHi()[i] = hi != 0 || std::isnan(hi) ? 1 : 0;
            y.mutableLo()[i] = 0;
            continue;
        }
        // |lo| is at most half an ulp of hi: where hi is an integer the fraction, if any, is lo's, and may pull below
        // it.
        const double whole = std::trunc(hi);
        const bool isWhole = whole == hi && std::isfinite(hi);
        const double rest = isWhole ? (hi >= 0 ? std::floor(lo) : std::ceil(lo)) : 0;
        const DoubleDouble sum = twoSum(whole, rest);
        y.mutableHi()[i] = sum.hi;
        y.mutableLo()[i] = sum.lo;
    }
    return ReferenceResult{std::move(y), {}};
}

std::string kernelName(const Params&, ComputePair, Isa)
{
    return "pass";
}

std::vector<OpExample> examples()
{
    return {{"every value passes", "{}", {{2, 2}}, {{1, -0.5, 0, 3}}, {1, -0.5, 0, 3}}};
}

constexpr SlotMask kMoveSlots = slotBit(Slot::Input) | slotBit(Slot::Output);

} // namespace

constinit const OpSpec op_identity{
    .name = "identity",
    .title = "Identity",
    .category = "shape",
    .summary = "Passes its values on unchanged.",
    .doc = "A layer like any other: under tf.keras it casts its input to its layer dtype. As `Identity` in ONNX.",
    .role = OpRole::Move,
    .ports = kPorts,
    .slots = kMoveSlots,
    .pairs = PairSet::Any,
    .carriesBits = true,
    .inferShape = inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .examples = examples,
};

constinit const OpSpec op_dropout{
    .name = "dropout",
    .title = "Dropout",
    .category = "layers",
    .summary = "The identity at inference, which is all that runs here.",
    .doc = "Keras and ONNX agree at inference: nothing is dropped or scaled. `rate` is kept for the code and the file.",
    .role = OpRole::Move,
    .ports = kPorts,
    .slots = kMoveSlots,
    .pairs = PairSet::Any,
    .carriesBits = true,
    .params = kDropoutParams,
    .inferShape = inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .examples = examples,
};

constinit const OpSpec op_cast{
    .name = "cast",
    .title = "Cast",
    .category = "precision",
    .summary = "Rounds its values to another dtype: an explicit cast.",
    .doc = R"(One rounding, to nearest even, from the widest available value. Out of range: infinity, NaN for
float8_e4m3fn; a float to an integer truncates towards zero and clamps, NaN gives 0; to bool is x != 0. ONNX `Cast`
with saturate=0 agrees for float8; Keras `ops.cast` is the same conversion. The exact reference ignores float casts.)",
    .role = OpRole::Cast,
    .isLayer = false,
    .ports = kPorts,
    .slots = slotBit(Slot::Output),
    .pairs = PairSet::Any,
    .carriesBits = true,
    .params = kCastParams,
    .inferShape = inferShape,
    .reference = castReference,
    .cpu = cpu,
    .kernelName = kernelName,
    .examples = examples,
};

constinit const OpSpec op_output{
    .name = "output",
    .title = "Output",
    .category = "sources",
    .summary = "Marks a result of the graph: what is compared, listed first and exported.",
    .doc = "Never casts. As a graph output in ONNX and an element of `outputs` in Keras.",
    .role = OpRole::Output,
    .isLayer = false,
    .ports = kPorts,
    .slots = 0,
    .pairs = PairSet::Any,
    .carriesBits = true,
    .inferShape = inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .examples = examples,
};

} // namespace engine
