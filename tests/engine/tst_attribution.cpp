// The stages of design 3.6 against their definition in __float128, with the real conv2d, dense and relu; identities,
// what is left out, and the bound where operands collapse.
#include "analysis_tools.h"
#include "engine/analysis/analysis.h"
#include "engine/model/convert.h"
#include "engine/ops/ops.h"
#include "tests/support/op_harness.h"

#include <QtTest/QtTest>

#include <random>

using namespace engine;
using namespace support;

namespace {

const SerialExec kExec;
using Quad = __float128;

Quad quadAt(const DDTensor& t, std::int64_t i)
{
    return static_cast<Quad>(t.hi()[i]) + (t.hasLo() ? t.lo()[i] : 0);
}
Quad quadAt(const Tensor& t, std::int64_t i)
{
    return elementAsDouble(t, i);
}
double magnitude(Quad q)
{
    return std::abs(static_cast<double>(q));
}

// One node of one run, worked through as the runner would.
struct NodeRun {
    const OpSpec& spec;
    Params params;
    std::vector<DDTensor> reference;
    std::vector<Tensor> arrived, cast;
    ComputePair pair;
    Tensor before, after;
    DDTensor output;
    std::int64_t n = 0;

    AttributionInput input(bool keep = true) const
    {
        return {.spec = spec,
                .params = params,
                .reference = reference,
                .arrived = arrived,
                .cast = cast,
                .before = before,
                .after = after,
                .referenceOutput = output,
                .pair = pair,
                .reductionLength = n,
                .exec = kExec,
                .keep = keep};
    }
};

NodeRun runNode(const OpSpec& spec, const Params& params, std::vector<DDTensor> reference, std::vector<Tensor> arrived,
                ComputePair pair, DType out)
{
    NodeRun run{spec, params, std::move(reference), std::move(arrived), {}, pair, {}, {}, {}, 0};
    std::vector<std::optional<Shape>> shapes;
    for (const Tensor& t : run.arrived) {
        run.cast.push_back(t.dtype() == pair.multiply ? t : convert(t, pair.multiply, kExec));
        shapes.push_back(t.shape());
    }
    run.before = *spec.cpu({params, run.cast, pair, kExec});
    run.after = run.before.dtype() == out ? run.before : convert(run.before, out, kExec);
    run.output = spec.reference({params, run.reference, kExec})->value;
    run.n = spec.reductionLength ? spec.reductionLength(params, shapes) : 0;
    return run;
}

DDTensor randomReal(const Shape& shape, std::mt19937_64& random, double scale = 1)
{
    DDTensor t = DDTensor::allocate(shape, DDTensor::Lo::Present);
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < t.elements(); ++i) {
        t.mutableHi()[i] = normal(random) * scale;
        t.mutableLo()[i] = t.hi()[i] * 0x1p-56 * normal(random) / 4;
    }
    return t;
}
// What arrives: the reference with an error of its own, in a dtype.
Tensor arrivedAs(const DDTensor& r, DType dtype, double relative, std::mt19937_64& random)
{
    DDTensor noisy = DDTensor::allocate(r.shape(), DDTensor::Lo::Absent);
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < r.elements(); ++i)
        noisy.mutableHi()[i] = r.hi()[i] * (1 + relative * normal(random));
    return convertSource(noisy, dtype, kExec);
}

// Contractions as the definition has them: which products make each output, for dense and for a 3x3 VALID conv2d.
struct Term {
    std::int64_t x, w;
};
using Terms = std::vector<std::vector<Term>>;

