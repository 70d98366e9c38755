// New, open, save and save as, without dialogs; and the recovery file: while there are unsaved changes a copy is
// written behind the window's back, and what a crash left is offered at the next start. GUI thread only; the copies are
// written by one worker thread, in order.
#pragma once

// Qt first, as moc cannot read <concepts> before another standard header.
#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include "engine/document/document.h"

#include <chrono>
#include <vector>

namespace ui {

class GraphDocument;
class RecentFiles;

class FileSession : public QObject {
    Q_OBJECT

public:
    // What a session that ended without saying so has left.
    struct Recovery {
        QString file;    // the copy
        QString path;    // of the document; empty: never saved
        QDateTime saved; // when the copy was made
    };

    FileSession(GraphDocument& document, RecentFiles& recent, const QString& recoveryFolder,
                std::chrono::milliseconds autosaveDelay = std::chrono::seconds(5), QObject* parent = nullptr);
    ~FileSession() override; // an orderly end: the copy goes

    // The open document is replaced only if all went well; whether it may be is asked before, by the window.
    void startNew(engine::Document document = {});
    engine::Status open(const QString& path);
    // A lesson: without a path, so that saving asks where and never changes the lesson; not in the recent files.
    engine::Status openCopy(const QString& path);
    engine::Status save(); // "no-path" where it was never saved
    // Into another folder: files that sources name relative to the old one are named from the new one, as an undo step.
    engine::Status saveAs(const QString& path);
    QString displayName() const; // "lenet.mantissa"; the title or "Untitled" where it was never saved

    std::vector<Recovery> recoverable() const; // newest first
    engine::Status recover(const Recovery& recovery);
    void discard(const Recovery& recovery);

    void autosave(); // now, if there are unsaved changes
    void waitForAutosave() { m_pool.waitForDone(); }
    QString recoveryFile() const { return m_base + QStringLiteral(".mantissa"); }

Q_SIGNALS:
    void autosaveFailed(const QString& message); // once until one succeeds again

private:
    void onStepChanged();
    void writeCopy(const QString& thenRemove);
    void onCopyWritten(const QString& error);

    GraphDocument& m_document;
    RecentFiles& m_recent;
    QString m_folder, m_base; // of this session's files: .mantissa, .path, .lock
    QLockFile m_lock;         // says that this session lives
    QTimer m_timer;
    QThreadPool m_pool;
    bool m_hasCopy = false, m_hasFailed = false;
};

} // namespace ui
