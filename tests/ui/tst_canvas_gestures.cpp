// The pointer on the canvas: pan, zoom, select, band, move, delete. Each gesture asserts on the document or the view
// and on what is drawn, through real events on the viewport.
#include <QtTest>

#include "tests/ui/canvas_stage.h"

using namespace canvas;

class TestCanvasGestures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void panWithTheMiddleButton();
    void panWithSpace();
    void wheelScrolls();
    void zoomKeepsWhatIsUnderThePointer();
    void zoomHasLimits();
    void clickSelects();
    void modifiersToggle();
    void bandSelectsWhatItTouches();
    void escapeGivesTheSelectionBack();
    void moveSnapsAndIsOneStep();
    void movesAllThatIsSelected();
    void moveTakesInnerReroutesAlong();
    void escapeAbandonsAMove();
    void thereAndBackIsNoStep();
    void deleteHeals();
    void undoMovesTheDrawnNode();
    void doubleClickOnEmptyAsksForTheSearch();
    void hoverShows();
    void openingAnotherDocumentEndsADrag();

private:
    // A pixel of a node's body, away from its text, as the drawn proof of where it is.
    static QPoint bodyPixel(Stage& s, NodeId id) { return s.inView(s.node(id).pos() + QPointF(120, 74)); }
};

void TestCanvasGestures::panWithTheMiddleButton()
{
    Stage s;
    const auto ids = s.chain();
    const QPoint before = s.header(ids[0]);
    const QColor node = s.themes.theme().surface.node;
    s.press({500, 600}, {}, Qt::MiddleButton);
    s.moveTo({520, 590});
    s.moveTo({560, 570});
    s.release({560, 570}, {}, Qt::MiddleButton);
    QCOMPARE(s.header(ids[0]), before + QPoint(60, -30));
    QCOMPARE(s.pixel(s.inView(s.node(ids[0]).pos() + QPointF(180, 74))), node);
    QCOMPARE(s.undoSteps(), 5); // only those of the stage
}

void TestCanvasGestures::panWithSpace()
{
    Stage s;
    const auto ids = s.chain();
    const QPoint before = s.header(ids[0]);
    QTest::keyPress(&s.view, Qt::Key_Space);
    s.drag(s.header(ids[0]), s.header(ids[0]) + QPoint(-40, 24));
    QTest::keyRelease(&s.view, Qt::Key_Space);
    QCOMPARE(s.header(ids[0]), before + QPoint(-40, 24));
    QCOMPARE(s.at(ids[0]), (engine::Point{0, 0}));
    s.drag(s.header(ids[0]), s.header(ids[0]) + QPoint(-40, 24));
    QCOMPARE(s.at(ids[0]), (engine::Point{-40, 24})); // Space let go: a move again
}

