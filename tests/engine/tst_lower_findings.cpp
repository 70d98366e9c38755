// What lowering refuses or remarks on: the place, the numbers, the remedies, and that the rest of the graph is planned
// all the same.
#include "tests/engine/dialect_records.h"
#include "tests/engine/plan_graphs.h"

#include <QtTest/QtTest>

using namespace engine;
using namespace engine::testing;
using enum DType;

class TstLowerFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void explicitMismatch();
    void noKernel();
    void integersMove();
    void strangeSlots();
    void forbiddenCast();
    void wrongGraphs();
    void branchesGoOn();
    void strayEdges();
    void sourcesFromArrays();
    void remarks();
    void biasApart();
};

void TstLowerFindings::explicitMismatch()
{
    const ConvGraph g;
    for (const Combo combo : {Combo{f32, f64}, Combo{f64, f32}}) {
        const Plan plan = lowered(g.b.graph, "explicit", combo);
        QVERIFY(!plan.ok);
        QVERIFY(!plan.find(g.input)->refused && plan.find(g.conv)->refused && plan.find(g.output)->blocked);
        QCOMPARE(plan.findings.size(), std::size_t{1});
        const Finding& f = plan.findings[0];
        QVERIFY(f.severity == Severity::Error && f.node == g.conv);
        COMPARE_TEXTS((Texts{f.port, f.rule}), {"weight", "explicit/mismatch"});
        COMPARE_TEXTS(f.remedies, {"compute-widest", "compute-narrowest", "insert-cast", "switch-dialect"});
        for (const DType d : {combo.input, combo.weight})
            QVERIFY2(f.message.find(dtypeName(d)) != std::string::npos, f.message.c_str());
        // Only the input is left: the refused layer's weights are not stored.
        QCOMPARE(plan.steps.size(), std::size_t{1});
        QVERIFY(plan.steps[0].kind == StepKind::Source && plan.steps[0].dtype == combo.input);
    }
    for (const Combo combo : {Combo{f32, f32}, Combo{f64, f64}, Combo{bf16, bf16}, Combo{e5m2, e5m2}}) {
        const Plan plan = lowered(g.b.graph, "explicit", combo);
        QVERIFY(plan.ok && plan.findings.empty());
        QCOMPARE(plan.find(g.output)->dtype, combo.input);
    }
}

void TstLowerFindings::noKernel()
{
    ConvGraph g;
    g.b.ask(g.conv, Slot::Accumulate, SlotAsk::fixed(f64));
    const Plan plan = lowered(g.b.graph, "explicit", {f32, f32});
    COMPARE_TEXTS(rulesOf(plan), {"2 no-kernel"});
    const std::string& text = plan.findings[0].message;
    for (const char* part : {"conv2d", "(float32,float64)", "(float64,float64)", "(bfloat16,bfloat16)"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    QVERIFY(!plan.findings[0].remedies.empty());

    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4}}});
    const NodeId sum = b.then(a, "sum", "add");
    b.wire(a, sum, "other");
    b.ask(sum, Slot::Compute, SlotAsk::fixed(DType::tf32));
    COMPARE_TEXTS(rulesOf(lowered(b.graph, "explicit", {})), {"2 no-kernel"});
}

void TstLowerFindings::integersMove()
{
    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4, 6}}});
    b.ask(a, Slot::Input, SlotAsk::fixed(i32));
    const NodeId flat = b.then(a, "flat", "flatten");
    const NodeId relu = b.then(flat, "relu", "relu");
    const NodeId dense = b.then(flat, "dense", "dense");
    for (const char* dialect : {"explicit", "keras_tf26"}) {
        const Plan plan = lowered(b.graph, dialect, {f32, f32});
        QCOMPARE(plan.find(flat)->dtype, i32);
        QVERIFY(plan.find(relu)->refused);
        QCOMPARE(plan.find(dense)->refused, std::string_view(dialect) == "explicit");
    }
    // Dense alone casts integers under tf.keras.
    const Plan keras = lowered(b.graph, "keras_tf26", {f32, f32});
    COMPARE_TEXTS(castsOf(keras, dense), {"input i32>f32 keras_tf26/cast-to-layer implicit"});
    COMPARE_TEXTS(rulesOf(keras), {"3 no-kernel", "4.input keras_tf26/cast-to-layer"});
}

