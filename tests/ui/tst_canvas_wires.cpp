// Wires under the pointer: connecting from either side, what is lit and what fades, reconnecting, disconnecting,
// dropping on empty canvas, reroute points, inserting on a wire.
#include <QtTest>

#include "tests/ui/canvas_stage.h"
#include "ui/scene/connection_rules.h"

using namespace canvas;

class TestCanvasWires : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void connectFromAnOutput();
    void connectFromAnInput();
    void anOccupiedInputIsReplaced();
    void portsThatFitAreLit();
    void cyclesAreRefused();
    void theWireSnapsToANearPort();
    void reconnectAnEnd();
    void reconnectTheSource();
    void takenAndDroppedOnEmptyDisconnects();
    void droppedOnEmptyAsks();
    void escapeLetsGo();
    void aClickOnAPortChangesNothing();
    void weightPortsShowWhenLookedAt();
    void rerouteByDoubleClick();
    void dragAReroute();
    void addOnAWireInserts();
    void addConnected();

private:
    static const engine::Edge* into(Stage& s, NodeId id, const char* port = "input")
    {
        return s.document.graph().edgeInto(id, port);
    }
};

void TestCanvasWires::connectFromAnOutput()
{
    Stage s;
    const NodeId a = s.addInput(0, 0), b = s.add("relu", 320, 80);
    s.settle();
    const int before = s.undoSteps();
    s.drag(s.output(a), s.input(b));
    QVERIFY(into(s, b));
    QCOMPARE(*into(s, b), (engine::Edge{a, "output", b, "input"}));
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.undoText(), QString("Connect digits to relu_2"));
    QCOMPARE(s.view.mirrorError(), QString());
    const QColor line = s.themes.theme().dtype(DType::f32).line;
    QVERIFY(pixelsLike(s.shot(), QRect(s.output(a), s.input(b)), line) > 100);
    s.document.undoStack().undo();
    QVERIFY(!into(s, b));
    QCOMPARE(pixelsLike(s.shot(), QRect(s.output(a) + QPoint(9, 0), s.input(b) - QPoint(9, 0)), line), 0);
}

