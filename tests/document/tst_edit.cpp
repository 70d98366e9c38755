// Edits of a document: every one has an inverse that restores exactly what was there, a refused one changes nothing.
#include "full_document.h"

#include "engine/document/edit.h"
#include "tests/support/random_edits.h"

#include <QtTest/QtTest>

#include <cmath>

using namespace engine;

namespace {

std::string codeOf(Document& document, const Edit& edit)
{
    const Result<Edit> inverse = applyEdit(document, edit);
    return inverse ? "" : inverse.error().code;
}

// a -> b -> c, all placed.
Document chain()
{
    Document d;
    for (const std::uint32_t id : {1u, 2u, 3u}) {
        (void)d.graph.addNode(samples::node(id, std::string(1, static_cast<char>('a' + id - 1)), "relu"));
        d.layout.positions[NodeId{id}] = {100.0 * id, 5};
    }
    (void)d.graph.addEdge({NodeId{1}, "output", NodeId{2}, "input"});
    (void)d.graph.addEdge({NodeId{2}, "output", NodeId{3}, "input"});
    return d;
}

} // namespace

class EditTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomSequences_data();
    void randomSequences();
    void removedNodeComesBackWhole();
    void unplacedNodeComesBackUnplaced();
    void orderOfFramesAndComments();
    void listsAreAllOrNothing();
    void refusals_data();
    void refusals();
    void tensorsOfUnknownDType();
    void whatItAffects();
    void brokenInvariants_data();
    void brokenInvariants();
    void limits();
};

void EditTest::randomSequences_data()
{
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<bool>("isFull");
    for (quint64 seed = 1; seed <= 25; ++seed)
        QTest::addRow("seed %d", static_cast<int>(seed)) << seed << (seed % 5 == 0);
}

// 25 x 1000 edits.
void EditTest::randomSequences()
{
    QFETCH(quint64, seed);
    QFETCH(bool, isFull);
    support::RandomEdits random(seed);
    // Loaded once, as a file spells unknown fields in its own way.
    Document d = *loadDocumentBytes(*documentBytes(isFull ? samples::fullDocument() : Document{}), "d");
    std::vector<Document> history{d};
    std::vector<Edit> inverses, again;
    std::set<std::size_t> kinds;
    for (int i = 0; i < 1000; ++i) {
        if (i % 5 == 0) {
            QVERIFY2(!applyEdit(d, random.invalid(d)).ok(), qPrintable(QString::number(i)));
            QVERIFY(equal(d, history.back()));
        }
        const Edit edit = random.next(d);
        kinds.insert(edit.index());
        const Result<Edit> inverse = applyEdit(d, edit);
        QVERIFY2(inverse.ok(), inverse ? "" : inverse.error().text().c_str());
        QCOMPARE(brokenInvariant(d), std::string());
        // The inverse of the inverse has the edit's effect.
        Document back = d;
        const Result<Edit> redo = applyEdit(back, *inverse);
        QVERIFY(redo.ok() && equal(back, history.back()));
        QVERIFY(applyEdit(back, *redo).ok() && equal(back, d));
        inverses.push_back(*inverse);
        history.push_back(d);
        if (i % 250 == 0) {
            const auto bytes = documentBytes(d);
            QVERIFY2(bytes.ok(), bytes ? "" : bytes.error().text().c_str());
            const auto loaded = loadDocumentBytes(*bytes, "d");
            QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
            QVERIFY(equal(*loaded, d));
        }
    }
    QCOMPARE(kinds.size(), std::variant_size_v<Edit>);
    for (std::size_t i = inverses.size(); i-- > 0;) {
        const Result<Edit> redo = applyEdit(d, inverses[i]);
        QVERIFY(redo.ok() && equal(d, history[i]) && brokenInvariant(d).empty());
        again.push_back(*redo);
    }
    for (std::size_t i = again.size(); i-- > 0;)
        QVERIFY(applyEdit(d, again[i]).ok());
    QVERIFY(equal(d, history.back()));
}

void EditTest::removedNodeComesBackWhole()
{
    Document d = chain();
    d.layout.reroutes[{NodeId{2}, "input"}] = {{1, 2}, {3, 4}};
    d.layout.reroutes[{NodeId{3}, "input"}] = {{5, 6}};
    d.layout.frames = {{4, "f", "", {}, {}, {NodeId{3}, NodeId{2}, NodeId{1}}}, {5, "g", "", {}, {}, {NodeId{1}}}};
    const Document before = d;
    const Result<Edit> inverse = applyEdit(d, RemoveNode{NodeId{2}});
    QVERIFY(inverse.ok());
    QVERIFY(d.graph.edges().empty() && d.layout.reroutes.empty() && !d.layout.positions.contains(NodeId{2}));
    QCOMPARE(d.layout.frames[0].nodes, (std::vector{NodeId{3}, NodeId{1}}));
    QCOMPARE(d.layout.frames[1].nodes, std::vector{NodeId{1}});
    QVERIFY(applyEdit(d, *inverse).ok());
    QVERIFY(equal(d, before));
    // Ids are never used again.
    QCOMPARE(d.graph.freshId().value, 4u);
}

