// The Node tab: fields from the op's record edit the document in single undo steps, refused values change nothing and
// say so in place, slots show what was asked and what ran, numbers are the run's.
#include "tests/ui/panels_fixture.h"

#include "ui/live/error_series.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/node_numbers.h"
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
        panel->resize(312, 900);
        panel->show();
        panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
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
    void slotMenuAsks();
    void slotRowsSayAskedRanAndCause();
    void computeOffersWhatRuns();
    void layerDTypeAndMute();
    void numbersAreTheRuns();
    void refusedSaysWhy();
    void everyOpCanBeShown();
    void picture();

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

void PanelsNode::slotMenuAsks()
{
    f->selection.select(kConv);
    SlotRow* row = panel->slotTable()->row(Slot::Input);
    QVERIFY(row);
    QMenu* menu = panel->slotTable()->menuOf(Slot::Input);
    for (QAction* action : menu->actions())
        if (action->text() == QStringLiteral("float16"))
            action->trigger();
    QCOMPARE(f->node(kConv).slot(Slot::Input), SlotAsk::fixed(DType::f16));
    QCOMPARE(f->lastStep(), QStringLiteral("Ask float16 of the input slot of conv1"));
    QCOMPARE(row->state().asked, std::optional(DType::f16));
    QVERIFY(panels::pixelsOf(*row, f->theme.theme().dtype(DType::f16).line) > 5);
    menu = panel->slotTable()->menuOf(Slot::Input);
    for (QAction* action : menu->actions())
        if (action->text() == QStringLiteral("float16"))
            QVERIFY(action->isChecked());
    menu->actions().front()->trigger(); // inherit
    QCOMPARE(f->node(kConv).slot(Slot::Input), SlotAsk());
    QCOMPARE(f->steps(), 2);
    // By keyboard: Enter opens the menu.
    row->setFocus();
    QTest::keyClick(row, Qt::Key_Return);
    QMenu* open = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(open);
    QTest::keyClick(open, Qt::Key_Escape);
}

void PanelsNode::slotRowsSayAskedRanAndCause()
{
    f->selection.select(kConv);
    const OpSpec& spec = *opCatalog().find("conv2d");
    std::vector<SlotRowState> rows = slotRows(f->context, f->node(kConv), spec);
    QCOMPARE(rows.size(), std::size_t{5});
    // tf.keras narrows the float64 input: what arrives and what ran differ, the dialect did it.
    QCOMPARE(rows[0].arrives, std::optional(DType::f64));
    QCOMPARE(rows[0].ran, std::optional(DType::f32));
    QVERIFY(rows[0].isLossy);
    QCOMPARE(rows[0].cause, QStringLiteral("dialect"));
    QVERIFY(!rows[2].isLossy);
    QCOMPARE(rows[3].cause, QString());
    f->run();
    rows = slotRows(f->context, f->node(kConv), spec);
    QCOMPARE(rows[3].cause, QStringLiteral("10 terms, in order")); // 3·3·1 and the bias
    QVERIFY(panels::pixelsOf(*panel->slotTable()->row(Slot::Input), f->theme.theme().loss.key) > 10);
    QCOMPARE(panels::pixelsOf(*panel->slotTable()->row(Slot::Weight), f->theme.theme().loss.key), 0);
    // relu has in and out alone; × and Σ are absent, not dashed out.
    QCOMPARE(slotRows(f->context, f->node(kConv), *opCatalog().find("relu")).size(), std::size_t{2});
}

void PanelsNode::computeOffersWhatRuns()
{
    const auto names = [](const OpSpec& spec, Slot slot) {
        QStringList all;
        for (const SlotAsk& ask : slotChoices(spec, slot))
            all << askWords(ask);
        return all;
    };
    const QStringList conv = names(*opCatalog().find("conv2d"), Slot::Compute);
    QCOMPARE(conv, (QStringList{"inherit", "widest", "narrowest", "float64", "float32", "float16", "bfloat16",
                                "float8_e4m3fn", "float8_e5m2", "tf32"}));
    QVERIFY(!names(*opCatalog().find("softmax"), Slot::Compute).contains("tf32"));
    QCOMPARE(names(*opCatalog().find("conv2d"), Slot::Accumulate),
             (QStringList{"inherit", "float64", "float32", "float16", "bfloat16"}));
    QVERIFY(names(*opCatalog().find("conv2d"), Slot::Output).contains("uint8"));
    QVERIFY(!names(*opCatalog().find("conv2d"), Slot::Input).contains("uint8"));
}

