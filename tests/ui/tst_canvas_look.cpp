// What the canvas draws: dots by measured loss, pipes, refused and blocked nodes, stale dimming, the error bar, the
// legend, levels of detail, themes; and the small texts on a node.
#include <QtTest>

#include "tests/ui/canvas_stage.h"
#include "ui/scene/legend.h"
#include "ui/scene/level_of_detail.h"
#include "ui/scene/node_words.h"
#include "ui/style/dot_level.h"

using namespace canvas;
using ui::DotLevel;

class TestCanvasLook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void levelsByFormats_data();
    void levelsByFormats();
    void levelsByMeasure();
    void theRunDecidesTheDot();
    void theWireChangesAtTheDot();
    void float64IsADoubleLine();
    void fewerBitsThanTheLabel();
    void refusedAndBlocked();
    void missingInputIsRed();
    void staleIsDimmed();
    void exactSaysSo();
    void localBeforeTotal();
    void askedRowMakesRoom();
    void castNodesCarryTheirDot();
    void mutedIsHatched();
    void runningShowsProgress();
};

void TestCanvasLook::levelsByFormats_data()
{
    QTest::addColumn<DType>("from");
    QTest::addColumn<DType>("to");
    QTest::addColumn<DotLevel>("level");
    QTest::newRow("widening") << DType::bf16 << DType::f32 << DotLevel::Exact;
    QTest::newRow("to 24 bits") << DType::f64 << DType::f32 << DotLevel::Small;
    QTest::newRow("to 11 bits") << DType::f32 << DType::f16 << DotLevel::Medium;
    QTest::newRow("to 8 bits") << DType::f32 << DType::bf16 << DotLevel::Medium;
    QTest::newRow("to 4 bits") << DType::f32 << DType::e4m3fn << DotLevel::Large;
    QTest::newRow("integers into 24 bits") << DType::i32 << DType::f32 << DotLevel::Small;
    QTest::newRow("8-bit integers fit") << DType::u8 << DType::f32 << DotLevel::Exact;
    QTest::newRow("to bool") << DType::f32 << DType::boolean << DotLevel::Large;
}

void TestCanvasLook::levelsByFormats()
{
    QFETCH(DType, from);
    QFETCH(DType, to);
    QTEST(ui::dotLevel(from, to), "level");
}

void TestCanvasLook::levelsByMeasure()
{
    engine::CastReport r;
    r.from = DType::f32;
    r.to = DType::bf16;
    QCOMPARE(ui::dotLevel(r), DotLevel::Exact); // no value changed
    r.changed = 0.1;
    for (const auto& [bits, level] : {std::pair{24.0, DotLevel::Small},
                                      {20.0, DotLevel::Small},
                                      {19.9, DotLevel::Medium},
                                      {8.0, DotLevel::Medium},
                                      {7.9, DotLevel::Large},
                                      {0.0, DotLevel::Large}}) {
        r.bitsKept = bits;
        QCOMPARE(ui::dotLevel(r), level);
    }
    r.bitsKept = 24;
    r.newZero = 1;
    QCOMPARE(ui::dotLevel(r), DotLevel::Large);
    r.newInf = 1;
    QCOMPARE(ui::dotLevel(r), DotLevel::Overflow);
    r.newInf = 0;
    r.newNan = 1;
    QCOMPARE(ui::dotLevel(r), DotLevel::Overflow);
}

void TestCanvasLook::theRunDecidesTheDot()
{
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    QCOMPARE(s.edge(conv).cast()->level, DotLevel::Small);
    QVERIFY(!s.edge(conv).cast()->changed);
    engine::NodeResult r = result(conv, 1e-8, 1e-8);
    engine::CastReport cast;
    cast.port = "input";
    cast.from = DType::f64;
    cast.to = DType::f32;
    r.casts = {cast};
    s.put(snapshotOf(s, {r})); // no value changed: a hollow dot
    s.settle();
    QCOMPARE(s.edge(conv).cast()->level, DotLevel::Exact);
    const QColor rose = s.themes.theme().loss.key;
    QCOMPARE(pixelsLike(s.shot(), around(s.dot(conv), 12), rose), 0);
    cast.changed = 0.5;
    cast.bitsKept = 3;
    r.casts = {cast};
    auto next = snapshotOf(s, {r});
    s.put(next);
    s.settle();
    QCOMPARE(s.edge(conv).cast()->level, DotLevel::Large);
    QCOMPARE(s.edge(conv).radius, 10.0);
    // pi 10^2 pixels of the loss colour, less its smooth edge.
    const int area = pixelsLike(s.shot(), around(s.dot(conv), 12), s.themes.theme().loss.large);
    QVERIFY2(area > 260 && area < 330, qPrintable(QString::number(area)));
    // A report of other dtypes belongs to an older plan.
    cast.to = DType::f16;
    r.casts = {cast};
    s.put(snapshotOf(s, {r}));
    s.settle();
    QCOMPARE(s.edge(conv).cast()->level, DotLevel::Small);
}

