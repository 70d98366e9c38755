// What plots say when there is no plain answer: refused combos and their remedies, exact zeros, NaN and Inf, results
// that are stale, missing or on their way, shares below zero.
#include <QtTest>

#include "tests/ui/plots_fixture.h"

#include <QPushButton>

using namespace plots;

class PlotsStates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusedCellsOfferRemedies();
    void refusedCellsKeepTheirPlace();
    void remediesVanishWithTheRefusal();
    void exactAndNotFiniteHaveBands();
    void notFiniteIsSaidEverywhere();
    void exactRunsSayExact();
    void outsideTheAxisIsAnArrow();
    void staleIsDimmed();
    void missingRunsAreOnTheirWay();
    void partialResultsKeepTheOthersDimmed();
    void negativeSharesGoLeft();
    void aFifthComboHasACell();
    void emptyStatesInWords();
    void valuesMoveAndArrive();
};

namespace {

std::shared_ptr<engine::RunSnapshot> snapshotOf(std::vector<engine::RunResult> runs, std::uint64_t revision)
{
    auto s = std::make_shared<engine::RunSnapshot>();
    s->revision = revision;
    s->runs = std::move(runs);
    return s;
}

QPushButton* button(QWidget& plot, const QString& text, QRectF within)
{
    for (QPushButton* b : plot.findChildren<QPushButton*>())
        if (b->isVisible() && b->text() == text && within.contains(QRectF(b->geometry())))
            return b;
    return nullptr;
}

} // namespace

void PlotsStates::refusedCellsOfferRemedies()
{
    Fixture f;
    f.run(canvasFirst(support::fourCombos(support::articleNetwork(2, false)), k6432));
    ui::MatrixPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {440, 227});
    picture(plot);
    QSignalSpy asked(&plot, &ui::MatrixPlot::remedyRequested);
    for (int i : {1, 2}) {
        QPushButton* widest = button(plot, "Widest", plot.cellRect(i));
        QPushButton* narrowest = button(plot, "Narrowest", plot.cellRect(i));
        QVERIFY(widest && narrowest);
        QVERIFY(!widest->geometry().intersects(narrowest->geometry()));
        QVERIFY(widest->accessibleName().contains(i == 1 ? "float32 × float64" : "float64 × float32"));
        QTest::mouseClick(widest, Qt::LeftButton);
        QCOMPARE(asked.takeLast(), (QVariantList{QVariant::fromValue(i == 1 ? k3264 : k6432), "compute-widest"}));
        QTest::mouseClick(narrowest, Qt::LeftButton);
        QCOMPARE(asked.takeLast()[1].toString(), QString("compute-narrowest"));
    }
    QVERIFY(!button(plot, "Widest", plot.cellRect(0)) && !button(plot, "Widest", plot.cellRect(3)));
}

void PlotsStates::refusedCellsKeepTheirPlace()
{
    Fixture f;
    f.run(canvasFirst(support::fourCombos(support::articleNetwork(2, false)), k3232));
    ui::MatrixPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {440, 227});
    const QImage image = picture(plot);
    const QColor error = ui::lightTheme().status.error;
    for (int i = 0; i < 4; ++i) {
        const bool isRefused = i == 1 || i == 2;
        const ui::MatrixCell& cell = plot.data().cells[i];
        QCOMPARE(cell.kind, isRefused ? ui::CellKind::Refused : ui::CellKind::Value);
        const QRectF r = plot.cellRect(i);
        QCOMPARE(r.size(), plot.cellRect(0).size());
        const int border = countColor(image, {r.left() + 10, r.top() - 1, r.width() - 20, 2}, error, 60);
        const int octagon = countColor(image, {r.right() - 28, r.top() + 4, 20, 20}, error, 60);
        QCOMPARE(border > r.width() - 30, isRefused);
        QCOMPARE(octagon > 20, isRefused);
        if (isRefused)
            QVERIFY(cell.refusal.contains("float64"));
    }
    // The finding is whole under the pointer, and a click goes to where it is.
    moveTo(plot, plot.cellRect(1).center());
    QVERIFY(plot.hoverText().contains(plot.data().cells[1].refusal));
    clickAt(plot, plot.cellRect(1).topLeft() + QPointF(60, 30));
    QCOMPARE(f.selection.current(), f.node("conv1"));
    // The canvas's own, refused: the ring and the border.
    f.run(canvasFirst(support::fourCombos(support::articleNetwork(2, false)), k6432));
    const QRectF own = plot.cellRect(2);
    const QImage both = picture(plot);
    QVERIFY(countColor(both, {own.left() + 10, own.top() - 3, own.width() - 20, 3}, ui::lightTheme().selection.ring,
                       40) > 100);
    QVERIFY(countColor(both, {own.left() + 10, own.top() + 1, own.width() - 20, 2}, error, 60) > own.width() - 30);
    ui::StagesPlot stages(f.selection, f.store, f.themes);
    showPlot(stages, {440, 227});
    picture(stages);
    QCOMPARE(stages.rows()[1].kind, ui::StagesPlot::Row::Kind::Refused);
    QCOMPARE(stages.rows()[0].kind, ui::StagesPlot::Row::Kind::Bar);
    moveTo(stages, stages.rowRect(1).center());
    QVERIFY(stages.hoverText().contains("float64"));
}

