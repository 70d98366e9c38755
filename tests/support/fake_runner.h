// A Runner that does what the test says, with a log that any thread may read, and a gate to hold it at.
#pragma once

#include "engine/model/runner.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace support {

using SnapshotPtr = std::shared_ptr<const engine::RunSnapshot>;

// Closed until opened, once per pass.
class Gate {
public:
    void open(int passes = 1)
    {
        const std::lock_guard lock(m_mutex);
        m_passes += passes;
        m_changed.notify_all();
    }
    void pass()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_passes > 0; });
        --m_passes;
    }
    // False: stopped before it opened.
    bool pass(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait(lock, stop, [&] { return m_passes > 0; }))
            return false;
        --m_passes;
        return true;
    }

private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    int m_passes = 0;
};

struct FakeCall {
    const engine::RunRequest& request;
    std::stop_token stop;
    const std::function<void(const engine::Progress&)>& onProgress;
    const engine::PartialHandler& onPartial;
};

// A snapshot of the request with its first `runs` configurations, each with nothing but its name.
inline SnapshotPtr emptySnapshot(const engine::RunRequest& request, std::size_t runs, bool isPartial)
{
    auto snapshot = std::make_shared<engine::RunSnapshot>();
    snapshot->revision = request.revision;
    snapshot->partial = isPartial;
    for (std::size_t i = 0; i < runs; ++i) {
        engine::RunResult run;
        run.combo = request.configurations[i].combo;
        run.dialect = request.configurations[i].dialect;
        run.ok = true;
        snapshot->runs.push_back(std::move(run));
    }
    return snapshot;
}

class FakeRunner final : public engine::Runner {
public:
    using Body = std::function<engine::Result<SnapshotPtr>(const FakeCall&)>;
    // What the test keeps, for the controller owns the runner.
    struct Log {
        std::mutex mutex;
        std::vector<std::uint64_t> started; // revisions
        std::vector<std::uint64_t> stopped; // those that returned with a stop requested
        std::atomic<int> alive{0};
        std::vector<std::uint64_t> starts()
        {
            const std::lock_guard lock(mutex);
            return started;
        }
        std::vector<std::uint64_t> stops()
        {
            const std::lock_guard lock(mutex);
            return stopped;
        }
    };

    FakeRunner(Log& log, Body body) : m_log(log), m_body(std::move(body)) { ++m_log.alive; }
    ~FakeRunner() override { --m_log.alive; }
    engine::Result<SnapshotPtr> run(const engine::RunRequest& request, std::stop_token stop,
                                    const std::function<void(const engine::Progress&)>& onProgress,
                                    const engine::PartialHandler& onPartial) override
    {
        {
            const std::lock_guard lock(m_log.mutex);
            m_log.started.push_back(request.revision);
        }
        auto result = m_body({request, stop, onProgress, onPartial});
        if (stop.stop_requested()) {
            const std::lock_guard lock(m_log.mutex);
            m_log.stopped.push_back(request.revision);
        }
        return result;
    }

private:
    Log& m_log;
    Body m_body;
};

} // namespace support
