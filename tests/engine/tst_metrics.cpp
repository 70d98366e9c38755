// measure() against exact rational arithmetic (golden/metric_cases.json, made by make_metric_cases.py), against long
// double at size, for any thread order; the order statistics against a sort.
#include "analysis_tools.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/order_statistics.h"

#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include <fstream>
#include <random>

using namespace engine;
using namespace support;
using nlohmann::json;

namespace {

// e carries two roundings, |r| is taken as hi (one), a quotient and two products round once each, a block sum of
// non-negative terms is off by 35 roundings, ends by a few more: below 64 u.
constexpr double kFigure = 64 * 0x1p-53;
// -log2 of a relative error off by kFigure: kFigure / ln 2, and one rounding of a number below 64.
constexpr double kBits = 1.5 * kFigure + 64 * 0x1p-53;
// 10 log10 of a quotient of two such sums, two factors of at most 1100 dB rounded.
constexpr double kDecibel = 10 * kFigure + 4 * 1100 * 0x1p-52;

std::vector<double> doubles(const json& patterns)
{
    std::vector<double> v;
    for (const json& p : patterns)
        v.push_back(std::bit_cast<double>(p.get<std::uint64_t>()));
    return v;
}

void compareFigure(const std::optional<double>& got, const json& expected, const char* name, double relative,
                   double absolute = 0)
{
    QVERIFY2(got.has_value() == expected.contains(name), name);
    if (!got)
        return;
    const double e = expected[name].get<double>();
    QVERIFY2(isNear(*got, e, relative) || std::abs(*got - e) <= absolute,
             qPrintable(QStringLiteral("%1: got %2, expected %3")
                            .arg(QLatin1String(name))
                            .arg(*got, 0, 'g', 17)
                            .arg(e, 0, 'g', 17)));
}

void compareCounts(const ErrorMetrics& m, const json& e)
{
    QCOMPARE(m.elements, e["elements"].get<std::int64_t>());
    QCOMPARE(m.zeroRef, e["zero_ref"].get<std::int64_t>());
    QCOMPARE(m.zeroRefWrong, e["zero_ref_wrong"].get<std::int64_t>());
    QCOMPARE(m.nan, e["nan"].get<std::int64_t>());
    QCOMPARE(m.inf, e["inf"].get<std::int64_t>());
    QCOMPARE(m.overflow, e["overflow"].get<std::int64_t>());
    QCOMPARE(m.underflow, e["underflow"].get<std::int64_t>());
    QCOMPARE(m.subnormal, e["subnormal"].get<std::int64_t>());
    QCOMPARE(m.firstBad.value_or(-1), e["first_bad"].is_null() ? -1 : e["first_bad"].get<std::int64_t>());
    for (std::size_t k = 0; k < m.ulpHistogram.size(); ++k)
        QCOMPARE(m.ulpHistogram[k], e["counts"][k].get<std::int64_t>());
}

struct Sample {
    Tensor y;
    DDTensor r;
    Tensor magnitudes;
};
// float32 against references of every kind.
Sample sample(std::size_t n, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> hi(n), lo(n), sums(n);
    std::vector<float> y(n);
    for (std::size_t i = 0; i < n; ++i) {
        hi[i] = random() % 3 == 0 ? 0 : normal(random) * std::ldexp(1.0, static_cast<int>(random() % 20));
        lo[i] = hi[i] * 0x1p-55 * normal(random) / 4;
        y[i] = static_cast<float>(hi[i] * (1 + 0x1p-24 * normal(random)));
        sums[i] = std::abs(hi[i]) + 1;
        if (random() % 1000 == 0)
            y[i] = random() % 2 ? NAN : INFINITY;
    }
    return {plainTensor(DType::f32, y), realTensor(hi, lo), plainTensor(DType::f64, sums)};
}

bool sameBits(const std::optional<double>& a, const std::optional<double>& b)
{
    return a.has_value() == b.has_value() &&
           (!a || std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b));
}

} // namespace

class TestMetrics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void golden_data();
    void golden();
    void againstLongDouble();
    void sameBitsForAnyThreads();
    void orderStatistics();
    void nonFiniteValuesDoNotPoison();
    void integers();
    void nothingToMeasure();
    void exactResultHasNoDecibels();
    void rankOfTheFirstPercentile();
    void squaresAcrossRanges();

private:
    json m_cases;
};

