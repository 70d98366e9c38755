// Findings with their remedies and the card of a coercion dot: what they say is what plan and run say, a press on a
// remedy is one edit that does what its button says, and the card opens, stays, pins and closes as it should.
#include "tests/ui/panels_fixture.h"

#include "ui/live/error_series.h"
#include "ui/panels/cast_card.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/findings_panel.h"
#include "ui/panels/words.h"

using namespace engine;
using namespace ui;
using panels::kConv;
using panels::kInput;

class PanelsFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        f = std::make_unique<panels::Fixture>();
        f->openLesson();
    }
    void cleanup() { f.reset(); }

    void allWell();
    void namesPlaceAndMessage();
    void remedyIsOneEdit();
    void everyRemedyHelps();
    void pressSelectsTheNode();
    void renamingIsFollowed();
    void countsAreSignalled();
    void staleRunFindingsAreDimmed();
    void manyFindingsAreCut();
    void splitsMessages();

    void cardSaysWhatTheRunMeasured();
    void cardBeforeTheRun();
    void cardOpensAfterAWhileAndStays();
    void cardIsPinnedAndEscapes();
    void cardActs();
    void cardKeepsOffTheNode();
    void cardFollowsTheDocument();
    void exactCast();
    void pictures();

private:
    void setDialect(const char* name)
    {
        RunSettings settings = f->document.value().settings;
        settings.dialect = name;
        QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
    }
    std::unique_ptr<panels::Fixture> f;
};

namespace {

QPushButton* buttonOf(const FindingRow& row, const char* remedy)
{
    for (QPushButton* button : row.remedyButtons())
        if (button->property("remedy").toString() == QLatin1String(remedy))
            return button;
    return nullptr;
}

} // namespace

void PanelsFindings::allWell()
{
    FindingsPanel panel(f->context);
    RunSettings settings = f->document.value().settings;
    settings.combo = {DType::f32, DType::f32};
    QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
    QCOMPARE(panel.rows().size(), 0);
    QVERIFY(panel.emptyState()->isVisibleTo(&panel));
    QCOMPARE(panel.emptyState()->sentence(), QStringLiteral("Every cast in this graph is exact or asked for."));
}

void PanelsFindings::namesPlaceAndMessage()
{
    FindingsPanel panel(f->context);
    QCOMPARE(panel.rows().size(), 1); // the narrowing, as a warning
    FindingRow* row = panel.rows().front();
    QCOMPARE(row->finding().severity, Severity::Warning);
    QVERIFY(row->detail().startsWith(QStringLiteral("Warning at conv1, input.")));
    QCOMPARE(row->accessibleName(), row->title());
    setDialect("explicit");
    row = panel.rows().front();
    QVERIFY(row->title().contains(QStringLiteral("input is float64")));
    QVERIFY(row->detail().startsWith(QStringLiteral("Error at conv1, weight.")));
    panel.resize(500, 220);
    panel.show();
    QVERIFY(panels::pixelsOf(panel, f->theme.theme().status.error) > 8);
    QCOMPARE(panels::pixelsOf(panel, f->theme.theme().status.warning), 0);
}

void PanelsFindings::remedyIsOneEdit()
{
    setDialect("explicit");
    FindingsPanel panel(f->context);
    panel.resize(500, 220);
    panel.show();
    QPushButton* widest = buttonOf(*panel.rows().front(), "compute-widest");
    QVERIFY(widest);
    QVERIFY(widest->text().contains(QStringLiteral("float64")));
    const int steps = f->steps();
    QTest::mouseClick(widest, Qt::LeftButton);
    QCOMPARE(f->steps(), steps + 1);
    QCOMPARE(f->node(kConv).slot(Slot::Compute).kind, SlotAsk::Kind::Widest);
    QVERIFY(f->lastStep().contains(QStringLiteral("widest")));
    QCOMPARE(panel.rows().size(), 0);
    f->document.undoStack().undo();
    QCOMPARE(panel.rows().size(), 1);
}

