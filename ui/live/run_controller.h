// Runs requests on one worker thread: one in flight, one waiting, the newest wins; a newer one stops the one in
// flight. Partial results (the canvas's own combo first, then the others, stages last) arrive as they are ready.
//
// The caller puts the canvas's own configuration first in the request: results come in that order, and the store
// takes the first run for the canvas's. GUI thread only; the store outlives the controller.
#pragma once

#include "engine/model/runner.h"

#include <QObject>

#include <chrono>
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

Q_SIGNALS:
    void woken(); // the worker left something in the mailbox; carries nothing itself

private:
    // What the worker hands over, each entry replaced by a newer one.
    struct Mailbox {
        std::shared_ptr<const engine::RunSnapshot> snapshot;
        std::optional<engine::Progress> progress;
        std::optional<std::string> error; // empty: none any more
        bool isWakeDue = false;           // woken() is on its way
    };
    using Snapshot = std::shared_ptr<const engine::RunSnapshot>;

    // On the worker.
    void work();
    void runOne(const engine::RunRequest& request, const std::stop_token& stop);
    void post(const std::function<void(Mailbox&)>& put);
    void postProgress(const engine::Progress& progress);
    void postError(std::string error);
    // On the GUI thread.
    void collect();

    std::unique_ptr<engine::Runner> m_runner;
    SnapshotStore& m_store;
    std::chrono::steady_clock::time_point m_lastProgress; // the worker's own
    // Guarded by m_mutex.
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::optional<engine::RunRequest> m_waiting;
    std::stop_source m_stop; // of the one in flight
    bool m_isBusy = false;
    bool m_quit = false;
    Mailbox m_mailbox;
    std::jthread m_worker;
};

} // namespace ui