void PlotsStates::remediesVanishWithTheRefusal()
{
    Fixture f;
    f.run(support::fourCombos(support::articleNetwork(2, false)));
    ui::MatrixPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {440, 227});
    picture(plot);
    QVERIFY(button(plot, "Widest", plot.cellRect(1)));
    f.run(support::fourCombos(support::articleNetwork(2, true)));
    picture(plot);
    for (const QPushButton* b : plot.findChildren<QPushButton*>())
        QVERIFY(!b->isVisible());
    QCOMPARE(plot.data().cells[1].kind, ui::CellKind::Value);
}

void PlotsStates::exactAndNotFiniteHaveBands()
{
    Fixture f;
    f.open(chainOf(4));
    engine::RunResult run = handRun(k3232, {0, 1e-7, 1e-6, 1e-6});
    run.nodes[3].error->firstBad = 5;
    run.nodes[3].error->nan = 2;
    f.put(snapshotOf({run}, 1));
    ui::ByLayerPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {604, 262});
    const QImage image = picture(plot);
    const ui::ErrorAxis& axis = plot.axis();
    const double first = plot.columnAt({1}).x(), last = plot.columnAt({4}).x();
    QVERIFY(countColor(image, {first - 6, axis.exactBand.top(), 12, 16},
                       ui::lightTheme().dtype(engine::DType::f32).line, 30) > 8);
    QVERIFY(countColor(image, {last - 8, axis.notFiniteBand.top(), 16, 16}, ui::lightTheme().loss.overflow) > 40);
    // The gap shows the panel, not the plot's ground.
    QCOMPARE(
        countColor(image, {axis.area.left() + 4, axis.area.bottom() + 2, 200, 3}, ui::lightTheme().plot.background, 2),
        600);
    // Neither is a point of the line.
    QCOMPARE(plot.chart().drawnMarks(0), (QList<QList<QPointF>>{{{1, -7}, {2, -6}}}));
    QCOMPARE(plot.bandWords(), QString("1 point exact · 1 point not finite (NaN or Inf)"));
    moveTo(plot, {first, axis.area.center().y()});
    QVERIFY(plot.hoverText().contains("float32 × float32  exact"));
    moveTo(plot, {last, axis.area.center().y()});
    QVERIFY(plot.hoverText().contains("float32 × float32  not finite"));
}

void PlotsStates::notFiniteIsSaidEverywhere()
{
    Fixture f;
    support::Chain c; // up to 300000, and float16 ends at 65504
    c.add("input", {{"shape", engine::IntList{4, 8}}, {"value", support::uniformSource(0, 3e5, 3)}}, "x");
    c.add("cast", {{"to", std::string("float16")}}, "half");
    c.add("output", {}, "out");
    const auto run = f.run(support::fourCombos(c.graph(), "promote"));
    f.selection.select(f.node("half"));
    const engine::ErrorMetrics& e = *resultOf(*run, k3232, f.node("half")).error;
    QVERIFY(e.inf > 0 && e.inf < 32);
    ui::MatrixPlot matrix(f.selection, f.store, f.themes);
    showPlot(matrix, {440, 227});
    const QImage image = picture(matrix);
    QCOMPARE(matrix.data().cells[0].number, QString("not finite"));
    QCOMPARE(matrix.data().cells[0].notFinite, e.inf);
    const QRectF area = matrix.barArea(0);
    QVERIFY(countColor(image, {area.right() + 6, area.bottom() - 16, 14, 16}, ui::lightTheme().loss.overflow) > 30);
    QVERIFY(matrix.words().contains(QString("f32 × f32: %1 not finite").arg(e.inf)));
    ui::DistributionPlot distribution(f.selection, f.store, f.themes);
    showPlot(distribution, {560, 227});
    picture(distribution);
    QVERIFY(distribution.words().contains(QString("%1 not finite (NaN or Inf)").arg(e.inf)));
}

