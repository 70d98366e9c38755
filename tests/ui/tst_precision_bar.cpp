// The toolbar's content: combos, dialect and backend are edits with readable names and show what they did; what is not
// available says why; refused combos show the octagon; live, run and search ask by signals.
#include "tests/ui/panels_fixture.h"

#include "ui/panels/combo_cell.h"
#include "ui/panels/combo_state.h"
#include "ui/panels/precision_bar.h"
#include "ui/panels/tool_field.h"

using namespace engine;
using namespace ui;

namespace {

QList<DialectChoice> dialects()
{
    QList<DialectChoice> all;
    for (const DialectSpec* spec : dialectCatalog().all())
        all << DialectChoice{std::string(spec->name),
                             QString::fromUtf8(spec->title.data(), qsizetype(spec->title.size())),
                             QString::fromUtf8(spec->sentence.data(), qsizetype(spec->sentence.size()))};
    return all;
}

QList<BackendChoice> backends()
{
    return {{"cpu", QStringLiteral("CPU · AVX-512"), true, {}, {}},
            {"cuda", QStringLiteral("NVIDIA GPU"), false, QStringLiteral("No NVIDIA driver found."),
             QStringLiteral("The CPU runs everything.")}};
}

ToolField* fieldOf(PrecisionBar& bar, const QString& caption)
{
    for (ToolField* field : bar.findChildren<ToolField*>())
        if (field->accessibleName().startsWith(caption))
            return field;
    return nullptr;
}

} // namespace

class PrecisionBarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        f = std::make_unique<panels::Fixture>();
        f->openLesson();
        bar = std::make_unique<PrecisionBar>(f->context, dialects(), backends());
        bar->resize(1440, 56);
        bar->show();
        bar->activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(bar.get()));
    }
    void cleanup()
    {
        bar.reset();
        f.reset();
    }

    void clickingACellIsAnEdit();
    void keysChooseCombos();
    void cellsShowTheirErrors();
    void refusedShowsTheOctagon();
    void waitingAndStale();
    void anyOtherPair();
    void dialectByMouseAndKeyboard();
    void unavailableBackendSaysWhy();
    void metricChangesTheNumbers();
    void liveRunStop();
    void undoAndRedo();
    void searchAsks();
    void picture();

private:
    std::unique_ptr<panels::Fixture> f;
    std::unique_ptr<PrecisionBar> bar;
};

void PrecisionBarTest::clickingACellIsAnEdit()
{
    QVERIFY(bar->cell(2)->isActive()); // float64 × float32: the lesson's own
    QTest::mouseClick(bar->cell(3), Qt::LeftButton);
    QCOMPARE(f->document.value().settings.combo, (Combo{DType::f64, DType::f64}));
    QCOMPARE(f->lastStep(), QStringLiteral("Use float64 inputs and float64 weights"));
    QVERIFY(bar->cell(3)->isActive());
    QVERIFY(!bar->cell(2)->isActive());
    // The ring of the active cell is drawn and moves.
    const QColor ring = f->theme.theme().selection.ring;
    QVERIFY(panels::pixelsOf(*bar->cell(3), ring) > 100);
    QCOMPARE(panels::pixelsOf(*bar->cell(0), ring), 0);
    // Again: nothing to do, nothing to undo.
    QTest::mouseClick(bar->cell(3), Qt::LeftButton);
    QCOMPARE(f->steps(), 1);
    f->document.undoStack().undo();
    QVERIFY(bar->cell(2)->isActive());
}

void PrecisionBarTest::keysChooseCombos()
{
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(bar.get(), static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
        QCOMPARE(f->document.value().settings.combo, kFourCombos[std::size_t(i)]);
        QVERIFY(bar->cell(i)->isActive());
    }
    bar->cell(0)->setFocus();
    QTest::keyClick(bar->cell(0), Qt::Key_Space);
    QCOMPARE(f->document.value().settings.combo, kFourCombos[0]);
    QCOMPARE(bar->cell(0)->accessibleName(), QStringLiteral("input float32, weights float32"));
}

void PrecisionBarTest::cellsShowTheirErrors()
{
    f->run();
    for (int i = 0; i < 4; ++i) {
        const RunResult* run = f->snapshots.runOf(kFourCombos[std::size_t(i)]);
        QVERIFY(run && run->ok);
        QCOMPARE(run->nodes.back().op, std::string("output"));
        const double relL2 = run->nodes.back().error->relL2.value();
        QCOMPARE(bar->cell(i)->state().kind, ComboStateKind::Value);
        QCOMPARE(bar->cell(i)->state().text, shortNumber(relL2));
        QVERIFY(bar->cell(i)->accessibleDescription().contains(shortNumber(relL2)));
    }
    QVERIFY(bar->cell(0)->state().text != bar->cell(3)->state().text);
}