void PanelsNode::layerDTypeAndMute()
{
    f->selection.select(kConv);
    QComboBox* box = panel->layerDTypeBox();
    QCOMPARE(box->currentIndex(), 0);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(f->node(kConv).layerDtype, std::optional(DType::f64));
    QCOMPARE(f->lastStep(), QStringLiteral("Set the layer dtype of conv1 to float64"));
    f->document.undoStack().undo();
    QCOMPARE(box->currentIndex(), 0);
    QTest::mouseClick(panel->muteBox(), Qt::LeftButton, {}, QPoint(8, panel->muteBox()->height() / 2));
    QVERIFY(f->node(kConv).muted);
    QCOMPARE(f->lastStep(), QStringLiteral("Mute conv1"));
    f->selection.select(kInput);
    QVERIFY(!box->isVisible()); // an input is no layer
}

void PanelsNode::numbersAreTheRuns()
{
    f->selection.select(kConv);
    f->run();
    const NodeResult* result = f->snapshots.resultOf(kConv);
    QVERIFY(result && result->error);
    const std::vector<NumberRow> rows = numberRows(*result);
    const auto valueOf = [&](const QString& label) {
        for (const NumberRow& row : rows)
            if (row.label == label)
                return row.value + row.suffix;
        return QString();
    };
    QCOMPARE(valueOf("Relative L2"), shortNumber(*result->error->relL2, 3));
    QCOMPARE(valueOf("SQNR"), QString::number(*result->error->sqnrDb, 'f', 1) + "dB");
    QCOMPARE(valueOf("Correct bits, median"), QString::number(*result->error->medianBits, 'f', 1) + "/ 24");
    QCOMPARE(valueOf("Arithmetic, of its bound"), shortNumber(result->bound->maxRatio) + "/ 1");
    QVERIFY(!valueOf("Condition, median").isEmpty());
    for (const NumberRow& row : rows)
        QVERIFY2(!row.against.isEmpty(), qPrintable(row.label)); // every number says against what
    bool isShown = false;
    for (QLabel* label : panel->numbers()->findChildren<QLabel*>())
        isShown |= label->isVisible() && label->text() == shortNumber(*result->error->relL2, 3);
    QVERIFY(isShown);
    QVERIFY(!panel->numbers()->findChildren<QLabel*>().isEmpty());
    f->selection.select(kInput); // float64 pixels: stored exactly, and it says so
    const std::vector<NumberRow> exact = numberRows(*f->snapshots.resultOf(kInput));
    QCOMPARE(exact.front().value, QStringLiteral("exact"));
}

void PanelsNode::refusedSaysWhy()
{
    RunSettings settings = f->document.value().settings;
    settings.dialect = "explicit";
    QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
    QVERIFY(noNumbersReason(f->context, kConv).startsWith(QStringLiteral("No result. ")));
    QVERIFY(noNumbersReason(f->context, kConv).contains(QStringLiteral("Explicit converts nothing by itself")));
    QCOMPARE(noNumbersReason(f->context, panels::kOutput), QStringLiteral("No result. Waits for conv1."));
    f->selection.select(kConv);
    QCOMPARE(panel->slotTable()->row(Slot::Compute)->state().ran, std::optional<DType>());
}

void PanelsNode::everyOpCanBeShown()
{
    for (const OpSpec* spec : opCatalog().all()) {
        Node node;
        node.id = f->document.graph().freshId();
        node.name = std::string(spec->name);
        node.op = std::string(spec->name);
        QVERIFY(f->document.apply(AddNode{node, {}}, QStringLiteral("x")).ok());
        f->selection.select(node.id);
        for (const ParamSpec& param : spec->params)
            QVERIFY2(panel->editor(std::string(param.name)), node.op.c_str());
        QCOMPARE(panel->nameField()->text(), QString::fromStdString(node.op));
        panel->grab();
    }
    Node unknown;
    unknown.id = f->document.graph().freshId();
    unknown.name = "what";
    unknown.op = "from_the_future";
    QVERIFY(f->document.apply(AddNode{unknown, {}}, QStringLiteral("x")).ok());
    f->selection.select(unknown.id);
    panel->grab();
    QCOMPARE(panel->editor("filters"), nullptr);
}

void PanelsNode::picture()
{
    f->run();
    for (ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        const QString suffix = choice == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark");
        f->theme.choose(choice);
        f->selection.clear();
        panels::keep(*panel, QStringLiteral("node_empty_") + suffix);
        f->selection.select(kConv);
        panel->resize(312, 1020);
        QTest::qWait(20);
        panels::keep(*panel, QStringLiteral("node_conv_") + suffix);
        f->selection.select(kInput);
        QTest::qWait(20);
        panels::keep(*panel, QStringLiteral("node_input_") + suffix);
    }
}

QTEST_MAIN(PanelsNode)
#include "tst_panels_node.moc"
