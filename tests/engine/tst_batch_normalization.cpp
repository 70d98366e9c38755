// batch_normalization: every pair within a bound derived from its roundings, and the cases that tell a folded,
// fused or once-rounded evaluation, a wrong axis or an unrounded epsilon from the right one.
#include "engine/ops/ops.h"
#include "tests/support/reductions.h"
#include "tests/support/two_threads.h"

#include <QtTest/QtTest>

#include <cmath>
#include <cstring>

using engine::ComputePair;
using engine::DDTensor;
using engine::DType;
using engine::OpSpec;
using engine::Params;
using engine::Shape;
using engine::Tensor;
using support::kBrain, support::kDouble, support::kFloat, support::kHalf, support::randoms;

namespace {

const double kInfinity = std::numeric_limits<double>::infinity();

// Scale, offset, mean, variance of one channel; NaN stands for an absent operand.
std::vector<double> normalized(ComputePair pair, const char* json, const std::vector<double>& x,
                               const std::vector<double>& statistics)
{
    std::vector<Tensor> operands{support::tensorOf(pair.multiply, Shape{static_cast<std::int64_t>(x.size()), 1}, x)};
    for (double v : statistics)
        operands.push_back(std::isnan(v) ? Tensor{} : support::tensorOf(pair.multiply, Shape{1}, {v}));
    return support::cpuValues(engine::op_batch_normalization, json, pair, operands);
}

Params normParams(const char* json)
{
    return support::paramsOf(engine::op_batch_normalization, json).value();
}

} // namespace

class TestBatchNormalization : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withinItsBound();
    void roundsEveryOperation();
    void epsilonIsAWeight();
    void specialValues();
    void limited();
    void axesAndPorts();
    void shapesRefused();
    void anyThreadCountAndStop();
    void examples();
};

// With u of the accumulate dtype and exact operands: the factor g / sqrt(v + e) is off by (1 + u)^2.5 at most, the
// difference and the product by u each, the sum by u of the result.
void TestBatchNormalization::withinItsBound()
{
    const std::int64_t rows = 50, n = 7;
    for (ComputePair pair : support::reductionPairs()) {
        std::vector<Tensor> operands{support::tensorOf(pair.multiply, Shape{rows, n}, randoms(rows * n, 8, 1))};
        for (unsigned seed = 2; seed <= 5; ++seed) {
            std::vector<double> v = randoms(n, 2, seed);
            if (seed == 5)
                for (double& x : v)
                    x = x * x + 0.25;
            operands.push_back(support::tensorOf(pair.multiply, Shape{n}, v));
        }
        const std::vector<double> y =
            support::cpuValues(engine::op_batch_normalization, R"({"epsilon": 0.125})", pair, operands);
        QCOMPARE(y.size(), static_cast<std::size_t>(rows * n));
        std::vector<std::vector<double>> stored;
        for (const Tensor& t : operands)
            stored.push_back(support::valuesOf(t));
        const auto u = static_cast<long double>(engine::unitRoundoff(pair.accumulate));
        const auto eta = static_cast<long double>(engine::facts(pair.accumulate).minSubnormal);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const std::size_t c = i % n;
            const auto value = [&](std::size_t port, std::size_t at) {
                return static_cast<long double>(stored[port][at]);
            };
            const long double factor = value(1, c) / std::sqrt(value(4, c) + 0.125L);
            const long double product = (value(0, i) - value(3, c)) * factor;
            const long double exact = product + value(2, c);
            const long double productOff = std::pow(1 + u, 4.5L) - 1 + 0x1p-60L;
            const long double bound = std::fabs(product) * productOff * (1 + u) + std::fabs(exact) * u +
                                      (std::fabs(value(0, i) - value(3, c)) + 2) * eta;
            QVERIFY2(std::fabs(static_cast<long double>(y[i]) - exact) <= bound, pair.text().c_str());
        }
    }
}