void PrecisionBarTest::refusedShowsTheOctagon()
{
    RunSettings settings = f->document.value().settings;
    settings.dialect = "explicit";
    QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
    // The plan refuses the canvas's own combo before any run.
    QCOMPARE(bar->cell(2)->state().kind, ComboStateKind::Refused);
    QVERIFY(bar->cell(2)->toolTip().contains(QStringLiteral("Explicit converts nothing by itself")));
    f->run();
    QCOMPARE(bar->cell(1)->state().kind, ComboStateKind::Refused);
    QCOMPARE(bar->cell(0)->state().kind, ComboStateKind::Value);
    const QColor error = f->theme.theme().status.error;
    QVERIFY(panels::pixelsOf(*bar->cell(1), error) > 8);
    QCOMPARE(panels::pixelsOf(*bar->cell(0), error), 0);
}

void PrecisionBarTest::waitingAndStale()
{
    f->snapshots.setRunning(true);
    QTRY_COMPARE(bar->cell(0)->state().text, QStringLiteral("…"));
    f->run();
    f->snapshots.setRunning(false);
    QVERIFY(!bar->cell(0)->state().isStale);
    Node conv = f->node(panels::kConv);
    conv.params["filters"] = std::int64_t{8};
    QVERIFY(f->document.apply(ReplaceNode{conv}, QStringLiteral("x")).ok());
    QTRY_VERIFY(bar->cell(0)->state().isStale); // the number stays, dimmed
    QCOMPARE(bar->cell(0)->state().kind, ComboStateKind::Value);
}

void PrecisionBarTest::anyOtherPair()
{
    QVERIFY(bar->otherCell()->isHidden());
    QMenu* menu = bar->pairMenu();
    QAction* wanted = nullptr;
    int pairs = 0;
    for (QAction* action : menu->findChildren<QAction*>()) {
        pairs += !action->data().isNull();
        if (action->data() == QStringLiteral("float16:bfloat16"))
            wanted = action;
    }
    QCOMPARE(pairs, 15 * 15); // every storage dtype with every other
    QVERIFY(wanted);
    wanted->trigger();
    QCOMPARE(f->document.value().settings.combo, (Combo{DType::f16, DType::bf16}));
    QVERIFY(!bar->otherCell()->isHidden());
    QVERIFY(bar->otherCell()->isActive());
    for (int i = 0; i < 4; ++i)
        QVERIFY(!bar->cell(i)->isActive());
    f->document.undoStack().undo();
    QVERIFY(bar->otherCell()->isHidden());
}

void PrecisionBarTest::dialectByMouseAndKeyboard()
{
    ToolField* field = fieldOf(*bar, QStringLiteral("Dialect"));
    QVERIFY(field);
    QCOMPARE(field->valueText(), QStringLiteral("tf.keras, silent"));
    QTest::mouseClick(field, Qt::LeftButton);
    QVERIFY(field->popup() && field->popup()->isVisible());
    QListWidget* list = field->popup()->list();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QCOMPARE(f->document.value().settings.dialect, std::string("explicit"));
    QCOMPARE(field->valueText(), QStringLiteral("Explicit"));
    QCOMPARE(f->lastStep(), QStringLiteral("Switch the dialect to Explicit"));
    QTRY_VERIFY(!field->popup());

    field->setFocus();
    QTest::keyClick(field, Qt::Key_Down);
    list = field->popup()->list();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(f->document.value().settings.dialect, std::string("promote"));
    QTest::keyClick(field, Qt::Key_Return);
    QTest::keyClick(field->popup()->list(), Qt::Key_Escape);
    QCOMPARE(f->document.value().settings.dialect, std::string("promote"));
    QCOMPARE(f->steps(), 2);
}

void PrecisionBarTest::unavailableBackendSaysWhy()
{
    ToolField* field = fieldOf(*bar, QStringLiteral("Backend"));
    ChoicePopup* popup = field->openPopup();
    QListWidgetItem* gpu = popup->list()->item(1);
    const QString why = QStringLiteral("No NVIDIA driver found. The CPU runs everything.");
    QCOMPARE(gpu->toolTip(), why);
    QCOMPARE(gpu->data(Qt::AccessibleDescriptionRole).toString(), why);
    QTest::keyClick(popup->list(), Qt::Key_Down);
    QTest::keyClick(popup->list(), Qt::Key_Return);
    QCOMPARE(f->document.value().settings.backend, std::string("cpu"));
    QCOMPARE(f->steps(), 0);
    QVERIFY(popup->isVisible()); // the reason stays readable
    // Its own line is drawn: the entry is higher than a title alone.
    QVERIFY(popup->list()->visualItemRect(gpu).height() >= 42);
    popup->close();
}

