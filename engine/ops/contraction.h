// What conv2d, dense and matmul share: allocating results, running the kernels of engine/kernels, and their errors.
#pragma once

#include "engine/kernels/kernels.h"
#include "engine/ops/op_errors.h"

#include <new>

namespace engine::contraction {

// run(void* result) -> bool, false: stopped.
template <class Run> Result<Tensor> compute(std::string_view op, ComputePair pair, const Shape& shape, const Run& run)
try {
    Tensor y = Tensor::allocate(storageOf(pair.accumulate), shape);
    if (!run(static_cast<void*>(y.mutableRaw())))
        return stoppedError();
    return y;
} catch (const std::bad_alloc&) {
    return memoryError(op);
}

// run(DDOut) -> DDStatus
template <class Run> Result<ReferenceResult> computeDD(std::string_view op, const Shape& shape, const Run& run)
try {
    ReferenceResult r{DDTensor::allocate(shape, DDTensor::Lo::Present), Tensor::allocate(DType::f64, shape)};
    const DDStatus status = run(DDOut{r.value.mutableHi(), r.value.mutableLo(), r.magnitudes.mutableData<double>()});
    if (!status.finished)
        return stoppedError();
    r.value.limited = status.limited == Limited::Yes;
    return r;
} catch (const std::bad_alloc&) {
    return memoryError(op);
}

inline DDSpan span(const DDTensor& t, std::int64_t offset = 0)
{
    if (t.isNull())
        return {};
    return {t.hi() + offset, t.hasLo() ? t.lo() + offset : nullptr};
}

// The operand of a port that may be absent.
template <class T> const T& operandOrNull(std::span<const T> operands, std::size_t port)
{
    static const T null;
    return port < operands.size() ? operands[port] : null;
}

inline std::string plainName(std::string_view op, Isa isa)
{
    return std::string(op) + " plain " + std::string(isaName(isa));
}

// The shape that arrives at a weight-like port is the one the parameters ask for.
inline Status checkWeight(std::string_view port, const Shape& got, const Shape& expected, std::string_view meaning)
{
    if (got == expected)
        return success();
    return Error{"shape-weight",
                 {},
                 "port " + std::string(port) + " has shape " + got.text() + " and needs " + expected.text() + " " +
                     std::string(meaning),
                 "wire a tensor of that shape, or change the parameters"};
}

} // namespace engine::contraction