void TestBatchNormalization::roundsEveryOperation()
{
    // Float16: sqrt 3 = 1774/1024 rounded, its inverse 1182/2048, three times that is 1773/1024; rounded once, and not
    // at every step, 3 / sqrt 3 would give 1774/1024.
    const std::vector<double> channel{1, 0, 0, 3};
    QCOMPARE(normalized(kHalf, R"({"epsilon": 0})", {3}, channel)[0], 1773.0 / 1024);
    // sqrt 17 is 4.125 rounded, whose inverse is 993 2^-12; the inverse of sqrt 17 is 993.5 2^-12.
    QCOMPARE(normalized(kHalf, R"({"epsilon": 0})", {1}, {1, 0, 0, 17})[0], 993 * 0x1p-12);
    // 2048 + 1 is 2048 rounded, its root 45.25 (that of 2049: 45.28125), the inverse 1448 2^-16 (1447 2^-16).
    QCOMPARE(normalized(kHalf, R"({"epsilon": 1})", {1}, {1, 0, 0, 2048})[0], 1448 * 0x1p-16);
    QCOMPARE(normalized({DType::f16, DType::f32}, R"({"epsilon": 0})", {3}, channel)[0],
             static_cast<double>(3.0f * (1.0f / std::sqrt(3.0f))));
    // Float32 and float64, step by step as the compiler's own arithmetic does it.
    const std::vector<double> x = randoms(500, 9, 21), s = randoms(4, 1, 22);
    const float scale = static_cast<float>(s[0]), offset = static_cast<float>(s[1]), mean = static_cast<float>(s[2]),
                variance = static_cast<float>(s[3] * s[3]);
    const auto y = normalized(kFloat, "{}", x, {s[0], s[1], s[2], s[3] * s[3]});
    const auto z = normalized(kDouble, "{}", x, {s[0], s[1], s[2], s[3] * s[3]});
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float single = (static_cast<float>(x[i]) - mean) * (scale / std::sqrt(variance + 0.001f)) + offset;
        QCOMPARE(y[i], static_cast<double>(single));
        QVERIFY(z[i] == (x[i] - s[2]) * (s[0] / std::sqrt(s[3] * s[3] + 0.001)) + s[1]);
    }
}

void TestBatchNormalization::epsilonIsAWeight()
{
    // 0.001 is 2^-10 in float8_e5m2: 1 / sqrt(2^-10) = 32; and 2^-9 in float8_e4m3fn: 1 / sqrt(2^-9) = 22.6.
    const std::vector<double> channel{1, 0, 0, 0};
    QCOMPARE(normalized({DType::e5m2, DType::f32}, "{}", {1}, channel)[0], 32.0);
    QCOMPARE(normalized({DType::e4m3fn, DType::f32}, "{}", {1}, channel)[0],
             static_cast<double>(1.0f / std::sqrt(0x1p-9f)));
    // Exact in the reference.
    const auto r = support::runReference(
        engine::op_batch_normalization, normParams("{}"),
        {support::ddOf(Shape{1, 1}, {1}), {}, {}, support::ddOf(Shape{1}, {0}), support::ddOf(Shape{1}, {0})});
    const __float128 y = static_cast<__float128>(r->value.hi()[0]) + static_cast<__float128>(r->value.lo()[0]);
    const __float128 off = y * y * static_cast<__float128>(0.001) - 1;
    QVERIFY((off < 0 ? -off : off) < static_cast<__float128>(0x1p-98));
}

void TestBatchNormalization::specialValues()
{
    const char* none = R"({"epsilon": 0})";
    for (ComputePair pair : {kDouble, kFloat, kHalf, kBrain}) {
        const auto negative = normalized(pair, none, {1, 0}, {1, 0, 0, -1});
        QVERIFY(std::isnan(negative[0]) && std::isnan(negative[1]));
        const auto zero = normalized(pair, none, {1, 0, -1}, {1, 0, 0, 0}); // a factor of infinity
        QVERIFY(zero[0] == kInfinity && std::isnan(zero[1]) && zero[2] == -kInfinity);
        const auto flows = normalized(pair, none, {std::nan(""), kInfinity, 3}, {1, 0.5, 1, 4});
        QVERIFY(std::isnan(flows[0]) && flows[1] == kInfinity && flows[2] == 1.5);
    }
    // A subnormal result is kept.
    QCOMPARE(normalized(kFloat, none, {0x1p-75}, {0x1p-73, 0, 0, 1})[0], 0x1p-148);
}

