// The open document: one undo step per edit or gesture, and signals that say exactly what changed.
#include <QtTest/QtTest>

#include "document_log.h"

#include "tests/support/random_edits.h"
#include "ui/document/edit_names.h"
#include "ui/document/graph_edits.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace engine;
using namespace ui;
using namespace samples;

namespace {

// True where the act aborts the process.
bool aborts(const std::function<void()>& act)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const struct rlimit noCore = {};
        (void)::setrlimit(RLIMIT_CORE, &noCore);
        (void)::freopen("/dev/null", "w", stderr);
        std::signal(SIGABRT, SIG_DFL);
        act();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

} // namespace

class GraphDocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void announcements_data();
    void announcements();
    void errorsAndNothing();
    void revisions();
    void savedStates();
    void replaceClearsUndo();
    void reentryAsserts();
    void randomSequences_data();
    void randomSequences();
    void sentences();
};

void GraphDocumentTest::announcements_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("done");
    QTest::addColumn<QString>("undone");
    auto row = [i = 0](const char* name, const char* done, const char* undone) mutable {
        QTest::addRow("%s", name) << i++ << done << undone;
    };
    row("add a node", "+node 4, structure", "-node 4, structure");
    row("remove a node", "-edge 2.input, -edge 3.input, -node 2, frames, structure",
        "+node 2, +edge 2.input, +edge 3.input, frames, structure");
    row("replace a node", "node 1, structure", "node 1, structure");
    row("add an edge", "+edge 3.other, structure", "-edge 3.other, structure");
    row("remove an edge", "-edge 2.input, structure", "+edge 2.input, structure");
    row("replace an edge", "-edge 3.input, +edge 3.input, structure", "-edge 3.input, +edge 3.input, structure");
    row("move", "moved", "moved");
    row("reroute", "reroutes 3.input", "reroutes 3.input");
    row("settings", "settings, structure", "settings, structure");
    row("frame", "frames", "frames");
    row("comment", "comments", "comments");
    row("title", "title", "title");
    row("tensor", "structure", "structure");
    row("add and change at once", "+node 4, +edge 4.input, structure", "-edge 4.input, -node 4, structure");
    row("only what is left", "node 3, structure", "node 3, structure");
}

void GraphDocumentTest::announcements()
{
    QFETCH(int, index);
    QFETCH(QString, done);
    QFETCH(QString, undone);
    const Node fresh = samples::node(4, "d", "relu"), other = samples::node(4, "e", "relu");
    Node changed = samples::node(1, "a", "relu");
    changed.layerDtype = DType::f16;
    const SourceArray array = samples::arrayOf(DType::f32, Shape{2}, 1);
    RunSettings settings;
    settings.dialect = "promote";
    const Edit edits[] = {
        AddNode{fresh, {}},
        RemoveNode{b},
        ReplaceNode{changed},
        AddEdge{{a, "output", c, "other"}, {{7, 7}}},
        RemoveEdge{{b, "input"}},
        EditList{{RemoveEdge{{c, "input"}}, AddEdge{{a, "output", c, "input"}, {}}}},
        MoveNodes{{{a, {9, 9}}, {b, {200, 5}}}, {}},
        SetReroutes{{c, "input"}, {{3, 3}}},
        SetSettings{settings},
        PutFrame{{2, "g", "", {}, {}, {a}}, {}},
        PutComment{{1, "note", {}, {}}, {}},
        SetTitle{"t", ""},
        PutTensor{"t", array, {}},
        EditList{{AddNode{fresh, {}}, ReplaceNode{other}, MoveNodes{{{NodeId{4}, {1, 1}}}, {}},
                  AddEdge{{a, "output", NodeId{4}, "input"}, {}}, SetReroutes{{NodeId{4}, "input"}, {{1, 1}}}}},
        EditList{{AddNode{fresh, {}}, RemoveNode{NodeId{4}}, ReplaceNode{samples::node(3, "z", "relu")},
                  ReplaceNode{samples::node(2, "y", "relu")}, ReplaceNode{samples::node(2, "b", "relu")},
                  RemoveEdge{{b, "input"}}, AddEdge{{a, "output", b, "input"}, {{1, 2}}}}},
    };
    GraphDocument d;
    d.replace(chain(), {});
    Log log(d);
    QVERIFY(d.apply(edits[index], "Do it").ok());
    QCOMPARE(log.take(), "edited, " + done);
    const Document after = d.value();
    QCOMPARE(d.undoStack().undoText(), QString("Do it"));
    d.undoStack().undo();
    QCOMPARE(log.take(), undone + ", clean"); // the stack is clean once the step is undone
    QVERIFY(equal(d.value(), chain()));
    d.undoStack().redo();
    QCOMPARE(log.take(), done + ", edited");
    QVERIFY(equal(d.value(), after));
}

