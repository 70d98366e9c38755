// What the canvas draws, further: the legend, levels of detail, themes, and the small texts on a node.
#include <QtTest>

#include "tests/ui/canvas_stage.h"
#include "ui/scene/legend.h"
#include "ui/scene/level_of_detail.h"
#include "ui/scene/node_words.h"

using namespace canvas;
using ui::DotLevel;
class TestCanvasDetail : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void legendListsWhatIsThere();
    void detailByZoom();
    void themeSwitches();
    void parameters_data();
    void parameters();
    void ports();
    void theMirrorIsChecked();
};

void TestCanvasDetail::legendListsWhatIsThere()
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

void TestCanvasDetail::detailByZoom()
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

void TestCanvasDetail::themeSwitches()
{
    Stage s;
    const auto ids = s.chain();
    const QPoint body = s.inView(s.node(ids[0]).pos() + QPointF(180, 74));
    QCOMPARE(s.pixel(body), ui::darkTheme().surface.node);
    s.themes.choose(ui::ThemeChoice::Light);
    QCOMPARE(s.pixel(body), ui::lightTheme().surface.node);
    const QImage image = s.shot();
    QVERIFY(pixelsLike(image, {600, 400, 100, 100}, ui::lightTheme().surface.canvas, 0) > 9000);
    QVERIFY(pixelsLike(image, {600, 400, 100, 100}, ui::lightTheme().grid.dot, 24) > 10);
}

void TestCanvasDetail::parameters_data()
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

void TestCanvasDetail::parameters()
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

void TestCanvasDetail::ports()
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

void TestCanvasDetail::theMirrorIsChecked()
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

QTEST_MAIN(TestCanvasDetail)
#include "tst_canvas_detail.moc"
