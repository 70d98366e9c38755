// The window never waits for the engine: while a convolution of many seconds runs, events are handled, the canvas
// paints, edits are made, and a stop ends it in its middle.
#include "tests/ui/app_fixture.h"

#include "tests/support/networks.h"

using namespace program;

namespace {

// Counts paints of a widget.
class Paints : public QObject {
public:
    explicit Paints(QWidget* widget) { widget->installEventFilter(this); }
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Paint;
        return false;
    }
};

// 8 images of 112 x 112 x 64 through 256 filters of 3 x 3: 1.5e10 multiply-adds, first in double-double.
engine::Document longDocument()
{
    support::Chain c;
    c.add("input", {{"shape", engine::IntList{8, 112, 112, 64}}, {"value", support::uniformSource(0, 1, 1)}});
    c.add("conv2d", {{"filters", std::int64_t{256}}, {"padding", std::string("same")}});
    engine::Document d;
    d.graph = c.graph();
    d.settings.dialect = "promote";
    for (const auto& [id, node] : d.graph.nodes())
        d.layout.positions[id] = {320.0 * id.value, 0};
    return d;
}

} // namespace

class WindowBusyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eventsPaintsAndStop()
    {
        Program p;
        QVERIFY(p.settle());
        p.document().replace(longDocument(), {});
        QTRY_VERIFY(p.app->snapshots().isRunning());
        Paints paints(p.canvas().viewport());
        int ticks = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] { ++ticks; });
        timer.start(5);
        for (int i = 0; i < 20; ++i) {
            QTest::mouseMove(p.canvas().viewport(), {200 + 10 * i, 300});
            p.canvas().zoomBy(i % 2 ? 1.1 : 1 / 1.1);
            QTest::qWait(15);
        }
        QVERIFY(p.app->snapshots().isRunning()); // all this happened while it ran
        QVERIFY2(ticks > 20, qPrintable(QString::number(ticks)));
        QVERIFY2(paints.count >= 15, qPrintable(QString::number(paints.count)));
        auto* stop = p.window().findChild<QToolButton*>("status-stop");
        QVERIFY(stop->isVisible());
        QVERIFY(p.window().findChild<QProgressBar*>()->isVisible());

        // An edit is taken at once, and asks for another run.
        p.app->selection().select({2});
        p.canvas().setFocus();
        p.key(Qt::Key_M);
        QVERIFY(p.document().graph().find({2})->muted);
        p.key(Qt::Key_Z, Qt::ControlModifier);

        QTRY_VERIFY(p.app->snapshots().isRunning() && stop->isVisible());
        Program::click(stop);
        QTRY_VERIFY_WITH_TIMEOUT(!p.app->snapshots().isRunning(), 20000);
        const auto& results = p.app->snapshots().snapshot();
        // It ended before the convolution had: no run of this revision has its result.
        if (results && results->revision == p.document().structureRevision())
            for (const engine::RunResult& run : results->runs)
                for (const engine::NodeResult& n : run.nodes)
                    QVERIFY(n.op != "conv2d");
        p.document().replace({}, {});
    }
};

QTEST_MAIN(WindowBusyTest)
#include "tst_window_busy.moc"