void TestCanvasWires::connectFromAnInput()
{
    Stage s;
    const NodeId a = s.addInput(0, 0), b = s.add("relu", 320, 80);
    s.settle();
    s.drag(s.input(b), s.output(a) + QPoint(6, 6));
    QVERIFY(into(s, b));
    QCOMPARE(into(s, b)->from, a);
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasWires::anOccupiedInputIsReplaced()
{
    Stage s;
    const auto ids = s.chain();
    const NodeId other = s.addInput(0, 200);
    s.settle();
    const int before = s.undoSteps();
    s.drag(s.output(other), s.input(ids[1]));
    QCOMPARE(into(s, ids[1])->from, other);
    QCOMPARE(s.document.graph().edges().size(), std::size_t{2});
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.edge(ids[1]).from(), other);
    s.document.undoStack().undo();
    QCOMPARE(into(s, ids[1])->from, ids[0]);
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasWires::portsThatFitAreLit()
{
    Stage s;
    const auto ids = s.chain();
    const NodeId free = s.add("relu", 280, 240);
    s.settle();
    const QColor ring = s.themes.theme().selection.ring;
    const QPoint lit = s.input(free), cyclic = s.input(ids[1]);
    s.moveTo({900, 600});
    QCOMPARE(pixelsLike(s.shot(), around(lit, 10), ring), 0);
    s.press(s.output(ids[2]));
    s.moveTo(s.output(ids[2]) + QPoint(20, 60));
    s.moveTo({700, 560});
    const auto& wire = s.view.canvas().pulled();
    QVERIFY(wire);
    QVERIFY(wire->isFit({free, "input"}));
    QVERIFY(!wire->isFit({ids[1], "input"}));
    QCOMPARE(wire->fits.at({ids[1], "input"}), QString("That would close a cycle."));
    const QImage image = s.shot();
    // A 9 px ring, 1.5 px wide, is some 80 pixels.
    QVERIFY(pixelsLike(image, around(lit, 10), ring, 120) > 30);
    QCOMPARE(pixelsLike(image, around(cyclic, 10), ring, 120), 0);
    const QColor full = s.themes.theme().dtype(DType::f32).line;
    QCOMPARE(pixelsLike(image, around(cyclic - QPoint(0, 3), 1), full), 0); // faded, above the wire
    s.release({700, 560});
}

void TestCanvasWires::cyclesAreRefused()
{
    Stage s;
    const auto ids = s.chain();
    const NodeId add = s.add("add", 280, 240);
    s.connect(ids[2], add);
    s.settle();
    const int before = s.undoSteps();
    s.drag(s.output(add), s.input(ids[1]));
    QCOMPARE(into(s, ids[1])->from, ids[0]);
    QCOMPARE(s.undoSteps(), before);
    QVERIFY(!s.view.canvas().pulled());
    const auto& ops = engine::opCatalog();
    QCOMPARE(ui::whyNot(s.document.graph(), ops, add, ids[1], "input"), QString("That would close a cycle."));
    QCOMPARE(ui::whyNot(s.document.graph(), ops, ids[0], add, "other"), QString());
    QCOMPARE(ui::whyNot(s.document.graph(), ops, add, add, "other"), QString("A node cannot take its own output."));
    QCOMPARE(ui::whyNot(s.document.graph(), ops, ids[0], add, "weight"), QString("There is no such port."));
}

void TestCanvasWires::theWireSnapsToANearPort()
{
    Stage s;
    const NodeId a = s.addInput(0, 0), b = s.add("relu", 320, 80);
    s.settle();
    s.press(s.output(a));
    s.moveTo(s.input(b) - QPoint(60, 0));
    QVERIFY(!s.view.canvas().pulled()->target);
    s.moveTo(s.input(b) - QPoint(22, 5));
    QVERIFY(s.view.canvas().pulled()->target);
    QCOMPARE(s.view.canvas().pulled()->looseEnd, s.node(b).inputAt("input"));
    s.release(s.input(b) - QPoint(22, 5));
    QVERIFY(into(s, b));
}

void TestCanvasWires::reconnectAnEnd()
{
    Stage s;
    const auto ids = s.chain();
    const NodeId other = s.add("relu", 280, 240);
    s.settle();
    const int before = s.undoSteps();
    s.press(s.input(ids[1]));
    s.moveTo(s.input(ids[1]) + QPoint(-20, 40));
    QVERIFY(s.edge(ids[1]).isHidden); // in the hand, not twice on the canvas
    s.moveTo(s.input(other));
    s.release(s.input(other));
    QVERIFY(!into(s, ids[1]));
    QCOMPARE(into(s, other)->from, ids[0]);
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.view.mirrorError(), QString());
    s.document.undoStack().undo();
    QCOMPARE(into(s, ids[1])->from, ids[0]);
    QVERIFY(!into(s, other));
    // Put back where it was: nothing happened.
    s.settle();
    const int steps = s.undoSteps();
    s.press(s.input(ids[1]));
    s.moveTo(s.input(ids[1]) + QPoint(-30, 30));
    s.moveTo(s.input(ids[1]));
    s.release(s.input(ids[1]));
    QCOMPARE(s.undoSteps(), steps);
    QVERIFY(!s.edge(ids[1]).isHidden);
}