void EditTest::unplacedNodeComesBackUnplaced()
{
    Document d = chain();
    d.layout.positions.erase(NodeId{2});
    const Document before = d;
    const Result<Edit> removed = applyEdit(d, RemoveNode{NodeId{2}});
    QVERIFY(removed.ok() && applyEdit(d, *removed).ok());
    QVERIFY(equal(d, before));
    const Result<Edit> placed = applyEdit(d, MoveNodes{{{NodeId{2}, {7, 8}}, {NodeId{1}, {1, 1}}}, {}});
    QVERIFY(placed.ok());
    QCOMPARE(d.layout.positions.at(NodeId{2}).x, 7.0);
    QVERIFY(applyEdit(d, *placed).ok() && equal(d, before));
}

void EditTest::orderOfFramesAndComments()
{
    Document d;
    for (const std::uint32_t id : {1u, 2u, 3u}) {
        QVERIFY(applyEdit(d, PutFrame{{id, "f", "", {}, {}, {}}, {}}).ok());
        QVERIFY(applyEdit(d, PutComment{{id, "c", {}, {}}, {}}).ok());
    }
    const Document before = d;
    const Result<Edit> frame = applyEdit(d, RemoveFrame{2}), comment = applyEdit(d, RemoveComment{1});
    QVERIFY(frame.ok() && comment.ok() && d.layout.frames.size() == 2 && d.layout.comments.front().id == 2);
    QVERIFY(applyEdit(d, *comment).ok() && applyEdit(d, *frame).ok());
    QVERIFY(equal(d, before));
    const Result<Edit> replaced = applyEdit(d, PutFrame{{2, "new", "", {}, {}, {}}, 0});
    QCOMPARE(d.layout.frames[1].title, std::string("new")); // in place
    QVERIFY(applyEdit(d, *replaced).ok() && equal(d, before));
}

void EditTest::listsAreAllOrNothing()
{
    Document d = chain();
    const Document before = d;
    EditList inner{{RemoveNode{NodeId{1}}, SetTitle{"t", "a"}}};
    const EditList refused{{MoveNodes{{{NodeId{1}, {0, 0}}}, {}}, inner, RemoveEdge{{NodeId{2}, "input"}}}};
    QCOMPARE(codeOf(d, refused), std::string("edge-unknown")); // gone with node 1
    QVERIFY(equal(d, before));
    const EditList replaceEdge{
        {RemoveEdge{{NodeId{3}, "input"}}, AddEdge{{NodeId{1}, "output", NodeId{3}, "input"}, {{1, 1}}}}};
    const Result<Edit> inverse = applyEdit(d, replaceEdge);
    QVERIFY(inverse.ok());
    QCOMPARE(d.graph.edgeInto(NodeId{3}, "input")->from.value, 1u);
    QVERIFY(applyEdit(d, *inverse).ok() && equal(d, before));
}

void EditTest::refusals_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("code");
    const char* codes[] = {"node-exists",     "node-field",     "node-field",   "node-field",     "node-unknown",
                           "node-unknown",    "port-taken",     "cycle",        "edge-field",     "edge-unknown",
                           "layout-field",    "layout-field",   "layout-field", "node-unknown",   "layout-field",
                           "settings-field",  "settings-field", "tensor-field", "tensor-unknown", "frame-unknown",
                           "comment-unknown", "node-unknown"};
    for (int i = 0; i < static_cast<int>(std::size(codes)); ++i)
        QTest::addRow("%d %s", i, codes[i]) << i << codes[i];
}

