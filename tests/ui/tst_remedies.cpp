// Remedies and acts of casts as edits: each is applied, and seen in the document and in the plan that follows from it.
#include <QtTest/QtTest>

#include "tests/engine/plan_graphs.h"
#include "ui/document/remedies.h"

using namespace engine;
using namespace engine::testing;
using namespace ui;

namespace {

constexpr auto kConv = NodeId{2};

// input (float64) -> conv2d (float32 weights of its own) -> output, placed in a row.
Document article(std::string dialect)
{
    GraphBuilder g;
    const NodeId x = g.add("digits", "input", {{"shape", IntList{1, 8, 8, 1}}});
    const NodeId conv = g.then(x, "conv1", "conv2d", {{"filters", std::int64_t{2}}});
    g.then(conv, "features", "output");
    Document d;
    d.graph = g.graph;
    d.settings.dialect = std::move(dialect);
    d.settings.combo = {DType::f64, DType::f32};
    d.layout.positions = {{x, {0, 100}}, {conv, {300, 200}}, {NodeId{3}, {600, 200}}};
    return d;
}

Plan planOf(const Document& d)
{
    return lower({d.graph,
                  opCatalog(),
                  *dialectCatalog().find(d.settings.dialect),
                  d.settings.combo,
                  d.settings.floatx,
                  Isa::Baseline,
                  {},
                  {}});
}

int implicitCasts(const Document& d)
{
    const Plan plan = planOf(d);
    return static_cast<int>(std::count_if(plan.steps.begin(), plan.steps.end(),
                                          [](const PlanStep& s) { return s.kind == StepKind::Cast && s.implicit; }));
}

struct Applied {
    Document document;
    QString name, label;
};

// Applied, and taken back to see that it can be.
std::optional<Applied> applied(const Document& d, const std::optional<NamedEdit>& made)
{
    if (!made)
        return std::nullopt;
    Applied result{d, made->name, made->label};
    const Result<Edit> inverse = applyEdit(result.document, made->edit);
    Document back = result.document;
    if (!inverse || !applyEdit(back, *inverse).ok() || !equal(back, d) || !brokenInvariant(result.document).empty())
        return std::nullopt;
    return result;
}

std::optional<Applied> remedied(const Document& d, NodeId node, const std::string& port, const std::string& remedy,
                                std::optional<DType> arrives = {}, std::optional<DType> used = {})
{
    return applied(d, remedyEdit(d, opCatalog(), node, port, remedy, arrives, used));
}

Document with(Document d, NodeId id, const std::function<void(Node&)>& change)
{
    Node n = *d.graph.find(id);
    change(n);
    (void)d.graph.replaceNode(n);
    return d;
}

SlotAsk& slotOf(Node& n, Slot slot)
{
    return n.slots[static_cast<std::size_t>(slot)];
}

} // namespace

class RemediesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRemedyOfAPlanIsKnown();
    void compute();
    void setCompute();
    void castBeforeOwnedWeight();
    void castOnThePortsEdge();
    void castOnASecondOperand();
    void castKeepsReroutesAndFrames();
    void layerAndFloatx();
    void switchDialect();
    void forbidAndAllow();
    void clearSlots();
    void actsOfACast();
    void noEdit();
    void freshNodes();
};

// What the planner names is an edit here, or one of those that the user has to decide.
void RemediesTest::everyRemedyOfAPlanIsKnown()
{
    int tried = 0;
    for (const char* dialect : {"explicit", "keras_tf26"}) {
        const Document d = article(dialect);
        const Plan plan = planOf(d);
        QVERIFY(!plan.findings.empty());
        for (const Finding& f : plan.findings)
            for (const std::string& remedy : f.remedies) {
                const bool isWeight = f.port == "weight";
                const auto result = remedied(d, f.node, f.port, remedy, isWeight ? DType::f32 : DType::f64,
                                             isWeight ? DType::f64 : DType::f32);
                QVERIFY2(result && !result->name.isEmpty() && !result->label.isEmpty(), remedy.c_str());
                const Plan after = planOf(result->document);
                // The finding is gone, or at least the refusal.
                QVERIFY2(after.ok, (std::string(dialect) + ", " + remedy).c_str());
                ++tried;
            }
    }
    QCOMPARE(tried, 4 + 4);
}

