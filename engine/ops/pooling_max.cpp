// max_pooling2d: the largest value of each window. Values only move, so every storage dtype is possible.
#include "engine/model/double_double.h"
#include "engine/model/narrow_float.h"
#include "engine/ops/ops.h"
#include "engine/ops/pooling.h"

#include <limits>
#include <new>
#include <type_traits>

namespace engine {

namespace {

constexpr ParamSpec kParams[]{pooling::kPoolSize, pooling::kStrides,  window::kPadding,   window::kPads,
                              window::kDilation,  pooling::kCeilMode, window::kDataFormat};

// A value as something that compares exactly.
template <class T> auto key(T x)
{
    if constexpr (std::is_arithmetic_v<T>)
        return x;
    else
        return widen<float>(x);
}

// What a window of nothing but padding gives: -Inf, or what becomes of it where there is none (NaN, the lowest
// integer, false).
template <class T> T emptyMaximum()
{
    if constexpr (std::is_floating_point_v<T>)
        return -std::numeric_limits<T>::infinity();
    else if constexpr (std::is_integral_v<T>)
        return std::numeric_limits<T>::lowest();
    else
        return narrow<T>(-std::numeric_limits<float>::infinity());
}

// A NaN stays once it is there; of equal values the first stays.
template <class T> struct MaximumSink {
    const T* x;
    T* y;
    void first(std::int64_t o, std::int64_t i, std::int64_t n) const { std::copy(x + i, x + i + n, y + o); }
    void next(std::int64_t o, std::int64_t i, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c) {
            const auto best = key(y[o + c]), value = key(x[i + c]);
            y[o + c] = best == best && !(value <= best) ? x[i + c] : y[o + c];
        }
    }
    void empty(std::int64_t o, std::int64_t n) const { std::fill(y + o, y + o + n, emptyMaximum<T>()); }
    void finish(std::int64_t, std::int64_t, std::int64_t, std::int64_t) const {}
};

struct DDMaximumSink {
    const double *hi, *lo; // lo may be null
    double *yHi, *yLo;
    DoubleDouble at(std::int64_t i) const { return {hi[i], lo ? lo[i] : 0}; }
    void set(std::int64_t o, DoubleDouble v) const
    {
        yHi[o] = v.hi;
        yLo[o] = v.lo;
    }
    void first(std::int64_t o, std::int64_t i, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c)
            set(o + c, at(i + c));
    }
    void next(std::int64_t o, std::int64_t i, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c) {
            const DoubleDouble best{yHi[o + c], yLo[o + c]}, value = at(i + c);
            const bool isLarger = value.hi > best.hi || (value.hi == best.hi && value.lo > best.lo);
            if (best.hi == best.hi && (isLarger || value.hi != value.hi))
                set(o + c, value);
        }
    }
    void empty(std::int64_t o, std::int64_t n) const
    {
        for (std::int64_t c = 0; c < n; ++c)
            set(o + c, {-std::numeric_limits<double>::infinity(), 0});
    }
    void finish(std::int64_t, std::int64_t, std::int64_t, std::int64_t) const {}
};

template <class T> bool runMaximum(const window::Geometry& geometry, const Tensor& x, Tensor& y, const Exec& exec)
{
    return window::walkWindows(geometry, exec, MaximumSink<T>{x.data<T>(), y.mutableData<T>()});
}

using RunMaximum = bool (*)(const window::Geometry&, const Tensor&, Tensor&, const Exec&);
constexpr RunMaximum kRunMaximum[]{
    // in the order of DType
    runMaximum<double>,        runMaximum<float>,        runMaximum<Float16>,       runMaximum<BFloat16>,
    runMaximum<Float8E4M3FN>,  runMaximum<Float8E5M2>,   runMaximum<std::int64_t>,  runMaximum<std::int32_t>,
    runMaximum<std::int16_t>,  runMaximum<std::int8_t>,  runMaximum<std::uint64_t>, runMaximum<std::uint32_t>,
    runMaximum<std::uint16_t>, runMaximum<std::uint8_t>, runMaximum<std::uint8_t>,  runMaximum<float>,
};
static_assert(std::size(kRunMaximum) == kDTypeCount);

Result<Tensor> cpu(const KernelArgs& args)
try {
    const Tensor& x = args.operands[0];
    const Result<window::Geometry> geometry = window::poolGeometry(args.params, x.shape());
    if (!geometry)
        return geometry.error();
    Tensor y = Tensor::allocate(x.dtype(), geometry->output);
    if (!kRunMaximum[static_cast<std::size_t>(x.dtype())](*geometry, x, y, args.exec))
        return stoppedError();
    return y;
} catch (const std::bad_alloc&) {
    return memoryError("max_pooling2d");
}

Result<ReferenceResult> reference(const ReferenceArgs& args)
try {
    const DDTensor& x = args.operands[0];
    const Result<window::Geometry> geometry = window::poolGeometry(args.params, x.shape());
    if (!geometry)
        return geometry.error();
    DDTensor y = DDTensor::allocate(geometry->output, DDTensor::Lo::Present);
    const DDMaximumSink sink{x.hi(), x.lo(), y.mutableHi(), y.mutableLo()};
    if (!window::walkWindows(*geometry, args.exec, sink))
        return stoppedError();
    return ReferenceResult{y, {}};
} catch (const std::bad_alloc&) {
    return memoryError("max_pooling2d");
}

std::string kernelName(const Params&, ComputePair, Isa)
{
    return "max_pooling2d plain";
}

std::vector<std::string> remarks(const Params& params, std::span<const std::optional<Shape>> operands)
{
    if (!pooling::hasEmptyWindow(params, operands))
        return {};
    return {"Some windows see nothing but padding: their maximum is -Inf (in a dtype without infinity NaN, in an "
            "integer one the lowest value)."};
}

std::vector<OpExample> examples()
{
    return {{"2x2 blocks", "{}", {{1, 2, 4, 1}}, {{1, 5, 2, 0, 3, 4, -1, 7}}, {5, 7}},
            {"padding is never the maximum",
             R"({"pool_size": [1,3], "strides": [1,1], "padding": "same"})",
             {{1, 1, 3, 1}},
             {{-3, -2, -4}},
             {-2, -2, -2}},
            {"ceil_mode keeps a partly covered window",
             R"({"pool_size": [1,2], "ceil_mode": true})",
             {{1, 1, 3, 1}},
             {{1, 2, 3}},
             {2, 3}}};
}

} // namespace

constinit const OpSpec op_max_pooling2d{
    .name = "max_pooling2d",
    .title = "MaxPooling2D",
    .category = "pooling",
    .summary = "Keeps the largest value of each window.",
    .doc = R"(Padding is never chosen; a window of nothing but padding gives -Inf. The first NaN of a window is its
maximum (ONNX leaves that open; TensorFlow and PyTorch keep NaN too). Of equal values the first is kept.

Keras has `valid` and `same` padding. ONNX has also `same_lower`, explicit `pads`, `dilation` and `ceil_mode`; with
`ceil_mode` the last window is dropped if it starts in the padding after the input. ONNX' `Indices` output has no port here.)",
    .role = OpRole::Reduction,
    .ports = pooling::kPorts,
    .slots = slotBit(Slot::Input) | slotBit(Slot::Output),
    .pairs = PairSet::Any,
    .carriesBits = true,
    .params = kParams,
    .inferShape = pooling::inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .remarks = remarks,
    .examples = examples,
};

} // namespace engine
