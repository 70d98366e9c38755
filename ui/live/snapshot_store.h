// The newest results, and what they are of. Views pull; the store announces at most about thirty times a second.
// GUI thread only (results cross by a queued call).
#pragma once

#include "engine/model/plan_view.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace ui {

class SnapshotStore : public QObject {
    Q_OBJECT

public:
    explicit SnapshotStore(QObject* parent = nullptr);
    // Results of this revision of the document; null before the first run. `canvasRun` is the document's own
    // dialect and combo, others follow in the order of the request.
    const std::shared_ptr<const engine::RunSnapshot>& snapshot() const { return m_snapshot; }
    const engine::RunResult* canvasRun() const;
    const engine::RunResult* runOf(const engine::Combo& combo) const;
    const engine::NodeResult* resultOf(engine::NodeId id) const; // in the canvas run
    // The snapshot is not of the document's current revision: show it dimmed.
    bool isStale() const { return !m_snapshot || m_snapshot->revision != m_wanted; }
    bool isRunning() const { return m_isRunning; }
    double progress() const { return m_progress; }
    const QString& doing() const { return m_doing; }

    void setWanted(std::uint64_t revision);
    void setRunning(bool isRunning);
    void setProgress(double fraction, const QString& doing);
    void put(std::shared_ptr<const engine::RunSnapshot> snapshot);
    void setError(const QString& error); // the last request could not start; empty: it could
    const QString& error() const { return m_error; }

Q_SIGNALS:
    void changed();        // results, staleness, or error
    void runningChanged(); // running or progress

private:
    std::shared_ptr<const engine::RunSnapshot> m_snapshot;
    std::uint64_t m_wanted = 0;
    bool m_isRunning = false;
    double m_progress = 0;
    QString m_doing, m_error;
    QTimer m_announce;
};

} // namespace ui
