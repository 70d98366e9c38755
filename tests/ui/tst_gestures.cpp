// Gestures: many edits, one undo step, or none where it is abandoned or ends where it began.
#include <QtTest/QtTest>

#include "document_log.h"

using namespace engine;
using namespace ui;
using namespace samples;

class GesturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dragIsOneStep();
    void gesturesOfSeveralKinds();
    void gestureThatEndsWhereItBegan();
    void abandon();
};

void GesturesTest::dragIsOneStep()
{
    GraphDocument d;
    d.replace(chain(), {});
    QSignalSpy moved(&d, &GraphDocument::nodesMoved), structure(&d, &GraphDocument::structureChanged);
    const Gesture drag = d.newGesture();
    for (int i = 1; i <= 1000; ++i)
        QVERIFY(d.apply(MoveNodes{{{a, {100.0 + i, 5}}, {b, {200.0 + i, 5}}}, {}}, "Move 2 nodes", drag).ok());
    QCOMPARE(moved.size(), 1000);
    QCOMPARE(structure.size(), 0);
    QCOMPARE(d.undoStack().count(), 1);
    QVERIFY(d.apply(MoveNodes{{{a, {0, 0}}}, {}}, "Move a", d.newGesture()).ok());
    QVERIFY(d.apply(MoveNodes{{{a, {1, 0}}}, {}}, "Move a").ok()); // without a gesture: never merged
    QVERIFY(d.apply(MoveNodes{{{a, {2, 0}}}, {}}, "Move a").ok());
    QCOMPARE(d.undoStack().count(), 4);
    for (int i = 0; i < 3; ++i)
        d.undoStack().undo();
    QCOMPARE(d.layout().positions.at(a).x, 1100.0);
    d.undoStack().undo();
    QVERIFY(equal(d.value(), chain()));
    d.undoStack().redo();
    QCOMPARE(d.layout().positions.at(b).x, 1200.0);
}

void GesturesTest::gesturesOfSeveralKinds()
{
    GraphDocument d;
    d.replace(chain(), {});
    const Gesture g = d.newGesture();
    Frame frame{5, "new", "", {}, {}, {}};
    QVERIFY(d.apply(AddNode{samples::node(4, "d", "relu"), {}}, "Add d", g).ok());
    QVERIFY(d.apply(MoveNodes{{{NodeId{4}, {1, 1}}}, {}}, "Add d", g).ok());
    QVERIFY(d.apply(MoveNodes{{{NodeId{4}, {2, 2}}}, {}}, "Add d", g).ok());
    QVERIFY(d.apply(PutFrame{frame, 0}, "Add d", g).ok());
    frame.size = {10, 10};
    QVERIFY(d.apply(PutFrame{frame, {}}, "Add d", g).ok());
    QVERIFY(d.apply(RemoveNode{b}, "Add d, delete b", g).ok());
    const Document after = d.value();
    QCOMPARE(after.layout.frames[0].id, 5u);
    QCOMPARE(d.undoStack().count(), 1);
    QCOMPARE(d.undoStack().undoText(), QString("Add d, delete b"));
    d.undoStack().undo();
    QVERIFY(equal(d.value(), chain()));
    d.undoStack().redo();
    QVERIFY(equal(d.value(), after));
    d.undoStack().undo();
    // A drag of a parameter of two nodes at once.
    const Gesture two = d.newGesture();
    for (const char* name : {"x", "y", "z"})
        QVERIFY(d.apply(EditList{{ReplaceNode{renamed(d, a, name)}, ReplaceNode{renamed(d, b, name)}}}, "R", two).ok());
    QCOMPARE(d.undoStack().count(), 1);
    d.undoStack().undo();
    QVERIFY(equal(d.value(), chain()));
    d.undoStack().redo();
    QCOMPARE(d.graph().find(b)->name, std::string("z"));
}

void GesturesTest::gestureThatEndsWhereItBegan()
{
    GraphDocument d;
    d.replace(chain(), {});
    const Gesture g = d.newGesture();
    QVERIFY(d.apply(MoveNodes{{{a, {1, 1}}}, {}}, "Move a", g).ok());
    QVERIFY(d.isEdited());
    QVERIFY(d.apply(MoveNodes{{{a, {100, 5}}}, {}}, "Move a", g).ok());
    QCOMPARE(d.undoStack().count(), 0);
    QVERIFY(!d.isEdited() && equal(d.value(), chain()));
    QVERIFY(d.apply(MoveNodes{{{a, {2, 2}}}, {}}, "Move a", g).ok()); // and on it goes
    d.undoStack().undo();
    QVERIFY(equal(d.value(), chain()));
}

void GesturesTest::abandon()
{
    GraphDocument d;
    d.replace(chain(), {});
    QVERIFY(d.apply(ReplaceNode{renamed(d, a, "x")}, "Rename a to x").ok());
    const Document before = d.value();
    const Gesture g = d.newGesture();
    QVERIFY(d.apply(MoveNodes{{{a, {1, 1}}}, {}}, "Move a", g).ok());
    d.markSaved("/nowhere/d.mantissa"); // a save in the middle: two steps of one gesture
    QVERIFY(d.apply(RemoveNode{b}, "Move a", g).ok());
    QCOMPARE(d.undoStack().count(), 3);
    Log log(d);
    d.abandon(g);
    QVERIFY(equal(d.value(), before));
    QCOMPARE(d.undoStack().count(), 1);
    QVERIFY(!d.undoStack().canRedo() && d.isEdited());
    QVERIFY(log.take().contains("+node 2"));
    d.abandon(g);
    d.abandon(0);
    QCOMPARE(log.take(), QString());
    d.undoStack().undo();
    QVERIFY(equal(d.value(), chain()) && d.undoStack().canRedo());
}

QTEST_GUILESS_MAIN(GesturesTest)
#include "tst_gestures.moc"
