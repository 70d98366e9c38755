// The engine in this process: plans, runs, measures. One request at a time, on the caller's thread plus a pool.
#pragma once

#include "engine/model/op_catalog.h"
#include "engine/run/run_state.h"
#include "engine/run/thread_pool.h"

namespace engine {

class DialectCatalog;

struct RunnerOptions {
    int threads = 0; // 0: as many as the machine has
    Isa isa = bestIsa();
    std::int64_t cacheBytes = std::int64_t{1} << 30;
};

class LocalRunner final : public Runner {
public:
    LocalRunner(const OpCatalog& ops, const DialectCatalog& dialects, RunnerOptions options = {});
    Result<std::shared_ptr<const RunSnapshot>> run(const RunRequest& request, std::stop_token stop,
                                                   const std::function<void(const Progress&)>& onProgress = {},
                                                   const PartialHandler& onPartial = {}) override;
    // The same on an Exec of the caller's, whose stopRequested() ends it; its ISA should be the options'.
    Result<std::shared_ptr<const RunSnapshot>> runOn(const Exec& exec, const RunRequest& request,
                                                     const std::function<void(const Progress&)>& onProgress = {},
                                                     const PartialHandler& onPartial = {});
    MachineInfo machine() const;

private:
    const OpCatalog& m_ops;
    const DialectCatalog& m_dialects;
    RunnerOptions m_options;
    ThreadPool m_pool;
    RunCaches m_caches;
};

} // namespace engine
