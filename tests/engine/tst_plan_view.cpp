// The plan as the canvas sees it: the same dtypes, slots and casts that a run reports, refused and blocked nodes
// with what is known of them, and no tensor touched.
#include "engine/dialects/dialects.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "engine/run/plan_view.h"
#include "tests/support/networks.h"

#include <QtTest>

using namespace engine;

class PlanViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void narrowingUnderKeras();
    void refusedAndBlocked();
    void agreesWithTheRun_data();
    void agreesWithTheRun();
    void touchesNoTensor();
    void slotsAndCastNodes();
    void upAndDownAgainIsExact();
    void halfBuiltGraphs();
    void missingArraysAndUnknownDialects();
    void outlivesItsMaking();
};

namespace {

const Configuration kNarrowing{"keras_tf26", {DType::f64, DType::f32}};

PlanView viewOf(const RunRequest& request, const Configuration& configuration)
{
    return makePlanner(opCatalog(), dialectCatalog())(request, configuration);
}

RunRequest requestOf(Graph graph)
{
    RunRequest r;
    r.graph = std::move(graph);
    return r;
}

const PortView* portOf(const NodeView& node, std::string_view name)
{
    for (const PortView& p : node.ports)
        if (p.port == name)
            return &p;
    return nullptr;
}

const NodeView& nodeOf(const PlanView& view, std::uint32_t id)
{
    return view.nodes.at(NodeId{id});
}

bool is(std::optional<DType> got, DType expected)
{
    return got == std::optional(expected);
}

} // namespace

void PlanViewTest::narrowingUnderKeras()
{
    const PlanView v = viewOf(requestOf(support::articleNetwork(2, false)), kNarrowing);
    QVERIFY(v.ok);
    QCOMPARE(v.nodes.size(), std::size_t{3});
    const NodeView &image = nodeOf(v, 1), &conv = nodeOf(v, 2), &output = nodeOf(v, 3);
    QVERIFY(is(image.dtype, DType::f64) && image.ports.empty());
    QCOMPARE(image.effectiveBits, 53);
    QCOMPARE(conv.shape, (Shape{2, 26, 26, 32}));
    QVERIFY(is(conv.dtype, DType::f32));
    QCOMPARE(conv.effectiveBits, 24);
    const PortView* input = portOf(conv, "input");
    QVERIFY(input && is(input->arrives, DType::f64) && is(input->used, DType::f32));
    QVERIFY(input->isCast && input->isImplicit && !input->isExact && !input->owned);
    QCOMPARE(QString::fromStdString(input->rule), QString("keras_tf26/cast-to-layer"));
    QVERIFY(!input->sentence.empty());
    const PortView* weight = portOf(conv, "weight");
    QVERIFY(weight && weight->owned && !weight->isCast && is(weight->arrives, DType::f32) &&
            is(weight->used, DType::f32));
    QVERIFY(portOf(conv, "bias")->owned);
    QCOMPARE(conv.ports.front().port, std::string("input")); // the record's order
    const PortView* last = portOf(output, "input");
    QVERIFY(last && is(last->arrives, DType::f32) && !last->isCast);
    QCOMPARE(v.findings.size(), std::size_t{1});
    QVERIFY(v.plan.find("cast %0 float64 -> float32") != std::string::npos);
}

void PlanViewTest::refusedAndBlocked()
{
    const PlanView v = viewOf(requestOf(support::articleNetwork(2, false)), {"explicit", {DType::f64, DType::f32}});
    QVERIFY(!v.ok);
    const NodeView &conv = nodeOf(v, 2), &output = nodeOf(v, 3);
    QVERIFY(conv.refused && !conv.blocked && !conv.dtype);
    QVERIFY(output.blocked && !output.refused && !output.dtype);
    // What meets there is known all the same.
    QVERIFY(is(portOf(conv, "input")->arrives, DType::f64));
    QVERIFY(is(portOf(conv, "weight")->arrives, DType::f32));
    QVERIFY(!portOf(conv, "input")->used && !portOf(conv, "weight")->used);
    QVERIFY(!portOf(output, "input")->arrives);
    for (std::size_t s = 0; s < kSlotCount; ++s)
        QVERIFY(conv.hasSlot[s] && !conv.slots[s].ran);
    QCOMPARE(v.findings.size(), std::size_t{1});
    QVERIFY(v.findings[0].node == NodeId{2} && v.findings[0].severity == Severity::Error);
    QVERIFY(is(nodeOf(v, 1).dtype, DType::f64));
}