void TstLowerFindings::strangeSlots()
{
    ConvGraph g;
    g.b.ask(g.conv, Slot::Output, SlotAsk::fixed(DType::tf32));
    COMPARE_TEXTS(rulesOf(lowered(g.b.graph, "explicit", {})), {"2 slot"});
    g.b.ask(g.conv, Slot::Output, kWidest);
    COMPARE_TEXTS(rulesOf(lowered(g.b.graph, "explicit", {})), {"2 slot"});
    g.b.ask(g.conv, Slot::Output, {});
    g.b.ask(g.output, Slot::Accumulate, SlotAsk::fixed(f16)); // an output has no slot: said, not obeyed
    const Plan plan = lowered(g.b.graph, "explicit", {});
    QVERIFY(plan.ok);
    COMPARE_TEXTS(rulesOf(plan), {"3 slot"});
    QVERIFY(plan.findings[0].severity == Severity::Warning);
}

void TstLowerFindings::forbiddenCast()
{
    ConvGraph g;
    g.b.change(g.conv, [](Node& n) { n.forbidCast.insert("input"); });
    const Plan plan = lowered(g.b.graph, "keras_tf26", {f64, f32});
    QVERIFY(!plan.ok && plan.find(g.conv)->refused);
    COMPARE_TEXTS(rulesOf(plan), {"2.input forbid-cast"});
    QVERIFY(lowered(g.b.graph, "keras_tf26", {f32, f32}).ok);
    QVERIFY(lowered(g.b.graph, "promote", {f64, f32}).ok); // casts the weight, not the input
    g.b.ask(g.conv, Slot::Compute, kNarrowest);            // an asked cast is not implicit
    QVERIFY(lowered(g.b.graph, "keras_tf26", {f64, f32}).ok);
}

void TstLowerFindings::wrongGraphs()
{
    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4, 6}}});
    b.then(a, "conv", "conv2d");                                // 2: rank 2 is no image
    b.add("lonely", "relu");                                    // 3
    b.then(a, "mystery", "fold_space");                         // 4
    b.then(a, "dense", "dense", {{"units", std::int64_t{-3}}}); // 5
    const NodeId after = b.then(NodeId{4}, "after", "relu");    // 6: blocked
    const Plan plan = lowered(b.graph, "explicit", {});
    COMPARE_TEXTS(rulesOf(plan), {"2 shape", "3.input not-connected", "4 unknown-op", "5 parameter"});
    QVERIFY(plan.find(after)->blocked && !plan.find(after)->refused);
    for (const Finding& f : plan.findings) {
        QVERIFY(f.severity == Severity::Error);
        QVERIFY2(!f.message.empty() && !f.remedies.empty(), f.rule.c_str());
    }
    QVERIFY2(plan.findings[0].message.find("[4, 6]") != std::string::npos, plan.findings[0].message.c_str());
    COMPARE_TEXTS(plan.findings[1].remedies, {"connect"});
    QVERIFY(plan.findings[2].message.find("fold_space") != std::string::npos);
    QCOMPARE(plan.steps.size(), std::size_t{1});
}

void TstLowerFindings::strayEdges()
{
    ConvGraph g;
    const NodeId w = g.b.add("b", "weights", {{"shape", IntList{32}}});
    g.b.wire(w, g.conv, "bias");
    g.b.change(g.conv, [](Node& n) { n.params["use_bias"] = false; });
    const Plan unused = lowered(g.b.graph, "explicit", {f64, f64});
    QVERIFY(unused.ok && unused.find(g.conv)->arrived[2] == -1);
    COMPARE_TEXTS(rulesOf(unused), {"2.bias port-unused"});
    g.b.wire(w, g.conv, "mask");
    const Plan unknown = lowered(g.b.graph, "explicit", {f64, f64});
    QVERIFY(!unknown.ok);
    COMPARE_TEXTS(rulesOf(unknown), {"2.mask port-unknown"});
}

