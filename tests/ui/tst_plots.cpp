// The plots of real runs: what the snapshot says is what Qt Charts holds and what the pixels show; a click selects,
// the pointer names.
#include <QtTest>

#include "tests/ui/plots_fixture.h"

using namespace plots;
using ui::PointKind;

class Plots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void matrixShowsTheHistograms();
    void matrixHasOneScaleAndALineAtTheMetric();
    void matrixDotsWhereTheComboCasts();
    void matrixHoverNamesTheCell();
    void byLayerDrawsTheErrors();
    void byLayerClickSelects();
    void byLayerHoverNamesTheNode();
    void byLayerStepsWithTheKeys();
    void byLayerOwnSettingIsInk();
    void stagesDrawTheShares();
    void stagesHoverNamesTheStage();
    void distributionDrawsTheUlpHistogram();
    void distributionFollowsTheSelection();
    void theMetricIsTheirs();

private:
    Fixture m_seed, m_lenet;
    std::shared_ptr<const engine::RunSnapshot> m_seedRun, m_lenetRun;
};

void Plots::initTestCase()
{
    m_seedRun = m_seed.run(canvasFirst(support::fourCombos(support::articleNetwork(4, false), "keras_tf26"), k6432));
    m_seed.selection.select(m_seed.node("conv1"));
    m_lenetRun = m_lenet.run(canvasFirst(support::fourCombos(support::lenet(2, true)), k6464));
}

void Plots::matrixShowsTheHistograms()
{
    ui::MatrixPlot plot(m_seed.selection, m_seed.store, m_seed.themes);
    showPlot(plot, {440, 227});
    const QImage image = picture(plot);
    const ui::Theme& t = ui::lightTheme();
    for (int i = 0; i < 4; ++i) {
        const engine::Combo combo = engine::kFourCombos[static_cast<std::size_t>(i)];
        QCOMPARE(plot.data().cells[i].combo, combo); // the toolbar's order
        const engine::RelHistogram& h = *resultOf(*m_seedRun, combo, m_seed.node("conv1")).error->relHistogram;
        std::int64_t all = h.exact + h.below + h.above;
        for (std::int64_t n : h.counts)
            all += n;
        const QList<double> drawn = plot.chart().drawnBars(i).first();
        QCOMPARE(drawn.size(), plot.data().bins);
        const QRectF area = plot.barArea(i);
        for (int k = 0; k < plot.data().bins; ++k) {
            const std::int64_t n = h.counts[static_cast<std::size_t>(plot.data().firstBin + k)];
            const double share = static_cast<double>(n) / static_cast<double>(all);
            if (share * area.height() > 2)
                QVERIFY(std::abs(drawn[k] - share) < 1e-12);
            else
                QCOMPARE(drawn[k] > 0, n > 0); // lifted to one pixel
            if (share < 0.03)
                continue;
            // The bar's pixels, from its foot to its top.
            const double width = area.width() / plot.data().bins, x = area.left() + width * (k + 0.5);
            const double height = share / (1.08 * plot.data().most) * area.height();
            const QRectF inside(x - width * 0.2, area.bottom() - height + 1, width * 0.4, height - 2);
            const int bar = countColor(image, inside, t.plot.histogram),
                      rose = countColor(image, inside, t.loss.key, 40);
            QVERIFY2(bar + rose > 0.6 * inside.width() * inside.height(),
                     qPrintable(QString("cell %1 bin %2").arg(i).arg(k)));
            QVERIFY(countColor(image, {inside.left(), inside.top() - 5, inside.width(), 2}, t.plot.histogram) == 0);
        }
    }
}

void Plots::matrixHasOneScaleAndALineAtTheMetric()
{
    ui::MatrixPlot plot(m_seed.selection, m_seed.store, m_seed.themes);
    showPlot(plot, {440, 227});
    const QImage image = picture(plot);
    const ui::MatrixData& data = plot.data();
    for (int i = 0; i < 4; ++i) {
        const double relL2 = *resultOf(*m_seedRun, data.cells[i].combo, m_seed.node("conv1")).error->relL2;
        const QRectF area = plot.barArea(i);
        const double x =
            area.left() + (std::log10(relL2) - data.log10Low()) / (data.log10High() - data.log10Low()) * area.width();
        const QColor rose = ui::lightTheme().loss.key;
        QVERIFY(countColor(image, {x - 2, area.top() - 3, 4, area.height()}, rose, 60) > area.height() * 0.9);
        QCOMPARE(countColor(image, {area.left(), area.top(), x - 6 - area.left(), area.height()}, rose, 60), 0);
        QCOMPARE(data.cells[i].number, ui::shortNumber(relL2));
        QCOMPARE(area.size(), plot.barArea(0).size());
    }
}

