// From results to points: kinds instead of numbers that a logarithm would swallow, refused combos that stop and say
// why, stages, histograms, and numbers as words. Hand-made snapshots, and real ones.
#include <QtTest>

#include "engine/dialects/dialects.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "tests/support/networks.h"
#include "ui/live/error_series.h"

#include <cmath>

using namespace ui;
using engine::DType;
using engine::ErrorMetrics;
using engine::NodeResult;
using engine::RunResult;
using engine::RunSnapshot;

class ErrorSeriesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void metricsHaveNamesAndValues();
    void kinds_data();
    void kinds();
    void pointsFollowTheGraph();
    void refusedCombosStopAndSayWhy();
    void boundsInTheMetricsUnit();
    void boundsOfARealRunHold();
    void stages();
    void stagesOfARealRun();
    void ulpHistogram();
    void numbers_data();
    void numbers();
};

namespace {

constexpr Metric kAll[] = {Metric::RelL2,   Metric::MaxAbs, Metric::Rmse,      Metric::MaxUlp,
                           Metric::MeanUlp, Metric::MaxRel, Metric::MedianBits};

NodeResult nodeOf(std::uint32_t id, std::optional<ErrorMetrics> error)
{
    NodeResult n;
    n.id = {id};
    n.name = "node" + std::to_string(id);
    n.error = std::move(error);
    return n;
}

ErrorMetrics metrics(double relL2, double rmse)
{
    ErrorMetrics e;
    e.relL2 = relL2;
    e.rmse = rmse;
    e.maxAbs = 2 * rmse;
    e.maxRel = 3 * relL2;
    e.maxUlp = 4.5;
    e.meanUlp = 0.5;
    e.medianBits = 20;
    if (relL2 > 0)
        e.rmsReference = rmse / relL2;
    return e;
}

std::shared_ptr<const RunSnapshot> runReal(const engine::RunRequest& request)
{
    engine::LocalRunner runner(engine::opCatalog(), engine::dialectCatalog(), {.threads = 2});
    auto s = runner.run(request, {});
    if (!s)
        qFatal("%s", s.error().text().c_str());
    return *s;
}

} // namespace

void ErrorSeriesTest::metricsHaveNamesAndValues()
{
    QCOMPARE(metricTitle(Metric::RelL2), QString("Relative L2"));
    QCOMPARE(metricUnit(Metric::RelL2), QString("against source values"));
    QCOMPARE(metricUnit(Metric::MeanUlp), QString("ULP of the output dtype"));
    QCOMPARE(metricUnit(Metric::MedianBits), QString("bits"));
    QSet<QString> titles;
    for (Metric m : kAll)
        titles << metricTitle(m);
    QCOMPARE(titles.size(), 7);
    const ErrorMetrics e = metrics(1e-3, 2);
    const std::vector<double> expected{1e-3, 4, 2, 4.5, 0.5, 3e-3, 20};
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(*metricOf(e, kAll[i]), expected[i]);
    QVERIFY(!metricOf({}, Metric::RelL2));
    QVERIFY(isLogarithmic(Metric::MaxUlp) && !isLogarithmic(Metric::MedianBits));
}

