// What the canvas draws: dots by measured loss, pipes, refused and blocked nodes, stale dimming, the error bar, the
// legend, levels of detail, themes; and the small texts on a node.
#include <QtTest>

#include "tests/ui/canvas_stage.h"
#include "ui/scene/legend.h"
#include "ui/scene/level_of_detail.h"
#include "ui/scene/node_words.h"

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
    void legendListsWhatIsThere();
    void detailByZoom();
    void themeSwitches();
    void parameters_data();
    void parameters();
    void ports();
    void theMirrorIsChecked();

private:
    static std::array<NodeId, 3> narrowing(Stage& s)
    {
        s.settings("keras_tf26", {DType::f64, DType::f32});
        const NodeId in = s.addInput(0, 0), conv = s.add("conv2d", 320, 0, {{"filters", std::int64_t{4}}}, "conv1");
        const NodeId out = s.add("output", 640, 0);
        s.connect(in, conv);
        s.connect(conv, out);
        s.settle();
        return {in, conv, out};
    }
    static std::shared_ptr<engine::RunSnapshot> snapshotOf(Stage& s, std::vector<engine::NodeResult> nodes)
    {
        auto snapshot = std::make_shared<engine::RunSnapshot>();
        snapshot->revision = s.document.structureRevision();
        engine::RunResult run;
        run.combo = s.document.value().settings.combo;
        run.dialect = s.document.value().settings.dialect;
        run.ok = true;
        run.nodes = std::move(nodes);
        snapshot->runs.push_back(std::move(run));
        return snapshot;
    }
    static engine::NodeResult result(NodeId id, std::optional<double> local, double total)
    {
        engine::NodeResult r;
        r.id = id;
        r.health.normal = 10;
        r.error = engine::ErrorMetrics{};
        r.error->relL2 = total;
        r.error->rmsReference = 0.5;
        if (local) {
            r.stages = engine::Attribution{};
            r.stages->localRmse = *local * 0.5;
        }
        return r;
    }
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
    QTEST(ui::levelByFormats(from, to), "level");
}

void TestCanvasLook::levelsByMeasure()
{
    engine::CastReport r;
    r.from = DType::f32;
    r.to = DType::bf16;
    QCOMPARE(ui::levelOf(r), DotLevel::Exact); // no value changed
    r.changed = 0.1;
    for (const auto& [bits, level] : {std::pair{24.0, DotLevel::Small},
                                      {20.0, DotLevel::Small},
                                      {19.9, DotLevel::Medium},
                                      {8.0, DotLevel::Medium},
                                      {7.9, DotLevel::Large},
                                      {0.0, DotLevel::Large}}) {
        r.bitsKept = bits;
        QCOMPARE(ui::levelOf(r), level);
    }
    r.bitsKept = 24;
    r.newZero = 1;
    QCOMPARE(ui::levelOf(r), DotLevel::Large);
    r.newInf = 1;
    QCOMPARE(ui::levelOf(r), DotLevel::Overflow);
    r.newInf = 0;
    r.newNan = 1;
    QCOMPARE(ui::levelOf(r), DotLevel::Overflow);
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
    QCOMPARE(image.pixelColor(s.inView(s.node(conv).pos() + QPointF(100, 0))), theme.status.error);
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
    const int bright = pixelsLike(s.shot(), name, text, 90);
    QVERIFY(bright > 20);
    engine::Node node = *s.document.graph().find(conv);
    node.params["filters"] = std::int64_t{8};
    s.apply(engine::ReplaceNode{node});
    QTest::qWait(2 * ui::SnapshotStore::kAnnounceMs);
    s.settle();
    QVERIFY(s.node(conv).face().isStale);
    QCOMPARE(s.node(conv).face().figure(), QString("6.3e−8")); // numbers stay
    QCOMPARE(pixelsLike(s.shot(), name, text, 90), 0);
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

void TestCanvasLook::legendListsWhatIsThere()
{
    Stage s;
    QVERIFY(!s.view.legend()->isVisible()); // nothing to explain
    narrowing(s);
    s.settle();
    QCOMPARE(s.view.legend()->dtypes(), (std::vector{DType::f64, DType::f32}));
    QCOMPARE(s.view.legend()->levels(), std::vector{DotLevel::Small});
    QVERIFY(s.view.legend()->isVisible());
    const QRect place = s.view.legend()->geometry();
    QCOMPARE(place.left(), 16);
    QCOMPARE(place.bottom() + 1, s.view.viewport()->height() - 16);
    QTest::mouseClick(s.view.legend(), Qt::LeftButton, {}, {20, 12});
    QVERIFY(s.view.legend()->isFolded());
    QVERIFY(s.view.legend()->height() < 32);
    s.document.replace({}, {});
    s.settle();
    QVERIFY(!s.view.legend()->isVisible());
}

void TestCanvasLook::detailByZoom()
{
    QVERIFY(ui::detailAt(0.6) == ui::Detail::Full && ui::detailAt(0.59) == ui::Detail::Middle);
    QVERIFY(ui::detailAt(0.35) == ui::Detail::Middle && ui::detailAt(0.34) == ui::Detail::Low);
    QVERIFY(ui::detailAt(0.15) == ui::Detail::Low && ui::detailAt(0.14) == ui::Detail::Block);
    Stage s;
    const auto [in, conv, out] = narrowing(s);
    s.put(snapshotOf(s, {result(in, 0, 0), result(conv, 1e-4, 1e-4), result(out, 0, 1e-4)}));
    const ui::Theme& theme = s.themes.theme();
    for (const double zoom : {0.5, 0.25, 0.1}) {
        s.view.setZoom(zoom, s.header(conv));
        const QImage image = s.shot();
        const QRect body(s.inView(s.node(conv).pos()), (s.node(conv).geometry().size * zoom).toSize());
        const QColor ramp = theme.lossAt(1e-4);
        const int loss = pixelsLike(image, body, ramp);
        // At every level the error is seen, and the dot; as a block it is all there is.
        QVERIFY2(loss > 20, qPrintable(QString::number(zoom)));
        if (zoom < 0.15)
            QVERIFY(loss > body.width() * body.height() * 7 / 10);
        QVERIFY(pixelsLike(image, around(s.dot(conv), 6), theme.loss.key) > 8);
    }
}

void TestCanvasLook::themeSwitches()
{
    Stage s;
    const auto ids = s.chain();
    const QPoint body = s.inView(s.node(ids[0]).pos() + QPointF(180, 74));
    QCOMPARE(s.pixel(body), ui::darkTheme().surface.node);
    s.themes.choose(ui::ThemeChoice::Light);
    QCOMPARE(s.pixel(body), ui::lightTheme().surface.node);
    const QImage image = s.shot();
    QVERIFY(pixelsLike(image, {600, 400, 100, 100}, ui::lightTheme().surface.canvas, 0) > 9000);
    QVERIFY(pixelsLike(image, {600, 400, 100, 100}, ui::lightTheme().grid.dot, 12) > 10);
}

void TestCanvasLook::parameters_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("params");
    QTest::addColumn<QString>("text");
    QTest::newRow("conv2d") << "conv2d"
                            << R"({"filters": 32})"
                            << "3×3 · 32 filters · valid";
    QTest::newRow("what differs") << "conv2d"
                                  << R"({"filters": 8, "strides": [2,2], "use_bias": false})"
                                  << "3×3 · 8 filters · strides 2×2 · valid · no bias";
    QTest::newRow("dense") << "dense"
                           << R"({"units": 10})"
                           << "10 units";
    QTest::newRow("softmax") << "softmax"
                             << "{}"
                             << "axis −1";
    QTest::newRow("relu") << "relu"
                          << "{}"
                          << "";
    QTest::newRow("cast") << "cast"
                          << R"({"to": "bfloat16"})"
                          << "to bfloat16";
    QTest::newRow("weights") << "weights"
                             << R"({"value": {"init": "glorot_uniform", "seed": 7}})"
                             << "glorot_uniform · seed 7";
    QTest::newRow("out of range") << "conv2d"
                                  << R"({"filters": 0})"
                                  << "a parameter is out of range";
    QTest::newRow("unknown") << "fold"
                             << "{}"
                             << "unknown op fold";
}