Terms denseTerms(std::int64_t rows, std::int64_t depth, std::int64_t units)
{
    Terms terms;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t u = 0; u < units; ++u) {
            terms.emplace_back();
            for (std::int64_t d = 0; d < depth; ++d)
                terms.back().push_back({r * depth + d, d * units + u});
        }
    return terms;
}
Terms convTerms(std::int64_t batch, std::int64_t size, std::int64_t channels, std::int64_t filters, bool channelsFirst)
{
    Terms terms;
    const std::int64_t out = size - 2;
    terms.resize(static_cast<std::size_t>(batch * filters * out * out));
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t f = 0; f < filters; ++f)
            for (std::int64_t pixel = 0; pixel < out * out; ++pixel) {
                const std::int64_t at =
                    channelsFirst ? (b * filters + f) * out * out + pixel : (b * out * out + pixel) * filters + f;
                for (std::int64_t k = 0; k < 9 * channels; ++k) {
                    const std::int64_t row = pixel / out + k / channels / 3, column = pixel % out + k / channels % 3;
                    const std::int64_t c = k % channels;
                    const std::int64_t x = channelsFirst ? ((b * channels + c) * size + row) * size + column
                                                         : ((b * size + row) * size + column) * channels + c;
                    terms[static_cast<std::size_t>(at)].push_back({x, k * filters + f});
                }
            }
    return terms;
}

struct Exact {
    Quad value = 0, magnitude = 0;
};
template <class X, class W, class B>
Exact contraction(const std::vector<Term>& terms, const X& x, const W& w, const B& bias, std::int64_t channel)
{
    Exact e{quadAt(bias, channel), 0};
    e.magnitude = e.value < 0 ? -e.value : e.value;
    for (const Term& t : terms) {
        const Quad p = quadAt(x, t.x) * quadAt(w, t.w);
        e.value += p;
        e.magnitude += p < 0 ? -p : p;
    }
    return e;
}

// Every stage of every element against the definition. A float64 contraction of differences d is off by at most
// (n + 2) 2^-53 sum|d w| per call; three calls, differences and sums rounded once or twice.
void compareStages(const NodeRun& run, const Terms& terms, std::int64_t inner)
{
    const auto result = attribute(run.input());
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    const Attribution& a = result->stages;
    const std::int64_t channels = run.reference[2].elements();
    const double n = static_cast<double>(run.n);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const std::int64_t c = at / inner % channels;
        const Exact e0 = contraction(terms[i], run.reference[0], run.reference[1], run.reference[2], c);
        const Exact e1 = contraction(terms[i], run.arrived[0], run.reference[1], run.reference[2], c);
        const Exact e2 = contraction(terms[i], run.arrived[0], run.arrived[1], run.arrived[2], c);
        const Exact e3 = contraction(terms[i], run.cast[0], run.cast[1], run.cast[2], c);
        double stageMagnitude = 0; // sum |d w| over the three calls
        for (const Term& t : terms[i]) {
            stageMagnitude += magnitude((quadAt(run.arrived[0], t.x) - quadAt(run.reference[0], t.x)) *
                                        quadAt(run.reference[1], t.w));
            stageMagnitude +=
                magnitude(quadAt(run.arrived[0], t.x) * (quadAt(run.arrived[1], t.w) - quadAt(run.reference[1], t.w)));
            stageMagnitude +=
                magnitude((quadAt(run.cast[0], t.x) - quadAt(run.arrived[0], t.x)) * quadAt(run.cast[1], t.w));
            stageMagnitude +=
                magnitude(quadAt(run.arrived[0], t.x) * (quadAt(run.cast[1], t.w) - quadAt(run.arrived[1], t.w)));
        }
        const Quad expected[]{e1.value - e0.value, e2.value - e1.value, e3.value - e2.value,
                              quadAt(run.before, at) - e3.value, quadAt(run.after, at) - quadAt(run.before, at)};
        double sum = 0, absolute = stageMagnitude;
        for (Quad q : expected)
            absolute += magnitude(q);
        const double allowed = (n + 8) * 0x1p-53 * absolute;
        Quad total = quadAt(run.after, at) - e0.value;
        double stageSum = 0;
        for (std::size_t s = 0; s < a.signedStages.size(); ++s) {
            const double got = a.signedStages[s].data<double>()[i];
            QVERIFY2(magnitude(got - expected[s]) <= allowed, stageName(static_cast<Stage>(s)).data());
            total -= got;
            stageSum += std::abs(got);
            sum += got;
        }
        QVERIFY(magnitude(total) <= 0x1p-50 * stageSum);
    }
    double shares = 0, shareSizes = 0;
    for (const StageFigures& f : a.stages) {
        shares += *f.share;
        shareSizes += std::abs(*f.share);
    }
    QVERIFY(std::abs(shares - 1) <= 0x1p-44 * shareSizes);
    QCOMPARE(a.excluded, 0);
    QVERIFY(result->bound.has_value());
    QVERIFY(result->bound->maxRatio <= 1);
}

