// The narrow formats: all patterns against values computed from their fields, roundings against an exact search, the
// one-rounding accumulator step, and the double rounding witnesses of the semantics reference (8.3).
#include "engine/model/narrow_float.h"

#include "float_oracle.h"

#include <QtTest/QtTest>

#include <bit>
#include <random>

using namespace engine;

namespace {

constexpr std::uint64_t kSeed = 20240817;

template <class F> std::uint32_t codeOf(F x)
{
    return static_cast<std::uint32_t>(x.bits) >> F::kUnusedBits;
}

template <class F> void checkWidening(const oracle::Format& f)
{
    const std::uint32_t quietBit = f.hasInfinity ? 1u << (f.fractionBits - 1) : 0;
    for (std::uint32_t code = 0; code <= (f.allOnes() | f.sign()); ++code) {
        const F x{static_cast<typename F::Bits>(code << F::kUnusedBits)};
        const double expected = oracle::value(f, code);
        const double d = widen<double>(x);
        const float s = widen<float>(x);
        QCOMPARE(std::signbit(d), (code & f.sign()) != 0);
        QCOMPARE(std::signbit(s), (code & f.sign()) != 0);
        QCOMPARE(std::isnan(d), std::isnan(expected));
        QCOMPARE(std::isnan(s), std::isnan(expected));
        if (!std::isnan(expected)) {
            QCOMPARE(std::bit_cast<std::uint64_t>(d), std::bit_cast<std::uint64_t>(expected));
            QCOMPARE(std::bit_cast<std::uint32_t>(s), std::bit_cast<std::uint32_t>(static_cast<float>(expected)));
        }
        const std::uint32_t back = std::isnan(expected) ? code | quietBit : code;
        QCOMPARE(codeOf(narrow<F>(d)), back);
        QCOMPARE(codeOf(narrow<F>(s)), back);
    }
}

// Doubles around and between the format's values, over and under its range.
double interesting(std::mt19937_64& random, const oracle::Format& f)
{
    const auto code = static_cast<std::uint32_t>(random() % (f.maxFinite() + 2));
    const double here = oracle::finiteValue(f, code), next = oracle::finiteValue(f, code + 1);
    double x = here;
    switch (random() % 5) {
    case 0:
        x = here;
        break;
    case 1:
        x = (here + next) / 2;
        break;
    case 2:
        x = std::nextafter((here + next) / 2, random() % 2 ? 0 : 1e300);
        break;
    case 3:
        x = here + (next - here) * (static_cast<double>(random() >> 11) * 0x1p-53);
        break;
    default:
        x = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 700) - 400);
        break;
    }
    return random() % 2 ? x : -x;
}

template <class F> void checkRounding(const oracle::Format& f)
{
    std::mt19937_64 random(kSeed);
    for (int i = 0; i < 100000; ++i) {
        const double x = interesting(random, f);
        const bool sign = std::signbit(x);
        QCOMPARE(codeOf(narrow<F>(x)), oracle::nearest(f, x, oracle::Ties::Even, oracle::Beyond::Special, sign));
        QCOMPARE(codeOf(narrow<F>(x, NarrowRounding::NearestAway)),
                 oracle::nearest(f, x, oracle::Ties::Away, oracle::Beyond::Special, sign));
        QCOMPARE(codeOf(narrow<F>(x, NarrowRounding::NearestEven, NarrowOverflow::Saturate)),
                 oracle::nearest(f, x, oracle::Ties::Even, oracle::Beyond::Largest, sign));
        if (x != 0)
            QCOMPARE(codeOf(narrow<F>(x, NarrowRounding::TowardZero)),
                     oracle::towardZero(f, static_cast<oracle::Exact>(x)));
        // hi + lo, lo far below: only the sum rounded once gets ties and neighbours of ties right.
        const double lo = std::ldexp(x, -60) * (random() % 2 ? 1 : -1);
        const oracle::Exact sum = static_cast<oracle::Exact>(x) + static_cast<oracle::Exact>(lo);
        QCOMPARE(codeOf(narrowSum<F>(x, lo)),
                 oracle::nearest(f, sum, oracle::Ties::Even, oracle::Beyond::Special, sign));
        QCOMPARE(codeOf(narrowSum<F>(x, lo, NarrowRounding::NearestAway)),
                 oracle::nearest(f, sum, oracle::Ties::Away, oracle::Beyond::Special, sign));
    }
}

