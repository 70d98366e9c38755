// The activation records: every one in every float dtype against its double-double reference (whose functions
// tst_functions checks), and what they do with NaN, infinities, zeros, subnormals and their parameters.
#include "engine/ops/ops.h"
#include "tests/support/op_harness.h"
#include "tests/support/two_threads.h"

#include <QtTest/QtTest>

#include <cmath>
#include <cstring>
#include <random>

using engine::ComputePair;
using engine::DDTensor;
using engine::DType;
using engine::OpSpec;
using engine::Params;
using engine::Shape;
using engine::Tensor;

namespace {

const double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr DType kFloats[]{DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3fn, DType::e5m2};

// alpha is a value of every dtype, so that rounding it changes nothing.
struct Activation {
    const OpSpec& spec;
    const char* params;
    // At -Inf, -0 and +Inf.
    double atMinus, atMinusZero, atPlus;
};
const Activation kActivations[]{
    {engine::op_relu, "{}", 0, -0.0, kInfinity},
    {engine::op_relu6, "{}", 0, -0.0, 6},
    {engine::op_leaky_relu, R"({"alpha": 0.25})", -kInfinity, -0.0, kInfinity},
    {engine::op_elu, R"({"alpha": 1.5})", -1.5, -0.0, kInfinity},
    {engine::op_selu, "{}", -1.7580993408473766, -0.0, kInfinity},
    {engine::op_gelu, "{}", -0.0, -0.0, kInfinity},
    {engine::op_gelu, R"({"approximate": "tanh"})", -0.0, -0.0, kInfinity},
    {engine::op_sigmoid, "{}", 0, 0.5, 1},
    {engine::op_tanh, "{}", -1, -0.0, 1},
    {engine::op_softplus, "{}", 0, 0.6931471805599453, kInfinity},
};

// All patterns of a dtype of up to 16 bits, else 40000 random ones: every exponent, NaN and infinities among them.
Tensor patterns(DType dtype)
{
    const int bytes = engine::facts(dtype).bytes;
    const std::int64_t count = bytes <= 2 ? std::int64_t{1} << (8 * bytes) : 40000;
    Tensor t = Tensor::allocate(dtype, Shape{count});
    std::mt19937_64 random(7);
    for (std::int64_t i = 0; i < count; ++i) {
        std::uint64_t bits = bytes <= 2 ? static_cast<std::uint64_t>(i) : random();
        // Every second one has an exponent near that of 1, where functions are interesting.
        if (bytes > 2 && i % 2 == 0) {
            const double x =
                std::ldexp(static_cast<double>(random() >> 11) * 0x1p-53 - 0.5, static_cast<int>(random() % 14) - 3);
            const float narrow = static_cast<float>(x);
            std::memcpy(&bits, bytes == 8 ? static_cast<const void*>(&x) : &narrow, static_cast<std::size_t>(bytes));
        }
        std::memcpy(t.mutableRaw() + i * bytes, &bits, static_cast<std::size_t>(bytes)); // little endian
    }
    return t;
}

Params params(const OpSpec& spec, const char* json)
{
    return support::paramsOf(spec, json).value();
}

double run(const OpSpec& spec, const char* json, DType dtype, double x)
{
    const Tensor t = support::tensorOf(dtype, Shape{1}, {x});
    const auto y = support::runCpu(spec, params(spec, json), {dtype, dtype}, {t});
    return y ? engine::elementAsDouble(*y, 0) : kNan;
}

bool isLimited(const OpSpec& spec, const char* json, double x)
{
    return support::runReference(spec, params(spec, json), {support::ddOf(Shape{1}, {x})})->value.limited;
}

bool sameBits(const Tensor& a, const Tensor& b)
{
    return a.bytes() == b.bytes() && std::memcmp(a.raw(), b.raw(), static_cast<std::size_t>(a.bytes())) == 0;
}

// y is r rounded once to the dtype, where an evaluation in float64 within 4 ulp came before. Float64: within 4 ulp.
bool isRounded(double y, double r, double rLow, DType dtype)
{
    if (std::isnan(r))
        return std::isnan(y);
    const engine::DTypeFacts& f = engine::facts(dtype);
    const auto ulp = [&f](double v) {
        const int exponent = v == 0 ? f.minExponent : std::max(std::ilogb(v), f.minExponent);
        return std::ldexp(1.0, std::min(exponent, f.maxExponent) - f.fractionBits);
    };
    if (std::isinf(r) || std::fabs(r) > f.maxFinite + ulp(f.maxFinite) / 2)
        return f.hasInfinity ? y == std::copysign(kInfinity, r) : std::isnan(y);
    const double before = 4 * std::ldexp(std::max(std::fabs(r), 0x1p-1022), -52);
    const double bound = dtype == DType::f64 ? before : ulp(r) / 2 + before;
    return std::fabs((y - r) - rLow) <= bound;
}

} // namespace

