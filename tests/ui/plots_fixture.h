// What the tests of the plots share: a document, a selection, a store and a theme, filled by real runs of the engine
// or by results made by hand.
#pragma once

#include <QtTest>
#include <QtWidgets>

#include "engine/dialects/dialects.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "tests/support/networks.h"
#include "ui/document/graph_document.h"
#include "ui/plots/plot_panel.h"

#include <algorithm>

namespace plots {

struct Fixture {
    ui::GraphDocument document;
    ui::Selection selection{document};
    ui::SnapshotStore store;
    ui::ThemeManager themes;
    std::uint64_t revision = 0;

    Fixture()
    {
        ui::loadFonts();
        themes.choose(ui::ThemeChoice::Light);
    }

    // Puts results and waits until the store has announced them.
    void put(std::shared_ptr<const engine::RunSnapshot> snapshot)
    {
        store.setWanted(snapshot->revision);
        store.put(std::move(snapshot));
        QTest::qWait(2 * ui::SnapshotStore::kAnnounceMs);
    }
    void open(const engine::Graph& graph)
    {
        engine::Document d;
        d.graph = graph;
        document.replace(std::move(d), {});
    }
    std::shared_ptr<const engine::RunSnapshot> run(const engine::RunRequest& request)
    {
        open(request.graph);
        engine::LocalRunner runner(engine::opCatalog(), engine::dialectCatalog(), {.threads = 2});
        engine::RunRequest r = request;
        r.revision = ++revision;
        auto snapshot = runner.run(r, {});
        if (!snapshot)
            qFatal("%s", snapshot.error().text().c_str());
        put(*snapshot);
        return *snapshot;
    }
    engine::NodeId node(const std::string& name) const
    {
        for (const auto& [id, n] : document.graph().nodes())
            if (n.name == name)
                return id;
        return {};
    }
};

// The combo of `request` goes first: the canvas's own.
inline engine::RunRequest canvasFirst(engine::RunRequest request, engine::Combo combo)
{
    std::stable_partition(request.configurations.begin(), request.configurations.end(),
                          [&](const engine::Configuration& c) { return c.combo == combo; });
    return request;
}

inline const engine::NodeResult& resultOf(const engine::RunSnapshot& s, engine::Combo combo, engine::NodeId id)
{
    for (const engine::RunResult& r : s.runs)
        if (r.combo == combo)
            for (const engine::NodeResult& n : r.nodes)
                if (n.id == id)
                    return n;
    qFatal("no such result");
}

// A run made by hand: one node after another with a relative L2 each, the last being node n.
inline engine::RunResult handRun(engine::Combo combo, const std::vector<double>& relL2)
{
    engine::RunResult run;
    run.combo = combo;
    run.dialect = "explicit";
    run.ok = true;
    for (std::size_t i = 0; i < relL2.size(); ++i) {
        engine::NodeResult node;
        node.id = {static_cast<std::uint32_t>(i + 1)};
        node.name = "node_" + std::to_string(i + 1);
        node.op = "relu";
        node.error.emplace();
        node.error->elements = 100;
        node.error->relL2 = relL2[i];
        node.error->maxAbs = relL2[i];
        run.nodes.push_back(std::move(node));
    }
    return run;
}

inline engine::Graph chainOf(std::size_t nodes)
{
    support::Chain chain;
    chain.add("input", {{"shape", engine::IntList{2}}}, "node_1");
    for (std::size_t i = 2; i <= nodes; ++i)
        chain.add("relu", {}, "node_" + std::to_string(i));
    return chain.graph();
}

// Hovers and clicks as the window system would tell of them.
inline void moveTo(QWidget& widget, QPointF at)
{
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}
inline void clickAt(QWidget& widget, QPointF at)
{
    QTest::mouseClick(&widget, Qt::LeftButton, {}, at.toPoint());
}

template <class Plot> void showPlot(Plot& plot, QSize size)
{
    plot.setMotion(ui::Motion::Instant);
    plot.resize(size);
    plot.show();
    if (!QTest::qWaitForWindowExposed(&plot))
        qFatal("the plot does not show");
}

inline QImage picture(QWidget& widget)
{
    return widget.grab().toImage();
}

inline bool near(const QColor& a, const QColor& b, int by = 6)
{
    return std::abs(a.red() - b.red()) <= by && std::abs(a.green() - b.green()) <= by &&
           std::abs(a.blue() - b.blue()) <= by;
}

// Pixels of a colour in a rectangle of the widget.
inline int countColor(const QImage& image, const QRectF& rect, const QColor& color, int by = 6)
{
    const double ratio = image.devicePixelRatio();
    const QRect r = QRectF(rect.topLeft() * ratio, rect.size() * ratio).toAlignedRect() & image.rect();
    int n = 0;
    for (int y = r.top(); y <= r.bottom(); ++y)
        for (int x = r.left(); x <= r.right(); ++x)
            n += near(image.pixelColor(x, y), color, by) ? 1 : 0;
    return n;
}

inline constexpr engine::Combo k3232{engine::DType::f32, engine::DType::f32};
inline constexpr engine::Combo k3264{engine::DType::f32, engine::DType::f64};
inline constexpr engine::Combo k6432{engine::DType::f64, engine::DType::f32};
inline constexpr engine::Combo k6464{engine::DType::f64, engine::DType::f64};

} // namespace plots
