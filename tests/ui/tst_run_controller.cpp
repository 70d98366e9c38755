// Runs on their way to the screen: latest wins, a stop is seen, results arrive in order and never newer than asked
// for, the event loop goes on meanwhile, and destruction waits for nothing. With a runner that does what the test
// says, and with the real one.
#include <QTimer>
#include <QtTest>

#include "engine/dialects/dialects.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "tests/support/fake_runner.h"
#include "tests/support/networks.h"
#include "ui/live/run_controller.h"
#include "ui/live/snapshot_store.h"

using support::FakeCall;
using support::FakeRunner;
using support::Gate;
using ui::RunController;
using ui::SnapshotStore;

class RunControllerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoHundredRequestsGiveTwoRuns();
    void aNewerRequestStopsTheOneInFlight();
    void theEventLoopGoesOnMeanwhile();
    void partialResultsArriveInOrder();
    void neverNewerThanAskedFor();
    void stopEndsARun();
    void stopDropsWhatWaits();
    void errorsReachTheStore();
    void errorsOfSupersededRunsDoNot();
    void destructionDuringARun();
    void progressIsThrottled();
    void realRunnerDeliversWhatItWouldReturn();
    void realRunnerStopsInsideALongRun();
    void realRunnerUnderAStormOfEdits();
};

namespace {

constexpr int kLong = 60000; // ms: only a defect waits that long

engine::RunRequest requestOf(std::uint64_t revision)
{
    engine::RunRequest r = support::fourCombos({}, "promote");
    r.revision = revision;
    return r;
}

engine::Result<support::SnapshotPtr> wholeOf(const FakeCall& call)
{
    return support::emptySnapshot(call.request, 4, false);
}

engine::Result<support::SnapshotPtr> stoppedOf(const FakeCall& call)
{
    auto s = std::make_shared<engine::RunSnapshot>();
    s->revision = call.request.revision;
    s->stopped = true;
    return support::SnapshotPtr(std::move(s));
}

// A store, a fake runner and its controller.
struct Bench {
    explicit Bench(FakeRunner::Body body)
        : controller(std::make_unique<RunController>(std::make_unique<FakeRunner>(log, std::move(body)), store))
    {
    }
    std::uint64_t revision() const { return store.snapshot() ? store.snapshot()->revision : 0; }
    bool waitFor(const std::function<bool()>& done) const { return QTest::qWaitFor(done, kLong); }
    bool waitUntilIdle() const
    {
        return waitFor([&] { return !store.isRunning(); });
    }

    FakeRunner::Log log;
    SnapshotStore store;
    std::unique_ptr<RunController> controller;
};

std::unique_ptr<engine::Runner> realRunner()
{
    return std::make_unique<engine::LocalRunner>(engine::opCatalog(), engine::dialectCatalog(),
                                                 engine::RunnerOptions{.threads = 2});
}

} // namespace

void RunControllerTest::twoHundredRequestsGiveTwoRuns()
{
    Gate gate;
    Bench bench([&](const FakeCall& call) {
        if (call.request.revision == 1)
            gate.pass(); // a step that sees no stop
        return call.stop.stop_requested() ? stoppedOf(call) : wholeOf(call);
    });
    bench.controller->request(requestOf(1));
    QVERIFY(bench.waitFor([&] { return !bench.log.starts().empty(); }));
    for (std::uint64_t revision = 2; revision <= 200; ++revision)
        bench.controller->request(requestOf(revision));
    QVERIFY(bench.store.isRunning() && bench.store.isStale());
    gate.open();
    QVERIFY(bench.waitUntilIdle());
    QCOMPARE(bench.log.starts(), (std::vector<std::uint64_t>{1, 200}));
    QCOMPARE(bench.log.stops(), (std::vector<std::uint64_t>{1}));
    QCOMPARE(bench.revision(), std::uint64_t{200});
    QVERIFY(!bench.store.isStale());
}

