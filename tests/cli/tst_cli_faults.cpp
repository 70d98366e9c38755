// What a result must not hide: overflow behind a small mean, an error where nothing could be measured, integers out of
// range, a name that would write to the terminal. Documents are written here, the program reads them.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/document/document_file.h"
#include "tests/support/networks.h"

using namespace engine;

class CliFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textNamesWhatIsNotFinite();
    void aLimitOnNothingMeasuredIsJudgedByWhatIsWrong();
    void limitsWithoutAnOutputNodeSpeakOfTheEnds();
    void integersOutOfRangeOverflow();
    void castsToIntegersAndBoolTruncateInTheReferenceToo();
    void namesCannotWriteToTheTerminal();
    void aFailedDumpIsAnErrorInTheReport();
    void nothingMeasuredIsAbsent();
    void overflowAtStorageIsReported();
    void badParametersNameTheirPlace_data();
    void badParametersNameTheirPlace();
    void reusedMeansFromTheCache();

private:
    QString write(const Graph& graph, Combo combo, const QString& name = "model", const char* dialect = "explicit");
    QTemporaryDir m_folder;
};

namespace {

struct Output {
    int code = -1;
    QByteArray out, err;
    QJsonObject node(const QString& name) const
    {
        const QJsonObject report = QJsonDocument::fromJson(out).object();
        for (const auto& n : report[u"runs"].toArray().at(0)[u"nodes"].toArray())
            if (n[u"name"].toString() == name)
                return n.toObject();
        return {};
    }
};

Output cli(const QStringList& arguments)
{
    QProcess p;
    p.start(MANTISSA_CLI, arguments);
    p.waitForFinished(60000);
    return {p.exitCode(), p.readAllStandardOutput(), p.readAllStandardError()};
}

Source values(std::vector<double> v)
{
    Source s;
    s.kind = Source::Kind::Values;
    s.values = std::move(v);
    return s;
}

ParamMap valuesParams(std::vector<double> v)
{
    const auto count = static_cast<std::int64_t>(v.size());
    return {{"shape", IntList{count}}, {"value", values(std::move(v))}};
}

// "3" or "[3,3]"
ParamValue paramFrom(const QString& text)
{
    if (!text.startsWith('['))
        return std::int64_t{text.toLongLong()};
    IntList list;
    for (const QString& n : text.mid(1, text.size() - 2).split(','))
        list.push_back(n.toLongLong());
    return list;
}

constexpr Combo kF16{DType::f16, DType::f16}, kF32{DType::f32, DType::f32}, kF64{DType::f64, DType::f64};

} // namespace

QString CliFaultsTest::write(const Graph& graph, Combo combo, const QString& name, const char* dialect)
{
    Document d;
    d.title = "test";
    d.graph = graph;
    d.settings.combo = combo;
    d.settings.dialect = dialect;
    const QString path = m_folder.filePath(name + ".mantissa");
    if (auto s = saveDocument(d, path.toStdString()); !s)
        qFatal("%s", s.error().text().c_str());
    return path;
}

void CliFaultsTest::textNamesWhatIsNotFinite()
{
    // x + x in float16: 6e4 and -65504 overflow.
    support::Chain c;
    c.add("input", valuesParams({1, 6e4, 2, -65504}), "x");
    c.add("add", {}, "twice");
    Graph g = c.graph();
    QVERIFY(g.addEdge({{1}, "output", {2}, "other"}).ok());
    const Output o = cli({"run", write(g, kF16)});
    QVERIFY2(o.out.contains("twice: 0 NaN and 2 Inf among 4 values, the first where the reference is finite at 1"),
             o.out);
    QVERIFY(o.out.contains("2 overflowed"));
}

void CliFaultsTest::aLimitOnNothingMeasuredIsJudgedByWhatIsWrong()
{
    // 0.1 + 0.2 - 0.3 is 0 for no dtype here; a reference of zero comes from 1 + (-1) after a lossy cast: 1 + 2^-30 in
    // float32 is 1, so the reference 2^-30 is not zero. Take the other way: x - x with x rounded differently by a Cast.
    support::Chain c;
    c.add("input", valuesParams({0.1}), "x");
    c.add("cast", {{"to", std::string("float16")}}, "narrow");
    c.add("cast", {{"to", std::string("float64")}}, "wide");
    c.add("add", {}, "sum");
    c.add("output", {}, "out");
    Graph g = c.graph();
    Node minus;
    minus.id = {6};
    minus.name = "minus";
    minus.op = "input";
    minus.params = valuesParams({-0.1});
    QVERIFY(g.addNode(minus).ok());
    QVERIFY(g.addEdge({{6}, "output", {4}, "other"}).ok());
    const QString path = write(g, kF64);
    const Output o = cli({"run", path, "--json"});
    const QJsonObject error = o.node("out")[u"error"].toObject();
    QVERIFY(!error.contains(u"rel_l2") && !error.contains(u"max_ulp"));
    QCOMPARE(error[u"zero_ref_wrong"].toInt(), 1);
    QCOMPARE(cli({"run", path, "--max-error", "rel_l2=1"}).code, 3);
    QCOMPARE(cli({"run", path, "--max-error", "max_abs=1"}).code, 0);
    QCOMPARE(cli({"run", path, "--max-error", "rel_l2=nan"}).code, 2);
}

