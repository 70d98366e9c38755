// The Node tab's fields: made from the op's record, each an edit in one undo step, refused values change nothing and
// say so in place.
#include "tests/ui/panels_fixture.h"

#include "ui/panels/empty_state.h"
#include "ui/panels/number_field.h"
#include "ui/panels/param_list_editor.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/slot_table.h"
#include "ui/panels/source_editor.h"
#include "ui/panels/words.h"

using namespace engine;
using namespace ui;
using panels::kConv;
using panels::kInput;

class PanelsNode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        f = std::make_unique<panels::Fixture>();
        f->openLesson();
        panel = std::make_unique<PropertiesPanel>(f->context);
        QVERIFY(panels::present(*panel, {312, 900}));
    }
    void cleanup()
    {
        panel.reset();
        f.reset();
    }

    void emptyAndMany();
    void everyParameterHasAnEditorThatSaysItsRange();
    void typingIsOneStep();
    void refusedTypingChangesNothing();
    void dragIsOneStepAndLive();
    void escapeTakesADragBack();
    void arrowKeysAreOneStepWhileHeld();
    void listHasAFieldForEachEntry();
    void listGrowsAndShrinks();
    void choiceAndBool();
    void nameIsEdited();
    void sourceInitialiser();
    void sourceValuesTensorFile();
    void wiredSourceSaysSo();

private:
    NumberField* field(const char* param, int entry = 0)
    {
        const QList<NumberField*> fields = panel->editor(param)->findChildren<NumberField*>();
        return fields.value(entry);
    }
    std::int64_t filters() const { return std::get<std::int64_t>(f->node(kConv).params.at("filters")); }
    std::unique_ptr<panels::Fixture> f;
    std::unique_ptr<PropertiesPanel> panel;
};

void PanelsNode::emptyAndMany()
{
    QVERIFY(panel->emptyState()->isVisible());
    QCOMPARE(panel->emptyState()->title(), QStringLiteral("No node selected"));
    f->selection.set({kInput, kConv});
    QCOMPARE(panel->emptyState()->title(), QStringLiteral("2 nodes selected"));
    f->selection.select(kConv);
    QVERIFY(!panel->emptyState()->isVisible());
    QVERIFY(panel->nameField()->isVisible());
    QVERIFY(f->document.apply(RemoveNode{kConv}, QStringLiteral("x")).ok());
    QVERIFY(panel->emptyState()->isVisible());
    f->document.undoStack().undo();
}

void PanelsNode::everyParameterHasAnEditorThatSaysItsRange()
{
    f->selection.select(kConv);
    const OpSpec& spec = *opCatalog().find("conv2d");
    QVERIFY(spec.params.size() >= 9);
    for (const ParamSpec& param : spec.params) {
        ParamEditor* editor = panel->editor(std::string(param.name));
        QVERIFY2(editor, std::string(param.name).c_str());
        QVERIFY(editor->accessibleDescription().startsWith(text(param.sentence)));
    }
    QVERIFY(panel->editor("kernel_size")->accessibleDescription().contains(QStringLiteral("rows × columns")));
    QVERIFY(panel->editor("kernel_size")->accessibleDescription().contains(countText(1000000)));
}

void PanelsNode::typingIsOneStep()
{
    f->selection.select(kConv);
    NumberField* filtersField = field("filters");
    QCOMPARE(filtersField->text(), QStringLiteral("32"));
    QTest::mouseClick(filtersField, Qt::LeftButton);
    QVERIFY(filtersField->hasFocus());
    QTest::keyClicks(filtersField, QStringLiteral("48"));
    QCOMPARE(filters(), 32); // not yet committed
    QTest::keyClick(filtersField, Qt::Key_Return);
    QCOMPARE(filters(), 48);
    QCOMPARE(f->steps(), 1);
    QCOMPARE(f->lastStep(), QStringLiteral("Change filters of conv1"));
    f->document.undoStack().undo();
    QCOMPARE(filters(), 32);
    QCOMPARE(filtersField->text(), QStringLiteral("32"));
    // Leaving the field commits too.
    QTest::mouseClick(filtersField, Qt::LeftButton);
    filtersField->selectAll();
    QTest::keyClicks(filtersField, QStringLiteral("5"));
    QTest::keyClick(filtersField, Qt::Key_Tab);
    QCOMPARE(filters(), 5);
}