void PlanViewTest::agreesWithTheRun_data()
{
    QTest::addColumn<QString>("dialect");
    for (const DialectSpec* d : dialectCatalog().all())
        QTest::newRow(std::string(d->name).c_str()) << QString::fromStdString(std::string(d->name));
}

void PlanViewTest::agreesWithTheRun()
{
    QFETCH(QString, dialect);
    LocalRunner runner(opCatalog(), dialectCatalog(), {.threads = 1});
    RunRequest request = support::fourCombos(support::lenet(1, false), dialect.toStdString());
    request.configurations.push_back({dialect.toStdString(), {DType::f16, DType::bf16}});
    request.wantReference = false;
    const auto snapshot = runner.run(request, {});
    QVERIFY(snapshot.ok());
    for (const RunResult& run : (*snapshot)->runs) {
        const PlanView v = viewOf(request, {run.dialect, run.combo});
        QCOMPARE(v.ok, run.ok);
        QVERIFY(v.findings == run.findings);
        QCOMPARE(v.plan, run.plan);
        std::size_t ran = 0;
        for (const auto& [id, n] : v.nodes)
            ran += n.dtype ? 1u : 0u;
        QCOMPARE(ran, run.nodes.size());
        for (const NodeResult& r : run.nodes) {
            const NodeView& n = v.nodes.at(r.id);
            QVERIFY(is(n.dtype, r.dtype));
            QCOMPARE(n.shape, r.shape);
            QCOMPARE(n.effectiveBits, r.effectiveBits);
            QVERIFY(n.hasSlot == r.hasSlot);
            for (std::size_t s = 0; s < kSlotCount; ++s)
                QVERIFY(n.slots[s].ran == r.slots[s].ran && n.slots[s].asked == r.slots[s].asked);
            for (const PortView& p : n.ports) {
                const auto cast =
                    std::find_if(r.casts.begin(), r.casts.end(), [&](const CastReport& c) { return c.port == p.port; });
                QCOMPARE(p.isCast, cast != r.casts.end());
                if (p.isCast)
                    QVERIFY(p.isImplicit == cast->implicit && p.rule == cast->rule && is(p.arrives, cast->from));
            }
        }
    }
}

void PlanViewTest::touchesNoTensor()
{
    // A petabyte, if anything were made.
    const PlanView v = viewOf(requestOf(support::lenet(1'000'000, false)), kNarrowing);
    QVERIFY(v.ok);
    QCOMPARE(nodeOf(v, 2).shape, (Shape{1'000'000, 28, 28, 32}));
}

void PlanViewTest::slotsAndCastNodes()
{
    support::Chain c;
    c.add("input", {{"shape", IntList{2, 8}}, {"value", support::uniformSource(0, 1, 1)}});
    c.add("cast", {{"to", std::string("float16")}});
    support::Node& dense = c.add("dense", {{"units", std::int64_t{4}}, {"use_bias", false}});
    dense.slots[static_cast<std::size_t>(Slot::Compute)] = {SlotAsk::Kind::Widest, {}};
    dense.slots[static_cast<std::size_t>(Slot::Output)] = SlotAsk::fixed(DType::bf16);
    const PlanView v = viewOf(requestOf(c.graph()), {"explicit", {DType::f64, DType::f32}});
    QVERIFY(v.ok);
    const PortView* at = portOf(nodeOf(v, 2), "input");
    QVERIFY(at->isCast && !at->isImplicit && !at->isExact && is(at->arrives, DType::f64) && is(at->used, DType::f16));
    QCOMPARE(at->rule, std::string("node"));
    const NodeView& d = nodeOf(v, 3);
    QVERIFY(!portOf(d, "bias")); // switched off
    const PortView* input = portOf(d, "input");
    QVERIFY(input->isCast && !input->isImplicit && input->isExact && is(input->used, DType::f32));
    QCOMPARE(input->rule, std::string("slot/compute"));
    QCOMPARE(d.slots[static_cast<std::size_t>(Slot::Compute)].asked.value(), std::string("widest"));
    QVERIFY(is(d.slots[static_cast<std::size_t>(Slot::Compute)].ran, DType::f32));
    QVERIFY(is(d.dtype, DType::bf16));
}

