// The plain contractions against their definition (design 3.3), bit by bit: one accumulator per output, the fixed
// order, one rounding per step with FMA. See plain_oracle.h.
#include "tests/engine/plain_oracle.h"

#include <QtTest/QtTest>

#include <cmath>
#include <limits>

using namespace contraction_cases;
using namespace plain_oracle;

namespace {

enum class Values { Ordinary, Wide, Special };

// Ordinary: exponents -3 to 1. Wide: all finite values. Special: Inf and NaN among ordinary ones.
Bytes operands(DType d, std::int64_t count, Values values, unsigned seed)
{
    std::mt19937_64 random(seed);
    const int size = engine::facts(d).bytes;
    Bytes bytes(at(count * size));
    for (std::int64_t i = 0; i < count; ++i) {
        unsigned char* p = bytes.data() + i * size;
        for (;;) {
            std::uint64_t bits = random();
            if (d == DType::tf32)
                bits &= ~std::uint64_t{0x1fff};
            for (int b = 0; b < size; ++b)
                p[b] = static_cast<unsigned char>(bits >> 8 * b);
            const double v = decode(d, p);
            const double magnitude = std::fabs(v);
            const bool isSpecial = values == Values::Special && random() % 41 == 0;
            if (isSpecial                ? !std::isfinite(v)
                : values == Values::Wide ? std::isfinite(v)
                                         : magnitude >= 0.125 && magnitude < 4)
                break;
            if (values != Values::Wide && size >= 4 && (!isSpecial || random() % 2)) {
                // Too rare to wait for: make it.
                const double made = isSpecial ? std::numeric_limits<double>::infinity()
                                              : std::ldexp(1 + static_cast<double>(bits >> 12 & 0x3ff) / 1024 +
                                                               (d == DType::f64   ? 0x1p-52
                                                                : d == DType::f32 ? 0x1p-23
                                                                                  : 0) *
                                                                   static_cast<double>(bits >> 40 & 0x7ff),
                                                           static_cast<int>(bits % 5) - 3);
                const double signedValue = bits & (1u << 11) ? -made : made;
                const float f = static_cast<float>(signedValue);
                std::memcpy(p, d == DType::f64 ? static_cast<const void*>(&signedValue) : &f, at(size));
                break;
            }
        }
    }
    return bytes;
}

struct Problem {
    Window2d g;
    ComputePair pair;
    Bytes x, w, bias;
    bool hasBias;

    Problem(const Window2d& window, ComputePair p, Values values, bool withBias, unsigned seed)
        : g(window), pair(p), x(operands(p.multiply, inputs(g), values, seed)),
          w(operands(p.multiply, kernels(g), values, seed + 1)), bias(operands(p.multiply, g.outC, values, seed + 2)),
          hasBias(withBias)
    {
    }

    double operand(const Bytes& b, std::int64_t i) const
    {
        return decode(pair.multiply, b.data() + i * engine::facts(pair.multiply).bytes);
    }

    void expected(Isa isa, std::int64_t output, unsigned char* to) const
    {
        const Output o = outputAt(g, output);
        double s = 0;
        forEachProduct(g, o, [&](std::int64_t xi, std::int64_t wi) {
            s = step(pair, isa, s, xi < 0 ? 0 : operand(x, xi), operand(w, wi));
        });
        if (hasBias) {
            const double b = operand(bias, o.k);
            s = pair.accumulate == DType::f64   ? s + b
                : pair.accumulate == DType::f32 ? static_cast<double>(static_cast<float>(s) + static_cast<float>(b))
                                                : fmaNarrow(pair.accumulate, s, b, 1);
        }
        encode(pair.accumulate, s, to);
    }

    // Into poisoned memory; what lies behind the result must stay.
    Bytes run(const engine::Exec& exec) const
    {
        constexpr std::size_t kGuard = 256;
        const std::size_t size = at(outputs(g) * engine::facts(pair.accumulate).bytes);
        Bytes y(size + kGuard, 0xa5);
        if (!conv2dPlain(g, pair, x.data(), w.data(), hasBias ? bias.data() : nullptr, y.data(), exec))
            return {};
        for (std::size_t i = size; i < y.size(); ++i)
            if (y[i] != 0xa5)
                return {};
        y.resize(size);
        return y;
    }
};

Bytes channelsFirstBytes(const Bytes& b, int size, std::int64_t batch, std::int64_t plane, std::int64_t channels)
{
    Bytes y(b.size());
    for (std::int64_t n = 0; n < batch; ++n)
        for (std::int64_t p = 0; p < plane; ++p)
            for (std::int64_t c = 0; c < channels; ++c)
                std::memcpy(y.data() + ((n * channels + c) * plane + p) * size,
                            b.data() + ((n * plane + p) * channels + c) * size, at(size));
    return y;
}

std::vector<Isa> instructionSets()
{
    std::vector<Isa> all{Isa::Baseline};
    for (Isa isa : {Isa::V3, Isa::V4})
        if (engine::isaAvailable(isa))
            all.push_back(isa);
    return all;
}

QByteArray label(const char* name, ComputePair pair, Isa isa)
{
    return QByteArray(name) + " " + pair.text().c_str() + " " + std::string(engine::isaName(isa)).c_str();
}

} // namespace