void PanelsNode::refusedTypingChangesNothing()
{
    f->selection.select(kConv);
    NumberField* filtersField = field("filters");
    QTest::mouseClick(filtersField, Qt::LeftButton);
    for (const char* typed : {"0", "2.5", "abc", "-3", "99999999999"}) {
        filtersField->selectAll();
        QTest::keyClicks(filtersField, QLatin1String(typed));
        QTest::keyClick(filtersField, Qt::Key_Return);
        QVERIFY2(filtersField->isRefused(), typed);
        QVERIFY(panel->message("filters").startsWith(QStringLiteral("Filters: a whole number from 1 to ")));
        QCOMPARE(f->steps(), 0);
        QCOMPARE(filters(), 32);
    }
    QVERIFY(panels::pixelsOf(*panel, f->theme.theme().status.error) > 20); // frame and words
    QTest::keyClick(filtersField, Qt::Key_Escape);
    QCOMPARE(filtersField->text(), QStringLiteral("32"));
    QCOMPARE(panel->message("filters"), QString());
    QVERIFY(!filtersField->isRefused());
}

void PanelsNode::dragIsOneStepAndLive()
{
    f->selection.select(kConv);
    NumberField* filtersField = field("filters");
    QSignalSpy changes(&f->document, &GraphDocument::structureChanged);
    const QPoint start = filtersField->rect().center();
    QTest::mousePress(filtersField, Qt::LeftButton, {}, start);
    for (int i = 1; i <= 10; ++i)
        QTest::mouseMove(filtersField, start + QPoint(4 * i, 0));
    QCOMPARE(filters(), 42); // before the release: live
    QVERIFY(changes.size() >= 8);
    QTest::mouseRelease(filtersField, Qt::LeftButton, {}, start + QPoint(40, 0));
    QCOMPARE(f->steps(), 1);
    QVERIFY(!filtersField->hasFocus());
    // A second drag is a second step, and stops at the range.
    QTest::mousePress(filtersField, Qt::LeftButton, {}, start);
    QTest::mouseMove(filtersField, start - QPoint(900, 0));
    QTest::mouseRelease(filtersField, Qt::LeftButton, {}, start - QPoint(900, 0));
    QCOMPARE(f->node(kConv).params.contains("filters"), false); // 1 is the default
    QCOMPARE(filtersField->text(), QStringLiteral("1"));
    QCOMPARE(f->steps(), 2);
    f->document.undoStack().undo();
    QCOMPARE(filters(), 42);
    f->document.undoStack().undo();
    QCOMPARE(filters(), 32);
}

void PanelsNode::escapeTakesADragBack()
{
    f->selection.select(kConv);
    NumberField* filtersField = field("filters");
    const QPoint start = filtersField->rect().center();
    QTest::mousePress(filtersField, Qt::LeftButton, {}, start);
    QTest::mouseMove(filtersField, start + QPoint(20, 0));
    QTest::mouseMove(filtersField, start + QPoint(40, 0));
    QCOMPARE(filters(), 42);
    QTest::keyClick(filtersField, Qt::Key_Escape);
    QCOMPARE(filters(), 32);
    QCOMPARE(f->steps(), 0);
    QVERIFY(!f->document.undoStack().canRedo());
    QTest::mouseMove(filtersField, start + QPoint(60, 0));
    QTest::mouseRelease(filtersField, Qt::LeftButton, {}, start + QPoint(60, 0));
    QCOMPARE(filters(), 32);
    QCOMPARE(filtersField->text(), QStringLiteral("32"));
}

