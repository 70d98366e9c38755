// The store of results: the newest revision wins, stale is said, what a partial snapshot lacks is still there from
// the one before, and announcements come together. And the plan's store.
#include <QSignalSpy>
#include <QtTest>

#include "ui/live/plan_store.h"
#include "ui/live/snapshot_store.h"

using ui::SnapshotStore;

class SnapshotStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startsEmpty();
    void neverGoesBack();
    void staleIsAnyOtherRevision();
    void findsRunsAndNodes();
    void keepsTheLastWholeOne();
    void announcesAtMostThirtyTimesASecond();
    void theFirstNewsComesAtOnceAndTheLastIsNotLost();
    void progressAndErrors();
    void planStore();
};

namespace {

using engine::Combo;
using engine::DType;

const Combo kNarrow{DType::f32, DType::f32}, kWide{DType::f64, DType::f64}, kMixed{DType::f64, DType::f32};

engine::RunResult runOf(const Combo& combo, double relL2, const std::string& dialect = "promote")
{
    engine::NodeResult node;
    node.id = {3};
    node.error.emplace().relL2 = relL2;
    engine::RunResult run;
    run.combo = combo;
    run.dialect = dialect;
    run.ok = true;
    run.nodes.push_back(std::move(node));
    return run;
}

std::shared_ptr<engine::RunSnapshot> snapshot(std::uint64_t revision, std::vector<engine::RunResult> runs,
                                              bool isPartial = false)
{
    auto s = std::make_shared<engine::RunSnapshot>();
    s->revision = revision;
    s->runs = std::move(runs);
    s->partial = isPartial;
    return s;
}

double errorOf(const engine::RunResult* run)
{
    return run ? *run->nodes[0].error->relL2 : -1;
}

} // namespace

void SnapshotStoreTest::startsEmpty()
{
    const SnapshotStore store;
    QVERIFY(!store.snapshot() && !store.lastWhole() && store.isStale() && !store.isRunning());
    QVERIFY(!store.canvasRun() && !store.runOf(kNarrow) && !store.resultOf({1}) && !store.shownRun(kNarrow).run);
}

void SnapshotStoreTest::neverGoesBack()
{
    SnapshotStore store;
    store.put(snapshot(5, {runOf(kNarrow, 5)}));
    store.put(snapshot(4, {runOf(kNarrow, 4)}));
    store.put(nullptr);
    QCOMPARE(store.snapshot()->revision, std::uint64_t{5});
    QCOMPARE(store.lastWhole()->revision, std::uint64_t{5});
    store.put(snapshot(5, {runOf(kNarrow, 6)})); // run again
    QCOMPARE(errorOf(store.canvasRun()), 6.0);
}

void SnapshotStoreTest::staleIsAnyOtherRevision()
{
    SnapshotStore store;
    store.setWanted(1);
    QVERIFY(store.isStale());
    store.put(snapshot(1, {}));
    QVERIFY(!store.isStale());
    QSignalSpy changed(&store, &SnapshotStore::changed);
    store.setWanted(2);
    QVERIFY(store.isStale());
    QVERIFY(changed.wait(5000)); // views dim without new results
    store.setWanted(1);
    QVERIFY(!store.isStale());
}

void SnapshotStoreTest::findsRunsAndNodes()
{
    SnapshotStore store;
    store.put(snapshot(1, {runOf(kMixed, 1), runOf(kNarrow, 2), runOf(kNarrow, 9, "explicit"), runOf(kWide, 3)}));
    QCOMPARE(errorOf(store.canvasRun()), 1.0);
    QCOMPARE(errorOf(store.runOf(kNarrow)), 2.0); // of the canvas's dialect
    QCOMPARE(errorOf(store.runOf(kWide)), 3.0);
    QVERIFY(!store.runOf({DType::f32, DType::f64}));
    QVERIFY(store.resultOf({3}) && !store.resultOf({4}));
    QCOMPARE(*store.resultOf({3})->error->relL2, 1.0);
}