void CliFaultsTest::limitsWithoutAnOutputNodeSpeakOfTheEnds()
{
    support::Chain c;
    c.add("input", valuesParams({0.1}), "x");
    c.add("relu", {}, "end");
    const QString path = write(c.graph(), kF32);
    const Output o = cli({"run", path, "--max-error", "max_abs=1e-20"});
    QCOMPARE(o.code, 3);
    QVERIFY2(o.err.contains("max_abs of \"end\" is 1.49012e-09, the limit is 1e-20"), o.err); // float32(0.1) - 0.1
}

void CliFaultsTest::integersOutOfRangeOverflow()
{
    support::Chain c;
    c.add("input", valuesParams({1e10, -1e10, 300, -1, 2147483647.5, 2147483648.0, -2147483648.5, -2147483649.0}), "x");
    c.add("cast", {{"to", std::string("int32")}}, "narrow");
    Output o = cli({"run", write(c.graph(), kF64), "--json"});
    QJsonObject error = o.node("narrow")[u"error"].toObject();
    // Truncation keeps 2147483647.5 and -2147483648.5 in range.
    QCOMPARE(error[u"overflow"].toInt(), 4);
    QCOMPARE(error[u"underflow"].toInt(), 0);
    support::Chain u;
    u.add("input", valuesParams({-1e10, -1, 0, 255.5, 256, 300}), "x");
    u.add("cast", {{"to", std::string("uint8")}}, "narrow");
    o = cli({"run", write(u.graph(), kF64), "--json"});
    error = o.node("narrow")[u"error"].toObject();
    QCOMPARE(error[u"overflow"].toInt(), 4);
    QCOMPARE(error[u"underflow"].toInt(), 0); // -1 became 0 because it is out of range, not because it is small
    QVERIFY(!o.node("narrow").contains(u"value_bits") && !error.contains(u"ulp_histogram"));
}

void CliFaultsTest::castsToIntegersAndBoolTruncateInTheReferenceToo()
{
    for (const auto& [to, expected] : {std::pair{"int32", 0.0}, std::pair{"bool", 0.0}, std::pair{"float32", 0.1}}) {
        support::Chain c;
        c.add("input", valuesParams({2.75, -2.75, 1e6, 0, 0.1}), "x");
        c.add("cast", {{"to", std::string(to)}}, "cast");
        const Output o = cli({"run", write(c.graph(), kF64), "--json"});
        const double maxAbs = o.node("cast")[u"error"][u"max_abs"].toDouble();
        QVERIFY2(maxAbs == (expected == 0.0 ? 0.0 : double(float(expected)) - expected), to);
        QVERIFY2(o.node("cast").contains(u"stages"), to);
    }
    // An error that arrives is inherited: float16(2.999...) is 3, and 3 truncates to 3 where the reference has 2.
    support::Chain c;
    c.add("input", valuesParams({2.9999}), "x");
    c.add("cast", {{"to", std::string("int32")}}, "cast");
    const Output o = cli({"run", write(c.graph(), kF16), "--json"});
    QCOMPARE(o.node("cast")[u"stages"][u"inherited"][u"rmse"].toDouble(), 1.0);
    QCOMPARE(o.node("cast")[u"stages"][u"cast"][u"rmse"].toDouble(), 0.0);
}

void CliFaultsTest::namesCannotWriteToTheTerminal()
{
    support::Chain c;
    c.add("input", valuesParams({0.1}), "x");
    c.add("relu", {}, std::string("o\n\x1b[31mred\xc2\x9b", 12));
    const QString path = write(c.graph(), kF32);
    const Output o = cli({"run", path, "--max-error", "max_abs=0"});
    for (const QByteArray& text : {o.out, o.err}) {
        QVERIFY(!text.contains('\x1b') && !text.contains("\xc2\x9b"));
        QVERIFY(text.contains("o\\x0a\\x1b[31mred\\x9b"));
    }
}

