// A tensor's shape: row-major, up to 8 dimensions, each >= 0. Element counts are checked for overflow.
#pragma once

#include "engine/model/result.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace engine {

class Shape {
public:
    Shape() = default;
    Shape(std::initializer_list<std::int64_t> dims) : m_dims(dims) {}
    explicit Shape(std::vector<std::int64_t> dims) : m_dims(std::move(dims)) {}
    int rank() const { return static_cast<int>(m_dims.size()); }
    std::int64_t operator[](int i) const { return m_dims[static_cast<std::size_t>(i)]; }
    std::int64_t& operator[](int i) { return m_dims[static_cast<std::size_t>(i)]; }
    std::int64_t last() const { return m_dims.back(); }
    const std::vector<std::int64_t>& dims() const { return m_dims; }
    // Product of the dimensions (1 for rank 0). Only for shapes that checkedElements accepted.
    std::int64_t elements() const;
    bool operator==(const Shape&) const = default;
    std::string text() const; // "[32, 28, 28, 1]"

private:
    std::vector<std::int64_t> m_dims;
};

inline constexpr int kMaxRank = 8;
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

// Element count, or an error where a dimension is negative, the rank is above kMaxRank, or the
// product passes kMaxElements.
Result<std::int64_t> checkedElements(const Shape& shape);

// NumPy broadcasting of two shapes.
Result<Shape> broadcast(const Shape& a, const Shape& b);

} // namespace engine