void TstLowerFindings::branchesGoOn()
{
    GraphBuilder b;
    const NodeId a = b.add("a", "input", {{"shape", IntList{4, 6}}});
    const NodeId bad = b.then(a, "bad", "dense");
    b.then(bad, "bad out", "output");
    const NodeId good = b.then(a, "good", "relu");
    const NodeId out = b.then(good, "good out", "output");
    const Plan plan = lowered(b.graph, "explicit", {f32, f64});
    QVERIFY(!plan.ok);
    QVERIFY(plan.find(out)->outStep >= 0 && plan.find(out)->dtype == f32);
    QCOMPARE(plan.nodes.size(), std::size_t{5});
    for (std::size_t i = 0; i < plan.steps.size(); ++i) // values come before their users
        for (const int operand : plan.steps[i].operands)
            QVERIFY(operand < static_cast<int>(i));
}

void TstLowerFindings::sourcesFromArrays()
{
    GraphBuilder b;
    Source file;
    file.kind = Source::Kind::Tensor;
    file.name = "digits";
    const NodeId a = b.add("a", "input", {{"shape", IntList{-1, 5}}, {"value", file}});
    LowerInput input{b.graph, opCatalog(), *dialectCatalog().find("explicit"), {}, f32, Isa::V3, {}, {}};
    input.sourceShape = [](const Node&, const Params&) -> Result<Shape> { return Shape{7, 5}; };
    QCOMPARE(lower(input).find(a)->shape, (Shape{7, 5}));
    input.sourceShape = [](const Node&, const Params&) -> Result<Shape> {
        return engine::Error{"array-missing", "digits", "there is no array named digits", "add it"};
    };
    const Plan plan = lower(input);
    COMPARE_TEXTS(rulesOf(plan), {"1 source"});
    QCOMPARE(plan.findings[0].message, std::string("there is no array named digits"));

    // What an array cannot fill is refused where it is owned, with the shape that was wanted.
    const ConvGraph g;
    LowerOptions options;
    options.checkSource = [](const Node&, std::string_view port, const Source&, const Shape& shape) -> Status {
        if (port == "weight")
            return engine::Error{"source-shape", "", "wanted " + shape.text(), ""};
        return success();
    };
    const Plan refused = lowered(g.b.graph, "explicit", {}, options);
    COMPARE_TEXTS(rulesOf(refused), {"2.weight source"});
    QCOMPARE(refused.findings[0].message, std::string("wanted [3, 3, 1, 32]"));
}

void TstLowerFindings::remarks()
{
    OpSpec remarking = *opCatalog().find("relu");
    remarking.remarks = [](const Params&, std::span<const std::optional<Shape>> s) {
        return std::vector<std::string>{"window of " + s[0]->text()};
    };
    const std::array<const OpSpec*, 2> specs{opCatalog().find("input"), &remarking};
    const OpCatalog ops{specs};
    GraphBuilder b;
    const NodeId relu = b.then(b.add("a", "input", {{"shape", IntList{4}}}), "relu", "relu");
    LowerOptions options;
    options.ops = &ops;
    const Plan plan = lowered(b.graph, "explicit", {}, options);
    QVERIFY(plan.ok);
    QCOMPARE(plan.findings, (std::vector<Finding>{{Severity::Note, relu, "", "remark", "window of [4]", {}, ""}}));
}

// A dialect that adds the bias in another dtype needs two kernel calls: refused by name, never approximated.
void TstLowerFindings::biasApart()
{
    GraphBuilder b;
    const NodeId dense = b.then(b.add("a", "input", {{"shape", IntList{4, 6}}}), "dense", "dense");
    LowerOptions options;
    for (const DialectSpec& d : kOtherDialects)
        if (d.name == "keras3_torch")
            options.record = &d;
    const Plan refused = lowered(b.graph, "", {f64, f64}, options);
    COMPARE_TEXTS(rulesOf(refused), {"2 no-kernel"});
    b.change(dense, [](Node& n) { n.params["use_bias"] = false; });
    const Plan plan = lowered(b.graph, "", {f64, f64}, options);
    QVERIFY(plan.ok);
    QCOMPARE(plan.find(dense)->dtype, f32);
    QCOMPARE(plan.find(dense)->effectiveBits, 24);
}

QTEST_GUILESS_MAIN(TstLowerFindings)
#include "tst_lower_findings.moc"
