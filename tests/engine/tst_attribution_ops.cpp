// The stages of all other ops and nodes, by hand or in long double; what is left out; scales; threads.
#include "node_run.h"

#include <QtTest/QtTest>

using namespace engine;
using namespace support;

class TestAttributionOps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nonFiniteIsLeftOut();
    void extremeScale();
    void relu();
    void addWithTwoOperands();
    void batchNormalization();
    void moves();
    void sourceAndCast();
    void sameBitsForAnyThreads();
};

void TestAttributionOps::nonFiniteIsLeftOut()
{
    NodeRun run = denseRun(kConfigurations[0], 101);
    const Attribution clean = attribute(run.input())->stages;
    for (float bad : {INFINITY, NAN}) {
        Tensor x = Tensor::allocate(DType::f32, {3, 20});
        std::copy_n(run.arrived[0].data<float>(), 60, x.mutableData<float>());
        x.mutableData<float>()[25] = bad; // row 1
        const NodeRun odd =
            runNode(op_dense, run.params, run.reference, {x, run.arrived[1], run.arrived[2]}, run.pair, DType::f32);
        const auto result = attribute(odd.input());
        QCOMPARE(result->stages.excluded, 5);
        QVERIFY(std::isfinite(result->stages.stages[3].rmse) && std::isfinite(result->bound->maxRatio));
        double squares = 0;
        for (std::int64_t i : {0, 1, 2, 3, 4, 10, 11, 12, 13, 14})
            squares += std::pow(clean.signedStages[3].data<double>()[i], 2);
        QVERIFY(isNear(result->stages.stages[3].rmse, std::sqrt(squares / 10), 0x1p-48));
    }
}

// Squares beyond float64: figures are those of the unscaled problem times the scale.
void TestAttributionOps::extremeScale()
{
    const Configuration wide{DType::f64, DType::f64, DType::f64, {DType::f64, DType::f64}};
    const Attribution plain = attribute(denseRun(wide, 111).input())->stages;
    for (double scale : {0x1p-600, 0x1p600}) {
        const Attribution scaled = attribute(denseRun(wide, 111, scale).input())->stages;
        for (std::size_t s = 0; s < plain.stages.size(); ++s) {
            QCOMPARE(scaled.stages[s].rmse, plain.stages[s].rmse * scale);
            QCOMPARE(*scaled.stages[s].share, *plain.stages[s].share);
        }
        QCOMPARE(scaled.localRmse, plain.localRmse * scale);
    }
}

void TestAttributionOps::relu()
{
    // 1 - 2^-30 as float64 arrives as 1 - 2^-29, is cast to float32 1; a sign that flipped; an exact value.
    const DDTensor r = realTensor({1 - 0x1p-30, 0x1p-40, -3}, {0x1p-90, 0, 0});
    const Tensor a = plainTensor<double>(DType::f64, {1 - 0x1p-29, -0x1p-41, -3});
    const NodeRun run = runNode(op_relu, paramsFor(op_relu, "{}"), {r}, {a}, {DType::f32, DType::f32}, DType::f32);
    const auto result = attribute(run.input());
    const auto stage = [&](Stage s, int i) {
        return result->stages.signedStages[static_cast<std::size_t>(s)].data<double>()[i];
    };
    QCOMPARE(stage(Stage::Inherited, 0), -0x1p-30); // and -2^-90: rounded away
    QCOMPARE(stage(Stage::Cast, 0), 0x1p-29);
    QCOMPARE(stage(Stage::Inherited, 1), -0x1p-40);
    QCOMPARE(stage(Stage::Cast, 1), 0.0);
    QCOMPARE(result->stages.stages[1].rmse, 0.0);
    QCOMPARE(result->stages.stages[3].rmse, 0.0);
    QVERIFY(!result->bound);
}

