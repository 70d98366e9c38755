// The list is written through on each change, so that a crash loses nothing.
#include "ui/document/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace ui {

namespace {

const QString kKey = QStringLiteral("recentFiles");

// One spelling per file: links resolved where it exists.
QString spelled(const QString& path)
{
    const QFileInfo info(path);
    const QString canonical = info.canonicalFilePath();
    return canonical.isEmpty() ? info.absoluteFilePath() : canonical;
}

} // namespace

RecentFiles::RecentFiles(QSettings& settings, QObject* parent)
    : QObject(parent), m_settings(settings), m_paths(settings.value(kKey).toStringList().mid(0, kMost))
{
}

void RecentFiles::add(const QString& path)
{
    QStringList paths = m_paths;
    const QString name = spelled(path);
    paths.removeAll(name);
    paths.prepend(name);
    store(paths.mid(0, kMost));
}

void RecentFiles::remove(const QString& path)
{
    QStringList paths = m_paths;
    paths.removeAll(path);
    paths.removeAll(spelled(path));
    store(paths);
}

void RecentFiles::clear()
{
    store({});
}

void RecentFiles::store(QStringList paths)
{
    if (paths == m_paths)
        return;
    m_paths = std::move(paths);
    m_settings.setValue(kKey, m_paths);
    m_settings.sync();
    Q_EMIT pathsChanged();
}

} // namespace ui