void TestCanvasLook::theWireChangesAtTheDot()
{
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    const QPointF port = s.node(conv).inputAt("input");
    QCOMPARE(s.edge(conv).wire().dot, port - QPointF(30, 0));
    const QImage image = s.shot();
    const ui::Theme& theme = s.themes.theme();
    const QPoint dot = s.dot(conv);
    QCOMPARE(image.pixelColor(dot), theme.loss.key);
    // Before it the double line of float64, after it float32.
    const QPoint before = dot - QPoint(14, 0), after = dot + QPoint(14, 0);
    QCOMPARE(image.pixelColor(after), theme.dtype(DType::f32).line);
    QVERIFY(pixelsLike(image, around(before, 3), theme.dtype(DType::f64).line, 60) > 6);
    QCOMPARE(pixelsLike(image, around(before, 3), theme.dtype(DType::f32).line), 0);
}

void TestCanvasLook::float64IsADoubleLine()
{
    Stage s;
    s.settings("explicit", {DType::f64, DType::f64});
    const auto ids = s.chain();
    // At 4 times, the 1.5 px core is 6 px of ground between two lines of 6 px.
    s.view.setZoom(4, s.output(ids[0]));
    const QPoint on = s.inView(s.node(ids[0]).outputAt() + QPointF(12, 0));
    const QImage image = s.shot();
    QCOMPARE(image.pixelColor(on), s.themes.theme().surface.canvas);
    QCOMPARE(image.pixelColor(on + QPoint(0, 6)), s.themes.theme().dtype(DType::f64).line);
    QCOMPARE(image.pixelColor(on - QPoint(0, 6)), s.themes.theme().dtype(DType::f64).line);
    QCOMPARE(s.edge(ids[1]).label(), QString("f64"));
}

void TestCanvasLook::fewerBitsThanTheLabel()
{
    Stage s;
    s.settings("explicit", {DType::f64, DType::f64});
    const NodeId in = s.addInput(0, 0), narrow = s.add("cast", 300, 0, {{"to", std::string("float32")}});
    const NodeId wide = s.add("cast", 600, 0, {{"to", std::string("float64")}}), out = s.add("output", 1000, 0);
    s.connect(in, narrow);
    s.connect(narrow, wide);
    s.connect(wide, out);
    s.lookAt({800, 100});
    QCOMPARE(s.edge(out).dtype(), std::optional(DType::f64));
    QCOMPARE(s.edge(out).effectiveBits(), std::optional(24));
    QCOMPARE(s.edge(out).label(), QString("f64·24"));
    QCOMPARE(s.edge(narrow).label(), QString("f64"));
    // A float32 thread inside a float64 pipe.
    const QPoint on = s.inView(s.node(wide).outputAt() + QPointF(20, 0));
    const QImage image = s.shot();
    QVERIFY(pixelsLike(image, around(on, 4), s.themes.theme().dtype(DType::f32).line, 120) > 5);
    QVERIFY(pixelsLike(image, around(on, 4), s.themes.theme().dtype(DType::f64).line, 120) > 10);
}

