// The random numbers and initialisers: Philox against the published answers of Random123, quantiles and draws
// against mpmath (make_generator_cases.py), Keras' fan rules, and the same bits for any order of the tasks.
#include "engine/model/generators.h"

#include <QtTest/QtTest>

#include <cmath>
#include <fstream>
#include <sstream>

using namespace engine;

namespace {

// Runs the tasks backwards, to show that the order cannot matter.
class BackwardExec final : public Exec {
public:
    Isa isa() const override { return Isa::Baseline; }
    int threads() const override { return 3; }
    bool stopRequested() const override { return false; }
    bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const override
    {
        for (std::int64_t i = tasks; i-- > 0;)
            body(i);
        return true;
    }
};

class StoppedExec final : public Exec {
public:
    Isa isa() const override { return Isa::Baseline; }
    int threads() const override { return 1; }
    bool stopRequested() const override { return true; }
    bool parallelFor(std::int64_t, const std::function<void(std::int64_t)>&) const override { return false; }
};

Source generator(const std::string& name, std::uint64_t seed = 7, std::optional<double> a = {},
                 std::optional<double> b = {})
{
    Source s;
    s.generator = name;
    s.seed = seed;
    s.a = a;
    s.b = b;
    return s;
}

std::vector<double> made(const Source& source, const Shape& shape)
{
    const Result<DDTensor> t = generate(source, shape, SerialExec(Isa::Baseline));
    if (!t)
        return {};
    return {t->hi(), t->hi() + t->elements()};
}

} // namespace

