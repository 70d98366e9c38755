// New, open, save, save as and recent files, and what a crash leaves: the recovery file and its way back.
#include <QtTest/QtTest>

#include "document_log.h"

#include "ui/document/file_session.h"
#include "ui/document/recent_files.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace engine;
using namespace ui;
using namespace samples;

namespace {

// A window's worth of objects over one folder.
struct Desk {
    explicit Desk(const QTemporaryDir& dir, std::chrono::milliseconds delay = std::chrono::hours(1))
        : settings(dir.filePath("settings.ini"), QSettings::IniFormat), recent(settings),
          session(document, recent, dir.filePath("recovery"), delay)
    {
    }
    QSettings settings;
    RecentFiles recent;
    GraphDocument document;
    FileSession session;
};

QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::Files | QDir::Hidden);
}

Source fileSource(const std::string& name)
{
    Source s;
    s.kind = Source::Kind::File;
    s.name = name;
    return s;
}

void writeText(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
}

// A process that works on a document of this path, saves nothing, and is killed in the middle of `copies` copies.
void crash(const QTemporaryDir& dir, const QString& path, int copies)
{
    const pid_t child = ::fork();
    if (child == 0) {
        Desk desk(dir);
        desk.document.replace(chain(), path);
        for (int i = 0; i < copies; ++i) {
            (void)desk.document.apply(SetTitle{"title " + std::to_string(i), ""}, "Name it");
            desk.session.autosave();
            desk.session.waitForAutosave();
        }
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    QVERIFY(WIFSIGNALED(status));
}

} // namespace

class FileSessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saveAndOpen();
    void damagedFileLeavesTheDocument();
    void failedSaveLeavesTheDocument();
    void saveAsKeepsFilesOfSources();
    void recentFiles();
    void names();
    void copiesWhileThereAreChanges();
    void copyAfterADelay();
    void recoveryAfterACrash();
    void damagedRecovery();
    void killedWhileCopying();
    void failedCopyIsSaidOnce();
    void othersAreLeftAlone();
};

void FileSessionTest::saveAndOpen()
{
    QTemporaryDir dir;
    Desk desk(dir);
    desk.session.startNew(chain());
    QCOMPARE(desk.session.save().error().code, std::string("no-path"));
    const QString path = dir.filePath("a.mantissa");
    QVERIFY(desk.session.saveAs(path).ok());
    QVERIFY(!desk.document.isEdited() && desk.document.path() == path);
    QVERIFY(desk.document.apply(RemoveNode{b}, "Delete b").ok());
    QVERIFY(desk.document.isEdited());
    QVERIFY(desk.session.save().ok() && !desk.document.isEdited());
    const Document saved = desk.document.value();
    QVERIFY(desk.document.undoStack().canUndo()); // saving keeps the steps
    desk.session.startNew();
    QVERIFY(desk.document.graph().nodes().empty() && desk.document.path().isEmpty());
    QVERIFY(desk.session.open(path).ok());
    QVERIFY(equal(desk.document.value(), saved) && desk.document.path() == path && !desk.document.isEdited());
}

void FileSessionTest::damagedFileLeavesTheDocument()
{
    QTemporaryDir dir;
    Desk desk(dir);
    const QString path = dir.filePath("a.mantissa");
    desk.document.replace(chain(), path);
    QVERIFY(desk.session.save().ok());
    QVERIFY(desk.document.apply(RemoveNode{b}, "Delete b").ok());
    const Document before = desk.document.value();
    QFile whole(path);
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    writeText(dir.filePath("half.mantissa"), bytes.left(bytes.size() / 2));
    writeText(dir.filePath("text.mantissa"), "hello");
    Log log(desk.document);
    for (const char* name : {"half.mantissa", "text.mantissa", "none.mantissa"}) {
        const Status status = desk.session.open(dir.filePath(name));
        QVERIFY(!status.ok());
        QVERIFY(QString::fromStdString(status.error().text()).contains(name));
        QVERIFY(equal(desk.document.value(), before) && desk.document.path() == path && desk.document.isEdited());
        QVERIFY(desk.document.undoStack().canUndo() && desk.recent.paths().size() == 1);
    }
    QCOMPARE(log.take(), QString());
}

void FileSessionTest::failedSaveLeavesTheDocument()
{
    QTemporaryDir dir;
    Desk desk(dir);
    desk.document.replace(chain(), dir.filePath("a.mantissa"));
    QVERIFY(desk.document.apply(RemoveNode{b}, "Delete b").ok());
    const Status status = desk.session.saveAs(dir.filePath("no such folder/b.mantissa"));
    QCOMPARE(status.error().code, std::string("file-write"));
    QVERIFY(desk.document.isEdited() && desk.document.path() == dir.filePath("a.mantissa"));
    QVERIFY(desk.recent.paths().isEmpty());
}

