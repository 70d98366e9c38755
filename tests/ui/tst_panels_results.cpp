// The Node tab's lower half: slots show what was asked and what ran, layer dtype and mute are edits, the numbers are
// the run's, and where there are none it says why.
#include "tests/ui/panels_fixture.h"

#include "ui/live/error_series.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/node_numbers.h"
#include "ui/panels/param_editor.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/slot_table.h"
#include "ui/panels/words.h"

using namespace engine;
using namespace ui;
using panels::kConv;
using panels::kInput;

class PanelsResults : public QObject {
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

    void slotMenuAsks();
    void slotRowsSayAskedRanAndCause();
    void computeOffersWhatRuns();
    void layerDTypeAndMute();
    void numbersAreTheRuns();
    void refusedSaysWhy();
    void everyOpCanBeShown();
    void picture();

private:
    std::unique_ptr<panels::Fixture> f;
    std::unique_ptr<PropertiesPanel> panel;
};

void PanelsResults::slotMenuAsks()
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

void PanelsResults::slotRowsSayAskedRanAndCause()
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

void PanelsResults::computeOffersWhatRuns()
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

void PanelsResults::layerDTypeAndMute()
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

void PanelsResults::numbersAreTheRuns()
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

void PanelsResults::refusedSaysWhy()
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

void PanelsResults::everyOpCanBeShown()
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

void PanelsResults::picture()
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

QTEST_MAIN(PanelsResults)
#include "tst_panels_results.moc"
