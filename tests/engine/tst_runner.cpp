// The runner as a whole: incremental by content, the same bits everywhere, stops, memory, refusals, batches.
#include "engine/dialects/dialects.h"
#include "engine/model/convert.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "tests/support/networks.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <set>

using namespace engine;

class RunnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void repeatsNothing();
    void recomputesOnlyWhatFollowsAnEdit();
    void undoIsServedFromTheCache();
    void sameBitsForAnyThreadCountAndWidth();
    void stopsWhereItIs();
    void refusesGraphsTooLargeForMemory();
    void refusesAMismatchUnderExplicit();
    void narrowsSilentlyUnderKeras();
    void nonFiniteInputsFlowAndAreCounted();
    void declinesTheGpuByName();
    void reportsUnknownDialects();
    void progressRisesToOne();
    void batchRowsAreTheRowsOfTheWhole();
    void missingArraysAreFindings();
    void sharesSumToOne();
    void scalarWeightsAreRoundedAtStorage();
    void floatxGivesLayersWithoutWeightsTheirDtype();
};

namespace {

std::shared_ptr<const RunSnapshot> mustRun(LocalRunner& runner, const RunRequest& request)
{
    auto s = runner.run(request, {});
    if (!s)
        qFatal("%s", s.error().text().c_str());
    return *s;
}

LocalRunner makeRunner(int threads = 2, Isa isa = bestIsa())
{
    return LocalRunner(opCatalog(), dialectCatalog(), {.threads = threads, .isa = isa});
}

bool sameBits(const Tensor& a, const Tensor& b)
{
    return a.dtype() == b.dtype() && a.shape() == b.shape() &&
           std::memcmp(a.raw(), b.raw(), static_cast<std::size_t>(a.bytes())) == 0;
}

void compareRuns(const RunSnapshot& a, const RunSnapshot& b)
{
    QCOMPARE(a.runs.size(), b.runs.size());
    for (std::size_t r = 0; r < a.runs.size(); ++r) {
        QCOMPARE(a.runs[r].nodes.size(), b.runs[r].nodes.size());
        for (std::size_t n = 0; n < a.runs[r].nodes.size(); ++n) {
            const NodeResult &x = a.runs[r].nodes[n], &y = b.runs[r].nodes[n];
            QVERIFY2(sameBits(x.output, y.output), x.name.c_str());
            QCOMPARE(x.error->rmse.value_or(-1), y.error->rmse.value_or(-1));
            QCOMPARE(x.error->medianBits.value_or(-1), y.error->medianBits.value_or(-1));
            for (std::size_t s = 0; s < kStageCount && x.stages; ++s)
                QCOMPARE(x.stages->stages[s].rmse, y.stages->stages[s].rmse);
        }
    }
}

const NodeResult& nodeOf(const RunResult& run, std::uint32_t id)
{
    for (const NodeResult& n : run.nodes)
        if (n.id.value == id)
            return n;
    qFatal("no node %u", id);
}

constexpr std::uint32_t kDense1 = 9; // of support::lenet

} // namespace

void RunnerTest::repeatsNothing()
{
    auto runner = makeRunner();
    const auto request = support::fourCombos(support::lenet(2, true));
    const auto first = mustRun(runner, request), second = mustRun(runner, request);
    QVERIFY(!first->referenceReused);
    QVERIFY(second->referenceReused);
    for (const RunResult& run : second->runs)
        for (const NodeResult& n : run.nodes)
            QVERIFY2(n.reused, n.name.c_str());
    compareRuns(*first, *second);
}

void RunnerTest::recomputesOnlyWhatFollowsAnEdit()
{
    auto runner = makeRunner();
    auto request = support::fourCombos(support::lenet(2, true));
    request.configurations.resize(1);
    mustRun(runner, request);
    Node dense = *request.graph.find({kDense1});
    dense.slots[static_cast<std::size_t>(Slot::Compute)] = SlotAsk::fixed(DType::f16);
    QVERIFY(request.graph.replaceNode(dense).ok());
    const auto edited = mustRun(runner, request);
    QVERIFY(edited->referenceReused);
    for (const NodeResult& n : edited->runs[0].nodes)
        QVERIFY2(n.reused == (n.id.value < kDense1), n.name.c_str());
}

