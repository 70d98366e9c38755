// The terminal side of a long command: a progress line on stderr where it is a terminal, and Ctrl-C as a stop.
#pragma once

#include "engine/model/runner.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

namespace app {

class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const engine::Progress& progress);

private:
    bool m_isTerminal;
    bool m_isShown = false;
    std::chrono::steady_clock::time_point m_last{};
};

// While it lives, SIGINT and SIGTERM request a stop; a second one ends the program at once.
class StopOnSignal {
public:
    StopOnSignal();
    ~StopOnSignal();
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;
    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    std::jthread m_waiter;
};

} // namespace app