void RunControllerTest::aNewerRequestStopsTheOneInFlight()
{
    Gate never;
    Bench bench([&](const FakeCall& call) {
        return call.request.revision < 5 && !never.pass(call.stop) ? stoppedOf(call) : wholeOf(call);
    });
    for (std::uint64_t revision = 1; revision <= 5; ++revision) {
        bench.controller->request(requestOf(revision));
        QVERIFY(bench.waitFor([&] { return bench.log.starts().size() == revision; }));
    }
    QVERIFY(bench.waitUntilIdle());
    QCOMPARE(bench.log.stops(), (std::vector<std::uint64_t>{1, 2, 3, 4}));
    QCOMPARE(bench.revision(), std::uint64_t{5});
}

void RunControllerTest::theEventLoopGoesOnMeanwhile()
{
    Gate gate;
    Bench bench([&](const FakeCall& call) {
        gate.pass();
        return wholeOf(call);
    });
    bench.controller->request(requestOf(1));
    // The run ends only after timers and posted events were handled while it was in flight.
    int ticks = 0, events = 0;
    bool wasRunning = true;
    QTimer timer;
    QObject receiver;
    connect(&timer, &QTimer::timeout, &receiver, [&] {
        ++ticks;
        wasRunning = wasRunning && (bench.store.isRunning() || ticks > 50);
        QMetaObject::invokeMethod(
            &receiver, [&] { ++events; }, Qt::QueuedConnection);
        if (ticks == 50)
            gate.open();
    });
    timer.start(1);
    QVERIFY(bench.waitUntilIdle());
    QVERIFY(wasRunning && ticks >= 50 && events >= 49);
    QCOMPARE(bench.revision(), std::uint64_t{1});
}

void RunControllerTest::partialResultsArriveInOrder()
{
    Gate seen;
    Bench bench([&](const FakeCall& call) {
        for (std::size_t runs = 1; runs <= 4; ++runs) {
            call.onPartial(support::emptySnapshot(call.request, runs, true));
            seen.pass();
        }
        return wholeOf(call);
    });
    std::vector<std::size_t> sizes;
    std::vector<bool> partial;
    connect(&bench.store, &SnapshotStore::changed, this, [&] {
        if (!bench.store.snapshot())
            return;
        sizes.push_back(bench.store.snapshot()->runs.size());
        partial.push_back(bench.store.snapshot()->partial);
        QVERIFY(bench.store.canvasRun()->combo == engine::kFourCombos[0]);
        seen.open();
    });
    bench.controller->request(requestOf(3));
    QVERIFY(bench.waitFor([&] { return sizes.size() == 5; }));
    QCOMPARE(sizes, (std::vector<std::size_t>{1, 2, 3, 4, 4}));
    QCOMPARE(partial, (std::vector<bool>{true, true, true, true, false}));
    QVERIFY(bench.waitUntilIdle());
}

void RunControllerTest::neverNewerThanAskedFor()
{
    Bench bench([&](const FakeCall& call) {
        call.onPartial(support::emptySnapshot(call.request, 1, true));
        return call.stop.stop_requested() ? stoppedOf(call) : wholeOf(call);
    });
    std::uint64_t asked = 0, last = 0;
    bool isOrdered = true;
    connect(&bench.store, &SnapshotStore::changed, this, [&] {
        const std::uint64_t now = bench.revision();
        isOrdered = isOrdered && now >= last && now <= asked && bench.store.isStale() == (now != asked);
        last = now;
    });
    for (int round = 0; round < 300; ++round) {
        bench.controller->request(requestOf(++asked));
        if (round % 3 == 0)
            QCoreApplication::processEvents();
        if (round % 50 == 0)
            QTest::qWait(5);
    }
    QVERIFY(bench.waitUntilIdle());
    QVERIFY(isOrdered);
    QCOMPARE(bench.revision(), asked);
    QTRY_COMPARE(last, asked);
}

void RunControllerTest::stopEndsARun()
{
    Gate never;
    Bench bench([&](const FakeCall& call) {
        call.onPartial(support::emptySnapshot(call.request, 1, true));
        return never.pass(call.stop) ? wholeOf(call) : stoppedOf(call);
    });
    bench.controller->request(requestOf(1));
    QVERIFY(bench.waitFor([&] { return bench.revision() == 1; }));
    bench.controller->stop();
    QVERIFY(bench.waitUntilIdle());
    QCOMPARE(bench.log.stops(), (std::vector<std::uint64_t>{1}));
    QCOMPARE(bench.store.snapshot()->runs.size(), std::size_t{1}); // what was ready stays
    QVERIFY(bench.store.error().isEmpty());
    bench.controller->stop(); // nothing in flight
    QVERIFY(!bench.store.isRunning());
}

