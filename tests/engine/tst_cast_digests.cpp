// float64 to every narrower float format over 10,485,760 inputs a format, boundaries included, against NumPy and
// ml_dtypes: make_cast_digests.py wrote one SHA-256 per 65,536 outputs. Inputs are a function of their index, defined
// there.
#include "engine/model/convert.h"

#include <QtTest/QtTest>

#include <cmath>
#include <fstream>
#include <map>

using namespace engine;

namespace {

constexpr std::int64_t kBlock = 65536;
constexpr int kBlocks = 160;

std::uint64_t splitmix64(std::uint64_t index)
{
    std::uint64_t z = 0x4D616E7469737361u + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

struct Format {
    int exponentBits, fractionBits;
    int largest;
};
constexpr Format kFormats[] = {{5, 10, 0x7BFF}, {8, 7, 0x7F7F}, {4, 3, 0x7E}, {5, 2, 0x7B}};

double codeValue(int code, const Format& f)
{
    const int field = code >> f.fractionBits, fraction = code & ((1 << f.fractionBits) - 1);
    const int significand = field > 0 ? fraction + (1 << f.fractionBits) : fraction;
    return std::ldexp(significand, std::max(field, 1) - ((1 << (f.exponentBits - 1)) - 1) - f.fractionBits);
}

std::vector<std::uint64_t> boundaryBits()
{
    std::vector<std::uint64_t> all;
    for (const Format& f : kFormats)
        for (int code = 0; code <= f.largest; ++code) {
            const double here = codeValue(code, f);
            const double middle = (here + codeValue(code + 1, f)) / 2;
            for (std::uint64_t delta = 0; delta < 3; ++delta)
                for (double value : {here, middle}) {
                    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) + delta - 1;
                    all.push_back(bits);
                    all.push_back(bits ^ (std::uint64_t{1} << 63));
                }
        }
    return all;
}

std::uint64_t randomBits(std::uint64_t index)
{
    const std::uint64_t r = splitmix64(2 * index), s = splitmix64(2 * index + 1);
    const std::uint64_t kind = s & 3;
    if (kind == 0)
        return r;
    const std::uint64_t exponent = 1023 - 160 + (s >> 8) % 320;
    std::uint64_t fraction = r & ((std::uint64_t{1} << 52) - 1);
    if (kind >= 2) {
        const std::uint64_t tail = 52 - (s >> 40) % 24;
        const std::uint64_t delta = (s >> 48) % 5 - 2;
        fraction = (fraction >> tail << tail) + (std::uint64_t{1} << (tail - 1)) + delta;
    }
    return (r & (std::uint64_t{1} << 63)) | (exponent << 52) | fraction;
}

// One code for NaN, so that payloads do not count.
template <class Word> QByteArray digest(const Tensor& t, Word infinity, Word nan)
{
    std::vector<Word> codes(t.data<Word>(), t.data<Word>() + t.elements());
    constexpr auto kMagnitude = static_cast<Word>(static_cast<Word>(~Word{0}) >> 1);
    for (Word& code : codes)
        if ((code & kMagnitude) > infinity)
            code = nan;
    const QByteArrayView bytes(reinterpret_cast<const char*>(codes.data()),
                               static_cast<qsizetype>(codes.size() * sizeof(Word)));
    return QCryptographicHash::hash(QByteArray::fromRawData(bytes.data(), bytes.size()), QCryptographicHash::Sha256)
        .toHex();
}

QByteArray digestOf(const Tensor& t)
{
    switch (t.dtype()) {
    case DType::f16:
        return digest<std::uint16_t>(t, 0x7C00, 0x7E00);
    case DType::bf16:
        return digest<std::uint16_t>(t, 0x7F80, 0x7FC0);
    case DType::e4m3fn:
        return digest<std::uint8_t>(t, 0x7E, 0x7F);
    case DType::e5m2:
        return digest<std::uint8_t>(t, 0x7C, 0x7E);
    default:
        return digest<std::uint32_t>(t, 0x7F800000, 0x7FC00000);
    }
}

} // namespace

class CastDigestsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyBlockAgrees()
    {
        std::ifstream file(MANTISSA_SOURCE_DIR "/tests/golden/cast_digests.txt");
        QVERIFY2(file, "tests/golden/cast_digests.txt is missing");
        std::map<std::pair<std::string, int>, QByteArray> expected;
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with('#'))
                continue;
            std::istringstream fields(line);
            std::string format, hash;
            int block = -1;
            fields >> format >> block >> hash;
            expected[{format, block}] = QByteArray::fromStdString(hash);
        }
        QCOMPARE(expected.size(), std::size_t{6 * kBlocks});

        const std::vector<std::uint64_t> boundary = boundaryBits();
        QCOMPARE(boundary.size(), std::size_t{12 * (0x7C00 + 0x7F80 + 0x7F + 0x7C)});
        const SerialExec exec;
        for (int block = 0; block < kBlocks; ++block) {
            Tensor x = Tensor::allocate(DType::f64, {kBlock});
            for (std::int64_t i = 0; i < kBlock; ++i) {
                const auto index = static_cast<std::size_t>(block * kBlock + i);
                x.mutableData<std::uint64_t>()[i] = index < boundary.size() ? boundary[index] : randomBits(index);
            }
            for (DType to : {DType::f32, DType::tf32, DType::f16, DType::bf16, DType::e4m3fn, DType::e5m2}) {
                const std::string name(dtypeName(to));
                const QByteArray actual = digestOf(convert(x, to, exec));
                QVERIFY2(actual == expected.at({name, block}),
                         qPrintable(QString("%1, block %2").arg(name.c_str()).arg(block)));
            }
        }
    }
};

QTEST_GUILESS_MAIN(CastDigestsTest)
#include "tst_cast_digests.moc"
