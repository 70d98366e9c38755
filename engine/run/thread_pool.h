// A fixed pool for kernels: parallelFor with a shared counter, the caller works too. One user at a time
// (the runner's worker); nested calls run serially.
#pragma once

#include "engine/model/exec.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace engine {

class ThreadPool {
public:
    explicit ThreadPool(int threads); // at least 1; the caller counts as one
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    int threads() const { return static_cast<int>(m_workers.size()) + 1; }
    // False if `stop` was requested before all tasks ran.
    bool run(std::int64_t tasks, const std::function<void(std::int64_t)>& body, const std::stop_token& stop);

private:
    void work();
    void drain(const std::function<void(std::int64_t)>& body, const std::stop_token& stop, std::int64_t tasks);

    std::mutex m_mutex;
    std::condition_variable m_wake, m_done;
    std::vector<std::jthread> m_workers;
    // Guarded by m_mutex; workers copy them before they leave it.
    const std::function<void(std::int64_t)>* m_body = nullptr;
    const std::stop_token* m_stop = nullptr;
    std::int64_t m_tasks = 0;
    std::uint64_t m_generation = 0;
    int m_active = 0;
    bool m_quit = false;
    std::atomic<std::int64_t> m_next{0};
    std::atomic<bool> m_busy{false};
};

// The Exec of a run: this pool, one instruction set, one stop token.
class PoolExec final : public Exec {
public:
    PoolExec(ThreadPool& pool, Isa isa, std::stop_token stop) : m_pool(pool), m_isa(isa), m_stop(std::move(stop)) {}
    Isa isa() const override { return m_isa; }
    int threads() const override { return m_pool.threads(); }
    bool stopRequested() const override { return m_stop.stop_requested(); }
    bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const override
    {
        return m_pool.run(tasks, body, m_stop);
    }

private:
    ThreadPool& m_pool;
    Isa m_isa;
    std::stop_token m_stop;
};

} // namespace engine