void RunnerTest::undoIsServedFromTheCache()
{
    auto runner = makeRunner();
    auto request = support::fourCombos(support::lenet(2, true));
    const auto before = mustRun(runner, request);
    const Graph original = request.graph;
    Node dense = *request.graph.find({kDense1});
    dense.params["units"] = std::int64_t{64};
    QVERIFY(request.graph.replaceNode(dense).ok());
    const auto edited = mustRun(runner, request);
    QCOMPARE(nodeOf(edited->runs[0], kDense1).shape, (Shape{2, 64}));
    request.graph = original;
    const auto after = mustRun(runner, request);
    QVERIFY(after->referenceReused);
    for (const NodeResult& n : after->runs[3].nodes)
        QVERIFY(n.reused);
    compareRuns(*before, *after);
}

void RunnerTest::sameBitsForAnyThreadCountAndWidth()
{
    const auto request = support::fourCombos(support::lenet(3, true));
    auto one = makeRunner(1, bestIsa());
    const auto expected = mustRun(one, request);
    for (int threads : {2, 3}) {
        auto many = makeRunner(threads, bestIsa());
        compareRuns(*expected, *mustRun(many, request));
    }
    if (!isaAvailable(Isa::V4))
        QSKIP("this machine has no AVX-512: x86-64-v4 not compared");
    auto v3 = makeRunner(2, Isa::V3), v4 = makeRunner(2, Isa::V4);
    compareRuns(*mustRun(v3, request), *mustRun(v4, request));
}

void RunnerTest::stopsWhereItIs()
{
    auto runner = makeRunner();
    auto request = support::fourCombos(support::lenet(8, true));
    std::stop_source stop;
    int after = 0;
    const auto snapshot = runner.run(request, stop.get_token(), [&](const Progress& p) {
        after += stop.stop_requested() ? 1 : 0;
        if (p.what.starts_with("float32:float32"))
            stop.request_stop();
    });
    QVERIFY(snapshot.ok());
    QVERIFY((*snapshot)->stopped);
    QVERIFY((*snapshot)->runs.empty());
    QCOMPARE(after, 0);
    // What was interrupted left nothing wrong behind.
    auto fresh = makeRunner();
    compareRuns(*mustRun(fresh, request), *mustRun(runner, request));
}

void RunnerTest::refusesGraphsTooLargeForMemory()
{
    auto runner = makeRunner();
    auto request = support::fourCombos(support::lenet(4'000'000, true));
    const auto snapshot = runner.run(request, {});
    QVERIFY(!snapshot.ok());
    QCOMPARE(QString::fromStdString(snapshot.error().code), QString("memory-limit"));
    QVERIFY(snapshot.error().message.find(" TB") != std::string::npos);
    request = support::fourCombos(support::lenet(2, true));
    request.memoryLimit = 1000;
    QCOMPARE(QString::fromStdString(runner.run(request, {}).error().code), QString("memory-limit"));
    request.memoryLimit.reset();
    QVERIFY(mustRun(runner, request)->runs[0].ok);
}

void RunnerTest::refusesAMismatchUnderExplicit()
{
    auto runner = makeRunner();
    const auto s = mustRun(runner, support::fourCombos(support::articleNetwork(2, false)));
    QVERIFY(s->runs[0].ok && s->runs[3].ok);
    for (std::size_t r : {1u, 2u}) {
        const RunResult& run = s->runs[r];
        QVERIFY(!run.ok);
        QCOMPARE(run.nodes.size(), std::size_t{1}); // the input, before the refusal
        QCOMPARE(run.findings.size(), std::size_t{1});
        QCOMPARE(run.findings[0].node.value, 2u);
        QVERIFY(run.findings[0].severity == Severity::Error);
        QVERIFY(run.findings[0].message.find("float32") != std::string::npos);
        QVERIFY(run.findings[0].message.find("float64") != std::string::npos);
    }
}

void RunnerTest::narrowsSilentlyUnderKeras()
{
    auto runner = makeRunner();
    auto request = support::fourCombos(support::articleNetwork(2, false), "keras_tf26");
    const auto s = mustRun(runner, request);
    const RunResult& run = s->runs[2]; // float64:float32
    QVERIFY(run.ok);
    const NodeResult& conv = nodeOf(run, 2);
    QCOMPARE(conv.casts.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(conv.casts[0].port), QString("input"));
    QVERIFY(conv.casts[0].from == DType::f64 && conv.casts[0].to == DType::f32 && conv.casts[0].implicit);
    QCOMPARE(conv.effectiveBits, 24);
    // 53-bit uniforms: one in 2^29 is a float32 by chance.
    QCOMPARE(conv.casts[0].changed, 1.0);
    QVERIFY(*conv.casts[0].maxUlp <= 0.5 && *conv.casts[0].maxUlp > 0.49);
}

