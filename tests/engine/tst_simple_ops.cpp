// add, bias_add and the ops that only move values: sums against exact arithmetic rounded by this test, shapes
// against written ones, shared bytes, and the message of every refusal.
#include "engine/ops/ops.h"
#include "tests/support/op_harness.h"

#include <QtTest/QtTest>

#include <cmath>
#include <random>

using namespace engine;
using namespace support;

namespace {

constexpr DType kFloats[]{DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3fn, DType::e5m2};

// Nearest even by scaling to integers; x must be exact in float64.
double rounded(double x, DType dtype)
{
    const DTypeFacts& f = facts(dtype);
    if (x == 0 || !std::isfinite(x))
        return x;
    const int exponent = std::max(std::ilogb(x), f.minExponent);
    const double y = std::ldexp(std::nearbyint(std::ldexp(x, f.fractionBits - exponent)), exponent - f.fractionBits);
    if (std::abs(y) <= f.maxFinite)
        return y;
    return f.hasInfinity ? std::copysign(INFINITY, x) : static_cast<double>(NAN);
}

bool same(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

Result<Shape> shapeOf(const OpSpec& spec, const std::string& params, const std::vector<Shape>& operands)
{
    const Result<Params> p = paramsOf(spec, params);
    return p ? spec.inferShape(*p, present(operands)) : p.error();
}

Tensor cpuOf(const OpSpec& spec, const std::string& params, DType dtype, const std::vector<Tensor>& operands)
{
    const Result<Params> p = paramsOf(spec, params);
    const Result<Tensor> t = p ? runCpu(spec, *p, {dtype, dtype}, operands) : Result<Tensor>(p.error());
    return t ? *t : Tensor();
}

DDTensor referenceOf(const OpSpec& spec, const std::string& params, const std::vector<DDTensor>& operands)
{
    const Result<Params> p = paramsOf(spec, params);
    const Result<ReferenceResult> t = p ? runReference(spec, *p, operands) : Result<ReferenceResult>(p.error());
    return t ? t->value : DDTensor();
}

std::vector<double> counted(std::int64_t count, double first = 1)
{
    std::vector<double> v(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = first + static_cast<double>(i);
    return v;
}

} // namespace

class TestSimpleOps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Operands of at most 11 bits and exponents within 40 of each other: their sum is exact in float64.
    void sumsRoundOnce()
    {
        std::mt19937_64 random(5);
        for (DType dtype : kFloats) {
            const DTypeFacts& f = facts(dtype);
            std::vector<double> a, b;
            for (int i = 0; i < 20000; ++i) {
                const int low = std::max(f.minExponent - f.fractionBits, -20);
                const int high = std::min(f.maxExponent, 20);
                const auto draw = [&] {
                    const int exponent = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
                    const double m = 1 + std::ldexp(static_cast<double>(random() % 1024), -10);
                    const double v = rounded(std::ldexp(random() % 2 ? m : -m, exponent), dtype);
                    return std::isfinite(v) ? v : f.maxFinite;
                };
                a.push_back(draw());
                b.push_back(draw());
            }
            const Shape shape{200, 100};
            const Tensor y = cpuOf(op_add, "{}", dtype, {tensorOf(dtype, shape, a), tensorOf(dtype, shape, b)});
            QCOMPARE(y.dtype(), dtype);
            for (std::size_t i = 0; i < a.size(); ++i) {
                const double got = elementAsDouble(y, static_cast<std::int64_t>(i));
                QVERIFY2(same(got, rounded(a[i] + b[i], dtype)),
                         qPrintable(QString("%1 + %2 gave %3").arg(a[i]).arg(b[i]).arg(got)));
            }
        }
    }

    void sumsOfSpecials()
    {
        for (DType dtype : kFloats) {
            const double big = facts(dtype).maxFinite, infinity = facts(dtype).hasInfinity ? INFINITY : NAN;
            const Shape shape{4};
            const Tensor y =
                cpuOf(op_add, "{}", dtype,
                      {tensorOf(dtype, shape, {-0.0, 0.0, big, NAN}), tensorOf(dtype, shape, {-0.0, -0.0, big, 1})});
            const std::vector<double> v = valuesOf(y);
            QVERIFY(same(v[0], -0.0) && same(v[1], 0.0) && same(v[2], infinity) && std::isnan(v[3]));
        }
    }

    void broadcasting_data()
    {
        QTest::addColumn<QList<int>>("a");
        QTest::addColumn<QList<int>>("b");
        QTest::newRow("row and column") << QList<int>{1, 3} << QList<int>{2, 1};
        QTest::newRow("scalar") << QList<int>{2, 3, 4} << QList<int>{};
        QTest::newRow("two scalars") << QList<int>{} << QList<int>{};
        QTest::newRow("middle") << QList<int>{2, 1, 5} << QList<int>{2, 7, 1};
        QTest::newRow("missing front") << QList<int>{3, 2, 5} << QList<int>{2, 5};
        QTest::newRow("four") << QList<int>{2, 1, 3, 1} << QList<int>{5, 1, 7};
        QTest::newRow("empty") << QList<int>{0, 3} << QList<int>{1, 3};
        QTest::newRow("large rows") << QList<int>{3, 20000} << QList<int>{3, 1};
        QTest::newRow("many rows") << QList<int>{30000, 2} << QList<int>{2};
    }
    void broadcasting()
    {
        QFETCH(QList<int>, a);
        QFETCH(QList<int>, b);
        const auto shapeFrom = [](const QList<int>& l) { return Shape(std::vector<std::int64_t>(l.begin(), l.end())); };
        const Shape sa = shapeFrom(a), sb = shapeFrom(b);
        const std::vector<double> va = counted(sa.elements()), vb = counted(sb.elements(), 0.5);
        const Tensor y = cpuOf(op_add, "{}", DType::f64, {tensorOf(DType::f64, sa, va), tensorOf(DType::f64, sb, vb)});
        const DDTensor r = referenceOf(op_add, "{}", {ddOf(sa, va), ddOf(sb, vb)});
        const Shape out = *shapeOf(op_add, "{}", {sa, sb});
        QVERIFY(y.shape() == out && r.shape() == out);
        // Element by element, from the multi-index.
        for (std::int64_t i = 0; i < out.elements(); ++i) {
            std::int64_t rest = i, ia = 0, ib = 0, stepA = 1, stepB = 1;
            for (int d = 1; d <= out.rank(); ++d) {
                const std::int64_t k = rest % out[out.rank() - d];
                rest /= out[out.rank() - d];
                if (d <= sa.rank()) {
                    ia += sa[sa.rank() - d] == 1 ? 0 : k * stepA;
                    stepA *= sa[sa.rank() - d];
                }
                if (d <= sb.rank()) {
                    ib += sb[sb.rank() - d] == 1 ? 0 : k * stepB;
                    stepB *= sb[sb.rank() - d];
                }
            }
            const double expected = va[static_cast<std::size_t>(ia)] + vb[static_cast<std::size_t>(ib)];
            QVERIFY(y.data<double>()[i] == expected);
            QVERIFY(r.hi()[i] == expected);
        }
    }

    void referenceKeepsBothParts()
    {
        const DDTensor r = referenceOf(op_add, "{}", {ddOf({2}, {1, 1}, {0, 0x1p-60}), ddOf({1}, {0x1p-80})});
        QVERIFY(r.hi()[0] == 1.0);
        QVERIFY(r.lo()[0] == 0x1p-80);
        QVERIFY(r.lo()[1] == 0x1p-60 + 0x1p-80);
        QVERIFY(!r.limited);
        QVERIFY(referenceOf(op_add, "{}", {ddOf({1}, {1.5e308}), ddOf({1}, {1.5e308})}).limited);
        const DDTensor infinite = referenceOf(op_add, "{}", {ddOf({1}, {INFINITY}), ddOf({1}, {1})});
        QVERIFY(std::isinf(infinite.hi()[0]) && infinite.lo()[0] == 0 && !infinite.limited);
    }

    void biasGoesToItsChannels()
    {
        const std::vector<double> zero(24, 0.0), bias{1, 2, 3, 4};
        const auto sum = [&](const std::string& params, const Shape& in, std::size_t channels) {
            const std::vector<double> b(bias.begin(), bias.begin() + static_cast<std::ptrdiff_t>(channels));
            const Shape biasShape{static_cast<std::int64_t>(channels)};
            const std::vector<double> v = valuesOf(cpuOf(
                op_bias_add, params, DType::f16, {tensorOf(DType::f16, in, zero), tensorOf(DType::f16, biasShape, b)}));
            const std::vector<double> r =
                valuesOf(referenceOf(op_bias_add, params, {ddOf(in, zero), ddOf(biasShape, b)}));
            return v == r ? v : std::vector<double>{};
        };
        std::vector<double> last, first;
        for (int i = 0; i < 24; ++i) {
            last.push_back(1 + i % 4);
            first.push_back(1 + i / 4 % 3);
        }
        QCOMPARE(sum("{}", {2, 3, 4}, 4), last);
        QCOMPARE(sum(R"({"data_format": "channels_first"})", {2, 3, 4}, 3), first);
        QCOMPARE(sum(R"({"data_format": "channels_first"})", {2, 3, 2, 2}, 3), first);
    }

    void shapes_data()
    {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("params");
        QTest::addColumn<QString>("in");
        QTest::addColumn<QString>("out"); // or a part of the message
        const auto row = [](const char* op, const char* params, const char* in, const char* out) {
            QTest::newRow(qPrintable(QString("%1 %2 %3").arg(op, params, in))) << op << params << in << out;
        };
        row("flatten", "{}", "[2, 3, 4]", "[2, 12]");
        row("flatten", "{}", "[5]", "[5, 1]");
        row("flatten", R"({"axis": 0})", "[2, 3]", "[1, 6]");
        row("flatten", R"({"axis": 0})", "[]", "[1, 1]");
        row("flatten", R"({"axis": -1})", "[2, 3, 4]", "[6, 4]");
        row("flatten", R"({"axis": 3})", "[2, 3, 4]", "[24, 1]");
        row("flatten", R"({"axis": 4})", "[2, 3, 4]", "axis 4 does not exist in shape [2, 3, 4]");
        row("flatten", "{}", "[]", "axis 1 does not exist in shape []");
        row("flatten", R"({"axis": 2, "data_format": "channels_first"})", "[2, 3, 4]", "needs axis 1 and has axis 2");
        row("reshape", R"({"shape": [0, -1]})", "[2, 3, 4]", "[2, 12]");
        row("reshape", R"({"shape": []})", "[1, 1]", "[]");
        row("reshape", R"({"shape": [4, 6, 1]})", "[2, 12]", "[4, 6, 1]");
        row("reshape", R"({"shape": [0, 5]})", "[0, 3]", "[0, 5]");
        row("reshape", R"({"shape": [-1, 5]})", "[2, 3]", "[2, 3] has 6 elements, which shape [-1, 5] cannot hold");
        row("reshape", R"({"shape": [7]})", "[2, 3]", "choose dimensions whose product is 6");
        row("reshape", R"({"shape": [-1, -1]})", "[2, 3]", "more than one -1");
        row("reshape", R"({"shape": [1, 1, 0]})", "[2, 3]", "copies dimension 2, which [2, 3] does not have");
        row("reshape", R"({"shape": [0, -1]})", "[0, 3]", "cannot hold");
        row("reshape", R"({"shape": [1000000000000, 1000000000000, -1]})", "[2, 3]", "more than 2^40 elements");
        row("input", R"({"shape": [32, 28, 28, 1]})", "", "[32, 28, 28, 1]");
        row("input", R"({"shape": [-1, 2]})", "", "leaves a dimension to an array");
        row("weights", R"({"shape": [1000000, 10000000]})", "", "more than 2^40 elements");
    }
    void shapes()
    {
        QFETCH(QString, op);
        QFETCH(QString, params);
        QFETCH(QString, in);
        QFETCH(QString, out);
        const OpSpec* specs[]{&op_flatten, &op_reshape, &op_input, &op_weights};
        const auto spec = std::find_if(std::begin(specs), std::end(specs),
                                       [&](const OpSpec* s) { return s->name == std::string_view(op.toStdString()); });
        std::vector<Shape> operands;
        if (!in.isEmpty())
            operands.push_back(Shape(nlohmann::json::parse(in.toStdString()).get<std::vector<std::int64_t>>()));
        const Result<Shape> shape = shapeOf(**spec, params.toStdString(), operands);
        const std::string got = shape ? shape->text() : shape.error().text();
        if (out.startsWith("["))
            QVERIFY2(shape.ok() || got.find(out.toStdString()) != std::string::npos, got.c_str());
        QVERIFY2(shape.ok() ? got == out.toStdString() : got.find(out.toStdString()) != std::string::npos, got.c_str());
    }

    void operandsAreRefused()
    {
        QVERIFY(shapeOf(op_add, "{}", {{2, 3}, {4}}).error().message.find("[2, 3] and [4]") != std::string::npos);
        QCOMPARE(shapeOf(op_add, "{}", {{2, 3}}).error().code, std::string("port-missing"));
        QCOMPARE(shapeOf(op_identity, "{}", {}).error().code, std::string("port-missing"));
        QCOMPARE(shapeOf(op_add, "{}", {{1 << 30, 1}, {1 << 30}}).error().code, std::string("shape-overflow"));
        const Error bias = shapeOf(op_bias_add, "{}", {{2, 3}, {4}}).error();
        QCOMPARE(bias.message,
                 std::string("the bias has shape [4] and the input [2, 3] with 3 channels (channels_last)"));
        QCOMPARE(bias.remedy, std::string("give a bias of shape [3]"));
        QCOMPARE(shapeOf(op_bias_add, "{}", {{3}, {3}}).error().code, std::string("shape-rank"));
        QVERIFY(!shapeOf(op_bias_add, "{}", {{2, 3}, {1, 3}}).ok());
    }

    void movesShareTheirBytes()
    {
        for (const DTypeFacts& f : allDTypes()) {
            if (!f.isStorage)
                continue;
            const Tensor x = tensorOf(f.dtype, {2, 3, 2}, {1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0});
            for (const OpSpec* spec : {&op_identity, &op_dropout, &op_cast, &op_output, &op_flatten, &op_reshape}) {
                const Tensor y = cpuOf(*spec, "{}", f.dtype, {x});
                QVERIFY(y.sharesBytesWith(x));
                QCOMPARE(y.dtype(), f.dtype);
            }
            // [n, c, s] to [n, s, c]: 1 0 | 1 1 | 0 0 becomes 1 1 0 | 0 1 0.
            const Tensor moved = cpuOf(op_flatten, R"({"data_format": "channels_first"})", f.dtype, {x});
            QVERIFY(moved.shape() == (Shape{2, 6}));
            QCOMPARE(valuesOf(moved), (std::vector<double>{1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0}));
        }
        const DDTensor r = ddOf({1, 2, 2, 1}, {1, 2, 3, 4}, {0x1p-60, 0x1p-59, 0x1p-58, 0x1p-57});
        QVERIFY(referenceOf(op_identity, "{}", {r}).sharesWith(r));
        QVERIFY(referenceOf(op_reshape, "{}", {r}).sharesWith(r));
        const DDTensor moved = referenceOf(op_flatten, R"({"data_format": "channels_first"})", {r});
        QCOMPARE(valuesOf(moved), (std::vector<double>{1, 3, 2, 4}));
        QVERIFY(moved.lo()[1] == 0x1p-58);
    }

    void castKnowsEveryStorageDtype()
    {
        std::vector<std::string_view> names;
        for (const DTypeFacts& f : allDTypes())
            if (f.isStorage)
                names.push_back(f.name);
        const std::span<const std::string_view> choices = op_cast.params[0].choices;
        QVERIFY(std::vector<std::string_view>(choices.begin(), choices.end()) == names);
    }
};

QTEST_GUILESS_MAIN(TestSimpleOps)
#include "tst_simple_ops.moc"