void ErrorSeriesTest::kinds_data()
{
    QTest::addColumn<int>("metric");
    QTest::addColumn<double>("value"); // of it; below 0: absent
    QTest::addColumn<double>("maxAbs");
    QTest::addColumn<bool>("isBad"); // an Inf where the reference is finite
    QTest::addColumn<int>("kind");
    const auto row = [](const char* name, Metric m, double value, double maxAbs, bool isBad, PointKind kind) {
        QTest::newRow(name) << static_cast<int>(m) << value << maxAbs << isBad << static_cast<int>(kind);
    };
    row("a number", Metric::RelL2, 1e-8, 1e-8, false, PointKind::Value);
    row("smallest", Metric::RelL2, 5e-324, 5e-324, false, PointKind::Value);
    row("exact", Metric::RelL2, 0, 0, false, PointKind::Exact);
    row("exact where all is zero", Metric::RelL2, -1, 0, false, PointKind::Exact);
    row("one Inf spoils a finite rest", Metric::RelL2, 1e-8, 1e-8, true, PointKind::NotFinite);
    row("one Inf spoils an exact rest", Metric::MaxAbs, 0, 0, true, PointKind::NotFinite);
    row("an infinite metric", Metric::MaxRel, HUGE_VAL, 1, false, PointKind::NotFinite);
    row("nothing finite", Metric::RelL2, -1, -1, true, PointKind::NotFinite);
    row("no r but zero, y wrong", Metric::RelL2, -1, 3, false, PointKind::Absent);
    row("exact where r is not zero", Metric::MaxUlp, 0, 3, false, PointKind::Exact);
    row("bits", Metric::MedianBits, 20, 1, false, PointKind::Value);
    row("no bits at all", Metric::MedianBits, 0, 1, false, PointKind::Value);
    row("a median minds no Inf", Metric::MedianBits, 20, 1, true, PointKind::Value);
    row("all bits", Metric::MedianBits, 24, 0, false, PointKind::Exact);
    row("bits of an integer", Metric::MedianBits, -1, 0, false, PointKind::Absent);
}

void ErrorSeriesTest::kinds()
{
    QFETCH(int, metric);
    QFETCH(double, value);
    QFETCH(double, maxAbs);
    QFETCH(bool, isBad);
    QFETCH(int, kind);
    const auto asked = static_cast<Metric>(metric);
    ErrorMetrics e;
    e.elements = 4;
    if (maxAbs >= 0)
        e.maxAbs = maxAbs;
    if (isBad)
        e.firstBad = 2, e.inf = 1;
    const std::optional<double> v = value < 0 ? std::nullopt : std::optional(value);
    (asked == Metric::RelL2        ? e.relL2
     : asked == Metric::MaxRel     ? e.maxRel
     : asked == Metric::MaxUlp     ? e.maxUlp
     : asked == Metric::MedianBits ? e.medianBits
                                   : e.maxAbs) = v;
    QCOMPARE(static_cast<int>(kindOf(e, asked)), kind);
    // And as a point: a number only where it is one.
    RunSnapshot s;
    s.runs.resize(1);
    s.runs[0].nodes = {nodeOf(1, e)};
    const SeriesPoint p = byLayer(s, asked)[0].points.at(0);
    QCOMPARE(static_cast<int>(p.kind), kind);
    QCOMPARE(p.value, p.kind == PointKind::Value ? value : 0.0);
}

void ErrorSeriesTest::pointsFollowTheGraph()
{
    RunSnapshot s;
    s.runs.resize(2);
    s.runs[0].combo = engine::kFourCombos[2];
    s.runs[1].combo = engine::kFourCombos[3];
    for (RunResult& run : s.runs) {
        run.ok = true;
        run.nodes = {nodeOf(4, metrics(1e-8, 1)), nodeOf(2, std::nullopt), nodeOf(9, metrics(0, 0))};
    }
    const auto all = byLayer(s, Metric::RelL2);
    QCOMPARE(all.size(), std::size_t{2});
    QVERIFY(all[1].combo == engine::kFourCombos[3] && all[1].ok && all[1].refusal.isEmpty());
    const auto& points = all[0].points;
    QCOMPARE(points.size(), std::size_t{3});
    QVERIFY(points[0].node == engine::NodeId{4} && points[2].node == engine::NodeId{9});
    QCOMPARE(points[0].label, QString("node4"));
    QVERIFY(points[0].kind == PointKind::Value && points[1].kind == PointKind::Absent &&
            points[2].kind == PointKind::Exact);
    QVERIFY(all[0].arithmetic.empty() && all[0].bound.empty());
}