void GraphDocumentTest::errorsAndNothing()
{
    GraphDocument d;
    d.replace(chain(), {});
    Log log(d);
    QCOMPARE(d.apply(RemoveNode{NodeId{9}}, "x").error().code, std::string("node-unknown"));
    QVERIFY(d.apply(ReplaceNode{*d.graph().find(a)}, "x").ok());
    QVERIFY(d.apply(MoveNodes{{{a, {100, 5}}}, {}}, "x").ok());
    QVERIFY(d.apply(EditList{}, "x").ok());
    QVERIFY(d.apply(EditList{{AddNode{samples::node(5, "e", "relu"), {}}, RemoveNode{NodeId{5}}}}, "x").ok());
    QCOMPARE(log.take(), QString());
    QCOMPARE(d.undoStack().count(), 0);
    QVERIFY(!d.isEdited() && equal(d.value(), chain()));
}

void GraphDocumentTest::revisions()
{
    GraphDocument d;
    d.replace(chain(), {});
    std::uint64_t structure = d.structureRevision(), layout = d.layoutRevision();
    QVERIFY(d.apply(MoveNodes{{{a, {0, 0}}}, {}}, "Move a").ok());
    QVERIFY(d.structureRevision() == structure && d.layoutRevision() > layout);
    layout = d.layoutRevision();
    QVERIFY(d.apply(ReplaceNode{renamed(d, a, "x")}, "Rename a to x").ok());
    QVERIFY(d.structureRevision() > structure && d.layoutRevision() == layout);
    structure = d.structureRevision();
    d.undoStack().undo();
    QVERIFY(d.structureRevision() > structure); // never one that was there
    structure = d.structureRevision();
    std::uint64_t seen = 0;
    connect(&d.undoStack(), &QUndoStack::indexChanged, this, [&] { seen = d.structureRevision(); });
    QVERIFY(d.apply(RemoveNode{a}, "Delete a").ok());
    QCOMPARE(seen, structure + 1);
    QVERIFY(!d.apply(RemoveNode{a}, "Delete a").ok());
    QCOMPARE(d.structureRevision(), structure + 1);
}

void GraphDocumentTest::savedStates()
{
    GraphDocument d;
    d.replace(chain(), {});
    Log log(d);
    QVERIFY(d.apply(SetTitle{"t", ""}, "Name it t").ok());
    d.markSaved("/x/d.mantissa");
    QCOMPARE(log.take(), QString("edited, title, clean, path"));
    QCOMPARE(d.path(), QString("/x/d.mantissa"));
    d.undoStack().undo();
    QVERIFY(d.isEdited());
    d.undoStack().redo();
    QVERIFY(!d.isEdited());
    QCOMPARE(log.take(), QString("title, edited, title, clean"));
    d.markSaved("/x/d.mantissa");
    QCOMPARE(log.take(), QString());
}

void GraphDocumentTest::replaceClearsUndo()
{
    GraphDocument d;
    Log log(d);
    d.replace(chain(), "/x/d.mantissa");
    QCOMPARE(log.take(), QString("reset, path"));
    QVERIFY(d.apply(RemoveNode{a}, "Delete a").ok());
    log.take();
    const std::uint64_t structure = d.structureRevision(), layout = d.layoutRevision();
    d.replace({}, {});
    QCOMPARE(log.take(), QString("clean, reset, path"));
    QVERIFY(d.undoStack().count() == 0 && d.path().isEmpty() && d.graph().nodes().empty());
    QVERIFY(d.structureRevision() > structure && d.layoutRevision() > layout);
}

void GraphDocumentTest::reentryAsserts()
{
#ifdef NDEBUG
    QSKIP("assertions are off in this build");
#endif
    GraphDocument d;
    d.replace(chain(), {});
    QVERIFY(!aborts([&] { (void)d.apply(RemoveNode{a}, "x"); }));
    connect(&d, &GraphDocument::nodeRemoved, this, [&] { (void)d.apply(RemoveNode{b}, "x"); });
    QVERIFY(aborts([&] { (void)d.apply(RemoveNode{a}, "x"); }));
    connect(&d, &GraphDocument::nodesMoved, this, [&] { d.undoStack().undo(); });
    QVERIFY(aborts([&] { (void)d.apply(MoveNodes{{{a, {1, 1}}}, {}}, "x"); }));
}

