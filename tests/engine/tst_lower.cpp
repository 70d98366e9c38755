// Lowering rule by rule: which casts, by whose rule, in which pair, and how many bits are left. Expected values are
// read off design 3.2, 3.3 and 3.5, not off the code.
#include "tests/engine/plan_graphs.h"

#include <QtTest/QtTest>

using namespace engine;
using namespace engine::testing;
using enum DType;

class TstLower : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void widestServesEveryCombo();
    void narrowest();
    void castToLayer();
    void promotion();
    void halfAccumulatesInFloat();
    void outputSlot();
    void tf32();
    void layersWithoutDtypeNarrow();
    void rawOpsAreStrict();
    void wiredWeights();
    void inputSlots();
    void slotStates();
    void muted();
    void castNode();
    void effectiveBits();
};

void TstLower::widestServesEveryCombo()
{
    ConvGraph g;
    g.b.ask(g.conv, Slot::Compute, kWidest);
    for (const char* dialect : {"explicit", "promote", "keras_tf26"}) {
        const Plan up = lowered(g.b.graph, dialect, {f32, f64});
        QVERIFY(up.ok && up.findings.empty());
        COMPARE_TEXTS(castsOf(up, g.conv), {"input f32>f64 slot/compute"});
        const Plan weights = lowered(g.b.graph, dialect, {f64, f32});
        QVERIFY(weights.ok && weights.findings.empty());
        COMPARE_TEXTS(castsOf(weights, g.conv), {"weight f32>f64 slot/compute", "bias f32>f64 slot/compute"});
        QVERIFY((opOf(weights, g.conv).pair == ComputePair{f64, f64}));
        QCOMPARE(weights.find(g.output)->dtype, f64);
        QVERIFY(castsOf(lowered(g.b.graph, dialect, {f32, f32}), g.conv).empty());
        const Plan halves = lowered(g.b.graph, dialect, {f16, bf16}); // equally wide: the one with more digits
        QVERIFY((opOf(halves, g.conv).pair == ComputePair{f16, f32}));
    }
}

void TstLower::narrowest()
{
    ConvGraph g;
    g.b.ask(g.conv, Slot::Compute, kNarrowest);
    const Plan plan = lowered(g.b.graph, "explicit", {f64, f32});
    COMPARE_TEXTS(castsOf(plan, g.conv), {"input f64>f32 slot/compute"});
    QCOMPARE(plan.find(g.conv)->dtype, f32);
    QVERIFY(plan.findings.empty()); // asked for: no warning
    g.b.ask(g.conv, Slot::Compute, SlotAsk::fixed(f16));
    COMPARE_TEXTS(castsOf(lowered(g.b.graph, "keras_tf26", {f64, f32}), g.conv),
                  {"input f64>f16 slot/compute", "weight f32>f16 slot/compute", "bias f32>f16 slot/compute",
                   "output f32>f16 output-rounding"});
}

void TstLower::castToLayer()
{
    const ConvGraph g;
    const Plan narrow = lowered(g.b.graph, "keras_tf26", {f64, f32});
    QVERIFY(narrow.ok);
    COMPARE_TEXTS(castsOf(narrow, g.conv), {"input f64>f32 keras_tf26/cast-to-layer implicit"});
    QCOMPARE(narrow.findings.size(), std::size_t{1});
    const Finding& f = narrow.findings[0];
    QVERIFY(f.severity == Severity::Warning && f.node == g.conv && f.port == "input");
    QCOMPARE(f.message,
             std::string("conv2d's layer dtype is float32: its float64 input was narrowed, and the framework "
                         "says nothing"));
    COMPARE_TEXTS(f.remedies, {"set-layer-dtype", "set-floatx", "insert-cast", "switch-dialect"});
    QVERIFY(f.frameworkMessage.empty());
    QCOMPARE(narrow.find(g.conv)->effectiveBits, 24);
    QVERIFY(!narrow.steps[static_cast<std::size_t>(narrow.find(g.conv)->operands[0])].sentence.empty());

    const Plan wide = lowered(g.b.graph, "keras_tf26", {f32, f64});
    COMPARE_TEXTS(castsOf(wide, g.conv), {"input f32>f64 keras_tf26/cast-to-layer implicit"});
    QVERIFY(wide.findings.empty());
    QCOMPARE(wide.find(g.conv)->effectiveBits, 53);
    QCOMPARE(wide.find(g.input)->effectiveBits, 24);
}