void ErrorSeriesTest::refusedCombosStopAndSayWhy()
{
    const auto s = runReal(support::fourCombos(support::articleNetwork(2, false)));
    const auto all = byLayer(*s, Metric::RelL2);
    QCOMPARE(all.size(), std::size_t{4});
    QCOMPARE(all[0].points.size(), std::size_t{3});
    for (std::size_t r : {1u, 2u}) {
        QVERIFY(!all[r].ok);
        QCOMPARE(all[r].points.size(), std::size_t{1});
        QVERIFY(all[r].refusal.contains("float32") && all[r].refusal.contains("float64"));
        QVERIFY(!all[r].refusal.contains('\n'));
    }
    const auto bars = stageBars(*s, {2});
    QVERIFY(bars[0].ok && !bars[1].ok && !bars[2].ok && bars[3].ok);
    QCOMPARE(bars[1].refusal, all[1].refusal);
    QVERIFY(!bars[1].relL2 && !bars[1].share[0] && !bars[1].isExact);
    // A remark is no reason.
    RunResult run;
    run.findings.resize(2);
    run.findings[0].message = "a warning";
    run.findings[1].severity = engine::Severity::Error;
    run.findings[1].message = "no kernel\nfor this";
    QCOMPARE(refusalOf(run), QString("no kernel for this"));
    run.ok = true;
    QVERIFY(refusalOf(run).isEmpty());
}

void ErrorSeriesTest::boundsInTheMetricsUnit()
{
    NodeResult n = nodeOf(1, metrics(1e-6, 1e-3)); // the reference's RMS is 1000
    n.bound.emplace();
    n.bound->maxAbs = 0.5;
    n.bound->rms = 0.25;
    n.bound->maxArithmetic = 0.125;
    RunSnapshot s;
    s.runs.resize(1);
    s.runs[0].nodes = {n};
    QVERIFY(byLayer(s, Metric::MaxAbs)[0].bound.empty()); // the stages are not here yet
    s.runs[0].nodes[0].stages.emplace().stages[static_cast<std::size_t>(engine::Stage::Arithmetic)].rmse = 1e-4;
    const auto at = [&](Metric m) { return byLayer(s, m)[0]; };
    QCOMPARE(at(Metric::MaxAbs).arithmetic.at(0).value, 0.125);
    QCOMPARE(at(Metric::MaxAbs).bound.at(0).value, 0.5);
    QCOMPARE(at(Metric::Rmse).arithmetic.at(0).value, 1e-4);
    QCOMPARE(at(Metric::Rmse).bound.at(0).value, 0.25);
    QCOMPARE(at(Metric::RelL2).arithmetic.at(0).value, 1e-7);
    QCOMPARE(at(Metric::RelL2).bound.at(0).value, 2.5e-4);
    for (Metric m : {Metric::MaxUlp, Metric::MeanUlp, Metric::MaxRel, Metric::MedianBits})
        QVERIFY(at(m).arithmetic.empty() && at(m).bound.empty());
    s.runs[0].nodes[0].bound->maxArithmetic = 0;
    QVERIFY(at(Metric::MaxAbs).arithmetic.at(0).kind == PointKind::Exact);
    s.runs[0].nodes[0].error->rmsReference.reset();
    QVERIFY(at(Metric::RelL2).bound.at(0).kind == PointKind::Absent);
}

void ErrorSeriesTest::boundsOfARealRunHold()
{
    const auto s = runReal(support::fourCombos(support::lenet(2, false), "keras_tf26"));
    for (Metric m : {Metric::RelL2, Metric::MaxAbs, Metric::Rmse})
        for (const ErrorSeries& series : byLayer(*s, m)) {
            QCOMPARE(series.points.size(), std::size_t{13});
            QCOMPARE(series.arithmetic.size(), std::size_t{4}); // two conv2d, two dense
            for (std::size_t k = 0; k < 4; ++k) {
                QVERIFY(series.arithmetic[k].node == series.bound[k].node);
                QVERIFY(series.arithmetic[k].kind == PointKind::Value && series.bound[k].kind == PointKind::Value);
                QVERIFY(series.arithmetic[k].value <= series.bound[k].value);
                QVERIFY(series.arithmetic[k].value > 1e-4 * series.bound[k].value); // the same unit
            }
        }
}