void RemediesTest::compute()
{
    const Document d = article("explicit");
    QVERIFY(!planOf(d).ok);
    auto widest = remedied(d, kConv, "weight", "compute-widest", DType::f32, DType::f64);
    QVERIFY(widest);
    QCOMPARE(widest->name, QString("Compute conv1 in the widest dtype"));
    QCOMPARE(widest->label, QString("Compute in float64 (widest)"));
    QVERIFY(widest->document.graph.find(kConv)->slot(Slot::Compute).kind == SlotAsk::Kind::Widest);
    QVERIFY(planOf(widest->document).ok);
    auto narrowest = remedied(d, kConv, "weight", "compute-narrowest", DType::f32, DType::f64);
    QVERIFY(narrowest);
    QCOMPARE(narrowest->label, QString("Compute in float32 (narrowest)"));
    QVERIFY(narrowest->document.graph.find(kConv)->slot(Slot::Compute).kind == SlotAsk::Kind::Narrowest);
    QCOMPARE(remedied(d, kConv, "weight", "compute-narrowest", DType::f64, DType::f32)->label,
             QString("Compute in float32 (narrowest)"));
    QCOMPARE(remedied(d, kConv, "weight", "compute-widest")->label, QString("Compute in the widest dtype"));
    QCOMPARE(remedied(d, kConv, "weight", "compute-widest", DType::f16, DType::bf16)->label,
             QString("Compute in the widest dtype"));                        // neither holds the other
    QVERIFY(!remedied(widest->document, kConv, "weight", "compute-widest")); // asked already
    QVERIFY(!remedied(d, NodeId{3}, "input", "compute-widest"));             // an output has no such slot
}

void RemediesTest::setCompute()
{
    Document d = article("explicit");
    d = with(d, kConv, [](Node& n) {
        slotOf(n, Slot::Compute) = SlotAsk::fixed(DType::f64);
        slotOf(n, Slot::Accumulate) = SlotAsk::fixed(DType::f16);
    });
    QCOMPARE(planOf(d).findings[0].rule, std::string("no-kernel"));
    const auto result = remedied(d, kConv, "", "set-compute");
    QVERIFY(result);
    QCOMPARE(result->label, QString("Compute in float32"));
    QCOMPARE(result->document.graph.find(kConv)->slot(Slot::Compute).text(), std::optional<std::string>("float32"));
    QVERIFY(!result->document.graph.find(kConv)->slot(Slot::Accumulate).text()); // (float32, float16) is no pair
    QVERIFY(planOf(result->document).ok);
}

// The finding is at the weight, which has no edge: the input is cast to the weight's dtype.
void RemediesTest::castBeforeOwnedWeight()
{
    const Document d = article("explicit");
    const auto result = remedied(d, kConv, "weight", "insert-cast", DType::f32, DType::f64);
    QVERIFY(result);
    QCOMPARE(result->name, QString("Cast to float32 between digits and conv1"));
    QCOMPARE(result->label, QString("Insert a Cast"));
    const Graph& g = result->document.graph;
    const NodeId cast = g.edgeInto(kConv, "input")->from;
    QCOMPARE(g.find(cast)->op, std::string("cast"));
    QCOMPARE(g.find(cast)->name, std::string("cast"));
    QCOMPARE(std::get<std::string>(g.find(cast)->params.at("to")), std::string("float32"));
    QCOMPARE(g.edgeInto(cast, "input")->from.value, 1u);
    QVERIFY((result->document.layout.positions.at(cast) == Point{150, 150})); // halfway
    QVERIFY(planOf(result->document).ok);
    QCOMPARE(implicitCasts(result->document), 0);
}

void RemediesTest::castOnThePortsEdge()
{
    const Document d = article("keras_tf26");
    QCOMPARE(implicitCasts(d), 1);
    const auto known = remedied(d, kConv, "input", "insert-cast", DType::f64, DType::f32);
    const auto unknown = remedied(d, kConv, "input", "insert-cast", DType::f64); // floatx decides
    for (const auto& result : {known, unknown}) {
        QVERIFY(result);
        const Graph& g = result->document.graph;
        QCOMPARE(std::get<std::string>(g.find(g.edgeInto(kConv, "input")->from)->params.at("to")),
                 std::string("float32"));
        QCOMPARE(implicitCasts(result->document), 0);
    }
    const Document layer = with(d, kConv, [](Node& n) { n.layerDtype = DType::f16; });
    const auto toLayer = remedied(layer, kConv, "input", "insert-cast", DType::f64);
    const Graph& g = toLayer->document.graph;
    QCOMPARE(std::get<std::string>(g.find(g.edgeInto(kConv, "input")->from)->params.at("to")), std::string("float16"));
}