class TestGenerators : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void philoxKnownAnswers()
    {
        using Words = std::array<std::uint32_t, 4>;
        QVERIFY(philox4x32({0, 0, 0, 0}, {0, 0}) == (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
        const std::uint32_t ones = 0xffffffff;
        QVERIFY(philox4x32({ones, ones, ones, ones}, {ones, ones}) ==
                (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
        QVERIFY(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
                (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    }

    // Every row of the table: uniform exactly, the others within 2^-48 relative (the table itself is within 2^-53).
    void goldenCases()
    {
        std::ifstream file(MANTISSA_SOURCE_DIR "/tests/golden/generator_cases.txt");
        QVERIFY(file.is_open());
        std::string line;
        int rows = 0;
        double worst = 0;
        while (std::getline(file, line)) {
            std::istringstream in(line);
            std::string kind, first, second, third;
            in >> kind >> first >> second >> third;
            const double expected = std::strtod((kind == "quantile" ? second : third).c_str(), nullptr);
            const std::uint64_t seed = kind == "quantile" ? 0 : std::stoull(first);
            const std::uint64_t index = kind == "quantile" ? 0 : std::stoull(second);
            const double got = kind == "quantile"  ? inverseNormalCdf(std::strtod(first.c_str(), nullptr))
                               : kind == "uniform" ? uniformAt(seed, index)
                               : kind == "normal"  ? normalAt(seed, index)
                                                   : truncatedNormalAt(seed, index);
            const double error = expected == 0 ? std::abs(got) : std::abs(got - expected) / std::abs(expected);
            QVERIFY2(kind == "uniform" ? error == 0 : error < 0x1p-48 - 0x1p-53, line.c_str());
            worst = std::max(worst, error);
            ++rows;
        }
        QVERIFY(rows > 1000);
        qInfo("%d rows, largest relative error 2^%.2f", rows, std::log2(worst));
    }

    void quantileEdges()
    {
        QVERIFY(inverseNormalCdf(0.0) == -static_cast<double>(INFINITY));
        QVERIFY(inverseNormalCdf(1.0) == static_cast<double>(INFINITY));
        QVERIFY(inverseNormalCdf(0.5) == 0.0);
        for (double p : {-0.1, 1.1, static_cast<double>(NAN)})
            QVERIFY(std::isnan(inverseNormalCdf(p)));
        // Odd about 1/2 to the last bit, where 1/2 + q and 1/2 - q are both exact.
        for (double p = 0x1p-50; p < 0.5; p *= 1.37) {
            const double q = std::ldexp(std::floor(std::ldexp(p, 52)), -52);
            QVERIFY(inverseNormalCdf(0.5 + q) == -inverseNormalCdf(0.5 - q));
        }
    }

    // Mean and variance of n draws within five standard errors of the distribution's own.
    void moments_data()
    {
        QTest::addColumn<QString>("init");
        QTest::addColumn<double>("variance");
        QTest::addColumn<double>("kurtosis");
        QTest::addColumn<double>("most");
        // [200, 300]: fan in 200, fan out 300. Truncated normals: fourth moment from mpmath.
        QTest::newRow("glorot_uniform") << "glorot_uniform" << 2.0 / 500 << 1.8 << std::sqrt(6.0 / 500);
        QTest::newRow("he_uniform") << "he_uniform" << 2.0 / 200 << 1.8 << std::sqrt(6.0 / 200);
        QTest::newRow("uniform") << "uniform" << 0.01 / 12 << 1.8 << 0.05;
        QTest::newRow("normal") << "normal" << 0.0025 << 3.0 << 1.0;
        const double edge = 2 / 0.87962566103423978, kurtosis = 2.3656;
        QTest::newRow("glorot_normal") << "glorot_normal" << 2.0 / 500 << kurtosis << edge * std::sqrt(2.0 / 500);
        QTest::newRow("he_normal") << "he_normal" << 2.0 / 200 << kurtosis << edge * std::sqrt(2.0 / 200);
        QTest::newRow("lecun_normal") << "lecun_normal" << 1.0 / 200 << kurtosis << edge * std::sqrt(1.0 / 200);
    }
    void moments()
    {
        QFETCH(QString, init);
        QFETCH(double, variance);
        QFETCH(double, kurtosis);
        QFETCH(double, most);
        const std::vector<double> x = made(generator(init.toStdString()), {200, 300});
        QCOMPARE(x.size(), std::size_t{60000});
        const double n = 60000;
        double sum = 0, squares = 0, largest = 0;
        for (double v : x) {
            sum += v;
            squares += v * v;
            largest = std::max(largest, std::abs(v));
        }
        QVERIFY(std::abs(sum / n) < 5 * std::sqrt(variance / n));
        QVERIFY(std::abs(squares / n / variance - 1) < 5 * std::sqrt((kurtosis - 1) / n));
        QVERIFY(largest <= most * (1 + 0x1p-48));
        if (init != "normal")
            QVERIFY(largest > 0.98 * most);
    }

    // Fans of Keras: HWIO [3, 5, 7, 11] has receptive field 15; a vector counts itself twice; a scalar has 1 and 1.
    void fans()
    {
        const auto limitOf = [](const Shape& shape) {
            const Source s = generator("glorot_uniform", 3);
            const double limit = made(s, shape)[0] / (2 * uniformAt(3, 0) - 1);
            return 6 / (limit * limit);
        };
        QVERIFY(std::abs(limitOf({3, 5, 7, 11}) - 15 * (7 + 11)) < 1e-9);
        QVERIFY(std::abs(limitOf({40}) - 80) < 1e-9);
        QVERIFY(std::abs(limitOf({}) - 2) < 1e-9);
        QVERIFY(std::abs(limitOf({4, 9}) - 13) < 1e-9);
    }

    void plainSources()
    {
        QVERIFY(made(generator("ramp"), {2, 2}) == (std::vector<double>{0, 0.25, 0.5, 0.75}));
        QVERIFY(made(generator("zeros"), {2}) == (std::vector<double>{0, 0}));
        QVERIFY(made(generator("ones"), {2}) == (std::vector<double>{1, 1}));
        QVERIFY(made(generator("constant", 0, 0.1), {2}) == (std::vector<double>{0.1, 0.1}));
        QVERIFY(made(generator("zeros"), {3, 0}).empty());
        Source values;
        values.kind = Source::Kind::Values;
        values.values = {0.1};
        QVERIFY(made(values, {3}) == (std::vector<double>{0.1, 0.1, 0.1}));
        values.values = {1, 2, 3};
        QVERIFY(made(values, {3, 1}) == (std::vector<double>{1, 2, 3}));
        const Result<DDTensor> short1 = generate(values, {2, 2}, SerialExec(Isa::Baseline));
        QVERIFY(!short1.ok());
        QCOMPARE(short1.error().code, std::string("source-values"));
        QVERIFY(short1.error().message.find("3 values") != std::string::npos);
        QVERIFY(short1.error().message.find("[2, 2]") != std::string::npos);
    }

    void uniformTakesItsRange()
    {
        const std::vector<double> x = made(generator("uniform", 5, 2.0, 3.0), {1000});
        for (std::size_t i = 0; i < x.size(); ++i)
            QVERIFY(x[i] == 2 + uniformAt(5, i));
        QVERIFY(made(generator("uniform", 5), {8}) != made(generator("uniform", 6), {8}));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("init");
        QTest::addColumn<double>("a");
        QTest::addColumn<double>("b");
        QTest::newRow("range upside down") << "uniform" << 1.0 << 0.0;
        QTest::newRow("range overflows") << "uniform" << -1e308 << 1e308;
        QTest::newRow("range not a number") << "uniform" << static_cast<double>(NAN) << 1.0;
        QTest::newRow("negative deviation") << "normal" << 0.0 << -1.0;
        QTest::newRow("unknown") << "gaussian" << 0.0 << 1.0;
    }
    void refusals()
    {
        QFETCH(QString, init);
        QFETCH(double, a);
        QFETCH(double, b);
        const Result<DDTensor> t = generate(generator(init.toStdString(), 0, a, b), {2}, SerialExec(Isa::Baseline));
        QVERIFY(!t.ok());
        QCOMPARE(t.error().code, std::string("source-init"));
        QVERIFY(t.error().message.find(init.toStdString()) != std::string::npos);
        QVERIFY(!t.error().remedy.empty());
    }

    void hostileShapes()
    {
        const SerialExec exec(Isa::Baseline);
        QCOMPARE(generate(generator("zeros"), {1 << 30, 1 << 30}, exec).error().code, std::string("source-shape"));
        QCOMPARE(generate(generator("zeros"), {-1}, exec).error().code, std::string("source-shape"));
        QCOMPARE(generate(generator("zeros"), {4}, StoppedExec()).error().code, std::string("stopped"));
    }

    void orderOfTasksDoesNotMatter()
    {
        const Shape shape{100003};
        const Result<DDTensor> a = generate(generator("normal"), shape, SerialExec(Isa::Baseline));
        const Result<DDTensor> b = generate(generator("normal"), shape, BackwardExec());
        QVERIFY(a.ok() && b.ok());
        QVERIFY(!a->hasLo());
        QCOMPARE(std::memcmp(a->hi(), b->hi(), 8 * 100003), 0);
        QVERIFY(a->hi()[77777] == 0.05 * normalAt(7, 77777));
    }
};

QTEST_GUILESS_MAIN(TestGenerators)
#include "tst_generators.moc"