Params paramsFor(const OpSpec& spec, std::string_view object)
{
    return *paramsOf(spec, object);
}

struct Configuration {
    DType input, weight, out;
    ComputePair pair;
};
const Configuration kConfigurations[]{
    {DType::f32, DType::f32, DType::f32, {DType::f32, DType::f32}},
    {DType::f64, DType::f32, DType::f32, {DType::f32, DType::f32}},
    {DType::f32, DType::f64, DType::f64, {DType::f64, DType::f64}},
    {DType::f64, DType::f64, DType::f64, {DType::f64, DType::f64}},
    {DType::f32, DType::f16, DType::f16, {DType::f16, DType::f32}},
    {DType::bf16, DType::bf16, DType::bf16, {DType::bf16, DType::f32}},
    {DType::f16, DType::f16, DType::f16, {DType::f16, DType::f16}},
    // Both operands narrow at the node.
    {DType::f64, DType::f64, DType::f32, {DType::f32, DType::f32}},
    {DType::f32, DType::f32, DType::bf16, {DType::bf16, DType::f32}},
};

// dense 3 x 20 -> 5 for the special cases.
NodeRun denseRun(const Configuration& c, unsigned seed, double weightScale = 1)
{
    std::mt19937_64 random(seed);
    const DDTensor x = randomReal({3, 20}, random), w = randomReal({20, 5}, random, weightScale),
                   b = randomReal({5}, random, weightScale);
    const std::vector<Tensor> arrived{arrivedAs(x, c.input, 1e-6, random), convertSource(w, c.weight, kExec),
                                      convertSource(b, c.weight, kExec)};
    return runNode(op_dense, paramsFor(op_dense, R"({"units": 5})"), {x, w, b}, arrived, c.pair, c.out);
}

} // namespace

class TestAttribution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void dense();
    void convolution_data();
    void convolution();
    void figuresFromStages();
    void equalOperandsCostNothing();
    void wiredWeightIsInherited();
    void collapsedOperands();
    void brokenKernelExceedsTheBound();
    void nonFiniteIsLeftOut();
    void extremeScale();
    void relu();
    void addWithTwoOperands();
    void batchNormalization();
    void moves();
    void sourceAndCast();
    void boundByHand();
    void sameBitsForAnyThreads();
};

void TestAttribution::dense()
{
    const Terms terms = denseTerms(3, 20, 5);
    unsigned seed = 31;
    for (const Configuration& c : kConfigurations)
        compareStages(denseRun(c, ++seed), terms, 1);
}

void TestAttribution::convolution_data()
{
    QTest::addColumn<bool>("channelsFirst");
    QTest::newRow("channels last") << false;
    QTest::newRow("channels first") << true;
}

