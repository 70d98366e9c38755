// The stages of contractions (design 3.6) against their definition in __float128, with the real conv2d and dense;
// identities, figures, and the bound, also where operands collapse.
#include "node_run.h"

#include <QtTest/QtTest>

using namespace engine;
using namespace support;

namespace {

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
    void boundByHand();
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

QTEST_GUILESS_MAIN(TestAttribution)
#include "tst_attribution.moc"
