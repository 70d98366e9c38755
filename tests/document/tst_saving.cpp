// Saves: the old file or the new one, whatever happens in between.
#include "full_document.h"

#include <QtTest/QtTest>

#include <cmath>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace engine;
using namespace samples;

namespace {

// Saves A and B in turn until it is killed, with a byte into the pipe after each.
[[noreturn]] void saveForEver(const Document& a, const Document& b, const std::string& path, int pipe)
{
    for (bool isA = true;; isA = !isA)
        if (!saveDocument(isA ? a : b, path).ok() || ::write(pipe, "x", 1) != 1)
            ::_exit(1);
}

} // namespace

class SavingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void savingReplaces();
    void failedSaveLeavesOldFile();
    void unwritableDocuments();
    void killedWhileSaving();
};

void SavingTest::savingReplaces()
{
    QTemporaryDir dir;
    const std::string path = (dir.path() + "/d.mantissa").toStdString(), link = (dir.path() + "/link").toStdString();
    QVERIFY(saveDocument(Document{}, path).ok());
    QVERIFY(::chmod(path.c_str(), 0640) == 0 && ::symlink("d.mantissa", link.c_str()) == 0);
    QVERIFY(saveDocument(fullDocument(), link).ok());
    const auto d = loadDocument(path);
    QVERIFY(d.ok() && d->title == fullDocument().title);
    struct stat info = {};
    QVERIFY(::lstat(link.c_str(), &info) == 0 && S_ISLNK(info.st_mode));
    QVERIFY(::stat(path.c_str(), &info) == 0 && (info.st_mode & 0777) == 0640);
    QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 2);
}

void SavingTest::failedSaveLeavesOldFile()
{
    QTemporaryDir dir;
    const std::string path = (dir.path() + "/d.mantissa").toStdString();
    QVERIFY(saveDocument(Document{}, path).ok());
    const std::string before = fileText(path);
    // A disk that is full after 64 KB, as far as this process can tell.
    Document large;
    large.tensors["t"] = arrayOf(DType::f64, Shape{100000}, 1);
    struct rlimit old = {};
    QVERIFY(::getrlimit(RLIMIT_FSIZE, &old) == 0);
    struct rlimit small = old;
    small.rlim_cur = 65536;
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    QVERIFY(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    const Status full = saveDocument(large, path);
    QVERIFY(::setrlimit(RLIMIT_FSIZE, &old) == 0);
    std::signal(SIGXFSZ, handler);
    QVERIFY(!full.ok());
    QCOMPARE(full.error().code, std::string("file-write"));
    QCOMPARE(full.error().place, path);
    QVERIFY(full.error().message.find("the old file is untouched: File too large") != std::string::npos);
    QVERIFY(fileText(path) == before);
    // Nowhere to go, and something that is no file.
    const Status absent = saveDocument(large, (dir.path() + "/no/such/d.mantissa").toStdString());
    QVERIFY(!absent.ok() && absent.error().message.find("No such file or directory") != std::string::npos);
    QVERIFY(!saveDocument(large, dir.path().toStdString()).ok());
    QVERIFY(!saveDocument(large, "/dev/null").ok());
    if (::geteuid() != 0) {
        QVERIFY(::chmod(dir.path().toStdString().c_str(), 0555) == 0);
        QVERIFY(!saveDocument(large, path).ok());
        QVERIFY(::chmod(dir.path().toStdString().c_str(), 0755) == 0);
        QVERIFY(fileText(path) == before);
    }
    QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1);
}

void SavingTest::unwritableDocuments()
{
    Document d = fullDocument();
    d.title = "\xff\xfe";
    QCOMPARE(documentBytes(d).error().code, std::string("file-field"));
    d = fullDocument();
    d.layout.positions[NodeId{1}].x = std::nan("");
    QVERIFY(documentBytes(d).error().text().find(
                "node 1 \"conv1\": this cannot be written: a position or size is not finite") != std::string::npos);
    d = fullDocument();
    d.tensors["../evil"] = d.tensors["a"];
    QCOMPARE(documentBytes(d).error().code, std::string("file-tensor"));
    d = fullDocument();
    d.tensors["nothing"] = {};
    QCOMPARE(documentBytes(d).error().code, std::string("file-tensor"));
    d = fullDocument();
    d.extra = "not json";
    QVERIFY(!documentBytes(d).ok());
}

void SavingTest::killedWhileSaving()
{
    QTemporaryDir dir;
    const std::string path = (dir.path() + "/d.mantissa").toStdString();
    Document a = fullDocument(), b = fullDocument();
    a.tensors["t"] = arrayOf(DType::f32, Shape{50000}, 1);
    b.tensors["t"] = arrayOf(DType::f32, Shape{70000}, 2);
    const std::string bytesA = textOf(*documentBytes(a)), bytesB = textOf(*documentBytes(b));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(saveDocument(b, path).ok() && saveDocument(a, path).ok());
    const qint64 oneSave = timer.nsecsElapsed() / 2000;
    int seenA = 0, seenB = 0;
    for (int i = 0; i < 100; ++i) {
        int pipe[2] = {};
        QVERIFY(::pipe(pipe) == 0);
        const pid_t child = ::fork();
        QVERIFY(child >= 0);
        if (child == 0)
            saveForEver(a, b, path, pipe[1]);
        ::close(pipe[1]);
        // Anywhere in the first, second or third save.
        char done = 0;
        for (int saves = 0; saves < i % 3; ++saves)
            QVERIFY(::read(pipe[0], &done, 1) == 1);
        ::usleep(static_cast<useconds_t>(oneSave * (i * 37 % 100) / 80));
        ::kill(child, SIGKILL);
        ::close(pipe[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY2(WIFSIGNALED(status), "the child failed to save before it was killed");
        const std::string now = fileText(path);
        QVERIFY2(now == bytesA || now == bytesB, qPrintable(QString("after kill %1").arg(i)));
        ++(now == bytesA ? seenA : seenB);
    }
    qInfo("100 kills: %d times one file, %d times the other, never a broken one", seenA, seenB);
    QVERIFY(seenA > 0 && seenB > 0);
    QVERIFY(saveDocument(a, path).ok());
}

QTEST_GUILESS_MAIN(SavingTest)
#include "tst_saving.moc"