void PanelsFindings::everyRemedyHelps()
{
    setDialect("explicit");
    FindingsPanel panel(f->context);
    panel.show();
    QStringList remedies;
    for (QPushButton* button : panel.rows().front()->remedyButtons())
        remedies << button->property("remedy").toString();
    QVERIFY2(remedies.size() >= 4, qPrintable(remedies.join(QLatin1Char(' '))));
    for (const QString& remedy : remedies) {
        QTest::keyClick(buttonOf(*panel.rows().front(), remedy.toLatin1()), Qt::Key_Space);
        QVERIFY2(f->plans.plan().ok, qPrintable(remedy)); // the plan runs after any of them
        f->document.undoStack().undo();
        QVERIFY(!f->plans.plan().ok);
    }
}

void PanelsFindings::pressSelectsTheNode()
{
    FindingsPanel panel(f->context);
    panel.resize(500, 200);
    panel.show();
    QTest::mouseClick(panel.rows().front(), Qt::LeftButton, {}, QPoint(60, 14));
    QCOMPARE(f->selection.current(), kConv);
    f->selection.clear();
    panel.rows().front()->setFocus();
    QTest::keyClick(panel.rows().front(), Qt::Key_Return);
    QCOMPARE(f->selection.current(), kConv);
}

void PanelsFindings::renamingIsFollowed()
{
    FindingsPanel panel(f->context);
    Node conv = f->node(kConv);
    conv.name = "first";
    QVERIFY(f->document.apply(ReplaceNode{conv}, QStringLiteral("x")).ok());
    QVERIFY(panel.rows().front()->detail().startsWith(QStringLiteral("Warning at first, input.")));
    const FindingRow* before = panel.rows().front();
    conv.params["filters"] = std::int64_t{7};
    QVERIFY(f->document.apply(ReplaceNode{conv}, QStringLiteral("x")).ok());
    QVERIFY(panel.rows().front() == before); // a drag elsewhere builds no rows anew
}

void PanelsFindings::countsAreSignalled()
{
    FindingsPanel panel(f->context);
    QCOMPARE(panel.warningCount(), 1);
    QSignalSpy counts(&panel, &FindingsPanel::countChanged);
    setDialect("explicit");
    QCOMPARE(counts.size(), 1);
    QCOMPARE(counts.front(), (QVariantList{0, 1}));
}

void PanelsFindings::staleRunFindingsAreDimmed()
{
    auto snapshot = std::make_shared<RunSnapshot>();
    snapshot->revision = f->document.structureRevision();
    RunResult run;
    run.combo = f->document.value().settings.combo;
    Finding found;
    found.node = kConv;
    found.rule = "overflow";
    found.message = "3 values became Inf at the cast to float16: the largest float16 is 65504";
    run.findings = {found};
    snapshot->runs = {run};
    f->snapshots.put(snapshot);
    QCOMPARE(listedFindings(f->context).size(), std::size_t{2});
    QVERIFY(!listedFindings(f->context)[1].isStale);
    setDialect("promote");
    const std::vector<ListedFinding> listed = listedFindings(f->context);
    QVERIFY(std::any_of(listed.begin(), listed.end(),
                        [](const ListedFinding& l) { return l.finding.rule == "overflow" && l.isStale; }));
}

void PanelsFindings::manyFindingsAreCut()
{
    PlanView plan = f->plans.plan();
    plan.findings.clear();
    for (int i = 0; i < 1000; ++i) {
        Finding finding;
        finding.node = kConv;
        finding.message = "finding " + std::to_string(i);
        plan.findings.push_back(finding);
    }
    f->plans.set(plan);
    FindingsPanel panel(f->context);
    QCOMPARE(panel.rows().size(), 50);
    QCOMPARE(panel.warningCount(), 1000);
}

void PanelsFindings::splitsMessages()
{
    QCOMPARE(splitMessage(QStringLiteral("a is b: c does nothing")),
             std::pair(QStringLiteral("a is b"), QStringLiteral("C does nothing.")));
    QCOMPARE(splitMessage(QStringLiteral("plain")), std::pair(QStringLiteral("plain"), QString()));
}

