// The files opened and saved last, newest first, kept in the settings. A file that is gone stays listed until it is
// removed: its drive may come back.
#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace ui {

class RecentFiles : public QObject {
    Q_OBJECT

public:
    static constexpr int kMost = 10;
    explicit RecentFiles(QSettings& settings, QObject* parent = nullptr);
    const QStringList& paths() const { return m_paths; } // absolute
    void add(const QString& path);
    void remove(const QString& path);
    void clear();

Q_SIGNALS:
    void pathsChanged();

private:
    void store(QStringList paths);

    QSettings& m_settings;
    QStringList m_paths;
};

} // namespace ui
