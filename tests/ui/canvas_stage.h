// What the tests of the canvas share: a document with its plan by the real planner, results by the real runner or made
// by hand, and the real view, driven by mouse and key events on its viewport.
#pragma once

#include <QtTest>
#include <QtWidgets>

#include "engine/dialects/dialects.h"
#include "engine/document/document_file.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "engine/run/plan_view.h"
#include "ui/scene/graph_view.h"

#include <algorithm>

namespace canvas {

using engine::DType;
using engine::EdgeKey;
using engine::NodeId;

struct Stage {
    ui::GraphDocument document;
    ui::Selection selection{document};
    ui::SnapshotStore results;
    ui::PlanStore plans;
    ui::ThemeManager themes;
    engine::Planner planner = engine::makePlanner(engine::opCatalog(), engine::dialectCatalog());
    ui::GraphView view{ui::SceneContext{document, selection, results, plans, themes, engine::opCatalog()}};

    explicit Stage(QSize size = {1000, 700})
    {
        ui::loadFonts();
        themes.choose(ui::ThemeChoice::Dark);
        QObject::connect(&document, &ui::GraphDocument::structureChanged, &document, [this] { plan(); });
        QObject::connect(&document, &ui::GraphDocument::documentReset, &document, [this] { plan(); });
        view.setMotion(ui::CanvasMotion::Instant);
        view.resize(size);
        view.show();
        QApplication::setActiveWindow(&view);
        view.setFocus();
        lookAt({400, 250}); // the scene's (0, 0) is 100, 100 from the corner
    }

    engine::RunRequest request() const
    {
        const engine::Document& d = document.value();
        engine::RunRequest r;
        r.revision = document.structureRevision();
        r.graph = d.graph;
        r.arrays = engine::resolveArrays(d, {}).arrays;
        r.floatx = d.settings.floatx;
        r.configurations.push_back({d.settings.dialect, d.settings.combo});
        r.batch = {0, 4};
        return r;
    }
    void plan()
    {
        results.setWanted(document.structureRevision());
        const engine::RunRequest r = request();
        plans.set(planner(r, r.configurations.front()));
    }
    void run()
    {
        engine::LocalRunner runner(engine::opCatalog(), engine::dialectCatalog(), {.threads = 2});
        auto snapshot = runner.run(request(), {});
        if (!snapshot)
            qFatal("%s", snapshot.error().text().c_str());
        put(*snapshot);
    }
    void put(std::shared_ptr<const engine::RunSnapshot> snapshot)
    {
        results.put(std::move(snapshot));
        QTest::qWait(2 * ui::SnapshotStore::kAnnounceMs);
    }
    void openLesson(const std::string& name)
    {
        auto loaded = engine::loadDocument(MANTISSA_SOURCE_DIR "/resources/lessons/" + name + ".mantissa");
        if (!loaded)
            qFatal("%s", loaded.error().text().c_str());
        document.replace(std::move(*loaded), {});
    }
    void settings(const std::string& dialect, engine::Combo combo)
    {
        engine::RunSettings s = document.value().settings;
        s.dialect = dialect;
        s.combo = combo;
        apply(engine::SetSettings{s});
    }
    void apply(const engine::Edit& edit)
    {
        if (const auto status = document.apply(edit, "step"); !status)
            qFatal("%s", status.error().text().c_str());
    }
    NodeId add(const std::string& op, double x, double y, engine::ParamMap params = {}, const std::string& name = {})
    {
        engine::Node node;
        node.id = document.graph().freshId();
        node.op = op;
        node.name = name.empty() ? op + "_" + std::to_string(node.id.value) : name;
        node.params = std::move(params);
        apply(engine::AddNode{node, {x, y}});
        return node.id;
    }
    NodeId addInput(double x, double y)
    {
        return add("input", x, y, {{"shape", engine::IntList{4, 8, 8, 1}}}, "digits");
    }
    void connect(NodeId from, NodeId to, const std::string& port = "input")
    {
        apply(engine::AddEdge{{from, "output", to, port}, {}});
    }
    // input -> relu -> softmax in a row, 280 px apart.
    std::array<NodeId, 3> chain()
    {
        const std::array<NodeId, 3> ids{addInput(0, 0), add("relu", 280, 0), add("softmax", 560, 0)};
        connect(ids[0], ids[1]);
        connect(ids[1], ids[2]);
        settle();
        return ids;
    }