void PlotsStates::exactRunsSayExact()
{
    Fixture f;
    f.open(chainOf(2));
    engine::RunResult run = handRun(k6464, {0, 0});
    run.nodes[1].error->relHistogram.emplace();
    run.nodes[1].error->relHistogram->exact = 1234;
    run.nodes[1].stages.emplace();
    f.put(snapshotOf({run}, 1));
    ui::MatrixPlot matrix(f.selection, f.store, f.themes);
    showPlot(matrix, {440, 227});
    const QImage image = picture(matrix);
    QCOMPARE(matrix.data().cells[3].number, QString("exact"));
    QCOMPARE(matrix.words(), QString("f64 × f64: 1\u202F234 exact"));
    // The bar in the band left of the axis.
    const QRectF area = matrix.barArea(3);
    QVERIFY(countColor(image, {area.left() - 18, area.top(), 14, area.height()}, ui::lightTheme().text.secondary) >
            200);
    ui::StagesPlot stages(f.selection, f.store, f.themes);
    showPlot(stages, {440, 227});
    picture(stages);
    QCOMPARE(stages.rows()[3].kind, ui::StagesPlot::Row::Kind::Exact);
}

void PlotsStates::outsideTheAxisIsAnArrow()
{
    Fixture f;
    f.open(chainOf(3));
    f.put(snapshotOf({handRun(k3232, {1, 1e-40, 1})}, 1));
    ui::ByLayerPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {604, 262});
    const QImage image = picture(plot);
    const double x = plot.columnAt({2}).x();
    QVERIFY(countColor(image, {x - 5, plot.axis().area.bottom() - 7, 10, 7}, ui::lightTheme().text.secondary) > 12);
    QCOMPARE(plot.chart().drawnMarks(0), (QList<QList<QPointF>>{{{0, 0}, {2, 0}}}));
    moveTo(plot, {x, plot.axis().area.center().y()});
    QVERIFY(plot.hoverText().contains("1.00e−40"));
}

void PlotsStates::staleIsDimmed()
{
    Fixture f;
    f.run(support::fourCombos(support::articleNetwork(2, true)));
    f.selection.select(f.node("conv1"));
    ui::DistributionPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {560, 227});
    picture(plot);
    const QRectF bar = plot.barRect(1).adjusted(4, 4, -4, -2);
    const QColor full = ui::lightTheme().text.secondary;
    QVERIFY(countColor(picture(plot), bar, full) > 100);
    f.store.setWanted(99);
    QTest::qWait(80);
    const QImage stale = picture(plot);
    QCOMPARE(countColor(stale, bar, full), 0);
    const QColor ground = ui::lightTheme().plot.area;
    const auto mix = [](int a, int b) { return static_cast<int>(std::lround(0.45 * a + 0.55 * b)); };
    const QColor dimmed(mix(full.red(), ground.red()), mix(full.green(), ground.green()),
                        mix(full.blue(), ground.blue()));
    QVERIFY(countColor(stale, bar, dimmed) > 0.8 * bar.width() * bar.height());
}

void PlotsStates::missingRunsAreOnTheirWay()
{
    Fixture f;
    f.open(chainOf(2));
    f.put(snapshotOf({handRun(k3232, {1e-7, 1e-7})}, 1));
    ui::MatrixPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {440, 227});
    picture(plot);
    QCOMPARE(plot.data().cells[1].kind, ui::CellKind::NotRun);
    f.store.setRunning(true);
    QTest::qWait(80);
    picture(plot);
    QCOMPARE(plot.data().cells[1].kind, ui::CellKind::Waiting);
    QCOMPARE(plot.data().cells[1].number, QString("…"));
    moveTo(plot, plot.cellRect(1).center());
    QVERIFY(plot.hoverText().contains("on its way"));
}

void PlotsStates::partialResultsKeepTheOthersDimmed()
{
    Fixture f;
    f.open(chainOf(2));
    engine::RunResult staged = handRun(k3232, {1e-7, 1e-7});
    staged.nodes[1].stages.emplace();
    staged.nodes[1].stages->stages[3].share = 1;
    f.put(snapshotOf({staged, handRun(k6464, {1e-16, 2e-16})}, 1));
    ui::MatrixPlot matrix(f.selection, f.store, f.themes);
    ui::StagesPlot stages(f.selection, f.store, f.themes);
    showPlot(matrix, {440, 227});
    showPlot(stages, {440, 227});
    auto part = snapshotOf({handRun(k3232, {1e-6, 1e-6})}, 2);
    part->partial = true;
    f.store.setRunning(true);
    f.put(part);
    picture(matrix);
    picture(stages);
    QCOMPARE(*matrix.data().cells[0].value, 1e-6);
    QVERIFY(!matrix.data().cells[0].isStale);
    QCOMPARE(*matrix.data().cells[3].value, 2e-16);
    QVERIFY(matrix.data().cells[3].isStale);
    // Its stages come last: until then the earlier ones stay, dimmed.
    QCOMPARE(stages.rows()[0].kind, ui::StagesPlot::Row::Kind::Bar);
    QVERIFY(stages.rows()[0].isStale);
}

