// average_pooling2d: the mean of each window, a row-major sum in the accumulate dtype and one division.
#include "engine/ops/ops.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/pooling.h"

#include <new>

namespace engine {

namespace {

constexpr ParamSpec kParams[]{
    pooling::kPoolSize,
    pooling::kStrides,
    window::kPadding,
    window::kPads,
    window::kDilation,
    pooling::kCeilMode,
    window::kDataFormat,
    {.name = "count_include_pad",
     .kind = ParamKind::Bool,
     .sentence = "Divide by the elements of the window with its padding, not only by those of the input.",
     .defaultText = "false"},
};

enum class Divisor : std::uint8_t { Inputs, WithPadding };

Divisor divisorOf(const Params& params)
{
    return params.flag("count_include_pad") ? Divisor::WithPadding : Divisor::Inputs;
}

// Sums and quotients are formed in float64 and rounded to A, which equals rounding the exact ones: float64 has more
// than twice the digits (Figueroa, "When is double rounding innocuous?", SIGNUM 30(3), 1995).
template <class T, class A> struct AverageSink {
    const T* x;
    A* y;
    Divisor divisor;

    static A added(A sum, T value)
    {
        using namespace pointwise;
        if constexpr (std::is_same_v<A, T> && std::is_floating_point_v<A>)
            return sum + value;
        else
            return store<A>(load(sum) + load(value));
    }
    void first(std::int64_t o, std::int64_t i, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c)
            y[o + c] = added(A{}, x[i + c]);
    }
    void next(std::int64_t o, std::int64_t i, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c)
            y[o + c] = added(y[o + c], x[i + c]);
    }
    void empty(std::int64_t o, std::int64_t n) const { std::fill(y + o, y + o + n, A{}); }
    void finish(std::int64_t o, std::int64_t n, std::int64_t taps, std::int64_t padded) const
    {
        const double count = static_cast<double>(divisor == Divisor::WithPadding ? padded : taps);
        for (std::int64_t c = 0; c < n; ++c) {
            // 0 / 0 has the sign bit set on x86; NaN leaves in one form.
            const double mean =
                count == 0 ? std::numeric_limits<double>::quiet_NaN() : pointwise::load(y[o + c]) / count;
            y[o + c] = pointwise::store<A>(mean);
        }
    }
};

struct DDAverageSink {
    const double *hi, *lo; // lo may be null
    double *yHi, *yLo;
    Divisor divisor;
    std::atomic<bool>& isLimited;

    void set(std::int64_t o, DoubleDouble v) const
    {
        yHi[o] = v.hi;
        yLo[o] = v.lo;
    }
    void first(std::int64_t o, std::int64_t i, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c)
            set(o + c, {hi[i + c], lo ? lo[i + c] : 0});
    }
    void next(std::int64_t o, std::int64_t i, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c) {
            const DoubleDouble value{hi[i + c], lo ? lo[i + c] : 0};
            const DoubleDouble sum = DoubleDouble{yHi[o + c], yLo[o + c]} + value;
            if (!std::isfinite(sum.hi) && std::isfinite(yHi[o + c]) && std::isfinite(value.hi))
                isLimited = true;
            set(o + c, sum);
        }
    }
    void empty(std::int64_t o, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c)
            set(o + c, {});
    }
    void finish(std::int64_t o, std::int64_t n, std::int64_t taps, std::int64_t padded) const
    {
        const double count = static_cast<double>(divisor == Divisor::WithPadding ? padded : taps);
        for (std::int64_t c = 0; c < n; ++c) {
            const DoubleDouble mean = count == 0 ? DoubleDouble{std::numeric_limits<double>::quiet_NaN()}
                                                 : DoubleDouble{yHi[o + c], yLo[o + c]} / DoubleDouble{count};
            if (mean.hi != 0 && std::fabs(mean.hi) < pointwise::kLimit)
                isLimited = true;
            set(o + c, mean);
        }
    }
};