void TestCanvasGestures::wheelScrolls()
{
    Stage s;
    const auto ids = s.chain();
    const QPoint before = s.header(ids[0]);
    QWheelEvent down(QPointF(500, 300), s.view.viewport()->mapToGlobal(QPointF(500, 300)), {}, {0, -120}, Qt::NoButton,
                     {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(s.view.viewport(), &down);
    QCOMPARE(s.header(ids[0]), before - QPoint(0, 60));
    QWheelEvent pixels(QPointF(500, 300), s.view.viewport()->mapToGlobal(QPointF(500, 300)), {13, 7}, {26, 14},
                       Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(s.view.viewport(), &pixels);
    QCOMPARE(s.header(ids[0]), before + QPoint(13, -53));
    QCOMPARE(s.view.zoom(), 1.0);
}

void TestCanvasGestures::zoomKeepsWhatIsUnderThePointer()
{
    Stage s;
    s.chain();
    const QPointF pointer(731, 222);
    const QPointF under = s.view.mapToScene(QPoint()) + pointer / s.view.zoom();
    for (const int notches : {1, 1, -3, 2, -1, 4}) {
        QWheelEvent wheel(pointer, s.view.viewport()->mapToGlobal(pointer), {}, {0, 120 * notches}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(s.view.viewport(), &wheel);
        const QPointF now = s.view.mapToScene(QPoint()) + pointer / s.view.zoom();
        // The scroll position is whole pixels.
        QVERIFY(QLineF(now, under).length() * s.view.zoom() < 4);
    }
    QVERIFY(s.view.zoom() > 2 && s.view.zoom() < 4);
}

void TestCanvasGestures::zoomHasLimits()
{
    Stage s;
    s.chain();
    for (int i = 0; i < 100; ++i)
        s.view.zoomBy(0.5);
    QCOMPARE(s.view.zoom(), ui::GraphView::kLeastZoom);
    s.view.zoomBy(std::numeric_limits<double>::quiet_NaN());
    QVERIFY(std::isfinite(s.view.zoom()));
    for (int i = 0; i < 100; ++i)
        s.view.zoomBy(2);
    QCOMPARE(s.view.zoom(), ui::GraphView::kMostZoom);
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasGestures::clickSelects()
{
    Stage s;
    const auto ids = s.chain();
    const QPoint ring = s.inView(s.node(ids[1]).pos() + QPointF(100, -2.5));
    const QColor white = s.themes.theme().selection.ring;
    QCOMPARE(pixelsLike(s.shot(), around(ring, 2), white), 0);
    s.click(s.header(ids[1]));
    QCOMPARE(s.selection.nodes(), std::set{ids[1]});
    QCOMPARE(s.selection.current(), ids[1]);
    QVERIFY(pixelsLike(s.shot(), around(ring, 2), white) >= 5);
    // A wire.
    s.click((s.output(ids[0]) + s.input(ids[1])) / 2);
    QVERIFY(s.selection.nodes().empty());
    QCOMPARE(s.selection.edges(), (std::set<EdgeKey>{{ids[1], "input"}}));
    QVERIFY(s.edge(ids[1]).isRinged);
    s.click({900, 600});
    QVERIFY(s.selection.isEmpty());
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasGestures::modifiersToggle()
{
    Stage s;
    const auto ids = s.chain();
    s.click(s.header(ids[0]));
    s.click(s.header(ids[1]), Qt::ControlModifier);
    s.click(s.header(ids[2]), Qt::ShiftModifier);
    QCOMPARE(s.selection.nodes(), (std::set{ids[0], ids[1], ids[2]}));
    s.click(s.header(ids[1]), Qt::ControlModifier);
    QCOMPARE(s.selection.nodes(), (std::set{ids[0], ids[2]}));
    QVERIFY(!s.node(ids[1]).isRinged && s.node(ids[2]).isRinged);
    // A click on one of many, without a modifier, leaves it alone selected.
    s.click(s.header(ids[2]));
    QCOMPARE(s.selection.nodes(), std::set{ids[2]});
}

void TestCanvasGestures::bandSelectsWhatItTouches()
{
    Stage s;
    const auto ids = s.chain();
    s.press({60, 60});
    s.moveTo({200, 140});
    s.moveTo({420, 160});
    QVERIFY(s.view.canvas().band());
    QCOMPARE(s.selection.nodes(), (std::set{ids[0], ids[1]})); // already while it is drawn
    QVERIFY(pixelsLike(s.shot(), around({60, 100}, 2), s.themes.theme().selection.ring, 400) >= 5);
    s.release({420, 160});
    QVERIFY(!s.view.canvas().band());
    QCOMPARE(s.selection.nodes(), (std::set{ids[0], ids[1]}));
    s.drag({900, 80}, {700, 140}, Qt::ShiftModifier);
    QCOMPARE(s.selection.nodes(), (std::set{ids[0], ids[1], ids[2]}));
}

void TestCanvasGestures::escapeGivesTheSelectionBack()
{
    Stage s;
    const auto ids = s.chain();
    s.click(s.header(ids[2]));
    s.press({60, 60});
    s.moveTo({200, 140});
    QCOMPARE(s.selection.nodes(), std::set{ids[0]});
    s.key(Qt::Key_Escape);
    QCOMPARE(s.selection.nodes(), std::set{ids[2]});
    s.release({200, 140});
    QCOMPARE(s.selection.nodes(), std::set{ids[2]});
    s.key(Qt::Key_Escape);
    QVERIFY(s.selection.isEmpty());
}

void TestCanvasGestures::moveSnapsAndIsOneStep()
{
    Stage s;
    const auto ids = s.chain();
    const int before = s.undoSteps();
    const QColor node = s.themes.theme().surface.node, ground = s.themes.theme().surface.canvas;
    const QPoint old = bodyPixel(s, ids[1]);
    QCOMPARE(s.pixel(old), node);
    s.drag(s.header(ids[1]), s.header(ids[1]) + QPoint(13, 203));
    QCOMPARE(s.at(ids[1]), (engine::Point{296, 200})); // 280 + 13 and 0 + 203, to the 8 px grid
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.undoText(), QString("Move relu_2"));
    QCOMPARE(s.pixel(bodyPixel(s, ids[1])), node);
    QVERIFY(pixelsLike(s.shot(), around(old, 8), ground) > 200);
    QCOMPARE(s.view.mirrorError(), QString());
    s.document.undoStack().undo();
    QCOMPARE(s.at(ids[1]), (engine::Point{280, 0}));
}

void TestCanvasGestures::movesAllThatIsSelected()
{
    Stage s;
    const auto ids = s.chain();
    s.apply(engine::MoveNodes{{{ids[0], {3, 5}}}, {}}); // off the grid: keeps its distance to the grabbed one
    s.click(s.header(ids[0]));
    s.click(s.header(ids[1]), Qt::ShiftModifier);
    const int before = s.undoSteps();
    s.drag(s.header(ids[1]), s.header(ids[1]) + QPoint(0, 160));
    QCOMPARE(s.at(ids[1]), (engine::Point{280, 160}));
    QCOMPARE(s.at(ids[0]), (engine::Point{3, 165}));
    QCOMPARE(s.at(ids[2]), (engine::Point{560, 0}));
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.undoText(), QString("Move 2 nodes"));
    QCOMPARE(s.node(ids[0]).pos(), QPointF(3, 165));
}

void TestCanvasGestures::moveTakesInnerReroutesAlong()
{
    Stage s;
    const auto ids = s.chain();
    s.apply(engine::SetReroutes{{ids[1], "input"}, {{240, 40}}});
    s.apply(engine::SetReroutes{{ids[2], "input"}, {{520, 40}}});
    s.selection.set({ids[0], ids[1]});
    s.drag(s.header(ids[0]), s.header(ids[0]) + QPoint(8, 80));
    QCOMPARE(s.document.layout().reroutes.at({ids[1], "input"}).front(), (engine::Point{248, 120}));
    QCOMPARE(s.document.layout().reroutes.at({ids[2], "input"}).front(), (engine::Point{520, 40}));
    QCOMPARE(s.edge(ids[1]).reroutes().front(), QPointF(248, 120));
    s.document.undoStack().undo();
    QCOMPARE(s.document.layout().reroutes.at({ids[1], "input"}).front(), (engine::Point{240, 40}));
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasGestures::escapeAbandonsAMove()
{
    Stage s;
    const auto ids = s.chain();
    const int before = s.undoSteps();
    s.press(s.header(ids[1]));
    s.moveTo(s.header(ids[1]) + QPoint(30, 50));
    s.moveTo(s.header(ids[1]) + QPoint(60, 90));
    QVERIFY(s.at(ids[1]) != (engine::Point{280, 0})); // the document follows each step
    s.key(Qt::Key_Escape);
    QCOMPARE(s.at(ids[1]), (engine::Point{280, 0}));
    QCOMPARE(s.node(ids[1]).pos(), QPointF(280, 0));
    QCOMPARE(s.undoSteps(), before);
    s.moveTo({700, 600});
    s.release({700, 600});
    QCOMPARE(s.at(ids[1]), (engine::Point{280, 0}));
}

void TestCanvasGestures::thereAndBackIsNoStep()
{
    Stage s;
    const auto ids = s.chain();
    const int before = s.undoSteps();
    const QPoint at = s.header(ids[1]);
    s.press(at);
    s.moveTo(at + QPoint(80, 80));
    s.moveTo(at + QPoint(1, 0));
    s.release(at + QPoint(1, 0));
    QCOMPARE(s.undoSteps(), before);
    QCOMPARE(s.at(ids[1]), (engine::Point{280, 0}));
}

void TestCanvasGestures::deleteHeals()
{
    Stage s;
    const auto ids = s.chain();
    const int before = s.undoSteps();
    s.click(s.header(ids[1]));
    s.key(Qt::Key_Delete);
    QVERIFY(!s.document.graph().find(ids[1]));
    QCOMPARE(s.document.graph().edgeInto(ids[2], "input")->from, ids[0]);
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.undoText(), QString("Delete relu_2"));
    QCOMPARE(s.view.mirrorError(), QString());
    QCOMPARE(s.edge(ids[2]).from(), ids[0]);
    // The healed wire is drawn where the node was, between 200 and 560 at y = 26.
    const QPoint on = s.inView({380, 26});
    QVERIFY(pixelsLike(s.shot(), around(on, 30), s.themes.theme().dtype(DType::f32).line) > 40);
    s.document.undoStack().undo();
    QCOMPARE(s.view.mirrorError(), QString());
    // A wire alone.
    s.click((s.output(ids[0]) + s.input(ids[1])) / 2);
    s.key(Qt::Key_Backspace);
    QVERIFY(!s.document.graph().edgeInto(ids[1], "input"));
    QVERIFY(s.document.graph().find(ids[1]));
}

void TestCanvasGestures::undoMovesTheDrawnNode()
{
    Stage s;
    const auto ids = s.chain();
    s.drag(s.header(ids[0]), s.header(ids[0]) + QPoint(0, 240));
    const QPoint scroll = s.inView({0, 0});
    s.document.undoStack().undo();
    s.settle();
    QCOMPARE(s.node(ids[0]).pos(), QPointF(0, 0));
    QCOMPARE(s.inView({0, 0}), scroll); // the view does not jump
    QCOMPARE(s.edge(ids[1]).wire().all.elementAt(0),
             QPainterPath::Element(QPainterPath(s.node(ids[0]).outputAt()).elementAt(0)));
}

void TestCanvasGestures::doubleClickOnEmptyAsksForTheSearch()
{
    Stage s;
    s.chain();
    QSignalSpy asked(&s.view, &ui::GraphView::searchRequested);
    QTest::mouseDClick(s.view.viewport(), Qt::LeftButton, {}, {600, 500});
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toPoint(), s.view.viewport()->mapToGlobal(QPoint(600, 500)));
    QCOMPARE(asked[0][1].toPointF(), QPointF(s.view.mapToScene(600, 500)));
}

void TestCanvasGestures::hoverShows()
{
    Stage s;
    const auto ids = s.chain();
    const QPoint border = s.inView(s.node(ids[1]).pos() + QPointF(100, 0));
    const QColor before = s.pixel(border);
    s.moveTo(s.header(ids[1]));
    QVERIFY(s.node(ids[1]).isHovered);
    QVERIFY(s.pixel(border) != before);
    s.moveTo((s.output(ids[0]) + s.input(ids[1])) / 2);
    QVERIFY(!s.node(ids[1]).isHovered);
    QVERIFY(s.edge(ids[1]).isHovered);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(s.view.viewport(), &leave);
    QVERIFY(!s.edge(ids[1]).isHovered);
}

void TestCanvasGestures::openingAnotherDocumentEndsADrag()
{
    Stage s;
    const auto ids = s.chain();
    s.press(s.output(ids[0]));
    s.moveTo(s.output(ids[0]) + QPoint(40, 90));
    QVERIFY(s.view.canvas().pulled());
    s.openLesson("seed");
    QVERIFY(!s.view.canvas().pulled());
    s.moveTo({400, 400});
    s.release({400, 400});
    QCOMPARE(s.view.mirrorError(), QString());
}

QTEST_MAIN(TestCanvasGestures)
#include "tst_canvas_gestures.moc"
