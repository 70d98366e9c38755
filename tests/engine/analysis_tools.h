// What the tests of engine/analysis share: tensors from bit patterns, and an executor that runs tasks on several
// threads in another order than the serial one.
#pragma once

#include "engine/model/exec.h"
#include "engine/model/tensor.h"

#include <atomic>
#include <bit>
#include <thread>
#include <vector>

namespace support {

class ScrambledExec final : public engine::Exec {
public:
    explicit ScrambledExec(int threads) : m_threads(threads) {}
    engine::Isa isa() const override { return engine::bestIsa(); }
    int threads() const override { return m_threads; }
    bool stopRequested() const override { return false; }
    bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const override
    {
        std::atomic<std::int64_t> next = 0;
        std::vector<std::thread> pool;
        for (int t = 0; t < m_threads; ++t)
            pool.emplace_back([&] {
                for (std::int64_t i = next++; i < tasks; i = next++)
                    body(tasks - 1 - i); // last first
            });
        for (std::thread& t : pool)
            t.join();
        return true;
    }

private:
    int m_threads;
};

// Codes are the bit patterns of the elements.
inline engine::Tensor tensorFromCodes(engine::DType dtype, const std::vector<std::uint64_t>& codes)
{
    const auto count = static_cast<std::int64_t>(codes.size());
    engine::Tensor t = engine::Tensor::allocate(dtype, engine::Shape{count});
    const int bytes = engine::facts(dtype).bytes;
    for (std::int64_t i = 0; i < count; ++i)
        for (int k = 0; k < bytes; ++k) // little endian
            t.mutableRaw()[i * bytes + k] = static_cast<std::byte>(codes[static_cast<std::size_t>(i)] >> (8 * k));
    return t;
}
template <class T>
engine::Tensor plainTensor(engine::DType dtype, const std::vector<T>& values, engine::Shape shape = {})
{
    if (shape.rank() == 0)
        shape = engine::Shape{static_cast<std::int64_t>(values.size())};
    engine::Tensor t = engine::Tensor::allocate(dtype, shape);
    std::copy(values.begin(), values.end(), t.mutableData<T>());
    return t;
}
inline engine::DDTensor realTensor(const std::vector<double>& hi, const std::vector<double>& lo = {},
                                   engine::Shape shape = {})
{
    using engine::DDTensor;
    if (shape.rank() == 0)
        shape = engine::Shape{static_cast<std::int64_t>(hi.size())};
    DDTensor t = DDTensor::allocate(shape, lo.empty() ? DDTensor::Lo::Absent : DDTensor::Lo::Present);
    std::copy(hi.begin(), hi.end(), t.mutableHi());
    if (!lo.empty())
        std::copy(lo.begin(), lo.end(), t.mutableLo());
    return t;
}

// |got - expected| <= relative |expected|; equal infinities.
inline bool isNear(double got, double expected, double relative)
{
    return got == expected || std::abs(got - expected) <= relative * std::abs(expected);
}

} // namespace support
