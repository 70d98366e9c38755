// The pool: every task once, whatever the thread count; nested calls; stops; many short hand-overs.
#include "engine/run/thread_pool.h"

#include <QtTest>

#include <atomic>
#include <set>

using namespace engine;

class ThreadPoolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsEveryTaskOnce_data();
    void runsEveryTaskOnce();
    void nestedCallsRun();
    void stopsBetweenTasks();
    void survivesManyHandOvers();
};

void ThreadPoolTest::runsEveryTaskOnce_data()
{
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("tasks");
    for (int threads : {1, 2, 5})
        for (int tasks : {0, 1, 2, 7, 1000})
            QTest::addRow("%d threads, %d tasks", threads, tasks) << threads << tasks;
}

void ThreadPoolTest::runsEveryTaskOnce()
{
    QFETCH(int, threads);
    QFETCH(int, tasks);
    ThreadPool pool(threads);
    QCOMPARE(pool.threads(), threads);
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(tasks));
    QVERIFY(pool.run(tasks, [&](std::int64_t i) { ++seen[static_cast<std::size_t>(i)]; }, {}));
    for (const auto& s : seen)
        QCOMPARE(s.load(), 1);
}

void ThreadPoolTest::nestedCallsRun()
{
    ThreadPool pool(3);
    std::atomic<int> inner{0};
    QVERIFY(pool.run(4, [&](std::int64_t) { pool.run(5, [&](std::int64_t) { ++inner; }, {}); }, {}));
    QCOMPARE(inner.load(), 20);
}

void ThreadPoolTest::stopsBetweenTasks()
{
    ThreadPool pool(2);
    std::stop_source source;
    std::atomic<int> done{0};
    const bool finished = pool.run(
        100000,
        [&](std::int64_t) {
            if (++done == 10)
                source.request_stop();
        },
        source.get_token());
    QVERIFY(!finished);
    QVERIFY2(done < 10 + 3, "at most the tasks already begun may finish");
}

void ThreadPoolTest::survivesManyHandOvers()
{
    ThreadPool pool(4);
    std::int64_t sum = 0;
    for (int round = 0; round < 20000; ++round) {
        std::atomic<std::int64_t> part{0};
        QVERIFY(pool.run(3, [&](std::int64_t i) { part += i + 1; }, {}));
        sum += part;
    }
    QCOMPARE(sum, std::int64_t{20000} * 6);
}

QTEST_GUILESS_MAIN(ThreadPoolTest)
#include "tst_thread_pool.moc"
