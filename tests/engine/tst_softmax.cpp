// softmax: every pair within a bound derived from its roundings, and the cases that tell a wrong order, accumulator or
// axis from the right one.
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

Params softmaxParams(const char* json)
{
    return support::paramsOf(engine::op_softmax, json).value();
}

std::vector<double> softmax(ComputePair pair, const Shape& shape, const std::vector<double>& x, const char* json = "{}")
{
    return support::cpuValues(engine::op_softmax, json, pair, {support::tensorOf(pair.multiply, shape, x)});
}

} // namespace

class TestSoftmax : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withinItsBound();
    void sumsInOrderInTheAccumulator();
    void axes();
    void specialValues();
    void limited();
    void shapesRefused();
    void anyThreadCountAndStop();
    void examples();
};

// With u and eta of the accumulate dtype: the difference d has relative error u, so exp(d) has exp(|d| u), and its own
// rounding (float64: 2 ulp, 4 u); n - 1 additions and the division add u each; below the normal range every value may
// be off by eta/2, and the sum is at least 1.
void TestSoftmax::withinItsBound()
{
    const std::int64_t rows = 40, n = 13;
    for (ComputePair pair : support::reductionPairs()) {
        for (double size : {1.0, 6.0, 30.0}) {
            const Tensor x = support::tensorOf(pair.multiply, Shape{rows, n}, randoms(rows * n, size, 5));
            const std::vector<double> stored = support::valuesOf(x);
            const std::vector<double> y = support::cpuValues(engine::op_softmax, "{}", pair, {x});
            QCOMPARE(y.size(), stored.size());
            const double u = engine::unitRoundoff(pair.accumulate), eta = engine::facts(pair.accumulate).minSubnormal;
            const double ownExp = pair.accumulate == DType::f64 ? 4 * u : u + 0x1p-50;
            for (std::int64_t r = 0; r < rows; ++r) {
                const double* row = stored.data() + r * n;
                const double maximum = *std::max_element(row, row + n);
                long double sum = 0, farthest = 0;
                for (std::int64_t k = 0; k < n; ++k) {
                    sum += std::exp(static_cast<long double>(row[k]) - static_cast<long double>(maximum));
                    farthest = std::max(farthest, static_cast<long double>(maximum - row[k]));
                }
                const long double sumOff =
                    std::exp(farthest * static_cast<long double>(u)) * static_cast<long double>(1 + ownExp) *
                        std::pow(static_cast<long double>(1 + u), static_cast<long double>(n - 1)) -
                    1;
                for (std::int64_t k = 0; k < n; ++k) {
                    const long double d = static_cast<long double>(row[k]) - static_cast<long double>(maximum);
                    const long double exact = std::exp(d) / sum;
                    const long double off = std::exp(-d * static_cast<long double>(u)) *
                                                static_cast<long double>((1 + ownExp) * (1 + u)) / (1 - sumOff) -
                                            1;
                    const long double bound = exact * (off + 0x1p-60L * (1 - d)) +
                                              static_cast<long double>(n + 2) * static_cast<long double>(eta);
                    QVERIFY2(std::fabs(static_cast<long double>(y[static_cast<std::size_t>(r * n + k)]) - exact) <=
                                 bound,
                             qPrintable(QString::asprintf("%s size %g, row %d", pair.text().c_str(), size, int(r))));
                }
            }
        }
    }
}

void TestSoftmax::sumsInOrderInTheAccumulator()
{
    // Ones stop growing a float16 sum at 2048 and a bfloat16 sum at 256; float32 goes on.
    const std::vector<double> zeros(4096, 0.0);
    QCOMPARE(softmax(kHalf, Shape{4096}, zeros)[7], 1.0 / 2048);
    QCOMPARE(softmax({DType::f16, DType::f32}, Shape{4096}, zeros)[7], 1.0 / 4096);
    QCOMPARE(softmax(kBrain, Shape{300}, std::vector<double>(300, 0.0))[0], 1.0 / 256);
    QCOMPARE(softmax({DType::bf16, DType::f32}, Shape{300}, std::vector<double>(300, 0.0))[0],
             static_cast<double>(1.0f / 300.0f));
    QCOMPARE(softmax({DType::e4m3fn, DType::f16}, Shape{4096}, zeros)[7], 1.0 / 2048);
    // e^-7.625 = 4.881e-4 is less than half a step of float16 at 1: added to 1 it is lost, each time; two of them
    // before the 1 are not.
    QCOMPARE(softmax(kHalf, Shape{3}, {0, -7.625, -7.625})[0], 1.0);
    QCOMPARE(softmax(kHalf, Shape{3}, {-7.625, -7.625, 0})[2], 1.0 - 0x1p-10);
    // The difference is rounded too: 2^-7 - 5 is -5 in bfloat16, e^-5 = 221 2^-15, the sum 1 + 2^-7, and the quotient
    // 219.29 2^-15. From the exact difference it would be 221 2^-15.
    QCOMPARE(softmax(kBrain, Shape{2}, {0x1p-7, 5})[0], 219 * 0x1p-15);
}