void RemediesTest::castOnASecondOperand()
{
    GraphBuilder b;
    const NodeId x = b.add("x", "input"), w = b.add("w", "weights", {{"shape", IntList{1}}});
    const NodeId add = b.then(x, "sum", "add");
    b.wire(w, add, "other");
    Document d;
    d.graph = b.graph;
    d.settings.combo = {DType::f64, DType::f32};
    QVERIFY(!planOf(d).ok);
    const auto widened = remedied(d, add, "other", "insert-cast", DType::f32, DType::f64);
    QVERIFY(widened && planOf(widened->document).ok);
    QCOMPARE(widened->document.graph.edgeInto(add, "input")->from.value, x.value);
    QCOMPARE(widened->name, QString("Cast to float64 between w and sum"));
    const auto narrowed = remedied(d, add, "other", "insert-cast", DType::f32); // the other's dtype is not known
    QVERIFY(narrowed && planOf(narrowed->document).ok);
    QCOMPARE(narrowed->name, QString("Cast to float32 between x and sum"));
}

void RemediesTest::castKeepsReroutesAndFrames()
{
    Document d = article("explicit");
    d.layout.reroutes[{kConv, "input"}] = {{1, 1}, {2, 2}, {3, 3}};
    d.layout.frames = {{1, "both", "", {}, {}, {NodeId{1}, kConv}}, {2, "one", "", {}, {}, {kConv}}};
    const auto result = remedied(d, kConv, "weight", "insert-cast", DType::f32);
    QVERIFY(result);
    const Layout& layout = result->document.layout;
    const NodeId cast = result->document.graph.edgeInto(kConv, "input")->from;
    QVERIFY((layout.positions.at(cast) == Point{2, 2})); // in the middle of the path
    QVERIFY((layout.reroutes.at({cast, "input"}) == std::vector<Point>{{1, 1}}));
    QVERIFY((layout.reroutes.at({kConv, "input"}) == std::vector<Point>{{3, 3}}));
    QVERIFY((layout.frames[0].nodes == std::vector{NodeId{1}, kConv, cast}));
    QVERIFY((layout.frames[1].nodes == std::vector{kConv}));
}

void RemediesTest::layerAndFloatx()
{
    const Document d = article("keras_tf26");
    const auto layer = remedied(d, kConv, "input", "set-layer-dtype", DType::f64, DType::f32);
    QVERIFY(layer);
    QCOMPARE(layer->name, QString("Set the layer dtype of conv1 to float64"));
    QCOMPARE(layer->label, QString("Layer to float64"));
    QVERIFY(layer->document.graph.find(kConv)->layerDtype == DType::f64);
    QVERIFY(!remedied(layer->document, kConv, "input", "set-layer-dtype", DType::f64));
    QVERIFY(!remedied(d, kConv, "input", "set-layer-dtype"));
    const auto floatx = remedied(d, kConv, "input", "set-floatx", DType::f64);
    QVERIFY(floatx);
    QCOMPARE(floatx->name, QString("Set floatx to float64"));
    QVERIFY(floatx->document.settings.floatx == DType::f64);
    QVERIFY(!remedied(d, kConv, "input", "set-floatx", DType::i32));
    QVERIFY(!remedied(floatx->document, kConv, "input", "set-floatx", DType::f64));
}

void RemediesTest::switchDialect()
{
    for (const char* dialect : {"explicit", "keras_tf26"}) {
        const auto result = remedied(article(dialect), kConv, "input", "switch-dialect");
        QVERIFY(result && planOf(result->document).ok);
        QCOMPARE(result->document.settings.dialect, std::string("promote"));
        QCOMPARE(result->name, QString("Switch the dialect to Promote"));
    }
    const auto back = remedied(article("promote"), kConv, "input", "switch-dialect");
    QVERIFY(dialectCatalog().find(back->document.settings.dialect));
    QCOMPARE(back->document.settings.dialect, std::string("keras_tf26"));
    QCOMPARE(back->name, "Switch the dialect to " +
                             QString::fromStdString(std::string(dialectCatalog().find("keras_tf26")->title)));
}

void RemediesTest::forbidAndAllow()
{
    const Document d = article("keras_tf26");
    const auto forbidden = applied(d, castActEdit(d, kConv, "input", CastAct::Forbid, DType::f64, DType::f32));
    QVERIFY(forbidden);
    QCOMPARE(forbidden->name, QString("Forbid casts of the input of conv1"));
    QVERIFY(forbidden->document.graph.find(kConv)->forbidCast == std::set<std::string>{"input"});
    const Plan plan = planOf(forbidden->document);
    QCOMPARE(plan.findings[0].rule, std::string("forbid-cast"));
    QVERIFY(!castActEdit(forbidden->document, kConv, "input", CastAct::Forbid, DType::f64, DType::f32));
    const auto allowed = remedied(forbidden->document, kConv, "input", "allow-cast");
    QVERIFY(allowed && equal(allowed->document, d));
    QCOMPARE(allowed->name, QString("Allow casts of the input of conv1"));
    QVERIFY(!remedied(d, kConv, "input", "allow-cast"));
}

