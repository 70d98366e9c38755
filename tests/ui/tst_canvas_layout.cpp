// Courses and places: the wire's path as the look has it, arranging by depth as one undo step, motion.
#include <QtTest>

#include "tests/ui/canvas_stage.h"
#include "ui/scene/auto_layout.h"

using namespace canvas;

class TestCanvasLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wiresAsDrawn();
    void wiresThroughReroutes();
    void reroutesKeepTheirOrder();
    void columnsByDepth();
    void wiresDoNotCrossWithoutNeed();
    void wiresThatSkipAColumnGetALane();
    void arrangingIsOneStep();
    void arrangingGlides();
    void unplacedNodesAreSomewhere();
    void farAwayIsFinite();
    void thousandNodesAreArrangedAtOnce();

private:
    static std::map<NodeId, QSizeF> sizes(const engine::Graph& g)
    {
        std::map<NodeId, QSizeF> all;
        for (const auto& [id, node] : g.nodes())
            all[id] = {200, 116};
        return all;
    }
    static engine::Graph graph(int nodes, const std::vector<std::array<int, 2>>& edges)
    {
        engine::Graph g;
        for (int i = 1; i <= nodes; ++i) {
            engine::Node n;
            n.id = {static_cast<std::uint32_t>(i)};
            n.name = "n" + std::to_string(i);
            n.op = "add";
            (void)g.addNode(n);
        }
        for (const auto& [a, b] : edges) {
            const NodeId from{static_cast<std::uint32_t>(a)}, to{static_cast<std::uint32_t>(b)};
            (void)g.addEdge({from, "output", to, g.edgeInto(to, "input") ? "other" : "input"});
        }
        return g;
    }
};

// The seed picture's wires: M268 430 C321 430 321 346 374 346 H404, and a straight one.
void TestCanvasLayout::wiresAsDrawn()
{
    const ui::WirePath wire = ui::wirePath({268, 430}, {404, 346});
    QCOMPARE(wire.dot, QPointF(374, 346));
    QCOMPARE(wire.before.elementCount(), 4);
    QCOMPARE(QPointF(wire.before.elementAt(1)), QPointF(321, 430));
    QCOMPARE(QPointF(wire.before.elementAt(2)), QPointF(321, 346));
    QCOMPARE(wire.all.currentPosition(), QPointF(404, 346));
    QCOMPARE(ui::wirePath({268, 286}, {404, 286}).length, 106.0);
    QCOMPARE(ui::wirePath({268, 286}, {404, 286}).middle, QPointF(321, 286));
    // The control length stays within 24 and 120.
    QCOMPARE(QPointF(ui::wirePath({0, 0}, {1030, 50}).before.elementAt(1)), QPointF(120, 0));
    QCOMPARE(QPointF(ui::wirePath({0, 0}, {50, 50}).before.elementAt(1)), QPointF(24, 0));
}

void TestCanvasLayout::wiresThroughReroutes()
{
    const ui::WirePath wire = ui::wirePath({1000, 0}, {0, 300}, {{980, 150}, {100, 150}});
    bool meetsFirst = false, meetsSecond = false;
    for (int i = 0; i < wire.all.elementCount(); ++i) {
        meetsFirst = meetsFirst || QPointF(wire.all.elementAt(i)) == QPointF(980, 150);
        meetsSecond = meetsSecond || QPointF(wire.all.elementAt(i)) == QPointF(100, 150);
    }
    QVERIFY(meetsFirst && meetsSecond);
    // Back to the left, it leaves the first point leftwards and still enters the port rightwards.
    QVERIFY(wire.all.boundingRect().right() > 1000 && wire.all.boundingRect().left() < 0);
    QCOMPARE(wire.all.currentPosition(), QPointF(0, 300));
}

void TestCanvasLayout::reroutesKeepTheirOrder()
{
    const std::vector<QPointF> points{{100, 100}, {200, 100}};
    QCOMPARE(ui::rerouteIndex({0, 0}, {300, 0}, points, {40, 45}), std::size_t{0});
    QCOMPARE(ui::rerouteIndex({0, 0}, {300, 0}, points, {150, 104}), std::size_t{1});
    QCOMPARE(ui::rerouteIndex({0, 0}, {300, 0}, points, {260, 45}), std::size_t{2});
    QCOMPARE(ui::rerouteIndex({0, 0}, {300, 0}, {}, {150, 0}), std::size_t{0});
}

void TestCanvasLayout::columnsByDepth()
{
    // 1 -> 3 -> 4, 2 -> 3 (like a kernel), 5 -> 4: sources stand next to what takes them.
    const engine::Graph g = graph(5, {{1, 3}, {2, 3}, {3, 4}, {5, 4}});
    const auto at = ui::layeredLayout(g, sizes(g)).positions;
    const auto x = [&](std::uint32_t id) { return at.at(NodeId{id}).x; };
    QCOMPARE(x(1), 0.0);
    QCOMPARE(x(2), x(1));
    QCOMPARE(x(5), x(3));
    QVERIFY(x(1) + 200 < x(3) && x(3) + 200 < x(4));
    QCOMPARE(at.at(NodeId{1}).y, at.at(NodeId{3}).y); // chains run straight
    for (const auto& [id, p] : at) {
        QCOMPARE(std::fmod(p.x, 24), 0.0);
        QCOMPARE(std::fmod(p.y, 8), 0.0);
        for (const auto& [other, q] : at)
            QVERIFY(id == other || !QRectF(p.x, p.y, 200, 116).intersects(QRectF(q.x, q.y, 200, 116)));
    }
}

