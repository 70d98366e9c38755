// The keyboard on the canvas: the focus along the graph and its dots, nudging, zoom keys, Tab, Enter, Escape; and the
// pointer on a coercion dot, which does the same as Enter.
#include <QtTest>

#include "tests/ui/canvas_stage.h"

using namespace canvas;

class TestCanvasKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void arrowsFollowTheWires();
    void arrowsStopAtDots();
    void arrowsGoUpAndDown();
    void shiftArrowsNudge();
    void enterOpensTheCard();
    void pointerOnADot();
    void enterOnARefusedNode();
    void tabAsksForTheSearch();
    void selectAllAndEscape();
    void zoomKeys();
    void fitShowsEverything();
    void namesForScreenReaders();
    void theScreenReadersTree();

private:
    // A float64 input into a float32 layer under a rule that casts.
    static std::array<NodeId, 2> narrowing(Stage& s)
    {
        s.settings("keras_tf26", {DType::f64, DType::f32});
        const NodeId in = s.addInput(0, 0), conv = s.add("conv2d", 320, 0, {{"filters", std::int64_t{4}}}, "conv1");
        s.connect(in, conv);
        s.settle();
        return {in, conv};
    }
};

void TestCanvasKeys::arrowsFollowTheWires()
{
    Stage s;
    const auto ids = s.chain();
    s.key(Qt::Key_Right); // nothing is selected: the first
    QCOMPARE(s.selection.nodes(), std::set{ids[0]});
    s.key(Qt::Key_Right);
    s.key(Qt::Key_Right);
    QCOMPARE(s.selection.nodes(), std::set{ids[2]});
    QVERIFY(s.node(ids[2]).isFocused);
    const QColor ring = s.themes.theme().selection.focus;
    const QPoint corner = s.inView(s.node(ids[2]).pos());
    QVERIFY(pixelsLike(s.shot(), {corner + QPoint(20, -6), QSize(100, 6)}, ring) > 40);
    s.key(Qt::Key_Right);
    QCOMPARE(s.selection.nodes(), std::set{ids[2]}); // the end
    s.key(Qt::Key_Left);
    QCOMPARE(s.selection.nodes(), std::set{ids[1]});
    QVERIFY(!s.node(ids[2]).isFocused);
}

void TestCanvasKeys::arrowsStopAtDots()
{
    Stage s;
    const auto [in, conv] = narrowing(s);
    QVERIFY(s.edge(conv).cast());
    s.selection.select(in);
    s.key(Qt::Key_Right);
    QCOMPARE(s.view.canvas().focused().kind, ui::Hit::Kind::Dot);
    QCOMPARE(s.view.canvas().focused().node, conv);
    // The dot wears a ring.
    QVERIFY(pixelsLike(s.shot(), around(s.dot(conv), 12), s.themes.theme().selection.ring, 90) > 20);
    s.key(Qt::Key_Right);
    QCOMPARE(s.selection.nodes(), std::set{conv});
    s.key(Qt::Key_Left);
    QCOMPARE(s.view.canvas().focused().kind, ui::Hit::Kind::Dot);
    s.key(Qt::Key_Left);
    QCOMPARE(s.selection.nodes(), std::set{in});
}

void TestCanvasKeys::arrowsGoUpAndDown()
{
    Stage s;
    const NodeId top = s.addInput(0, 0), middle = s.addInput(0, 160), bottom = s.addInput(30, 320);
    s.settle();
    s.selection.select(top);
    s.key(Qt::Key_Down);
    QCOMPARE(s.selection.current(), middle);
    s.key(Qt::Key_Down);
    QCOMPARE(s.selection.current(), bottom);
    s.key(Qt::Key_Up);
    QCOMPARE(s.selection.current(), middle);
}