void FileSessionTest::saveAsKeepsFilesOfSources()
{
    QTemporaryDir dir;
    QVERIFY(QDir(dir.path()).mkpath("one") && QDir(dir.path()).mkpath("two/deep"));
    Desk desk(dir);
    Document d;
    (void)d.graph.addNode(node(1, "x", "input", {{"value", fileSource("data/digits.npz")}}));
    (void)d.graph.addNode(node(2, "y", "input", {{"value", fileSource("/abs/olute.npy")}}));
    desk.document.replace(d, dir.filePath("one/a.mantissa"));
    QVERIFY(desk.session.saveAs(dir.filePath("one/b.mantissa")).ok());
    QVERIFY(equal(desk.document.value(), d)); // the same folder
    const QString path = dir.filePath("two/deep/c.mantissa");
    QVERIFY(desk.session.saveAs(path).ok());
    const auto nameOf = [&](const Document& document, NodeId id) {
        return std::get<Source>(document.graph.find(id)->params.at("value")).name;
    };
    QCOMPARE(nameOf(desk.document.value(), a), std::string("../../one/data/digits.npz"));
    QCOMPARE(nameOf(desk.document.value(), b), std::string("/abs/olute.npy"));
    QVERIFY(!desk.document.isEdited());
    QVERIFY(equal(*loadDocument(path.toStdString()), desk.document.value()));
    QCOMPARE(desk.document.undoStack().undoText(), QString("Name files from the folder deep"));
}

void FileSessionTest::recentFiles()
{
    QTemporaryDir dir;
    QSettings settings(dir.filePath("s.ini"), QSettings::IniFormat);
    RecentFiles recent(settings);
    QSignalSpy changed(&recent, &RecentFiles::pathsChanged);
    for (int i = 0; i < 12; ++i)
        recent.add(dir.filePath(QString("f%1.mantissa").arg(i)));
    QCOMPARE(recent.paths().size(), 10);
    QCOMPARE(recent.paths().first(), dir.filePath("f11.mantissa"));
    recent.add(dir.filePath("./f5.mantissa")); // the same file, spelled otherwise
    QVERIFY(recent.paths().size() == 10 && recent.paths().first() == dir.filePath("f5.mantissa"));
    QCOMPARE(changed.size(), 13);
    recent.add(dir.filePath("f5.mantissa"));
    QCOMPARE(changed.size(), 13);
    const QStringList before = recent.paths();
    QSettings again(dir.filePath("s.ini"), QSettings::IniFormat);
    QCOMPARE(RecentFiles(again).paths(), before); // written through
    recent.remove(dir.filePath("f5.mantissa"));
    QCOMPARE(recent.paths().size(), 9);
    recent.clear();
    QVERIFY(recent.paths().isEmpty());
}

void FileSessionTest::names()
{
    QTemporaryDir dir;
    Desk desk(dir);
    QCOMPARE(desk.session.displayName(), QString("Untitled"));
    Document titled;
    titled.title = "Lesson";
    desk.session.startNew(titled);
    QCOMPARE(desk.session.displayName(), QString("Lesson"));
    QVERIFY(desk.session.saveAs(dir.filePath("b.mantissa")).ok());
    QCOMPARE(desk.session.displayName(), QString("b.mantissa"));
}

void FileSessionTest::copiesWhileThereAreChanges()
{
    QTemporaryDir dir;
    {
        Desk desk(dir);
        desk.document.replace(chain(), {});
        desk.session.autosave();
        desk.session.waitForAutosave();
        QVERIFY(!QFile::exists(desk.session.recoveryFile())); // nothing is unsaved
        QVERIFY(desk.document.apply(RemoveNode{b}, "Delete b").ok());
        desk.session.autosave();
        desk.session.waitForAutosave();
        QVERIFY(equal(*loadDocument(desk.session.recoveryFile().toStdString()), desk.document.value()));
        desk.document.undoStack().undo(); // as it was saved
        desk.session.waitForAutosave();
        QVERIFY(!QFile::exists(desk.session.recoveryFile()));
        desk.document.undoStack().redo();
        desk.session.autosave();
        QVERIFY(desk.session.saveAs(dir.filePath("a.mantissa")).ok());
        desk.session.waitForAutosave();
        QVERIFY(!QFile::exists(desk.session.recoveryFile()));
        QVERIFY(desk.document.apply(RemoveNode{a}, "Delete a").ok());
        desk.session.autosave();
    }
    QCOMPARE(filesIn(dir.filePath("recovery")), QStringList()); // an orderly end
}

void FileSessionTest::copyAfterADelay()
{
    QTemporaryDir dir;
    Desk desk(dir, std::chrono::milliseconds(20));
    desk.document.replace(chain(), {});
    const Gesture drag = desk.document.newGesture();
    for (int i = 0; i < 10; ++i)
        QVERIFY(desk.document.apply(MoveNodes{{{a, {1.0 * i, 0}}}, {}}, "Move a", drag).ok());
    QVERIFY(!QFile::exists(desk.session.recoveryFile()));
    QTRY_VERIFY(QFile::exists(desk.session.recoveryFile()));
    desk.session.waitForAutosave();
    QVERIFY(equal(*loadDocument(desk.session.recoveryFile().toStdString()), desk.document.value()));
    QVERIFY(desk.document.apply(MoveNodes{{{a, {77, 0}}}, {}}, "Move a").ok()); // and again
    QTRY_COMPARE(loadDocument(desk.session.recoveryFile().toStdString())->layout.positions.at(a).x, 77.0);
}

