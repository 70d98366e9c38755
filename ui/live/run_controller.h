// Runs requests on one worker thread: one in flight, one waiting, the newest wins; a newer one stops the one in
// flight. Partial results (the canvas's own combo first, then the others, stages last) arrive as they are ready.
#pragma once

#include "engine/model/runner.h"

#include <QObject>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace ui {

class SnapshotStore;

class RunController : public QObject {
    Q_OBJECT

public:
    RunController(std::unique_ptr<engine::Runner> runner, SnapshotStore& store, QObject* parent = nullptr);
    ~RunController() override; // stops and joins
    void request(engine::RunRequest request);
    void stop();

private:
    void work();
    std::unique_ptr<engine::Runner> m_runner;
    SnapshotStore& m_store;
    // Guarded by m_mutex.
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::optional<engine::RunRequest> m_waiting;
    std::stop_source m_stop;
    bool m_quit = false;
    std::jthread m_worker;
};

} // namespace ui
