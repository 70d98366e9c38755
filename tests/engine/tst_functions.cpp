// The scalar functions and their double-double references against golden values of mpmath (make_function_cases.py),
// with and without FMA, and the bits that every machine with FMA must give.
#include "engine/kernels/functions.h"
#include "engine/model/exec.h"
#include "engine/model/narrow_float.h"

#include <QtTest/QtTest>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

namespace {

using engine::DoubleDouble;
using Quad = __float128;

constexpr double kAlpha = 1.7; // of the golden elu

struct Function {
    const char* name;
    double maxUlp; // design 3.3: functions 2, compositions 4
    double (*value)(double);
    DoubleDouble (*reference)(DoubleDouble); // null: only float64
};
double elu(double x)
{
    return engine::eluOf(x, kAlpha);
}
DoubleDouble eluReference(DoubleDouble x)
{
    return engine::eluDD(x, DoubleDouble(kAlpha));
}
const Function kFunctions[]{
    {"exp", 2, engine::expStable, engine::expDD},
    {"expm1", 2, engine::expm1Stable, nullptr},
    {"log1p", 2, engine::log1pStable, nullptr},
    {"tanh", 2, engine::tanhStable, engine::tanhDD},
    {"erf", 2, engine::erfStable, nullptr},
    {"sigmoid", 4, engine::sigmoidStable, engine::sigmoidDD},
    {"softplus", 4, engine::softplusStable, engine::softplusDD},
    {"gelu", 4, engine::geluErf, engine::geluErfDD},
    {"gelu_tanh", 4, engine::geluTanh, engine::geluTanhDD},
    {"elu", 4, elu, eluReference},
    {"selu", 4, engine::seluOf, engine::seluDD},
};

struct Case {
    const Function* function = nullptr;
    DoubleDouble x, y;
};

std::vector<Case> readCases()
{
    std::vector<Case> cases;
    std::ifstream file(MANTISSA_SOURCE_DIR "/tests/golden/function_cases.txt");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name, word;
        words >> name;
        double v[4] = {};
        for (double& d : v) {
            words >> word;
            d = std::strtod(word.c_str(), nullptr);
        }
        for (const Function& f : kFunctions)
            if (name == f.name)
                cases.push_back({&f, {v[0], v[1]}, {v[2], v[3]}});
    }
    return cases;
}

Quad quad(DoubleDouble x)
{
    return static_cast<Quad>(x.hi) + static_cast<Quad>(x.lo);
}

// |y - r| in units of the last place of r, in a format of `fraction` bits whose smallest normal is 2^minExponent.
double ulps(double y, DoubleDouble r, int fraction, int minExponent)
{
    const int exponent = r.hi == 0 ? minExponent : std::max(std::ilogb(r.hi), minExponent);
    const Quad off = static_cast<Quad>(y) - quad(r);
    return std::ldexp(static_cast<double>(off < 0 ? -off : off), fraction - exponent);
}

// Equal zeros, infinities and NaN, where the expected value is one of these.
bool isSpecial(double r)
{
    return r == 0 || !std::isfinite(r);
}
bool sameSpecial(double y, double r)
{
    return std::isnan(r) ? std::isnan(y) : y == r && std::signbit(y) == std::signbit(r);
}

QByteArray describe(const Case& c, double y)
{
    char text[200];
    std::snprintf(text, sizeof text, "%s(%a + %a): got %a, expected %a + %a", c.function->name, c.x.hi, c.x.lo, y,
                  c.y.hi, c.y.lo);
    return text;
}

// FNV-1a over the bits of seeded arguments' values.
std::uint64_t digest(const Function& f)
{
    std::mt19937_64 random(20240611);
    std::uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < 100000; ++i) {
        const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
        const double scale = std::ldexp(1.0, static_cast<int>(random() % 24) - 12);
        const double y = f.value((unit - 0.5) * scale);
        hash = (hash ^ engine::bitsAs<std::uint64_t>(y)) * 1099511628211u;
    }
    return hash;
}

} // namespace

class TestFunctions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(readCases().size() > 4400); }
    void float64WithinUlps();
    void float32WithinOneUlp();
    void referenceWithin2ToMinus98();
    void softmaxReference();
    void withoutFma();
    void bitsAreTheRecordedOnes();
};

void TestFunctions::float64WithinUlps()
{
    std::map<std::string, double> worst;
    for (const Case& c : readCases()) {
        if (c.x.lo != 0)
            continue;
        const double y = c.function->value(c.x.hi);
        if (isSpecial(c.y.hi) && c.y.lo == 0) {
            // Half of the smallest subnormal is a tie that a function within its ulps may round up.
            const bool underflow = c.y.hi == 0 && std::isfinite(c.x.hi) && c.x.hi != 0;
            QVERIFY2(sameSpecial(y, c.y.hi) || (underflow && std::fabs(y) == 0x1p-1074), describe(c, y));
            continue;
        }
        const double off = ulps(y, c.y, 52, -1022);
        QVERIFY2(off <= c.function->maxUlp, describe(c, y));
        worst[c.function->name] = std::max(worst[c.function->name], off);
    }
    QCOMPARE(worst.size(), std::size(kFunctions));
    for (const auto& [name, off] : worst)
        qInfo("%s: at most %.3f ulp", name.c_str(), off);
}

