// Executors that a result must not notice: two threads taking tasks from both ends, and one that is told to stop.
#pragma once

#include "engine/model/exec.h"

#include <atomic>
#include <thread>

namespace support {

class TwoThreads final : public engine::Exec {
public:
    engine::Isa isa() const override { return engine::bestIsa(); }
    int threads() const override { return 2; }
    bool stopRequested() const override { return false; }
    bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const override
    {
        std::atomic<std::int64_t> taken = 0;
        const auto work = [&](bool fromEnd) {
            for (std::int64_t i = fromEnd ? tasks - 1 : 0; i >= 0 && i < tasks; i += fromEnd ? -1 : 1) {
                if (taken.fetch_add(1) >= tasks)
                    return;
                body(i);
            }
        };
        std::thread other(work, true);
        work(false);
        other.join();
        return true;
    }
};

class Stopped final : public engine::Exec {
public:
    engine::Isa isa() const override { return engine::bestIsa(); }
    int threads() const override { return 1; }
    bool stopRequested() const override { return true; }
    bool parallelFor(std::int64_t, const std::function<void(std::int64_t)>&) const override { return false; }
};

} // namespace support
