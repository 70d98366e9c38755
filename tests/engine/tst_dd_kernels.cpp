// The double-double contractions against binary128 sums (113 bits): at most 2^-90 * sum|a b| off (design 3.4), the
// same bits for any thread count and layout, and what happens at the ends of the range.
#include "tests/engine/contraction_cases.h"

#include <QtTest/QtTest>

#include <cmath>
#include <limits>

using namespace contraction_cases;
using engine::DDOut;
using engine::DDSpan;
using engine::DDStatus;
using engine::Isa;
using engine::Limited;

namespace {

using Quad = __float128;
using Values = std::vector<double>;

std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

Quad magnitude(Quad v)
{
    return v < 0 ? -v : v;
}

// hi, and lo at most half an ulp of it.
struct Pair {
    Values hi, lo;
    DDSpan span() const { return {hi.data(), lo.empty() ? nullptr : lo.data()}; }
    Quad value(std::int64_t i) const { return static_cast<Quad>(hi[at(i)]) + (lo.empty() ? 0 : lo[at(i)]); }
};

enum class Parts { One, Two };

Pair randomPair(std::int64_t count, Parts parts, int exponents, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Pair p;
    for (std::int64_t i = 0; i < count; ++i) {
        const int e = exponents == 0 ? 0 : static_cast<int>(random() % at(2 * exponents)) - exponents;
        p.hi.push_back(std::ldexp(uniform(random), e));
        if (parts == Parts::Two)
            p.lo.push_back(std::ldexp(uniform(random), std::ilogb(p.hi.back()) - 53));
    }
    return p;
}

struct Result {
    Values hi, lo, magnitudes;
    DDStatus status;
    bool operator==(const Result& o) const
    {
        const auto same = [](const Values& a, const Values& b) {
            return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * 8) == 0;
        };
        return same(hi, o.hi) && same(lo, o.lo) && same(magnitudes, o.magnitudes) && status.limited == o.status.limited;
    }
};

Result poisoned(std::int64_t count)
{
    const Values poison(at(count), -0x1.23456p77);
    return {poison, poison, poison, {}};
}

Result run(const Window2d& g, const Pair& x, const Pair& w, const Pair& bias, const engine::Exec& exec)
{
    Result r = poisoned(outputs(g));
    r.status = conv2dDD(g, x.span(), w.span(), bias.hi.empty() ? DDSpan{} : bias.span(),
                        {r.hi.data(), r.lo.data(), r.magnitudes.data()}, exec);
    return r;
}

std::vector<Isa> instructionSets()
{
    std::vector<Isa> all{Isa::Baseline};
    for (Isa isa : {Isa::V3, Isa::V4})
        if (engine::isaAvailable(isa))
            all.push_back(isa);
    return all;
}

constexpr double kInf = std::numeric_limits<double>::infinity();

Window2d rowTimesMatrix(std::int64_t depth, std::int64_t columns = 1)
{
    Window2d g;
    g.inC = depth;
    g.outC = columns;
    return g;
}

} // namespace

class TestDDKernels : public QObject {
    Q_OBJECT

