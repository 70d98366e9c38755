// batch_normalization at inference, not folded: (x - mean) * (scale / sqrt(variance + epsilon)) + offset, every
// operation rounded to the accumulate dtype (the output slot's rounding follows outside).
#include "engine/ops/ops.h"
#include "engine/ops/pointwise.h"

namespace engine {

namespace {

enum Port : std::uint8_t { kInput, kScale, kOffset, kMean, kVariance, kPortCount };

// body(at, channel, count) for every run of `count` elements of one channel inside [begin, end).
struct Channels {
    std::int64_t count = 1, inner = 1;
    Channels(const Params& params, const Shape& shape)
    {
        const int axis = *pointwise::checkedAxis(params, shape);
        count = shape[axis];
        for (int i = axis + 1; i < shape.rank(); ++i)
            inner *= shape[i];
    }
    template <class Body> void forRuns(std::int64_t begin, std::int64_t end, const Body& body) const
    {
        for (std::int64_t at = begin; at < end;) {
            const std::int64_t next = std::min(end, (at / inner + 1) * inner);
            body(at, static_cast<std::size_t>(at / inner % count), next - at);
            at = next;
        }
    }
};

struct Channel {
    double mean = 0, factor = 1, offset = 0;
};
struct ExactChannel {
    DoubleDouble mean, factor, offset;
    bool isFinite() const { return std::isfinite(mean.hi) && std::isfinite(factor.hi) && std::isfinite(offset.hi); }
};

// Double rounding through float64 is innocuous here, as in softmax.
template <class A, class T> std::vector<Channel> channelsOf(const KernelArgs& args, std::int64_t count)
{
    using pointwise::load, pointwise::roundTo;
    const double epsilon = pointwise::roundedParameter(args.params.real("epsilon"), args.pair.multiply);
    const auto value = [&](Port port, std::size_t c, double absent) {
        const Tensor& t = args.operands[port];
        return t.isNull() ? absent : load(t.data<T>()[c]);
    };
    std::vector<Channel> channels(static_cast<std::size_t>(count));
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const double deviation = roundTo<A>(std::sqrt(roundTo<A>(value(kVariance, c, 1) + epsilon)));
        channels[c] = {value(kMean, c, 0), roundTo<A>(value(kScale, c, 1) / deviation), value(kOffset, c, 0)};
    }
    return channels;
}

template <class A, class T> bool normalize(const KernelArgs& args, Tensor& output)
{
    using pointwise::load, pointwise::roundTo, pointwise::store;
    const Tensor& input = args.operands[kInput];
    const Channels layout(args.params, input.shape());
    const auto channels = channelsOf<A, T>(args, layout.count);
    const bool hasOffset = !args.operands[kOffset].isNull();
    const T* x = input.data<T>();
    A* y = output.mutableData<A>();
    return pointwise::forChunks(input.elements(), args.exec, [&](std::int64_t begin, std::int64_t end) {
        layout.forRuns(begin, end, [&](std::int64_t at, std::size_t channel, std::int64_t count) {
            const Channel c = channels[channel];
            for (std::int64_t i = at; i < at + count; ++i) {
                const double product = roundTo<A>(roundTo<A>(load(x[i]) - c.mean) * c.factor);
                y[i] = store<A>(hasOffset ? product + c.offset : product);
            }
        });
    });
}

Result<Tensor> batchNormalizationCpu(const KernelArgs& args)
{
    return pointwise::withMemory<Tensor>("batch_normalization", [&]() -> Result<Tensor> {
        Tensor output = Tensor::allocate(storageOf(args.pair.accumulate), args.operands[kInput].shape());
        bool finished = true;
        pointwise::withFloat(args.pair.multiply, [&]<class T>(T) {
            pointwise::withFloat(args.pair.accumulate, [&]<class A>(A) { finished = normalize<A, T>(args, output); });
        });
        return finished ? Result<Tensor>(output) : stoppedError();
    });
}

DoubleDouble at(const DDTensor& t, std::int64_t i)
{
    return {t.hi()[i], t.hasLo() ? t.lo()[i] : 0};
}

// Of a non-zero value below the limit the low part may be incomplete.
bool isLimited(DoubleDouble value, bool isZero)
{
    return !isZero && std::fabs(value.hi) < pointwise::kLimit;
}

Result<ReferenceResult> batchNormalizationReference(const ReferenceArgs& args)
{
    return pointwise::withMemory<ReferenceResult>("batch_normalization", [&]() -> Result<ReferenceResult> {
        const DDTensor& input = args.operands[kInput];
        const Channels layout(args.params, input.shape());
        std::atomic<bool> limited = false;
        std::vector<ExactChannel> channels(static_cast<std::size_t>(layout.count));
        for (std::int64_t c = 0; c < layout.count; ++c) {
            const auto value = [&](Port port, double absent) {
                return args.operands[port].isNull() ? DoubleDouble{absent} : at(args.operands[port], c);
            };
            const DoubleDouble square = value(kVariance, 1) + DoubleDouble(args.params.real("epsilon"));
            const DoubleDouble scale = value(kScale, 1);
            const DoubleDouble factor = scale / sqrt(square);
            if (isLimited(square, square.hi == 0) || isLimited(factor, scale.hi == 0 || std::isinf(square.hi)))
                limited = true;
            channels[static_cast<std::size_t>(c)] = {value(kMean, 0), factor, value(kOffset, 0)};
        }
        ReferenceResult result;
        result.value = DDTensor::allocate(input.shape(), DDTensor::Lo::Present);
        double* hi = result.value.mutableHi();
        double* lo = result.value.mutableLo();
        const bool finished =
            pointwise::forChunks(input.elements(), args.exec, [&](std::int64_t begin, std::int64_t end) {
                layout.forRuns(begin, end, [&](std::int64_t first, std::size_t channel, std::int64_t count) {
                    const ExactChannel& c = channels[channel];
                    for (std::int64_t i = first; i < first + count; ++i) {
                        const DoubleDouble difference = at(input, i) - c.mean;
                        const DoubleDouble product = difference * c.factor;
                        const DoubleDouble y = product + c.offset;
                        const bool overflows = std::isfinite(input.hi()[i]) && c.isFinite() && !std::isfinite(y.hi);
                        if (overflows || isLimited(product, difference.hi == 0 || c.factor.hi == 0))
                            limited = true;
                        hi[i] = y.hi;
                        lo[i] = y.lo;
                    }
                });
            });
        if (!finished)
            return stoppedError();
        result.value.limited = limited;
        return result;
    });
}

Result<Shape> statisticShape(const Params& params, std::span<const Shape> activations, int)
{
    if (activations.empty())
        return Error{"port-missing", {}, "port input has no value", "connect the port"};
    const Result<int> axis = pointwise::checkedAxis(params, activations[0]);
    if (!axis)
        return axis.error();
    return Shape{activations[0][*axis]};
}

constexpr std::array<PortSpec, kPortCount> kPorts{{
    {.name = "input", .role = PortRole::Activation, .sentence = "The values to normalise."},
    {"scale", PortRole::Statistic, "Factor of each channel (gamma).", "scale"},
    {"offset", PortRole::Statistic, "Summand of each channel (beta).", "offset"},
    {"mean", PortRole::Statistic, "Mean of each channel.", "mean"},
    {"variance", PortRole::Statistic, "Variance of each channel.", "variance"},
}};

Result<Shape> outputShape(const Params& params, std::span<const std::optional<Shape>> operands)
{
    Result<Shape> input = pointwise::sameShape(params, operands);
    if (!input)
        return input;
    const Result<Shape> expected = statisticShape(params, std::span(&input.value(), 1), kScale);
    if (!expected)
        return expected.error();
    for (std::size_t p = kScale; p < operands.size(); ++p)
        if (operands[p] && *operands[p] != *expected)
            return Error{"shape-mismatch",
                         {},
                         "port " + std::string(kPorts[p].name) + " has the shape " + operands[p]->text() +
                             ", but axis " + std::to_string(params.integer("axis")) + " of the input " + input->text() +
                             " needs " + expected->text(),
                         "set axis to the dimension of the channels, or connect values of shape " + expected->text()};
    return input;
}

constexpr std::array<ParamSpec, 8> kParams{{
    {.name = "axis",
     .kind = ParamKind::Int,
     .sentence = "The dimension of the channels; negative counts from the end.",
     .minimum = -kMaxRank,
     .maximum = kMaxRank - 1,
     .defaultText = "-1"},
    {.name = "epsilon",
     .kind = ParamKind::Real,
     .isScalarWeight = true,
     .sentence = "Added to the variance; rounded to the operands' dtype like a weight.",
     .defaultText = "0.001"},
    {.name = "use_scale", .kind = ParamKind::Bool, .sentence = "Multiply by scale.", .defaultText = "true"},
    {.name = "use_offset", .kind = ParamKind::Bool, .sentence = "Add offset.", .defaultText = "true"},
    {.name = "scale",
     .kind = ParamKind::Source,
     .sentence = "Where the scale comes from when its port is free.",
     .defaultText = R"({"init": "ones"})"},
    {.name = "offset",
     .kind = ParamKind::Source,
     .sentence = "Where the offset comes from when its port is free.",
     .defaultText = R"({"init": "zeros"})"},
    {.name = "mean",
     .kind = ParamKind::Source,
     .sentence = "Where the mean comes from when its port is free.",
     .defaultText = R"({"init": "zeros"})"},
    {.name = "variance",
     .kind = ParamKind::Source,
     .sentence = "Where the variance comes from when its port is free.",
     .defaultText = R"({"init": "ones"})"},
}};

bool isPortPresent(const Params& params, int port)
{
    return port == kScale ? params.flag("use_scale") : port != kOffset || params.flag("use_offset");
}

} // namespace

