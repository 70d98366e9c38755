// Parameters: defaults, kinds, ranges and their messages; canonical JSON that reads back as the same value.
#include "engine/model/number_text.h"
#include "engine/model/param.h"

#include <QtTest/QtTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace engine;

namespace {

constexpr std::string_view kPaddings[]{"valid", "same"};
constexpr ParamSpec kSpecs[]{
    {.name = "filters", .kind = ParamKind::Int, .sentence = "s", .minimum = 1, .maximum = 512, .defaultText = "8"},
    {.name = "rate", .kind = ParamKind::Real, .sentence = "s", .minimum = 0, .maximum = 1, .defaultText = "0.5"},
    {.name = "padding", .kind = ParamKind::Choice, .sentence = "s", .choices = kPaddings, .defaultText = "\"valid\""},
    {.name = "strides",
     .kind = ParamKind::IntList,
     .sentence = "s",
     .minimum = 1,
     .maximum = 9,
     .minLength = 2,
     .maxLength = 2,
     .defaultText = "[1, 1]"},
    {.name = "use_bias", .kind = ParamKind::Bool, .sentence = "s", .defaultText = "true"},
    {.name = "note", .kind = ParamKind::Text, .sentence = "s", .defaultText = "\"\""},
    {.name = "weight", .kind = ParamKind::Source, .sentence = "s", .defaultText = R"({"init": "glorot_uniform"})"},
};

Source fileSource()
{
    Source s;
    s.kind = Source::Kind::File;
    s.name = "digits.npz";
    s.member = "x";
    s.scale = Source::Scale::Unit;
    s.channels = Source::Channels::Keep;
    return s;
}

} // namespace