// float16 to a float32 weight slot and back to compute in float16 loses nothing; float32 into float16 does.
void PlanViewTest::upAndDownAgainIsExact()
{
    support::Chain c;
    c.add("input", {{"shape", IntList{2, 8}}, {"value", support::uniformSource(0, 1, 1)}});
    support::Node& dense = c.add("dense", {{"units", std::int64_t{4}}, {"use_bias", false}});
    dense.slots[static_cast<std::size_t>(Slot::Input)] = SlotAsk::fixed(DType::f32);
    dense.slots[static_cast<std::size_t>(Slot::Compute)] = SlotAsk::fixed(DType::f16);
    for (const auto& [storage, isExact] : {std::pair{DType::f16, true}, {DType::f32, false}, {DType::f64, false}}) {
        const PlanView v = viewOf(requestOf(c.graph()), {"explicit", {storage, DType::f16}});
        const PortView* input = portOf(nodeOf(v, 2), "input");
        QVERIFY(input->isCast && is(input->used, DType::f16));
        QCOMPARE(input->isExact, isExact);
    }
}

void PlanViewTest::halfBuiltGraphs()
{
    support::Chain c;
    c.add("input", {{"shape", IntList{2, 8}}, {"value", support::uniformSource(0, 1, 1)}});
    c.add("warp_drive");
    c.add("relu");
    Graph g = c.graph();
    support::Node lonely;
    lonely.id = {9};
    lonely.name = "lonely";
    lonely.op = "dense";
    QVERIFY(g.addNode(lonely).ok());
    const PlanView v = viewOf(requestOf(g), kNarrowing);
    QVERIFY(!v.ok);
    QVERIFY(nodeOf(v, 2).refused && nodeOf(v, 3).blocked && nodeOf(v, 9).refused);
    QCOMPARE(nodeOf(v, 2).ports.size(), std::size_t{1}); // what is wired, though the op is unknown
    QVERIFY(is(nodeOf(v, 2).ports[0].arrives, DType::f64));
    QVERIFY(!portOf(nodeOf(v, 9), "input")->arrives && !portOf(nodeOf(v, 9), "input")->owned);
    QVERIFY(portOf(nodeOf(v, 9), "weight")->owned);
    QVERIFY(!nodeOf(v, 3).ports[0].arrives);
}

void PlanViewTest::missingArraysAndUnknownDialects()
{
    support::Chain c;
    Source missing;
    missing.kind = Source::Kind::File;
    missing.name = "nowhere.npy";
    c.add("input", {{"shape", IntList{-1, 4}}, {"value", missing}}, "data");
    c.add("relu");
    RunRequest request = requestOf(c.graph());
    QVERIFY(nodeOf(viewOf(request, kNarrowing), 1).refused);
    // Its shape is all that is needed.
    SourceArray array;
    array.shape = {3, 4};
    array.data = Tensor::allocate(DType::f64, array.shape);
    request.arrays[missing.arrayKey()] = array;
    QCOMPARE(nodeOf(viewOf(request, kNarrowing), 2).shape, (Shape{3, 4}));
    request.batch = {{1, 3}};
    QCOMPARE(nodeOf(viewOf(request, kNarrowing), 2).shape, (Shape{2, 4}));
    const PlanView unknown = viewOf(request, {"esperanto", {}});
    QVERIFY(!unknown.ok && unknown.nodes.empty());
    QVERIFY(unknown.findings.at(0).message.find("esperanto") != std::string::npos);
}

void PlanViewTest::outlivesItsMaking()
{
    std::optional<PlanView> v;
    {
        const RunRequest request = requestOf(support::articleNetwork(1, false));
        v = viewOf(request, kNarrowing);
    }
    QCOMPARE(portOf(nodeOf(*v, 2), "input")->rule, std::string("keras_tf26/cast-to-layer"));
}

QTEST_GUILESS_MAIN(PlanViewTest)
#include "tst_plan_view.moc"
