// measureCast, measureStored, healthOf and valueBits against values worked out by hand and, at size, long double.
#include "analysis_tools.h"
#include "engine/analysis/analysis.h"
#include "engine/model/convert.h"

#include <QtTest/QtTest>

#include <random>

using namespace engine;
using namespace support;

namespace {

const SerialExec kExec;

CastReport castTo(const Tensor& t, DType to)
{
    return measureCast(t, convert(t, to, kExec), kExec);
}

} // namespace

class TestCastLoss : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void float16ByHand();
    void overflowWithoutInfinity();
    void subnormalBeforeIsNotNew();
    void longDouble();
    void integersAndBool();
    void wideIntegers();
    void unchanged();
    void stored();
    void health();
    void bitsOfValues();
    void sameForAnyThreads();
};

void TestCastLoss::float16ByHand()
{
    const double inf = HUGE_VAL, nan = NAN;
    // 1 + 2^-11 is a tie and goes to 1: half an ULP. 3 2^-26 lies between 0 and 2^-24: to 2^-24 (subnormal).
    const std::vector<double> v{1, 1 + 0x1p-11, 65520, -1e6, 1e-9, 3 * 0x1p-26, nan, inf, -0.0, 0x1p-20};
    const CastReport r = castTo(plainTensor(DType::f64, v), DType::f16);
    QCOMPARE(r.from, DType::f64);
    QCOMPARE(r.to, DType::f16);
    QCOMPARE(r.changed, 0.5); // the tie, two overflows, an underflow, 3 2^-26
    QCOMPARE(*r.maxUlp, 0.5);
    QCOMPARE(*r.maxRel, 1.0); // 1e-9 became 0
    QCOMPARE(*r.bitsKept, 0.0);
    QCOMPARE(r.newInf, 2);
    QCOMPARE(r.newZero, 1);
    QCOMPARE(r.newSubnormal, 2);
    QCOMPARE(r.newNan, 0);
    // A correct rounding in the normal range keeps all 11 bits; 3 2^-26 to 2^-24 is off by a third.
    const CastReport tie = castTo(plainTensor<double>(DType::f64, {1 + 0x1p-11, 1}), DType::f16);
    QCOMPARE(*tie.bitsKept, 11.0);
    const CastReport third = castTo(plainTensor<double>(DType::f64, {3 * 0x1p-26, 1 + 0x1p-11}), DType::f16);
    QVERIFY(isNear(*third.bitsKept, std::log2(3.0), 0x1p-45));
    QVERIFY(isNear(*tie.maxRel, 1 / (0x1p11 + 1), 0x1p-50));
    // Below a binade's end: 2 - 2^-12 rounds up to 2, in ULP of [1, 2).
    QCOMPARE(*castTo(plainTensor<double>(DType::f64, {2 - 0x1p-12}), DType::f16).maxUlp, 0.25);
}

void TestCastLoss::overflowWithoutInfinity()
{
    const CastReport r = castTo(plainTensor<float>(DType::f32, {464, 465, -INFINITY, NAN, 448, 1}), DType::e4m3fn);
    QCOMPARE(r.newNan, 2); // 464 is a tie and stays 448
    QCOMPARE(r.newInf, 0);
    QCOMPARE(*r.maxUlp, 0.5);
    QCOMPARE(*r.bitsKept, 0.0);
    QVERIFY(isNear(*r.maxRel, 16.0 / 464, 0x1p-50));
    QVERIFY(isNear(r.changed, 0.5, 0x1p-50));
}

void TestCastLoss::subnormalBeforeIsNotNew()
{
    const Tensor t = plainTensor<float>(DType::f32, {1e-40f, 1e-38f, 1.2e-38f});
    QCOMPARE(castTo(t, DType::bf16).newSubnormal, 0); // the same range; both were subnormal (1e-38 < 2^-126) before
    const Tensor wide = plainTensor<double>(DType::f64, {1e-40, 1e-38, 1.2e-38});
    QCOMPARE(castTo(wide, DType::bf16).newSubnormal, 2);
}

void TestCastLoss::longDouble()
{
    std::mt19937_64 random(11);
    std::vector<double> v(70000);
    for (double& x : v)
        x = std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(random() % 60) - 30);
    v[3] = 0;
    long double maxUlp = 0, maxRel = 0;
    int changed = 0;
    for (double x : v) {
        const float y = static_cast<float>(x);
        const long double e = std::abs(static_cast<long double>(x) - y);
        changed += e != 0;
        if (x != 0) {
            maxRel = std::max(maxRel, e / x);
            maxUlp = std::max(maxUlp, std::ldexp(e, 23 - std::ilogb(x)));
        }
    }
    const CastReport r = castTo(plainTensor(DType::f64, v), DType::f32);
    QCOMPARE(r.changed, changed / 70000.0);
    QCOMPARE(*r.maxUlp, static_cast<double>(maxUlp)); // exact: a difference and powers of two
    QVERIFY(isNear(*r.maxRel, static_cast<double>(maxRel), 0x1p-52));
    QCOMPARE(*r.bitsKept, 24.0);
}

void TestCastLoss::integersAndBool()
{
    const Tensor t = plainTensor<float>(DType::f32, {2.75f, -0.5f, 3, 0, NAN});
    const CastReport r = castTo(t, DType::i32);
    QCOMPARE(r.changed, 0.6); // NaN became 0
    QVERIFY(!r.maxUlp && !r.bitsKept);
    QCOMPARE(*r.maxRel, 1.0);
    QCOMPARE(r.newZero, 1);
    const CastReport b = castTo(t, DType::boolean);
    QCOMPARE(b.changed, 0.8); // NaN and -1/2 are true
    QCOMPARE(b.newZero, 0);
}