void EditTest::refusals()
{
    QFETCH(int, index);
    QFETCH(QString, code);
    const double nan = std::nan("");
    const NodeId a{1}, b{2}, c{3};
    Node odd = samples::node(9, "odd", "relu"), mode = odd, layer = odd, nameless = odd;
    odd.slots[static_cast<std::size_t>(Slot::Output)].kind = SlotAsk::Kind::Widest;
    mode.slots[static_cast<std::size_t>(Slot::Accumulate)] = SlotAsk::fixed(DType::tf32);
    layer.layerDtype = DType::tf32;
    nameless.name.clear();
    RunSettings integer, unnamed;
    integer.floatx = DType::i32;
    unnamed.dialect.clear();
    const Edit edits[] = {AddNode{samples::node(1, "x", "relu"), {}},
                          AddNode{odd, {}},
                          AddNode{mode, {}},
                          AddNode{nameless, {}},
                          AddNode{samples::node(0x80000000u, "x", "relu"), {}},
                          RemoveNode{NodeId{4}},
                          AddEdge{{a, "output", c, "input"}, {}},
                          AddEdge{{c, "output", a, "input"}, {}},
                          AddEdge{{a, "output", c, ""}, {}},
                          SetReroutes{{a, "input"}, {}},
                          SetReroutes{{b, "input"}, {{nan, 0}}},
                          MoveNodes{{{a, {0, 0}}, {b, {0, HUGE_VAL}}}, {}},
                          AddNode{samples::node(9, "x", "relu"), {nan, 0}},
                          PutFrame{{1, "", "", {}, {}, {NodeId{9}}}, {}},
                          PutComment{{0, "", {}, {}}, {}},
                          SetSettings{integer},
                          SetSettings{unnamed},
                          PutTensor{"t", {}, {}},
                          RemoveTensor{"t"},
                          RemoveFrame{1},
                          RemoveComment{1},
                          MoveNodes{{{a, {0, 0}}}, {a}}};
    Document d = chain();
    QCOMPARE(QString::fromStdString(codeOf(d, edits[index])), code);
    QVERIFY(equal(d, chain()));
    QCOMPARE(codeOf(d, ReplaceNode{layer}), std::string("node-unknown"));
    layer.id = a;
    QCOMPARE(codeOf(d, ReplaceNode{layer}), std::string("node-field"));
    QVERIFY(equal(d, chain()));
}

void EditTest::tensorsOfUnknownDType()
{
    Document d = samples::fullDocument();
    const Document before = d;
    const Result<Edit> put = applyEdit(d, PutTensor{"odd", samples::arrayOf(DType::f32, Shape{2}, 1), {}});
    QVERIFY(put.ok() && !d.tensorDTypes.contains("odd")); // the new numbers have a known dtype
    QVERIFY(applyEdit(d, *put).ok() && equal(d, before));
    const Result<Edit> removed = applyEdit(d, RemoveTensor{"odd"});
    QVERIFY(removed.ok() && d.tensorDTypes.empty());
    QVERIFY(applyEdit(d, *removed).ok() && equal(d, before));
}

void EditTest::whatItAffects()
{
    QCOMPARE(affects(MoveNodes{}), Affects::Layout);
    QCOMPARE(affects(SetTitle{}), Affects::Layout);
    QCOMPARE(affects(SetReroutes{}), Affects::Layout);
    QCOMPARE(affects(ReplaceNode{}), Affects::Structure);
    QCOMPARE(affects(SetSettings{}), Affects::Structure);
    QCOMPARE(affects(PutTensor{}), Affects::Structure);
    QCOMPARE(affects(EditList{{PutFrame{}, PutComment{}}}), Affects::Layout);
    QCOMPARE(affects(EditList{{PutFrame{}, EditList{{RemoveEdge{}}}}}), Affects::Structure);
}

void EditTest::brokenInvariants_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("words");
    const char* words[] = {"position of node 9", "not finite", "the edge is not", "empty list",   "no node 9",
                           "the same id",        "floatx",     "\"t\"",           "dtype is kept"};
    for (int i = 0; i < static_cast<int>(std::size(words)); ++i)
        QTest::addRow("%s", words[i]) << i << words[i];
}

void EditTest::brokenInvariants()
{
    QFETCH(int, index);
    QFETCH(QString, words);
    Document d = chain();
    QCOMPARE(brokenInvariant(d), std::string());
    QCOMPARE(brokenInvariant(samples::fullDocument()), std::string());
    const std::function<void()> breakers[] = {
        [&] { d.layout.positions[NodeId{9}] = {}; },
        [&] {
            d.layout.positions[NodeId{1}] = {std::nan(""), 0};
        },
        [&] {
            d.layout.reroutes[{NodeId{1}, "input"}] = {{1, 1}};
        },
        [&] {
            d.layout.reroutes[{NodeId{2}, "input"}] = {};
        },
        [&] {
            d.layout.frames = {{1, "", "", {}, {}, {NodeId{9}}}};
        },
        [&] {
            d.layout.comments = {{1, "", {}, {}}, {1, "", {}, {}}};
        },
        [&] { d.settings.floatx = DType::i8; },
        [&] { d.tensors["t"] = {}; },
        [&] { d.tensorDTypes["t"] = "x"; },
    };
    breakers[index]();
    QVERIFY2(QString::fromStdString(brokenInvariant(d)).contains(words), brokenInvariant(d).c_str());
}

void EditTest::limits()
{
    Document d;
    for (std::uint32_t id = 1; id <= 20000; ++id)
        QVERIFY(d.graph.addNode(samples::node(id, "x", "relu")).ok());
    QCOMPARE(codeOf(d, AddNode{samples::node(30000, "x", "relu"), {}}), std::string("document-limit"));
    const auto bytes = documentBytes(d);
    QVERIFY(bytes.ok() && loadDocumentBytes(*bytes, "d").ok());
}

QTEST_GUILESS_MAIN(EditTest)
#include "tst_edit.moc"
