#include "engine/run/local_runner.h"

#include "engine/model/dialect.h"
#include "engine/run/backend.h"
#include "engine/run/memory.h"
#include "engine/run/node_report.h"
#include "engine/run/plan_view.h"

#include <chrono>
#include <set>

namespace engine {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Step results that are alive at the end (all of them: viewers need them), each content once.
MemoryEstimate estimate(const std::vector<Plan>& plans, const std::vector<std::unique_ptr<PlanExecutor>>& runs,
                        const RunState& state, const RunRequest& request)
{
    MemoryEstimate m;
    std::set<ContentKey> seen;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        for (std::size_t s = 0; s < plans[i].steps.size(); ++s) {
            const PlanStep& step = plans[i].steps[s];
            const PlannedNode* node = plans[i].find(step.node);
            const bool shares = step.kind == StepKind::Op && node && node->spec && node->spec->role == OpRole::Move;
            if (!shares && seen.insert(runs[i]->steps()[s].key).second)
                m.values += step.shape.elements() * facts(storageOf(step.dtype)).bytes;
        }
        if (!request.wantStages)
            continue;
        for (const PlannedNode& n : plans[i].nodes) {
            if (n.refused || n.blocked)
                continue;
            std::int64_t operands = 0;
            for (const auto& shape : n.operandShapes)
                operands += shape ? shape->elements() : 0;
            m.working = std::max(m.working, std::int64_t{8} * (6 * n.shape.elements() + 2 * operands));
            if (request.keepStages)
                m.stages += std::int64_t{48} * n.shape.elements();
        }
    }
    m.reference = request.wantReference ? state.referenceBytes() : 0;
    return m;
}

Error tooLarge(std::int64_t needed, std::int64_t limit)
{
    return Error{"memory-limit", "the graph",
                 "running it needs about " + bytesText(needed) + ", more than the limit of " + bytesText(limit),
                 "use a smaller batch or fewer combos, or raise the memory limit"};
}

// A sealed copy of what is ready; its tensors are shared.
void deliver(const RunSnapshot& snapshot, const PartialHandler& onPartial)
{
    if (!onPartial)
        return;
    auto copy = std::make_shared<RunSnapshot>(snapshot);
    copy->partial = true;
    onPartial(std::move(copy));
}

// The first `output` node's result, else the last node nothing follows.
const NodeResult* mainOutput(const RunRequest& request, const RunResult& run)
{
    for (const NodeResult& n : run.nodes)
        if (n.op == "output")
            return &n;
    for (auto it = run.nodes.rbegin(); it != run.nodes.rend(); ++it)
        if (request.graph.edgesFrom(it->id).empty())
            return &*it;
    return nullptr;
}

// One request on its way: owns plans and executors, in the order asked.
class Job {
public:
    Job(const RunRequest& request, const OpCatalog& ops, RunCaches& caches, const Exec& exec,
        const std::function<void(const Progress&)>& onProgress)
        : m_request(request), m_state(request, ops, caches), m_exec(exec), m_onProgress(onProgress)
    {
    }

    Status plan(const OpCatalog& ops, const DialectCatalog& dialects, std::int64_t& predicted);
    Status execute(std::size_t index, RunResult& run);
    Status addStages(std::size_t index, RunResult& run);
    Status reference(RunSnapshot& snapshot);
    std::size_t size() const { return m_plans.size(); }

private:
    void tick(const std::string& what);
    std::string label(std::size_t index) const { return m_plans[index].combo.text() + ", " + m_plans[index].dialect; }

    const RunRequest& m_request;
    RunState m_state;
    const Exec& m_exec;
    const std::function<void(const Progress&)>& m_onProgress;
    std::vector<Plan> m_plans;
    std::vector<std::unique_ptr<PlanInputs>> m_inputs;
    std::vector<std::unique_ptr<PlanExecutor>> m_runs;
    std::int64_t m_done = 0, m_total = 1;
};

void Job::tick(const std::string& what)
{
    ++m_done;
    if (m_onProgress)
        m_onProgress({static_cast<double>(m_done) / static_cast<double>(m_total), what});
}

Status Job::plan(const OpCatalog& ops, const DialectCatalog& dialects, std::int64_t& predicted)
{
    for (const Configuration& c : m_request.configurations) {
        const DialectSpec* dialect = dialects.find(c.dialect);
        if (!dialect)
            return Error{"dialect-unknown", "dialect \"" + c.dialect + "\"", "there is no such dialect",
                         "`mantissa-cli dialects` lists them"};
        m_plans.push_back(planFor(m_request, ops, *dialect, c.combo, m_exec.isa()));
        m_state.addPlan(m_plans.back());
    }
    for (std::size_t i = 0; i < m_plans.size(); ++i) {
        const Overflow overflow = dialects.find(m_request.configurations[i].dialect)->overflow;
        m_inputs.push_back(std::make_unique<PlanInputs>(
            PlanInputs{m_request.graph, m_state.params(), m_state.sources(), m_state.sourceKeys(),
                       overflow == Overflow::Saturate ? FloatOverflow::Saturate : FloatOverflow::ToSpecial}));
        m_runs.push_back(
            std::make_unique<PlanExecutor>(m_plans[i], *m_inputs.back(), m_state.caches().tensors, m_exec));
        m_total += static_cast<std::int64_t>(m_plans[i].steps.size() + m_plans[i].nodes.size());
    }
    m_total += static_cast<std::int64_t>(m_request.graph.nodes().size());
    predicted = estimate(m_plans, m_runs, m_state, m_request).total();
    return success();
}

