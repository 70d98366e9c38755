// Copy, cut, paste and duplicate: what a set of nodes takes with it, and how it arrives in this or another document.
#include <QtTest/QtTest>

#include "document_log.h"

#include "ui/document/clipboard_codec.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace engine;
using namespace ui;
using namespace samples;

namespace {

// Of a clipboard's text or data.
Document decoded(const QMimeData& mime)
{
    const Result<Document> part = nodesOfMime(mime);
    return part ? *part : Document{};
}

std::unique_ptr<QMimeData> copied(const Document& d, const std::set<NodeId>& nodes)
{
    Result<std::unique_ptr<QMimeData>> mime = mimeOfNodes(d, nodes);
    return mime ? std::move(*mime) : nullptr;
}

const Node& namedNode(const GraphDocument& d, const std::string& name)
{
    static const Node none;
    for (const auto& [id, n] : d.graph().nodes())
        if (n.name == name)
            return n;
    return none;
}

std::string kernelOf(const Node& n)
{
    return std::get<Source>(n.params.at("weight")).name;
}

} // namespace

class ClipboardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textHoldsAllOfTheNodes();
    void onlyWhatIsChosen();
    void pasteIntoTheSame();
    void pasteIntoAnother();
    void pasteAtAPoint();
    void pasteTwice();
    void tensorsAreSharedOrRenamed();
    void duplicate();
    void cut();
    void plainText();
    void damaged_data();
    void damaged();
    void emptySet();
};

void ClipboardTest::textHoldsAllOfTheNodes()
{
    const Document d = *loadDocumentBytes(*documentBytes(fullDocument()), "d");
    const auto mime = copied(d, {NodeId{1}, NodeId{3}});
    QVERIFY(mime && mime->hasFormat("application/x-mantissa-nodes"));
    const QJsonObject json = QJsonDocument::fromJson(mime->data(kNodesMime)).object();
    QCOMPARE(json["nodes"].toArray().size(), 2);
    QCOMPARE(json["edges"].toArray().size(), 1);
    const Document part = decoded(*mime);
    QVERIFY(part.graph == d.graph);
    QVERIFY(part.layout.positions == d.layout.positions && part.layout.reroutes == d.layout.reroutes);
    QVERIFY(part.layout.frames == d.layout.frames && part.layout.comments.empty());
    QCOMPARE(part.tensors.size(), std::size_t{1}); // only the one that a node names
    Document tensors, expected;
    tensors.tensors = part.tensors;
    expected.tensors.insert(*d.tensors.find("conv1/kernel"));
    QVERIFY(equal(tensors, expected));
    QVERIFY(part.extra.empty() && part.title.empty());
}

void ClipboardTest::onlyWhatIsChosen()
{
    Document d = chain();
    const Document part = decoded(*copied(d, {b, c}));
    QCOMPARE(part.graph.nodes().size(), std::size_t{2});
    QCOMPARE(part.graph.edges().size(), std::size_t{1}); // the inner one
    QVERIFY(part.layout.reroutes.empty() && part.layout.frames.size() == 1);
    d.layout.frames[0].nodes = {a, b};
    QVERIFY(decoded(*copied(d, {b, c})).layout.frames.empty()); // not all of the frame
}