void TestCanvasLook::refusedAndBlocked()
{
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    s.settings("explicit", {DType::f64, DType::f32});
    s.settle();
    const ui::NodeFace &refused = s.node(conv).face(), &blocked = s.node(out).face();
    QVERIFY(refused.isRefused && blocked.isBlocked && !s.node(in).face().isRefused);
    QCOMPARE(refused.reason, QString("input float64, weight float32"));
    QCOMPARE(refused.columns[0].ran, std::optional(DType::f64));
    QCOMPARE(refused.columns[1].ran, std::optional(DType::f32));
    QVERIFY(!refused.columns[2].ran && !refused.columns[4].ran);
    QCOMPARE(blocked.params, QString("waits for conv1"));
    QCOMPARE(blocked.figure(), QString());
    QVERIFY(!s.edge(out).dtype());
    const QImage image = s.shot();
    const ui::Theme& theme = s.themes.theme();
    QVERIFY(pixelsLike(image, around(s.inView(s.node(conv).pos() + QPointF(100, 0)), 2), theme.status.error, 100) >= 5);
    QVERIFY(pixelsLike(image, around(s.inView(s.node(conv).pos() + QPointF(220, 16)), 9), theme.status.error, 60) > 20);
    // Hollow ports: the node's colour inside.
    QCOMPARE(image.pixelColor(s.output(conv)), theme.surface.node);
    QCOMPARE(image.pixelColor(s.input(out)), theme.surface.node);
}

void TestCanvasLook::missingInputIsRed()
{
    Stage s;
    const NodeId relu = s.add("relu", 0, 0);
    s.settle();
    QVERIFY(s.node(relu).geometry().inputs[0].isRequired);
    QCOMPARE(s.node(relu).face().reason, QString("input is not connected"));
    QVERIFY(pixelsLike(s.shot(), around(s.input(relu), 7), s.themes.theme().status.error, 60) > 20);
}