// From float32: every upper half of the word, lower halves at and around the ties, equal to the way through float64.
template <class F> void checkFromFloat32()
{
    std::mt19937_64 random(kSeed);
    for (std::uint32_t high = 0; high < 65536; ++high)
        for (std::uint32_t low : {0x0000u, 0x0001u, 0x0FFFu, 0x1000u, 0x1001u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu,
                                  static_cast<std::uint32_t>(random() & 0xFFFF)})
            for (NarrowRounding r :
                 {NarrowRounding::NearestEven, NarrowRounding::NearestAway, NarrowRounding::TowardZero}) {
                const float x = std::bit_cast<float>(high << 16 | low);
                // A NaN keeps its quiet bit in the widening, so signalling ones meet in the narrow format too.
                QCOMPARE(narrow<F>(x, r).bits, narrow<F>(static_cast<double>(x), r).bits);
            }
}

// s + product against the exact sum: __float128 holds it where the operands are within 2^+-40 of each other.
template <class F> void checkAccumulator(const oracle::Format& f)
{
    std::mt19937_64 random(kSeed);
    for (int i = 0; i < 200000; ++i) {
        const auto s = static_cast<std::uint32_t>(random() % (f.maxFinite() + 1));
        const double a = oracle::finiteValue(f, s);
        const double range = std::ldexp(1.0, static_cast<int>(random() % 80) - 40);
        const auto integer = static_cast<double>(static_cast<std::int64_t>(random() % 8192) - 4096);
        const double product =
            a == 0 ? integer * oracle::finiteValue(f, 1) / 64 : integer * std::ldexp(1.0, std::ilogb(a) - 12) * range;
        const F start{static_cast<typename F::Bits>(s)};
        const auto exactA = static_cast<oracle::Exact>(a), exactProduct = static_cast<oracle::Exact>(product);
        QCOMPARE(codeOf(fmaNarrow(start, product)), oracle::nearest(f, exactA + exactProduct));
        const F negative{static_cast<typename F::Bits>(s | f.sign())};
        if (a != product)
            QCOMPARE(codeOf(fmaNarrow(negative, product)), oracle::nearest(f, exactProduct - exactA));
    }
}

} // namespace

class NarrowFloatTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPatternWidensAndReturns()
    {
        checkWidening<Float16>(oracle::kFloat16);
        checkWidening<BFloat16>(oracle::kBFloat16);
        checkWidening<Float8E4M3FN>(oracle::kE4M3FN);
        checkWidening<Float8E5M2>(oracle::kE5M2);
        checkWidening<TensorFloat32>(oracle::kTf32);
    }

    void roundingIsExact()
    {
        checkRounding<Float32>(oracle::kFloat32);
        checkRounding<TensorFloat32>(oracle::kTf32);
        checkRounding<Float16>(oracle::kFloat16);
        checkRounding<BFloat16>(oracle::kBFloat16);
        checkRounding<Float8E4M3FN>(oracle::kE4M3FN);
        checkRounding<Float8E5M2>(oracle::kE5M2);
    }

    void fromFloat32IsTheSame()
    {
        checkFromFloat32<TensorFloat32>();
        checkFromFloat32<Float16>();
        checkFromFloat32<BFloat16>();
        checkFromFloat32<Float8E4M3FN>();
        checkFromFloat32<Float8E5M2>();
    }

    void float32IsTheHardwareCast()
    {
        std::mt19937_64 random(kSeed);
        for (int i = 0; i < 1000000; ++i) {
            std::uint64_t bits = random();
            if (i % 2) // exponents around float32's range
                bits = (bits & 0x800FFFFFFFFFFFFF) | ((1023 - 155 + (bits >> 52) % 290) << 52);
            const double x = std::bit_cast<double>(bits);
            const auto hardware = std::bit_cast<std::uint32_t>(static_cast<float>(x));
            QCOMPARE(narrow<Float32>(x).bits, hardware);
            QCOMPARE(std::bit_cast<std::uint32_t>(toFloat32(x)), hardware);
            const auto word = static_cast<std::uint32_t>(bits >> 7);
            const auto wide = std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(word)));
            QCOMPARE(std::bit_cast<std::uint64_t>(widen<double>(Float32{word})), wide);
            QCOMPARE(std::bit_cast<std::uint64_t>(toFloat64(std::bit_cast<float>(word))), wide);
        }
    }

    void doubleRoundingWitnesses()
    {
        QCOMPARE(widen<double>(narrow<Float16>(1 + 0x1p-11 + 0x1p-26)), 1 + 0x1p-10);
        QCOMPARE(widen<double>(narrow<BFloat16>(1 + 0x1p-8 + 0x1p-30)), 1 + 0x1p-7);
        QCOMPARE(widen<double>(narrow<Float16>(65519.999)), 65504.0);
        QCOMPARE(widen<double>(narrow<Float8E4M3FN>(1 + 0x1p-4 + 0x1p-40)), 1.125);
        // A midpoint in float64 with the rest in lo: to the side of lo, however small.
        QCOMPARE(widen<double>(narrowSum<Float16>(1 + 0x1p-11, 0x1p-1074)), 1 + 0x1p-10);
        QCOMPARE(widen<double>(narrowSum<Float16>(1 + 0x1p-11, -0x1p-1074)), 1.0);
        QCOMPARE(widen<double>(narrowSum<Float16>(65520, -0x1p-900)), 65504.0);
        QCOMPARE(widen<double>(narrowSum<Float16>(1, -0x1p-54)), 1.0);
    }

    void specials()
    {
        const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(int{narrow<Float8E4M3FN>(464.0).bits}, 0x7E);
        QCOMPARE(int{narrow<Float8E4M3FN>(std::nextafter(464.0, 500.0)).bits}, 0x7F);
        QCOMPARE(int{narrow<Float8E4M3FN>(-infinity).bits}, 0xFF);
        QCOMPARE(int{narrow<Float8E5M2>(61440.0).bits}, 0x7C);
        const auto saturated = [](auto format, double x) {
            return int{narrow<decltype(format)>(x, NarrowRounding::NearestEven, NarrowOverflow::Saturate).bits};
        };
        QCOMPARE(saturated(Float8E4M3FN{}, -infinity), 0xFE);
        QCOMPARE(saturated(Float8E4M3FN{}, 1e300), 0x7E);
        QCOMPARE(saturated(Float8E5M2{}, infinity), 0x7B);
        QCOMPARE(saturated(Float8E5M2{}, nan), 0x7E);
        QCOMPARE(saturated(Float8E4M3FN{}, -nan), 0xFF);
        QCOMPARE(int{narrow<Float16>(-0.0).bits}, 0x8000);
        QCOMPARE(int{narrow<BFloat16>(-1e-300).bits}, 0x8000);
        QCOMPARE(int{narrow<Float16>(infinity, NarrowRounding::TowardZero).bits}, 0x7C00);
        QCOMPARE(int{narrow<Float16>(1e300, NarrowRounding::TowardZero).bits}, 0x7BFF);
    }

    void accumulatorRoundsOnce()
    {
        checkAccumulator<Float16>(oracle::kFloat16);
        checkAccumulator<BFloat16>(oracle::kBFloat16);
        checkAccumulator<Float8E4M3FN>(oracle::kE4M3FN);
        checkAccumulator<Float8E5M2>(oracle::kE5M2);
        // A product far below the last bit of a float64 sum still decides a tie.
        const Float16 one = narrow<Float16>(1.0);
        QCOMPARE(widen<double>(fmaNarrow(one, 0x1p-11)), 1.0);
        QCOMPARE(widen<double>(fmaNarrow(narrow<BFloat16>(0x1p120), 0x1p112 + 0x1p62)), 0x1p120 + 0x1p113);
        QCOMPARE(widen<double>(fmaNarrow(narrow<BFloat16>(-0x1p120), 0x1p-260)), -0x1p120);
        // Sums of ones stop where the next integer is no value (semantics reference, finding 11).
        Float16 half{};
        BFloat16 brain{};
        for (int i = 0; i < 4096; ++i) {
            half = fmaNarrow(half, 1.0);
            brain = fmaNarrow(brain, 1.0);
        }
        QCOMPARE(widen<double>(half), 2048.0);
        QCOMPARE(widen<double>(brain), 256.0);
        // Signed zeros and the non-finite as IEEE adds them.
        QCOMPARE(int{fmaNarrow(Float16{0x8000}, -0.0).bits}, 0x8000);
        QCOMPARE(int{fmaNarrow(Float16{0x8000}, 0.0).bits}, 0x0000);
        QCOMPARE(int{fmaNarrow(one, -1.0).bits}, 0x0000);
        QCOMPARE(int{fmaNarrow(Float16{0x7C00}, 1.0).bits}, 0x7C00);
        QVERIFY(std::isnan(widen<double>(fmaNarrow(Float16{0x7C00}, -std::numeric_limits<double>::infinity()))));
        QCOMPARE(int{fmaNarrow(Float16{0x7BFF}, 16.0).bits}, 0x7C00);
        QCOMPARE(int{fmaNarrow(Float16{0x0001}, 0x1p-25).bits}, 0x0002); // 1.5 subnormal steps: even is 2
    }
};

QTEST_GUILESS_MAIN(NarrowFloatTest)
#include "tst_narrow_float.moc"
