// What the tests of softmax and batch_normalization share.
#pragma once

#include "tests/support/op_harness.h"

#include <random>

namespace support {

inline constexpr engine::ComputePair kHalf{engine::DType::f16, engine::DType::f16};
inline constexpr engine::ComputePair kBrain{engine::DType::bf16, engine::DType::bf16};
inline constexpr engine::ComputePair kFloat{engine::DType::f32, engine::DType::f32};
inline constexpr engine::ComputePair kDouble{engine::DType::f64, engine::DType::f64};

inline std::vector<engine::ComputePair> reductionPairs()
{
    std::vector<engine::ComputePair> pairs;
    for (engine::ComputePair p : engine::computePairs())
        if (engine::pairAllowed(engine::PairSet::Reduction, p))
            pairs.push_back(p);
    return pairs;
}

// Uniform in (-size, size).
inline std::vector<double> randoms(std::int64_t count, double size, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::vector<double> v(static_cast<std::size_t>(count));
    for (double& x : v)
        x = (static_cast<double>(random() >> 11) * 0x1p-52 - 1) * size;
    return v;
}

// The values of a record's CPU result; none if it failed.
inline std::vector<double> cpuValues(const engine::OpSpec& spec, std::string_view json, engine::ComputePair pair,
                                     const std::vector<engine::Tensor>& operands)
{
    const auto y = runCpu(spec, paramsOf(spec, json).value(), pair, operands);
    return y ? valuesOf(*y) : std::vector<double>{};
}

// The inferred shape, or the error's text.
inline std::variant<engine::Shape, std::string> shapeOrText(const engine::OpSpec& spec, std::string_view json,
                                                            const std::vector<engine::Shape>& shapes)
{
    const auto y = spec.inferShape(paramsOf(spec, json).value(), present(shapes));
    if (y)
        return *y;
    return y.error().text();
}

// Whether every example of the record is its reference's result, to the last bit.
inline bool examplesAgree(const engine::OpSpec& spec)
{
    const std::vector<engine::OpExample> examples = spec.examples();
    return !examples.empty() && std::all_of(examples.begin(), examples.end(), [&spec](const engine::OpExample& e) {
        std::vector<engine::DDTensor> operands;
        for (std::size_t i = 0; i < e.shapes.size(); ++i)
            operands.push_back(ddOf(e.shapes[i], e.values[i]));
        const auto r = runReference(spec, paramsOf(spec, e.params).value(), operands);
        return r.ok() && valuesOf(r->value) == e.expected;
    });
}

} // namespace support