void ClipboardTest::pasteIntoTheSame()
{
    GraphDocument d;
    d.replace(chain(), {});
    const Document part = decoded(*copied(d.value(), {a, b}));
    const Pasting pasting = pasteEdit(d.value(), part);
    QCOMPARE(pasting.step.name, QString("Paste 2 nodes"));
    QVERIFY((pasting.nodes == std::set{NodeId{4}, NodeId{5}}));
    QVERIFY(d.apply(pasting.step.edit, pasting.step.name).ok());
    QCOMPARE(d.undoStack().count(), 1);
    QCOMPARE(d.graph().find(NodeId{4})->name, std::string("a_2"));
    QCOMPARE(d.graph().find(NodeId{5})->name, std::string("b_2"));
    QCOMPARE(d.graph().edgeInto(NodeId{5}, "input")->from.value, 4u);
    QVERIFY(!d.graph().edgeInto(NodeId{4}, "input"));
    QVERIFY((d.layout().positions.at(NodeId{4}) == Point{124, 29}));
    QVERIFY((d.layout().reroutes.at({NodeId{5}, "input"}) == std::vector<Point>{{25, 26}}));
    QCOMPARE(d.layout().frames.size(), std::size_t{2});
    QVERIFY(d.layout().frames[1].id == 2 && d.layout().frames[1].nodes == std::vector{NodeId{5}});
    d.undoStack().undo();
    QVERIFY(equal(d.value(), chain()));
}

void ClipboardTest::pasteIntoAnother()
{
    const Document from = *loadDocumentBytes(*documentBytes(fullDocument()), "d");
    GraphDocument to;
    const Pasting pasting = pasteEdit(to.value(), decoded(*copied(from, {NodeId{1}, NodeId{3}})));
    QVERIFY(to.apply(pasting.step.edit, pasting.step.name).ok());
    const Node conv = namedNode(to, "conv1"), old = *from.graph.find(NodeId{1});
    QVERIFY(conv.params == old.params && conv.slots == old.slots && conv.layerDtype == old.layerDtype);
    QVERIFY(conv.forbidCast == old.forbidCast && conv.muted && conv.extra == old.extra);
    QVERIFY(to.value().tensors.contains("conv1/kernel"));
    to.undoStack().undo();
    QVERIFY(equal(to.value(), Document{}));
}

void ClipboardTest::pasteAtAPoint()
{
    GraphDocument d;
    d.replace(chain(), {});
    const Pasting pasting = pasteEdit(d.value(), partOf(d.value(), {b, c}), Point{1000, -50});
    QVERIFY(d.apply(pasting.step.edit, pasting.step.name).ok());
    QVERIFY((d.layout().positions.at(NodeId{4}) == Point{1000, -50}));
    QVERIFY((d.layout().positions.at(NodeId{5}) == Point{1100, -50}));
}

void ClipboardTest::pasteTwice()
{
    GraphDocument d;
    d.replace(chain(), {});
    const Document part = partOf(d.value(), {a});
    for (const double x : {124.0, 148.0, 172.0}) { // never on top of the one before
        const Pasting pasting = pasteEdit(d.value(), part);
        QVERIFY(d.apply(pasting.step.edit, pasting.step.name).ok());
        QCOMPARE(d.layout().positions.at(*pasting.nodes.begin()).x, x);
    }
    QCOMPARE(d.undoStack().undoText(), QString("Paste a_4"));
}

void ClipboardTest::tensorsAreSharedOrRenamed()
{
    const Document from = *loadDocumentBytes(*documentBytes(fullDocument()), "d");
    const Document part = decoded(*copied(from, {NodeId{1}}));
    GraphDocument d;
    d.replace(from, {});
    Pasting pasting = pasteEdit(d.value(), part);
    QVERIFY(d.apply(pasting.step.edit, pasting.step.name).ok());
    QCOMPARE(d.value().tensors.size(), from.tensors.size());
    QCOMPARE(kernelOf(namedNode(d, "conv1_2")), std::string("conv1/kernel"));
    Document other;
    other.tensors["conv1/kernel"] = arrayOf(DType::f32, Shape{1}, 9); // the same name, other numbers
    d.replace(other, {});
    pasting = pasteEdit(d.value(), part);
    QVERIFY(d.apply(pasting.step.edit, pasting.step.name).ok());
    QCOMPARE(kernelOf(namedNode(d, "conv1")), std::string("conv1/kernel_2"));
    QVERIFY(d.value().tensors.at("conv1/kernel_2").dtype == DType::bf16);
    d.undoStack().undo();
    QVERIFY(equal(d.value(), other));
    // Of a dtype that this program does not know.
    Document odd = from;
    Node n = *odd.graph.find(NodeId{1});
    std::get<Source>(n.params.at("weight")).name = "odd";
    (void)odd.graph.replaceNode(n);
    d.replace({}, {});
    pasting = pasteEdit(d.value(), decoded(*copied(odd, {NodeId{1}})));
    QVERIFY(d.apply(pasting.step.edit, pasting.step.name).ok());
    QCOMPARE(d.value().tensorDTypes.at("odd"), std::string("float4_e2m1"));
}