Result<Tensor> cpu(const KernelArgs& args)
try {
    const Tensor& x = args.operands[0];
    const Result<window::Geometry> geometry = window::poolGeometry(args.params, x.shape());
    if (!geometry)
        return geometry.error();
    Tensor y = Tensor::allocate(storageOf(args.pair.accumulate), geometry->output);
    bool isFinished = false;
    pointwise::withFloat(args.pair.multiply, [&]<class T>(T) {
        pointwise::withFloat(args.pair.accumulate, [&]<class A>(A) {
            const AverageSink<T, A> sink{x.data<T>(), y.mutableData<A>(), divisorOf(args.params)};
            isFinished = window::walkWindows(*geometry, args.exec, sink);
        });
    });
    if (!isFinished)
        return stoppedError();
    return y;
} catch (const std::bad_alloc&) {
    return memoryError("average_pooling2d");
}

Result<ReferenceResult> reference(const ReferenceArgs& args)
try {
    const DDTensor& x = args.operands[0];
    const Result<window::Geometry> geometry = window::poolGeometry(args.params, x.shape());
    if (!geometry)
        return geometry.error();
    DDTensor y = DDTensor::allocate(geometry->output, DDTensor::Lo::Present);
    std::atomic<bool> isLimited{false};
    const DDAverageSink sink{x.hi(), x.lo(), y.mutableHi(), y.mutableLo(), divisorOf(args.params), isLimited};
    if (!window::walkWindows(*geometry, args.exec, sink))
        return stoppedError();
    y.limited = isLimited;
    return ReferenceResult{y, {}};
} catch (const std::bad_alloc&) {
    return memoryError("average_pooling2d");
}

std::string kernelName(const Params&, ComputePair, Isa)
{
    return "average_pooling2d plain";
}

std::vector<std::string> remarks(const Params& params, std::span<const std::optional<Shape>> operands)
{
    if (params.flag("count_include_pad") || !pooling::hasEmptyWindow(params, operands))
        return {};
    return {"Some windows see nothing but padding, which does not count: their average is NaN."};
}

std::vector<OpExample> examples()
{
    return {
        {"2x2 blocks", "{}", {{1, 2, 4, 1}}, {{1, 5, 2, 0, 3, 4, -1, 7}}, {3.25, 2}},
        {"padding does not count",
         R"({"pool_size": [1,2], "strides": [1,1], "padding": "explicit", "pads": [0,1,0,1]})",
         {{1, 1, 2, 1}},
         {{2, 4}},
         {2, 3, 4}},
        {"padding counts",
         R"({"pool_size": [1,2], "strides": [1,1], "padding": "explicit", "pads": [0,1,0,1], "count_include_pad": true})",
         {{1, 1, 2, 1}},
         {{2, 4}},
         {1, 3, 2}}};
}

} // namespace

constinit const OpSpec op_average_pooling2d{
    .name = "average_pooling2d",
    .title = "AveragePooling2D",
    .category = "pooling",
    .summary = "Replaces each window by its mean.",
    .doc =
        R"(The window is summed row by row in the accumulate dtype and divided once. `count_include_pad` says by what:
by the number of input elements in the window (Keras, and ONNX by default), or by that of input and padding (ONNX with
the attribute set; PyTorch by default). What `ceil_mode` adds beyond the padding never counts. A window of nothing but
padding gives NaN where padding does not count.

Keras has `valid` and `same` padding. ONNX has also `same_lower`, explicit `pads`, `dilation` and `ceil_mode`; with
`ceil_mode` the last window is dropped if it starts in the padding after the input.)",
    .role = OpRole::Reduction,
    .ports = pooling::kPorts,
    .slots = slotBit(Slot::Input) | slotBit(Slot::Compute) | slotBit(Slot::Accumulate) | slotBit(Slot::Output),
    .pairs = PairSet::Reduction,
    .params = kParams,
    .inferShape = pooling::inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .remarks = remarks,
    .examples = examples,
};

} // namespace engine