void TestMetrics::golden_data()
{
    std::ifstream file(MANTISSA_SOURCE_DIR "/tests/golden/metric_cases.json");
    m_cases = json::parse(file)["cases"];
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_cases.size(); ++i)
        QTest::newRow(m_cases[i]["name"].get<std::string>().c_str()) << static_cast<int>(i);
    QVERIFY(m_cases.size() >= 21);
}

void TestMetrics::golden()
{
    QFETCH(int, index);
    const json& c = m_cases[static_cast<std::size_t>(index)];
    const DType dtype = *dtypeFromName(c["dtype"].get<std::string>());
    const Tensor y = tensorFromCodes(dtype, c["y"].get<std::vector<std::uint64_t>>());
    DDTensor r = realTensor(doubles(c["hi"]), doubles(c["lo"]));
    r.limited = c["limited"].get<bool>();
    const ErrorMetrics m = measure(y, r, plainTensor(DType::f64, doubles(c["magnitudes"])), SerialExec());
    const json& e = c["expected"];
    compareCounts(m, e);
    QCOMPARE(m.referenceLimited, r.limited);
    compareFigure(m.maxAbs, e, "max_abs", kFigure);
    compareFigure(m.meanAbs, e, "mean_abs", kFigure);
    compareFigure(m.rmse, e, "rmse", kFigure);
    compareFigure(m.rmsReference, e, "rms_reference", kFigure);
    compareFigure(m.relL2, e, "rel_l2", kFigure);
    compareFigure(m.sqnrDb, e, "sqnr_db", 0, kDecibel);
    compareFigure(m.maxRel, e, "max_rel", kFigure);
    compareFigure(m.meanRel, e, "mean_rel", kFigure);
    compareFigure(m.maxUlp, e, "max_ulp", kFigure);
    compareFigure(m.meanUlp, e, "mean_ulp", kFigure);
    compareFigure(m.minBits, e, "min_bits", 0, kBits);
    compareFigure(m.p01Bits, e, "p01_bits", 0, kBits);
    compareFigure(m.medianBits, e, "median_bits", 0, kBits);
    compareFigure(m.condition, e, "condition", kFigure);
    QCOMPARE(m.relHistogram.has_value(), e.contains("rel_histogram"));
    if (m.relHistogram) {
        const json& h = e["rel_histogram"];
        QCOMPARE(m.relHistogram->exact, h["exact"].get<std::int64_t>());
        QCOMPARE(m.relHistogram->below, h["below"].get<std::int64_t>());
        QCOMPARE(m.relHistogram->above, h["above"].get<std::int64_t>());
        for (std::size_t k = 0; k < m.relHistogram->counts.size(); ++k)
            QCOMPARE(m.relHistogram->counts[k], h["counts"][k].get<std::int64_t>());
    }
}

void TestMetrics::againstLongDouble()
{
    const std::size_t n = 3 * 65536 + 4321;
    const Sample s = sample(n, 5);
    long double sumAbs = 0, squares = 0, reference = 0, sumRel = 0, sumUlp = 0;
    std::size_t both = 0;
    std::vector<long double> relative;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < n; ++i) {
        const long double r = static_cast<long double>(s.r.hi()[i]) + s.r.lo()[i];
        if (r != 0)
            ratios.push_back(s.magnitudes.data<double>()[i] / std::abs(s.r.hi()[i]));
        if (!std::isfinite(s.y.data<float>()[i]))
            continue;
        const long double e = std::abs(static_cast<long double>(s.y.data<float>()[i]) - r);
        ++both;
        sumAbs += e, squares += e * e, reference += r * r;
        if (r == 0)
            continue;
        relative.push_back(e / std::abs(r));
        sumRel += relative.back();
        sumUlp += std::ldexp(e, 23 - std::max(std::ilogb(r), -126));
    }
    const ErrorMetrics m = measure(s.y, s.r, s.magnitudes, SerialExec());
    std::sort(relative.begin(), relative.end(), std::greater<>());
    std::sort(ratios.begin(), ratios.end());
    const auto bits = [](long double x) { return std::clamp(static_cast<double>(-std::log2(x)), 0.0, 24.0); };
    const std::size_t count = relative.size();
    // long double r is hi + lo rounded to 64 bits: 2^-64 |r| against |e| about 2^-24 |r|.
    const double figure = kFigure + 0x1p-36;
    const auto n64 = static_cast<long double>(both), rel64 = static_cast<long double>(count);
    QVERIFY(isNear(*m.meanAbs, static_cast<double>(sumAbs / n64), figure));
    QVERIFY(isNear(*m.rmse, static_cast<double>(std::sqrt(squares / n64)), figure));
    QVERIFY(isNear(*m.relL2, static_cast<double>(std::sqrt(squares / reference)), figure));
    QVERIFY(isNear(*m.meanRel, static_cast<double>(sumRel / rel64), figure));
    QVERIFY(isNear(*m.meanUlp, static_cast<double>(sumUlp / rel64), figure));
    QVERIFY(isNear(*m.p01Bits, bits(relative[(count - 1) / 100]), figure));
    const double median = (bits(relative[(count - 1) / 2]) + bits(relative[count / 2])) / 2;
    QVERIFY(isNear(*m.medianBits, median, figure));
    QVERIFY(isNear(*m.condition, (ratios[(ratios.size() - 1) / 2] + ratios[ratios.size() / 2]) / 2, kFigure));
}

