// The newest results, and what they are of. Views pull; the store announces at most about thirty times a second: the
// first news at once, what follows within 33 ms of it together. GUI thread only (results cross by a queued call).
#pragma once

#include "engine/model/plan_view.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace ui {

class SnapshotStore : public QObject {
    Q_OBJECT

public:
    // Time between two announcements of one kind.
    static constexpr int kAnnounceMs = 33;

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

    // The newest results that had everything, runs and stages: what to show dimmed where snapshot(), as long as it is
    // partial, has nothing yet. Null before the first; the same as snapshot() once that is whole.
    const std::shared_ptr<const engine::RunSnapshot>& lastWhole() const { return m_lastWhole; }
    // The newest run there is of a combo (under the canvas's dialect, where several were run), and whether it is of the
    // document's current revision.
    struct ShownRun {
        const engine::RunResult* run = nullptr;
        bool isStale = true;
    };
    ShownRun shownRun(const engine::Combo& combo) const;

    void clear(); // another document: what is here is none of its results
    void setWanted(std::uint64_t revision);
    std::uint64_t wanted() const { return m_wanted; }
    void setRunning(bool isRunning);
    void setProgress(double fraction, const QString& doing);
    // Ignored if it is of an older revision than what is here.
    void put(std::shared_ptr<const engine::RunSnapshot> snapshot);
    void setError(const QString& error); // the last request could not start; empty: it could
    const QString& error() const { return m_error; }

Q_SIGNALS:
    void changed();        // results, staleness, or error
    void runningChanged(); // running or progress

private:
    // One kind of announcement: at once if the last is long enough ago, else when it is.
    struct Announcer {
        QTimer timer;
        bool isDue = false;
    };
    void announce(Announcer& which, void (SnapshotStore::*signal)());
    void connectTimer(Announcer& which, void (SnapshotStore::*signal)());

    std::shared_ptr<const engine::RunSnapshot> m_snapshot, m_lastWhole;
    std::uint64_t m_wanted = 0;
    bool m_isRunning = false;
    double m_progress = 0;
    QString m_doing, m_error;
    Announcer m_results, m_running;
};

} // namespace ui