class TestPlainKernels : public QObject {
    Q_OBJECT

    // Every `stride`th output against the oracle.
    void compare(const Problem& problem, Isa isa, const Bytes& y, std::int64_t stride, const QByteArray& where)
    {
        const int size = engine::facts(problem.pair.accumulate).bytes;
        QVERIFY2(y.size() == at(outputs(problem.g) * size), where.constData());
        unsigned char expected[8];
        for (std::int64_t i = 0; i < outputs(problem.g); i += stride) {
            problem.expected(isa, i, expected);
            if (std::memcmp(expected, y.data() + i * size, at(size)) != 0)
                QFAIL((where + " output " + QByteArray::number(static_cast<qlonglong>(i)) + ": got " +
                       QByteArray::number(decode(problem.pair.accumulate, y.data() + i * size), 'g', 17) +
                       ", expected " + QByteArray::number(decode(problem.pair.accumulate, expected), 'g', 17))
                          .constData());
        }
    }

private Q_SLOTS:
    void everyPairEveryShape_data()
    {
        QTest::addColumn<int>("pair");
        for (int i = 0; i < static_cast<int>(engine::computePairs().size()); ++i)
            QTest::newRow(engine::computePairs()[at(i)].text().c_str()) << i;
    }
    void everyPairEveryShape()
    {
        QFETCH(int, pair);
        const ComputePair p = engine::computePairs()[at(pair)];
        const bool isSlow = isNarrow(p.accumulate);
        unsigned seed = 100;
        for (const Case& c : smallCases())
            for (const Values values : {Values::Ordinary, Values::Wide, Values::Special}) {
                const Problem problem(c.g, p, values, seed % 2 == 0, seed);
                ++seed;
                for (const Isa isa : instructionSets())
                    compare(problem, isa, problem.run(TestExec(isa)),
                            isSlow           ? 17
                            : isa == Isa::V4 ? 1
                                             : 5,
                            label(c.name, p, isa));
            }
        const Case large = largeCase();
        const Problem problem(large.g, p, Values::Ordinary, true, 7);
        for (const Isa isa : instructionSets())
            compare(problem, isa, problem.run(TestExec(isa, 2)), isSlow ? 9973 : 101, label(large.name, p, isa));
    }

    void theOrderShows()
    {
        // The same products in the order (kh, kw, c) give other bits: the shape tells the orders apart.
        const Problem problem(smallCases()[1].g, {DType::f32, DType::f32}, Values::Ordinary, false, 5);
        int different = 0;
        for (std::int64_t i = 0; i < outputs(problem.g); ++i) {
            std::vector<std::pair<std::int64_t, std::int64_t>> products;
            forEachProduct(problem.g, outputAt(problem.g, i), [&](auto x, auto w) { products.emplace_back(w, x); });
            std::sort(products.begin(), products.end()); // weights lie in the order (kh, kw, c)
            double s = 0;
            for (auto [w, x] : products)
                s = step(problem.pair, Isa::V3, s, x < 0 ? 0 : problem.operand(problem.x, x),
                         problem.operand(problem.w, w));
            unsigned char bytes[8], other[8];
            problem.expected(Isa::V3, i, bytes);
            encode(DType::f32, s, other);
            different += std::memcmp(bytes, other, 4) != 0;
        }
        QVERIFY(different > outputs(problem.g) / 4);
    }

    void layoutsThreadsAndInstructionSetsAgree()
    {
        std::vector<Case> cases = smallCases();
        cases.push_back(largeCase());
        for (const ComputePair p : engine::computePairs())
            for (const Case& c : cases) {
                Problem problem(c.g, p, Values::Special, true, 31);
                const int in = engine::facts(p.multiply).bytes, out = engine::facts(p.accumulate).bytes;
                std::vector<Bytes> results;
                const Window2d& g = c.g;
                for (const Isa isa : instructionSets()) {
                    const Bytes y = problem.run(TestExec(isa));
                    QVERIFY2(!y.empty() && y == problem.run(TestExec(isa, 2)), label(c.name, p, isa).constData());
                    if (isa != Isa::Baseline)
                        results.push_back(y);
                    Problem other = problem;
                    other.g.channelsFirst = true;
                    other.x = channelsFirstBytes(problem.x, in, g.batch, g.inH * g.inW, g.inC);
                    QVERIFY2(other.run(TestExec(isa, 2)) ==
                                 channelsFirstBytes(y, out, g.batch, g.outH * g.outW, g.outC),
                             label(c.name, p, isa).constData());
                }
                if (results.size() == 2)
                    QVERIFY2(results[0] == results[1], label(c.name, p, Isa::V4).constData());
            }
    }