void TestCanvasLayout::wiresDoNotCrossWithoutNeed()
{
    // 1 -> 4 and 2 -> 3: in the order of their ids they would cross.
    const engine::Graph g = graph(4, {{2, 3}, {1, 4}});
    const auto at = ui::layeredLayout(g, sizes(g)).positions;
    QCOMPARE(at.at(NodeId{1}).y < at.at(NodeId{2}).y, at.at(NodeId{4}).y < at.at(NodeId{3}).y);
}

void TestCanvasLayout::wiresThatSkipAColumnGetALane()
{
    // A residual: 1 -> 2 -> 3 -> 4 and 1 -> 4.
    const engine::Graph g = graph(4, {{1, 2}, {2, 3}, {3, 4}, {1, 4}});
    const ui::LayoutPlan plan = ui::layeredLayout(g, sizes(g));
    QCOMPARE(plan.reroutes.size(), std::size_t{1});
    const auto& points = plan.reroutes.at({NodeId{4}, "other"});
    QCOMPARE(points.size(), std::size_t{2});
    for (const auto& [id, p] : plan.positions)
        for (const engine::Point& point : points)
            QVERIFY(!QRectF(p.x, p.y, 200, 116).contains(point.x, point.y));
}

void TestCanvasLayout::arrangingIsOneStep()
{
    Stage s;
    const auto ids = s.chain();
    for (const NodeId id : ids)
        s.apply(engine::MoveNodes{{{id, {37, 41}}}, {}});
    s.apply(engine::SetReroutes{{ids[1], "input"}, {{500, 500}}});
    s.settle();
    const int before = s.undoSteps();
    const std::uint64_t structure = s.document.structureRevision();
    s.view.autoLayout();
    QCOMPARE(s.undoSteps(), before + 1);
    QCOMPARE(s.undoText(), QString("Arrange nodes"));
    QCOMPARE(s.document.structureRevision(), structure); // no run
    QVERIFY(s.document.layout().reroutes.empty());
    QVERIFY(s.at(ids[0]).x < s.at(ids[1]).x && s.at(ids[1]).x < s.at(ids[2]).x);
    QCOMPARE(s.view.mirrorError(), QString());
    QCOMPARE(s.node(ids[1]).pos(), QPointF(s.at(ids[1]).x, s.at(ids[1]).y));
    s.document.undoStack().undo();
    QCOMPARE(s.at(ids[2]), (engine::Point{37, 41}));
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasLayout::arrangingGlides()
{
    Stage s;
    const auto ids = s.chain();
    s.apply(engine::MoveNodes{{{ids[2], {0, 600}}}, {}});
    s.settle();
    s.view.setMotion(ui::CanvasMotion::Animated);
    s.view.autoLayout();
    s.settle();
    if (QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0)
        QSKIP("this style wants no motion");
    const QPointF to(s.at(ids[2]).x, s.at(ids[2]).y);
    QCOMPARE(s.node(ids[2]).pos(), QPointF(0, 600)); // it sets out from where it was drawn
    QTest::qWait(60);
    const QPointF between = s.node(ids[2]).pos();
    QVERIFY(between != to && between != QPointF(0, 600));
    // Wires come along.
    QCOMPARE(s.edge(ids[2]).wire().all.currentPosition(), s.node(ids[2]).inputAt("input"));
    QTRY_COMPARE_WITH_TIMEOUT(s.node(ids[2]).pos(), to, 2000);
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasLayout::unplacedNodesAreSomewhere()
{
    Stage s;
    engine::Document d;
    d.graph = graph(3, {{1, 2}, {2, 3}});
    s.document.replace(std::move(d), {});
    s.settle();
    QVERIFY(s.node(NodeId{1}).pos().x() < s.node(NodeId{2}).pos().x());
    QVERIFY(!s.node(NodeId{2}).body().intersects(s.node(NodeId{3}).body()));
    QCOMPARE(s.view.mirrorError(), QString());
    s.drag(s.header(NodeId{1}), s.header(NodeId{1}) + QPoint(0, 80));
    QCOMPARE(s.document.layout().positions.size(), std::size_t{1});
    s.document.undoStack().undo();
    QVERIFY(s.document.layout().positions.empty());
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasLayout::farAwayIsFinite()
{
    Stage s;
    const NodeId near = s.addInput(0, 0), far = s.add("relu", 1e300, -1e300);
    s.connect(near, far);
    s.view.zoomToFit();
    QVERIFY(std::isfinite(s.node(far).pos().x()));
    QVERIFY(!s.shot().isNull());
    QCOMPARE(s.view.mirrorError(), QString());
}

void TestCanvasLayout::thousandNodesAreArrangedAtOnce()
{
    std::vector<std::array<int, 2>> edges;
    for (int i = 2; i <= 1000; ++i)
        edges.push_back({i - 1 - (i % 7) / 6 * std::min(3, i - 2), i});
    const engine::Graph g = graph(1000, edges);
    QElapsedTimer clock;
    clock.start();
    const ui::LayoutPlan plan = ui::layeredLayout(g, sizes(g));
    QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
    QCOMPARE(plan.positions.size(), std::size_t{1000});
    for (const auto& [id, p] : plan.positions)
        QVERIFY(std::isfinite(p.x) && std::isfinite(p.y));
}

QTEST_MAIN(TestCanvasLayout)
#include "tst_canvas_layout.moc"