void TestCanvasLook::parameters()
{
    QFETCH(QString, op);
    QFETCH(QString, params);
    engine::Node node;
    node.op = op.toStdString();
    const engine::OpSpec* spec = engine::opCatalog().find(node.op);
    const QJsonObject object = QJsonDocument::fromJson(params.toUtf8()).object();
    for (const QString& key : object.keys()) {
        engine::ParamKind kind = engine::ParamKind::Int;
        for (const engine::ParamSpec& p : spec->params)
            if (p.name == key.toStdString())
                kind = p.kind;
        QJsonDocument value;
        QByteArray text = QJsonDocument(QJsonArray{object[key]}).toJson(QJsonDocument::Compact);
        text = text.mid(1, text.size() - 2);
        const auto parsed = engine::paramFromJson(kind, text.toStdString(), "test");
        QVERIFY2(parsed.ok(), text.constData());
        node.params[key.toStdString()] = *parsed;
    }
    QTEST(ui::paramsText(spec, node), "text");
}

void TestCanvasLook::ports()
{
    Stage s;
    const NodeId add = s.add("add", 0, 0), bn = s.add("batch_normalization", 300, 0);
    s.settle();
    const auto at = [&](NodeId id, const char* port) { return s.node(id).geometry().input(port)->at; };
    QCOMPARE(at(add, "input"), QPointF(0, 26));
    QCOMPARE(at(add, "other"), QPointF(0, 50));
    // Four parameters of its own, from the slot row on: the node grows to hold them.
    QCOMPARE(at(bn, "scale"), QPointF(0, 72));
    QCOMPARE(at(bn, "variance"), QPointF(0, 144));
    QVERIFY(s.node(bn).geometry().size.height() > 150);
    QVERIFY(!s.node(s.add("output", 600, 0)).geometry().output);
}

void TestCanvasLook::theMirrorIsChecked()
{
    Stage s;
    const auto ids = s.chain();
    QCOMPARE(s.view.mirrorError(), QString());
    auto* item = const_cast<ui::NodeItem*>(&s.node(ids[1]));
    item->setPos(1, 2);
    QVERIFY(s.view.mirrorError().contains("elsewhere"));
    item->setPos(280, 0);
    QCOMPARE(s.view.mirrorError(), QString());
    item->isRinged = true;
    QVERIFY(s.view.mirrorError().contains("selection"));
    item->isRinged = false;
    ui::NodeItem stray(s.view.canvas().paintContext(), ids[0]);
    s.view.canvas().addItem(&stray);
    QVERIFY(s.view.mirrorError().contains("left of what is gone"));
}

QTEST_MAIN(TestCanvasLook)
#include "tst_canvas_look.moc"