void PanelsFindings::cardSaysWhatTheRunMeasured()
{
    f->run();
    const std::optional<CastFacts> facts = castFacts(f->context, kConv, "input");
    QVERIFY(facts);
    const CastReport& cast = f->snapshots.resultOf(kConv)->casts.front();
    QCOMPARE(facts->from, DType::f64);
    QCOMPARE(facts->to, DType::f32);
    QCOMPARE(facts->place, QStringLiteral("cast at conv1, input"));
    QCOMPARE(facts->kept, QStringLiteral("24 of 53 significand bits kept"));
    QCOMPARE(facts->lost, QStringLiteral("29 bits lost"));
    QVERIFY(facts->changed.startsWith(percentText(cast.changed)));
    QCOMPARE(facts->largest, shortNumber(*cast.maxRel, 3) + " · " + shortNumber(*cast.maxUlp, 3) + " ULP");
    QCOMPARE(facts->bad, QStringLiteral("0 · 0 · 0"));
    QVERIFY(facts->decided.startsWith(QStringLiteral("Decided by the dialect: ")));
    QVERIFY(facts->decided.contains(text(cast.sentence)));
    QCOMPARE(facts->level, DotLevel::Small);
    QVERIFY(!castFacts(f->context, kConv, "weight"));
}

void PanelsFindings::cardBeforeTheRun()
{
    const std::optional<CastFacts> facts = castFacts(f->context, kConv, "input");
    QVERIFY(facts && !facts->isMeasured);
    QCOMPARE(facts->changed, QString());
    QCOMPARE(facts->lost, QStringLiteral("29 bits lost"));
}

void PanelsFindings::cardOpensAfterAWhileAndStays()
{
    f->run();
    QWidget window;
    window.resize(900, 700);
    window.show();
    CastCard card(f->context, &window);
    const QRect dot(window.mapToGlobal(QPoint(450, 450)), QSize(12, 12));
    card.hover(kConv, "input", dot, {});
    QVERIFY(!card.isOpen());
    QTest::qWait(120);
    QVERIFY(!card.isOpen());
    QTRY_VERIFY_WITH_TIMEOUT(card.isOpen(), 400);
    QVERIFY(!card.isPinned());
    // The pointer goes from the dot to the card: it stays.
    card.leave();
    QEnterEvent enter({10, 10}, {10, 10}, {10, 10});
    QApplication::sendEvent(&card, &enter);
    QTest::qWait(350);
    QVERIFY(card.isOpen());
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&card, &leave);
    QTRY_VERIFY_WITH_TIMEOUT(!card.isOpen(), 500);
    // A pointer that only passes by opens nothing.
    card.hover(kConv, "input", dot, {});
    card.leave();
    QTest::qWait(320);
    QVERIFY(!card.isOpen());
}

void PanelsFindings::cardIsPinnedAndEscapes()
{
    QWidget window;
    window.resize(900, 700);
    window.show();
    window.activateWindow();
    CastCard card(f->context, &window);
    const QRect dot(window.mapToGlobal(QPoint(450, 450)), QSize(12, 12));
    QSignalSpy dismissed(&card, &CastCard::dismissed);
    card.open(kConv, "input", dot, {});
    QVERIFY(card.isOpen() && card.isPinned());
    card.leave();
    QTest::qWait(300);
    QVERIFY(card.isOpen());
    QTest::keyClick(&card, Qt::Key_Escape);
    QVERIFY(!card.isOpen() && !card.isPinned());
    QCOMPARE(dismissed.size(), 1);
    // A press pins what hovering opened.
    card.hover(kConv, "input", dot, {});
    QTRY_VERIFY_WITH_TIMEOUT(card.isOpen(), 500);
    QTest::mouseClick(&card, Qt::LeftButton, {}, QPoint(150, 60));
    QVERIFY(card.isPinned());
    QVERIFY(card.accessibleName().contains(QStringLiteral("float64 to float32")));
}