void TestCastLoss::wideIntegers()
{
    const std::int64_t odd = (std::int64_t{1} << 53) + 1;
    const CastReport r = castTo(plainTensor<std::int64_t>(DType::i64, {odd, 5, INT64_MAX, INT64_MIN}), DType::f64);
    QCOMPARE(r.changed, 0.5); // INT64_MAX becomes 2^63
    QCOMPARE(*r.maxUlp, 0.5); // 1 of 2; INT64_MAX: 1 of 1024 (it lies below 2^63)
    const CastReport narrow = castTo(plainTensor<std::int64_t>(DType::i64, {INT64_MAX}), DType::f64);
    QCOMPARE(*narrow.maxUlp, 0x1p-10);
    const std::uint64_t top = UINT64_MAX;
    QCOMPARE(castTo(plainTensor<std::uint64_t>(DType::u64, {top, 1}), DType::f32).changed, 0.5);
}

void TestCastLoss::unchanged()
{
    const CastReport r = castTo(plainTensor<float>(DType::f32, {1, -2.5f, NAN, INFINITY, -0.0f}), DType::f64);
    QCOMPARE(r.changed, 0.0);
    QCOMPARE(*r.maxUlp, 0.0);
    QVERIFY(!r.bitsKept);
    const CastReport none = castTo(plainTensor<float>(DType::f32, {}), DType::f16);
    QCOMPARE(none.changed, 0.0);
    QVERIFY(!none.maxUlp && !none.maxRel && !none.bitsKept);
}

void TestCastLoss::stored()
{
    const DDTensor source = realTensor({1, 1, 1e-310, 1e39}, {0x1p-60, -0x1p-54, 0, 0});
    const StoredReport wide = measureStored(source, convertSource(source, DType::f64, kExec), kExec);
    QCOMPARE(wide.to, DType::f64);
    QCOMPARE(wide.changed, 0.5);
    QCOMPARE(*wide.maxUlp, 0.5);    // 1 - 2^-54 lies below 1, where the ULP is 2^-53
    QCOMPARE(wide.newSubnormal, 1); // 1e-310
    const StoredReport narrow = measureStored(source, convertSource(source, DType::f32, kExec), kExec);
    QCOMPARE(narrow.changed, 1.0);
    QCOMPARE(narrow.newInf, 1);
    QCOMPARE(narrow.newZero, 1);
}

void TestCastLoss::health()
{
    const Health h = healthOf(plainTensor<float>(DType::f32, {1, -0.0f, 0, 1e-40f, INFINITY, NAN, -1e-45f}), kExec);
    QCOMPARE(h.normal, 1);
    QCOMPARE(h.zero, 2);
    QCOMPARE(h.subnormal, 2);
    QCOMPARE(h.inf, 1);
    QCOMPARE(h.nan, 1);
    // Every E4M3FN code: 2 zeros, 14 subnormals, 2 NaN, no infinity.
    std::vector<std::uint64_t> codes(256);
    for (std::size_t i = 0; i < 256; ++i)
        codes[i] = i;
    const Health f8 = healthOf(tensorFromCodes(DType::e4m3fn, codes), kExec);
    QCOMPARE(f8.normal, 238);
    QCOMPARE(f8.subnormal, 14);
    QCOMPARE(f8.zero, 2);
    QCOMPARE(f8.nan, 2);
    const Health ints = healthOf(plainTensor<std::int16_t>(DType::i16, {0, 3, -7}), kExec);
    QCOMPARE(ints.normal, 2);
    QCOMPARE(ints.zero, 1);
}

void TestCastLoss::bitsOfValues()
{
    QCOMPARE(valueBits(plainTensor<double>(DType::f64, {0, 8, NAN, HUGE_VAL}), kExec), 1);
    QCOMPARE(valueBits(plainTensor<double>(DType::f64, {5, 0.75}), kExec), 3);
    QCOMPARE(valueBits(plainTensor<double>(DType::f64, {1 / 3.0, 1}), kExec), 53);
    QCOMPARE(valueBits(plainTensor<float>(DType::f32, {1 / 3.0f, 1}), kExec), 24);
    QCOMPARE(valueBits(convert(plainTensor<float>(DType::f32, {1 / 3.0f, 1}), DType::f64, kExec), kExec), 24);
    QCOMPARE(valueBits(plainTensor<double>(DType::f64, {5 * 0x1p-1074}), kExec), 3);
    QCOMPARE(valueBits(plainTensor<std::int64_t>(DType::i64, {INT64_MAX, 12}), kExec), 63);
    QCOMPARE(valueBits(plainTensor<std::int64_t>(DType::i64, {INT64_MIN, -12}), kExec), 2);
    QCOMPARE(valueBits(plainTensor<float>(DType::f32, {0, NAN}), kExec), 0);
    QCOMPARE(valueBits(plainTensor<float>(DType::f32, {}), kExec), 0);
}

void TestCastLoss::sameForAnyThreads()
{
    std::mt19937_64 random(12);
    std::vector<double> v(200001);
    for (double& x : v)
        x = std::bit_cast<double>(random());
    const Tensor t = plainTensor(DType::f64, v), half = convert(t, DType::f16, kExec);
    const CastReport a = measureCast(t, half, kExec), b = measureCast(t, half, ScrambledExec(3));
    QCOMPARE(b.changed, a.changed);
    QCOMPARE(b.maxUlp, a.maxUlp);
    QCOMPARE(b.newInf, a.newInf);
    QCOMPARE(b.newZero, a.newZero);
    QCOMPARE(healthOf(t, ScrambledExec(3)).subnormal, healthOf(t, kExec).subnormal);
}

QTEST_GUILESS_MAIN(TestCastLoss)
#include "tst_cast_loss.moc"