void Plots::matrixDotsWhereTheComboCasts()
{
    ui::MatrixPlot plot(m_seed.selection, m_seed.store, m_seed.themes);
    showPlot(plot, {440, 227});
    QVERIFY(!plot.data().cells[0].dot);
    QCOMPARE(plot.data().cells[1].dot, ui::DotLevel::Exact); // float32 widens to the layer's float64
    QCOMPARE(plot.data().cells[2].dot, ui::DotLevel::Small); // float64 loses bits to float32
    QVERIFY(!plot.data().cells[3].dot);
    const QImage image = picture(plot);
    const auto rose = [&](int i) {
        return countColor(image, QRectF(plot.cellRect(i).left() + 60, plot.cellRect(i).top(), 50, 24),
                          ui::lightTheme().loss.key);
    };
    QVERIFY(rose(2) > 60);
    QCOMPARE(rose(0) + rose(1) + rose(3), 0);
}

void Plots::matrixHoverNamesTheCell()
{
    ui::MatrixPlot plot(m_seed.selection, m_seed.store, m_seed.themes);
    showPlot(plot, {440, 227});
    const QImage before = picture(plot);
    moveTo(plot, plot.barArea(2).center());
    QVERIFY2(plot.hoverText().startsWith("conv1 · float64 × float32\nRelative L2 "), qPrintable(plot.hoverText()));
    QVERIFY(plot.hoverText().contains(" to "));
    QVERIFY(picture(plot) != before);
    QSignalSpy clicked(&plot, &ui::MatrixPlot::comboClicked);
    clickAt(plot, plot.barArea(3).center());
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked[0][0].value<engine::Combo>(), k6464);
}

void Plots::byLayerDrawsTheErrors()
{
    ui::ByLayerPlot plot(m_lenet.selection, m_lenet.store, m_lenet.themes);
    showPlot(plot, {604, 262});
    plot.table(); // builds
    // Marks as Qt Charts has them: the canvas's own combo is drawn last, over its arithmetic stage.
    const QList<QList<QPointF>> marks = plot.chart().drawnMarks(0);
    const engine::RunResult& own = m_lenetRun->runs.front();
    QList<QPointF> expected;
    for (std::size_t i = 0; i < own.nodes.size(); ++i)
        if (const double e = *own.nodes[i].error->relL2; e > 0)
            expected.append({static_cast<double>(i), std::log10(e)});
    QCOMPARE(marks.size(), 5);
    QCOMPARE(marks[4], expected);
    QList<QPointF> arithmetic;
    for (std::size_t i = 0; i < own.nodes.size(); ++i)
        if (own.nodes[i].bound) {
            const double all = *own.nodes[i].error->rmsReference;
            arithmetic.append({static_cast<double>(i), std::log10(own.nodes[i].stages->stages[3].rmse / all)});
        }
    QCOMPARE(arithmetic.size(), 4);
    QCOMPARE(marks[3].size(), 4);
    for (int i = 0; i < 4; ++i)
        QVERIFY(std::abs(marks[3][i].y() - arithmetic[i].y()) < 1e-9);
    // And as pixels: the diamonds of float64 × float64, in the weight's colour.
    const QImage image = picture(plot);
    for (const QPointF& p : expected) {
        const QPointF at = plot.chart().position(0, p);
        QVERIFY(countColor(image, QRectF(at - QPointF(3, 3), QSizeF(6, 6)),
                           ui::lightTheme().dtype(engine::DType::f64).line) > 4);
    }
}

void Plots::byLayerClickSelects()
{
    ui::ByLayerPlot plot(m_lenet.selection, m_lenet.store, m_lenet.themes);
    showPlot(plot, {604, 262});
    m_lenet.selection.clear();
    plot.table();
    for (const char* name : {"conv2d5", "softmax12"}) {
        const engine::NodeId node = m_lenet.node(name);
        const QPointF column = plot.columnAt(node) + QPointF(0, 30);
        const QColor before = picture(plot).pixelColor(column.toPoint());
        clickAt(plot, column);
        QCOMPARE(m_lenet.selection.current(), node);
        QCOMPARE(m_lenet.selection.nodes(), std::set<engine::NodeId>{node});
        QVERIFY2(picture(plot).pixelColor(column.toPoint()) != before, "the column is not shown as selected");
    }
    m_lenet.selection.clear();
}