void TestMetrics::sameBitsForAnyThreads()
{
    const Sample s = sample(5 * 65536 + 77, 6);
    const ErrorMetrics a = measure(s.y, s.r, s.magnitudes, SerialExec());
    for (int threads : {1, 2, 5}) {
        const ErrorMetrics b = measure(s.y, s.r, s.magnitudes, ScrambledExec(threads));
        for (auto field : {&ErrorMetrics::maxAbs, &ErrorMetrics::meanAbs, &ErrorMetrics::rmse, &ErrorMetrics::relL2,
                           &ErrorMetrics::sqnrDb, &ErrorMetrics::maxRel, &ErrorMetrics::meanRel, &ErrorMetrics::maxUlp,
                           &ErrorMetrics::meanUlp, &ErrorMetrics::minBits, &ErrorMetrics::p01Bits,
                           &ErrorMetrics::medianBits, &ErrorMetrics::condition})
            QVERIFY(sameBits(a.*field, b.*field));
        QCOMPARE(b.ulpHistogram, a.ulpHistogram);
        QVERIFY(b.relHistogram == a.relHistogram);
        QCOMPARE(b.firstBad, a.firstBad);
        QCOMPARE(b.nan, a.nan);
    }
}

void TestMetrics::orderStatistics()
{
    std::mt19937_64 random(7);
    const std::int64_t n = 2 * kChunk + 999;
    OrderStatistics statistics(n);
    std::vector<double> all;
    for (std::int64_t chunk = 0; chunk < 3; ++chunk) {
        const std::int64_t count = chunk == 2 ? 999 : kChunk - 5 * chunk;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint64_t kind = random() % 8;
            double v = std::ldexp(static_cast<double>(random()), -static_cast<int>(random() % 90));
            v = kind == 0 ? 0 : kind == 1 ? 0.375 : kind == 2 && i % 50 == 0 ? HUGE_VAL : v;
            statistics.slot(chunk)[i] = v;
            all.push_back(v);
        }
        statistics.commit(chunk, count);
    }
    std::sort(all.begin(), all.end());
    QCOMPARE(statistics.count(), static_cast<std::int64_t>(all.size()));
    for (std::size_t rank : {std::size_t{0}, std::size_t{17}, all.size() / 10, all.size() / 3, all.size() - 1}) {
        const auto next = std::min(rank + 1, all.size() - 1);
        const std::vector<double> got = statistics.select(
            {static_cast<std::int64_t>(rank), static_cast<std::int64_t>(next), statistics.count() - 1},
            ScrambledExec(2));
        QCOMPARE(got, (std::vector<double>{all[rank], all[next], all.back()}));
    }
}

void TestMetrics::nonFiniteValuesDoNotPoison()
{
    const std::vector<float> good{1, 2.5f, -3, 4};
    const std::vector<double> reference{1.0000001, 2.5, -3.0000002, 4.1};
    const ErrorMetrics a = measure(plainTensor(DType::f32, good), realTensor(reference), {}, SerialExec());
    std::vector<float> y = good;
    std::vector<double> r = reference;
    const float inf = INFINITY;
    for (auto [value, expected] : {std::pair{NAN, 1.0},
                                   {inf, 1.0},
                                   {-inf, 2.0},
                                   {1.0f, double{NAN}},
                                   {2.0f, double{inf}},
                                   {inf, double{inf}},
                                   {NAN, double{NAN}}}) {
        y.insert(y.begin() + 2, value);
        r.insert(r.begin() + 2, expected);
    }
    const ErrorMetrics b = measure(plainTensor(DType::f32, y), realTensor(r), {}, SerialExec());
    for (auto field : {&ErrorMetrics::maxAbs, &ErrorMetrics::meanAbs, &ErrorMetrics::rmse, &ErrorMetrics::relL2,
                       &ErrorMetrics::maxRel, &ErrorMetrics::meanUlp, &ErrorMetrics::medianBits})
        QCOMPARE(b.*field, a.*field);
    QCOMPARE(b.nan, 2);
    QCOMPARE(b.inf, 3);
    QCOMPARE(b.overflow, 2);  // an infinite reference is met, not overflowed
    QCOMPARE(*b.firstBad, 6); // the last inserted stands first: NaN/NaN, inf/inf, 2/inf, 1/NaN, then -inf/2
}

