// Results while a run goes on: one partial snapshot after each configuration in the order asked, one after the stages
// of each but the last; sealed copies that share their tensors; nothing half done when it is stopped.
#include "engine/dialects/dialects.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "tests/support/networks.h"

#include <QtTest>

using namespace engine;

class PartialResultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comeInTheOrderAsked();
    void shareTensorsAndStaySealed();
    void endWithTheRunsWhereNoStagesAreWanted();
    void aSingleRunIsFirstThereWithoutStages();
    void aStoppedRunKeepsWholeRunsOnly();
};

namespace {

using Snapshots = std::vector<std::shared_ptr<const RunSnapshot>>;

struct Delivered {
    Snapshots partial;
    std::shared_ptr<const RunSnapshot> whole;
};

Delivered runAll(const RunRequest& request, std::stop_source stop = {}, std::size_t stopAfter = 1000)
{
    LocalRunner runner(opCatalog(), dialectCatalog(), {.threads = 2});
    Delivered d;
    auto whole = runner.run(request, stop.get_token(), {}, [&](const std::shared_ptr<const RunSnapshot>& s) {
        d.partial.push_back(s);
        if (d.partial.size() == stopAfter)
            stop.request_stop();
    });
    if (!whole)
        qFatal("%s", whole.error().text().c_str());
    d.whole = *whole;
    return d;
}

// How many runs have the stages of all of their nodes.
std::size_t staged(const RunSnapshot& s)
{
    std::size_t count = 0;
    for (const RunResult& run : s.runs)
        count +=
            std::all_of(run.nodes.begin(), run.nodes.end(), [](const NodeResult& n) { return n.stages; }) ? 1u : 0u;
    return count;
}

RunRequest request()
{
    RunRequest r = support::fourCombos(support::lenet(2, false), "keras_tf26");
    r.revision = 7;
    std::swap(r.configurations[0], r.configurations[2]); // the canvas's own first: float64:float32
    return r;
}

} // namespace

void PartialResultsTest::comeInTheOrderAsked()
{
    const RunRequest asked = request();
    const Delivered d = runAll(asked);
    QCOMPARE(d.partial.size(), std::size_t{7});
    for (std::size_t i = 0; i < d.partial.size(); ++i) {
        const RunSnapshot& s = *d.partial[i];
        QVERIFY(s.partial && !s.stopped);
        QCOMPARE(s.revision, std::uint64_t{7});
        QCOMPARE(s.runs.size(), std::min<std::size_t>(i + 1, 4));
        QCOMPARE(staged(s), i < 4 ? std::size_t{0} : i - 3);
        for (std::size_t k = 0; k < s.runs.size(); ++k) {
            QVERIFY(s.runs[k].combo == asked.configurations[k].combo);
            QVERIFY(s.runs[k].nodes.back().error);
        }
        QVERIFY(!s.reference.empty());
    }
    QVERIFY(!d.whole->partial && !d.whole->stopped);
    QCOMPARE(d.whole->runs.size(), std::size_t{4});
    QCOMPARE(staged(*d.whole), std::size_t{4});
}

void PartialResultsTest::shareTensorsAndStaySealed()
{
    const Delivered d = runAll(request());
    for (const auto& s : d.partial)
        for (std::size_t k = 0; k < s->runs.size(); ++k) {
            QCOMPARE(s->runs[k].nodes.size(), d.whole->runs[k].nodes.size());
            for (std::size_t n = 0; n < s->runs[k].nodes.size(); ++n)
                QVERIFY(s->runs[k].nodes[n].output.sharesBytesWith(d.whole->runs[k].nodes[n].output));
        }
    // The first was not touched by what came later.
    QCOMPARE(d.partial.front()->runs.size(), std::size_t{1});
    QVERIFY(!d.partial.front()->runs[0].nodes.back().stages);
}

void PartialResultsTest::endWithTheRunsWhereNoStagesAreWanted()
{
    RunRequest r = request();
    r.wantStages = false;
    const Delivered d = runAll(r);
    QCOMPARE(d.partial.size(), std::size_t{3}); // the fourth is the result
    QCOMPARE(d.whole->runs.size(), std::size_t{4});
    QCOMPARE(staged(*d.whole), std::size_t{0});
}

void PartialResultsTest::aSingleRunIsFirstThereWithoutStages()
{
    RunRequest r = request();
    r.configurations.resize(1);
    const Delivered d = runAll(r);
    QCOMPARE(d.partial.size(), std::size_t{1});
    QCOMPARE(staged(*d.partial[0]), std::size_t{0});
    QCOMPARE(staged(*d.whole), std::size_t{1});
}

void PartialResultsTest::aStoppedRunKeepsWholeRunsOnly()
{
    const Delivered d = runAll(request(), {}, 2);
    QCOMPARE(d.partial.size(), std::size_t{2});
    QVERIFY(d.whole->stopped);
    QCOMPARE(d.whole->runs.size(), std::size_t{2});
    QCOMPARE(d.whole->runs[1].nodes.size(), d.partial[1]->runs[0].nodes.size());
}

QTEST_GUILESS_MAIN(PartialResultsTest)
#include "tst_partial_results.moc"
