// Removing nodes and edges, with and without reconnecting their neighbours; connecting and inserting.
#include <QtTest/QtTest>

#include "document_log.h"

#include "ui/document/remedies.h"

using namespace engine;
using namespace ui;
using namespace samples;

class RemovalTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void neighboursReconnect();
    void throughSeveralNodes();
    void toEveryConsumer();
    void nothingToHeal();
    void edges();
    void connecting();
    void insertingAtAPoint();

private:
    static QString edgesOf(const Document& d)
    {
        QStringList words;
        for (const Edge& e : d.graph.edges())
            words << QString("%1-%2.%3").arg(e.from.value).arg(e.to.value).arg(QString::fromStdString(e.toPort));
        return words.join(' ');
    }
    static Document after(const Document& d, const NamedEdit& made)
    {
        Document copy = d;
        const Result<Edit> inverse = applyEdit(copy, made.edit);
        Document back = copy;
        if (!inverse || !applyEdit(back, *inverse).ok() || !equal(back, d) || !brokenInvariant(copy).empty())
            return {};
        return copy;
    }
};

void RemovalTest::neighboursReconnect()
{
    Document d = chain();
    d.layout.reroutes[{c, "input"}] = {{3, 4}};
    const NamedEdit healed = removeEdit(d, {b}, {}, Heal::Yes);
    QCOMPARE(healed.name, QString("Delete b"));
    const Document result = after(d, healed);
    QCOMPARE(edgesOf(result), QString("1-3.input"));
    QVERIFY((result.layout.reroutes.at({c, "input"}) == std::vector<Point>{{1, 2}, {3, 4}})); // the path stays
    QCOMPARE(edgesOf(after(d, removeEdit(d, {b}, {}, Heal::No))), QString());
}

void RemovalTest::throughSeveralNodes()
{
    Document d = chain();
    (void)d.graph.addNode(node(4, "d", "relu"));
    (void)d.graph.addEdge({c, "output", NodeId{4}, "weight"});
    const NamedEdit two = removeEdit(d, {b, c}, {}, Heal::Yes);
    QCOMPARE(two.name, QString("Delete 2 nodes"));
    QCOMPARE(edgesOf(after(d, two)), QString("1-4.weight"));
    QCOMPARE(edgesOf(after(d, removeEdit(d, {a, c}, {}, Heal::Yes))), QString("2-4.weight"));
}

void RemovalTest::toEveryConsumer()
{
    Document d = chain();
    (void)d.graph.addNode(node(4, "d", "add"));
    (void)d.graph.addNode(node(5, "w", "weights"));
    (void)d.graph.addEdge({b, "output", NodeId{4}, "other"});
    (void)d.graph.addEdge({a, "output", NodeId{4}, "input"});
    (void)d.graph.addEdge({NodeId{5}, "output", b, "weight"}); // values pass by the input, not by the weight
    QCOMPARE(edgesOf(after(d, removeEdit(d, {b}, {}, Heal::Yes))), QString("1-3.input 1-4.input 1-4.other"));
}

void RemovalTest::nothingToHeal()
{
    const Document d = chain();
    QCOMPARE(edgesOf(after(d, removeEdit(d, {a}, {}, Heal::Yes))), QString("2-3.input")); // no input
    QCOMPARE(edgesOf(after(d, removeEdit(d, {c}, {}, Heal::Yes))), QString("1-2.input")); // no consumer
    Document two = chain(); // two inputs, none of them "input"
    (void)two.graph.removeEdge(b, "input");
    two.layout.reroutes.clear();
    (void)two.graph.addEdge({a, "output", b, "x"});
    (void)two.graph.addEdge({a, "output", b, "y"});
    QCOMPARE(edgesOf(after(two, removeEdit(two, {b}, {}, Heal::Yes))), QString());
    QVERIFY(after(d, removeEdit(d, {a, b, c}, {}, Heal::Yes)).graph.nodes().empty());
}

void RemovalTest::edges()
{
    const Document d = chain();
    const NamedEdit one = removeEdit(d, {}, {{b, "input"}}, Heal::Yes);
    QCOMPARE(one.name, QString("Delete the edge from a to b"));
    QCOMPARE(edgesOf(after(d, one)), QString("2-3.input"));
    QCOMPARE(removeEdit(d, {}, {{b, "input"}, {c, "input"}}, Heal::Yes).name, QString("Delete 2 edges"));
    // Edges of removed nodes go with them; others are counted.
    QCOMPARE(removeEdit(d, {a}, {{b, "input"}}, Heal::No).name, QString("Delete a"));
    const NamedEdit both = removeEdit(d, {a}, {{b, "input"}, {c, "input"}}, Heal::No);
    QCOMPARE(both.name, QString("Delete a and the edge from b to c"));
    QCOMPARE(edgesOf(after(d, both)), QString());
    QVERIFY(equal(after(d, removeEdit(d, {}, {{a, "no such"}}, Heal::No)), d));
}

void RemovalTest::connecting()
{
    const Document d = chain();
    const NamedEdit fresh = connectEdit(d, {a, "output", c, "other"});
    QCOMPARE(fresh.name, QString("Connect a to c"));
    QCOMPARE(edgesOf(after(d, fresh)), QString("1-2.input 2-3.input 1-3.other"));
    // An occupied port lets go of the edge that it had.
    QCOMPARE(edgesOf(after(d, connectEdit(d, {a, "output", c, "input"}))), QString("1-2.input 1-3.input"));
    QVERIFY(equal(after(d, connectEdit(d, {a, "output", b, "input"})), d)); // as it is, reroute points too
    Document cycle = d;
    QVERIFY(!applyEdit(cycle, connectEdit(d, {c, "output", b, "input"}).edit).ok());
    QVERIFY(equal(cycle, d));
}

void RemovalTest::insertingAtAPoint()
{
    const Document d = chain();
    const NamedEdit made = insertOnEdgeEdit(d, {b, "input"}, node(9, "pool", "max_pooling2d"), "input", Point{5, 6});
    QCOMPARE(made.name, QString("Insert pool between a and b"));
    const Document result = after(d, made);
    QCOMPARE(edgesOf(result), QString("9-2.input 2-3.input 1-9.input"));
    QVERIFY((result.layout.positions.at(NodeId{9}) == Point{5, 6}));
    QCOMPARE(result.layout.reroutes.size(), std::size_t{1}); // no point is lost where the node has a place of its own
    Document none = d;
    QVERIFY(!applyEdit(none, insertOnEdgeEdit(d, {a, "input"}, node(9, "x", "relu"), "input").edit).ok());
}

QTEST_GUILESS_MAIN(RemovalTest)
#include "tst_removal.moc"
