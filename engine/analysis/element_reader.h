// Reads any tensor in blocks as exact real numbers: hi, and lo only where a 64-bit integer needs it (or a
// double-double has it). The passes of the analysis see nothing else of a dtype.
#pragma once

#include "engine/analysis/chunks.h"
#include "engine/model/tensor.h"

namespace engine {

struct RealSpan {
    const double* hi = nullptr;
    const double* lo = nullptr; // null: all zero
};
struct alignas(64) RealRoom {
    double hi[kBlock];
    double lo[kBlock];
};

class ElementReader {
public:
    explicit ElementReader(const Tensor& t) : m_tensor(&t) {}
    explicit ElementReader(const DDTensor& t) : m_dd(&t) {}
    std::int64_t elements() const { return m_tensor ? m_tensor->elements() : m_dd->elements(); }
    // count <= kBlock. Points into the tensor where it already holds float64, else into room.
    RealSpan read(std::int64_t first, int count, RealRoom& room) const;

private:
    const Tensor* m_tensor = nullptr;
    const DDTensor* m_dd = nullptr;
};

} // namespace engine