void RunnerTest::nonFiniteInputsFlowAndAreCounted()
{
    support::Chain c;
    Source values;
    values.kind = Source::Kind::Values;
    values.values = {1.0, std::nan(""), HUGE_VAL, -2.0, 0.1, 0.3};
    c.add("input", {{"shape", IntList{6}}, {"value", values}});
    c.add("relu");
    c.add("output");
    auto request = support::fourCombos(c.graph());
    request.configurations.resize(1);
    auto runner = makeRunner();
    const auto snapshot = mustRun(runner, request);
    const NodeResult& relu = nodeOf(snapshot->runs[0], 2);
    QCOMPARE(relu.error->nan, 1);
    QCOMPARE(relu.error->inf, 1);
    QCOMPARE(relu.error->overflow, 0); // they were there in the source
    QVERIFY(!relu.error->firstBad);
    QCOMPARE(relu.error->zeroRef, 1); // relu(-2)
    // float32(0.3) - 0.3 is the largest error of the finite ones: 0.3 lies 0.3 * 2^-25.3 off.
    const double expected = double(0.3f) - 0.3;
    QCOMPARE(*relu.error->maxAbs, std::abs(expected));
}

void RunnerTest::declinesTheGpuByName()
{
    auto runner = makeRunner();
    auto request = support::fourCombos(support::articleNetwork(1, true));
    request.backend = "cuda";
    const auto s = runner.run(request, {});
    QVERIFY(!s.ok());
    QCOMPARE(QString::fromStdString(s.error().code), QString("backend-unavailable"));
    QVERIFY(!s.error().message.empty());
    request.backend = "abacus";
    QCOMPARE(QString::fromStdString(runner.run(request, {}).error().code), QString("backend-unknown"));
}

void RunnerTest::reportsUnknownDialects()
{
    auto runner = makeRunner();
    const auto s = runner.run(support::fourCombos(support::articleNetwork(1, true), "esperanto"), {});
    QCOMPARE(QString::fromStdString(s.error().code), QString("dialect-unknown"));
    QVERIFY(s.error().place.find("esperanto") != std::string::npos);
}

void RunnerTest::progressRisesToOne()
{
    auto runner = makeRunner();
    double last = 0;
    bool rises = true;
    QVERIFY(runner
                .run(support::fourCombos(support::lenet(1, true)), {},
                     [&](const Progress& p) {
                         rises = rises && p.fraction >= last;
                         last = p.fraction;
                     })
                .ok());
    QVERIFY(rises);
    QVERIFY2(last > 0.99 && last <= 1.0, qPrintable(QString::number(last)));
}

void RunnerTest::batchRowsAreTheRowsOfTheWhole()
{
    auto runner = makeRunner();
    auto request = support::fourCombos(support::lenet(5, true));
    request.configurations.resize(1);
    const auto whole = mustRun(runner, request);
    request.batch = {{1, 4}};
    const auto part = mustRun(runner, request);
    const Tensor &a = whole->runs[0].nodes.back().output, &b = part->runs[0].nodes.back().output;
    QCOMPARE(b.shape(), (Shape{3, 10}));
    QVERIFY(std::memcmp(a.raw() + 10 * 4, b.raw(), 3 * 10 * 4) == 0);
    request.batch = {{4, 6}};
    const auto outside = mustRun(runner, request);
    QVERIFY(!outside->runs[0].ok);
    QVERIFY(outside->runs[0].findings[0].message.find("4:6") != std::string::npos);
}

void RunnerTest::missingArraysAreFindings()
{
    support::Chain c;
    Source missing;
    missing.kind = Source::Kind::File;
    missing.name = "nowhere.npy";
    c.add("input", {{"shape", IntList{-1, 4}}, {"value", missing}}, "data");
    c.add("relu");
    auto request = support::fourCombos(c.graph());
    auto runner = makeRunner();
    const auto s = mustRun(runner, request);
    QVERIFY(!s->runs[0].ok);
    QCOMPARE(s->runs[0].findings.size(), std::size_t{1});
    QCOMPARE(s->runs[0].findings[0].node.value, 1u);
    QVERIFY(s->runs[0].findings[0].message.find("nowhere.npy") != std::string::npos);
}