void TestAttributionOps::addWithTwoOperands()
{
    const DDTensor r = realTensor({1, 2}), other = realTensor({0x1p-30, 3});
    const Tensor a = plainTensor<float>(DType::f32, {1 + 0x1p-20f, 2}),
                 b = plainTensor<float>(DType::f32, {0x1p-30f, 3});
    const NodeRun run =
        runNode(op_add, paramsFor(op_add, "{}"), {r, other}, {a, b}, {DType::f32, DType::f32}, DType::f16);
    const auto result = attribute(run.input());
    const auto& stages = result->stages.signedStages;
    QCOMPARE(stages[0].data<double>()[0], 0x1p-20);
    QCOMPARE(stages[3].data<double>()[0], -0x1p-30); // lost in the float32 sum
    QCOMPARE(stages[4].data<double>()[0], -0x1p-20); // and 2^-20 in float16
    QCOMPARE(stages[1].data<double>()[0] + stages[2].data<double>()[0], 0.0);
    QCOMPARE(result->stages.localMaxAbs, 0x1p-20 + 0x1p-30);
}

// An op that is not linear, with weights and statistics of its own, against long double: 2^-60 of values near 1,
// where the smallest stage is about 2^-24.
void TestAttributionOps::batchNormalization()
{
    std::mt19937_64 random(141);
    std::vector<DDTensor> reference{randomReal({40, 3}, random)};
    std::vector<Tensor> arrived{arrivedAs(reference[0], DType::f64, 1e-6, random)};
    for (int p = 1; p < 5; ++p) {
        reference.push_back(randomReal({3}, random));
        for (int c = 0; c < 3; ++c) // a variance of 1 to 4
            reference.back().mutableHi()[c] = 1 + std::abs(reference.back().hi()[c]);
        arrived.push_back(convertSource(reference.back(), DType::f16, kExec));
    }
    const Params params = paramsFor(op_batch_normalization, "{}");
    const NodeRun run =
        runNode(op_batch_normalization, params, reference, arrived, {DType::f32, DType::f32}, DType::f16);
    const auto exact = [&](const auto& activation, const auto& weights, std::int64_t i) {
        const auto at = [&](std::size_t port) { return static_cast<long double>(quadAt(weights[port], i % 3)); };
        const long double x = static_cast<long double>(quadAt(activation, i));
        return (x - at(3)) * (at(1) / std::sqrt(at(4) + static_cast<long double>(params.real("epsilon")))) + at(2);
    };
    const auto result = attribute(run.input());
    QVERIFY(result.ok());
    for (std::int64_t i = 0; i < 120; ++i) {
        const long double values[]{exact(reference[0], reference, i),
                                   exact(arrived[0], reference, i),
                                   exact(arrived[0], arrived, i),
                                   exact(run.cast[0], run.cast, i),
                                   static_cast<long double>(quadAt(run.before, i)),
                                   static_cast<long double>(quadAt(run.after, i))};
        for (std::size_t s = 0; s < 5; ++s) {
            const double got = result->stages.signedStages[s].data<double>()[i];
            const long double expected = values[s + 1] - values[s];
            QVERIFY2(std::abs(got - expected) <= 0x1p-57L + std::abs(expected) * 0x1p-51L,
                     stageName(static_cast<Stage>(s)).data());
        }
    }
    QVERIFY(result->stages.stages[1].rmse > 1e-5 && result->stages.stages[2].rmse > 1e-9);
    QVERIFY(!result->bound);
}

