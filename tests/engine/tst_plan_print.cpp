// Printed plans against golden files: the second article's network and a LeNet, each under three dialects in the four
// combos. MANTISSA_UPDATE_GOLDEN=1 rewrites the files; what they hold is then for a person to read.
#include "tests/engine/plan_graphs.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace engine;
using namespace engine::testing;

namespace {

std::string readText(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string allCombos(const Graph& graph, std::string_view dialect)
{
    std::string text;
    for (const Combo& combo : kFourCombos)
        text += (text.empty() ? "" : "\n") + lowered(graph, dialect, combo).print(graph);
    return text;
}

// The first line that differs, for the message.
std::string firstDifference(const std::string& got, const std::string& want)
{
    std::istringstream a(got), b(want);
    std::string x, y;
    for (int line = 1;; ++line) {
        const bool more = bool(std::getline(a, x)), also = bool(std::getline(b, y));
        if (!more && !also)
            return {};
        if (x != y || more != also)
            return "line " + std::to_string(line) + ":\n  got      " + x + "\n  expected " + y;
    }
}

} // namespace

class TstPlanPrint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void golden_data();
    void golden();
    void everyStepOnce();
    void saysFmaAndOrder();
    void isStable();
};

void TstPlanPrint::golden_data()
{
    QTest::addColumn<QString>("network");
    QTest::addColumn<QString>("dialect");
    for (const char* network : {"second_article", "lenet"})
        for (const DialectSpec* d : dialectCatalog().all()) {
            const QString dialect = QString::fromUtf8(d->name.data(), qsizetype(d->name.size()));
            QTest::addRow("%s %s", network, qPrintable(dialect)) << network << dialect;
        }
}

void TstPlanPrint::golden()
{
    QFETCH(QString, network);
    QFETCH(QString, dialect);
    const GraphBuilder b = network == "lenet" ? leNet() : secondArticle();
    const std::string got = allCombos(b.graph, dialect.toStdString());
    const std::string path =
        MANTISSA_SOURCE_DIR "/tests/golden/plans/" + network.toStdString() + "_" + dialect.toStdString() + ".txt";
    if (qEnvironmentVariableIntValue("MANTISSA_UPDATE_GOLDEN") == 1)
        std::ofstream(path, std::ios::binary) << got;
    const std::string difference = firstDifference(got, readText(path));
    QVERIFY2(difference.empty(), (path + ", " + difference).c_str());
}

void TstPlanPrint::everyStepOnce()
{
    const GraphBuilder b = leNet();
    const Plan plan = lowered(b.graph, "keras_tf26", {DType::f64, DType::f32});
    const std::string text = plan.print(b.graph);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const std::string start = "\n%" + std::to_string(i) + " ";
        const std::size_t at = text.find(start);
        QVERIFY2(at != std::string::npos && text.find(start, at + 1) == std::string::npos, start.c_str());
    }
    // The comments of all steps begin in one column.
    std::istringstream lines(text);
    std::string line;
    std::size_t column = std::string::npos;
    while (std::getline(lines, line)) {
        const std::size_t at = line.front() == '%' ? line.find("  # node") : column;
        column = column == std::string::npos ? at : column;
        QCOMPARE(at, column);
    }
}

void TstPlanPrint::saysFmaAndOrder()
{
    const GraphBuilder b = secondArticle();
    LowerOptions baseline;
    baseline.isa = Isa::Baseline;
    const std::string with = lowered(b.graph, "explicit", {}).print(b.graph);
    const std::string without = lowered(b.graph, "explicit", {}, baseline).print(b.graph);
    QVERIFY(with.find("(float32,float32), sum over kh, c/16, kw, c%16, fma") != std::string::npos);
    QVERIFY(without.find("sum over kh, c/16, kw, c%16, no fma") != std::string::npos);
    QVERIFY(with.find("conv1.weight") != std::string::npos);
}

void TstPlanPrint::isStable()
{
    const GraphBuilder b = leNet();
    QCOMPARE(lowered(b.graph, "promote", {DType::f32, DType::f64}).print(b.graph),
             lowered(b.graph, "promote", {DType::f32, DType::f64}).print(b.graph));
}

QTEST_GUILESS_MAIN(TstPlanPrint)
#include "tst_plan_print.moc"
