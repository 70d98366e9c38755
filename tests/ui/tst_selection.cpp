// The selection holds only what exists, and one of its nodes is the current one.
#include <QtTest/QtTest>

#include "document_log.h"

#include "ui/document/selection.h"

using namespace engine;
using namespace ui;
using namespace samples;

class SelectionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void selectionFollows();
    void currentNode();
};

void SelectionTest::selectionFollows()
{
    GraphDocument d;
    d.replace(chain(), {});
    Selection s(d);
    QSignalSpy changed(&s, &Selection::selectionChanged), current(&s, &Selection::currentChanged);
    s.set({a, b, NodeId{9}}, {{b, "input"}, {a, "input"}});
    QVERIFY((s.nodes() == std::set{a, b}) && s.edges().size() == 1); // only what exists
    QCOMPARE(s.current(), a);
    s.set({a, b}, {{b, "input"}});
    QCOMPARE(changed.size(), 1); // as it was
    QVERIFY(d.apply(EditList{{RemoveNode{a}, RemoveNode{b}}}, "Delete 2 nodes").ok());
    QVERIFY(s.isEmpty() && !s.current());
    QCOMPARE(changed.size(), 2);
    QCOMPARE(current.size(), 2);
    d.undoStack().undo();
    QVERIFY(s.isEmpty());
    s.select(c);
    QVERIFY(d.apply(RemoveEdge{{c, "input"}}, "x").ok() && d.apply(RemoveNode{c}, "Delete c").ok()); // alone
    QVERIFY(s.isEmpty());
    d.undoStack().undo();
    s.select(c);
    d.replace(chain(), {}); // another document, though with a node 3
    QVERIFY(s.isEmpty() && !s.current());
}

void SelectionTest::currentNode()
{
    GraphDocument d;
    d.replace(chain(), {});
    Selection s(d);
    s.select(b);
    s.toggle(a);
    QVERIFY((s.nodes() == std::set{a, b}) && s.current() == a);
    s.toggle(c);
    s.set({b, c});
    QCOMPARE(s.current(), c); // stays while it is selected
    s.toggle(c);
    QCOMPARE(s.current(), b);
    s.toggle(b);
    QVERIFY(s.isEmpty() && !s.current());
}

QTEST_GUILESS_MAIN(SelectionTest)
#include "tst_selection.moc"