void TestAttributionOps::moves()
{
    const DDTensor r = realTensor({1 + 0x1p-40, 2, 3, 4}, {}, {2, 2});
    const Tensor a = plainTensor<double>(DType::f64, {1 + 0x1p-39, 2, 3, 4}, {2, 2});
    const NodeRun flat =
        runNode(op_flatten, paramsFor(op_flatten, "{}"), {r}, {a}, {DType::f32, DType::f32}, DType::f32);
    const Attribution moved = attribute(flat.input())->stages;
    QCOMPARE(moved.signedStages[0].data<double>()[0], 0x1p-40);
    QCOMPARE(moved.signedStages[2].data<double>()[0], -0x1p-39);
    QCOMPARE(moved.stages[3].rmse, 0.0);
    // A muted dense passes its input: no contraction, no bound.
    NodeRun muted = denseRun(kConfigurations[0], 121);
    muted.cast = muted.arrived;
    muted.before = muted.after = muted.arrived[0];
    muted.output = muted.reference[0];
    AttributionInput input = muted.input();
    input.passesThrough = true;
    const auto result = attribute(input);
    QVERIFY(isNear(*result->stages.stages[0].share, 1, 0x1p-46));
    QVERIFY(!result->bound);
    QCOMPARE(result->stages.localMaxAbs, 0.0);
}

void TestAttributionOps::sourceAndCast()
{
    const DDTensor source = realTensor({1 / 3.0, 5}, {0x1p-60, 0});
    const Tensor stored = convertSource(source, DType::f32, kExec);
    NodeRun run{op_input, paramsFor(op_input, "{}"), {}, {}, {}, {}, stored, stored, source, 0};
    AttributionInput input = run.input();
    input.isSource = true;
    const Attribution a = attribute(input)->stages;
    const double third = static_cast<double>(stored.data<float>()[0]) - 1 / 3.0 - 0x1p-60;
    QCOMPARE(a.signedStages[1].data<double>()[0], third);
    QVERIFY(isNear(*a.stages[1].share, 1, 0x1p-50));
    for (std::size_t s : {0u, 2u, 3u, 4u})
        QCOMPARE(a.stages[s].rmse, 0.0);

    const Tensor arrived = plainTensor<double>(DType::f64, {1 / 3.0, 5});
    const Tensor narrow = convert(arrived, DType::f16, kExec);
    NodeRun cast{op_cast, paramsFor(op_cast, "{}"), {source}, {arrived}, {narrow}, {}, narrow, narrow, source, 0};
    AttributionInput castInput = cast.input();
    castInput.isCastNode = true;
    const Attribution b = attribute(castInput)->stages;
    QCOMPARE(b.signedStages[0].data<double>()[0], -0x1p-60);
    QVERIFY(isNear(b.signedStages[2].data<double>()[0], elementAsDouble(narrow, 0) - 1 / 3.0, 0x1p-50));
    QCOMPARE(b.stages[1].rmse + b.stages[3].rmse + b.stages[4].rmse, 0.0);
}

void TestAttributionOps::sameBitsForAnyThreads()
{
    std::mt19937_64 random(131);
    const DDTensor r = randomReal({5, 65536}, random);
    const Tensor a = arrivedAs(r, DType::f64, 1e-9, random);
    const NodeRun run = runNode(op_relu, paramsFor(op_relu, "{}"), {r}, {a}, {DType::f32, DType::f32}, DType::bf16);
    const ScrambledExec threads(3);
    const AttributionInput serial = run.input();
    const AttributionInput parallel{.spec = run.spec,
                                    .params = run.params,
                                    .reference = run.reference,
                                    .arrived = run.arrived,
                                    .cast = run.cast,
                                    .before = run.before,
                                    .after = run.after,
                                    .referenceOutput = run.output,
                                    .pair = run.pair,
                                    .reductionLength = 0,
                                    .exec = threads};
    const Attribution x = attribute(serial)->stages, y = attribute(parallel)->stages;
    for (std::size_t s = 0; s < x.stages.size(); ++s) {
        QVERIFY(std::bit_cast<std::uint64_t>(x.stages[s].rmse) == std::bit_cast<std::uint64_t>(y.stages[s].rmse));
        QVERIFY(std::bit_cast<std::uint64_t>(*x.stages[s].share) == std::bit_cast<std::uint64_t>(*y.stages[s].share));
    }
    QCOMPARE(x.localRmse, y.localRmse);
}

QTEST_GUILESS_MAIN(TestAttributionOps)
#include "tst_attribution_ops.moc"