void RunControllerTest::stopDropsWhatWaits()
{
    Gate gate;
    Bench bench([&](const FakeCall& call) {
        gate.pass();
        return call.stop.stop_requested() ? stoppedOf(call) : wholeOf(call);
    });
    bench.controller->request(requestOf(1));
    QVERIFY(bench.waitFor([&] { return !bench.log.starts().empty(); }));
    bench.controller->request(requestOf(2));
    bench.controller->stop();
    gate.open(2);
    QVERIFY(bench.waitUntilIdle());
    QTest::qWait(20);
    QCOMPARE(bench.log.starts(), (std::vector<std::uint64_t>{1}));
    QVERIFY(!bench.store.snapshot());
}

void RunControllerTest::errorsReachTheStore()
{
    Bench bench([&](const FakeCall& call) -> engine::Result<support::SnapshotPtr> {
        if (call.request.revision == 1)
            return engine::Error{"memory-limit", "the graph", "running it needs 9 TB", "use a smaller batch"};
        if (call.request.revision == 2)
            throw std::bad_alloc();
        return wholeOf(call);
    });
    bench.controller->request(requestOf(1));
    QVERIFY(bench.waitUntilIdle());
    QVERIFY(bench.store.error().contains("9 TB") && bench.store.error().contains("smaller batch"));
    QVERIFY(!bench.store.snapshot());
    bench.controller->request(requestOf(2));
    QVERIFY(bench.waitUntilIdle());
    QVERIFY(bench.store.error().contains("bad_alloc"));
    bench.controller->request(requestOf(3));
    QVERIFY(bench.waitUntilIdle());
    QVERIFY(bench.store.error().isEmpty());
    QCOMPARE(bench.revision(), std::uint64_t{3});
}

void RunControllerTest::errorsOfSupersededRunsDoNot()
{
    Gate never, second;
    Bench bench([&](const FakeCall& call) -> engine::Result<support::SnapshotPtr> {
        if (call.request.revision == 1 && !never.pass(call.stop))
            return engine::Error{"broken", "the graph", "half done", {}};
        second.pass();
        return wholeOf(call);
    });
    bench.controller->request(requestOf(1));
    QVERIFY(bench.waitFor([&] { return !bench.log.starts().empty(); }));
    bench.controller->request(requestOf(2));
    QVERIFY(bench.waitFor([&] { return bench.log.starts().size() == 2; })); // the first has returned
    QTest::qWait(20);
    QVERIFY(bench.store.error().isEmpty());
    second.open();
    QVERIFY(bench.waitUntilIdle());
    QCOMPARE(bench.revision(), std::uint64_t{2});
}

void RunControllerTest::destructionDuringARun()
{
    Gate never;
    Bench bench([&](const FakeCall& call) {
        call.onPartial(support::emptySnapshot(call.request, 1, true)); // never collected
        return never.pass(call.stop) ? wholeOf(call) : stoppedOf(call);
    });
    bench.controller->request(requestOf(1));
    QVERIFY(bench.waitFor([&] { return !bench.log.starts().empty(); }));
    bench.controller.reset();
    QCOMPARE(bench.log.alive.load(), 0);
    QCOMPARE(bench.log.stops(), (std::vector<std::uint64_t>{1}));
    QCoreApplication::processEvents();
    QVERIFY(bench.revision() <= 1);
    // One that never ran.
    Bench idle([](const FakeCall& call) { return wholeOf(call); });
    idle.controller.reset();
    QCOMPARE(idle.log.alive.load(), 0);
}

void RunControllerTest::progressIsThrottled()
{
    Bench bench([&](const FakeCall& call) {
        QElapsedTimer busy;
        for (busy.start(); busy.elapsed() < 200;)
            call.onProgress({0.5, "step"});
        return wholeOf(call);
    });
    int announced = 0;
    connect(
        bench.controller.get(), &RunController::woken, this, [&] { ++announced; }, Qt::QueuedConnection);
    QElapsedTimer clock;
    clock.start();
    bench.controller->request(requestOf(1));
    QVERIFY(bench.waitUntilIdle());
    // The first, one an interval, the result, the end.
    QVERIFY(announced <= clock.elapsed() / SnapshotStore::kAnnounceMs + 3);
}

