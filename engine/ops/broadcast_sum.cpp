#include "engine/ops/broadcast_sum.h"

#include "engine/model/convert.h"
#include "engine/model/double_double.h"
#include "engine/ops/op_errors.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <new>

namespace engine {

namespace {

// One operand's element strides, aligned to the result's dimensions: 0 where it repeats.
using Strides = std::array<std::int64_t, kMaxRank>;

Strides stridesOf(const Shape& operand, int rank)
{
    Strides strides{};
    std::int64_t step = 1;
    for (int i = operand.rank() - 1; i >= 0; --i) {
        strides[static_cast<std::size_t>(i + rank - operand.rank())] = operand[i] == 1 ? 0 : step;
        step *= operand[i];
    }
    return strides;
}

// Calls row(out, a, b, strideA, strideB, length) for pieces of the result's last dimension (for all of it at once
// where nothing repeats). False: stopped.
template <class Row> bool forEachRow(const Shape& a, const Shape& b, const Shape& out, const Exec& exec, Row row)
{
    constexpr std::int64_t kChunk = 1 << 14;
    const std::int64_t count = out.elements();
    if (count == 0)
        return true;
    if (a == b)
        return exec.parallelFor((count + kChunk - 1) / kChunk, [&](std::int64_t task) {
            const std::int64_t first = task * kChunk;
            row(first, first, first, 1, 1, std::min(kChunk, count - first));
        });
    const int rank = out.rank(), outer = rank - 1;
    const Strides sa = stridesOf(a, rank), sb = stridesOf(b, rank);
    const auto inner = static_cast<std::size_t>(outer);
    const std::int64_t length = out.last(), rows = count / length;
    const std::int64_t rowsPerTask = std::max<std::int64_t>(1, kChunk / length);
    return exec.parallelFor((rows + rowsPerTask - 1) / rowsPerTask, [&](std::int64_t task) {
        const std::int64_t end = std::min(rows, (task + 1) * rowsPerTask);
        for (std::int64_t r = task * rowsPerTask; r < end; ++r) {
            std::int64_t rest = r, ia = 0, ib = 0;
            for (int d = outer - 1; d >= 0; --d) {
                const std::int64_t i = rest % out[d];
                rest /= out[d];
                ia += i * sa[static_cast<std::size_t>(d)];
                ib += i * sb[static_cast<std::size_t>(d)];
            }
            row(r * length, ia, ib, sa[inner], sb[inner], length);
        }
    });
}

template <class T> Result<Tensor> sumOf(const Tensor& a, const Tensor& b, const Shape& shape, const Exec& exec)
{
    Tensor y = Tensor::allocate(a.dtype(), shape);
    const T *pa = a.data<T>(), *pb = b.data<T>();
    T* py = y.mutableData<T>();
    const bool isFinished = forEachRow(
        a.shape(), b.shape(), shape, exec,
        [=](std::int64_t out, std::int64_t ia, std::int64_t ib, std::int64_t sa, std::int64_t sb, std::int64_t length) {
            for (std::int64_t i = 0; i < length; ++i)
                py[out + i] = pa[ia + i * sa] + pb[ib + i * sb];
        });
    return isFinished ? Result<Tensor>(y) : stoppedError();
}

} // namespace

Result<Tensor> broadcastSum(const Tensor& a, const Tensor& b, const Exec& exec)
try {
    const Result<Shape> shape = broadcast(a.shape(), b.shape());
    if (!shape)
        return shape.error();
    if (a.dtype() == DType::f64)
        return sumOf<double>(a, b, *shape, exec);
    if (a.dtype() == DType::f32)
        return sumOf<float>(a, b, *shape, exec);
    // float32 has at least 2p + 2 bits for every narrower p, so that rounding its sum again is rounding once
    // (Figueroa, "When is double rounding innocuous?", SIGNUM 30(3), 1995); subnormal sums are exact in it.
    const Tensor wideA = convert(a, DType::f32, exec), wideB = convert(b, DType::f32, exec);
    if (wideA.isNull() || wideB.isNull())
        return stoppedError();
    Result<Tensor> sum = sumOf<float>(wideA, wideB, *shape, exec);
    if (!sum)
        return sum;
    Tensor y = convert(*sum, a.dtype(), exec);
    return y.isNull() ? Result<Tensor>(stoppedError()) : Result<Tensor>(y);
} catch (const std::bad_alloc&) {
    return memoryError("a sum");
}

Result<ReferenceResult> broadcastSum(const DDTensor& a, const DDTensor& b, const Exec& exec)
try {
    const Result<Shape> shape = broadcast(a.shape(), b.shape());
    if (!shape)
        return shape.error();
    DDTensor y = DDTensor::allocate(*shape, DDTensor::Lo::Present);
    double *hi = y.mutableHi(), *lo = y.mutableLo();
    std::atomic<bool> isLimited = false;
    const auto at = [](const DDTensor& t, std::int64_t i) {
        return DoubleDouble(t.hi()[i], t.hasLo() ? t.lo()[i] : 0.0);
    };
    const bool isFinished = forEachRow(
        a.shape(), b.shape(), *shape, exec,
        [&](std::int64_t out, std::int64_t ia, std::int64_t ib, std::int64_t sa, std::int64_t sb, std::int64_t length) {
            for (std::int64_t i = 0; i < length; ++i) {
                const DoubleDouble va = at(a, ia + i * sa), vb = at(b, ib + i * sb), sum = va + vb;
                hi[out + i] = sum.hi;
                lo[out + i] = sum.lo;
                if (!std::isfinite(sum.hi) && std::isfinite(va.hi) && std::isfinite(vb.hi))
                    isLimited.store(true, std::memory_order_relaxed);
            }
        });
    if (!isFinished)
        return stoppedError();
    y.limited = isLimited;
    return ReferenceResult{y, {}};
} catch (const std::bad_alloc&) {
    return memoryError("a sum");
}

} // namespace engine