Status Job::reference(RunSnapshot& snapshot)
{
    if (auto s = m_state.makeSources(m_exec); !s)
        return s;
    snapshot.sources = m_state.sources();
    if (!m_request.wantReference)
        return success();
    const auto start = Clock::now();
    if (auto s = m_state.makeReference(m_exec, [&](const std::string& name) { tick("reference, " + name); }); !s)
        return s;
    snapshot.referenceMs = since(start);
    snapshot.referenceReused = m_state.referenceReused();
    for (const auto& [id, node] : m_request.graph.nodes())
        if (const ReferenceNode* r = m_state.reference(id))
            snapshot.reference[id] = r->output;
    return success();
}

Status Job::execute(std::size_t index, RunResult& run)
{
    const Plan& plan = m_plans[index];
    const auto start = Clock::now();
    run.combo = plan.combo;
    run.dialect = plan.dialect;
    run.ok = plan.ok;
    run.findings = plan.findings;
    run.plan = plan.print(m_request.graph);
    for (std::size_t s = 0; s < plan.steps.size(); ++s) {
        tick(label(index));
        if (auto status = m_runs[index]->runStep(static_cast<int>(s)); !status)
            return status;
    }
    run.timeMs = since(start);
    const NodeReporter reporter(plan, *m_runs[index], m_state, m_exec);
    for (const PlannedNode& n : plan.nodes) {
        if (n.refused || n.blocked)
            continue;
        run.nodes.push_back(reporter.describe(n));
        if (m_exec.stopRequested())
            return Error{"stopped", {}, "the run was stopped", {}};
    }
    if (const NodeResult* out = mainOutput(m_request, run); out && plan.ok)
        run.top1 = topOne(out->output);
    return success();
}

Status Job::addStages(std::size_t index, RunResult& run)
{
    const NodeReporter reporter(m_plans[index], *m_runs[index], m_state, m_exec);
    for (NodeResult& r : run.nodes) {
        tick(label(index) + ", stages of " + r.name);
        if (auto s = reporter.addStages(*m_plans[index].find(r.id), r); !s)
            return s;
    }
    return success();
}

} // namespace

LocalRunner::LocalRunner(const OpCatalog& ops, const DialectCatalog& dialects, RunnerOptions options)
    : m_ops(ops), m_dialects(dialects), m_options(options),
      m_pool(options.threads > 0 ? options.threads
                                 : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))),
      m_caches(options.cacheBytes)
{
}

MachineInfo LocalRunner::machine() const
{
    return {"cpu", std::string(isaName(m_options.isa)), hasFma(m_options.isa), m_pool.threads()};
}

Result<std::shared_ptr<const RunSnapshot>> LocalRunner::run(const RunRequest& request, std::stop_token stop,
                                                            const std::function<void(const Progress&)>& onProgress,
                                                            const PartialHandler& onPartial)
{
    return runOn(PoolExec(m_pool, m_options.isa, std::move(stop)), request, onProgress, onPartial);
}

Result<std::shared_ptr<const RunSnapshot>> LocalRunner::runOn(const Exec& exec, const RunRequest& request,
                                                              const std::function<void(const Progress&)>& onProgress,
                                                              const PartialHandler& onPartial)
{
    if (request.backend != "cpu") {
        for (const BackendInfo& b : listBackends(m_pool.threads()))
            if (b.name == request.backend)
                return Error{"backend-unavailable", "backend \"" + b.name + "\"",
                             b.available ? "it has casts only so far: no kernel for an op" : b.reason,
                             b.available ? "run on the cpu backend" : b.remedy};
        return Error{"backend-unknown", "backend \"" + request.backend + "\"", "there is no such backend",
                     "use cpu or cuda"};
    }
    auto snapshot = std::make_shared<RunSnapshot>();
    snapshot->revision = request.revision;
    snapshot->machine = machine();
    Job job(request, m_ops, m_caches, exec, onProgress);
    if (auto s = job.plan(m_ops, m_dialects, snapshot->predictedBytes); !s)
        return s.error();
    const auto available = availableMemory();
    const std::optional<std::int64_t> limit = request.memoryLimit ? request.memoryLimit
                                              : available         ? std::optional(*available / 2)
                                                                  : std::nullopt;
    if (limit && snapshot->predictedBytes > *limit)
        return tooLarge(snapshot->predictedBytes, *limit);

    const bool wantStages = request.wantReference && request.wantStages;
    Status status = job.reference(*snapshot);
    for (std::size_t i = 0; status && i < job.size(); ++i) {
        RunResult run;
        status = job.execute(i, run);
        if (status)
            snapshot->runs.push_back(std::move(run));
        if (status && (wantStages || i + 1 < job.size()))
            deliver(*snapshot, onPartial);
    }
    for (std::size_t i = 0; status && wantStages && i < snapshot->runs.size(); ++i) {
        status = job.addStages(i, snapshot->runs[i]);
        if (status && i + 1 < snapshot->runs.size())
            deliver(*snapshot, onPartial);
    }
    if (!status && status.error().code != "stopped")
        return status.error();
    snapshot->stopped = !status;
    return std::shared_ptr<const RunSnapshot>(std::move(snapshot));
}

} // namespace engine