void TestMetrics::integers()
{
    const std::int64_t big = (std::int64_t{1} << 53) + 1;
    const Tensor y = plainTensor<std::int64_t>(DType::i64, {7, big, 0, -5, 3});
    const DDTensor r = realTensor({7, 0x1p53, 0, -5, 4}, {0, 1, 0, 0, 0});
    const ErrorMetrics m = measure(y, r, {}, SerialExec());
    QCOMPARE(*m.maxAbs, 1.0); // 3 for 4; 2^53 + 1 is met exactly
    QCOMPARE(*m.meanAbs, 0.2);
    QCOMPARE(*m.maxRel, 0.25);
    QCOMPARE(m.zeroRef, 1);
    QVERIFY(!m.maxUlp && !m.minBits && !m.medianBits);
    QCOMPARE(m.overflow + m.subnormal + m.underflow, 0);
}

void TestMetrics::nothingToMeasure()
{
    const ErrorMetrics empty = measure(plainTensor<float>(DType::f32, {}), realTensor({}), {}, SerialExec());
    QCOMPARE(empty.elements, 0);
    QVERIFY(!empty.maxAbs && !empty.rmse && !empty.maxRel && !empty.minBits && !empty.condition);
    const ErrorMetrics zeros =
        measure(plainTensor<float>(DType::f32, {0, -0.0f}), realTensor({0, 0}), {}, SerialExec());
    QCOMPARE(*zeros.maxAbs, 0.0);
    QVERIFY(!zeros.relL2 && !zeros.sqnrDb && !zeros.maxRel && !zeros.maxUlp && !zeros.medianBits);
    QCOMPARE(zeros.zeroRef, 2);
    QCOMPARE(zeros.zeroRefWrong, 0);
}

void TestMetrics::exactResultHasNoDecibels()
{
    const ErrorMetrics m = measure(plainTensor<float>(DType::f32, {1, 2, 3}), realTensor({1, 2, 3}), {}, SerialExec());
    QVERIFY(!m.sqnrDb);
    QCOMPARE(*m.relL2, 0.0);
    QCOMPARE(*m.minBits, 24.0);
    QCOMPARE(m.ulpHistogram[0], 3);
}

// k 2^-40 off 1 for k = 1..n: 40 - log2 k bits; index floor((n - 1) / 100) of the ascending bits.
void TestMetrics::rankOfTheFirstPercentile()
{
    for (const auto& [n, index] : {std::pair{100, 0}, {101, 1}, {200, 1}, {201, 2}, {1, 0}}) {
        std::vector<double> y;
        for (int k = 1; k <= n; ++k)
            y.push_back(1 + k * 0x1p-40);
        const ErrorMetrics m =
            measure(plainTensor(DType::f64, y), realTensor(std::vector<double>(static_cast<std::size_t>(n), 1.0)), {},
                    SerialExec());
        QVERIFY(isNear(*m.p01Bits, 40 - std::log2(n - index), kBits));
        QVERIFY(isNear(*m.minBits, 40 - std::log2(n), kBits));
    }
}

// Blocks on both sides of a change of scale: sqrt((2^2e + 4 2^2e) / 2) = 2^e sqrt(2.5).
void TestMetrics::squaresAcrossRanges()
{
    for (double size : {0x1p479, 0x1p-401}) {
        std::vector<double> r(512, size);
        std::fill(r.begin() + 256, r.end(), 2 * size);
        const ErrorMetrics m =
            measure(plainTensor(DType::f64, std::vector<double>(512, 0.0)), realTensor(r), {}, SerialExec());
        QVERIFY(isNear(*m.rmse / size, std::sqrt(2.5), kFigure));
        QCOMPARE(*m.relL2, 1.0);
        QCOMPARE(*m.sqnrDb, 0.0);
    }
}

QTEST_GUILESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