void PlotsStates::negativeSharesGoLeft()
{
    Fixture f;
    f.open(chainOf(2));
    engine::RunResult run = handRun(k3232, {1e-7, 1e-7});
    run.nodes[1].stages.emplace();
    auto& s = run.nodes[1].stages->stages;
    s[0].share = 0.4;
    s[1].share = -0.1;
    s[2].share = -0.2;
    s[3].share = 0.9;
    s[4].share = 0.0;
    f.put(snapshotOf({run}, 1));
    ui::StagesPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {440, 227});
    const QImage image = picture(plot);
    const auto& segments = plot.rows()[0].segments;
    QCOMPARE(segments.size(), 4);
    const double zero = plot.segmentRect(0, 0).left();
    QCOMPARE(segments[1].to, 0.0); // storage ends at zero, cast further left
    QCOMPARE(segments[1].from, -0.1);
    QVERIFY(std::abs(segments[2].from + 0.3) < 1e-12 && segments[2].to == -0.1);
    QVERIFY(std::abs(segments[3].to - 1.3) < 1e-12);
    QVERIFY(plot.segmentRect(0, 2).right() <= plot.segmentRect(0, 1).left());
    QVERIFY(plot.segmentRect(0, 1).right() <= zero);
    QVERIFY(plot.segmentRect(0, 3).right() <= plot.rowRect(0).right() + 1);
    QVERIFY(countColor(image, plot.segmentRect(0, 2), ui::lightTheme().stage[2]) > 100);
    moveTo(plot, plot.segmentRect(0, 2).center());
    QVERIFY(plot.hoverText().contains("cast −20.00 %"));
}

void PlotsStates::aFifthComboHasACell()
{
    Fixture f;
    f.open(chainOf(2));
    const engine::Combo half{engine::DType::f16, engine::DType::bf16};
    f.put(snapshotOf({handRun(half, {1e-3, 1e-3}), handRun(k3232, {1e-7, 1e-7})}, 1));
    ui::MatrixPlot plot(f.selection, f.store, f.themes);
    showPlot(plot, {500, 227});
    picture(plot);
    QCOMPARE(plot.data().cells.size(), 5);
    QVERIFY(plot.data().cells[4].isActive && !plot.data().cells[0].isActive);
    QCOMPARE(plot.data().cells[4].combo, half);
    for (int i = 0; i < 5; ++i)
        for (int k = i + 1; k < 5; ++k)
            QVERIFY(!plot.cellRect(i).intersects(plot.cellRect(k)));
}

void PlotsStates::emptyStatesInWords()
{
    Fixture f;
    ui::PlotPanel panel(f.selection, f.store, f.themes);
    panel.resize(1440, 260);
    panel.show();
    for (ui::PlotWidget* p : panel.plots()) {
        QCOMPARE(p->blank().title, QString("No results yet"));
        QVERIFY(!p->exportTo("unused.png"));
        p->grab();
        QVERIFY(p->accessibleDescription().contains("No results yet"));
    }
    f.store.setRunning(true);
    QTest::qWait(80);
    QCOMPARE(panel.matrix()->blank().title, QString("The first results are on their way"));
    f.store.setRunning(false);
    f.store.setError("9.1 GB would be needed, 4.0 GB are free.");
    QTest::qWait(80);
    QCOMPARE(panel.matrix()->blank().sentence, QString("9.1 GB would be needed, 4.0 GB are free."));
}

void PlotsStates::valuesMoveAndArrive()
{
    Fixture f;
    f.open(chainOf(2));
    f.put(snapshotOf({handRun(k3232, {1e-4, 1e-4})}, 1));
    ui::ByLayerPlot plot(f.selection, f.store, f.themes);
    plot.resize(604, 262);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    picture(plot);
    if (QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0)
        QSKIP("this style wants no motion");
    f.put(snapshotOf({handRun(k3232, {1e-8, 1e-8})}, 2));
    QSignalSpy moved(const_cast<ui::ChartAdapter*>(&plot.chart()), &ui::ChartAdapter::moved);
    picture(plot);
    QTRY_COMPARE_WITH_TIMEOUT(plot.chart().drawnMarks(0), (QList<QList<QPointF>>{{{0, -8}, {1, -8}}}), 1000);
    QVERIFY(moved.size() >= 2);
}

QTEST_MAIN(PlotsStates)
#include "tst_plots_states.moc"