    // Every `stride`th output; returns the largest error over sum|a b|, as a power of two.
    double compare(const Window2d& g, const Pair& x, const Pair& w, const Pair& bias, const Result& r,
                   std::int64_t stride)
    {
        double worst = 0;
        for (std::int64_t i = 0; i < outputs(g); i += stride) {
            Quad sum = 0, all = 0;
            const Output o = outputAt(g, i);
            forEachProduct(g, o, [&](std::int64_t xi, std::int64_t wi) {
                const Quad product = xi < 0 ? 0 : x.value(xi) * w.value(wi);
                sum += product;
                all += magnitude(product);
            });
            if (!bias.hi.empty()) {
                sum += bias.value(o.k);
                all += magnitude(bias.value(o.k));
            }
            const Quad error = magnitude(static_cast<Quad>(r.hi[at(i)]) + r.lo[at(i)] - sum);
            if (all > 0)
                worst = std::max(worst, static_cast<double>(error / all));
            else if (error != 0)
                worst = kInf;
            // Normalised, and the float64 sum of magnitudes within n 2^-53 (n additions and the lost low parts).
            if (r.hi[at(i)] + r.lo[at(i)] != r.hi[at(i)])
                worst = kInf;
            const double n = static_cast<double>(g.kernelH * g.kernelW * g.inC / g.groups + 3);
            if (magnitude(r.magnitudes[at(i)] - all) > all * n * 0x1p-53)
                worst = kInf;
        }
        return worst;
    }

private Q_SLOTS:
    void everyShape_data()
    {
        QTest::addColumn<int>("parts");
        QTest::addColumn<int>("exponents");
        for (const int exponents : {0, 60, 300})
            for (int parts = 0; parts < 4; ++parts)
                QTest::addRow("x %d w %d exponents %d", parts & 1 ? 2 : 1, parts & 2 ? 2 : 1, exponents)
                    << parts << exponents;
    }
    void everyShape()
    {
        QFETCH(int, parts);
        QFETCH(int, exponents);
        unsigned seed = 1;
        std::vector<Case> cases = smallCases();
        cases.push_back(largeCase());
        for (const Case& c : cases) {
            const bool isLarge = &c == &cases.back();
            const Pair x = randomPair(inputs(c.g), parts & 1 ? Parts::Two : Parts::One, exponents, ++seed);
            const Pair w = randomPair(kernels(c.g), parts & 2 ? Parts::Two : Parts::One, exponents, ++seed);
            const Pair bias =
                seed % 4 == 1 ? Pair{} : randomPair(c.g.outC, seed % 4 == 3 ? Parts::Two : Parts::One, 3, seed);
            std::vector<Result> fused;
            for (const Isa isa : instructionSets()) {
                if (isLarge && (isa == Isa::Baseline || exponents == 60))
                    continue;
                const Result r = run(c.g, x, w, bias, TestExec(isa));
                QVERIFY(r.status.finished && r.status.limited == Limited::No);
                const double worst = compare(c.g, x, w, bias, r, isLarge ? 1009 : 7);
                QVERIFY2(worst <= 0x1p-90, (std::string(c.name) + ": 2^" + std::to_string(std::log2(worst))).c_str());
                QVERIFY2(r == run(c.g, x, w, bias, TestExec(isa, 2)), c.name);
                if (isa != Isa::Baseline)
                    fused.push_back(r);
            }
            if (fused.size() == 2)
                QVERIFY2(fused[0] == fused[1], c.name);
        }
    }

    void layoutsAgree()
    {
        for (const Case& c : smallCases()) {
            const Pair x = randomPair(inputs(c.g), Parts::Two, 9, 3), w = randomPair(kernels(c.g), Parts::One, 9, 4);
            const Pair bias = randomPair(c.g.outC, Parts::One, 0, 5);
            const TestExec exec(engine::bestIsa());
            const Result last = run(c.g, x, w, bias, exec);
            Window2d g = c.g;
            g.channelsFirst = true;
            const std::int64_t in = g.inH * g.inW, out = g.outH * g.outW;
            const Pair moved{channelsFirst(x.hi, g.batch, in, g.inC), channelsFirst(x.lo, g.batch, in, g.inC)};
            const Result first = run(g, moved, w, bias, exec);
            const auto move = [&](const Values& v) { return channelsFirst(v, g.batch, out, g.outC); };
            QVERIFY2((first == Result{move(last.hi), move(last.lo), move(last.magnitudes), last.status}), c.name);
        }
    }

    void longSums()
    {
        // Equal products leave the same remainder at every step; a low part that only grows would round it away.
        for (const std::int64_t depth : {4096, 20011})
            for (const bool isConstant : {true, false}) {
                Pair x = randomPair(depth, Parts::One, 2, 11), w = randomPair(depth * 3, Parts::One, 2, 12);
                if (isConstant) {
                    x.hi.assign(x.hi.size(), 0.1);
                    w.hi.assign(w.hi.size(), 0.3);
                }
                const Window2d g = rowTimesMatrix(depth, 3);
                for (const Isa isa : instructionSets()) {
                    const double worst = compare(g, x, w, {}, run(g, x, w, {}, TestExec(isa)), 1);
                    QVERIFY2(worst <= 0x1p-90, std::to_string(std::log2(worst)).c_str());
                }
            }
    }