class TestActivationOps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundsTheReferenceOnce_data();
    void roundsTheReferenceOnce();
    void specialValues();
    void onlyFloats();
    void parametersAreRoundedLikeWeights();
    void subnormalsAreKept();
    void limitedReferences();
    void examples();
    void anyThreadCountAndStop();
};

void TestActivationOps::roundsTheReferenceOnce_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("dtype");
    for (int i = 0; i < static_cast<int>(std::size(kActivations)); ++i)
        for (DType d : kFloats)
            QTest::addRow("%d %s %s", i, kActivations[i].spec.name.data(), engine::dtypeName(d).data())
                << i << static_cast<int>(d);
}

void TestActivationOps::roundsTheReferenceOnce()
{
    QFETCH(int, index);
    QFETCH(int, dtype);
    const Activation& a = kActivations[index];
    const DType d = static_cast<DType>(dtype);
    const Tensor x = patterns(d);
    const DDTensor exact = engine::widen(x, engine::SerialExec());
    const auto y = support::runCpu(a.spec, params(a.spec, a.params), {d, d}, {x});
    const auto r = support::runReference(a.spec, params(a.spec, a.params), {exact});
    QVERIFY(y.ok() && r.ok());
    QCOMPARE(y->dtype(), d);
    QVERIFY(y->shape() == x.shape());
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        const double got = engine::elementAsDouble(*y, i), want = r->value.hi()[i];
        const bool ok = a.spec.carriesBits ? got == want || (std::isnan(got) && std::isnan(want))
                                           : isRounded(got, want, r->value.lo()[i], d);
        if (!ok)
            QFAIL(qPrintable(QString::asprintf("x %a: got %a, reference %a", exact.hi()[i], got, want)));
    }
}

void TestActivationOps::specialValues()
{
    for (const Activation& a : kActivations)
        for (DType d : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::e5m2}) {
            const auto rounded = [d](double v) {
                return engine::elementAsDouble(support::tensorOf(d, Shape{1}, {v}), 0);
            };
            const double zero = run(a.spec, a.params, d, -0.0);
            QCOMPARE(zero, rounded(a.atMinusZero));
            QCOMPARE(std::signbit(zero), std::signbit(a.atMinusZero));
            QCOMPARE(run(a.spec, a.params, d, -kInfinity), rounded(a.atMinus));
            QCOMPARE(run(a.spec, a.params, d, kInfinity), rounded(a.atPlus));
            QVERIFY(std::isnan(run(a.spec, a.params, d, kNan)));
        }
    QCOMPARE(run(engine::op_relu6, "{}", DType::e4m3fn, 448), 6.0);
}

void TestActivationOps::onlyFloats()
{
    for (const Activation& a : kActivations) {
        for (const engine::DTypeFacts& f : engine::allDTypes()) {
            const bool allowed = engine::pairAllowed(a.spec.pairs, {f.dtype, f.dtype});
            QCOMPARE(allowed, std::find(std::begin(kFloats), std::end(kFloats), f.dtype) != std::end(kFloats));
        }
        QVERIFY(!engine::pairAllowed(a.spec.pairs, {DType::f16, DType::f32}));
        QVERIFY(!engine::hasSlot(a.spec, engine::Slot::Accumulate) && !engine::hasSlot(a.spec, engine::Slot::Weight));
    }
    QCOMPARE(int(engine::op_relu.slots), engine::slotBit(engine::Slot::Input) | engine::slotBit(engine::Slot::Output));
}

