// Reads every #include of the product against the table of allowed arrows, and every file against its
// limit of lines. A wrong arrow fails with the offending line.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

class Layering : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void arrows();
    void frameworksStayInTheirRooms();
    void filesAreSmall();
    void aWrongArrowIsSeen();
};

namespace {

// Layer -> layers it may include besides itself. The same table as the link lines of engine/CMakeLists.txt.
const QMap<QString, QSet<QString>> kArrows{
    {"engine/model", {}},
    {"engine/kernels", {"engine/model"}},
    {"engine/ops", {"engine/model", "engine/kernels"}},
    {"engine/dialects", {"engine/model"}},
    {"engine/plan", {"engine/model", "engine/ops", "engine/dialects"}},
    {"engine/reference", {"engine/model", "engine/ops"}},
    {"engine/analysis", {"engine/model"}},
    {"engine/document", {"engine/model"}},
    {"engine/cuda", {"engine/model"}},
    {"engine/run",
     {"engine/model", "engine/kernels", "engine/ops", "engine/dialects", "engine/plan", "engine/reference",
      "engine/analysis", "engine/cuda"}},
    {"engine/report", {"engine/model", "engine/document", "engine/dialects"}},
    {"ui/document", {"engine/model", "engine/document"}},
    {"ui/live", {"engine/model", "engine/document"}},
    {"ui/style", {"engine/model"}},
    {"ui/scene", {"engine/model", "engine/document", "ui/document", "ui/live", "ui/style"}},
    {"ui/panels", {"engine/model", "engine/document", "ui/document", "ui/live", "ui/style"}},
    {"ui/plots", {"engine/model", "engine/document", "ui/document", "ui/live", "ui/style"}},
    {"ui/window",
     {"engine/model", "engine/document", "ui/document", "ui/live", "ui/style", "ui/scene", "ui/panels", "ui/plots"}},
    {"app",
     {"engine/model", "engine/document", "engine/ops", "engine/dialects", "engine/run", "ui/document", "ui/live",
      "ui/style", "ui/window"}},
    {"app/cli", {"engine/model", "engine/ops", "engine/dialects", "engine/document", "engine/run", "engine/report"}},
};

struct Include {
    QString file;
    int line;
    QString target; // as written
    bool isQuoted;
};

QStringList sourcesUnder(const QString& folder)
{
    QStringList files;
    QDirIterator it(QString(MANTISSA_SOURCE_DIR) + "/" + folder, {"*.h", "*.cpp", "*.cu", "*.inc"}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext())
        files << QDir(MANTISSA_SOURCE_DIR).relativeFilePath(it.next());
    files.sort();
    return files;
}

QList<Include> includesOf(const QString& file, const QString& text)
{
    static const QRegularExpression pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    QList<Include> found;
    int line = 0;
    for (const QString& l : text.split('\n')) {
        ++line;
        if (const auto m = pattern.match(l); m.hasMatch())
            found << Include{file, line, m.captured(2), m.captured(1) == "\""};
    }
    return found;
}

QString layerOf(const QString& path)
{
    QString layer; // the longest that fits: app/cli is not app
    for (auto it = kArrows.keyBegin(); it != kArrows.keyEnd(); ++it)
        if (path.startsWith(*it + "/") && it->size() > layer.size())
            layer = *it;
    return layer;
}

QString wrongArrow(const Include& i)
{
    const QString from = layerOf(i.file), to = layerOf(i.target);
    if (from.isEmpty())
        return QString("%1: no layer of the table").arg(i.file);
    if (i.isQuoted && to.isEmpty())
        return QString("%1:%2: \"%3\" names no layer; write the path from the root")
            .arg(i.file)
            .arg(i.line)
            .arg(i.target);
    if (to.isEmpty() || to == from || kArrows[from].contains(to))
        return {};
    return QString("%1:%2: %3 may not include %4 (\"%5\")").arg(i.file).arg(i.line).arg(from, to, i.target);
}

QString readAll(const QString& file)
{
    QFile f(QString(MANTISSA_SOURCE_DIR) + "/" + file);
    return f.open(QIODevice::ReadOnly) ? QString::fromUtf8(f.readAll()) : QString();
}

} // namespace

void Layering::arrows()
{
    QStringList wrong;
    int read = 0;
    for (const QString& folder : {QString("engine"), QString("app"), QString("ui")})
        for (const QString& file : sourcesUnder(folder))
            for (const Include& i : includesOf(file, readAll(file))) {
                ++read;
                if (const QString w = wrongArrow(i); !w.isEmpty())
                    wrong << w;
            }
    QVERIFY2(read > 200, "the includes were not found");
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

void Layering::frameworksStayInTheirRooms()
{
    // Engine and command line: no Qt. CUDA only in engine/cuda; the kernels of one instruction set: no Eigen, no STL
    // containers.
    static const QRegularExpression qt(R"(^(Q[A-Z]\w*|Qt\w+/.*)$)");
    static const QRegularExpression cuda(R"(^(cuda|cudnn|cublas|device_launch).*)");
    static const QRegularExpression containers(R"(^(Eigen/.*|vector|string|map|memory|functional|algorithm)$)");
    QStringList wrong;
    for (const QString& folder : {QString("engine"), QString("app/cli")})
        for (const QString& file : sourcesUnder(folder))
            for (const Include& i : includesOf(file, readAll(file))) {
                const bool isCuda = file.startsWith("engine/cuda/");
                const bool isIsa = file.endsWith("_v3.cpp") || file.endsWith("_v4.cpp");
                if (qt.match(i.target).hasMatch() || (!isCuda && cuda.match(i.target).hasMatch()) ||
                    (isIsa && containers.match(i.target).hasMatch()))
                    wrong << QString("%1:%2: %3").arg(file).arg(i.line).arg(i.target);
            }
    // Qt Charts behind one adapter.
    for (const QString& file : sourcesUnder("ui"))
        for (const Include& i : includesOf(file, readAll(file)))
            if (i.target.contains("Chart") && !i.isQuoted && !file.startsWith("ui/plots/chart_adapter."))
                wrong << QString("%1:%2: %3").arg(file).arg(i.line).arg(i.target);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

void Layering::filesAreSmall()
{
    QStringList wrong;
    for (const QString& folder : {QString("engine"), QString("app"), QString("ui"), QString("tests")})
        for (const QString& file : sourcesUnder(folder))
            if (const auto lines = readAll(file).count('\n'); lines > 400)
                wrong << QString("%1: %2 lines, the limit is 400").arg(file).arg(lines);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

void Layering::aWrongArrowIsSeen()
{
    const auto first = [](const QString& file, const QString& text) {
        return wrongArrow(includesOf(file, text).first());
    };
    QCOMPARE(first("engine/model/a.h", "#include \"engine/run/executor.h\""),
             QString("engine/model/a.h:1: engine/model may not include engine/run (\"engine/run/executor.h\")"));
    QVERIFY(first("engine/document/a.h", "\n  #  include \"engine/ops/ops.h\"").contains(":2:"));
    QVERIFY(!first("engine/ops/a.cpp", "#include \"window.h\"").isEmpty());
    QVERIFY(first("engine/run/a.cpp", "#include \"engine/plan/plan.h\"").isEmpty());
    QVERIFY(first("engine/run/a.cpp", "#include <vector>").isEmpty());
}

QTEST_GUILESS_MAIN(Layering)
#include "tst_layering.moc"
