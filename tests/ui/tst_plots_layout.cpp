// Labels that never collide and axes that tell zero and NaN apart: the pure geometry of the plots.
#include <QtTest>

#include "ui/plots/error_axis.h"
#include "ui/plots/label_layout.h"

#include <random>

class PlotsLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void categoryLabelsNeverCollide();
    void levelFirstThenTurnedThenThinned();
    void theKeptLabelIsThere();
    void movedApartKeepsOrderAndDistance();
    void movesNoMoreThanNeeded();
    void ticksAreDecadesOfFour();
    void bandsLieBehindGaps();
    void pointsOutsideAreSaid();
};

namespace {

double measure(const QString& text)
{
    return 6.0 * static_cast<double>(text.size());
}

ui::CategoryPlace placeOf(qsizetype columns, double width)
{
    ui::CategoryPlace place;
    place.spacing = width / static_cast<double>(columns);
    place.left = 52 + place.spacing / 2;
    place.top = 200;
    place.edge = 0;
    place.rightEdge = 52 + width;
    return place;
}

// Separating axes of two convex outlines.
bool overlap(const QPolygonF& a, const QPolygonF& b)
{
    for (const QPolygonF* p : {&a, &b})
        for (qsizetype i = 0; i + 1 < p->size(); ++i) {
            const QPointF edge = (*p)[i + 1] - (*p)[i], normal(-edge.y(), edge.x());
            double aLow = 1e300, aHigh = -1e300, bLow = 1e300, bHigh = -1e300;
            for (const QPointF& q : a) {
                aLow = std::min(aLow, QPointF::dotProduct(q, normal));
                aHigh = std::max(aHigh, QPointF::dotProduct(q, normal));
            }
            for (const QPointF& q : b) {
                bLow = std::min(bLow, QPointF::dotProduct(q, normal));
                bHigh = std::max(bHigh, QPointF::dotProduct(q, normal));
            }
            if (aHigh <= bLow + 1e-9 || bHigh <= aLow + 1e-9)
                return false;
        }
    return true;
}

ui::SeriesPoint point(ui::PointKind kind, double value = 0)
{
    return {{1}, "n", kind, value};
}

} // namespace

void PlotsLayout::categoryLabelsNeverCollide()
{
    std::mt19937 random(5);
    for (qsizetype n = 2; n <= 200; ++n) {
        QStringList names;
        for (qsizetype i = 0; i < n; ++i)
            names.append(
                QString(static_cast<qsizetype>(1 + random() % 24), QLatin1Char('a' + static_cast<char>(i % 26))));
        ui::CategoryPlace place = placeOf(n, 200 + static_cast<double>(random() % 900));
        place.keep = static_cast<qsizetype>(random() % static_cast<unsigned>(n + 1)) - 1;
        const ui::CategoryLabels laid = ui::layoutCategories(names, place, measure);
        QVERIFY2(!laid.labels.isEmpty(), qPrintable(QString("no label of %1").arg(n)));
        QList<QPolygonF> outlines;
        for (const ui::CategoryLabel& l : laid.labels) {
            outlines.append(ui::labelOutline(l, laid.isTurned, measure(l.text)));
            const QRectF box = outlines.last().boundingRect();
            QVERIFY2(box.left() >= place.edge - 1e-6, qPrintable(QString("%1 nodes: cut at the left").arg(n)));
            QVERIFY2(box.bottom() <= place.top + laid.height + 4, qPrintable(QString("%1 nodes: cut below").arg(n)));
        }
        for (qsizetype i = 0; i < outlines.size(); ++i)
            for (qsizetype k = i + 1; k < outlines.size(); ++k)
                QVERIFY2(
                    !overlap(outlines[i], outlines[k]),
                    qPrintable(QString("%1 nodes: %2 over %3").arg(n).arg(laid.labels[i].text, laid.labels[k].text)));
    }
}

void PlotsLayout::levelFirstThenTurnedThenThinned()
{
    const QStringList three{"conv2d", "relu", "softmax"};
    const ui::CategoryLabels level = ui::layoutCategories(three, placeOf(3, 400), measure);
    QVERIFY(!level.isTurned);
    QCOMPARE(level.labels.size(), 3);
    const ui::CategoryLabels turned = ui::layoutCategories(three, placeOf(3, 90), measure);
    QVERIFY(turned.isTurned);
    QCOMPARE(turned.labels.size(), 3);
    QStringList many;
    for (int i = 0; i < 60; ++i)
        many.append(QString("dense_%1").arg(i));
    const ui::CategoryLabels thin = ui::layoutCategories(many, placeOf(60, 300), measure);
    QVERIFY(thin.isTurned);
    // 5 px per column; 13 px across a label's slope of 38 degrees need 21.1 px, so every fifth.
    QCOMPARE(thin.labels.size(), 12);
    QCOMPARE(thin.labels[1].index, 5);
}