void ErrorSeriesTest::stages()
{
    RunSnapshot s;
    s.runs.resize(3);
    NodeResult n = nodeOf(7, metrics(1e-8, 1));
    n.stages.emplace();
    for (std::size_t k = 0; k < engine::kStageCount; ++k)
        n.stages->stages[k].share = std::array{-0.25, 0.5, 0.75, 0.0, 0.0}[k];
    NodeResult exact = nodeOf(7, metrics(0, 0));
    exact.stages.emplace(); // the total is zero: no shares
    s.runs[0].nodes = {n};
    s.runs[1].nodes = {exact};
    s.runs[2].nodes = {nodeOf(7, metrics(1e-8, 1))}; // the stages are not here yet
    const auto bars = stageBars(s, {7});
    QCOMPARE(bars.size(), std::size_t{3});
    QCOMPARE(*bars[0].share[0], -0.25);
    QCOMPARE(*bars[0].share[2], 0.75);
    QCOMPARE(*bars[0].relL2, 1e-8);
    QVERIFY(bars[0].ok && !bars[0].isExact);
    QVERIFY(bars[1].ok && bars[1].isExact && !bars[1].share[0]);
    QVERIFY(bars[2].ok && !bars[2].isExact && !bars[2].share[0] && bars[2].relL2);
    for (const StageBar& bar : stageBars(s, {8}))
        QVERIFY(!bar.ok);
}

void ErrorSeriesTest::stagesOfARealRun()
{
    // float64 images into float32 layers: what was lost at the cast is there, and only there where the input is wide.
    const auto s = runReal(support::fourCombos(support::articleNetwork(2, false), "keras_tf26"));
    const auto bars = stageBars(*s, {2});
    for (const StageBar& bar : bars) {
        double sum = 0;
        for (const auto& share : bar.share)
            sum += share.value_or(0);
        QVERIFY(std::abs(sum - 1) < 1e-9);
    }
    const auto cast = static_cast<std::size_t>(engine::Stage::Cast);
    QVERIFY(*bars[2].share[cast] != 0 && *bars[0].share[cast] == 0 && *bars[3].share[cast] == 0);
}

void ErrorSeriesTest::ulpHistogram()
{
    ErrorMetrics e;
    QVERIFY(ulpBars(e).empty());
    e.ulpHistogram = {10, 20, 30, 0, 0, 0, 0, 0, 140};
    const auto bars = ulpBars(e);
    QStringList labels;
    double total = 0;
    for (const HistogramBar& bar : bars) {
        labels << bar.label;
        total += bar.percent;
    }
    QCOMPARE(labels, (QStringList{"0", "≤0.5", "≤1", "≤2", "≤4", "≤8", "≤16", "≤32", ">32"}));
    QCOMPARE(bars[2].count, 30);
    QCOMPARE(bars[0].percent, 5.0);
    QCOMPARE(bars[8].percent, 70.0);
    QCOMPARE(total, 100.0);
}

void ErrorSeriesTest::numbers_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("digits");
    QTest::addColumn<QString>("text");
    const auto row = [](double value, int digits, const QString& text) {
        QTest::newRow(qPrintable(text + " from " + QString::number(value, 'g', 17))) << value << digits << text;
    };
    row(6.31e-8, 2, "6.3e−8");
    row(1e-16, 2, "1.0e−16");
    row(6.306e-8, 3, "6.31e−8");
    row(0.0118, 3, "1.18e−2");
    row(0.34, 2, "0.34");
    row(0.0996, 2, "0.10");
    row(2.8, 2, "2.8");
    row(9.96, 2, "10");
    row(24, 3, "24.0");
    row(144.04, 2, "144");
    row(999.4, 2, "999");
    row(999.96, 2, "1.0e3");
    row(862969, 3, "8.63e5");
    row(-0.25, 2, "−0.25");
    row(-1e-9, 1, "−1e−9");
    row(0, 2, "0");
    row(-0.0, 2, "0");
    row(HUGE_VAL, 2, "Inf");
    row(-HUGE_VAL, 2, "−Inf");
    row(std::nan(""), 2, "NaN");
    row(5e-324, 2, "4.9e−324");
}

void ErrorSeriesTest::numbers()
{
    QFETCH(double, value);
    QFETCH(int, digits);
    QFETCH(QString, text);
    QCOMPARE(shortNumber(value, digits), text);
}

QTEST_GUILESS_MAIN(ErrorSeriesTest)
#include "tst_error_series.moc"
