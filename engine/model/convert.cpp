// Conversion runs over blocks: the source widens into float64 (or 64-bit integers, which wrap as NumPy's astype does),
// the target narrows from there with one rounding. 64-bit integers and hi + lo enter the block rounded to odd, so that
// a second rounding to at most 24 bits is still the only one that counts.
#include "engine/model/convert.h"

#include "engine/model/double_double.h"
#include "engine/model/narrow_float.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace engine {

namespace {

constexpr std::int64_t kChunk = 65536; // elements a task; fixed, so that nothing depends on the threads
constexpr std::int64_t kBlock = 256;   // elements between the two halves of a conversion

struct Boolean {
    std::uint8_t byte = 0;
};

template <class T> struct Element {
    using Type = T;
};

template <class Visit> void visitElement(DType d, const Visit& visit)
{
    switch (d) {
    case DType::f64:
        return visit(Element<double>{});
    case DType::f32:
    case DType::tf32:
        return visit(Element<float>{});
    case DType::f16:
        return visit(Element<Float16>{});
    case DType::bf16:
        return visit(Element<BFloat16>{});
    case DType::e4m3fn:
        return visit(Element<Float8E4M3FN>{});
    case DType::e5m2:
        return visit(Element<Float8E5M2>{});
    case DType::i64:
        return visit(Element<std::int64_t>{});
    case DType::i32:
        return visit(Element<std::int32_t>{});
    case DType::i16:
        return visit(Element<std::int16_t>{});
    case DType::i8:
        return visit(Element<std::int8_t>{});
    case DType::u64:
        return visit(Element<std::uint64_t>{});
    case DType::u32:
        return visit(Element<std::uint32_t>{});
    case DType::u16:
        return visit(Element<std::uint16_t>{});
    case DType::u8:
        return visit(Element<std::uint8_t>{});
    case DType::boolean:
        return visit(Element<Boolean>{});
    }
}

// A 64-bit integer as nearest float64 and the exact rest.
template <class T> DoubleDouble splitInteger(T value)
{
    const bool negative = value < 0;
    const std::uint64_t magnitude =
        negative ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    const double hi = static_cast<double>(magnitude);
    const std::uint64_t back = hi < 0x1p64 ? static_cast<std::uint64_t>(hi) : 0; // 2^64 wraps to 0
    const double lo = static_cast<double>(static_cast<std::int64_t>(magnitude - back));
    return negative ? DoubleDouble{-hi, -lo} : DoubleDouble{hi, lo};
}

enum class Inexact : std::uint8_t { Nearest, Odd };

template <class T> double load(T x, [[maybe_unused]] Inexact inexact)
{
    if constexpr (std::is_same_v<T, Boolean>) {
        return x.byte != 0 ? 1.0 : 0.0;
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        const DoubleDouble d = splitInteger(x);
        return inexact == Inexact::Odd ? roundToOdd(d.hi, d.lo) : d.hi;
    } else if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<double>(x);
    } else {
        return widen<double>(x);
    }
}

void loadBlock(DType from, const std::byte* source, std::int64_t first, std::int64_t n, Inexact inexact, double* out)
{
    visitElement(from, [&]<class T>(Element<T>) {
        const T* p = reinterpret_cast<const T*>(source) + first;
        for (std::int64_t i = 0; i < n; ++i)
            out[i] = load(p[i], inexact);
    });
}

// What is left of hi + lo after truncation toward zero.
struct Whole {
    bool negative = false;
    bool tooLarge = false; // 2^64 or more
    std::uint64_t magnitude = 0;
};

Whole truncate(double hi, double lo)
{
    const double high = std::fabs(hi);
    const double low = hi < 0 ? -lo : lo; // magnitude is high + low
    if (!(high >= 1))
        return {}; // NaN too
    Whole w{.negative = hi<0, .tooLarge = high> 0x1p64 || (high == 0x1p64 && low >= 0)};
    if (w.tooLarge)
        return w;
    w.magnitude = high < 0x1p64 ? static_cast<std::uint64_t>(high) : 0; // 2^64 wraps to 0, and low brings it back
    // The low part counts only beside a whole high part: else it cannot reach the next integer.
    if (high == 0x1p64 || static_cast<double>(w.magnitude) == high) {
        if (low < 0)
            w.magnitude -= static_cast<std::uint64_t>(std::ceil(-low));
        else
            w.magnitude += static_cast<std::uint64_t>(low);
    }
    return w;
}