void TestCanvasKeys::shiftArrowsNudge()
{
    Stage s;
    const auto ids = s.chain();
    s.selection.set({ids[0], ids[1]});
    const int before = s.undoSteps();
    // Held: three repeats are one step.
    for (int i = 0; i < 3; ++i)
        QTest::keyPress(&s.view, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyRelease(&s.view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(s.at(ids[0]), (engine::Point{0, 24}));
    QCOMPARE(s.at(ids[1]), (engine::Point{280, 24}));
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.node(ids[1]).pos(), QPointF(280, 24));
    s.key(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(s.at(ids[0]), (engine::Point{-8, 24}));
    QCOMPARE(s.undoSteps(), before + 2);
}

void TestCanvasKeys::enterOpensTheCard()
{
    Stage s;
    const auto [in, conv] = narrowing(s);
    QSignalSpy opened(&s.view, &ui::GraphView::castActivated);
    QSignalSpy nodeOpened(&s.view, &ui::GraphView::nodeActivated);
    s.selection.select(in);
    s.key(Qt::Key_Right);
    s.key(Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].value<NodeId>(), conv);
    QCOMPARE(opened[0][1].toString(), QString("input"));
    const QRect dot = opened[0][2].toRect();
    QVERIFY(dot.contains(s.view.viewport()->mapToGlobal(s.dot(conv))));
    QVERIFY(dot.width() >= 12 && dot.width() <= 15); // a small loss: radius 6
    QVERIFY(opened[0][3].toRect().contains(s.view.viewport()->mapToGlobal(s.header(conv))));
    s.key(Qt::Key_Right);
    s.key(Qt::Key_Enter);
    QCOMPARE(nodeOpened.count(), 1);
}

void TestCanvasKeys::pointerOnADot()
{
    Stage s;
    const auto [in, conv] = narrowing(s);
    QSignalSpy hovered(&s.view, &ui::GraphView::castHovered), left(&s.view, &ui::GraphView::castLeft);
    QSignalSpy opened(&s.view, &ui::GraphView::castActivated);
    s.moveTo(s.dot(conv) + QPoint(3, 2));
    QCOMPARE(hovered.count(), 1);
    QCOMPARE(hovered[0][0].value<NodeId>(), conv);
    s.moveTo(s.dot(conv));
    QCOMPARE(hovered.count(), 1); // still the same
    s.click(s.dot(conv));
    QCOMPARE(opened.count(), 1);
    s.moveTo({900, 600});
    QCOMPARE(left.count(), 1);
    QCOMPARE(s.undoSteps(), 4);
}

void TestCanvasKeys::enterOnARefusedNode()
{
    Stage s;
    const auto [in, conv] = narrowing(s);
    s.settings("explicit", {DType::f64, DType::f32});
    s.settle();
    QVERIFY(s.node(conv).face().isRefused);
    QSignalSpy opened(&s.view, &ui::GraphView::findingActivated);
    s.selection.select(conv);
    s.key(Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].value<NodeId>(), conv);
    s.click(s.inView(s.node(conv).pos() + QPointF(240 - 20, 16))); // its octagon
    QCOMPARE(opened.count(), 2);
}

void TestCanvasKeys::tabAsksForTheSearch()
{
    Stage s;
    s.chain();
    QSignalSpy asked(&s.view, &ui::GraphView::searchRequested);
    s.moveTo({300, 500});
    s.key(Qt::Key_Tab);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][1].toPointF(), QPointF(s.view.mapToScene(300, 500)));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(s.view.viewport(), &leave);
    s.key(Qt::Key_Tab);
    QCOMPARE(asked[1][0].toPoint(), s.view.viewport()->mapToGlobal(s.view.viewport()->rect().center()));
}