void PanelsNode::arrowKeysAreOneStepWhileHeld()
{
    f->selection.select(kConv);
    NumberField* filtersField = field("filters");
    filtersField->setFocus(Qt::TabFocusReason);
    QTest::keyPress(filtersField, Qt::Key_Up);
    QTest::keyPress(filtersField, Qt::Key_Up);
    QTest::keyPress(filtersField, Qt::Key_Up);
    QCOMPARE(filters(), 35);
    QTest::keyRelease(filtersField, Qt::Key_Up);
    QCOMPARE(f->steps(), 1);
    QTest::keyClick(filtersField, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(filters(), 25);
    QCOMPARE(f->steps(), 2);
}

void PanelsNode::listHasAFieldForEachEntry()
{
    f->selection.select(kConv);
    auto* editor = qobject_cast<ParamListEditor*>(panel->editor("kernel_size"));
    QVERIFY(editor);
    QCOMPARE(editor->fieldCount(), 2);
    QTest::mouseClick(editor->field(1), Qt::LeftButton);
    QTest::keyClicks(editor->field(1), QStringLiteral("5"));
    QTest::keyClick(editor->field(1), Qt::Key_Return);
    QCOMPARE(std::get<IntList>(f->node(kConv).params.at("kernel_size")), (IntList{3, 5}));
    QCOMPARE(editor->field(1)->accessibleName(), QStringLiteral("Kernel size, entry 2"));
    QCOMPARE(panel->editor("pads")->findChildren<NumberField*>().size(), 4);
}

void PanelsNode::listGrowsAndShrinks()
{
    f->selection.select(kInput);
    auto* editor = qobject_cast<ParamListEditor*>(panel->editor("shape"));
    QCOMPARE(editor->fieldCount(), 4);
    for (QToolButton* button : editor->findChildren<QToolButton*>())
        if (button->accessibleName().startsWith(QStringLiteral("Remove")))
            QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(std::get<IntList>(f->node(kInput).params.at("shape")), (IntList{-1, 28, 28}));
    QCOMPARE(editor->fieldCount(), 3);
    for (QToolButton* button : editor->findChildren<QToolButton*>())
        if (button->accessibleName().startsWith(QStringLiteral("Add")))
            QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(std::get<IntList>(f->node(kInput).params.at("shape")), (IntList{-1, 28, 28, 1}));
    QCOMPARE(f->steps(), 2);
}

void PanelsNode::choiceAndBool()
{
    f->selection.select(kConv);
    auto* padding = panel->editor("padding")->findChild<QComboBox*>();
    padding->setFocus();
    QTest::keyClick(padding, Qt::Key_Down);
    QCOMPARE(std::get<std::string>(f->node(kConv).params.at("padding")), std::string("same"));
    QCOMPARE(f->steps(), 1);
    auto* bias = panel->editor("use_bias")->findChild<QCheckBox*>();
    QVERIFY(bias->isChecked());
    QTest::keyClick(bias, Qt::Key_Space);
    QCOMPARE(std::get<bool>(f->node(kConv).params.at("use_bias")), false);
    f->document.undoStack().undo();
    QVERIFY(bias->isChecked());
    QVERIFY(!f->node(kConv).params.contains("use_bias"));
}

void PanelsNode::nameIsEdited()
{
    f->selection.select(kConv);
    panel->nameField()->setFocus();
    panel->nameField()->selectAll();
    QTest::keyClicks(panel->nameField(), QStringLiteral("first"));
    QTest::keyClick(panel->nameField(), Qt::Key_Return);
    QCOMPARE(f->node(kConv).name, std::string("first"));
    QCOMPARE(f->lastStep(), QStringLiteral("Rename conv1 to first"));
    panel->nameField()->selectAll();
    QTest::keyClick(panel->nameField(), Qt::Key_Delete);
    QTest::keyClick(panel->nameField(), Qt::Key_Return);
    QCOMPARE(f->node(kConv).name, std::string("first")); // never empty
    QCOMPARE(panel->nameField()->text(), QStringLiteral("first"));
}

void PanelsNode::sourceInitialiser()
{
    f->selection.select(kConv);
    auto* source = qobject_cast<SourceEditor*>(panel->editor("weight"));
    QVERIFY(source);
    QCOMPARE(source->generatorBox()->currentText(), QStringLiteral("glorot_uniform"));
    QCOMPARE(source->seedField()->text(), QStringLiteral("7"));
    const QPoint start = source->seedField()->rect().center();
    QTest::mousePress(source->seedField(), Qt::LeftButton, {}, start);
    QTest::mouseMove(source->seedField(), start + QPoint(8, 0));
    QTest::mouseMove(source->seedField(), start + QPoint(12, 0));
    QTest::mouseRelease(source->seedField(), Qt::LeftButton, {}, start + QPoint(12, 0));
    QCOMPARE(std::get<Source>(f->node(kConv).params.at("weight")).seed, std::uint64_t{10});
    QCOMPARE(f->steps(), 1);
    source->generatorBox()->setFocus();
    source->generatorBox()->setCurrentText(QStringLiteral("uniform"));
    Q_EMIT source->generatorBox()->textActivated(QStringLiteral("uniform"));
    const QList<NumberField*> fields = source->findChildren<NumberField*>();
    QVERIFY(fields[1]->isVisible() && fields[2]->isVisible()); // low and high
    QCOMPARE(fields[1]->accessibleName(), QStringLiteral("Weight, Low"));
    QTest::mouseClick(fields[1], Qt::LeftButton);
    QTest::keyClicks(fields[1], QStringLiteral("-0.25"));
    QTest::keyClick(fields[1], Qt::Key_Return);
    QCOMPARE(std::get<Source>(f->node(kConv).params.at("weight")).a, std::optional(-0.25));
    fields[1]->selectAll();
    QTest::keyClick(fields[1], Qt::Key_Delete);
    QTest::keyClick(fields[1], Qt::Key_Return);
    QCOMPARE(std::get<Source>(f->node(kConv).params.at("weight")).a, std::optional<double>());
}

void PanelsNode::sourceValuesTensorFile()
{
    f->selection.select(kInput);
    auto* source = qobject_cast<SourceEditor*>(panel->editor("value"));
    const auto value = [&] { return std::get<Source>(f->node(kInput).params.at("value")); };
    QCOMPARE(value().kind, Source::Kind::Tensor);
    QVERIFY(!source->valuesField()->isVisible());
    source->kindBox()->setFocus();
    QTest::keyClick(source->kindBox(), Qt::Key_Up); // values
    QCOMPARE(value().kind, Source::Kind::Values);
    QVERIFY(source->valuesField()->isVisible());
    source->valuesField()->setFocus();
    source->valuesField()->selectAll();
    QTest::keyClicks(source->valuesField(), QStringLiteral("1, 2.5 -3e-4"));
    QTest::keyClick(source->valuesField(), Qt::Key_Return);
    QCOMPARE(value().values, (std::vector<double>{1, 2.5, -3e-4}));
    const int steps = f->steps();
    source->valuesField()->selectAll();
    QTest::keyClicks(source->valuesField(), QStringLiteral("1, x"));
    QTest::keyClick(source->valuesField(), Qt::Key_Return);
    QCOMPARE(panel->message("value"), QStringLiteral("Value: “x” is no number"));
    QCOMPARE(f->steps(), steps);

    source->kindBox()->setFocus();
    QTest::keyClick(source->kindBox(), Qt::Key_End); // file
    QCOMPARE(value().kind, Source::Kind::File);
    QVERIFY(source->fileButton()->isVisible());
    source->setFileChooser([] { return QStringLiteral("/data/images.npy"); });
    QTest::mouseClick(source->fileButton(), Qt::LeftButton);
    QCOMPARE(value().name, std::string("/data/images.npy"));
    QCOMPARE(source->pathField()->text(), QStringLiteral("/data/images.npy"));
}

void PanelsNode::wiredSourceSaysSo()
{
    Node weights;
    weights.id = f->document.graph().freshId();
    weights.name = "kernel";
    weights.op = "weights";
    EditList wire{{AddNode{weights, {}}, AddEdge{{weights.id, "output", kConv, "weight"}, {}}}};
    QVERIFY(f->document.apply(wire, QStringLiteral("x")).ok());
    f->selection.select(kConv);
    QVERIFY(!panel->editor("weight")->isVisible());
    bool isSaid = false;
    for (QLabel* label : panel->findChildren<QLabel*>())
        isSaid |= label->isVisible() && label->text() == QStringLiteral("Weight: wired, from kernel");
    QVERIFY(isSaid);
    f->document.undoStack().undo();
    QVERIFY(panel->editor("weight")->isVisible());
}

QTEST_MAIN(PanelsNode)
#include "tst_panels_node.moc"