template <class T> T clampTo(Whole w)
{
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    if (w.negative) {
        const std::uint64_t limit = std::is_signed_v<T> ? kMax + 1 : 0;
        const std::uint64_t m = w.tooLarge ? limit : std::min(w.magnitude, limit);
        return static_cast<T>(~m + 1);
    }
    return static_cast<T>(w.tooLarge ? kMax : std::min(w.magnitude, kMax));
}

// One element from hi + lo; hi is already the rounded sum for float64 and rounded to odd for narrower floats.
template <class T> T store(double hi, [[maybe_unused]] double lo, [[maybe_unused]] NarrowOverflow overflow)
{
    if constexpr (std::is_same_v<T, Boolean>)
        return {static_cast<std::uint8_t>(hi != 0 || lo != 0)};
    else if constexpr (std::is_integral_v<T>)
        return clampTo<T>(truncate(hi, lo));
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(hi);
    else
        return narrow<T>(hi, NarrowRounding::NearestEven, overflow);
}

// lo may be null.
void storeBlock(DType to, const double* hi, const double* lo, std::int64_t first, std::int64_t n, FloatOverflow policy,
                std::byte* target)
{
    if (to == DType::tf32) {
        auto* p = reinterpret_cast<TensorFloat32*>(target) + first;
        for (std::int64_t i = 0; i < n; ++i)
            p[i] = narrow<TensorFloat32>(hi[i], NarrowRounding::NearestAway);
        return;
    }
    const bool saturates = policy == FloatOverflow::Saturate && facts(to).bytes == 1;
    const NarrowOverflow overflow = saturates ? NarrowOverflow::Saturate : NarrowOverflow::ToSpecial;
    visitElement(to, [&]<class T>(Element<T>) {
        T* p = reinterpret_cast<T*>(target) + first;
        for (std::int64_t i = 0; i < n; ++i)
            p[i] = store<T>(hi[i], lo ? lo[i] : 0.0, overflow);
    });
}

void convertFloatRange(const Tensor& t, DType to, std::int64_t first, std::int64_t last, FloatOverflow policy,
                       std::byte* target)
{
    const DType from = storageOf(t.dtype());
    if (from == DType::f64)
        return storeBlock(to, t.data<double>() + first, nullptr, first, last - first, policy, target);
    if (to == DType::f64)
        return loadBlock(from, t.raw(), first, last - first, Inexact::Nearest,
                         reinterpret_cast<double*>(target) + first);
    double block[kBlock];
    for (std::int64_t i = first; i < last; i += kBlock) {
        const std::int64_t n = std::min(kBlock, last - i);
        loadBlock(from, t.raw(), i, n, Inexact::Odd, block);
        storeBlock(to, block, nullptr, i, n, policy, target);
    }
}

// Sign extension is meant, for int8 too.
template <class T> std::uint64_t extended(T value)
{
    return static_cast<std::uint64_t>(value);
}

// Integers and bool to integers and bool: the low bits.
void convertIntegerRange(const Tensor& t, DType to, std::int64_t first, std::int64_t last, std::byte* target)
{
    std::uint64_t block[kBlock];
    for (std::int64_t at = first; at < last; at += kBlock) {
        const std::int64_t n = std::min(kBlock, last - at);
        visitElement(t.dtype(), [&]<class T>(Element<T>) {
            const T* p = t.data<T>() + at;
            for (std::int64_t i = 0; i < n; ++i)
                if constexpr (std::is_same_v<T, Boolean>)
                    block[i] = p[i].byte != 0;
                else if constexpr (std::is_integral_v<T>)
                    block[i] = extended(p[i]);
        });
        visitElement(to, [&]<class T>(Element<T>) {
            T* p = reinterpret_cast<T*>(target) + at;
            for (std::int64_t i = 0; i < n; ++i)
                if constexpr (std::is_same_v<T, Boolean>)
                    p[i] = {static_cast<std::uint8_t>(block[i] != 0)};
                else if constexpr (std::is_integral_v<T>)
                    p[i] = static_cast<T>(block[i]);
        });
    }
}