// As many filters as rows and columns, so that no shape tells which dimension holds the channels.
void TestAttribution::convolution()
{
    QFETCH(bool, channelsFirst);
    std::mt19937_64 random(41);
    const Params params = paramsFor(op_conv2d, channelsFirst ? R"({"filters": 4, "data_format": "channels_first"})"
                                                             : R"({"filters": 4})");
    const Shape shape = channelsFirst ? Shape{2, 3, 6, 6} : Shape{2, 6, 6, 3};
    const Terms terms = convTerms(2, 6, 3, 4, channelsFirst);
    for (const Configuration& c : kConfigurations) {
        const DDTensor x = randomReal(shape, random), w = randomReal({3, 3, 3, 4}, random), b = randomReal({4}, random);
        const std::vector<Tensor> arrived{arrivedAs(x, c.input, 1e-5, random), convertSource(w, c.weight, kExec),
                                          convertSource(b, c.weight, kExec)};
        compareStages(runNode(op_conv2d, params, {x, w, b}, arrived, c.pair, c.out), terms, channelsFirst ? 16 : 1);
    }
}

void TestAttribution::figuresFromStages()
{
    const NodeRun run = denseRun(kConfigurations[4], 51);
    const auto result = attribute(run.input());
    const Attribution& a = result->stages;
    const std::int64_t n = run.after.elements();
    Quad totalSquares = 0, local = 0, localMax = 0;
    std::array<Quad, kStageCount> squares{}, products{};
    for (std::int64_t i = 0; i < n; ++i) {
        const Quad total = quadAt(run.after, i) - quadAt(run.output, i);
        totalSquares += total * total;
        const Quad l = total - a.signedStages[0].data<double>()[i];
        local += l * l;
        localMax = std::max(localMax, l < 0 ? -l : l);
        for (std::size_t s = 0; s < squares.size(); ++s) {
            const Quad e = a.signedStages[s].data<double>()[i];
            squares[s] += e * e;
            products[s] += e * total;
        }
    }
    const auto root = [&](Quad q) { return std::sqrt(static_cast<double>(q / n)); };
    for (std::size_t s = 0; s < squares.size(); ++s) {
        QVERIFY(a.stages[s].rmse > 0);
        QVERIFY(isNear(a.stages[s].rmse, root(squares[s]), 0x1p-46));
        QVERIFY(isNear(*a.stages[s].share, static_cast<double>(products[s] / totalSquares), 0x1p-40));
    }
    QVERIFY(isNear(a.localRmse, root(local), 0x1p-46));
    QVERIFY(isNear(a.localMaxAbs, static_cast<double>(localMax), 0x1p-46));
    QVERIFY(attribute(run.input(false))->stages.signedStages[0].isNull());
}

void TestAttribution::equalOperandsCostNothing()
{
    // A float32 model in float32: nothing inherited, stored or cast; all of the total is arithmetic, to the bit.
    std::mt19937_64 random(61);
    const DDTensor x = widen(convertSource(randomReal({3, 20}, random), DType::f32, kExec), kExec),
                   w = widen(convertSource(randomReal({20, 5}, random), DType::f32, kExec), kExec),
                   b = widen(convertSource(randomReal({5}, random), DType::f32, kExec), kExec);
    std::vector<Tensor> arrived;
    for (const DDTensor* t : {&x, &w, &b})
        arrived.push_back(convertSource(*t, DType::f32, kExec));
    const NodeRun run = runNode(op_dense, paramsFor(op_dense, R"({"units": 5})"), {x, w, b}, arrived,
                                {DType::f32, DType::f32}, DType::f32);
    const auto result = attribute(run.input());
    for (Stage s : {Stage::Inherited, Stage::Storage, Stage::Cast, Stage::Output})
        QCOMPARE(result->stages.stages[static_cast<std::size_t>(s)].rmse, 0.0);
    QVERIFY(isNear(*result->stages.stages[static_cast<std::size_t>(Stage::Arithmetic)].share, 1, 0x1p-46));
    for (std::int64_t i = 0; i < 15; ++i)
        QCOMPARE(result->stages.signedStages[3].data<double>()[i],
                 static_cast<double>(quadAt(run.after, i) - quadAt(run.output, i)));
}

