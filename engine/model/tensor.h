// Immutable values that cross threads. A Tensor is a dtype, a shape and shared bytes; a DDTensor is
// the double-double twin used for source values and the reference. Copies share; only the maker,
// while it is the sole owner, writes.
#pragma once

#include "engine/model/dtype.h"
#include "engine/model/shape.h"

#include <cassert>
#include <cstddef>
#include <memory>
#include <span>

namespace engine {

// While one lives, new tensors are filled with a pattern that is NaN in every float, so that an element which a
// kernel forgets shows itself. For `check` and tests.
class ScopedPoison {
public:
    ScopedPoison();
    ~ScopedPoison();
    ScopedPoison(const ScopedPoison&) = delete;
    ScopedPoison& operator=(const ScopedPoison&) = delete;
};

class Tensor {
public:
    Tensor() = default;
    // Uninitialised storage, 64-byte aligned. tf32 is stored as float32.
    static Tensor allocate(DType dtype, Shape shape);

    bool isNull() const { return !m_bytes; }
    DType dtype() const { return m_dtype; }
    const Shape& shape() const { return m_shape; }
    std::int64_t elements() const { return m_elements; }
    std::int64_t bytes() const { return m_elements * facts(m_dtype).bytes; }
    const std::byte* raw() const { return m_bytes.get(); }
    std::byte* mutableRaw()
    {
        assert(m_bytes.use_count() <= 1);
        return m_bytes.get();
    }
    template <class T> const T* data() const { return reinterpret_cast<const T*>(m_bytes.get()); }
    template <class T> T* mutableData() { return reinterpret_cast<T*>(mutableRaw()); }
    Tensor reshaped(Shape shape) const; // same elements, shared bytes
    Tensor retyped(DType dtype) const;  // same bytes, same element size, another label
    bool sharesBytesWith(const Tensor& o) const { return m_bytes == o.m_bytes; }

private:
    DType m_dtype = DType::f64;
    Shape m_shape;
    std::int64_t m_elements = 0;
    std::shared_ptr<std::byte[]> m_bytes;
};

// hi + lo, |lo| <= ulp(hi)/2. lo may be absent (null): all zero. A non-finite hi has lo = 0.
class DDTensor {
public:
    enum class Lo { Absent, Present };
    DDTensor() = default;
    static DDTensor allocate(Shape shape, Lo lo); // uninitialised

    bool isNull() const { return !m_hi; }
    const Shape& shape() const { return m_shape; }
    std::int64_t elements() const { return m_elements; }
    bool hasLo() const { return m_lo != nullptr; }
    const double* hi() const { return m_hi.get(); }
    const double* lo() const { return m_lo.get(); } // null when absent
    double* mutableHi() { return m_hi.get(); }
    double* mutableLo() { return m_lo.get(); }
    DDTensor reshaped(Shape shape) const;
    bool sharesWith(const DDTensor& o) const { return m_hi == o.m_hi && m_lo == o.m_lo; }
    std::int64_t bytes() const { return m_elements * (m_lo ? 16 : 8); }
    // A product or function value lay below 2^-960, or a partial sum overflowed: see design 3.4.
    bool limited = false;

private:
    Shape m_shape;
    std::int64_t m_elements = 0;
    std::shared_ptr<double[]> m_hi, m_lo;
};

} // namespace engine
