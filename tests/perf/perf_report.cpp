// The engine's own times, printed: the whole report of a LeNet at batch 32 (four combos, reference, metrics, stages),
// its parts, and how long a stop takes inside one long convolution. Gates: the report within three seconds on two
// cores, a stop within 50 ms. Times are the best of several rounds; run it on a quiet machine.
#include "engine/dialects/dialects.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "tests/support/networks.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace engine;

namespace {

using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Best of some rounds; a fresh runner each, so that nothing is cached.
double bestRun(const RunRequest& request, int threads, int rounds)
{
    double best = 1e300;
    for (int i = 0; i < rounds; ++i) {
        LocalRunner runner(opCatalog(), dialectCatalog(), {.threads = threads});
        const auto start = Clock::now();
        if (!runner.run(request, {}))
            std::abort();
        best = std::min(best, msSince(start));
    }
    return best;
}

// Milliseconds from the request to the return, asked in the middle of a convolution that takes seconds.
double stopLatency()
{
    support::Chain c;
    c.add("input", {{"shape", IntList{64, 112, 112, 64}}, {"value", support::uniformSource(0, 1, 1)}});
    c.add("conv2d", {{"filters", std::int64_t{256}}, {"padding", std::string("same")}});
    auto request = support::fourCombos(c.graph());
    request.configurations.resize(1);
    request.wantReference = request.wantStages = false;
    LocalRunner runner(opCatalog(), dialectCatalog(), {.threads = 2});
    std::stop_source stop;
    Clock::time_point asked;
    std::jthread asker([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        asked = Clock::now();
        stop.request_stop();
    });
    const auto snapshot = runner.run(request, stop.get_token());
    const double latency = msSince(asked);
    asker.join();
    return snapshot && (*snapshot)->stopped ? latency : 1e9;
}

bool row(const char* what, double ms, double gate = 0)
{
    const bool holds = gate == 0 || ms <= gate;
    if (gate > 0)
        std::printf("%-58s %9.1f ms   gate %6.0f   %s\n", what, ms, gate, holds ? "holds" : "FAILED");
    else
        std::printf("%-58s %9.1f ms\n", what, ms);
    std::fflush(stdout);
    return holds;
}

} // namespace

int main()
{
    auto request = support::fourCombos(support::lenet(32, true));
    std::printf("%s\n", std::string(isaName(bestIsa())).c_str());
    bool holds = row("whole report, LeNet 32, four combos, 2 threads", bestRun(request, 2, 5), 3000);
    row("whole report, LeNet 32, four combos, 1 thread", bestRun(request, 1, 3));
    auto part = request;
    part.wantStages = false;
    row("without stages, 2 threads", bestRun(part, 2, 5));
    part.wantReference = false;
    row("runs only, 2 threads", bestRun(part, 2, 5));
    part.configurations.resize(1);
    row("one float32 run, 2 threads", bestRun(part, 2, 5));
    holds = row("from a stop to its end, inside one convolution", stopLatency(), 50) && holds;
    return holds ? 0 : 1;
}