void TestFunctions::float32WithinOneUlp()
{
    for (const Case& c : readCases()) {
        const float y = static_cast<float>(c.function->value(c.x.hi));
        if (c.x.lo != 0 || isSpecial(c.y.hi) || std::isinf(static_cast<float>(c.y.hi)))
            continue;
        QVERIFY2(ulps(static_cast<double>(y), c.y, 23, -126) <= 1, describe(c, static_cast<double>(y)));
    }
}

void TestFunctions::referenceWithin2ToMinus98()
{
    for (const Case& c : readCases()) {
        if (!c.function->reference)
            continue;
        const DoubleDouble y = c.function->reference(c.x);
        if (isSpecial(c.y.hi)) {
            QVERIFY2(sameSpecial(y.hi, c.y.hi) && y.lo == 0, describe(c, y.hi));
            continue;
        }
        const Quad off = quad(y) - quad(c.y), size = quad(c.y);
        // The golden value itself is within 2^-107, or half of the smallest subnormal.
        const Quad bound = (size < 0 ? -size : size) * static_cast<Quad>(0x1p-98) + static_cast<Quad>(0x1p-1074);
        QVERIFY2((off < 0 ? -off : off) <= bound, describe(c, y.hi));
        QVERIFY2(std::fabs(y.lo) <= std::ldexp(1.0, std::ilogb(y.hi) - 53), describe(c, y.hi));
    }
}

void TestFunctions::softmaxReference()
{
    // exp(d) / (1 + exp(d)) is sigmoid(d), whose golden values are at hand: a row of d and 0, two apart.
    for (const Case& c : readCases()) {
        if (std::string_view(c.function->name) != "sigmoid" || !std::isfinite(c.x.hi))
            continue;
        const double hi[]{c.x.hi, -1, 0, -1}, lo[]{c.x.lo, -1, 0, -1};
        double yHi[]{7, 7, 7, 7}, yLo[]{7, 7, 7, 7};
        engine::softmaxDD({hi, lo, yHi, yLo, 2, 2});
        const Quad off = quad({yHi[0], yLo[0]}) - quad(c.y);
        QVERIFY2((off < 0 ? -off : off) <= quad(c.y) * static_cast<Quad>(0x1p-98) + static_cast<Quad>(0x1p-1074),
                 describe(c, yHi[0]));
        QCOMPARE(yHi[1], 7.0);
        QCOMPARE(yLo[3], 7.0);
    }
    const double infinity = std::numeric_limits<double>::infinity();
    const double rows[][2]{{infinity, 0}, {-infinity, -infinity}, {std::nan(""), 0}, {0, std::nan("")}};
    for (const auto& row : rows) {
        double yHi[2] = {}, yLo[2] = {};
        engine::softmaxDD({row, nullptr, yHi, yLo, 2, 1});
        for (int i = 0; i < 2; ++i) {
            QVERIFY(std::isnan(yHi[i]));
            QCOMPARE(yLo[i], 0.0);
        }
    }
}

// The choice is made once per process, so this test runs itself again.
void TestFunctions::withoutFma()
{
    if (!engine::hasFma(engine::bestIsa()))
        QSKIP("this run is already without FMA");
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("MANTISSA_ISA", "baseline");
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath(), {"float64WithinUlps", "bitsAreTheRecordedOnes"});
    QVERIFY(process.waitForFinished());
    const QByteArray output = process.readAllStandardOutput();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, output);
    QVERIFY2(output.contains("without FMA: other bits"), output);
}

// Not a test of accuracy: libsleef 3.5.1 with FMA gave these on x86-64, and every machine must.
void TestFunctions::bitsAreTheRecordedOnes()
{
    const std::map<std::string, std::uint64_t> recorded{
        {"exp", 0x17ce87613f6b44f5u},      {"expm1", 0x2630f270e6cd4c31u}, {"log1p", 0x9b15e1d2a05d940cu},
        {"tanh", 0xf8d36b9f1180f6c5u},     {"erf", 0xb51bce6cf66360cfu},   {"sigmoid", 0x7a23f3811e33839du},
        {"softplus", 0x258eea87da802bc0u}, {"gelu", 0x78faf4edffb5bd59u},  {"gelu_tanh", 0xbc5414117e2b7cb1u},
        {"elu", 0xb9d9d980f2b4a666u},      {"selu", 0xd1aea2e9cc8ef1c8u},
    };
    if (!engine::hasFma(engine::bestIsa()))
        QSKIP("without FMA: other bits");
    for (const Function& f : kFunctions)
        QVERIFY2(digest(f) == recorded.at(f.name), f.name);
}

QTEST_GUILESS_MAIN(TestFunctions)
#include "tst_functions.moc"