void TestAttribution::wiredWeightIsInherited()
{
    const NodeRun run = denseRun(kConfigurations[0], 71);
    const char owned[]{0, 0, 1};
    AttributionInput input = run.input();
    const Attribution free = attribute(input)->stages;
    input.owned = owned;
    const Attribution wired = attribute(input)->stages;
    for (std::int64_t i = 0; i < 15; ++i) {
        const double bias =
            elementAsDouble(run.arrived[2], i % 5) - static_cast<double>(quadAt(run.reference[2], i % 5));
        const double storage = wired.signedStages[1].data<double>()[i];
        QVERIFY(std::abs(storage - bias) <= 0x1p-50); // only the bias is left there
        const double both = free.signedStages[0].data<double>()[i] + free.signedStages[1].data<double>()[i];
        QVERIFY(std::abs(wired.signedStages[0].data<double>()[i] + storage - both) <= 0x1p-50 * std::abs(both) + 1e-20);
    }
}

// Weights below float16's range: every stored weight is 0, the kernel returns exact zeros, and the bound is far
// below the noise of a remainder.
void TestAttribution::collapsedOperands()
{
    const NodeRun run = denseRun({DType::f64, DType::f16, DType::f32, {DType::f16, DType::f32}}, 81, 1e-12);
    for (std::int64_t i = 0; i < 15; ++i)
        QCOMPARE(elementAsDouble(run.before, i), 0.0);
    const auto result = attribute(run.input());
    QCOMPARE(result->bound->maxRatio, 0.0);
    QCOMPARE(result->bound->maxAbs, 21 * 0x1p-150);
    QVERIFY(isNear(*result->stages.stages[1].share, 1, 1e-5)); // inherited: 1e-6 relative
}

void TestAttribution::brokenKernelExceedsTheBound()
{
    NodeRun run = denseRun(kConfigurations[0], 91);
    Tensor wrong = Tensor::allocate(DType::f32, run.before.shape());
    std::copy_n(run.before.data<float>(), 15, wrong.mutableData<float>());
    wrong.mutableData<float>()[7] += 0x1p-14f * 20;
    run.before = run.after = wrong;
    const auto result = attribute(run.input());
    QVERIFY(result->bound->maxRatio > 1);
    QVERIFY(*result->stages.stages[3].share > 0.9);
}

void TestAttribution::nonFiniteIsLeftOut()
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
void TestAttribution::extremeScale()
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

void TestAttribution::relu()
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

void TestAttribution::addWithTwoOperands()
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
void TestAttribution::batchNormalization()
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

void TestAttribution::moves()
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

void TestAttribution::sourceAndCast()
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

void TestAttribution::boundByHand()
{
    // y = 1 * 3 + 2 * (-1) + 5, float32: n = 3, sum|ab| + |bias| = 10.
    const DDTensor x = realTensor({1, 2}, {}, {1, 2}), w = realTensor({3, -1}, {}, {2, 1}), b = realTensor({5});
    const std::vector<Tensor> arrived{convertSource(x, DType::f32, kExec), convertSource(w, DType::f32, kExec),
                                      convertSource(b, DType::f32, kExec)};
    const NodeRun run = runNode(op_dense, paramsFor(op_dense, R"({"units": 1})"), {x, w, b}, arrived,
                                {DType::f32, DType::f32}, DType::f32);
    const BoundReport bound = *attribute(run.input())->bound;
    QCOMPARE(bound.n, 3);
    QCOMPARE(bound.u, 0x1p-24);
    QCOMPARE(bound.eta, 0x1p-149);
    QCOMPARE(bound.maxAbs, 30 * 0x1p-24); // 3 2^-150 is far below its last bit
    QCOMPARE(bound.perElement.data<double>()[0], bound.maxAbs);
    QCOMPARE(bound.maxRatio, 0.0);
}

void TestAttribution::sameBitsForAnyThreads()
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

QTEST_GUILESS_MAIN(TestAttribution)
#include "tst_attribution.moc"
