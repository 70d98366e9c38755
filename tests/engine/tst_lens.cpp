// The lens says what a real cast would say, and counts exponents as ilogb does.
#include "analysis_tools.h"
#include "engine/analysis/analysis.h"
#include "engine/model/convert.h"

#include <QtTest/QtTest>

#include <map>
#include <random>

using namespace engine;
using namespace support;

namespace {

const SerialExec kExec;

// All kinds of float64, every binade reachable.
Tensor manyDoubles(unsigned seed)
{
    std::mt19937_64 random(seed);
    std::vector<double> v(80000);
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = i % 2 ? std::bit_cast<double>(random())
                     : std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                  -70 - static_cast<int>(random() % 9));
    for (std::size_t i = 0; i < v.size(); i += 100)
        v[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? HUGE_VAL : std::nan("");
    return plainTensor(DType::f64, v);
}

} // namespace

class TestLens : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsAreRealCasts();
    void exponents();
    void edges();
};

void TestLens::rowsAreRealCasts()
{
    const Tensor wide = manyDoubles(21);
    for (DType own : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3fn, DType::e5m2, DType::i64}) {
        const Tensor t = convert(wide, own, kExec);
        const Lens lens = lensOf(t, ScrambledExec(2));
        QCOMPARE(lens.rows.size(), own == DType::i64 ? 6u : 5u);
        for (const LensRow& row : lens.rows) {
            QVERIFY(row.dtype != own && isFloat(row.dtype) && facts(row.dtype).isStorage);
            const CastReport real = measureCast(t, convert(t, row.dtype, kExec), kExec);
            QCOMPARE(row.loss.to, row.dtype);
            QCOMPARE(row.loss.from, own);
            QCOMPARE(row.loss.changed, real.changed);
            QCOMPARE(row.loss.maxUlp, real.maxUlp);
            QCOMPARE(row.loss.maxRel, real.maxRel);
            QCOMPARE(row.loss.bitsKept, real.bitsKept);
            QCOMPARE(row.loss.newInf, real.newInf);
            QCOMPARE(row.loss.newZero, real.newZero);
            QCOMPARE(row.loss.newSubnormal, real.newSubnormal);
            QCOMPARE(row.loss.newNan, real.newNan);
        }
    }
}

void TestLens::exponents()
{
    const Tensor t = manyDoubles(22);
    std::map<int, std::int64_t> expected;
    std::int64_t zeros = 0, infinities = 0, nans = 0;
    for (std::int64_t i = 0; i < t.elements(); ++i) {
        const double v = t.data<double>()[i];
        zeros += v == 0;
        infinities += std::isinf(v);
        nans += std::isnan(v);
        if (std::isfinite(v) && v != 0)
            ++expected[std::ilogb(v)];
    }
    const Lens lens = lensOf(t, kExec);
    QCOMPARE(lens.zeros, zeros);
    QCOMPARE(lens.infinities, infinities);
    QCOMPARE(lens.nans, nans);
    QCOMPARE(lens.firstExponent, expected.begin()->first);
    QCOMPARE(static_cast<int>(lens.exponents.size()), expected.rbegin()->first - expected.begin()->first + 1);
    for (std::size_t k = 0; k < lens.exponents.size(); ++k) {
        const auto it = expected.find(lens.firstExponent + static_cast<int>(k));
        QCOMPARE(lens.exponents[k], it == expected.end() ? 0 : it->second);
    }
}

void TestLens::edges()
{
    // The largest 64-bit integer lies below 2^63, though its float64 is 2^63.
    const Lens integers = lensOf(plainTensor<std::int64_t>(DType::i64, {INT64_MAX, INT64_MIN, 0}), kExec);
    QCOMPARE(integers.firstExponent, 62);
    QCOMPARE(integers.exponents, (std::vector<std::int64_t>{1, 1}));
    const Lens smallest = lensOf(plainTensor<double>(DType::f64, {0x1p-1074, -0x1.8p-1073, 0x1.8p1023}), kExec);
    QCOMPARE(smallest.firstExponent, -1074);
    QCOMPARE(smallest.exponents.size(), 2098u);
    const Lens nothing = lensOf(plainTensor<float>(DType::f32, {0, NAN}), kExec);
    QVERIFY(nothing.exponents.empty());
    QCOMPARE(nothing.zeros, 1);
    QCOMPARE(nothing.nans, 1);
}

QTEST_GUILESS_MAIN(TestLens)
#include "tst_lens.moc"