    void oneHugePixelHarmsNoOther()
    {
        Case c = smallCases()[0];
        Pair x = randomPair(inputs(c.g), Parts::One, 0, 21);
        const Pair w = randomPair(kernels(c.g), Parts::One, 0, 22);
        x.hi[0] = 0x1p500;
        const Result r = run(c.g, x, w, {}, TestExec(engine::bestIsa()));
        QVERIFY(compare(c.g, x, w, {}, r, 1) <= 0x1p-90);
    }

    void cancellation()
    {
        // 1e16 + 1 - 1e16 and its like are exact where float64 has nothing left.
        const Pair x{{0x1p60, 1, -0x1p60, 0x1p-40}, {}}, w{{1, 1, 1, 1}, {}};
        const Result r = run(rowTimesMatrix(4), x, w, {}, TestExec(engine::bestIsa()));
        QCOMPARE(r.hi[0], 1 + 0x1p-40);
        QCOMPARE(r.lo[0], 0.0);
        QCOMPARE(r.magnitudes[0], 0x1p61 + 1.0);
    }

    void beyondTheAnchor()
    {
        // sum|a b| above 2^1020: Dot2. 2^1022 + 3 * 2^960 - 2^1022.
        const Pair x{{0x1p1022, 3 * 0x1p960, -0x1p1022}, {}}, w{{1, 1, 1}, {}};
        const Result r = run(rowTimesMatrix(3), x, w, {}, TestExec(engine::bestIsa()));
        QCOMPARE(r.hi[0], 3 * 0x1p960);
        QCOMPARE(r.lo[0], 0.0);
        QVERIFY(r.status.limited == Limited::No);
        // Random values there, next to an ordinary channel.
        Pair a = randomPair(101, Parts::Two, 0, 31), b = randomPair(202, Parts::Two, 0, 32);
        for (Values* v : {&a.hi, &a.lo})
            for (double& d : *v)
                d *= 0x1p1014;
        for (std::size_t i = 1; i < b.hi.size(); i += 2)
            b.hi[i] *= 0x1p-900, b.lo[i] *= 0x1p-900;
        const Result mixed = run(rowTimesMatrix(101, 2), a, b, {}, TestExec(engine::bestIsa()));
        QVERIFY(compare(rowTimesMatrix(101, 2), a, b, {}, mixed, 1) <= 0x1p-90);
    }

    void overflowIsLimited()
    {
        const Pair x{{0x1p1023, 0x1p1023, 1}, {}}, w{{1, 1, 1}, {}};
        const Result r = run(rowTimesMatrix(3), x, w, {}, TestExec(engine::bestIsa()));
        QVERIFY(!std::isfinite(r.hi[0]) && r.lo[0] == 0);
        QVERIFY(r.status.limited == Limited::Yes);
    }

