// What ui/style draws, measured in pixels of pictures at 1x and 2x: widths, radii, places, colours.
#include <QtWidgets>

#include <QtTest>

#include "ui/style/paint.h"

using namespace ui;

class Paint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wires();
    void pipes();
    void wireStates();
    void threads();
    void dots();
    void tagsWearTheirWire();
    void healthPill();
    void errorBar();
    void stageForms();
    void shadows();
    void ports();
    void thePainterIsLeftAsFound();
};

namespace {

const Theme& theme()
{
    return darkTheme();
}

// A picture of 100 x 60 px on the canvas.
struct Picture {
    explicit Picture(double ratio = 1)
        : image(qRound(100 * ratio), qRound(60 * ratio), QImage::Format_ARGB32_Premultiplied)
    {
        image.setDevicePixelRatio(ratio);
        image.fill(theme().surface.canvas);
        painter.begin(&image);
    }
    QColor at(int x, int y) { return image.pixelColor(x, y); }
    // Device pixels of exactly this colour in a column or a row.
    QList<int> inColumn(int x, const QColor& color)
    {
        QList<int> rows;
        for (int y = 0; y < image.height(); ++y)
            if (at(x, y) == color)
                rows << y;
        return rows;
    }
    QList<int> inRow(int y, const QColor& color)
    {
        QList<int> columns;
        for (int x = 0; x < image.width(); ++x)
            if (at(x, y) == color)
                columns << x;
        return columns;
    }
    QImage image;
    QPainter painter;
};

QPainterPath line(double y)
{
    QPainterPath path(QPointF(0, y));
    path.lineTo(100, y);
    return path;
}

using engine::DType;

} // namespace

void Paint::wires()
{
    Picture p(2);
    drawWire(p.painter, line(10), DType::f32, theme());
    drawWire(p.painter, line(30), DType::f64, theme());
    drawWire(p.painter, line(50), DType::f16, theme());
    QCOMPARE(p.inColumn(100, theme().dtype(DType::f32).line), (QList<int>{17, 18, 19, 20, 21, 22}));
    // 4.5 px with a core of 1.5: at 2x from 55.5 to 64.5, the core from 58.5 to 61.5.
    QCOMPARE(p.inColumn(100, theme().dtype(DType::f64).line), (QList<int>{56, 57, 62, 63}));
    QCOMPARE(p.at(100, 59), theme().surface.canvas);
    // A dash of 10 px, a gap of 4.
    const QColor yellow = theme().dtype(DType::f16).line;
    const QList<int> columns = p.inRow(100, yellow);
    QCOMPARE(columns.mid(0, 20).last(), 19);
    QCOMPARE(columns[20], 28);
}

void Paint::pipes()
{
    Picture p(2);
    drawWire(p.painter, line(20), DType::f64, theme(), {.effectiveBits = 24});
    // Walls of 1 px around 4 px, a thread of 1.75 in the colour of float32.
    QCOMPARE(p.inColumn(100, theme().dtype(DType::f64).line), (QList<int>{34, 35, 44, 45}));
    QCOMPARE(p.inColumn(100, theme().dtype(DType::f32).line), (QList<int>{39, 40}));
    QCOMPARE(p.at(100, 36), theme().surface.canvas);
    QCOMPARE(p.at(100, 43), theme().surface.canvas);
}

void Paint::wireStates()
{
    Picture p;
    drawWire(p.painter, line(10.5), DType::f32, theme(), {.isSelected = true});
    QCOMPARE(p.inColumn(50, theme().selection.ring), (QList<int>{7, 13})); // 7 px wide, 4.6 px gap
    drawWire(p.painter, line(40.5), DType::f32, theme(), {.isHovered = true});
    const QColor canvas = theme().surface.canvas;
    // One step for each of two roundings to 8 bits.
    QVERIFY(std::abs(p.at(50, 37).red() - (canvas.red() + 0.16 * (255 - canvas.red()))) <= 1.5);
    QCOMPARE(p.at(50, 35), canvas);
    const QColor ground(1, 2, 3);
    drawWire(p.painter, line(50.5), DType::f64, theme(), {.ground = ground});
    QCOMPARE(p.at(50, 50), ground);
}

