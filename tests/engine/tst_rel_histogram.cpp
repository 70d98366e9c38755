// The histogram of relative errors against long double's log10 over forty decades, at its edges, and from the order
// statistics that it is made of. Golden cases: tst_metrics.
#include "analysis_tools.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/order_statistics.h"

#include <QtTest/QtTest>

#include <random>

using namespace engine;
using namespace support;

class TestRelHistogram : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void againstALoop();
    void edges();
    void integersHaveOne();
    void absentWhereNothingQualifies();
    void countsBelowAnyEdges();
};

// y = 1 against 1 - e, the error in lo where it is small; y = e against 1 where it is large.
void TestRelHistogram::againstALoop()
{
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> exponent(-23, 6), share(0.5, 1);
    const std::size_t n = 3 * 65536 + 1234;
    std::vector<double> y(n, 1.0), hi(n, 1.0), lo(n, 0.0);
    RelHistogram expected;
    for (std::size_t i = 0; i < n; ++i) {
        const double e = i % 50 == 0 ? 0 : share(random) * std::pow(10.0, exponent(random));
        if (e >= 0.25)
            y[i] = e;
        else if (e >= 0x1p-54)
            hi[i] = 1 - e;
        else
            lo[i] = -e;
        const long double error = std::abs((static_cast<long double>(y[i]) - hi[i]) - lo[i]);
        const long double relative = error / hi[i];
        const auto at = relative == 0 ? 0 : static_cast<int>(std::floor((std::log10(relative) + 20) * 2));
        auto& bin = relative == 0 ? expected.exact
                    : at < 0      ? expected.below
                    : at >= 48    ? expected.above
                                  : expected.counts[static_cast<std::size_t>(at)];
        ++bin;
    }
    QVERIFY(expected.exact > 3000 && expected.below > 3000 && expected.above > 3000);
    for (std::int64_t count : expected.counts)
        QVERIFY(count > 1000);
    const ErrorMetrics m = measure(plainTensor(DType::f64, y), realTensor(hi, lo), {}, ScrambledExec(2));
    QVERIFY(*m.relHistogram == expected);
}

// An edge belongs to the bin above it, and the next number below it does not.
void TestRelHistogram::edges()
{
    const double root = 3.162277660168379e-20; // 10^-19.5
    const std::vector<double> lo{0, 1e-20, std::nextafter(1e-20, 0), 0x1p-1074, root, std::nextafter(root, 0), 0, 0,
                                 0, 0};
    const std::vector<double> y{1, 1, 1, 1, 1, 1, 11, 10001, 10000, 1e308};
    const std::vector<double> hi(y.size(), 1.0);
    const ErrorMetrics m = measure(plainTensor(DType::f64, y), realTensor(hi, lo), {}, SerialExec());
    RelHistogram expected;
    expected.exact = 1;
    expected.below = 2;
    expected.above = 2;
    expected.counts[0] = 2;
    expected.counts[1] = 1;
    expected.counts[42] = 1; // 10
    expected.counts[47] = 1; // 9999
    QVERIFY(*m.relHistogram == expected);
}

void TestRelHistogram::integersHaveOne()
{
    const ErrorMetrics m =
        measure(plainTensor<std::int32_t>(DType::i32, {3, 4, 0}), realTensor({3, 5, 0}), {}, SerialExec());
    QCOMPARE(m.relHistogram->exact, 1);
    QCOMPARE(m.relHistogram->counts[38], 1); // 0.2 lies in [0.1, 0.316)
}

void TestRelHistogram::absentWhereNothingQualifies()
{
    const float inf = INFINITY;
    QVERIFY(!measure(plainTensor<float>(DType::f32, {1, inf}), realTensor({0, 1}), {}, SerialExec()).relHistogram);
    QVERIFY(measure(plainTensor<float>(DType::f32, {1, inf}), realTensor({1, 1}), {}, SerialExec()).relHistogram);
}

void TestRelHistogram::countsBelowAnyEdges()
{
    std::mt19937_64 random(9);
    OrderStatistics statistics(2 * kChunk);
    std::vector<double> all;
    for (std::int64_t chunk = 0; chunk < 2; ++chunk) {
        for (std::int64_t i = 0; i < kChunk - 7; ++i) {
            const double v = std::ldexp(static_cast<double>(random() % 4096), static_cast<int>(random() % 8));
            statistics.slot(chunk)[i] = v;
            all.push_back(v);
        }
        statistics.commit(chunk, kChunk - 7);
    }
    const std::vector<double> edges{1e-9, 3, 100, 4096, 250000, 1e9};
    const auto found = statistics.select({0, 1000, statistics.count() - 1}, edges, ScrambledExec(2));
    for (std::size_t k = 0; k < edges.size(); ++k)
        QCOMPARE(found.below[k], std::count_if(all.begin(), all.end(), [&](double v) { return v < edges[k]; }));
    std::sort(all.begin(), all.end());
    QCOMPARE(found.values, (std::vector<double>{all.front(), all[1000], all.back()}));
}

QTEST_GUILESS_MAIN(TestRelHistogram)
#include "tst_rel_histogram.moc"