void TestCanvasWires::reconnectTheSource()
{
    Stage s;
    const auto ids = s.chain();
    const NodeId other = s.addInput(0, 240);
    s.settle();
    // The wire near its source, outside of the port.
    const QPoint nearSource = s.output(ids[0]) + QPoint(18, 0);
    s.drag(nearSource, s.output(other));
    QCOMPARE(into(s, ids[1])->from, other);
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasWires::takenAndDroppedOnEmptyDisconnects()
{
    Stage s;
    const auto ids = s.chain();
    QSignalSpy asked(&s.view, &ui::GraphView::dropSearchRequested);
    s.drag(s.input(ids[1]), s.input(ids[1]) + QPoint(-30, 200));
    QVERIFY(!into(s, ids[1]));
    QVERIFY(s.undoText().startsWith("Delete the edge"));
    QCOMPARE(asked.count(), 0);
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasWires::droppedOnEmptyAsks()
{
    Stage s;
    const auto ids = s.chain();
    QSignalSpy asked(&s.view, &ui::GraphView::dropSearchRequested);
    const int before = s.undoSteps();
    const QPoint at = s.output(ids[2]) + QPoint(-100, 300);
    s.drag(s.output(ids[2]), at);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toPoint(), s.view.viewport()->mapToGlobal(at));
    QCOMPARE(asked[0][1].toPointF(), QPointF(s.view.mapToScene(at)));
    QCOMPARE(asked[0][2].value<NodeId>(), ids[2]);
    QCOMPARE(asked[0][3].toString(), QString("output"));
    QCOMPARE(asked[0][4].toBool(), true);
    QCOMPARE(s.undoSteps(), before);
    // The wire hangs there while the list is open.
    const QColor line = s.themes.theme().dtype(DType::f32).line;
    QVERIFY(s.view.canvas().pulled());
    QVERIFY(pixelsLike(s.shot(), around(at, 30), line) > 10);
    s.view.endDropSearch();
    QCOMPARE(pixelsLike(s.shot(), around(at, 30), line), 0);
    // From a free input.
    const NodeId free = s.add("relu", 280, 240);
    s.settle();
    s.drag(s.input(free), s.input(free) + QPoint(-160, 100));
    QCOMPARE(asked.count(), 2);
    QCOMPARE(asked[1][3].toString(), QString("input"));
    QCOMPARE(asked[1][4].toBool(), false);
}

void TestCanvasWires::escapeLetsGo()
{
    Stage s;
    const auto ids = s.chain();
    const int before = s.undoSteps();
    s.press(s.input(ids[1]));
    s.moveTo(s.input(ids[1]) + QPoint(-30, 100));
    s.key(Qt::Key_Escape);
    QVERIFY(!s.view.canvas().pulled());
    QVERIFY(!s.edge(ids[1]).isHidden);
    s.release(s.input(ids[1]) + QPoint(-30, 100));
    QCOMPARE(s.undoSteps(), before);
    QCOMPARE(into(s, ids[1])->from, ids[0]);
}

void TestCanvasWires::aClickOnAPortChangesNothing()
{
    Stage s;
    const auto ids = s.chain();
    const int before = s.undoSteps();
    QSignalSpy asked(&s.view, &ui::GraphView::dropSearchRequested);
    s.click(s.input(ids[1]));
    s.click(s.output(ids[1]));
    QCOMPARE(s.undoSteps(), before);
    QCOMPARE(asked.count(), 0);
    QCOMPARE(s.selection.nodes(), std::set{ids[1]});
}

void TestCanvasWires::weightPortsShowWhenLookedAt()
{
    Stage s;
    const NodeId in = s.addInput(0, 0);
    const NodeId conv = s.add("conv2d", 320, 0, {{"filters", std::int64_t{4}}});
    const NodeId weights = s.add("weights", 0, 200, {{"shape", engine::IntList{3, 3, 1, 4}}});
    s.connect(in, conv);
    s.settle();
    const ui::NodeGeometry& g = s.node(conv).geometry();
    QCOMPARE(g.inputs.size(), std::size_t{3});
    QVERIFY(g.input("weight")->isShy && g.input("bias")->isShy && !g.input("input")->isShy);
    QCOMPARE(g.input("weight")->at, QPointF(0, 72)); // the slot row
    const QColor hollow = s.themes.theme().text.tertiary;
    s.moveTo({900, 600});
    QCOMPARE(pixelsLike(s.shot(), around(s.input(conv, "weight"), 6), hollow), 0);
    s.moveTo(s.header(conv));
    QVERIFY(pixelsLike(s.shot(), around(s.input(conv, "weight"), 6), hollow, 60) > 8);
    s.drag(s.output(weights), s.input(conv, "weight"));
    QCOMPARE(into(s, conv, "weight")->from, weights);
    QVERIFY(!s.node(conv).geometry().input("weight")->isShy);
}

void TestCanvasWires::rerouteByDoubleClick()
{
    Stage s;
    const NodeId a = s.addInput(0, 0), b = s.add("relu", 520, 0);
    s.connect(a, b);
    s.settle();
    const int before = s.undoSteps();
    const QPoint on = s.inView({304, 26});
    QTest::mouseDClick(s.view.viewport(), Qt::LeftButton, {}, on);
    s.moveTo(on + QPoint(0, 60));
    s.moveTo(on + QPoint(0, 110));
    s.release(on + QPoint(0, 110));
    QCOMPARE(s.document.layout().reroutes.at({b, "input"}).size(), std::size_t{1});
    QCOMPARE(s.document.layout().reroutes.at({b, "input"})[0], (engine::Point{304, 136}));
    QCOMPARE(s.undoSteps(), before + 1);
    QVERIFY(s.undoText().startsWith("Add a reroute point"));
    QCOMPARE(s.view.mirrorError(), QString());
    const QColor line = s.themes.theme().dtype(DType::f32).line;
    QVERIFY(pixelsLike(s.shot(), around(s.inView({304, 136}), 6), line, 60) > 12);
    QCOMPARE(pixelsLike(s.shot(), around(on, 6), line), 0); // the wire no longer goes straight
    s.document.undoStack().undo();
    QVERIFY(s.document.layout().reroutes.empty());
}

void TestCanvasWires::dragAReroute()
{
    Stage s;
    const NodeId a = s.addInput(0, 0), b = s.add("relu", 520, 0);
    s.connect(a, b);
    s.apply(engine::SetReroutes{{b, "input"}, {{304, 136}, {400, 136}}});
    s.settle();
    const int before = s.undoSteps();
    s.drag(s.inView({400, 136}), s.inView({419, 181}));
    QCOMPARE(s.document.layout().reroutes.at({b, "input"})[1], (engine::Point{416, 184}));
    QCOMPARE(s.document.layout().reroutes.at({b, "input"})[0], (engine::Point{304, 136}));
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.edge(b).reroutes()[1], QPointF(416, 184));
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasWires::addOnAWireInserts()
{
    Stage s;
    const NodeId a = s.addInput(0, 0), b = s.add("softmax", 620, 0);
    s.connect(a, b);
    s.settle();
    const int before = s.undoSteps();
    // A place alone does not split what runs there; a drop does.
    const NodeId beside = s.view.addNodeAt("relu", {400, 26});
    QCOMPARE(into(s, b)->from, a);
    s.document.undoStack().undo();
    QVERIFY(!s.document.graph().find(beside));
    const NodeId relu = s.view.addNodeAt("relu", {400, 26}, {}, {}, ui::GraphView::OnWire::Insert);
    QVERIFY(relu.value != 0);
    QCOMPARE(into(s, relu)->from, a);
    QCOMPARE(into(s, b)->from, relu);
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.selection.nodes(), std::set{relu});
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasWires::addConnected()
{
    Stage s;
    const auto ids = s.chain();
    const int before = s.undoSteps();
    const NodeId cast =
        s.view.addNodeAt("cast", {820, 226}, ui::NewWire{ids[2], "output", ""}, {{"to", std::string("bfloat16")}});
    QCOMPARE(*into(s, cast), (engine::Edge{ids[2], "output", cast, "input"}));
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.undoText(), QString("Add cast after softmax_3"));
    // Its port is where the wire was dropped, as near as the grid allows.
    s.settle();
    QVERIFY(QLineF(s.node(cast).inputAt("input"), QPointF(820, 226)).length() < 8);
    QCOMPARE(s.node(cast).face().dtype, std::optional(DType::bf16));
    const NodeId source = s.view.addNodeAt("input", {-20, 300}, ui::NewWire{ids[1], "input", ""});
    QCOMPARE(into(s, ids[1])->from, source);
    QCOMPARE(s.document.graph().edges().size(), std::size_t{3});
    QCOMPARE(s.view.addNodeAt("no_such_op", {0, 0}), NodeId{});
    QCOMPARE(s.view.mirrorError(), QString());
}

QTEST_MAIN(TestCanvasWires)
#include "tst_canvas_wires.moc"