void Plots::byLayerHoverNamesTheNode()
{
    ui::ByLayerPlot plot(m_lenet.selection, m_lenet.store, m_lenet.themes);
    showPlot(plot, {604, 262});
    plot.table();
    const engine::NodeId node = m_lenet.node("dense9");
    moveTo(plot, plot.columnAt(node) + QPointF(1, 40));
    const QStringList lines = plot.hoverText().split('\n');
    QCOMPARE(lines.first(), QString("dense9"));
    const auto number = [&](engine::Combo c) {
        return ui::shortNumber(*resultOf(*m_lenetRun, c, node).error->relL2, 3);
    };
    QVERIFY(lines.contains("float64 × float64  " + number(k6464)));
    QVERIFY(lines.contains("float32 × float32  " + number(k3232)));
    QVERIFY(plot.hoverText().contains("its bound"));
    // The rule stands in the column.
    const double x = plot.columnAt(node).x();
    QVERIFY(countColor(picture(plot), {x - 1, plot.axis().area.bottom() - 12, 3, 10}, ui::lightTheme().plot.hoverRule,
                       12) >= 8);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&plot, &leave);
    QVERIFY(plot.hoverText().isEmpty());
}

void Plots::byLayerStepsWithTheKeys()
{
    ui::ByLayerPlot plot(m_lenet.selection, m_lenet.store, m_lenet.themes);
    showPlot(plot, {604, 262});
    m_lenet.selection.select(m_lenet.node("conv2d5"));
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(m_lenet.selection.current(), m_lenet.node("relu6"));
    QTest::keyClick(&plot, Qt::Key_Left);
    QTest::keyClick(&plot, Qt::Key_Left);
    QCOMPARE(m_lenet.selection.current(), m_lenet.node("max_pooling2d4"));
    m_lenet.selection.clear();
}

void Plots::byLayerOwnSettingIsInk()
{
    ui::ByLayerPlot plot(m_lenet.selection, m_lenet.store, m_lenet.themes);
    showPlot(plot, {604, 262});
    plot.table();
    const QPointF at = plot.chart().position(0, plot.chart().drawnMarks(0)[4][2]);
    const QRectF spot(at - QPointF(2, 2), QSizeF(4, 4));
    QCOMPARE(countColor(picture(plot), spot, ui::lightTheme().text.primary), 0);
    plot.setOwnSetting(ui::OwnSetting::PerLayer);
    QVERIFY(countColor(picture(plot), spot, ui::lightTheme().text.primary) > 8);
}

void Plots::stagesDrawTheShares()
{
    ui::StagesPlot plot(m_seed.selection, m_seed.store, m_seed.themes);
    showPlot(plot, {440, 227});
    const QImage image = picture(plot);
    const ui::Theme& t = ui::lightTheme();
    QCOMPARE(plot.rows().size(), 4);
    for (qsizetype i = 0; i < 4; ++i) {
        const ui::StagesPlot::Row& row = plot.rows()[i];
        const engine::NodeResult& node = resultOf(*m_seedRun, row.combo, m_seed.node("conv1"));
        QCOMPARE(*row.relL2, *node.error->relL2);
        double sum = 0;
        for (qsizetype k = 0; k < row.segments.size(); ++k) {
            const ui::StagesPlot::Segment& s = row.segments[k];
            QCOMPARE(s.share, *node.stages->stages[static_cast<std::size_t>(s.stage)].share);
            sum += s.share;
            const QRectF r = plot.segmentRect(i, k);
            const double scale = plot.rowRect(i).width();
            if (std::abs(s.share) < 0.02)
                continue;
            QVERIFY(std::abs(r.width() - std::abs(s.share) * scale) < 3);
            if (s.stage == engine::Stage::Cast || s.stage == engine::Stage::Storage)
                QVERIFY(countColor(image, r, t.stage[static_cast<std::size_t>(s.stage)]) >
                        0.4 * r.width() * r.height());
        }
        QVERIFY(std::abs(sum - 1) < 1e-9);
    }
    // The seed lesson's point: same bits, other culprits. Only float64 × float32 has a cast.
    for (qsizetype i = 0; i < 4; ++i)
        QCOMPARE(countColor(image, plot.rowRect(i).adjusted(0, -4, 0, 4), t.stage[2]) > 0,
                 plot.rows()[i].combo == k6432);
}

