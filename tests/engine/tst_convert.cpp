// convert, convertSource, widen: every 8- and 16-bit pattern into every dtype, 64-bit integers rounded once, the rules
// for integers and bool, chunks and stops.
#include "engine/model/convert.h"

#include "float_oracle.h"

#include <QtTest/QtTest>

#include <bit>
#include <cstring>
#include <random>

using namespace engine;

namespace {

constexpr std::uint64_t kSeed = 977;
const SerialExec kSerial;

// Tasks last to first; may stop before one of them.
class BackwardExec final : public Exec {
public:
    explicit BackwardExec(std::int64_t stopAfter = -1) : m_stopAfter(stopAfter) {}
    Isa isa() const override { return Isa::Baseline; }
    int threads() const override { return 1; }
    bool stopRequested() const override { return false; }
    bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const override
    {
        for (std::int64_t i = tasks - 1; i >= 0; --i) {
            if (tasks - 1 - i == m_stopAfter)
                return false;
            body(i);
        }
        return true;
    }

private:
    std::int64_t m_stopAfter;
};

template <class T> Tensor tensorOf(DType dtype, const std::vector<T>& values)
{
    Tensor t = Tensor::allocate(dtype, {static_cast<std::int64_t>(values.size())});
    std::memcpy(t.mutableRaw(), values.data(), values.size() * sizeof(T));
    return t;
}

template <class T> std::vector<T> listOf(const Tensor& t)
{
    return {t.data<T>(), t.data<T>() + t.elements()};
}

template <class To, class From> std::vector<To> converted(DType from, const std::vector<From>& values, DType to)
{
    return listOf<To>(convert(tensorOf(from, values), to, kSerial));
}

Tensor allPatterns(DType d)
{
    const int bytes = facts(d).bytes;
    const std::int64_t count = std::int64_t{1} << (8 * bytes);
    Tensor t = Tensor::allocate(d, {count});
    for (std::int64_t i = 0; i < count; ++i)
        if (bytes == 1)
            t.mutableData<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
        else
            t.mutableData<std::uint16_t>()[i] = static_cast<std::uint16_t>(i);
    return t;
}

std::uint32_t codeAt(const Tensor& t, std::int64_t i)
{
    switch (facts(t.dtype()).bytes) {
    case 1:
        return t.data<std::uint8_t>()[i];
    case 2:
        return t.data<std::uint16_t>()[i];
    default:
        return t.data<std::uint32_t>()[i] >> (t.dtype() == DType::tf32 ? 13 : 0);
    }
}

// A float64 as the integer type T: the rule of convert.h in long double, which holds all 64-bit integers.
template <class T> T clamped(double x)
{
    if (std::isnan(x))
        return 0;
    const long double whole = std::trunc(static_cast<long double>(x));
    if (whole >= static_cast<long double>(std::numeric_limits<T>::max()))
        return std::numeric_limits<T>::max();
    if (whole <= static_cast<long double>(std::numeric_limits<T>::min()))
        return std::numeric_limits<T>::min();
    return static_cast<T>(whole);
}

template <class T> void checkToInteger(const Tensor& t, DType to)
{
    const Tensor y = convert(t, to, kSerial);
    for (std::int64_t i = 0; i < t.elements(); ++i)
        QCOMPARE(y.data<T>()[i], clamped<T>(elementAsDouble(t, i)));
}

void checkToFloats(const Tensor& t, const oracle::Format& f)
{
    const auto ties = f.dtype == DType::tf32 ? oracle::Ties::Away : oracle::Ties::Even;
    for (FloatOverflow policy : {FloatOverflow::ToSpecial, FloatOverflow::Saturate}) {
        const Tensor y = convert(t, f.dtype, kSerial, policy);
        QCOMPARE(y.dtype(), f.dtype);
        const bool saturates = policy == FloatOverflow::Saturate && facts(f.dtype).bytes == 1;
        const auto beyond = saturates ? oracle::Beyond::Largest : oracle::Beyond::Special;
        for (std::int64_t i = 0; i < t.elements(); ++i) {
            const double x = elementAsDouble(t, i);
            const std::uint32_t code = codeAt(y, i);
            QCOMPARE((code & f.sign()) != 0, std::signbit(x));
            if (std::isnan(x))
                QVERIFY((code & f.allOnes()) > (f.hasInfinity ? f.infinity() : f.maxFinite()));
            else if (std::isinf(x))
                QCOMPARE(code & f.allOnes(), oracle::nearest(f, 0x1p1000, ties, beyond));
            else
                QCOMPARE(code, oracle::nearest(f, x, ties, beyond, std::signbit(x)));
        }
    }
}

template <class T> std::vector<T> awkwardIntegers()
{
    std::vector<T> all;
    std::mt19937_64 random(kSeed);
    for (int shift = 0; shift < 64; ++shift)
        for (int delta : {0, 1, 2, 3, -1, -2, -3, 1024, -1024, 512, -512}) {
            const std::uint64_t near = (std::uint64_t{1} << shift) + static_cast<std::uint64_t>(delta);
            all.push_back(static_cast<T>(near));
            all.push_back(static_cast<T>(~near));
        }
    for (int i = 0; i < 20000; ++i) { // random, and beside float32 and float16 midpoints
        const std::uint64_t r = random();
        all.push_back(static_cast<T>(r >> (i % 64)));
        const int tail = 8 + i % 55;
        all.push_back(static_cast<T>((r >> tail << tail) + (std::uint64_t{1} << (tail - 1)) + r % 3 - 1));
    }
    return all;
}

template <class T> void check64Bit(DType from)
{
    const std::vector<T> values = awkwardIntegers<T>();
    const Tensor t = tensorOf(from, values);
    const Tensor f64 = convert(t, DType::f64, kSerial), f32 = convert(t, DType::f32, kSerial);
    const Tensor f16 = convert(t, DType::f16, kSerial), bf16 = convert(t, DType::bf16, kSerial);
    const Tensor tf32 = convert(t, DType::tf32, kSerial);
    const DDTensor wide = widen(t, kSerial);
    QVERIFY(wide.hasLo());
    const Tensor back = convertSource(wide, from, kSerial);
    const Tensor sourceF32 = convertSource(wide, DType::f32, kSerial);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto i = static_cast<std::int64_t>(k);
        const auto exact = static_cast<oracle::Exact>(values[k]);
        const auto hardware = static_cast<double>(values[k]); // the CPU rounds to nearest even, once
        QCOMPARE(f64.data<double>()[i], hardware);
        QCOMPARE(elementAsDouble(t, i), hardware);
        QCOMPARE(f32.data<float>()[i], static_cast<float>(values[k]));
        QCOMPARE(sourceF32.data<float>()[i], static_cast<float>(values[k]));
        QCOMPARE(codeAt(f16, i), oracle::nearest(oracle::kFloat16, exact));
        QCOMPARE(codeAt(bf16, i), oracle::nearest(oracle::kBFloat16, exact));
        QCOMPARE(codeAt(tf32, i), oracle::nearest(oracle::kTf32, exact, oracle::Ties::Away));
        QVERIFY(static_cast<oracle::Exact>(wide.hi()[i]) + static_cast<oracle::Exact>(wide.lo()[i]) == exact);
        QCOMPARE(wide.hi()[i], hardware);
        QCOMPARE(back.data<T>()[i], values[k]);
    }
}

} // namespace

class ConvertTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPatternIntoEveryFloat()
    {
        for (DType from :
             {DType::f16, DType::bf16, DType::e4m3fn, DType::e5m2, DType::i16, DType::u8, DType::i8, DType::u16}) {
            const Tensor t = allPatterns(from);
            for (const oracle::Format& f :
                 {oracle::kFloat16, oracle::kBFloat16, oracle::kE4M3FN, oracle::kE5M2, oracle::kTf32, oracle::kFloat32})
                if (f.dtype != from)
                    checkToFloats(t, f);
        }
    }

    void everyPatternIntoEveryInteger()
    {
        for (DType from : {DType::f16, DType::bf16, DType::e4m3fn, DType::e5m2}) {
            const Tensor t = allPatterns(from);
            checkToInteger<std::int64_t>(t, DType::i64);
            checkToInteger<std::int32_t>(t, DType::i32);
            checkToInteger<std::int16_t>(t, DType::i16);
            checkToInteger<std::int8_t>(t, DType::i8);
            checkToInteger<std::uint64_t>(t, DType::u64);
            checkToInteger<std::uint32_t>(t, DType::u32);
            checkToInteger<std::uint16_t>(t, DType::u16);
            checkToInteger<std::uint8_t>(t, DType::u8);
            const Tensor y = convert(t, DType::boolean, kSerial);
            for (std::int64_t i = 0; i < t.elements(); ++i)
                QCOMPARE(int{y.data<std::uint8_t>()[i]}, elementAsDouble(t, i) != 0 ? 1 : 0);
        }
    }

    void widenedPatternsAreExact()
    {
        for (const oracle::Format& f : {oracle::kFloat16, oracle::kBFloat16, oracle::kE4M3FN, oracle::kE5M2}) {
            const Tensor t = allPatterns(f.dtype);
            const DDTensor w = widen(t, kSerial);
            QVERIFY(!w.hasLo());
            const Tensor back = convertSource(w, f.dtype, kSerial), wide = toFloat64(t, kSerial);
            for (std::int64_t i = 0; i < t.elements(); ++i) {
                const double expected = oracle::value(f, static_cast<std::uint32_t>(i));
                QCOMPARE(std::isnan(w.hi()[i]), std::isnan(expected));
                if (std::isnan(expected))
                    continue;
                QCOMPARE(std::bit_cast<std::uint64_t>(w.hi()[i]), std::bit_cast<std::uint64_t>(expected));
                QCOMPARE(std::bit_cast<std::uint64_t>(wide.data<double>()[i]), std::bit_cast<std::uint64_t>(expected));
                QCOMPARE(codeAt(back, i), static_cast<std::uint32_t>(i));
            }
        }
    }

    void integersOf64BitsRoundOnce()
    {
        check64Bit<std::int64_t>(DType::i64);
        check64Bit<std::uint64_t>(DType::u64);
    }

    void float64ToIntegers()
    {
        std::vector<double> values{0,
                                   -0.0,
                                   0.5,
                                   -0.5,
                                   0.999999,
                                   1.5,
                                   -1.5,
                                   127,
                                   127.9,
                                   128,
                                   -128.9,
                                   -129,
                                   255.5,
                                   256,
                                   1e300,
                                   -1e300,
                                   0x1p31,
                                   -0x1p31,
                                   0x1p32,
                                   0x1p53 + 2,
                                   0x1p63,
                                   -0x1p63,
                                   0x1p64,
                                   -0x1p64,
                                   0x1.fffffffffffffp62,
                                   0x1.fffffffffffffp63,
                                   HUGE_VAL,
                                   -HUGE_VAL,
                                   std::nan(""),
                                   5e-324};
        const Tensor t = tensorOf(DType::f64, values);
        checkToInteger<std::int64_t>(t, DType::i64);
        checkToInteger<std::int32_t>(t, DType::i32);
        checkToInteger<std::int8_t>(t, DType::i8);
        checkToInteger<std::uint64_t>(t, DType::u64);
        checkToInteger<std::uint32_t>(t, DType::u32);
        checkToInteger<std::uint8_t>(t, DType::u8);
        QCOMPARE(
            (converted<std::uint8_t>(DType::f64, std::vector{0.0, -0.0, 5e-324, std::nan(""), -2.0}, DType::boolean)),
            (std::vector<std::uint8_t>{0, 0, 1, 1, 1}));
        QCOMPARE((converted<std::uint8_t>(DType::f32, std::vector{0.0f, 1e-45f}, DType::boolean)),
                 (std::vector<std::uint8_t>{0, 1}));
    }

    void sourceToIntegersSeesTheLowPart()
    {
        DDTensor t = DDTensor::allocate({7}, DDTensor::Lo::Present);
        const double hi[] = {3, 3, -3, 0x1p63, -0x1p63, 0x1p64, 0x1p53};
        const double lo[] = {-0x1p-60, 0x1p-60, 0x1p-60, -1, 1, -2.5, 0.75};
        std::copy(hi, hi + 7, t.mutableHi());
        std::copy(lo, lo + 7, t.mutableLo());
        QCOMPARE(listOf<std::int64_t>(convertSource(t, DType::i64, kSerial)),
                 (std::vector<std::int64_t>{2, 3, -2, INT64_MAX, INT64_MIN + 1, INT64_MAX, std::int64_t{1} << 53}));
        QCOMPARE(listOf<std::uint64_t>(convertSource(t, DType::u64, kSerial)),
                 (std::vector<std::uint64_t>{2, 3, 0, (std::uint64_t{1} << 63) - 1, 0, UINT64_MAX - 2,
                                             std::uint64_t{1} << 53}));
        QCOMPARE(listOf<std::uint8_t>(convertSource(t, DType::u8, kSerial)),
                 (std::vector<std::uint8_t>{2, 3, 0, 255, 0, 255, 255}));
    }

    void sourceRoundsOnce()
    {
        DDTensor t = DDTensor::allocate({5}, DDTensor::Lo::Present);
        const double hi[] = {1 + 0x1p-11, 1 + 0x1p-11, 1 + 0x1p-24, -0.0, HUGE_VAL};
        const double lo[] = {0x1p-80, -0x1p-80, -0x1p-90, 0, 0};
        std::copy(hi, hi + 5, t.mutableHi());
        std::copy(lo, lo + 5, t.mutableLo());
        QCOMPARE(listOf<std::uint16_t>(convertSource(t, DType::f16, kSerial)),
                 (std::vector<std::uint16_t>{0x3C01, 0x3C00, 0x3C00, 0x8000, 0x7C00}));
        QCOMPARE(listOf<std::uint32_t>(convertSource(t, DType::f32, kSerial)),
                 (std::vector<std::uint32_t>{0x3F801000, 0x3F801000, 0x3F800000, 0x80000000, 0x7F800000}));
        QCOMPARE(listOf<std::uint32_t>(convertSource(t, DType::tf32, kSerial)),
                 (std::vector<std::uint32_t>{0x3F802000, 0x3F800000, 0x3F800000, 0x80000000, 0x7F800000}));
        const Tensor f64 = convertSource(t, DType::f64, kSerial);
        QVERIFY(std::memcmp(f64.raw(), hi, sizeof hi) == 0);
    }

    void integersWrapAsNumPy()
    {
        QCOMPARE(
            (converted<std::int8_t>(DType::i32, std::vector<std::int32_t>{127, 128, 255, 256, -129, -1}, DType::i8)),
            (std::vector<std::int8_t>{127, -128, -1, 0, 127, -1}));
        QCOMPARE((converted<std::uint16_t>(DType::i64, std::vector<std::int64_t>{-1, 65536, 1 << 20 | 7}, DType::u16)),
                 (std::vector<std::uint16_t>{65535, 0, 7}));
        QCOMPARE((converted<std::int64_t>(DType::u64, std::vector<std::uint64_t>{UINT64_MAX, 5}, DType::i64)),
                 (std::vector<std::int64_t>{-1, 5}));
        QCOMPARE((converted<std::uint64_t>(DType::i8, std::vector<std::int8_t>{-2, 3}, DType::u64)),
                 (std::vector<std::uint64_t>{UINT64_MAX - 1, 3}));
        QCOMPARE((converted<std::uint8_t>(DType::i16, std::vector<std::int16_t>{0, 256, -1}, DType::boolean)),
                 (std::vector<std::uint8_t>{0, 1, 1}));
        QCOMPARE((converted<std::int32_t>(DType::boolean, std::vector<std::uint8_t>{0, 1, 2}, DType::i32)),
                 (std::vector<std::int32_t>{0, 1, 1}));
        QCOMPARE((converted<float>(DType::boolean, std::vector<std::uint8_t>{0, 1, 2}, DType::f32)),
                 (std::vector<float>{0, 1, 1}));
        QCOMPARE((converted<double>(DType::i32, std::vector<std::int32_t>{INT32_MIN, -7}, DType::f64)),
                 (std::vector<double>{-0x1p31, -7}));
    }

    void tf32()
    {
        // The ties of 1 + 2^-11 go away from zero; the low 13 bits of the word are zero.
        const Tensor t =
            convert(tensorOf(DType::f32, std::vector{1 + 0x1p-11f, -1 - 0x1p-11f, 1024.5f, 0x1.fffffep127f}),
                    DType::tf32, kSerial);
        QCOMPARE(t.dtype(), DType::tf32);
        const Tensor back = convert(t, DType::f32, kSerial);
        QVERIFY(back.sharesBytesWith(t));
        QCOMPARE(listOf<float>(back), (std::vector<float>{1 + 0x1p-10f, -1 - 0x1p-10f, 1025, HUGE_VALF}));
        QCOMPARE(elementAsDouble(t, 2), 1025.0);
    }

    void sameDTypeShares()
    {
        const Tensor t = allPatterns(DType::f16);
        QVERIFY(convert(t, DType::f16, kSerial).sharesBytesWith(t));
    }

    void chunksMeetAndStopsAreNull()
    {
        constexpr std::int64_t kCount = 3 * 65536 + 77;
        Tensor t = Tensor::allocate(DType::f64, {kCount});
        std::mt19937_64 random(kSeed);
        for (std::int64_t i = 0; i < kCount; ++i)
            t.mutableData<double>()[i] = static_cast<double>(random() >> 11) * 0x1p-40;
        const DDTensor source = widen(t, kSerial);
        for (DType to : {DType::f32, DType::f16, DType::i32, DType::boolean}) {
            const Tensor a = convert(t, to, kSerial), b = convert(t, to, BackwardExec{});
            QCOMPARE(a.elements(), kCount);
            QVERIFY(std::memcmp(a.raw(), b.raw(), static_cast<std::size_t>(a.bytes())) == 0);
            QVERIFY(convert(t, to, BackwardExec{2}).isNull());
            QVERIFY(convertSource(source, to, BackwardExec{1}).isNull());
        }
        QVERIFY(widen(t, BackwardExec{0}).isNull());
        const Tensor half = convert(t, DType::f16, kSerial), wide = convert(half, DType::f64, BackwardExec{});
        for (std::int64_t i : {std::int64_t{0}, std::int64_t{65535}, std::int64_t{65536}, kCount - 1})
            QCOMPARE(wide.data<double>()[i], oracle::value(oracle::kFloat16, codeAt(half, i)));
        const Tensor empty = convert(Tensor::allocate(DType::f64, {0, 3}), DType::f16, kSerial);
        QVERIFY(!empty.isNull());
        QCOMPARE(empty.elements(), std::int64_t{0});
    }
};

QTEST_GUILESS_MAIN(ConvertTest)
#include "tst_convert.moc"
