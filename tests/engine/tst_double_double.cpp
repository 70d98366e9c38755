// Double-double against exact results by mpmath (make_double_double_cases.py) and against __float128, within the
// bounds of the papers that the sources name; and what happens at zeros, infinities and NaN.
#include "engine/model/double_double.h"

#include <QtTest/QtTest>

#include <bit>
#include <fstream>
#include <random>

using namespace engine;

namespace {

using Quad = __float128;

Quad quad(double x)
{
    return static_cast<Quad>(x);
}
Quad quad(DoubleDouble d)
{
    return quad(d.hi) + quad(d.lo);
}

const Quad kU2 = quad(0x1p-106); // u^2
const Quad kTiny = quad(0x1p-1074);

Quad magnitude(Quad x)
{
    return x < 0 ? -x : x;
}

// Two Newton steps from a float64 root: 53 bits become more than 113.
Quad root(Quad x)
{
    Quad r = quad(std::sqrt(static_cast<double>(x)));
    for (int i = 0; i < 2; ++i)
        r += (x - r * r) / (2 * r);
    return r;
}

struct Bound {
    double relative; // in u^2
    double absolute; // in the smallest subnormal: roundings of low parts that underflow
};

// A sum has no underflow error. A product rounds up to four low parts, a quotient's scaling one.
Bound boundOf(const std::string& op)
{
    if (op == "add" || op == "sub")
        return {3 + 13 * 0x1p-53, 0};
    if (op == "mul")
        return {4, 4};
    if (op == "div")
        return {9.8, 1};
    return {25.0 / 8, 0};
}

DoubleDouble apply(const std::string& op, DoubleDouble a, DoubleDouble b)
{
    if (op == "add")
        return a + b;
    if (op == "sub")
        return a - b;
    if (op == "mul")
        return a * b;
    if (op == "div")
        return a / b;
    return sqrt(a);
}

bool isNormalised(DoubleDouble z)
{
    return std::isfinite(z.hi) ? z.hi + z.lo == z.hi : z.lo == 0;
}

// |z - (r0 + r1 + r2)|, exact to a few ulp of __float128: hi parts cancel first.
Quad distance(DoubleDouble z, Quad r0, Quad r1, Quad r2)
{
    return magnitude(((r0 - quad(z.hi)) + (r1 - quad(z.lo))) + r2);
}

struct Case {
    std::string text, op;
    DoubleDouble a, b;
    double r[3];
};

std::vector<Case> readCases()
{
    std::vector<Case> all;
    std::ifstream file(MANTISSA_SOURCE_DIR "/tests/golden/double_double_cases.txt");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#'))
            continue;
        std::istringstream fields(line);
        Case c;
        c.text = line;
        std::string word[7];
        fields >> c.op;
        for (std::string& w : word)
            fields >> w;
        const auto number = [&](int i) { return std::strtod(word[i].c_str(), nullptr); };
        c.a = {number(0), number(1)};
        c.b = {number(2), number(3)};
        for (int i = 0; i < 3; ++i)
            c.r[i] = number(4 + i);
        all.push_back(c);
    }
    return all;
}

// hi + lo exactly representable in 113 bits.
DoubleDouble randomPair(std::mt19937_64& random, int spread)
{
    const int e = static_cast<int>(random() % static_cast<std::uint64_t>(2 * spread + 1)) - spread;
    const double hi = std::ldexp(static_cast<double>(random() >> 12 | std::uint64_t{1} << 52), e - 52);
    const double lo = std::ldexp(static_cast<double>(random() >> 12), e - 112 + static_cast<int>(random() % 7));
    return fastTwoSum(random() % 2 ? hi : -hi, random() % 2 ? lo : -lo);
}

} // namespace

class DoubleDoubleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void againstMpmath()
    {
        const std::vector<Case> cases = readCases();
        QVERIFY2(cases.size() > 2000, "tests/golden/double_double_cases.txt is missing or short");
        for (const Case& c : cases) {
            const DoubleDouble z = apply(c.op, c.a, c.b);
            QVERIFY2(isNormalised(z), c.text.c_str());
            if (!std::isfinite(c.r[0])) {
                QVERIFY2(std::isnan(c.r[0]) ? std::isnan(z.hi) : z.hi == c.r[0], c.text.c_str());
                continue;
            }
            const Bound bound = boundOf(c.op);
            const Quad allowed = quad(bound.relative) * kU2 * magnitude(quad(c.r[0])) + quad(bound.absolute) * kTiny;
            QVERIFY2(distance(z, quad(c.r[0]), quad(c.r[1]), quad(c.r[2])) <= allowed, c.text.c_str());
        }
    }

    void againstFloat128()
    {
        std::mt19937_64 random(4711);
        for (int i = 0; i < 300000; ++i) {
            const DoubleDouble a = randomPair(random, i % 2 ? 1 : 40);
            DoubleDouble b = randomPair(random, i % 2 ? 1 : 40);
            if (i % 5 == 0)
                b = {-a.hi, static_cast<double>(static_cast<float>(a.lo))}; // all but the low parts cancel
            const Quad x = quad(a), y = quad(b);
            const std::pair<const char*, Quad> results[] = {
                {"add", x + y}, {"sub", x - y}, {"mul", x * y}, {"div", x / y}, {"sqrt", root(magnitude(x))}};
            for (const auto& [op, r] : results) {
                const DoubleDouble z = apply(op, std::string_view(op) == "sqrt" ? abs(a) : a, b);
                QVERIFY(isNormalised(z));
                const Quad slack = quad(0x1p-112) * magnitude(r); // the rounding of the __float128 result
                QVERIFY2(distance(z, r, 0, 0) <= quad(boundOf(op).relative) * kU2 * magnitude(r) + slack, op);
            }
        }
    }

    void errorFreeTransformations()
    {
        std::mt19937_64 random(4712);
        for (int i = 0; i < 100000; ++i) {
            const DoubleDouble a = randomPair(random, 25), b = randomPair(random, 25);
            const DoubleDouble s = twoSum(a.hi, b.hi), p = twoProduct(a.hi, b.hi);
            QVERIFY(quad(s) == quad(a.hi) + quad(b.hi));
            QVERIFY(quad(p) == quad(a.hi) * quad(b.hi));
            QCOMPARE(s.hi, a.hi + b.hi);
            QCOMPARE(p.hi, a.hi * b.hi);
        }
    }

    void zerosKeepIeeeSigns()
    {
        const auto sign = [](DoubleDouble z) { return z.hi == 0 ? (std::signbit(z.hi) ? "-0" : "+0") : "not zero"; };
        const DoubleDouble zero{0.0}, minusZero{-0.0}, x{1.0, 0x1p-60};
        QCOMPARE(sign(minusZero + minusZero), "-0");
        QCOMPARE(sign(minusZero + zero), "+0");
        QCOMPARE(sign(minusZero - zero), "-0");
        QCOMPARE(sign(x - x), "+0");
        QCOMPARE(sign(minusZero * x), "-0");
        QCOMPARE(sign(minusZero / x), "-0");
        QCOMPARE(sign(x / DoubleDouble{-HUGE_VAL}), "-0");
        QCOMPARE(sign(sqrt(minusZero)), "-0");
        QCOMPARE(sign(abs(minusZero)), "+0");
        // Sums that cancel only through the low parts: hi does not, the whole does.
        QCOMPARE(sign(DoubleDouble{1 + 0x1p-52, -0x1p-53} + DoubleDouble{-1, -0x1p-53}), "+0");
        QCOMPARE((x / zero).hi, HUGE_VAL);
        QCOMPARE((x / minusZero).hi, -HUGE_VAL);
    }

    void overflowIsInfinityWithoutLow()
    {
        const DoubleDouble big{0x1.fffffffffffffp1023, 0x1p969}, tiny{0x1p-1074};
        for (DoubleDouble z : {big + big, big * big, big / tiny, -big - big, big * DoubleDouble{-2.0}}) {
            QVERIFY(std::isinf(z.hi));
            QCOMPARE(z.lo, 0.0);
        }
        QVERIFY(std::isinf(sqrt(DoubleDouble{HUGE_VAL}).hi));
        QVERIFY(std::isnan((big - DoubleDouble{std::nan("")}).hi));
        QCOMPARE((-DoubleDouble{HUGE_VAL}).lo, 0.0);
        // Division near the ends of the range neither overflows nor vanishes on the way.
        QCOMPARE((DoubleDouble{0x1p-1074} / DoubleDouble{0x1p-1074}).hi, 1.0);
        QCOMPARE((DoubleDouble{0x1p1023} / DoubleDouble{0x1p1023}).hi, 1.0);
        QCOMPARE((DoubleDouble{3 * 0x1p-1074} / DoubleDouble{2.0}).hi, 2 * 0x1p-1074);
    }

    void comparison()
    {
        const DoubleDouble a{1.0, 0x1p-60}, b{1.0, -0x1p-60}, nan{std::nan("")};
        QVERIFY(b < a && !(a < b) && !(a < a));
        QVERIFY(a == a && !(a == b));
        QVERIFY(DoubleDouble{-0.0} == DoubleDouble{0.0});
        QVERIFY(!(nan < a) && !(a < nan) && !(nan == nan));
        QVERIFY(abs(-a) == a && abs(DoubleDouble(-1.0, 0x1p-60)) == b);
        QVERIFY(DoubleDouble{-HUGE_VAL} < a && a < DoubleDouble{HUGE_VAL});
    }
};

QTEST_GUILESS_MAIN(DoubleDoubleTest)
#include "tst_double_double.moc"