void PanelsFindings::cardActs()
{
    QWidget window;
    window.resize(900, 700);
    window.show();
    CastCard card(f->context, &window);
    const QRect dot(window.mapToGlobal(QPoint(450, 450)), QSize(12, 12));
    for (int act = 0; act < 3; ++act) {
        card.open(kConv, "input", dot, {});
        QCOMPARE(card.actButtons().size(), 3);
        QTest::mouseClick(card.actButtons().at(act), Qt::LeftButton);
        QVERIFY(!card.isOpen());
        QCOMPARE(f->steps(), 1);
        if (act == 0)
            QCOMPARE(f->document.graph().nodes().size(), std::size_t{4}); // a Cast node on the wire
        else if (act == 1)
            QCOMPARE(f->node(kConv).layerDtype, std::optional(DType::f64));
        else
            QCOMPARE(f->node(kConv).forbidCast, (std::set<std::string>{"input"}));
        f->document.undoStack().undo();
    }
}

void PanelsFindings::cardKeepsOffTheNode()
{
    QWidget window;
    window.resize(900, 900);
    window.show();
    CastCard card(f->context, &window);
    for (int y : {60, 300, 560, 840}) {
        const QRect dot(window.mapToGlobal(QPoint(430, y)), QSize(12, 12));
        const QRect node(window.mapToGlobal(QPoint(460, y - 26)), QSize(240, 120));
        card.open(kConv, "input", dot, node);
        const QRect place = card.geometry();
        QVERIFY(!place.intersects(QRect(window.mapFromGlobal(node.topLeft()), node.size())));
        QVERIFY(!place.intersects(QRect(window.mapFromGlobal(dot.topLeft()), dot.size())));
        QVERIFY(window.rect().contains(place));
    }
}

void PanelsFindings::cardFollowsTheDocument()
{
    QWidget window;
    window.resize(900, 700);
    window.show();
    CastCard card(f->context, &window);
    card.open(kConv, "input", QRect(window.mapToGlobal(QPoint(450, 450)), QSize(12, 12)), {});
    QVERIFY(!card.facts().isMeasured);
    f->run();
    QVERIFY(card.facts().isMeasured);
    RunSettings settings = f->document.value().settings;
    settings.combo.weight = DType::f64; // no cast any more: nothing to explain
    QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
    QVERIFY(!card.isOpen());
}

void PanelsFindings::exactCast()
{
    RunSettings settings = f->document.value().settings;
    settings.combo = {DType::f32, DType::f64};
    QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
    f->run();
    const std::optional<CastFacts> facts = castFacts(f->context, kConv, "input");
    QVERIFY(facts);
    QCOMPARE(facts->level, DotLevel::Exact);
    QCOMPARE(facts->kept, QStringLiteral("24 of 24 significand bits kept"));
    QCOMPARE(facts->lost, QStringLiteral("no value changed"));
    QCOMPARE(facts->largest, QStringLiteral("none"));
    QVERIFY(facts->changed.startsWith(QStringLiteral("0 %")));
}

void PanelsFindings::pictures()
{
    f->run();
    for (ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        const QString suffix = choice == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark");
        f->theme.choose(choice);
        QWidget window;
        window.resize(560, 420);
        window.show();
        CastCard card(f->context, &window);
        card.open(kConv, "input", QRect(window.mapToGlobal(QPoint(300, 330)), QSize(12, 12)), {});
        panels::keep(window, QStringLiteral("card_") + suffix);
        FindingsPanel panel(f->context);
        panel.resize(560, 228);
        panel.show();
        panels::keep(panel, QStringLiteral("findings_warning_") + suffix);
        setDialect("explicit");
        panels::keep(panel, QStringLiteral("findings_error_") + suffix);
        f->document.undoStack().undo();
        RunSettings settings = f->document.value().settings;
        settings.combo = {DType::f32, DType::f32};
        QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
        panels::keep(panel, QStringLiteral("findings_well_") + suffix);
        f->document.undoStack().undo();
        f->run();
    }
}

QTEST_MAIN(PanelsFindings)
#include "tst_panels_findings.moc"