void RunnerTest::sharesSumToOne()
{
    auto runner = makeRunner();
    auto request = support::fourCombos(support::lenet(2, false), "keras_tf26");
    request.keepStages = true;
    const auto s = mustRun(runner, request);
    int checked = 0;
    for (const RunResult& run : s->runs)
        for (const NodeResult& n : run.nodes) {
            QVERIFY2(n.stages, n.name.c_str());
            const DDTensor& r = s->reference.at(n.id);
            const Tensor y = toFloat64(n.output, SerialExec());
            for (std::int64_t i = 0; i < y.elements(); ++i) {
                double sum = 0, magnitude = 0;
                for (const Tensor& t : n.stages->signedStages) {
                    sum += t.data<double>()[i];
                    magnitude += std::abs(t.data<double>()[i]);
                }
                const double total = (y.data<double>()[i] - r.hi()[i]) - (r.hasLo() ? r.lo()[i] : 0);
                QVERIFY2(std::abs(sum - total) <= 0x1p-50 * magnitude, n.name.c_str());
            }
            if (!n.stages->stages[0].share)
                continue;
            double shares = 0;
            for (const StageFigures& f : n.stages->stages)
                shares += *f.share;
            QVERIFY2(std::abs(shares - 1) < 1e-9, n.name.c_str());
            ++checked;
        }
    QVERIFY(checked > 30);
}

void RunnerTest::scalarWeightsAreRoundedAtStorage()
{
    // 0.3 as a float32 weight, used in float64: its rounding belongs to storage, not to arithmetic.
    support::Chain c;
    Source one;
    one.kind = Source::Kind::Values;
    one.values = {-1.0};
    c.add("input", {{"shape", IntList{1}}, {"value", one}});
    c.add("leaky_relu", {{"alpha", 0.3}});
    auto request = support::fourCombos(c.graph());
    request.configurations = {{"explicit", {DType::f64, DType::f32}}};
    auto runner = makeRunner();
    const auto s = mustRun(runner, request);
    const NodeResult& n = nodeOf(s->runs[0], 2);
    const double expected = double(0.3f) - 0.3;
    QVERIFY(*n.error->maxAbs == std::abs(expected));
    QVERIFY(n.stages->stages[static_cast<std::size_t>(Stage::Storage)].rmse == std::abs(expected));
    QVERIFY(*n.stages->stages[static_cast<std::size_t>(Stage::Storage)].share == 1.0);
    QVERIFY(n.stages->stages[static_cast<std::size_t>(Stage::Arithmetic)].rmse == 0.0);
}

void RunnerTest::floatxGivesLayersWithoutWeightsTheirDtype()
{
    // The first article: an identity layer under tf.keras, 0.1 as float64.
    support::Chain c;
    Source tenth;
    tenth.kind = Source::Kind::Values;
    tenth.values = {0.1};
    c.add("input", {{"shape", IntList{1}}, {"value", tenth}});
    c.add("identity", {}, "model");
    c.add("output");
    auto request = support::fourCombos(c.graph(), "keras_tf26");
    request.configurations = {{"keras_tf26", {DType::f64, DType::f64}}};
    auto runner = makeRunner();
    auto s = mustRun(runner, request);
    QVERIFY(nodeOf(s->runs[0], 2).dtype == DType::f32);
    // The double nearest 0.1 exceeds its float32 by 1.49e-9 (0x1.99999ap-4 - 0x1.999999999999ap-4).
    QCOMPARE(*nodeOf(s->runs[0], 2).error->maxAbs, 0x1.99999ap-4 - 0x1.999999999999ap-4);
    request.floatx = DType::f64;
    s = mustRun(runner, request);
    QVERIFY(nodeOf(s->runs[0], 2).dtype == DType::f64);
    QCOMPARE(*nodeOf(s->runs[0], 2).error->maxAbs, 0.0);
    request.floatx = DType::f32;
    Node model = *request.graph.find({2});
    model.layerDtype = DType::f64;
    QVERIFY(request.graph.replaceNode(model).ok());
    s = mustRun(runner, request);
    QVERIFY(nodeOf(s->runs[0], 2).dtype == DType::f64);
}

QTEST_GUILESS_MAIN(RunnerTest)
#include "tst_runner.moc"