    void nonFiniteOperands()
    {
        const Isa isa = engine::bestIsa();
        const auto one = [&](Values x, Values w, Pair bias = {}) {
            return run(rowTimesMatrix(static_cast<std::int64_t>(x.size())), {x, {}}, {w, {}}, bias, TestExec(isa));
        };
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const auto is = [](const Result& r, double hi) {
            const bool same = std::isnan(hi) ? std::isnan(r.hi[0]) : r.hi[0] == hi;
            return same && r.lo[0] == 0 && r.status.limited == Limited::No;
        };
        QVERIFY(is(one({1, kInf}, {1, 2}), kInf));
        QVERIFY(is(one({1, kInf}, {1, -2}), -kInf));
        QVERIFY(is(one({1, kInf}, {1, 0}), nan));
        QVERIFY(is(one({kInf, kInf}, {1, -1}), nan));
        QVERIFY(is(one({nan, 1}, {0, 1}), nan));
        QVERIFY(is(one({1, 1}, {1, 1}, {{kInf}, {}}), kInf));
        QVERIFY(is(one({kInf, 1}, {1, 1}, {{-kInf}, {0}}), nan));
        // An infinity stays in its own row.
        Window2d g = rowTimesMatrix(2, 1);
        g.inW = g.outW = 3;
        const Result rows = run(g, {{1, 2, kInf, 1, 3, 4}, {}}, {{1, 1}, {}}, {}, TestExec(isa));
        QCOMPARE(rows.hi[0], 3.0);
        QCOMPARE(rows.hi[1], kInf);
        QCOMPARE(rows.hi[2], 7.0);
        // Padding is multiplied: 0 * Inf.
        const Case c = conv("", 1, {1, 1}, 1, 1, {1, 3}, {1, 1}, {1, 1}, {0, 1}, {0, 1});
        QVERIFY(is(run(c.g, {{2}, {}}, {{kInf, 1, 1}, {}}, {}, TestExec(isa)), nan));
    }

    void tinyProductsAreLimited()
    {
        const auto limited = [](Values x, Values w, std::int64_t columns = 1) {
            const Window2d g = rowTimesMatrix(static_cast<std::int64_t>(x.size()), columns);
            return run(g, {x, {}}, {w, {}}, {}, TestExec(engine::bestIsa())).status.limited == Limited::Yes;
        };
        QVERIFY(limited({0x1p-500, 1}, {0x1p-461, 1}));
        QVERIFY(!limited({0x1p-500, 1}, {0x1p-460, 1}));
        QVERIFY(!limited({0x1p-500, 1}, {0, 1}));         // a zero product is exact
        QVERIFY(!limited({0x1p-500, 1}, {1, 0x1p-500}));  // the tiny ones do not meet
        QVERIFY(limited({0x1p-1074, 1}, {0x1p-1074, 1})); // the product itself is zero in float64
        QVERIFY(limited({1, 0x1p-500}, {1, 1, 1, 0x1p-461}, 2));
        // A tiny pixel that no window reaches (stride 2), and one that a window does.
        Case c = conv("", 1, {1, 3}, 1, 1, {1, 1}, {1, 2});
        const auto stride = [&](Values x) {
            return run(c.g, {x, {}}, {{0x1p-500}, {}}, {}, TestExec(engine::bestIsa())).status.limited == Limited::Yes;
        };
        QVERIFY(!stride({1, 0x1p-500, 1}));
        QVERIFY(stride({1, 1, 0x1p-500}));
    }

    void matmulBatches()
    {
        // Small integers: exact, lo = 0.
        const Values x{1, 2, 3, 4, 5, 6, 7, 8}, w{1, -1, 2, 10, 20, 30};
        const engine::MatmulShape g{2, 2, 2, 3, 4, 0, 6};
        const Values bias{100, 200, 300};
        Result twelve = poisoned(12);
        const DDStatus status = matmulDD(g, {x.data(), nullptr}, {w.data(), nullptr}, {bias.data(), nullptr},
                                         {twelve.hi.data(), twelve.lo.data(), nullptr}, TestExec(engine::bestIsa(), 2));
        QVERIFY(status.finished);
        QCOMPARE(twelve.hi, (Values{121, 239, 362, 143, 277, 426, 165, 315, 490, 187, 353, 554}));
        QCOMPARE(twelve.lo, Values(12, 0.0));
        QCOMPARE(twelve.magnitudes, poisoned(12).magnitudes); // not asked for
    }

    void stops()
    {
        const Pair x = randomPair(1 << 18, Parts::One, 0, 1), w = randomPair(1 << 18, Parts::One, 0, 2);
        const TestExec early(engine::bestIsa(), 1, 5);
        QVERIFY(!run(rowTimesMatrix(1 << 18), x, w, {}, early).status.finished);
        QVERIFY(early.polls() < 16);
    }
};

QTEST_GUILESS_MAIN(TestDDKernels)
#include "tst_dd_kernels.moc"