    void paddingIsMultiplied()
    {
        // 1x1 image, 1x3 kernel whose first tap falls on padding: 0 * Inf.
        Case c = conv("", 1, {1, 1}, 1, 1, {1, 3}, {1, 1}, {1, 1}, {0, 1}, {0, 1});
        const double inf = std::numeric_limits<double>::infinity();
        const double x = 2;
        double y = 0;
        for (const Isa isa : instructionSets()) {
            const double infinite[]{inf, 1, 1}, finite[]{7, 3, 5};
            QVERIFY(conv2dPlain(c.g, {DType::f64, DType::f64}, &x, infinite, nullptr, &y, TestExec(isa)));
            QVERIFY(std::isnan(y));
            QVERIFY(conv2dPlain(c.g, {DType::f64, DType::f64}, &x, finite, nullptr, &y, TestExec(isa)));
            QCOMPARE(y, 6.0);
        }
    }

    void narrowAccumulatorsStall()
    {
        // Known: ones added in float16 stop at 2048, in bfloat16 at 256 (ties go to even).
        const std::vector<std::uint16_t> half(5000, 0x3c00), brain(5000, 0x3f80);
        engine::MatmulShape g;
        g.depth = 5000;
        for (const Isa isa : instructionSets()) {
            std::uint16_t y = 0;
            QVERIFY(matmulPlain(g, {DType::f16, DType::f16}, half.data(), half.data(), nullptr, &y, TestExec(isa)));
            QCOMPARE(y, std::uint16_t{0x6800}); // 2048
            QVERIFY(matmulPlain(g, {DType::bf16, DType::bf16}, brain.data(), brain.data(), nullptr, &y, TestExec(isa)));
            QCOMPARE(y, std::uint16_t{0x4380}); // 256
            float wide = 0;
            QVERIFY(
                matmulPlain(g, {DType::bf16, DType::f32}, brain.data(), brain.data(), nullptr, &wide, TestExec(isa)));
            QCOMPARE(wide, 5000.0f);
        }
    }

    void matmulBatches()
    {
        // Integers: exact in any order. Second operand shared (stride 0), then one per entry.
        constexpr std::int64_t batch = 3, rows = 67, depth = 71, columns = 73;
        std::mt19937_64 random(9);
        std::vector<float> x(batch * rows * depth), w(batch * depth * columns), y(batch * rows * columns, -1.0f);
        for (auto* v : {&x, &w})
            for (float& f : *v)
                f = static_cast<float>(static_cast<int>(random() % 41) - 20);
        for (const std::int64_t strideW : {std::int64_t{0}, depth * columns})
            for (const Isa isa : instructionSets()) {
                const engine::MatmulShape g{batch, rows, depth, columns, rows * depth, strideW, rows * columns};
                QVERIFY(
                    matmulPlain(g, {DType::f32, DType::f32}, x.data(), w.data(), nullptr, y.data(), TestExec(isa, 2)));
                for (std::int64_t b = 0; b < batch; ++b)
                    for (std::int64_t i = 0; i < rows; ++i)
                        for (std::int64_t k = 0; k < columns; ++k) {
                            long sum = 0;
                            for (std::int64_t j = 0; j < depth; ++j)
                                sum += static_cast<long>(x[at((b * rows + i) * depth + j)]) *
                                       static_cast<long>(w[at(b * strideW + j * columns + k)]);
                            QCOMPARE(y[at((b * rows + i) * columns + k)], static_cast<float>(sum));
                        }
            }
    }

    void stops()
    {
        // One long task: a single output of depth 2^20 asks often enough (every 8192 products) to stop at once.
        const std::vector<double> ones(1 << 20, 1.0);
        engine::MatmulShape g;
        g.depth = 1 << 20;
        double y = 0;
        const TestExec all(engine::bestIsa());
        QVERIFY(matmulPlain(g, {DType::f64, DType::f64}, ones.data(), ones.data(), nullptr, &y, all));
        QCOMPARE(y, 1048576.0);
        const TestExec early(engine::bestIsa(), 1, 5);
        QVERIFY(!matmulPlain(g, {DType::f64, DType::f64}, ones.data(), ones.data(), nullptr, &y, early));
        QVERIFY(early.polls() < 16);
    }

    void emptyShapes()
    {
        Window2d g;
        g.inC = 0;
        g.outC = 2;
        const float bias[]{1.5f, -2.0f};
        float y[2]{9, 9};
        QVERIFY(conv2dPlain(g, {DType::f32, DType::f32}, nullptr, nullptr, bias, y, TestExec(engine::bestIsa())));
        QCOMPARE(y[0], 1.5f);
        QCOMPARE(y[1], -2.0f);
        g.batch = 0;
        QVERIFY(conv2dPlain(g, {DType::f32, DType::f32}, nullptr, nullptr, bias, y, TestExec(engine::bestIsa())));
    }
};

QTEST_GUILESS_MAIN(TestPlainKernels)
#include "tst_plain_kernels.moc"
