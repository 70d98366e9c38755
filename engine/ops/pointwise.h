// What the element-wise records share: dispatch over the six float storage dtypes, a parallel map that evaluates in
// float64 and rounds once to the compute dtype, its double-double twin, and the fields all activations have alike.
#pragma once

#include "engine/model/convert.h"
#include "engine/model/double_double.h"
#include "engine/model/narrow_float.h"
#include "engine/ops/op_errors.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <type_traits>

namespace engine::pointwise {

inline constexpr std::int64_t kChunk = 65536;
// Below this a double-double's low part could underflow (design 3.4).
inline constexpr double kLimit = 0x1p-960;

// A storage dtype's element as float64, and back with one rounding.
template <class T> double load(T x)
{
    if constexpr (std::is_same_v<T, double>)
        return x;
    else if constexpr (std::is_same_v<T, float>)
        return engine::toFloat64(x);
    else
        return engine::widen<double>(x);
}
template <class T> T store(double x)
{
    if constexpr (std::is_same_v<T, double>)
        return x;
    else if constexpr (std::is_same_v<T, float>)
        return toFloat32(x);
    else
        return narrow<T>(x);
}
template <class T> double roundTo(double x)
{
    return load(store<T>(x));
}

// Calls body(T{}) with the element type of a float storage dtype. Records are only asked for pairs they allow.
template <class Body> void withFloat(DType dtype, const Body& body)
{
    switch (storageOf(dtype)) {
    case DType::f64:
        return body(double{});
    case DType::f32:
        return body(float{});
    case DType::f16:
        return body(Float16{});
    case DType::bf16:
        return body(BFloat16{});
    case DType::e4m3fn:
        return body(Float8E4M3FN{});
    case DType::e5m2:
        return body(Float8E5M2{});
    default:
        return;
    }
}

// A scalar parameter is a weight: it is rounded to the dtype in which it is used (design 3.1).
inline double roundedParameter(double value, DType dtype)
{
    double rounded = value;
    withFloat(dtype, [&]<class T>(T) { rounded = roundTo<T>(value); });
    return rounded;
}

// Nothing throws across the engine's border.
template <class T, class Make> Result<T> withMemory(std::string_view what, const Make& make)
{
    try {
        return make();
    } catch (const std::bad_alloc&) {
        return memoryError(what);
    }
}

// body(begin, end) over [0, elements) in chunks; false: stopped.
template <class Body> bool forChunks(std::int64_t elements, const Exec& exec, const Body& body)
{
    return exec.parallelFor((elements + kChunk - 1) / kChunk, [&](std::int64_t chunk) {
        body(chunk * kChunk, std::min(elements, (chunk + 1) * kChunk));
    });
}

// f: float64 to float64.
template <class F> Result<Tensor> mapElements(const KernelArgs& args, const F& f)
{
    return withMemory<Tensor>("a function", [&]() -> Result<Tensor> {
        const Tensor& input = args.operands[0];
        Tensor output = Tensor::allocate(storageOf(args.pair.multiply), input.shape());
        bool finished = true;
        withFloat(args.pair.multiply, [&]<class T>(T) {
            const T* x = input.data<T>();
            T* y = output.mutableData<T>();
            finished = forChunks(input.elements(), args.exec, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i)
                    y[i] = store<T>(f(load(x[i])));
            });
        });
        return finished ? Result<Tensor>(output) : stoppedError();
    });
}

// Whether the low part of y, a function value of a double-double x, may be incomplete. Exact: a zero result of a
// non-zero operand is a true zero, and so is every other value (selection).
enum class Values : std::uint8_t { Rounded, Exact };
inline bool isLimited(double y, double x)
{
    if (!std::isfinite(x) || x == 0)
        return false;
    return std::fabs(y) < kLimit || !std::isfinite(y);
}

// f: DoubleDouble to DoubleDouble.
template <class F> Result<ReferenceResult> mapReference(const ReferenceArgs& args, Values values, const F& f)
{
    return withMemory<ReferenceResult>("a function", [&]() -> Result<ReferenceResult> {
        const DDTensor& input = args.operands[0];
        ReferenceResult result;
        result.value = DDTensor::allocate(input.shape(), DDTensor::Lo::Present);
        double* hi = result.value.mutableHi();
        double* lo = result.value.mutableLo();
        std::atomic<bool> limited = false;
        const bool finished = forChunks(input.elements(), args.exec, [&](std::int64_t begin, std::int64_t end) {
            bool any = false;
            for (std::int64_t i = begin; i < end; ++i) {
                const DoubleDouble x{input.hi()[i], input.hasLo() ? input.lo()[i] : 0};
                const DoubleDouble y = f(x);
                hi[i] = y.hi;
                lo[i] = y.lo;
                any |= isLimited(y.hi, x.hi);
            }
            if (any && values == Values::Rounded)
                limited = true;
        });
        if (!finished)
            return stoppedError();
        result.value.limited = limited;
        return result;
    });
}

inline constexpr std::array<PortSpec, 1> kPorts{{{.name = "input", .sentence = "The values, of any shape."}}};
inline constexpr SlotMask kSlots = slotBit(Slot::Input) | slotBit(Slot::Compute) | slotBit(Slot::Output);

inline Result<Shape> sameShape(const Params&, std::span<const std::optional<Shape>> operands)
{
    return operandShape(operands, 0, "input");
}

// The parameter `axis` as 0 .. rank - 1.
inline Result<int> checkedAxis(const Params& params, const Shape& shape)
{
    const std::int64_t axis = params.integer("axis");
    const int rank = shape.rank();
    if (axis >= -rank && axis < rank)
        return static_cast<int>(axis < 0 ? axis + rank : axis);
    return Error{"axis-range",
                 {},
                 "axis " + std::to_string(axis) + " does not exist in the input's shape " + shape.text(),
                 rank == 0 ? "give the input at least one dimension"
                           : "choose an axis from " + std::to_string(-rank) + " to " + std::to_string(rank - 1)};
}

// "tanh plain x86-64-v3"
inline std::string plainName(std::string_view op, Isa isa)
{
    return std::string(op) + " plain " + std::string(isaName(isa));
}

} // namespace engine::pointwise