void CliFaultsTest::aFailedDumpIsAnErrorInTheReport()
{
    support::Chain c;
    c.add("input", valuesParams({0.1}), "x");
    const Output o = cli({"run", write(c.graph(), kF32), "--dump", "/proc/nowhere", "--json"});
    QCOMPARE(o.code, 1);
    QCOMPARE(QJsonDocument::fromJson(o.out).object()[u"error"][u"code"].toString(), QString("dump-write"));
}

void CliFaultsTest::nothingMeasuredIsAbsent()
{
    // A dense whose only output overflows: no finite stage, no comparable bound.
    support::Chain c;
    c.add("input", {{"shape", IntList{1, 2}}, {"value", values({3e38, 3e38})}}, "x");
    c.add("dense", {{"units", std::int64_t{1}}, {"weight", values({2, 2})}, {"use_bias", false}}, "dense");
    const Output o = cli({"run", write(c.graph(), kF32), "--json"});
    const QJsonObject dense = o.node("dense");
    QCOMPARE(dense[u"error"][u"overflow"].toInt(), 1);
    QVERIFY(!dense.contains(u"stages") && !dense.contains(u"local") && !dense.contains(u"bound"));
    QCOMPARE(dense[u"stages_excluded"].toInt(), 1);
}

void CliFaultsTest::overflowAtStorageIsReported()
{
    support::Chain c;
    c.add("input", {{"shape", IntList{1, 2}}, {"value", values({1, 2})}}, "x");
    c.add("batch_normalization", {{"variance", values({1e5, 1})}}, "bn"); // 1e5 is above float16's 65504
    const QString path = write(c.graph(), kF16);
    const Output o = cli({"run", path, "--json"});
    bool isSeen = false;
    for (const auto& s : o.node("bn")[u"stored"].toArray())
        isSeen = isSeen || (s[u"port"].toString() == "variance" && s[u"new_inf"].toInt() == 1);
    QVERIFY(isSeen);
    QVERIFY(cli({"run", path}).out.contains("bn.variance: storing as float16 made 1 infinity"));
}

void CliFaultsTest::badParametersNameTheirPlace_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("param");
    QTest::addColumn<QString>("words"); // all in the message
    QTest::newRow("stride zero") << "conv2d"
                                 << "strides=[0,1]"
                                 << "strides|0";
    QTest::newRow("negative filters") << "conv2d"
                                      << "filters=-3"
                                      << "filters|-3";
    QTest::newRow("groups do not divide") << "conv2d"
                                          << "groups=5"
                                          << "groups|5";
    QTest::newRow("kernel too large") << "conv2d"
                                      << "kernel_size=[99,99]"
                                      << "99";
    QTest::newRow("unknown parameter") << "conv2d"
                                       << "colour=1"
                                       << "colour";
    QTest::newRow("overflowing units") << "dense"
                                       << "units=999999999"
                                       << "TB";
    QTest::newRow("axis out of range") << "softmax"
                                       << "axis=9"
                                       << "axis|9";
    QTest::newRow("reshape does not fit") << "reshape"
                                          << "shape=[5,5]"
                                          << "5";
}

void CliFaultsTest::badParametersNameTheirPlace()
{
    QFETCH(QString, op);
    QFETCH(QString, param);
    QFETCH(QString, words);
    support::Chain c;
    c.add("input", {{"shape", IntList{1, 8, 8, 3}}, {"value", support::uniformSource(0, 1, 1)}}, "x");
    const QStringList parts = param.split('=');
    c.add(op.toStdString(), {{parts[0].toStdString(), paramFrom(parts[1])}}, "culprit");
    const Output o = cli({"run", write(c.graph(), kF32), "--json"});
    QCOMPARE(o.code, 1);
    const QJsonObject error = QJsonDocument::fromJson(o.out).object()[u"error"].toObject();
    QVERIFY2(error[u"place"].toString().contains("culprit") || error[u"code"].toString() == "memory-limit", o.out);
    for (const QString& word : words.split('|'))
        QVERIFY2(QString::fromUtf8(o.err).contains(word), o.err);
    QVERIFY(o.node("x").contains(u"error") ||
            error[u"code"].toString() == "memory-limit"); // what comes before still ran
}

void CliFaultsTest::reusedMeansFromTheCache()
{
    support::Chain c;
    c.add("input", valuesParams({0.1}), "x");
    const Output o = cli({"run", write(c.graph(), kF32), "--json"});
    QVERIFY(!QJsonDocument::fromJson(o.out).object()[u"reference"][u"reused"].toBool());
}

QTEST_GUILESS_MAIN(CliFaultsTest)
#include "tst_cli_faults.moc"
