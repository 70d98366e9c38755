// One call that checks an op's shape rule, float64 kernel and reference against values that are exact in float64.
#pragma once

#include "engine/ops/ops.h"
#include "tests/support/op_harness.h"

#include <QtTest/QtTest>

#include <cmath>
#include <limits>

namespace support {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr engine::ComputePair kF64{engine::DType::f64, engine::DType::f64};

using Values = std::vector<double>;

inline Values ramp(int first, int last)
{
    Values v;
    for (int i = first; i <= last; ++i)
        v.push_back(i);
    return v;
}

inline bool same(const Values& a, const Values& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

inline std::string text(const Values& v)
{
    std::string t;
    for (double d : v)
        t += std::to_string(d) + " ";
    return t;
}

struct Operand {
    engine::Shape shape;
    Values values;
};

// The op in float64 and in double-double; both must give `shape` and `expected` (exactly representable values).
inline void verify(const engine::OpSpec& spec, const char* json, const std::vector<Operand>& operands,
                   const engine::Shape& shape, const Values& expected)
{
    const engine::Result<engine::Params> params = paramsOf(spec, json);
    QVERIFY2(params.ok(), params.ok() ? "" : params.error().text().c_str());
    std::vector<std::optional<engine::Shape>> shapes;
    std::vector<engine::Tensor> tensors;
    std::vector<engine::DDTensor> wide;
    for (const Operand& o : operands) {
        shapes.push_back(o.shape);
        tensors.push_back(tensorOf(engine::DType::f64, o.shape, o.values));
        wide.push_back(ddOf(o.shape, o.values));
    }
    const engine::Result<engine::Shape> inferred = spec.inferShape(*params, shapes);
    QVERIFY2(inferred.ok(), inferred.ok() ? "" : inferred.error().text().c_str());
    QCOMPARE(inferred->text(), shape.text());
    const engine::Result<engine::Tensor> y = runCpu(spec, *params, kF64, tensors);
    QVERIFY(y.ok() && y->shape() == shape);
    QVERIFY2(same(valuesOf(*y), expected), text(valuesOf(*y)).c_str());
    const engine::Result<engine::ReferenceResult> r = runReference(spec, *params, wide);
    QVERIFY(r.ok() && r->value.shape() == shape && !r->value.limited);
    QVERIFY2(same(valuesOf(r->value), expected), text(valuesOf(r->value)).c_str());
}

inline engine::Error refusal(const engine::OpSpec& spec, const char* json, const std::vector<engine::Shape>& shapes)
{
    const engine::Result<engine::Params> params = paramsOf(spec, json);
    if (!params)
        return params.error();
    const engine::Result<engine::Shape> shape = spec.inferShape(*params, present(shapes));
    return shape ? engine::Error{"accepted", {}, shape->text(), "nothing"} : shape.error();
}

} // namespace support