void TstLower::promotion()
{
    const ConvGraph g;
    COMPARE_TEXTS(castsOf(lowered(g.b.graph, "promote", {f64, f32}), g.conv),
                  {"weight f32>f64 promote/promotion implicit", "bias f32>f64 promote/promotion implicit"});
    COMPARE_TEXTS(castsOf(lowered(g.b.graph, "promote", {f16, bf16}), g.conv),
                  {"input f16>f32 promote/promotion implicit", "weight bf16>f32 promote/promotion implicit",
                   "bias bf16>f32 promote/promotion implicit"});
    const Plan none = lowered(g.b.graph, "promote", {e4m3fn, f32});
    COMPARE_TEXTS(rulesOf(none), {"2.weight promote/promotion"});
}

void TstLower::halfAccumulatesInFloat()
{
    ConvGraph g;
    const Plan plan = lowered(g.b.graph, "explicit", {f16, f16});
    QVERIFY((opOf(plan, g.conv).pair == ComputePair{f16, f32}));
    QCOMPARE(opOf(plan, g.conv).dtype, f32);
    COMPARE_TEXTS(castsOf(plan, g.conv), {"output f32>f16 output-rounding"});
    QCOMPARE(plan.find(g.conv)->dtype, f16);
    QCOMPARE(plan.find(g.conv)->effectiveBits, 11);
    g.b.ask(g.conv, Slot::Accumulate, SlotAsk::fixed(f16));
    const Plan own = lowered(g.b.graph, "explicit", {f16, f16});
    QVERIFY((opOf(own, g.conv).pair == ComputePair{f16, f16}));
    QVERIFY(castsOf(own, g.conv).empty());
}

// An asked output is reached from the accumulator in one rounding.
void TstLower::outputSlot()
{
    ConvGraph g;
    g.b.ask(g.conv, Slot::Output, SlotAsk::fixed(f32));
    const Plan kept = lowered(g.b.graph, "explicit", {f16, f16});
    QVERIFY(castsOf(kept, g.conv).empty());
    QCOMPARE(kept.find(g.conv)->dtype, f32);
    QCOMPARE(kept.find(g.conv)->effectiveBits, 11);
    g.b.ask(g.conv, Slot::Output, SlotAsk::fixed(bf16));
    const Plan narrow = lowered(g.b.graph, "explicit", {f16, f16});
    COMPARE_TEXTS(castsOf(narrow, g.conv), {"output f32>bf16 slot/output"});
    QCOMPARE(narrow.find(g.conv)->effectiveBits, 8);
    QCOMPARE(narrow.find(g.output)->dtype, bf16);
}

void TstLower::tf32()
{
    ConvGraph g;
    g.b.ask(g.conv, Slot::Compute, SlotAsk::fixed(DType::tf32));
    const Plan plan = lowered(g.b.graph, "explicit", {f64, f32});
    // One rounding from what is stored; the bias is an addend, not a factor.
    COMPARE_TEXTS(castsOf(plan, g.conv), {"input f64>tf32 slot/compute", "weight f32>tf32 slot/compute"});
    QVERIFY((opOf(plan, g.conv).pair == ComputePair{DType::tf32, f32}));
    QCOMPARE(plan.find(g.conv)->dtype, f32);
    QCOMPARE(plan.find(g.conv)->effectiveBits, 11);
}

void TstLower::layersWithoutDtypeNarrow()
{
    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4, 6}}});
    const NodeId relu = b.then(a, "relu", "relu");
    const NodeId flat = b.then(relu, "flat", "flatten");
    const Plan plan = lowered(b.graph, "keras_tf26", {f64, f64});
    COMPARE_TEXTS(castsOf(plan, relu), {"input f64>f32 keras_tf26/cast-to-layer implicit"});
    QVERIFY(castsOf(plan, flat).empty());
    LowerOptions wide;
    wide.floatx = f64;
    QVERIFY(lowered(b.graph, "keras_tf26", {f64, f64}, wide).findings.empty());
    b.change(relu, [](Node& n) { n.layerDtype = f64; });
    COMPARE_TEXTS(rulesOf(lowered(b.graph, "keras_tf26", {f64, f64})), {"3.input keras_tf26/cast-to-layer"});
    // A layer dtype means nothing elsewhere.
    b.change(relu, [](Node& n) { n.layerDtype = f16; });
    QVERIFY(lowered(b.graph, "explicit", {f64, f64}).find(relu)->dtype == f64);
}