void Paint::threads()
{
    QCOMPARE(threadOf(DType::f64, 24), std::optional(DType::f32));
    QCOMPARE(threadOf(DType::f64, 11), std::optional(DType::f16));
    QCOMPARE(threadOf(DType::f32, 8), std::optional(DType::bf16));
    QCOMPARE(threadOf(DType::bf16, 4), std::optional(DType::e4m3fn));
    QCOMPARE(threadOf(DType::f16, 3), std::optional(DType::e5m2));
    QVERIFY(!threadOf(DType::f64, 53));
    QVERIFY(!threadOf(DType::f64, std::nullopt));
    QVERIFY(!threadOf(DType::i32, 8));
    QCOMPARE(wireTag(DType::f64, 24), QString::fromUtf8("f64·24"));
    QCOMPARE(wireTag(DType::f32, 24), QString("f32"));
}

void Paint::dots()
{
    const int radii[] = {0, 6, 8, 10};
    for (int i = 1; i < 4; ++i) {
        Picture p;
        p.painter.fillRect(QRect(0, 0, 100, 60), Qt::white);
        drawDot(p.painter, QPointF(50, 30), static_cast<DotLevel>(i), theme());
        const QColor fill = i == 3 ? theme().loss.large : theme().loss.key;
        // The row just below the centre: 2 r px at most one px short at each end.
        const qsizetype width = p.inRow(30, fill).size();
        QVERIFY2(width <= 2 * radii[i] && width >= 2 * radii[i] - 2, qPrintable(QString::number(width)));
        QCOMPARE(p.at(50, 30 - radii[i] - 1), theme().surface.canvas); // halo
        QCOMPARE(p.at(50, 30 - radii[i] - 3), QColor(Qt::white));
    }
    Picture exact;
    drawDot(exact.painter, QPointF(50, 30), DotLevel::Exact, theme());
    QCOMPARE(exact.at(50, 30), theme().surface.canvas);
    QCOMPARE(exact.inRow(30, theme().loss.key).size(), 0);
    QVERIFY(!exact.inRow(30, theme().text.secondary).isEmpty());
    Picture burst(4);
    drawDot(burst.painter, QPointF(50, 30), DotLevel::Overflow, theme());
    QCOMPARE(burst.at(200, 120 - 44), theme().loss.overflow); // a point 12 px up
    QCOMPARE(burst.at(200 - 11, 120 - 42), theme().surface.canvas);
    QCOMPARE(burst.at(200, 120 - 10), theme().ink.on); // the mark
    Picture grown;
    drawDot(grown.painter, QPointF(50, 30), DotLevel::Small, theme(), {}, 2);
    QVERIFY(grown.inRow(30, theme().loss.key).size() >= 22);
}

void Paint::tagsWearTheirWire()
{
    Picture p;
    const double width = drawTag(p.painter, QPointF(10, 20), DType::f32, theme());
    QVERIFY(std::abs(width - 19.8) < 0.05);
    const QColor cyan = theme().dtype(DType::f32).line;
    QVERIFY(!p.inColumn(15, cyan).contains(22));
    QVERIFY(p.inColumn(15, cyan).contains(23) && p.inColumn(15, cyan).contains(24)); // centre 4 px below
    QVERIFY(!p.inColumn(15, cyan).contains(25));
    drawTag(p.painter, QPointF(50, 20), DType::f64, theme());
    const QColor indigo = theme().dtype(DType::f64).line;
    QCOMPARE(p.at(60, 23), indigo);
    QVERIFY(p.at(60, 24) != indigo);
    QCOMPARE(p.at(60, 25), indigo);
    drawTag(p.painter, QPointF(10, 50), DType::f16, theme()); // 8 px and a gap of 3.2
    QCOMPARE(p.at(17, 53), theme().dtype(DType::f16).line);
    QCOMPARE(p.at(19, 53), theme().surface.canvas);
}

