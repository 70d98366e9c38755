// Faults that were found by reading, each with what it did: keys during a press, results of another document, cards of
// older plans, files that move, letters that are typed, fields that keep Ctrl+Z to themselves.
#include "tests/ui/app_fixture.h"

#include "ui/document/clipboard_codec.h"
#include "ui/panels/choice_popup.h"
#include "ui/panels/precision_bar.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/refusal_card.h"
#include "ui/panels/tool_field.h"

using namespace program;
using engine::Combo;
using engine::DType;

namespace {

void use(Program& p, const std::string& dialect, Combo combo)
{
    engine::RunSettings s = p.settings();
    s.dialect = dialect;
    s.combo = combo;
    QVERIFY(p.document().apply(engine::SetSettings{s}, "Settings").ok());
}

bool hasSourceFinding(Program& p)
{
    for (const engine::Finding& f : p.app->plans().plan().findings)
        if (f.rule == "source")
            return true;
    return false;
}

// A version 1.0 .npy file of float64 values, as NumPy writes it.
void writeNpy(const QString& path, const std::vector<double>& values)
{
    QByteArray header =
        "{'descr': '<f8', 'fortran_order': False, 'shape': (" + QByteArray::number(values.size()) + ",), }";
    while ((10 + header.size() + 1) % 64 != 0)
        header += ' ';
    header += '\n';
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(values.data()), static_cast<qsizetype>(8 * values.size()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

} // namespace

class WindowFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The node went while the button was down on its octagon: a crash.
    void deleteWhileABadgeIsPressed()
    {
        Program p;
        use(p, "explicit", {DType::f64, DType::f32});
        QVERIFY(p.settle());
        const ui::NodeItem* node = p.canvas().canvas().node(kConv);
        const QPoint badge = p.inView(node->pos() + QPointF(node->body().width() - 20, 16));
        QTest::mousePress(p.canvas().viewport(), Qt::LeftButton, {}, badge);
        p.canvas().setFocus();
        p.key(Qt::Key_Delete);
        QVERIFY(!p.document().graph().find(kConv));
        QTest::mouseRelease(p.canvas().viewport(), Qt::LeftButton, {}, badge);
        QVERIFY(!p.window().refusalCard()->isOpen());
        QCOMPARE(p.canvas().mirrorError(), QString());
    }

    // The suffix came after the question, so that x replaced x.mantissa in silence.
    void saveAsAsksForTheFileItWrites()
    {
        Program p;
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        const QString path = p.folder.filePath("x");
        QString suffix;
        WithDialog<QFileDialog> answer([&](QFileDialog& dialog) {
            suffix = dialog.defaultSuffix();
            dialog.findChild<QLineEdit*>("fileNameEdit")->setText(path);
            QMetaObject::invokeMethod(&dialog, "accept");
        });
        p.action("save-as")->trigger();
        QCOMPARE(suffix, QString("mantissa"));
        QVERIFY(QFile::exists(path + ".mantissa") && !QFile::exists(path));
        QVERIFY(p.window().windowTitle().contains("x.mantissa"));
    }

    // Node 2 of the old document lent its error to node 2 of the new one.
    void anotherDocumentHasNoResultsYet()
    {
        Program p;
        QVERIFY(p.settle());
        p.canvas().canvas().flush();
        QVERIFY(p.canvas().canvas().node(kConv)->face().total.has_value());
        p.window().bar()->setLive(false);
        QVERIFY(p.window().openLesson(Program::lesson("four_combos")));
        QVERIFY(!p.app->snapshots().snapshot());
        p.canvas().canvas().flush();
        for (const auto& [id, node] : p.canvas().canvas().nodes())
            QVERIFY(!node->face().total.has_value() && !node->face().health.has_value());
        p.window().plots()->matrix()->grab(); // drawn anew
        for (const ui::MatrixCell& cell : p.window().plots()->matrix()->data().cells)
            QVERIFY(!cell.value.has_value());
    }

    // A stale run's dtypes stood on the card, and its acts used them.
    void cardSpeaksOfThePlan()
    {
        Program p;
        QVERIFY(p.settle());
        p.window().bar()->setLive(false);
        use(p, "keras_tf26", {DType::f64, DType::bf16});
        const QRect dot =
            p.canvas().globalRect(QRectF(p.canvas().canvas().edge({kConv, "input"})->wire().dot, QSizeF(1, 1)));
        p.window().card()->open(kConv, "input", dot, dot);
        QVERIFY(p.window().card()->isOpen());
        QVERIFY(p.window().card()->facts().from == DType::f64);
        QVERIFY(p.window().card()->facts().to == *p.app->plans().port(kConv, "input")->used);
        QVERIFY(!p.window().card()->facts().isMeasured || p.window().card()->facts().to == DType::f32);
        p.window().card()->setFocus();
        QTest::keyClick(p.window().card(), Qt::Key_Escape);
        QVERIFY(p.canvas().hasFocus()); // and not what comes next in the window
    }

    // Saved into another folder, a relative source was looked for from the old one.
    void sourcesFollowTheFile()
    {
        Program p;
        p.action("new")->trigger();
        QDir(p.folder.path()).mkpath("a");
        QDir(p.folder.path()).mkpath("b/c"); // another depth: what is relative to a is wrong from here
        writeNpy(p.folder.filePath("a/values.npy"), {0.1, 0.2, 0.3});
        engine::Document d;
        engine::Node input;
        input.id = {1};
        input.op = input.name = "input";
        engine::Source source;
        source.kind = engine::Source::Kind::File;
        source.name = "values.npy";
        input.params = {{"shape", engine::IntList{3}}, {"value", source}};
        QVERIFY(d.graph.addNode(input).ok());
        const QString first = p.folder.filePath("a/g.mantissa");
        QVERIFY(engine::saveDocument(d, first.toStdString()).ok());
        QVERIFY(p.window().openFile(first));
        QVERIFY2(!hasSourceFinding(p), "the file beside it is found");
        const auto answer = namedFile(p.folder.filePath("b/c/g.mantissa"));
        p.action("save-as")->trigger();
        QCOMPARE(p.document().path(), p.folder.filePath("b/c/g.mantissa"));
        QVERIFY(!hasSourceFinding(p));
        QVERIFY(p.settle());
        // A file that is mended is read again when a run is asked for.
        QVERIFY(QFile::remove(p.folder.filePath("a/values.npy")));
        p.action("run")->trigger();
        QVERIFY(hasSourceFinding(p));
        writeNpy(p.folder.filePath("a/values.npy"), {0.1, 0.2, 0.3});
        p.action("run")->trigger();
        QVERIFY(!hasSourceFinding(p));
        QVERIFY(p.settle());
    }

    // An array that nothing used while its port was wired was missing when the wire went.
    void unwiredPortHasItsArray()
    {
        Program p;
        QVERIFY(p.window().openLesson(Program::lesson("lenet_digits")));
        engine::NodeId conv;
        for (const auto& [id, node] : p.document().graph().nodes())
            if (node.op == "conv2d" && !conv)
                conv = id;
        engine::Node weights;
        weights.id = p.document().graph().freshId();
        weights.op = weights.name = "weights";
        weights.params = {{"shape", engine::IntList{5, 5, 1, 6}}};
        QVERIFY(p.document().apply(engine::AddNode{weights, {0, 300}}, "Add").ok());
        QVERIFY(p.document().apply(engine::AddEdge{{weights.id, "output", conv, "weight"}, {}}, "Wire").ok());
        p.action("run")->trigger(); // reads what is used now
        QVERIFY(p.document().apply(engine::RemoveEdge{{conv, "weight"}}, "Unwire").ok());
        QVERIFY(!hasSourceFinding(p));
        QVERIFY(p.settle(60000));
        QVERIFY(!p.canvas().canvas().node(conv)->face().isRefused);
    }

    // Zoomed out, the middle of the wire was a dot or a node, and a loose Cast came.
    void castGoesIntoTheSelectedWire()
    {
        Program p;
        p.canvas().setZoom(0.2, {0, 0});
        p.canvas().centerOn(p.canvas().canvas().nodesRect({}).center());
        p.app->selection().set({}, {{kConv, "input"}});
        p.canvas().setFocus();
        p.key(Qt::Key_C);
        const engine::Edge* edge = p.document().graph().edgeInto(kConv, "input");
        QVERIFY(edge && p.document().graph().find(edge->from)->op == "cast");
        QVERIFY(p.document().graph().edgeInto(edge->from, "input")->from == kInput);
    }

    // M in a list of choices muted the node behind it.
    void lettersAreForWhatHasTheFocus()
    {
        Program p;
        p.app->selection().select(kConv);
        auto* field = p.window().findChild<ui::ToolField*>();
        Program::click(field);
        QTest::keyClick(field->popup()->list(), Qt::Key_M);
        QVERIFY(!p.document().graph().find(kConv)->muted);
        QTest::keyClick(field->popup()->list(), Qt::Key_Escape);
        QTRY_VERIFY(!field->popup());
        p.canvas().setFocus();
        p.key(Qt::Key_M);
        QVERIFY(p.document().graph().find(kConv)->muted);
    }

    // A field without a history kept Ctrl+Z to itself.
    void undoWorksInAField()
    {
        Program p;
        p.key(Qt::Key_4, Qt::ControlModifier);
        QVERIFY(p.settings().combo == (Combo{DType::f64, DType::f64}));
        p.app->selection().select(kConv);
        QLineEdit* name = p.window().findChild<ui::PropertiesPanel*>()->nameField();
        name->setFocus();
        p.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(p.settings().combo == (Combo{DType::f64, DType::f32}));
        // With one, it is the field's; Escape gives up what was typed.
        QTest::keyClicks(name, "x");
        p.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(name->text(), QString("conv1"));
        QTest::keyClicks(name, "y");
        p.key(Qt::Key_Escape);
        QCOMPARE(QString::fromStdString(p.document().graph().find(kConv)->name), QString("conv1"));
        QCOMPARE(name->text(), QString("conv1"));
    }

    // What is pasted is in view, and hides nothing that is there.
    void pastedIsSeen()
    {
        Program p;
        p.app->selection().select(kConv);
        p.action("copy")->trigger();
        p.canvas().centerOn(9000, 9000);
        p.canvas().setSceneRect(-20000, -20000, 40000, 40000);
        p.canvas().centerOn(9000, 9000);
        for (int i = 0; i < 2; ++i) {
            p.action("paste")->trigger();
            p.canvas().canvas().flush();
            const ui::NodeItem* pasted = p.canvas().canvas().node(*p.app->selection().nodes().begin());
            QVERIFY(p.canvas().mapToScene(p.canvas().viewport()->rect()).boundingRect().intersects(pasted->body()));
        }
        std::set<std::pair<double, double>> places;
        for (const auto& [id, at] : p.document().layout().positions)
            places.insert({at.x, at.y});
        QCOMPARE(places.size(), p.document().layout().positions.size());
    }
};

QTEST_MAIN(WindowFaultsTest)
#include "tst_window_faults.moc"
