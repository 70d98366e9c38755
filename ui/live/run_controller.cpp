#include "ui/live/run_controller.h"

#include "ui/live/snapshot_store.h"

#include <exception>
#include <utility>

namespace ui {

namespace {

constexpr auto kProgressEvery = std::chrono::milliseconds(SnapshotStore::kAnnounceMs);

} // namespace

RunController::RunController(std::unique_ptr<engine::Runner> runner, SnapshotStore& store, QObject* parent)
    : QObject(parent), m_runner(std::move(runner)), m_store(store)
{
    connect(this, &RunController::woken, this, &RunController::collect, Qt::QueuedConnection);
    m_worker = std::jthread([this] { work(); });
}

RunController::~RunController()
{
    std::stop_source inFlight;
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
        m_waiting.reset();
        inFlight = m_stop;
    }
    inFlight.request_stop();
    m_wake.notify_all();
    m_worker.join();
}

void RunController::request(engine::RunRequest request)
{
    m_store.setWanted(request.revision);
    m_store.setRunning(true);
    std::stop_source inFlight;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = std::move(request);
        inFlight = m_stop;
    }
    // Outside the lock: it calls whatever the runner registered with the token.
    inFlight.request_stop();
    m_wake.notify_all();
}

void RunController::stop()
{
    std::stop_source inFlight;
    bool isBusy = false;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.reset();
        inFlight = m_stop;
        isBusy = m_isBusy;
    }
    inFlight.request_stop();
    if (!isBusy)
        m_store.setRunning(false);
}

void RunController::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [&] { return m_quit || m_waiting; });
        if (m_quit)
            return;
        const engine::RunRequest request = *std::exchange(m_waiting, std::nullopt);
        m_stop = std::stop_source();
        m_isBusy = true;
        const std::stop_token stop = m_stop.get_token();
        lock.unlock();
        runOne(request, stop);
        lock.lock();
        m_isBusy = false;
        lock.unlock();
        post([](Mailbox&) {}); // it may be idle now
        lock.lock();
    }
}

void RunController::runOne(const engine::RunRequest& request, const std::stop_token& stop)
{
    m_lastProgress = {};
    const auto deliver = [this](const Snapshot& snapshot) {
        post([&](Mailbox& box) {
            box.snapshot = snapshot;
            box.error = std::string();
        });
    };
    try {
        const auto result = m_runner->run(
            request, stop, [this](const engine::Progress& p) { postProgress(p); }, deliver);
        // A stopped run has delivered what it had.
        if (result && !(*result)->stopped)
            deliver(*result);
        else if (!result && !stop.stop_requested())
            postError(result.error().text());
    } catch (const std::exception& e) {
        if (!stop.stop_requested())
            postError(std::string("The run failed: ") + e.what());
    }
}

void RunController::post(const std::function<void(Mailbox&)>& put)
{
    bool wasDue = false;
    {
        const std::lock_guard lock(m_mutex);
        put(m_mailbox);
        wasDue = std::exchange(m_mailbox.isWakeDue, true);
    }
    if (!wasDue)
        Q_EMIT woken();
}

void RunController::postProgress(const engine::Progress& progress)
{
    const auto now = std::chrono::steady_clock::now();
    if (now - m_lastProgress < kProgressEvery)
        return;
    m_lastProgress = now;
    post([&](Mailbox& box) { box.progress = progress; });
}

void RunController::postError(std::string error)
{
    post([&](Mailbox& box) { box.error = std::move(error); });
}

void RunController::collect()
{
    Mailbox mail;
    bool isIdle = false;
    {
        const std::lock_guard lock(m_mutex);
        mail = std::exchange(m_mailbox, {});
        isIdle = !m_isBusy && !m_waiting;
    }
    if (mail.error)
        m_store.setError(QString::fromStdString(*mail.error));
    if (mail.snapshot)
        m_store.put(std::move(mail.snapshot));
    if (isIdle)
        m_store.setRunning(false);
    else if (mail.progress)
        m_store.setProgress(mail.progress->fraction, QString::fromStdString(mail.progress->what));
}

} // namespace ui