void TestCanvasKeys::selectAllAndEscape()
{
    Stage s;
    const auto ids = s.chain();
    s.key(Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(s.selection.nodes(), (std::set{ids[0], ids[1], ids[2]}));
    QVERIFY(s.node(ids[0]).isRinged && s.node(ids[2]).isRinged);
    s.key(Qt::Key_Escape);
    QVERIFY(s.selection.isEmpty());
    QVERIFY(!s.node(ids[0]).isRinged);
}

void TestCanvasKeys::zoomKeys()
{
    Stage s;
    s.chain();
    const QPointF middle = s.view.mapToScene(s.view.viewport()->rect().center());
    s.key(Qt::Key_Plus);
    QCOMPARE(s.view.zoom(), 1.25);
    s.key(Qt::Key_Plus);
    s.key(Qt::Key_Minus);
    s.key(Qt::Key_Minus);
    s.key(Qt::Key_Minus);
    QCOMPARE(s.view.zoom(), 0.8);
    s.key(Qt::Key_1);
    QCOMPARE(s.view.zoom(), 1.0);
    QVERIFY(QLineF(s.view.mapToScene(s.view.viewport()->rect().center()), middle).length() < 5);
}

void TestCanvasKeys::fitShowsEverything()
{
    Stage s;
    const auto ids = s.chain();
    const NodeId far = s.add("relu", 4000, 2600);
    s.settle();
    s.key(Qt::Key_Home);
    const QRect all = s.view.viewport()->rect();
    QVERIFY(s.view.zoom() < 0.3);
    QVERIFY(all.contains(s.header(ids[0])) && all.contains(s.header(far)));
    s.selection.select(far);
    s.key(Qt::Key_F);
    QCOMPARE(s.view.zoom(), 1.0); // never larger than life
    QVERIFY((s.header(far) - all.center()).manhattanLength() < 150);
    s.selection.clear();
    s.key(Qt::Key_F);
    QVERIFY(s.view.zoom() < 0.3);
    // An empty document fits too.
    s.document.replace({}, {});
    s.key(Qt::Key_Home);
    QCOMPARE(s.view.zoom(), 1.0);
}

void TestCanvasKeys::namesForScreenReaders()
{
    Stage s;
    const auto [in, conv] = narrowing(s);
    const auto name = [&](const ui::Hit& hit) { return s.view.canvas().accessibleName(hit); };
    QCOMPARE(name({ui::Hit::Kind::Node, in, {}, {}, 0}), QString("digits, input, float64"));
    QCOMPARE(name({ui::Hit::Kind::Dot, conv, "input", {conv, "input"}, 0}),
             QString("conv1, input cast float64 to float32"));
    QCOMPARE(name({ui::Hit::Kind::Wire, {}, {}, {conv, "input"}, 0}),
             QString("edge from digits to conv1, input, float64 4×8×8×1"));
    s.settings("explicit", {DType::f64, DType::f32});
    s.settle();
    QCOMPARE(name({ui::Hit::Kind::Node, conv, {}, {}, 0}),
             QString("conv1, conv2d, cannot run: input float64, weight float32"));
}

void TestCanvasKeys::theScreenReadersTree()
{
    Stage s;
    const auto [in, conv] = narrowing(s);
    QAccessibleInterface* view = QAccessible::queryAccessibleInterface(&s.view);
    QVERIFY(view);
    QCOMPARE(view->text(QAccessible::Name), QString("Canvas"));
    QStringList names;
    for (int i = 0; i < view->childCount(); ++i)
        names << view->child(i)->text(QAccessible::Name);
    QVERIFY(names.contains("digits, input, float64"));
    QVERIFY(names.contains("conv1, input cast float64 to float32"));
    // The order follows the wires.
    QVERIFY(names.indexOf("digits, input, float64") < names.indexOf("conv1, input cast float64 to float32"));
    const int at = static_cast<int>(names.indexOf("digits, input, float64"));
    QAccessibleInterface* node = view->child(at);
    QCOMPARE(node->parent(), view);
    QVERIFY(node->rect().contains(s.view.viewport()->mapToGlobal(s.header(in))));
    QVERIFY(!node->state().selected);
    s.click(s.header(in));
    QVERIFY(node->state().selected);
    QVERIFY(node->state().focused);
    QCOMPARE(view->indexOfChild(node), at);
    s.document.replace({}, {});
    s.settle();
    QVERIFY(!node->isValid()); // what is gone says so
}

QTEST_MAIN(TestCanvasKeys)
#include "tst_canvas_keys.moc"
