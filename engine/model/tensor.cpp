#include "engine/model/tensor.h"

#include <atomic>
#include <cstring>
#include <new>

namespace engine {

namespace {

constexpr std::size_t kAlignment = 64;
std::atomic<int> poisonDepth{0};

template <class T> std::shared_ptr<T[]> alignedArray(std::int64_t count)
{
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    // At least one cache line, so that an empty tensor still has an address.
    void* p = ::operator new[](bytes < kAlignment ? kAlignment : bytes, std::align_val_t{kAlignment});
    if (poisonDepth.load(std::memory_order_relaxed) > 0)
        std::memset(p, 0xFF, bytes);
    return std::shared_ptr<T[]>(static_cast<T*>(p), [](T* q) { ::operator delete[](q, std::align_val_t{kAlignment}); });
}

} // namespace

ScopedPoison::ScopedPoison()
{
    ++poisonDepth;
}
ScopedPoison::~ScopedPoison()
{
    --poisonDepth;
}

Tensor Tensor::allocate(DType dtype, Shape shape)
{
    Tensor t;
    t.m_dtype = dtype;
    t.m_elements = shape.elements();
    t.m_shape = std::move(shape);
    t.m_bytes = alignedArray<std::byte>(t.m_elements * facts(dtype).bytes);
    return t;
}

Tensor Tensor::reshaped(Shape shape) const
{
    assert(shape.elements() == m_elements);
    Tensor t = *this;
    t.m_shape = std::move(shape);
    return t;
}

Tensor Tensor::retyped(DType dtype) const
{
    assert(facts(dtype).bytes == facts(m_dtype).bytes);
    Tensor t = *this;
    t.m_dtype = dtype;
    return t;
}

DDTensor DDTensor::allocate(Shape shape, Lo lo)
{
    DDTensor t;
    t.m_elements = shape.elements();
    t.m_shape = std::move(shape);
    t.m_hi = alignedArray<double>(t.m_elements);
    if (lo == Lo::Present)
        t.m_lo = alignedArray<double>(t.m_elements);
    return t;
}

DDTensor DDTensor::reshaped(Shape shape) const
{
    assert(shape.elements() == m_elements);
    DDTensor t = *this;
    t.m_shape = std::move(shape);
    return t;
}

} // namespace engine