void Paint::healthPill()
{
    const auto runs = [](const engine::Health& health) {
        Picture p(4);
        drawHealthPill(p.painter, QRectF(20, 20, 44, 8), health, theme());
        const QColor red = theme().health.inf, amber = theme().health.subnormal;
        const auto width = [&p](const QColor& c) { return static_cast<double>(p.inRow(96, c).size()) / 4; };
        return std::pair(width(amber), width(red));
    };
    QCOMPARE(runs({1000000, 1, 0, 0, 0}).second, 0.0);
    // One in a million is 3 px, of which the border and its antialiasing hide 1.
    QVERIFY(runs({1000000, 1, 0, 0, 0}).first >= 1.75);
    QCOMPARE(runs({1000000, 1, 1, 0, 0}).first, 3.0);
    const double half = runs({50, 50, 0, 0, 0}).first; // 22 px less the border of 1 and its antialiasing
    QVERIFY(half > 20 && half <= 21);
    QVERIFY(runs({1000000, 0, 0, 1, 0}).second >= 1.75);
    Picture p(4);
    drawHealthPill(p.painter, QRectF(20, 20, 44, 8), {0, 0, 0, 0, 10}, theme());
    QVERIFY(p.inRow(96, Qt::white).size() > 20); // the hatch
    QVERIFY(p.inRow(96, theme().health.nan).size() > 20);
}

void Paint::errorBar()
{
    const QRectF rect(10, 20, 68, 4); // 4 px a decade
    Picture p;
    drawErrorBar(p.painter, rect, 1e-9, 1e-5, theme());
    const QList<int> solid = p.inRow(22, theme().lossAt(1e-9));
    QCOMPARE(solid.last(), 10 + 8 * 4 - 1);
    QVERIFY(p.at(10 + 12 * 4 - 2, 22) != theme().surface.sunken);
    QCOMPARE(p.at(10 + 12 * 4 + 2, 22), theme().surface.sunken);
    QVERIFY(p.at(10 + 5 * 4, 26) != theme().surface.canvas || p.at(9 + 5 * 4, 26) != theme().surface.canvas); // tick
    Picture exact;
    drawErrorBar(exact.painter, rect, 0.0, 0.0, theme());
    QCOMPARE(exact.at(50, 22), theme().surface.sunken);
    QVERIFY(exact.at(11, 22) != theme().surface.sunken); // hollow tick
    Picture none;
    drawErrorBar(none.painter, rect, std::nullopt, std::nullopt, theme());
    QCOMPARE(none.at(12, 22), theme().surface.sunken);
}

void Paint::stageForms()
{
    for (double ratio : {1.0, 2.0}) {
        const auto share = [ratio](engine::Stage stage) { // of the stage's own colour in a bar of 80 x 20
            Picture p(ratio);
            drawStage(p.painter, QRectF(10, 10, 80, 20), stage, theme());
            const QColor own = theme().stage[static_cast<std::size_t>(stage)];
            double count = 0;
            for (int y = qRound(10 * ratio); y < qRound(30 * ratio); ++y)
                count += static_cast<double>(p.inRow(y, own).size());
            return count / (80 * 20 * ratio * ratio);
        };
        QCOMPARE(share(engine::Stage::Storage), 1.0);
        QCOMPARE(share(engine::Stage::Cast), 1.0);
        QVERIFY(share(engine::Stage::Inherited) < 0.2);
        // A stripe of 1.5 every 5 px hides 30 %, and its antialiasing some more.
        QVERIFY(share(engine::Stage::Arithmetic) > 0.35 && share(engine::Stage::Arithmetic) <= 0.7);
        // A dot of 1.8 px in 4 x 4 covers 16 %.
        QVERIFY(share(engine::Stage::Output) > 0.5 && share(engine::Stage::Output) < 0.84);
    }
    // A period of the hatch is 5 px across the stripes: 7 along a row.
    Picture p;
    drawStage(p.painter, QRectF(10, 10, 80, 20), engine::Stage::Arithmetic, theme());
    QCOMPARE(p.at(30, 20), p.at(37, 20));
    QCOMPARE(p.at(30, 20), p.at(29, 21)); // stripes rise to the right
}