void TstLower::rawOpsAreStrict()
{
    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4, 6}}});
    const NodeId w = b.add("w", "weights", {{"shape", IntList{6, 5}}});
    const NodeId product = b.then(a, "product", "matmul");
    b.wire(w, product, "other");
    const Plan plan = lowered(b.graph, "keras_tf26", {f32, f64});
    COMPARE_TEXTS(rulesOf(plan), {"3.other keras_tf26/mismatch"});
    QCOMPARE(plan.findings[0].frameworkMessage,
             std::string("cannot compute MatMul as input #1(zero-based) was expected to be a float tensor but is a "
                         "double tensor [Op:MatMul]"));
    QVERIFY(lowered(b.graph, "promote", {f32, f64}).ok);
    const NodeId bias = b.add("bias", "weights", {{"shape", IntList{5}}});
    const NodeId sum = b.then(product, "sum", "bias_add");
    b.wire(bias, sum, "bias");
    b.ask(product, Slot::Compute, kWidest);
    QVERIFY(lowered(b.graph, "keras_tf26", {f32, f64}).ok);
    const Plan mixed = lowered(b.graph, "keras_tf26", {f64, f32});
    COMPARE_TEXTS(rulesOf(mixed), {"5.bias keras_tf26/mismatch"});
}

void TstLower::wiredWeights()
{
    ConvGraph g;
    const NodeId w = g.b.add("kernel", "weights", {{"shape", IntList{3, 3, 1, 32}}});
    g.b.wire(w, g.conv, "weight");
    // The kernel's own slot; the layer's bias follows it.
    g.b.ask(w, Slot::Weight, SlotAsk::fixed(f64));
    const Plan plan = lowered(g.b.graph, "explicit", {f64, f32});
    QVERIFY2(plan.ok, joined(rulesOf(plan)).c_str());
    QVERIFY(castsOf(plan, g.conv).empty());
    // Under tf.keras the layer's dtype is that of the weight it is given.
    COMPARE_TEXTS(castsOf(lowered(g.b.graph, "keras_tf26", {f32, f32}), g.conv),
                  {"input f32>f64 keras_tf26/cast-to-layer implicit"});
    // On a wired weight the layer's slot is a cast; on what it owns it is the storage dtype.
    g.b.ask(g.conv, Slot::Weight, SlotAsk::fixed(f32));
    const Plan cast = lowered(g.b.graph, "explicit", {f32, f64});
    QVERIFY(cast.ok);
    COMPARE_TEXTS(castsOf(cast, g.conv), {"weight f64>f32 slot/weight"});
    ConvGraph own;
    own.b.ask(own.conv, Slot::Weight, SlotAsk::fixed(f32));
    const Plan stored = lowered(own.b.graph, "explicit", {f32, f64});
    QVERIFY(stored.ok && castsOf(stored, own.conv).empty());
    QCOMPARE(stored.steps[1].dtype, f32);
}

void TstLower::inputSlots()
{
    ConvGraph g;
    g.b.ask(g.input, Slot::Input, SlotAsk::fixed(f32));
    QVERIFY(lowered(g.b.graph, "explicit", {f64, f32}).ok);
    g.b.ask(g.input, Slot::Input, {});
    g.b.ask(g.conv, Slot::Input, SlotAsk::fixed(f32));
    const Plan plan = lowered(g.b.graph, "explicit", {f64, f32});
    QVERIFY(plan.ok);
    COMPARE_TEXTS(castsOf(plan, g.conv), {"input f64>f32 slot/input"});

    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4}}});
    const NodeId w = b.add("w", "weights", {{"shape", IntList{4}}});
    const NodeId sum = b.then(a, "sum", "add");
    b.wire(w, sum, "other");
    b.ask(sum, Slot::Weight, SlotAsk::fixed(f16));
    b.ask(sum, Slot::Input, SlotAsk::fixed(f16));
    COMPARE_TEXTS(castsOf(lowered(b.graph, "explicit", {f64, f32}), sum),
                  {"input f64>f16 slot/input", "other f32>f16 slot/weight"});
}

