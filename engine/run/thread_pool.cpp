#include "engine/run/thread_pool.h"

namespace engine {

ThreadPool::ThreadPool(int threads)
{
    for (int i = 1; i < threads; ++i)
        m_workers.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool()
{
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_wake.notify_all();
}

void ThreadPool::drain(const std::function<void(std::int64_t)>& body, const std::stop_token& stop, std::int64_t tasks)
{
    while (!stop.stop_requested()) {
        const std::int64_t i = m_next.fetch_add(1, std::memory_order_relaxed);
        if (i >= tasks)
            return;
        body(i);
    }
}

void ThreadPool::work()
{
    std::uint64_t seen = 0;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [&] { return m_quit || m_generation != seen; });
        if (m_quit)
            return;
        seen = m_generation;
        if (!m_body)
            continue; // woke after the work was done
        ++m_active;
        const auto* body = m_body;
        const auto* stop = m_stop;
        const std::int64_t tasks = m_tasks;
        lock.unlock();
        drain(*body, *stop, tasks);
        lock.lock();
        if (--m_active == 0)
            m_done.notify_one();
    }
}

bool ThreadPool::run(std::int64_t tasks, const std::function<void(std::int64_t)>& body, const std::stop_token& stop)
{
    // Nested or tiny work: no hand-over.
    if (tasks <= 1 || m_workers.empty() || m_busy.exchange(true)) {
        for (std::int64_t i = 0; i < tasks; ++i) {
            if (stop.stop_requested())
                return false;
            body(i);
        }
        return !stop.stop_requested();
    }
    {
        const std::lock_guard lock(m_mutex);
        m_body = &body;
        m_stop = &stop;
        m_tasks = tasks;
        m_next.store(0, std::memory_order_relaxed);
        ++m_generation;
    }
    m_wake.notify_all();
    drain(body, stop, tasks);
    {
        std::unique_lock lock(m_mutex);
        m_body = nullptr; // late wakers find nothing
        m_done.wait(lock, [&] { return m_active == 0; });
    }
    m_busy.store(false);
    return !stop.stop_requested();
}

} // namespace engine