void ClipboardTest::duplicate()
{
    GraphDocument d;
    d.replace(chain(), {});
    const Pasting one = duplicateEdit(d.value(), {b});
    QCOMPARE(one.step.name, QString("Duplicate b"));
    QVERIFY(d.apply(one.step.edit, one.step.name).ok());
    QCOMPARE(d.graph().nodes().size(), std::size_t{4});
    QVERIFY((d.layout().positions.at(NodeId{4}) == Point{224, 29}));
    QCOMPARE(duplicateEdit(d.value(), {a, b, c}).step.name, QString("Duplicate 3 nodes"));
}

void ClipboardTest::cut()
{
    GraphDocument d;
    d.replace(chain(), {});
    const auto mime = copied(d.value(), {b});
    const NamedEdit step = cutEdit(d.value(), {b});
    QCOMPARE(step.name, QString("Cut b"));
    QVERIFY(d.apply(step.edit, step.name).ok());
    QVERIFY(d.graph().edges().empty()); // not healed: it will come back elsewhere
    const Pasting pasting = pasteEdit(d.value(), decoded(*mime));
    QVERIFY(d.apply(pasting.step.edit, pasting.step.name).ok());
    QCOMPARE(namedNode(d, "b").op, std::string("relu"));
}

void ClipboardTest::plainText()
{
    const auto mime = copied(chain(), {a, b});
    QVERIFY(mime->hasText() && mime->text().contains("\"name\": \"a\""));
    QMimeData text;
    text.setText("\n " + mime->text());
    QVERIFY(holdsNodes(*mime) && holdsNodes(text));
    QCOMPARE(decoded(text).graph.nodes().size(), std::size_t{2});
    QMimeData other;
    QVERIFY(!holdsNodes(other));
    other.setText("{\"a\": 1}");
    QVERIFY(!holdsNodes(other));
    other.setText("digits");
    QVERIFY(!holdsNodes(other));
}

void ClipboardTest::damaged_data()
{
    QTest::addColumn<QByteArray>("text");
    const QByteArray whole =
        copied(*loadDocumentBytes(*documentBytes(fullDocument()), "d"), {NodeId{1}})->data(kNodesMime);
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("half") << whole.left(whole.size() / 2);
    QTest::newRow("no nodes of ours") << QByteArray("{\"mantissa\": 99}");
    QTest::newRow("tensors cut off") << QByteArray(whole).remove(whole.indexOf("UEsDB"), 40);
    QTest::newRow("deep") << QByteArray(100000, '[');
    QTest::newRow("no UTF-8") << QByteArray("{\"mantissa\": 1, \"title\": \"\xff\"}");
}

void ClipboardTest::damaged()
{
    QFETCH(QByteArray, text);
    const Result<Document> part = decodeNodes(text);
    QVERIFY(!part.ok());
    QVERIFY(part.error().place.starts_with("the clipboard"));
}

void ClipboardTest::emptySet()
{
    GraphDocument d;
    d.replace(chain(), {});
    const Pasting pasting = pasteEdit(d.value(), decoded(*copied(d.value(), {NodeId{77}})));
    QVERIFY(pasting.nodes.empty() && d.apply(pasting.step.edit, pasting.step.name).ok());
    QCOMPARE(d.undoStack().count(), 0);
}

QTEST_GUILESS_MAIN(ClipboardTest)
#include "tst_clipboard.moc"