void FileSessionTest::recoveryAfterACrash()
{
    QTemporaryDir dir;
    const QString path = dir.filePath("work.mantissa");
    crash(dir, path, 3);
    Desk desk(dir);
    const std::vector<FileSession::Recovery> left = desk.session.recoverable();
    QCOMPARE(left.size(), std::size_t{1});
    QCOMPARE(left[0].path, path);
    QVERIFY(left[0].saved.secsTo(QDateTime::currentDateTime()) < 60);
    QVERIFY(desk.session.recover(left[0]).ok());
    Document expected = chain();
    expected.title = "title 2";
    QVERIFY(equal(desk.document.value(), expected));
    QVERIFY(desk.document.path() == path && desk.document.isEdited()); // it is not what the file holds
    QVERIFY(!desk.document.undoStack().canUndo());
    desk.session.waitForAutosave();
    QVERIFY(!QFile::exists(left[0].file) && QFile::exists(desk.session.recoveryFile())); // it has become ours
    QVERIFY(desk.session.recoverable().empty());
    QVERIFY(desk.session.save().ok() && !desk.document.isEdited());
    QVERIFY(equal(*loadDocument(path.toStdString()), expected));
    crash(dir, {}, 1);
    const auto untitled = desk.session.recoverable();
    QVERIFY(untitled.size() == 1 && untitled[0].path.isEmpty());
    desk.session.discard(untitled[0]);
    QVERIFY(desk.session.recoverable().empty());
}

void FileSessionTest::damagedRecovery()
{
    QTemporaryDir dir;
    crash(dir, {}, 1);
    Desk desk(dir);
    desk.document.replace(chain(), {});
    const auto left = desk.session.recoverable();
    QCOMPARE(left.size(), std::size_t{1});
    writeText(left[0].file, "PK");
    QVERIFY(!desk.session.recover(left[0]).ok());
    QVERIFY(equal(desk.document.value(), chain()) && QFile::exists(left[0].file));
}

// Killed from outside while it copies without a pause: what is left is one whole copy, every time.
void FileSessionTest::killedWhileCopying()
{
    int recovered = 0;
    for (int i = 0; i < 20; ++i) {
        QTemporaryDir dir;
        const pid_t child = ::fork();
        if (child == 0) {
            Desk desk(dir);
            Document d = chain();
            d.tensors["t"] = arrayOf(DType::f32, Shape{100000}, 1);
            desk.document.replace(d, {});
            for (int k = 0;; ++k) {
                (void)desk.document.apply(SetTitle{"title " + std::to_string(k), ""}, "Name it");
                desk.session.autosave();
                desk.session.waitForAutosave();
            }
        }
        ::usleep(static_cast<useconds_t>(20000 + 3000 * i));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        {
            Desk desk(dir);
            for (const FileSession::Recovery& left : desk.session.recoverable()) {
                QVERIFY(desk.session.recover(left).ok());
                QVERIFY(desk.document.value().title.starts_with("title "));
                ++recovered;
            }
        }
        QCOMPARE(filesIn(dir.filePath("recovery")), QStringList()); // nor anything half written
    }
    QVERIFY2(recovered >= 10, qPrintable(QString::number(recovered)));
}

void FileSessionTest::failedCopyIsSaidOnce()
{
    QTemporaryDir dir;
    Desk desk(dir);
    QSignalSpy failed(&desk.session, &FileSession::autosaveFailed);
    QVERIFY(desk.document.apply(SetTitle{"t", ""}, "Name it t").ok());
    const auto copy = [&] {
        desk.session.autosave();
        desk.session.waitForAutosave();
        QCoreApplication::processEvents();
    };
    QVERIFY(QDir().mkpath(desk.session.recoveryFile())); // a folder in its place
    copy();
    copy();
    QCOMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].toString().contains("recovery"));
    QVERIFY(QDir().rmdir(desk.session.recoveryFile()));
    copy();
    QVERIFY(QFile::remove(desk.session.recoveryFile()) && QDir().mkpath(desk.session.recoveryFile()));
    copy();
    QCOMPARE(failed.size(), 2);
}

// Two windows: neither takes the other for dead.
void FileSessionTest::othersAreLeftAlone()
{
    QTemporaryDir dir;
    Desk one(dir), two(dir);
    QVERIFY(one.document.apply(SetTitle{"t", ""}, "Name it t").ok());
    one.session.autosave();
    one.session.waitForAutosave();
    QVERIFY(two.session.recoverable().empty() && one.session.recoverable().empty());
    QVERIFY(QFile::exists(one.session.recoveryFile()));
}

QTEST_GUILESS_MAIN(FileSessionTest)
#include "tst_file_session.moc"