void TestActivationOps::parametersAreRoundedLikeWeights()
{
    // 0.3 becomes 0.3125 in E4M3FN and E5M2. 3.5 * 0.3125 = 1.09375 gives 1.125, while 1.05 would give 1;
    // 6 * 0.3125 = 1.875 is a tie to 2, while 1.8 would give 1.75; 0.8647 * 0.3125 = 0.2702 gives 0.28125, while
    // 0.2594 would give 0.25.
    const char* alpha = R"({"alpha": 0.3})";
    QCOMPARE(run(engine::op_leaky_relu, alpha, DType::e4m3fn, -3.5), -1.125);
    QCOMPARE(run(engine::op_leaky_relu, alpha, DType::e5m2, -6), -2.0);
    QCOMPARE(run(engine::op_elu, alpha, DType::e4m3fn, -2), -0.28125);
    // In float32 the product of two rounded factors, rounded once.
    QCOMPARE(run(engine::op_leaky_relu, alpha, DType::f32, -7), -static_cast<double>(0.3f * 7.0f));
    QVERIFY(run(engine::op_leaky_relu, alpha, DType::f64, -7) == -0.3 * 7);
    // The reference takes alpha as it is.
    const auto r = support::runReference(engine::op_leaky_relu, params(engine::op_leaky_relu, R"({"alpha": 0.3})"),
                                         {support::ddOf(Shape{1}, {-3})});
    QVERIFY(r->value.hi()[0] == -0.3 * 3);
    QVERIFY(r->value.lo()[0] == -std::fma(0.3, 3, -(0.3 * 3)));
}

void TestActivationOps::subnormalsAreKept()
{
    // e^-100 = 3.72e-44 is 27 (26.55) smallest float32 subnormals; e^-16 = 1.125e-7 is 1.89 float16 ones.
    QCOMPARE(run(engine::op_sigmoid, "{}", DType::f32, -100), 27 * 0x1p-149);
    QCOMPARE(run(engine::op_softplus, "{}", DType::f16, -16), 2 * 0x1p-24);
    for (DType d : kFloats) {
        const double eta = engine::facts(d).minSubnormal;
        QCOMPARE(run(engine::op_tanh, "{}", d, eta), eta);
        QCOMPARE(run(engine::op_elu, "{}", d, -3 * eta), -3 * eta);
        QCOMPARE(run(engine::op_leaky_relu, R"({"alpha": 0.5})", d, -3 * eta), -2 * eta); // 1.5, to even
        QCOMPARE(run(engine::op_relu, "{}", d, eta), eta);
    }
}

void TestActivationOps::limitedReferences()
{
    QVERIFY(!isLimited(engine::op_sigmoid, "{}", -600));
    QVERIFY(isLimited(engine::op_sigmoid, "{}", -700));
    QVERIFY(isLimited(engine::op_sigmoid, "{}", -1e9)); // 0, but the exact value is not
    QVERIFY(!isLimited(engine::op_sigmoid, "{}", -kInfinity));
    QVERIFY(!isLimited(engine::op_tanh, "{}", 0));
    QVERIFY(isLimited(engine::op_tanh, "{}", 1e-300));
    QVERIFY(!isLimited(engine::op_relu, "{}", 1e-300));
    QVERIFY(!isLimited(engine::op_relu, "{}", -1));
    QVERIFY(isLimited(engine::op_leaky_relu, R"({"alpha": 1e-300})", -1));
    QVERIFY(!isLimited(engine::op_leaky_relu, R"({"alpha": 0})", -1));
    QVERIFY(isLimited(engine::op_selu, "{}", 1.75e308)); // overflows
}

void TestActivationOps::examples()
{
    for (const Activation& a : kActivations) {
        QVERIFY(!a.spec.examples().empty());
        for (const engine::OpExample& e : a.spec.examples()) {
            const auto r = support::runReference(a.spec, support::paramsOf(a.spec, e.params).value(),
                                                 {support::ddOf(e.shapes[0], e.values[0])});
            QCOMPARE(support::valuesOf(r->value), e.expected);
        }
    }
    // Hand-checked once more where a formula could be another one: gelu(1) = (1 + erf(1/sqrt 2)) / 2.
    QCOMPARE(run(engine::op_gelu, "{}", DType::f32, 1), static_cast<double>(0.84134475f));
}

void TestActivationOps::anyThreadCountAndStop()
{
    const std::int64_t n = 200003;
    for (const Activation& a : kActivations) {
        Tensor x = Tensor::allocate(DType::f32, Shape{n});
        for (std::int64_t i = 0; i < n; ++i)
            x.mutableData<float>()[i] = static_cast<float>(i - n / 2) * 1e-4f;
        const Params p = params(a.spec, a.params);
        const std::vector<Tensor> operands{x};
        const ComputePair pair{DType::f32, DType::f32};
        const auto one = a.spec.cpu({p, operands, pair, engine::SerialExec()});
        const auto two = a.spec.cpu({p, operands, pair, support::TwoThreads()});
        QVERIFY(one.ok() && two.ok() && sameBits(*one, *two));
        const auto stopped = a.spec.cpu({p, operands, pair, support::Stopped()});
        QVERIFY(!stopped.ok() && stopped.error().code == "stopped");
    }
}

QTEST_GUILESS_MAIN(TestActivationOps)
#include "tst_activation_ops.moc"
