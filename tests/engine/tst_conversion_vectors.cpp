// The conversion vectors of the dtype reference (dialects.json) whose target is one of our formats: 227 of 388. The
// reference lies outside the repository; without it the test is skipped.
#include "engine/model/convert.h"
#include "engine/model/narrow_float.h"

#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include <bit>
#include <fstream>

using namespace engine;

namespace {

constexpr const char* kTable = MANTISSA_SOURCE_DIR "/../shared/reference/dialects.json";

std::uint64_t hex(const nlohmann::json& text)
{
    return std::stoull(text.get<std::string>(), nullptr, 16);
}

template <class F> std::uint64_t narrowed(double x, NarrowRounding rounding, NarrowOverflow overflow)
{
    return static_cast<std::uint64_t>(narrow<F>(x, rounding, overflow).bits) >> F::kUnusedBits;
}

std::uint64_t narrowedTo(DType to, double x, NarrowRounding rounding, NarrowOverflow overflow)
{
    switch (to) {
    case DType::f32:
        return narrowed<Float32>(x, rounding, overflow);
    case DType::tf32:
        return narrowed<TensorFloat32>(x, rounding, overflow);
    case DType::f16:
        return narrowed<Float16>(x, rounding, overflow);
    case DType::bf16:
        return narrowed<BFloat16>(x, rounding, overflow);
    case DType::e4m3fn:
        return narrowed<Float8E4M3FN>(x, rounding, overflow);
    default:
        return narrowed<Float8E5M2>(x, rounding, overflow);
    }
}

std::uint64_t firstCode(const Tensor& t)
{
    switch (facts(t.dtype()).bytes) {
    case 1:
        return t.data<std::uint8_t>()[0];
    case 2:
        return t.data<std::uint16_t>()[0];
    default:
        return t.data<std::uint32_t>()[0] >> (t.dtype() == DType::tf32 ? 13 : 0);
    }
}

} // namespace

class ConversionVectorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void all227()
    {
        std::ifstream file(kTable);
        if (!file)
            QSKIP("the dtype reference (../shared/reference/dialects.json) is not beside the repository");
        const nlohmann::json table = nlohmann::json::parse(file, nullptr, false);
        QVERIFY(!table.is_discarded());
        const SerialExec exec;
        int count = 0;
        for (const nlohmann::json& v : table.at("conversion_vectors").at("vectors")) {
            const auto to = dtypeFromName(v.at("to").get<std::string>());
            if (!to)
                continue;
            ++count;
            const auto x = std::bit_cast<double>(hex(v.at("from_f64_bits")));
            const std::string mode = v.at("rounding");
            const bool saturate = v.at("saturate");
            const NarrowRounding rounding = mode == "rne"   ? NarrowRounding::NearestEven
                                            : mode == "rna" ? NarrowRounding::NearestAway
                                                            : NarrowRounding::TowardZero;
            const auto name =
                QString("%1 %2 %3")
                    .arg(v.at("to").get<std::string>().c_str(), v.at("case").get<std::string>().c_str(), mode.c_str());
            const std::uint64_t expected = hex(v.at("code"));
            const auto overflow = saturate ? NarrowOverflow::Saturate : NarrowOverflow::ToSpecial;
            QVERIFY2(narrowedTo(*to, x, rounding, overflow) == expected, qPrintable(name));
            // What convert() offers: nearest even, and ties away for tf32.
            if (rounding != (*to == DType::tf32 ? NarrowRounding::NearestAway : NarrowRounding::NearestEven))
                continue;
            Tensor t = Tensor::allocate(DType::f64, {1});
            t.mutableData<double>()[0] = x;
            const auto policy = saturate ? FloatOverflow::Saturate : FloatOverflow::ToSpecial;
            QVERIFY2(firstCode(convert(t, *to, exec, policy)) == expected, qPrintable(name));
            DDTensor source = DDTensor::allocate({1}, DDTensor::Lo::Present);
            source.mutableHi()[0] = x;
            source.mutableLo()[0] = 0;
            QVERIFY2(firstCode(convertSource(source, *to, exec, policy)) == expected, qPrintable(name));
        }
        QCOMPARE(count, 227);
    }
};

QTEST_GUILESS_MAIN(ConversionVectorsTest)
#include "tst_conversion_vectors.moc"