class TestParam : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void defaultsAreFilled()
    {
        const Result<Params> p = Params::check(kSpecs, {{"filters", std::int64_t{32}}}, "node 1");
        QVERIFY(p.ok());
        QCOMPARE(p->integer("filters"), std::int64_t{32});
        QVERIFY(p->real("rate") == 0.5);
        QCOMPARE(p->text("padding"), std::string("valid"));
        QVERIFY(p->list("strides") == (IntList{1, 1}));
        QVERIFY(p->flag("use_bias"));
        QCOMPARE(p->text("note"), std::string());
        QCOMPARE(p->source("weight").generator, std::string("glorot_uniform"));
        QCOMPARE(p->map().size(), std::size_t{7});
    }

    void integersAreRealsButNotTheReverse()
    {
        const Result<Params> p = Params::check(kSpecs, {{"rate", std::int64_t{1}}}, "node 1");
        QVERIFY(p.ok());
        QVERIFY(p->real("rate") == 1.0);
        QCOMPARE(Params::check(kSpecs, {{"filters", 8.0}}, "node 1").error().code, std::string("param-kind"));
        QCOMPARE(Params::check(kSpecs, {{"filters", true}}, "node 1").error().code, std::string("param-kind"));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("quotes");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("too small") << "filters" << 0 << "param-range"
                                   << "is 0, outside 1 to 512"
                                   << "1 to 512";
        QTest::newRow("too large") << "filters" << 1 << "param-range"
                                   << "is 513, outside 1 to 512"
                                   << "1 to 512";
        QTest::newRow("real above") << "rate" << 2 << "param-range"
                                    << "is 1.5, outside 0 to 1"
                                    << "0 to 1";
        QTest::newRow("nan") << "rate" << 3 << "param-range"
                             << "is nan, outside 0 to 1"
                             << "0 to 1";
        QTest::newRow("choice") << "padding" << 4 << "param-choice"
                                << "\"Same\""
                                << "valid, same";
        QTest::newRow("entry") << "strides" << 5 << "param-range"
                               << "[1, 0] with the entry 0"
                               << "1 to 9";
        QTest::newRow("length") << "strides" << 6 << "param-range"
                                << "[1] with 1 entries"
                                << "2 to 2 entries";
        QTest::newRow("unknown") << "filter" << 0 << "param-unknown"
                                 << "\"filter\""
                                 << "filters, rate, padding";
        QTest::newRow("kind") << "weight" << 0 << "param-kind"
                              << "is 0"
                              << "a source of values";
        QTest::newRow("initialiser") << "weight" << 7 << "param-choice"
                                     << "\"xavier\""
                                     << "glorot_uniform";
        QTest::newRow("no values") << "weight" << 8 << "param-range"
                                   << "no values"
                                   << "one value";
    }
    void refusals()
    {
        QFETCH(QString, name);
        QFETCH(int, which);
        QFETCH(QString, code);
        QFETCH(QString, quotes);
        QFETCH(QString, remedy);
        Source xavier, empty;
        xavier.generator = "xavier";
        empty.kind = Source::Kind::Values;
        const ParamValue values[]{std::int64_t{0},
                                  std::int64_t{513},
                                  1.5,
                                  std::numeric_limits<double>::quiet_NaN(),
                                  std::string("Same"),
                                  IntList{1, 0},
                                  IntList{1},
                                  xavier,
                                  empty};
        const Result<Params> p = Params::check(kSpecs, {{name.toStdString(), values[which]}}, "node 3 \"conv1\"");
        QVERIFY(!p.ok());
        QCOMPARE(QString::fromStdString(p.error().code), code);
        QVERIFY(QString::fromStdString(p.error().place).startsWith("node 3 \"conv1\""));
        QVERIFY2(QString::fromStdString(p.error().message).contains(quotes), p.error().message.c_str());
        QVERIFY2(QString::fromStdString(p.error().remedy).contains(remedy), p.error().remedy.c_str());
    }

    void infinityIsNoReal()
    {
        const ParamSpec any[]{{.name = "x", .kind = ParamKind::Real, .sentence = "s", .maximum = INFINITY}};
        QCOMPARE(Params::check(any, {{"x", static_cast<double>(INFINITY)}}, "").error().code,
                 std::string("param-range"));
        QVERIFY(Params::check(any, {{"x", 1e300}}, "").ok());
    }

    void canonicalText()
    {
        QCOMPARE(paramToJson(true), std::string("true"));
        QCOMPARE(paramToJson(std::int64_t{-7}), std::string("-7"));
        QCOMPARE(paramToJson(0.1), std::string("0.1"));
        QCOMPARE(paramToJson(1.0), std::string("1.0"));
        QCOMPARE(paramToJson(-0.0), std::string("-0.0"));
        QCOMPARE(paramToJson(1e-5), std::string("1e-05"));
        QCOMPARE(paramToJson(100000.0), std::string("100000.0"));
        QCOMPARE(paramToJson(1e22), std::string("1e+22"));
        QCOMPARE(paramToJson(static_cast<double>(INFINITY)), std::string("\"inf\""));
        QCOMPARE(paramToJson(std::string("a\"b\n\xff")), std::string("\"a\\\"b\\n\xef\xbf\xbd\""));
        QCOMPARE(paramToJson(IntList{3, -1}), std::string("[3, -1]"));
        Source s;
        QCOMPARE(paramToJson(s), std::string(R"({"init": "zeros"})"));
        s.generator = "uniform";
        s.seed = (1ull << 53) - 1;
        s.a = -1.0;
        s.b = 0.5;
        QCOMPARE(paramToJson(s), std::string(R"({"init": "uniform", "seed": 9007199254740991, "a": -1.0, "b": 0.5})"));
        QCOMPARE(paramToJson(fileSource()),
                 std::string(R"({"file": "digits.npz", "member": "x", "scale": "unit", "channels": "keep"})"));
        s = {};
        s.kind = Source::Kind::Tensor;
        s.name = "conv1/kernel";
        QCOMPARE(paramToJson(s), std::string(R"({"tensor": "conv1/kernel"})"));
        s = {};
        s.kind = Source::Kind::Values;
        s.values = {0.1, NAN, -INFINITY};
        QCOMPARE(paramToJson(s), std::string(R"({"values": [0.1, "nan", "-inf"]})"));
    }

    void arrayKeys()
    {
        Source s = fileSource();
        QCOMPARE(s.arrayKey(), std::string("file:digits.npz#x#keep"));
        s.channels = Source::Channels::Drop;
        QCOMPARE(s.arrayKey(), std::string("file:digits.npz#x"));
        s.kind = Source::Kind::Tensor;
        QCOMPARE(s.arrayKey(), std::string("tensor:digits.npz"));
        QVERIFY(Source{}.arrayKey().empty());
    }

    // Random bit patterns: text and back gives the same float64, and the same text again.
    void realsRoundTrip()
    {
        std::mt19937_64 random(3);
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t bits = random();
            double x;
            std::memcpy(&x, &bits, 8);
            if (std::isnan(x))
                continue;
            const std::string text = paramToJson(x);
            const Result<ParamValue> back = paramFromJson(ParamKind::Real, text, "");
            QVERIFY2(back.ok(), text.c_str());
            QVERIFY(std::get<double>(*back) == x);
            QVERIFY(std::strtod(numberText(x).c_str(), nullptr) == x);
            QCOMPARE(paramToJson(*back), text);
        }
    }

    void sourcesRoundTrip()
    {
        for (const char* text : {R"({"init": "glorot_uniform", "seed": 18446744073709551615})",
                                 R"({"init": "constant", "a": 0.1})", R"({"values": [1.0, 2.5]})",
                                 R"({"tensor": "t", "scale": "unit"})", R"({"file": "a b.npy", "channels": "keep"})"}) {
            const Result<ParamValue> value = paramFromJson(ParamKind::Source, text, "");
            QVERIFY2(value.ok(), text);
            QCOMPARE(paramToJson(*value), std::string(text));
        }
        const Result<ParamValue> s =
            paramFromJson(ParamKind::Source, R"({"seed": 18446744073709551615, "init": "normal"})", "");
        QCOMPARE(std::get<Source>(*s).seed, UINT64_MAX);
    }

    void badJson_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, ParamKind kind, const QString& text) {
            QTest::newRow(name) << static_cast<int>(kind) << text;
        };
        row("not JSON", ParamKind::Int, "{");
        row("empty", ParamKind::Int, "");
        row("two values", ParamKind::Int, "1 2");
        row("real for integer", ParamKind::Int, "1.5");
        row("above 64 bits", ParamKind::Int, "9223372036854775808");
        row("number overflow", ParamKind::Real, "1e999");
        row("word for real", ParamKind::Real, "\"infinity\"");
        row("number for bool", ParamKind::Bool, "1");
        row("list with real", ParamKind::IntList, "[1, 2.0]");
        row("no list", ParamKind::IntList, "{}");
        row("deep", ParamKind::IntList, QString("[").repeated(100000));
        row("text for source", ParamKind::Source, "\"zeros\"");
        row("no form", ParamKind::Source, R"({"seed": 1})");
        row("two forms", ParamKind::Source, R"({"init": "zeros", "values": [1]})");
        row("negative seed", ParamKind::Source, R"({"init": "zeros", "seed": -1})");
        row("real seed", ParamKind::Source, R"({"init": "zeros", "seed": 1.0})");
        row("seed of a file", ParamKind::Source, R"({"file": "a.npy", "seed": 1})");
        row("unknown scale", ParamKind::Source, R"({"file": "a.npy", "scale": "byte"})");
        row("text in values", ParamKind::Source, R"({"values": [1, "x"]})");
        row("null in values", ParamKind::Source, R"({"values": [null]})");
        row("name is a number", ParamKind::Source, R"({"tensor": 1})");
        row("empty member name", ParamKind::Source, R"({"values": [1], "": 2})");
    }
    void badJson()
    {
        QFETCH(int, kind);
        QFETCH(QString, text);
        const Result<ParamValue> v = paramFromJson(static_cast<ParamKind>(kind), text.toStdString(), "node 1");
        QVERIFY(!v.ok());
        QCOMPARE(v.error().code, std::string("param-kind"));
        QCOMPARE(v.error().place, std::string("node 1"));
        QVERIFY(v.error().message.size() < 200);
        QVERIFY(!v.error().remedy.empty());
    }
};

QTEST_GUILESS_MAIN(TestParam)
#include "tst_param.moc"
