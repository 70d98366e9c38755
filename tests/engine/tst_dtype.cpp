// The dtype table against the dtype reference, exact casts against the sets of values themselves, and the promotion
// lattice of the reference, section 3.
#include "engine/model/dtype.h"

#include "float_oracle.h"

#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace engine;

namespace {

std::optional<oracle::Format> formatOf(DType d)
{
    for (const oracle::Format& f : {oracle::kFloat16, oracle::kBFloat16, oracle::kE4M3FN, oracle::kE5M2, oracle::kTf32})
        if (f.dtype == d)
            return f;
    return std::nullopt;
}

// Every value of a dtype with at most 16 bits (tf32: its 19-bit codes).
std::vector<double> valuesOf(DType d)
{
    std::vector<double> all;
    if (const auto f = formatOf(d))
        for (std::uint32_t code = 0; code <= (f->allOnes() | f->sign()); ++code)
            all.push_back(oracle::value(*f, code));
    const auto range = [&](int low, int high) {
        for (int i = low; i <= high; ++i)
            all.push_back(i);
    };
    switch (d) {
    case DType::i8:
        range(-128, 127);
        break;
    case DType::u8:
        range(0, 255);
        break;
    case DType::i16:
        range(-32768, 32767);
        break;
    case DType::u16:
        range(0, 65535);
        break;
    case DType::boolean:
        range(0, 1);
        break;
    default:
        break;
    }
    return all;
}

bool holds(DType d, double x)
{
    if (std::isnan(x))
        return isFloat(d);
    if (d == DType::f64)
        return true;
    if (d == DType::f32)
        return static_cast<double>(static_cast<float>(x)) == x;
    const auto within = [&](double low, double high) { return x == std::trunc(x) && x >= low && x <= high; };
    switch (d) {
    case DType::i8:
        return within(-128, 127);
    case DType::u8:
        return within(0, 255);
    case DType::i16:
        return within(-32768, 32767);
    case DType::u16:
        return within(0, 65535);
    case DType::i32:
        return within(-0x1p31, 0x1p31 - 1);
    case DType::u32:
        return within(0, 0x1p32 - 1);
    case DType::i64:
        return within(-0x1p63, 0x1p62);
    case DType::u64:
        return within(0, 0x1p63);
    case DType::boolean:
        return within(0, 1);
    default:
        break;
    }
    const oracle::Format f = *formatOf(d);
    if (std::isinf(x))
        return f.hasInfinity;
    return oracle::value(f, oracle::nearest(f, x)) == x;
}

} // namespace

class DTypeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void factsAgreeWithTheReference()
    {
        std::ifstream file(MANTISSA_SOURCE_DIR "/../shared/reference/dialects.json");
        if (!file)
            QSKIP("the dtype reference (../shared/reference/dialects.json) is not beside the repository");
        int count = 0;
        const nlohmann::json table = nlohmann::json::parse(file);
        for (const nlohmann::json& format : table.at("formats")) {
            const auto d = dtypeFromName(format.at("name").get<std::string>());
            if (!d)
                continue;
            ++count;
            const DTypeFacts& f = facts(*d);
            QCOMPARE(f.exponentBits, format.at("exponent_bits").get<int>());
            QCOMPARE(f.fractionBits, format.at("fraction_bits").get<int>());
            QCOMPARE(precision(*d), format.at("precision").get<int>());
            QCOMPARE(f.bias, format.at("bias").get<int>());
            QCOMPARE(f.maxFinite, format.at("max").get<double>());
            QCOMPARE(std::ilogb(f.maxFinite), f.maxExponent);
            QCOMPARE(f.minNormal, format.at("min_normal").get<double>());
            QCOMPARE(std::ilogb(f.minNormal), f.minExponent);
            QCOMPARE(f.minSubnormal, format.at("min_subnormal").get<double>());
            QCOMPARE(unitRoundoff(*d), format.at("unit_roundoff").get<double>());
            QCOMPARE(f.hasInfinity, format.at("has_infinity").get<bool>());
        }
        QCOMPARE(count, 7);
    }

    void tableIsWellFormed()
    {
        QCOMPARE(allDTypes().size(), std::size_t{kDTypeCount});
        for (int i = 0; i < kDTypeCount; ++i) {
            const DTypeFacts& f = allDTypes()[static_cast<std::size_t>(i)];
            QCOMPARE(int(f.dtype), i);
            QCOMPARE(dtypeFromName(f.name), std::optional(f.dtype));
            QCOMPARE(dtypeFromName(f.shortName), std::optional(f.dtype));
            QCOMPARE(f.isStorage, f.dtype != DType::tf32);
        }
        QVERIFY(!dtypeFromName("float"));
        QVERIFY(!dtypeFromName(""));
        QCOMPARE(storageOf(DType::tf32), DType::f32);
    }

    void castsAreExactWhereEveryValueFits()
    {
        for (const DTypeFacts& from : allDTypes()) {
            const std::vector<double> values = valuesOf(from.dtype);
            if (values.empty())
                continue;
            for (const DTypeFacts& to : allDTypes()) {
                bool all = true;
                for (double x : values)
                    all = all && holds(to.dtype, x);
                QVERIFY2(isExactCast(from.dtype, to.dtype) == all,
                         qPrintable(QString("%1 to %2").arg(from.shortName.data(), to.shortName.data())));
            }
        }
    }

    void wideCasts()
    {
        using enum DType;
        for (auto [from, to] : {std::pair{f32, f64}, {i32, f64}, {u32, f64}, {u32, i64}, {i32, i64}, {tf32, f64}})
            QVERIFY(isExactCast(from, to));
        for (auto [from, to] : {std::pair{f64, f32},
                                {i64, f64},
                                {u64, f64},
                                {i32, f32},
                                {u32, i32},
                                {i64, u64},
                                {u64, i64},
                                {f32, tf32},
                                {f64, i64},
                                {f32, boolean},
                                {i64, boolean},
                                {i32, tf32}})
            QVERIFY(!isExactCast(from, to));
    }

    void promotion()
    {
        using enum DType;
        struct Case {
            DType a, b;
            std::optional<DType> join;
        };
        for (const Case& c : {Case{f32, f64, f64},
                              {f16, f32, f32},
                              {f16, bf16, f32},
                              {bf16, f32, f32},
                              {f16, f64, f64},
                              {bf16, f64, f64},
                              {e4m3fn, f32, {}},
                              {e4m3fn, e5m2, {}},
                              {e5m2, f16, {}},
                              {e4m3fn, f64, {}},
                              {e4m3fn, e4m3fn, e4m3fn},
                              {e5m2, i32, e5m2},
                              {e4m3fn, boolean, e4m3fn},
                              {f16, i64, f16},
                              {boolean, f32, f32},
                              {i32, i64, i64},
                              {u8, i8, i16},
                              {u32, i32, i64},
                              {boolean, u8, u8}}) {
            QCOMPARE(promote(c.a, c.b), c.join);
            QCOMPARE(promote(c.b, c.a), c.join);
        }
    }
};

QTEST_GUILESS_MAIN(DTypeTest)
#include "tst_dtype.moc"
