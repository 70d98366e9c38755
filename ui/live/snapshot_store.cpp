#include "ui/live/snapshot_store.h"

#include <algorithm>

namespace ui {

namespace {

// A request may hold other dialects too: then the canvas's own, that of the first run, is meant.
const engine::RunResult* runIn(const engine::RunSnapshot* snapshot, const engine::Combo& combo)
{
    if (!snapshot || snapshot->runs.empty())
        return nullptr;
    const auto it = std::find_if(snapshot->runs.begin(), snapshot->runs.end(), [&](const engine::RunResult& r) {
        return r.combo == combo && r.dialect == snapshot->runs.front().dialect;
    });
    return it == snapshot->runs.end() ? nullptr : &*it;
}

} // namespace

SnapshotStore::SnapshotStore(QObject* parent) : QObject(parent)
{
    connectTimer(m_results, &SnapshotStore::changed);
    connectTimer(m_running, &SnapshotStore::runningChanged);
}

void SnapshotStore::connectTimer(Announcer& which, void (SnapshotStore::*signal)())
{
    which.timer.setSingleShot(true);
    which.timer.setTimerType(Qt::PreciseTimer);
    which.timer.setInterval(kAnnounceMs);
    connect(&which.timer, &QTimer::timeout, this, [this, &which, signal] {
        if (which.isDue)
            announce(which, signal);
    });
}

void SnapshotStore::announce(Announcer& which, void (SnapshotStore::*signal)())
{
    which.isDue = which.timer.isActive();
    if (which.isDue)
        return;
    which.timer.start();
    Q_EMIT(this->*signal)();
}

const engine::RunResult* SnapshotStore::canvasRun() const
{
    return m_snapshot && !m_snapshot->runs.empty() ? &m_snapshot->runs.front() : nullptr;
}

const engine::RunResult* SnapshotStore::runOf(const engine::Combo& combo) const
{
    return runIn(m_snapshot.get(), combo);
}

const engine::NodeResult* SnapshotStore::resultOf(engine::NodeId id) const
{
    const engine::RunResult* run = canvasRun();
    if (!run)
        return nullptr;
    const auto it =
        std::find_if(run->nodes.begin(), run->nodes.end(), [&](const engine::NodeResult& n) { return n.id == id; });
    return it == run->nodes.end() ? nullptr : &*it;
}

SnapshotStore::ShownRun SnapshotStore::shownRun(const engine::Combo& combo) const
{
    if (const engine::RunResult* run = runOf(combo))
        return {run, isStale()};
    return {runIn(m_lastWhole.get(), combo), !m_lastWhole || m_lastWhole->revision != m_wanted};
}

void SnapshotStore::clear()
{
    m_snapshot.reset();
    m_lastWhole.reset();
    m_error.clear();
    announce(m_results, &SnapshotStore::changed);
}

void SnapshotStore::setWanted(std::uint64_t revision)
{
    if (revision == m_wanted)
        return;
    const bool wasStale = isStale();
    m_wanted = revision;
    if (isStale() != wasStale)
        announce(m_results, &SnapshotStore::changed);
}

void SnapshotStore::setRunning(bool isRunning)
{
    if (isRunning == m_isRunning)
        return;
    m_isRunning = isRunning;
    m_progress = 0;
    m_doing.clear();
    announce(m_running, &SnapshotStore::runningChanged);
}

void SnapshotStore::setProgress(double fraction, const QString& doing)
{
    if (fraction == m_progress && doing == m_doing)
        return;
    m_progress = fraction;
    m_doing = doing;
    announce(m_running, &SnapshotStore::runningChanged);
}

void SnapshotStore::put(std::shared_ptr<const engine::RunSnapshot> snapshot)
{
    if (!snapshot || (m_snapshot && snapshot->revision < m_snapshot->revision))
        return;
    m_snapshot = std::move(snapshot);
    if (!m_snapshot->partial && !m_snapshot->stopped)
        m_lastWhole = m_snapshot;
    announce(m_results, &SnapshotStore::changed);
}

void SnapshotStore::setError(const QString& error)
{
    if (error == m_error)
        return;
    m_error = error;
    announce(m_results, &SnapshotStore::changed);
}

} // namespace ui