void PrecisionBarTest::metricChangesTheNumbers()
{
    f->run();
    QSignalSpy changed(bar.get(), &PrecisionBar::metricChanged);
    bar->setMetric(Metric::MaxUlp);
    QCOMPARE(changed.size(), 1);
    const RunResult* run = f->snapshots.runOf(kFourCombos[0]);
    QCOMPARE(bar->cell(0)->state().text, shortNumber(*run->nodes.back().error->maxUlp));
    QCOMPARE(fieldOf(*bar, QStringLiteral("Metric"))->valueText(), metricTitle(Metric::MaxUlp));
    QCOMPARE(f->steps(), 0); // a way of looking, no edit
}

void PrecisionBarTest::liveRunStop()
{
    QSignalSpy live(bar.get(), &PrecisionBar::liveChanged), run(bar.get(), &PrecisionBar::runRequested),
        stop(bar.get(), &PrecisionBar::stopRequested);
    f->run();
    QVERIFY(bar->isLive());
    QTRY_VERIFY(!bar->runButton()->isEnabled()); // all is there
    auto* button = bar->findChildren<QAbstractButton*>().value(2);
    for (QAbstractButton* b : bar->findChildren<QAbstractButton*>())
        if (b->accessibleName() == QStringLiteral("Live"))
            button = b;
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!bar->isLive());
    QCOMPARE(live.size(), 1);
    QTest::mouseClick(bar->runButton(), Qt::LeftButton);
    QCOMPARE(run.size(), 1);
    f->snapshots.setRunning(true);
    QTRY_COMPARE(bar->runButton()->accessibleName(), QStringLiteral("Stop"));
    QTest::mouseClick(bar->runButton(), Qt::LeftButton);
    QCOMPARE(stop.size(), 1);
    QCOMPARE(run.size(), 1);
    // What was stopped can be taken up, also while live.
    bar->setLive(true);
    f->snapshots.setWanted(f->snapshots.wanted() + 1);
    f->snapshots.setRunning(false);
    QTRY_COMPARE(bar->runButton()->accessibleName(), QStringLiteral("Run"));
    QVERIFY(bar->runButton()->isEnabled());
}

void PrecisionBarTest::undoAndRedo()
{
    QToolButton* undo = nullptr;
    QToolButton* redo = nullptr;
    for (QToolButton* b : bar->findChildren<QToolButton*>()) {
        undo = b->accessibleName() == QStringLiteral("Undo") ? b : undo;
        redo = b->accessibleName() == QStringLiteral("Redo") ? b : redo;
    }
    QVERIFY(!undo->isEnabled() && !redo->isEnabled());
    QTest::mouseClick(bar->cell(0), Qt::LeftButton);
    QVERIFY(undo->isEnabled());
    QVERIFY(undo->toolTip().contains(QStringLiteral("Use float32 inputs and float32 weights")));
    QTest::mouseClick(undo, Qt::LeftButton);
    QCOMPARE(f->document.value().settings.combo, kFourCombos[2]);
    QTest::mouseClick(redo, Qt::LeftButton);
    QCOMPARE(f->document.value().settings.combo, kFourCombos[0]);
}

void PrecisionBarTest::searchAsks()
{
    QSignalSpy asked(bar.get(), &PrecisionBar::searchRequested);
    for (QAbstractButton* b : bar->findChildren<QAbstractButton*>())
        if (b->accessibleName() == QStringLiteral("Search everything"))
            QTest::mouseClick(b, Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
}

void PrecisionBarTest::picture()
{
    f->run();
    for (ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        f->theme.choose(choice);
        QTest::mouseMove(bar.get(), QPoint(1000, 2));
        panels::keep(*bar, QStringLiteral("bar_%1").arg(choice == ThemeChoice::Light ? "light" : "dark"));
        ToolField* field = fieldOf(*bar, QStringLiteral("Backend"));
        ChoicePopup* popup = field->openPopup();
        panels::keep(*popup, QStringLiteral("choice_%1").arg(choice == ThemeChoice::Light ? "light" : "dark"));
        popup->close();
        popup = fieldOf(*bar, QStringLiteral("Dialect"))->openPopup();
        panels::keep(*popup, QStringLiteral("dialects_%1").arg(choice == ThemeChoice::Light ? "light" : "dark"));
        popup->close();
    }
}

QTEST_MAIN(PrecisionBarTest)
#include "tst_precision_bar.moc"
