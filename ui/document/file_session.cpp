// Files of a session in the recovery folder, all named after one fresh id: the copy (.mantissa), the document's own
// path
// (.path), and a lock that its process holds (.lock). A copy whose lock nobody holds was left by a crash.
#include "ui/document/file_session.h"

#include "ui/document/file_sources.h"
#include "ui/document/graph_document.h"
#include "ui/document/recent_files.h"

#include "engine/document/array_files.h"
#include "engine/document/document_file.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>
#include <QUuid>

#include <algorithm>

namespace ui {

using namespace engine;

namespace {

std::string nativePath(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

QString baseOf(const QString& copy)
{
    return copy.chopped(QStringLiteral(".mantissa").size());
}

QString readPath(const QString& base)
{
    QFile file(base + QStringLiteral(".path"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// First the path, then the copy: a copy without its path would be a document that was never saved.
Status writeBoth(const Document& document, const QString& path, const QString& base)
{
    const QByteArray text = path.toUtf8();
    const auto bytes = std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size())));
    if (Status status = writeFileAtomically(nativePath(base + QStringLiteral(".path")), bytes); !status)
        return status;
    return saveDocument(document, nativePath(base + QStringLiteral(".mantissa")));
}

void removeCopy(const QString& base)
{
    QFile::remove(base + QStringLiteral(".mantissa"));
    QFile::remove(base + QStringLiteral(".path"));
}

// Of a session that is gone, with what was half written when it went.
void removeFiles(const QString& base)
{
    const QFileInfo info(base);
    for (const QFileInfo& file :
         info.dir().entryInfoList({info.fileName() + u'*', u'.' + info.fileName() + u'*'}, QDir::Files | QDir::Hidden))
        QFile::remove(file.filePath());
}

// Nobody holds it: the session is gone.
bool isLeft(const QString& base)
{
    QLockFile lock(base + QStringLiteral(".lock"));
    lock.setStaleLockTime(0);
    return lock.tryLock(0);
}

// Sessions that were killed before they had a whole copy.
void sweep(const QDir& folder)
{
    constexpr int kIdLength = 36;
    QSet<QString> ids;
    for (const QString& name : folder.entryList(QDir::Files | QDir::Hidden))
        ids.insert(name.mid(name.startsWith(u'.') ? 1 : 0, kIdLength));
    for (const QString& id : ids) {
        const QString base = folder.filePath(id);
        if (QUuid::fromString(id).isNull())
            continue; // none of ours
        if (!QFile::exists(base + QStringLiteral(".mantissa")) && isLeft(base))
            removeFiles(base);
    }
}

} // namespace

FileSession::FileSession(GraphDocument& document, RecentFiles& recent, const QString& recoveryFolder,
                         std::chrono::milliseconds autosaveDelay, QObject* parent)
    : QObject(parent), m_document(document), m_recent(recent), m_folder(recoveryFolder),
      m_base(QDir(recoveryFolder).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces))),
      m_lock(m_base + QStringLiteral(".lock"))
{
    QDir().mkpath(m_folder);
    sweep(QDir(m_folder));
    m_lock.setStaleLockTime(0); // as long as the process lives
    m_lock.tryLock(0);
    m_pool.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(autosaveDelay);
    connect(&m_timer, &QTimer::timeout, this, &FileSession::autosave);
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &FileSession::onStepChanged);
    connect(&document, &GraphDocument::editedChanged, this, &FileSession::onStepChanged);
}

FileSession::~FileSession()
{
    disconnect(&m_document.undoStack(), nullptr, this, nullptr);
    m_pool.waitForDone();
    removeCopy(m_base);
    m_lock.unlock();
}

void FileSession::startNew(Document document)
{
    m_document.replace(std::move(document), {});
}

Status FileSession::open(const QString& path)
{
    Result<Document> loaded = loadDocument(nativePath(path));
    if (!loaded)
        return loaded.error();
    m_document.replace(std::move(*loaded), QFileInfo(path).absoluteFilePath());
    m_recent.add(path);
    return success();
}

Status FileSession::openCopy(const QString& path)
{
    Result<Document> loaded = loadDocument(nativePath(path));
    if (!loaded)
        return loaded.error();
    startNew(std::move(*loaded));
    return success();
}

Status FileSession::save()
{
    if (m_document.path().isEmpty())
        return Error{"no-path", "the document", "it was never saved", "choose a file"};
    return saveAs(m_document.path());
}

Status FileSession::saveAs(const QString& path)
{
    const QString target = QFileInfo(path).absoluteFilePath();
    const std::optional<NamedEdit> rebased = rebasedSources(m_document.value(), m_document.path(), target);
    Document saved = m_document.value();
    if (rebased)
        if (const Result<Edit> inverse = applyEdit(saved, rebased->edit); !inverse)
            return inverse.error();
    if (const Status status = saveDocument(saved, nativePath(target)); !status)
        return status;
    if (rebased)
        (void)m_document.apply(rebased->edit, rebased->name);
    m_document.markSaved(target);
    m_recent.add(target);
    return success();
}

QString FileSession::displayName() const
{
    if (!m_document.path().isEmpty())
        return QFileInfo(m_document.path()).fileName();
    const std::string& title = m_document.value().title;
    return title.empty() ? tr("Untitled") : QString::fromStdString(title);
}

std::vector<FileSession::Recovery> FileSession::recoverable() const
{
    std::vector<Recovery> found;
    const QDir folder(m_folder);
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.mantissa")}, QDir::Files, QDir::Time)) {
        const QString base = baseOf(info.filePath());
        if (base != m_base && isLeft(base))
            found.push_back({info.filePath(), readPath(base), info.lastModified()});
    }
    return found;
}

Status FileSession::recover(const Recovery& recovery)
{
    Result<Document> loaded = loadDocument(nativePath(recovery.file));
    if (!loaded)
        return loaded.error();
    m_document.replace(std::move(*loaded), recovery.path);
    m_document.undoStack().resetClean();
    writeCopy(baseOf(recovery.file)); // the old copy stays until there is a new one
    return success();
}

void FileSession::discard(const Recovery& recovery)
{
    removeFiles(baseOf(recovery.file));
}

void FileSession::autosave()
{
    if (m_document.isEdited())
        writeCopy({});
}

// At most one copy per interval, and none longer than there are unsaved changes.
void FileSession::onStepChanged()
{
    if (m_document.isEdited()) {
        if (!m_timer.isActive())
            m_timer.start();
        return;
    }
    m_timer.stop();
    if (std::exchange(m_hasCopy, false))
        m_pool.start([base = m_base] { removeCopy(base); });
}

void FileSession::writeCopy(const QString& thenRemove)
{
    m_timer.stop();
    m_hasCopy = true;
    m_pool.start([this, document = m_document.value(), path = m_document.path(), thenRemove] {
        const Status status = writeBoth(document, path, m_base);
        if (status.ok() && !thenRemove.isEmpty())
            removeFiles(thenRemove);
        const QString error = status ? QString() : QString::fromStdString(status.error().text());
        QMetaObject::invokeMethod(
            this, [this, error] { onCopyWritten(error); }, Qt::QueuedConnection);
    });
}

void FileSession::onCopyWritten(const QString& error)
{
    if (!error.isEmpty() && !m_hasFailed)
        Q_EMIT autosaveFailed(error);
    m_hasFailed = !error.isEmpty();
}

} // namespace ui