// body(first, last) over fixed chunks; false: stopped.
template <class Body> bool overChunks(std::int64_t elements, const Exec& exec, const Body& body)
{
    return exec.parallelFor((elements + kChunk - 1) / kChunk,
                            [&](std::int64_t task) { body(task * kChunk, std::min(elements, (task + 1) * kChunk)); });
}

bool has64BitIntegers(DType d)
{
    return d == DType::i64 || d == DType::u64;
}

} // namespace

Tensor convert(const Tensor& t, DType to, const Exec& exec, FloatOverflow overflow)
{
    if (t.dtype() == to)
        return t;
    if (t.dtype() == DType::tf32 && to == DType::f32)
        return t.retyped(to);
    Tensor out = Tensor::allocate(to, t.shape());
    std::byte* target = out.mutableRaw();
    const bool floats = isFloat(t.dtype()) || isFloat(to);
    const bool finished = overChunks(t.elements(), exec, [&](std::int64_t first, std::int64_t last) {
        if (floats)
            convertFloatRange(t, to, first, last, overflow, target);
        else
            convertIntegerRange(t, to, first, last, target);
    });
    return finished ? out : Tensor{};
}

Tensor convertSource(const DDTensor& t, DType to, const Exec& exec, FloatOverflow overflow)
{
    Tensor out = Tensor::allocate(to, t.shape());
    std::byte* target = out.mutableRaw();
    const double *hi = t.hi(), *lo = t.lo();
    const bool asIs = !lo || !isFloat(to);
    const bool finished = overChunks(t.elements(), exec, [&](std::int64_t first, std::int64_t last) {
        if (asIs)
            return storeBlock(to, hi + first, lo ? lo + first : nullptr, first, last - first, overflow, target);
        double block[kBlock];
        for (std::int64_t at = first; at < last; at += kBlock) {
            const std::int64_t n = std::min(kBlock, last - at);
            for (std::int64_t i = 0; i < n; ++i) {
                const double h = hi[at + i], l = lo[at + i];
                block[i] = to != DType::f64 ? roundToOdd(h, l) : l == 0 ? h : h + l; // -0 + 0 would lose the sign
            }
            storeBlock(to, block, nullptr, at, n, overflow, target);
        }
    });
    return finished ? out : Tensor{};
}

DDTensor widen(const Tensor& t, const Exec& exec)
{
    const bool wide = has64BitIntegers(t.dtype());
    DDTensor out = DDTensor::allocate(t.shape(), wide ? DDTensor::Lo::Present : DDTensor::Lo::Absent);
    double *hi = out.mutableHi(), *lo = out.mutableLo();
    const bool finished = overChunks(t.elements(), exec, [&](std::int64_t first, std::int64_t last) {
        loadBlock(storageOf(t.dtype()), t.raw(), first, last - first, Inexact::Nearest, hi + first);
        if (t.dtype() == DType::i64)
            for (std::int64_t i = first; i < last; ++i)
                lo[i] = splitInteger(t.data<std::int64_t>()[i]).lo;
        if (t.dtype() == DType::u64)
            for (std::int64_t i = first; i < last; ++i)
                lo[i] = splitInteger(t.data<std::uint64_t>()[i]).lo;
    });
    return finished ? out : DDTensor{};
}

Tensor toFloat64(const Tensor& t, const Exec& exec)
{
    return convert(t, DType::f64, exec);
}

double elementAsDouble(const Tensor& t, std::int64_t index)
{
    double value = 0;
    loadBlock(storageOf(t.dtype()), t.raw(), index, 1, Inexact::Nearest, &value);
    return value;
}

} // namespace engine