void GraphDocumentTest::randomSequences_data()
{
    QTest::addColumn<quint64>("seed");
    for (quint64 seed = 101; seed <= 110; ++seed)
        QTest::addRow("seed %d", static_cast<int>(seed)) << seed;
}

// What the signals say is kept as a list of nodes and edges, which must stay the document's.
void GraphDocumentTest::randomSequences()
{
    QFETCH(quint64, seed);
    support::RandomEdits random(seed);
    GraphDocument d;
    d.replace({}, {});
    std::set<NodeId> nodes;
    std::map<EdgeKey, NodeId> edges;
    connect(&d, &GraphDocument::nodeAdded, this, [&](NodeId id) { QVERIFY(nodes.insert(id).second); });
    connect(&d, &GraphDocument::nodeRemoved, this, [&](NodeId id) { QCOMPARE(nodes.erase(id), std::size_t{1}); });
    connect(&d, &GraphDocument::edgeAdded, this,
            [&](const EdgeKey& e) { QVERIFY(edges.emplace(e, d.graph().edgeInto(e.to, e.toPort)->from).second); });
    connect(&d, &GraphDocument::edgeRemoved, this, [&](const EdgeKey& e) { QCOMPARE(edges.erase(e), std::size_t{1}); });
    const auto mirrors = [&] {
        std::set<NodeId> isNodes;
        std::map<EdgeKey, NodeId> isEdges;
        for (const auto& [id, node] : d.graph().nodes())
            isNodes.insert(id);
        for (const Edge& e : d.graph().edges())
            isEdges[{e.to, e.toPort}] = e.from;
        return isNodes == nodes && isEdges == edges;
    };
    QSignalSpy structure(&d, &GraphDocument::structureChanged);
    const Document start = d.value();
    Gesture gesture = 0;
    for (int i = 0; i < 400; ++i) {
        if (random.below(10) == 0)
            gesture = random.below(2) == 0 ? 0 : d.newGesture();
        const auto revision = d.structureRevision();
        structure.clear();
        QVERIFY(d.apply(random.next(d.value()), "x", gesture).ok());
        QVERIFY(!d.apply(random.invalid(d.value()), "x", gesture).ok());
        QCOMPARE(static_cast<std::uint64_t>(structure.size()), d.structureRevision() - revision);
        QVERIFY(structure.size() <= 1 && mirrors());
        for (std::size_t back = random.below(30) == 0 ? random.below(5) : 0; back-- > 0;)
            d.undoStack().undo();
        QVERIFY(mirrors());
    }
    while (d.undoStack().canRedo())
        d.undoStack().redo();
    const Document end = d.value();
    d.undoStack().setIndex(0);
    QVERIFY(equal(d.value(), start) && mirrors());
    d.undoStack().setIndex(d.undoStack().count());
    QVERIFY(equal(d.value(), end) && mirrors() && brokenInvariant(d.value()).empty());
}

void GraphDocumentTest::sentences()
{
    const Document d = chain();
    const auto value = [](const ParamValue& v) { return EditNames::setParam("conv1", "filters", v); };
    Source source;
    source.generator = "glorot_uniform";
    source.seed = 7;
    QCOMPARE(value(std::int64_t{16}), QString("Set filters of conv1 to 16"));
    QCOMPARE(value(IntList{3, 3}), QString("Set filters of conv1 to [3, 3]"));
    QCOMPARE(value(std::string("same %1")), QString("Set filters of conv1 to same %1"));
    QCOMPARE(value(source), QString("Set filters of conv1 to glorot_uniform, seed 7"));
    QCOMPARE(moveEdit(d, {{a, {}}, {b, {}}, {c, {}}}).name, QString("Move 3 nodes"));
    QCOMPARE(moveEdit(d, {{b, {}}}).name, QString("Move b"));
    QCOMPARE(connectEdit(d, {a, "output", c, "other"}).name, QString("Connect a to c"));
    QCOMPARE(EditNames::useCombo({DType::f64, DType::f32}), QString("Use float64 inputs and float32 weights"));
    QCOMPARE(EditNames::setSlot("c", Slot::Compute, {SlotAsk::Kind::Widest, {}}),
             QString("Set the compute slot of c to widest"));
    QCOMPARE(EditNames::setSlot("c", Slot::Output, {}), QString("Clear the output slot of c"));
    QCOMPARE(EditNames::setLayerDType("c", std::nullopt), QString("Clear the layer dtype of c"));
    QCOMPARE(EditNames::edge(d, {b, "input"}), QString("the edge from a to b"));
}

QTEST_GUILESS_MAIN(GraphDocumentTest)
#include "tst_graph_document.moc"