void RemediesTest::clearSlots()
{
    Document d = article("explicit");
    d.settings.combo = {DType::f32, DType::f32};
    d.layout = {};
    const NodeId relu{9};
    Node n;
    n.id = relu;
    n.op = n.name = "relu";
    (void)d.graph.addNode(n);
    d = with(d, relu, [](Node& r) {
        slotOf(r, Slot::Weight) = SlotAsk::fixed(DType::f16); // relu has no weight slot
        slotOf(r, Slot::Output) = SlotAsk::fixed(DType::f16);
    });
    const auto idle = remedied(d, relu, "", "clear-slot");
    QVERIFY(idle);
    QCOMPARE(idle->name, QString("Clear the weight slot of relu"));
    QCOMPARE(idle->label, QString("Clear the slot"));
    QVERIFY(idle->document.graph.find(relu)->slot(Slot::Output) == SlotAsk::fixed(DType::f16));
    d = with(d, kConv, [](Node& c) {
        slotOf(c, Slot::Compute) = SlotAsk::fixed(DType::f16);
        slotOf(c, Slot::Accumulate) = SlotAsk::fixed(DType::f64);
    });
    const auto all = remedied(d, kConv, "", "clear-slot");
    QVERIFY(all);
    QCOMPARE(all->name, QString("Clear the slots of conv1"));
    QVERIFY(!all->document.graph.find(kConv)->slot(Slot::Accumulate).text());
    QVERIFY(!remedied(all->document, kConv, "", "clear-slot"));
}

void RemediesTest::actsOfACast()
{
    const Document d = article("keras_tf26");
    const auto node = applied(d, castActEdit(d, kConv, "input", CastAct::MakeCastNode, DType::f64, DType::f32));
    QVERIFY(node);
    QCOMPARE(node->label, QString("Make it a Cast node"));
    QCOMPARE(implicitCasts(node->document), 0);
    const auto layer = applied(d, castActEdit(d, kConv, "input", CastAct::SetLayerDType, DType::f64, DType::f32));
    QVERIFY(layer->document.graph.find(kConv)->layerDtype == DType::f64);
    // A weight of the layer's own has no edge to put a node on.
    QVERIFY(!castActEdit(d, kConv, "weight", CastAct::MakeCastNode, DType::f64, DType::f32));
    QVERIFY(!castActEdit(d, kConv, "input", CastAct::MakeCastNode, DType::f32, DType::f32));
    QVERIFY(!castActEdit(d, NodeId{77}, "input", CastAct::Forbid, DType::f64, DType::f32));
}

void RemediesTest::noEdit()
{
    const Document d = article("explicit");
    for (const char* remedy : {"connect", "fix-parameter", "no such remedy", ""})
        QVERIFY(!remedied(d, kConv, "input", remedy, DType::f64, DType::f32));
    QVERIFY(!remedied(d, NodeId{77}, "", "compute-widest"));
    const auto removed = remedied(d, kConv, "", "remove-node");
    QCOMPARE(removed->name, QString("Delete conv1"));
    QCOMPARE(removed->document.graph.edgeInto(NodeId{3}, "input")->from.value, 1u);
}

void RemediesTest::freshNodes()
{
    Document d;
    const OpSpec& conv = *opCatalog().find("conv2d");
    for (const char* name : {"conv2d", "conv2d_2", "conv2d_3"}) {
        const Node n = makeNode(d, conv);
        QCOMPARE(n.name, std::string(name));
        QVERIFY(Params::check(conv.params, n.params, "").ok());
        QVERIFY(applyEdit(d, AddNode{n, {}}).ok());
    }
    QVERIFY(applyEdit(d, RemoveNode{NodeId{2}}).ok());
    QCOMPARE(makeNode(d, conv).name, std::string("conv2d_2"));
    QCOMPARE(makeNode(d, conv).id.value, 4u); // ids are not used again
    QCOMPARE(uniqueName({"a_9", "a_10", "b", "2"}, "a_9"), std::string("a_11"));
    QCOMPARE(uniqueName({"b"}, "b"), std::string("b_2"));
    QCOMPARE(uniqueName({"2"}, "2"), std::string("2_2"));
    // The largest id that a file can hold is taken: gaps are used.
    Node last = makeNode(d, conv);
    last.id.value = 0x7fffffff;
    QVERIFY(applyEdit(d, AddNode{last, {}}).ok());
    QCOMPARE(makeNode(d, conv).id.value, 2u);
}

QTEST_GUILESS_MAIN(RemediesTest)
#include "tst_remedies.moc"