void Plots::stagesHoverNamesTheStage()
{
    ui::StagesPlot plot(m_seed.selection, m_seed.store, m_seed.themes);
    showPlot(plot, {440, 227});
    picture(plot);
    const auto& segments = plot.rows()[2].segments;
    const qsizetype cast =
        std::find_if(segments.begin(), segments.end(), [](const auto& s) { return s.stage == engine::Stage::Cast; }) -
        segments.begin();
    QVERIFY(cast < segments.size());
    moveTo(plot, plot.segmentRect(2, cast).center());
    QVERIFY2(plot.hoverText().startsWith("conv1 · float64 × float32\ncast "), qPrintable(plot.hoverText()));
    QVERIFY(plot.hoverText().contains(QString::number(segments[cast].share * 100, 'f', 2) + " %"));
    m_seed.selection.clear();
    picture(plot);
    clickAt(plot, plot.rowRect(0).center());
    QCOMPARE(m_seed.selection.current(), m_seed.node("features")); // nothing selected: the plot is of the last node
    m_seed.selection.select(m_seed.node("conv1"));
}

void Plots::distributionDrawsTheUlpHistogram()
{
    ui::DistributionPlot plot(m_seed.selection, m_seed.store, m_seed.themes);
    showPlot(plot, {560, 227});
    const QImage image = picture(plot);
    QCOMPARE(plot.title(), QString("conv1"));
    QCOMPARE(plot.subtitle(), QString("distance in float32 ULP"));
    const engine::ErrorMetrics& e = *resultOf(*m_seedRun, k6432, m_seed.node("conv1")).error;
    double all = 0;
    for (std::int64_t n : e.ulpHistogram)
        all += static_cast<double>(n);
    const QList<QList<double>> sets = plot.chart().drawnBars(0);
    QCOMPARE(sets.size(), 3);
    const ui::Theme& t = ui::lightTheme();
    for (int k = 0; k < 9; ++k) {
        const double percent = 100 * static_cast<double>(e.ulpHistogram[static_cast<std::size_t>(k)]) / all;
        const double drawn = sets[0][k] + sets[1][k] + sets[2][k];
        QVERIFY(percent == 0 ? drawn == 0 : drawn >= percent - 1e-9);
        QCOMPARE(plot.bars()[k].count, e.ulpHistogram[static_cast<std::size_t>(k)]);
        const QRectF bar = plot.barRect(k).adjusted(3, 2, -3, -1);
        if (bar.height() < 4)
            continue;
        const QColor strong = k == 1 ? t.text.secondary : k == 8 ? t.loss.key : QColor();
        if (strong.isValid())
            QVERIFY(countColor(image, bar, strong) > 0.9 * bar.width() * bar.height());
        QCOMPARE(countColor(image, QRectF(bar.left(), bar.top() - 24, bar.width(), 4), t.plot.histogram), 0);
    }
    moveTo(plot, plot.barRect(1).center());
    QVERIFY(plot.hoverText().startsWith("conv1 · ≤0.5 ULP\n"));
    QVERIFY(plot.hoverText().contains("correctly rounded"));
}

void Plots::distributionFollowsTheSelection()
{
    ui::DistributionPlot plot(m_seed.selection, m_seed.store, m_seed.themes);
    showPlot(plot, {560, 227});
    QSignalSpy caption(&plot, &ui::PlotWidget::captionChanged);
    m_seed.selection.select(m_seed.node("features"));
    picture(plot);
    QCOMPARE(plot.title(), QString("features"));
    QCOMPARE(caption.size(), 1);
    m_seed.selection.clear();
    QCOMPARE(plot.blank().title, QString("No node selected"));
    m_seed.selection.select(m_seed.node("conv1"));
    QVERIFY(plot.blank().title.isEmpty());
}

void Plots::theMetricIsTheirs()
{
    ui::PlotPanel panel(m_lenet.selection, m_lenet.store, m_lenet.themes);
    panel.setMotion(ui::Motion::Instant);
    panel.setMetric(ui::Metric::MaxUlp);
    QCOMPARE(panel.byLayer()->title(), QString("Largest ULP against depth"));
    const ui::PlotTable table = panel.byLayer()->table();
    const double ulp = *resultOf(*m_lenetRun, k3232, m_lenet.node("dense9")).error->maxUlp;
    bool found = false;
    for (const QStringList& row : table.rows)
        found =
            found || (row[0] == "dense9" && row[2] == "float32" && row[3] == "float32" && row.last().toDouble() == ulp);
    QVERIFY(found);
    panel.setMetric(ui::Metric::MedianBits); // a plain scale from 0
    panel.byLayer()->table();
    QCOMPARE(panel.byLayer()->axis().kind, ui::AxisKind::Linear);
    QCOMPARE(panel.byLayer()->axis().low, 0.0);
    QVERIFY(panel.byLayer()->axis().high >= 53);
}

QTEST_MAIN(Plots)
#include "tst_plots.moc"
