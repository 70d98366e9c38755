#include "app/cli/terminal.h"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace app {

ProgressLine::ProgressLine() : m_isTerminal(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine()
{
    if (m_isShown)
        std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::show(const engine::Progress& progress)
{
    const auto now = std::chrono::steady_clock::now();
    if (!m_isTerminal || now - m_last < std::chrono::milliseconds(100))
        return;
    m_last = now;
    m_isShown = true;
    std::fprintf(stderr, "\r\x1b[K%3.0f %%  %.80s", 100 * progress.fraction, progress.what.c_str());
    std::fflush(stderr);
}

namespace {

sigset_t stopSignals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

} // namespace

StopOnSignal::StopOnSignal()
{
    // Blocked here and in all threads made from here; only the waiter takes them.
    const sigset_t set = stopSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_waiter = std::jthread([this, set](const std::stop_token& quit) {
        const timespec interval{0, 50'000'000};
        int received = 0;
        while (!quit.stop_requested()) {
            if (sigtimedwait(&set, nullptr, &interval) < 0)
                continue;
            m_source.request_stop();
            if (++received > 1)
                _exit(130);
        }
    });
}

StopOnSignal::~StopOnSignal()
{
    m_waiter.request_stop();
    m_waiter.join();
    const sigset_t set = stopSignals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace app