void TstLower::slotStates()
{
    ConvGraph g;
    g.b.ask(g.conv, Slot::Compute, kWidest);
    g.b.ask(g.conv, Slot::Output, SlotAsk::fixed(f16));
    const Plan plan = lowered(g.b.graph, "keras_tf26", {f64, f32});
    const auto& slots = plan.find(g.conv)->slots;
    const std::array<std::optional<DType>, kSlotCount> ran{f64, f64, f64, f64, f16};
    for (std::size_t i = 0; i < ran.size(); ++i)
        QVERIFY2(slots[i].ran == ran[i], slotName(kSlots[i]).data());
    QCOMPARE(slots[2].asked.value(), std::string("widest"));
    QCOMPARE(slots[4].asked.value(), std::string("float16"));
    QVERIFY(!slots[0].asked && !slots[3].asked);
}

void TstLower::muted()
{
    ConvGraph g;
    g.b.change(g.conv, [](Node& n) {
        n.muted = true;
        n.layerDtype = f16;
    });
    const Plan plan = lowered(g.b.graph, "keras_tf26", {bf16, f64});
    QVERIFY(plan.ok && plan.findings.empty() && castsOf(plan, g.conv).empty());
    QCOMPARE(plan.find(g.conv)->dtype, bf16);
    QCOMPARE(plan.find(g.conv)->shape, (Shape{2, 28, 28, 1}));
    QCOMPARE(plan.find(g.conv)->effectiveBits, 8);
    QCOMPARE(plan.find(g.conv)->outStep, plan.find(g.input)->outStep);
}

void TstLower::castNode()
{
    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4}}});
    const NodeId down = b.then(a, "down", "cast", {{"to", "float16"}});
    const NodeId up = b.then(down, "up", "cast", {{"to", "float64"}});
    const NodeId same = b.then(up, "same", "cast", {{"to", "float64"}});
    const Plan plan = lowered(b.graph, "keras_tf26", {f64, f64});
    COMPARE_TEXTS(castsOf(plan, down), {"input f64>f16 node"});
    COMPARE_TEXTS(castsOf(plan, up), {"input f16>f64 node"});
    QCOMPARE(plan.find(up)->dtype, f64);
    QCOMPARE(plan.find(up)->effectiveBits, 11); // the label is not the value
    QCOMPARE(castsOf(plan, same).size(), std::size_t{1});
    QVERIFY(plan.findings.empty());
}

void TstLower::effectiveBits()
{
    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4, 6}}});
    const NodeId relu = b.then(a, "relu", "relu");
    b.change(relu, [](Node& n) { n.layerDtype = f64; });
    const NodeId sum = b.then(relu, "sum", "add");
    b.wire(relu, sum, "other");
    b.change(sum, [](Node& n) { n.layerDtype = f64; });
    const NodeId flat = b.then(sum, "flat", "flatten");
    const Plan plan = lowered(b.graph, "keras_tf26", {f32, f32});
    QCOMPARE(plan.find(a)->effectiveBits, 24);
    QCOMPARE(plan.find(relu)->dtype, f64);
    QCOMPARE(plan.find(relu)->effectiveBits, 24); // widened exactly, selected: carried on
    QCOMPARE(plan.find(sum)->effectiveBits, 53);  // added in float64: what arrived does not count
    QCOMPARE(plan.find(flat)->effectiveBits, 24); // its layer narrowed it
    const NodeId out = b.then(sum, "out", "output");
    QCOMPARE(lowered(b.graph, "keras_tf26", {f32, f32}).find(out)->effectiveBits, 53);
    QCOMPARE(lowered(b.graph, "explicit", {e4m3fn, f32}).find(flat)->effectiveBits, 4);
}

QTEST_GUILESS_MAIN(TstLower)
#include "tst_lower.moc"