void PlotsLayout::theKeptLabelIsThere()
{
    QStringList many;
    for (int i = 0; i < 120; ++i)
        many.append(QString("d%1").arg(i));
    for (qsizetype keep : {0, 7, 61, 119}) {
        ui::CategoryPlace place = placeOf(120, 400);
        place.keep = keep;
        const ui::CategoryLabels laid = ui::layoutCategories(many, place, measure);
        QVERIFY(std::any_of(laid.labels.begin(), laid.labels.end(), [&](const auto& l) { return l.index == keep; }));
    }
}

void PlotsLayout::movedApartKeepsOrderAndDistance()
{
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        QList<double> wanted;
        const int n = 1 + static_cast<int>(random() % 8);
        for (int i = 0; i < n; ++i)
            wanted.append(static_cast<double>(random() % 200));
        const QList<double> placed = ui::moveApart(wanted, 16, 0, 220);
        QCOMPARE(placed.size(), wanted.size());
        for (int i = 0; i < n; ++i) {
            QVERIFY(placed[i] >= -1e-9 && placed[i] <= 220 + 1e-9);
            for (int k = 0; k < n; ++k) {
                if (i != k)
                    QVERIFY2(std::abs(placed[i] - placed[k]) >= 16 - 1e-9, "labels run into one another");
                if (wanted[i] < wanted[k])
                    QVERIFY(placed[i] < placed[k]);
            }
        }
    }
}

void PlotsLayout::movesNoMoreThanNeeded()
{
    QCOMPARE(ui::moveApart({10, 100, 60}, 16, 0, 200), (QList<double>{10, 100, 60}));
    // Two at one place share the way.
    QCOMPARE(ui::moveApart({50, 50}, 16, 0, 200), (QList<double>{42, 58}));
    QCOMPARE(ui::moveApart({0, 0}, 16, 0, 200), (QList<double>{0, 16}));
    // No room for 16: evenly.
    QCOMPARE(ui::moveApart({5, 5, 5}, 16, 0, 20), (QList<double>{0, 10, 20}));
}

void PlotsLayout::ticksAreDecadesOfFour()
{
    const auto labels = [](double low, double high) {
        QStringList all;
        for (const ui::AxisTick& t : ui::decadeTicks(low, high))
            all.append(t.label);
        return all;
    };
    QCOMPARE(labels(-18, 1), (QStringList{"1e−16", "1e−12", "1e−8", "1e−4", "1"}));
    QCOMPARE(labels(-9, -5), (QStringList{"1e−9", "1e−8", "1e−7", "1e−6", "1e−5"}));
    QCOMPARE(labels(-1, 2), (QStringList{"1e−1", "1", "1e1", "1e2"}));
}

void PlotsLayout::bandsLieBehindGaps()
{
    const QRectF whole(50, 30, 400, 150);
    const ui::SeriesPoint value = point(ui::PointKind::Value, 1e-8), exact = point(ui::PointKind::Exact),
                          nan = point(ui::PointKind::NotFinite);
    const ui::ErrorAxis plain = ui::makeErrorAxis(ui::AxisKind::Log, {&value}, whole);
    QCOMPARE(plain.area, whole);
    QVERIFY(!plain.hasExact && !plain.hasNotFinite);
    const ui::ErrorAxis both = ui::makeErrorAxis(ui::AxisKind::Log, {&value, &exact, &nan}, whole);
    QCOMPARE(both.exactBand.top() - both.area.bottom(), 6.0);
    QCOMPARE(both.area.top() - both.notFiniteBand.bottom(), 6.0);
    QVERIFY(both.exactBand.contains(QPointF(60, both.y(exact))));
    QVERIFY(both.notFiniteBand.contains(QPointF(60, both.y(nan))));
    QVERIFY(both.area.contains(QPointF(60, both.y(value))));
    // An exact point is no reason for a lower axis.
    QCOMPARE(both.low, plain.low);
}

void PlotsLayout::pointsOutsideAreSaid()
{
    const ui::SeriesPoint high = point(ui::PointKind::Value, 1), tiny = point(ui::PointKind::Value, 1e-40);
    const ui::ErrorAxis axis = ui::makeErrorAxis(ui::AxisKind::Log, {&high, &tiny}, {0, 0, 100, 100});
    QCOMPARE(axis.outside(high), 0);
    QCOMPARE(axis.outside(tiny), -1);
    QCOMPARE(axis.y(tiny), axis.area.bottom());
}

QTEST_GUILESS_MAIN(PlotsLayout)
#include "tst_plots_layout.moc"