void TestCanvasLook::staleIsDimmed()
{
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    s.put(snapshotOf(s, {result(in, 0, 0), result(conv, 6.3e-8, 6.3e-8), result(out, 0, 6.3e-8)}));
    s.settle();
    QVERIFY(!s.node(conv).face().isStale);
    QCOMPARE(s.node(conv).face().figure(), QString("6.3e−8"));
    const QRect name(s.inView(s.node(conv).pos() + QPointF(36, 8)), QSize(60, 16));
    const QColor text = s.themes.theme().text.primary;
    QVERIFY(pixelsLike(s.shot(), name, text, 90) > 20);
    const QPoint wire = s.output(conv) + QPoint(12, 0);
    const QColor line = s.themes.theme().dtype(DType::f32).line;
    QCOMPARE(s.pixel(wire), line);
    engine::Node node = *s.document.graph().find(conv);
    node.params["filters"] = std::int64_t{8};
    s.apply(engine::ReplaceNode{node});
    QTest::qWait(2 * ui::SnapshotStore::kAnnounceMs);
    s.settle();
    QVERIFY(s.node(conv).face().isStale);
    QCOMPARE(s.node(conv).face().figure(), QString("6.3e−8")); // numbers stay
    QCOMPARE(pixelsLike(s.shot(), name, text, 90), 0);
    QVERIFY(pixelsLike(s.shot(), around(wire, 1), line, 120) == 0);
    QVERIFY(s.edge(out).dtype() == DType::f32);
    // The border stays full.
    QCOMPARE(s.pixel(s.inView(s.node(conv).pos() + QPointF(100, 0))),
             s.pixel(s.inView(s.node(conv).pos() + QPointF(120, 0))));
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasLook::exactSaysSo()
{
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    s.put(snapshotOf(s, {result(in, 0, 0), result(conv, 6.3e-8, 6.3e-8), result(out, 0, 6.3e-8)}));
    s.settle();
    QCOMPARE(s.node(in).face().figure(), QString("exact"));
    QCOMPARE(s.node(out).face().figure(), QString("exact"));
    const QColor ramp = s.themes.theme().lossAt(6.3e-8);
    const auto bar = [&](NodeId id) {
        const QRectF track = ui::barTrack(s.node(id).geometry()).translated(s.node(id).pos());
        return QRect(s.inView(track.topLeft()), track.size().toSize());
    };
    const QImage image = s.shot();
    QVERIFY(pixelsLike(image, bar(conv), ramp) > 200); // (17 - 7.2) / 17 of 152 x 4
    QCOMPARE(pixelsLike(image, bar(in), ramp, 60), 0);
    QCOMPARE(pixelsLike(image, bar(out), ramp, 60), 0); // only its inherited part, pale
    QVERIFY(s.node(out).bar.total > 0.5 && s.node(out).bar.local == 0);
}

void TestCanvasLook::localBeforeTotal()
{
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    auto partial = snapshotOf(s, {result(conv, {}, 3e-6)});
    partial->partial = true;
    s.put(partial);
    s.settle();
    QVERIFY(s.node(conv).face().areStagesPending);
    QCOMPARE(s.node(conv).face().figure(), QString()); // the total is not the local error
    QVERIFY(s.node(conv).bar.total > 0.6);
    s.put(snapshotOf(s, {result(conv, 1e-8, 3e-6)}));
    s.settle();
    QVERIFY(!s.node(conv).face().areStagesPending);
    QCOMPARE(s.node(conv).face().figure(), QString("1.0e−8"));
    QVERIFY(std::abs(s.node(conv).bar.local - 9.0 / 17) < 1e-9);
}

void TestCanvasLook::askedRowMakesRoom()
{
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    const ui::NodeItem& node = s.node(conv);
    QCOMPARE(node.geometry().size, QSizeF(240, 130));
    QCOMPARE(node.face().columns[0].asked, std::optional(DType::f64));
    QCOMPARE(node.face().columns[0].ran, std::optional(DType::f32));
    QCOMPARE(node.face().columns[0].arrow, ui::SlotArrow::Lost);
    QCOMPARE(s.node(in).geometry().size, QSizeF(224, 116));
    QCOMPARE(s.node(in).face().columns.size(), std::size_t{1});
    s.settings("keras_tf26", {DType::f32, DType::f32});
    s.settle();
    QCOMPARE(node.geometry().size, QSizeF(240, 116));
    // All others have as many columns as slots that mean something there.
    QCOMPARE(s.node(out).face().columns.size(), std::size_t{1});
}

void TestCanvasLook::castNodesCarryTheirDot()
{
    Stage s;
    const NodeId in = s.addInput(0, 0), cast = s.add("cast", 320, 0, {{"to", std::string("bfloat16")}});
    s.connect(in, cast);
    s.settle();
    QCOMPARE(s.node(cast).face().castDot, std::optional(DotLevel::Medium));
    QVERIFY(!s.edge(cast).cast()); // not twice
    const QPoint dot = s.inView(s.node(cast).pos() + QPointF(200 - 20, 16));
    QCOMPARE(s.pixel(dot), s.themes.theme().loss.key);
}

void TestCanvasLook::mutedIsHatched()
{
    Stage s;
    const auto ids = s.chain();
    const QRect body(s.inView(s.node(ids[1]).pos() + QPointF(100, 60)), QSize(60, 28));
    const QColor plain = s.themes.theme().surface.node;
    const int before = pixelsLike(s.shot(), body, plain, 6);
    engine::Node node = *s.document.graph().find(ids[1]);
    node.muted = true;
    s.apply(engine::ReplaceNode{node});
    s.settle();
    QVERIFY(s.node(ids[1]).face().isMuted);
    QCOMPARE(s.node(ids[1]).face().badge, ui::NodeBadge::Muted);
    QVERIFY(pixelsLike(s.shot(), body, plain, 6) < before * 9 / 10);
}

void TestCanvasLook::runningShowsProgress()
{
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    s.results.setRunning(true);
    s.results.setProgress(0.5, "float64:float32, conv1");
    QTest::qWait(2 * ui::SnapshotStore::kAnnounceMs);
    QVERIFY(s.node(conv).face().isRunning && !s.node(in).face().isRunning);
    const QPointF corner = s.node(conv).pos();
    const QImage image = s.shot();
    QCOMPARE(image.pixelColor(s.inView(corner + QPointF(60, 1))), s.themes.theme().ink.fill);
    QVERIFY(image.pixelColor(s.inView(corner + QPointF(180, 1))) != s.themes.theme().ink.fill);
    s.results.setRunning(false);
    QTest::qWait(2 * ui::SnapshotStore::kAnnounceMs);
    QVERIFY(!s.node(conv).face().isRunning);
}

QTEST_MAIN(TestCanvasLook)
#include "tst_canvas_look.moc"