void Paint::shadows()
{
    for (double ratio : {1.0, 1.5, 2.0}) {
        Picture p(ratio);
        p.painter.fillRect(QRect(0, 0, 100, 60), Qt::white);
        drawNodeShadow(p.painter, QRectF(20, 15, 60, 30), theme());
        const auto grey = [&](double x, double y) { return p.at(qRound(x * ratio), qRound(y * ratio)).red(); };
        // Half of the opacity at the shadow's edge, which is 2 px lower than the body's; nothing far away.
        QVERIFY(std::abs((grey(50, 46) + grey(50, 47)) / 2.0 - (255 - 0.35 / 2 * 255)) < 4);
        QCOMPARE(grey(50, 1), 255);
        QVERIFY(grey(50, 13) > grey(50, 48));
        QVERIFY(grey(18, 31) < 250);
        // The edge has no seam between corner and side.
        for (int x = qRound(40 * ratio); x < qRound(60 * ratio); ++x)
            QCOMPARE(p.at(x, qRound(47 * ratio)), p.at(qRound(50 * ratio), qRound(47 * ratio)));
    }
}

void Paint::ports()
{
    Picture p;
    const QColor color(Qt::cyan);
    drawPort(p.painter, QPointF(20, 30), PortLook::Connected, color, theme());
    drawPort(p.painter, QPointF(50, 30), PortLook::Optional, color, theme());
    drawPort(p.painter, QPointF(80, 30), PortLook::Missing, color, theme());
    QCOMPARE(p.at(20, 30), color);
    QCOMPARE(p.at(50, 30), theme().surface.node);
    QCOMPARE(p.inRow(30, theme().status.error), (QList<int>{75, 84})); // and an antialiased px outside of each
    QVERIFY(p.at(54, 30) != theme().surface.canvas && p.at(54, 30) != theme().surface.node);
}

void Paint::thePainterIsLeftAsFound()
{
    Picture p;
    const QPen pen(Qt::red, 3);
    p.painter.setPen(pen);
    p.painter.setFont(QFont("Sans", 33));
    const QTransform transform = p.painter.transform();
    drawTag(p.painter, QPointF(5, 20), DType::bf16, theme());
    drawWire(p.painter, line(5), DType::f64, theme(), {.effectiveBits = 8, .isSelected = true});
    drawDot(p.painter, QPointF(50, 30), DotLevel::Overflow, theme());
    drawPort(p.painter, QPointF(5, 5), PortLook::Missing, Qt::red, theme());
    drawHealthPill(p.painter, QRectF(0, 0, 44, 8), {1, 1, 1, 1, 1}, theme());
    drawErrorBar(p.painter, QRectF(0, 0, 44, 4), 0.1, 0.2, theme());
    drawStage(p.painter, QRectF(0, 0, 44, 4), engine::Stage::Output, theme());
    drawNodeShadow(p.painter, QRectF(20, 15, 60, 30), theme(), true);
    drawSlotArrow(p.painter, QPointF(5, 5), true, Qt::red);
    QCOMPARE(p.painter.pen(), pen);
    QCOMPARE(p.painter.brush(), QBrush(Qt::NoBrush));
    QCOMPARE(p.painter.font().pointSize(), 33);
    QCOMPARE(p.painter.transform(), transform);
    QVERIFY(!p.painter.testRenderHint(QPainter::Antialiasing));
}

QTEST_MAIN(Paint)
#include "tst_paint.moc"