void TestSoftmax::axes()
{
    const std::vector<double> x = randoms(2 * 3 * 4, 3, 11);
    const Shape shape{2, 3, 4};
    const auto middle = softmax(kDouble, shape, x, R"({"axis": 1})");
    QCOMPARE(softmax(kDouble, shape, x, R"({"axis": -2})"), middle);
    for (std::size_t outer = 0; outer < 2; ++outer)
        for (std::size_t inner = 0; inner < 4; ++inner) {
            std::vector<double> line, expected;
            for (std::size_t k = 0; k < 3; ++k) {
                line.push_back(x[outer * 12 + k * 4 + inner]);
                expected.push_back(middle[outer * 12 + k * 4 + inner]);
            }
            QCOMPARE(softmax(kDouble, Shape{3}, line), expected);
        }
    const auto reference =
        support::runReference(engine::op_softmax, softmaxParams(R"({"axis": 1})"), {support::ddOf(shape, x)});
    for (std::size_t i = 0; i < middle.size(); ++i)
        QVERIFY(std::fabs(reference->value.hi()[i] - middle[i]) <= 1e-15);
}

void TestSoftmax::specialValues()
{
    for (ComputePair pair : {kDouble, kFloat, kHalf, kBrain}) {
        const double nan = std::nan("");
        const auto y =
            softmax(pair, Shape{5, 2}, {nan, 1, 0, nan, -kInfinity, -kInfinity, kInfinity, 0, -kInfinity, 3});
        for (std::size_t i = 0; i < 8; ++i)
            QVERIFY(std::isnan(y[i]));
        QCOMPARE(y[8], 0.0); // the rows before do not spoil this one
        QCOMPARE(y[9], 1.0);
    }
    // The differences reach past the range of float16 and of float64: no NaN.
    QCOMPARE(softmax(kHalf, Shape{2}, {-65504, 65504}), (std::vector<double>{0, 1}));
    QCOMPARE(softmax(kDouble, Shape{2}, {1.7e308, -1.7e308}), (std::vector<double>{1, 0}));
    // A subnormal share: e^-100 is 26.55 of float32's smallest.
    QCOMPARE(softmax(kFloat, Shape{2}, {0, -100})[1], 27 * 0x1p-149);
    QVERIFY(softmax(kDouble, Shape{3, 0}, {}).empty());
}

void TestSoftmax::limited()
{
    const auto limited = [](const std::vector<double>& x) {
        return support::runReference(engine::op_softmax, softmaxParams("{}"), {support::ddOf(Shape{2}, x)})
            ->value.limited;
    };
    QVERIFY(!limited({0, -660}));
    QVERIFY(limited({0, -670}));
    QVERIFY(limited({0, -2000}));
    QVERIFY(!limited({0, -kInfinity}));
}

void TestSoftmax::shapesRefused()
{
    const auto shapeOrText = [](const char* json, const Shape& shape) {
        return support::shapeOrText(engine::op_softmax, json, {shape});
    };
    QVERIFY(std::get<Shape>(shapeOrText(R"({"axis": -3})", {2, 3, 4})) == (Shape{2, 3, 4}));
    const std::string text = std::get<std::string>(shapeOrText(R"({"axis": 3})", {2, 3, 4}));
    for (const char* part : {"axis 3", "[2, 3, 4]", "-3 to 2"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    QVERIFY(std::holds_alternative<std::string>(shapeOrText("{}", Shape{})));
}

void TestSoftmax::anyThreadCountAndStop()
{
    const std::int64_t rows = 20000, n = 11;
    std::vector<Tensor> operands{support::tensorOf(DType::f32, Shape{rows, n}, randoms(rows * n, 5, 3))};
    const OpSpec& spec = engine::op_softmax;
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

void TestSoftmax::examples()
{
    QVERIFY(support::examplesAgree(engine::op_softmax));
}

QTEST_GUILESS_MAIN(TestSoftmax)
#include "tst_softmax.moc"