void RunControllerTest::realRunnerDeliversWhatItWouldReturn()
{
    engine::RunRequest request = support::fourCombos(support::lenet(2, false), "keras_tf26");
    request.revision = 12;
    std::swap(request.configurations[0], request.configurations[2]);
    const auto expected = realRunner()->run(request, {}, {}, {});
    SnapshotStore store;
    RunController controller(realRunner(), store);
    bool hasNews = false, canvasIsFirst = true;
    double progress = 0;
    connect(&store, &SnapshotStore::changed, this, [&] {
        canvasIsFirst = canvasIsFirst && store.canvasRun()->combo == request.configurations[0].combo;
        hasNews = true;
    });
    connect(&store, &SnapshotStore::runningChanged, this, [&] { progress = std::max(progress, store.progress()); });
    controller.request(request);
    QVERIFY(QTest::qWaitFor([&] { return !store.isRunning(); }, kLong));
    QVERIFY(canvasIsFirst && hasNews);
    QVERIFY(!store.snapshot()->partial && store.lastWhole() == store.snapshot());
    QCOMPARE(store.snapshot()->revision, std::uint64_t{12});
    QCOMPARE(store.snapshot()->runs.size(), std::size_t{4});
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t n = 0; n < (*expected)->runs[r].nodes.size(); ++n) {
            const auto &a = store.snapshot()->runs[r].nodes[n], &b = (*expected)->runs[r].nodes[n];
            QVERIFY(a.stages && a.error->relL2 == b.error->relL2 && a.error->relHistogram == b.error->relHistogram);
        }
    QVERIFY(progress > 0);
}

void RunControllerTest::realRunnerStopsInsideALongRun()
{
    engine::RunRequest request = support::fourCombos(support::lenet(128, true));
    request.revision = 1;
    SnapshotStore store;
    {
        RunController controller(realRunner(), store);
        controller.request(request);
        QVERIFY(QTest::qWaitFor([&] { return !store.doing().isEmpty(); }, kLong));
        controller.stop();
        QVERIFY(QTest::qWaitFor([&] { return !store.isRunning(); }, kLong));
        QVERIFY(!store.snapshot() || store.snapshot()->partial);
        // And destroyed while it runs.
        controller.request(request);
        QVERIFY(QTest::qWaitFor([&] { return !store.doing().isEmpty(); }, kLong));
    }
    QVERIFY(!store.snapshot() || store.snapshot()->partial);
}

void RunControllerTest::realRunnerUnderAStormOfEdits()
{
    SnapshotStore store;
    RunController controller(realRunner(), store);
    engine::RunRequest request = support::fourCombos(support::articleNetwork(1, false), "keras_tf26");
    bool isOrdered = true;
    std::uint64_t last = 0;
    connect(&store, &SnapshotStore::changed, this, [&] {
        const std::uint64_t now = store.snapshot() ? store.snapshot()->revision : 0;
        isOrdered = isOrdered && now >= last && now <= request.revision;
        last = now;
    });
    for (std::int64_t filters = 1; filters <= 60; ++filters) {
        engine::Node conv = *request.graph.find({2});
        conv.params["filters"] = filters;
        QVERIFY(request.graph.replaceNode(conv).ok());
        ++request.revision;
        controller.request(request);
        QTest::qWait(filters % 10 == 0 ? 20 : 1);
    }
    QVERIFY(QTest::qWaitFor([&] { return !store.isRunning(); }, kLong));
    QVERIFY(isOrdered);
    QCOMPARE(store.snapshot()->revision, std::uint64_t{60});
    QCOMPARE(store.resultOf({2})->shape, (engine::Shape{1, 26, 26, 60}));
    QVERIFY(!store.isStale() && store.snapshot()->runs.back().nodes.back().stages);
}

QTEST_GUILESS_MAIN(RunControllerTest)
#include "tst_run_controller.moc"