void SnapshotStoreTest::keepsTheLastWholeOne()
{
    SnapshotStore store;
    store.setWanted(1);
    store.put(snapshot(1, {runOf(kMixed, 1), runOf(kWide, 2)}));
    store.setWanted(2);
    store.put(snapshot(2, {runOf(kMixed, 3)}, true));
    QVERIFY(!store.isStale());
    QCOMPARE(store.lastWhole()->revision, std::uint64_t{1});
    QVERIFY(!store.runOf(kWide));
    QCOMPARE(errorOf(store.shownRun(kMixed).run), 3.0);
    QVERIFY(!store.shownRun(kMixed).isStale);
    QCOMPARE(errorOf(store.shownRun(kWide).run), 2.0); // the old one, dimmed
    QVERIFY(store.shownRun(kWide).isStale);
    auto stopped = snapshot(2, {runOf(kMixed, 3)});
    stopped->stopped = true;
    store.put(stopped);
    QCOMPARE(store.lastWhole()->revision, std::uint64_t{1});
    store.put(snapshot(2, {runOf(kMixed, 3), runOf(kWide, 4)}));
    QVERIFY(store.lastWhole() == store.snapshot());
    QCOMPARE(errorOf(store.shownRun(kWide).run), 4.0);
    QVERIFY(!store.shownRun(kWide).isStale);
}

void SnapshotStoreTest::announcesAtMostThirtyTimesASecond()
{
    SnapshotStore store;
    QSignalSpy changed(&store, &SnapshotStore::changed), running(&store, &SnapshotStore::runningChanged);
    QElapsedTimer clock;
    clock.start();
    std::uint64_t revision = 0;
    while (clock.elapsed() < 400) {
        store.put(snapshot(++revision, {}));
        store.setProgress(static_cast<double>(revision), {});
        QCoreApplication::processEvents();
    }
    const auto most = clock.elapsed() / SnapshotStore::kAnnounceMs + 1; // the first at once, then one an interval
    QVERIFY2(changed.count() <= most, qPrintable(QString("%1 of %2").arg(changed.count()).arg(most)));
    QVERIFY(running.count() <= most);
    QVERIFY(changed.count() >= 2 && revision > 100);
}

void SnapshotStoreTest::theFirstNewsComesAtOnceAndTheLastIsNotLost()
{
    SnapshotStore store;
    std::vector<std::uint64_t> seen;
    connect(&store, &SnapshotStore::changed, this, [&] { seen.push_back(store.snapshot()->revision); });
    for (std::uint64_t revision = 1; revision <= 9; ++revision)
        store.put(snapshot(revision, {}));
    QCOMPARE(seen, (std::vector<std::uint64_t>{1})); // no event loop was needed
    QTRY_COMPARE(seen, (std::vector<std::uint64_t>{1, 9}));
}

void SnapshotStoreTest::progressAndErrors()
{
    SnapshotStore store;
    QSignalSpy running(&store, &SnapshotStore::runningChanged), changed(&store, &SnapshotStore::changed);
    store.setRunning(true);
    store.setProgress(0.5, "conv2d");
    QVERIFY(store.isRunning());
    QCOMPARE(store.progress(), 0.5);
    QCOMPARE(store.doing(), QString("conv2d"));
    QTRY_COMPARE(running.count(), 2);
    store.setRunning(false);
    QCOMPARE(store.progress(), 0.0);
    QVERIFY(store.doing().isEmpty());
    QCOMPARE(changed.count(), 0);
    store.setError("too large");
    store.setError("too large");
    QCOMPARE(store.error(), QString("too large"));
    QTest::qWait(2 * SnapshotStore::kAnnounceMs);
    QCOMPARE(changed.count(), 1);
    store.setError({});
    QVERIFY(store.error().isEmpty());
}

void SnapshotStoreTest::planStore()
{
    ui::PlanStore store;
    QSignalSpy changed(&store, &ui::PlanStore::changed);
    QVERIFY(!store.node({1}) && !store.port({1}, "input"));
    engine::PlanView plan;
    plan.nodes[{1}].ports.resize(2);
    plan.nodes[{1}].ports[1].port = "weight";
    plan.nodes[{1}].effectiveBits = 24;
    store.set(plan);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(store.node({1})->effectiveBits, 24);
    QVERIFY(store.port({1}, "weight") == &store.plan().nodes.at({1}).ports[1]);
    QVERIFY(!store.port({1}, "bias") && !store.node({2}));
}

QTEST_GUILESS_MAIN(SnapshotStoreTest)
#include "tst_snapshot_store.moc"