void TestBatchNormalization::axesAndPorts()
{
    const OpSpec& spec = engine::op_batch_normalization;
    // Channels first: x[n, c, h] = 100 n + 10 c + h, mean 10 c, so that the channel vanishes.
    std::vector<double> x, expected;
    for (int n = 0; n < 2; ++n)
        for (int c = 0; c < 3; ++c)
            for (int h = 0; h < 4; ++h) {
                x.push_back(100 * n + 10 * c + h);
                expected.push_back(100 * n + h + 1000 * c);
            }
    const std::vector<Tensor> operands{support::tensorOf(DType::f64, Shape{2, 3, 4}, x), Tensor{},
                                       support::tensorOf(DType::f64, Shape{3}, {0, 1000, 2000}),
                                       support::tensorOf(DType::f64, Shape{3}, {0, 10, 20}),
                                       support::tensorOf(DType::f64, Shape{3}, {1, 1, 1})};
    const char* json = R"({"axis": 1, "epsilon": 0, "use_scale": false})";
    QCOMPARE(support::cpuValues(spec, json, kDouble, operands), expected);
    std::vector<DDTensor> exact;
    for (const Tensor& t : operands)
        exact.push_back(t.isNull() ? DDTensor{} : engine::widen(t, engine::SerialExec()));
    QCOMPARE(support::valuesOf(support::runReference(spec, normParams(json), exact)->value), expected);

    const Params p = normParams(json);
    const Shape shape{2, 3, 4};
    QVERIFY(spec.weightShape(p, std::span(&shape, 1), engine::portIndex(spec, "mean")).value() == Shape{3});
    QVERIFY(!spec.portPresent(p, engine::portIndex(spec, "scale")));
    QVERIFY(spec.portPresent(p, engine::portIndex(spec, "offset")));
    QVERIFY(spec.portPresent(p, engine::portIndex(spec, "variance")));
    for (const engine::PortSpec& port : spec.ports)
        QCOMPARE(port.role == engine::PortRole::Statistic, port.source == port.name);
}

void TestBatchNormalization::limited()
{
    const auto limited = [](double x, double scale, double variance) {
        const auto one = [](double v) { return support::ddOf(Shape{1}, {v}); };
        return support::runReference(engine::op_batch_normalization, normParams(R"({"epsilon": 0})"),
                                     {support::ddOf(Shape{1, 1}, {x}), one(scale), one(0), one(0), one(variance)})
            ->value.limited;
    };
    QVERIFY(!limited(1, 1, 4));
    QVERIFY(!limited(0, 1, 4) && !limited(1, 0, 4));
    QVERIFY(limited(1e-200, 1e-100, 4)); // the product
    QVERIFY(limited(1e-200, 1e-200, 4)); // it underflows to zero
    QVERIFY(limited(1, 1, 1e-300));      // the variance's own low part
    QVERIFY(limited(1e200, 1e200, 4));   // an overflow
    QVERIFY(!limited(kInfinity, 1, 4));
}

void TestBatchNormalization::shapesRefused()
{
    const auto shapeOrText = [](const char* json, const std::vector<Shape>& shapes) {
        return support::shapeOrText(engine::op_batch_normalization, json, shapes);
    };
    QVERIFY(std::get<Shape>(shapeOrText("{}", {{2, 3}, {3}, {3}, {3}, {3}})) == (Shape{2, 3}));
    const std::string text = std::get<std::string>(shapeOrText("{}", {{2, 3}, {3}, {3}, {2}, {3}}));
    for (const char* part : {"mean", "[2]", "[2, 3]", "[3]"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    QVERIFY(std::holds_alternative<std::string>(shapeOrText(R"({"axis": 2})", {{2, 3}, {3}, {3}, {3}, {3}})));
    const std::vector<std::optional<Shape>> nothing(5);
    QVERIFY(!engine::op_batch_normalization.inferShape(normParams("{}"), nothing).ok());
}

void TestBatchNormalization::anyThreadCountAndStop()
{
    const std::int64_t rows = 20000, n = 11;
    std::vector<Tensor> operands{support::tensorOf(DType::f32, Shape{rows, n}, randoms(rows * n, 5, 3))};
    for (unsigned seed = 0; seed < 4; ++seed)
        operands.push_back(support::tensorOf(DType::f32, Shape{n}, std::vector<double>(n, 0.5 + seed)));
    const OpSpec& spec = engine::op_batch_normalization;
    const Params p = support::paramsOf(spec, "{}").value();
    const auto one = spec.cpu({p, operands, kFloat, engine::SerialExec()});
    const auto two = spec.cpu({p, operands, kFloat, support::TwoThreads()});
    QVERIFY(one.ok() && two.ok());
    QVERIFY(std::memcmp(one->raw(), two->raw(), static_cast<std::size_t>(one->bytes())) == 0);
    const auto stopped = spec.cpu({p, operands, kFloat, support::Stopped()});
    QVERIFY(!stopped.ok() && stopped.error().code == "stopped");
    QVERIFY(!engine::pairAllowed(spec.pairs, {DType::i32, DType::i32}));
    QVERIFY(!engine::pairAllowed(spec.pairs, {DType::tf32, DType::f32}));
}

void TestBatchNormalization::examples()
{
    QVERIFY(support::examplesAgree(engine::op_batch_normalization));
}

QTEST_GUILESS_MAIN(TestBatchNormalization)
#include "tst_batch_normalization.moc"