constinit const OpSpec op_batch_normalization{
    .name = "batch_normalization",
    .title = "Batch normalization",
    .category = "layers",
    .summary = "Each channel is shifted and scaled by given statistics.",
    .doc = R"(Inference only: `(x - mean) * (scale / sqrt(variance + epsilon)) + offset`, never folded into a neighbour.
Statistics, scale, offset and `epsilon` are weights: they are rounded to the dtype of the operands; then every operation
is rounded to the accumulate dtype, without FMA. A negative `variance + epsilon` gives NaN. Keras and ONNX agree on the
formula and differ in defaults: Keras (as here) has `axis` -1 and `epsilon` 0.001, ONNX has the channels at axis 1 and
0.00001. Keras' `scale=False` and `center=False` are `use_scale` and `use_offset`; ONNX has neither.)",
    .role = OpRole::Reduction,
    .ports = kPorts,
    .slots = kAllSlots,
    .pairs = PairSet::Reduction,
    .params = kParams,
    .portPresent = isPortPresent,
    .weightShape = statisticShape,
    .inferShape = outputShape,
    .reference = batchNormalizationReference,
    .cpu = batchNormalizationCpu,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("batch_normalization", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"two channels",
                 R"({"epsilon": 1})",
                 {{2, 2}, {2}, {2}, {2}, {2}},
                 {{1, 2, 3, 4}, {2, 4}, {0.5, -1}, {1, 0}, {3, 15}},
                 {0.5, 1, 2.5, 3}}};
    },
};

} // namespace engine