    void settle() { view.canvas().flush(); }
    void lookAt(QPointF centre)
    {
        settle();
        view.setZoom(1, {});
        view.centerOn(centre);
    }
    const ui::NodeItem& node(NodeId id)
    {
        settle();
        return *view.canvas().node(id);
    }
    const ui::EdgeItem& edge(NodeId to, const std::string& port = "input")
    {
        settle();
        return *view.canvas().edge({to, port});
    }
    QPoint inView(QPointF scene) { return view.mapFromScene(scene); }
    QPoint header(NodeId id) { return inView(node(id).pos() + QPointF(90, 12)); }
    QPoint input(NodeId id, const std::string& port = "input") { return inView(node(id).inputAt(port)); }
    QPoint output(NodeId id) { return inView(node(id).outputAt()); }
    QPoint dot(NodeId to, const std::string& port = "input") { return inView(edge(to, port).wire().dot); }
    engine::Point at(NodeId id) const { return document.layout().positions.at(id); }

    void press(QPoint p, Qt::KeyboardModifiers m = {}, Qt::MouseButton b = Qt::LeftButton)
    {
        m_buttons |= b;
        QTest::mousePress(view.viewport(), b, m, p);
    }
    // Not QTest::mouseMove, which is silent where the cursor is there already.
    void moveTo(QPoint p)
    {
        QMouseEvent move(QEvent::MouseMove, p, view.viewport()->mapToGlobal(QPointF(p)), Qt::NoButton, m_buttons, {});
        QApplication::sendEvent(view.viewport(), &move);
    }
    void release(QPoint p, Qt::KeyboardModifiers m = {}, Qt::MouseButton b = Qt::LeftButton)
    {
        m_buttons &= ~Qt::MouseButtons(b);
        QTest::mouseRelease(view.viewport(), b, m, p);
    }
    void click(QPoint p, Qt::KeyboardModifiers m = {}) { QTest::mouseClick(view.viewport(), Qt::LeftButton, m, p); }
    // A press, a way in two steps, a release.
    void drag(QPoint a, QPoint b, Qt::KeyboardModifiers m = {})
    {
        press(a, m);
        moveTo((a + b) / 2);
        moveTo(b);
        release(b, m);
    }
    void key(int k, Qt::KeyboardModifiers m = {}) { QTest::keyClick(&view, static_cast<Qt::Key>(k), m); }

    QImage shot() { return view.viewport()->grab().toImage(); }
    QColor pixel(QPoint p) { return shot().pixelColor(p); }
    int undoSteps() { return document.undoStack().index(); }
    QString undoText() { return document.undoStack().undoText(); }

private:
    Qt::MouseButtons m_buttons;
};

// Counts pixels close to a colour within a rectangle.
inline int pixelsLike(const QImage& image, QRect area, const QColor& color, int tolerance = 24)
{
    int count = 0;
    area = area.intersected(image.rect());
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) {
            const QColor c = image.pixelColor(x, y);
            count += std::abs(c.red() - color.red()) + std::abs(c.green() - color.green()) +
                         std::abs(c.blue() - color.blue()) <=
                     tolerance;
        }
    return count;
}

inline QRect around(QPoint p, int r)
{
    return {p.x() - r, p.y() - r, 2 * r + 1, 2 * r + 1};
}

// input -> conv1 -> output under tf.keras, float64 in and float32 weights: one narrowing cast.
inline std::array<NodeId, 3> narrowing(Stage& s)
{
    s.settings("keras_tf26", {DType::f64, DType::f32});
    const NodeId in = s.addInput(0, 0), conv = s.add("conv2d", 320, 0, {{"filters", std::int64_t{4}}}, "conv1");
    const NodeId out = s.add("output", 640, 0);
    s.connect(in, conv);
    s.connect(conv, out);
    s.settle();
    return {in, conv, out};
}
inline std::shared_ptr<engine::RunSnapshot> snapshotOf(Stage& s, std::vector<engine::NodeResult> nodes)
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
inline engine::NodeResult result(NodeId id, std::optional<double> local, double total)
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

} // namespace canvas
