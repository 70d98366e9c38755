// Executes one plan step by step, incrementally by content key. Knows no dialect: the plan says it all.
#pragma once

#include "engine/model/convert.h"
#include "engine/plan/plan.h"
#include "engine/run/content_key.h"
#include "engine/run/lru_cache.h"

namespace engine {

struct StepValue {
    ContentKey key;
    Tensor value; // null until run
    bool reused = false;
    double timeMs = 0;
};

// Sources and parameters that steps draw from; owned by the run.
struct PlanInputs {
    const Graph& graph;
    const std::map<NodeId, Params>& params;
    // Source values and their keys per node and port ("output" for input and weights nodes).
    const std::map<NodeId, std::map<std::string, DDTensor>>& sources;
    const std::map<NodeId, std::map<std::string, ContentKey>>& sourceKeys;
    FloatOverflow overflow;
};

class PlanExecutor {
public:
    PlanExecutor(const Plan& plan, const PlanInputs& inputs, LruCache<Tensor>& cache, const Exec& exec)
        : m_plan(plan), m_inputs(inputs), m_cache(cache), m_exec(exec)
    {
        makeKeys();
    }
    // Runs one step (its operands must have run). Error code "stopped" when cancelled.
    Status runStep(int step);
    const StepValue& step(int index) const { return m_values[static_cast<std::size_t>(index)]; }
    const std::vector<StepValue>& steps() const { return m_values; }
    // The node's parameters with its scalar weights rounded to their storage dtype.
    const Params& storedParams(NodeId node) const { return m_storedParams.at(node); }

private:
    void makeKeys();
    ContentKey keyOf(const PlanStep& step) const;
    Result<Tensor> compute(const PlanStep& step) const;
    const Plan& m_plan;
    const PlanInputs& m_inputs;
    LruCache<Tensor>& m_cache;
    const Exec& m_exec;
    std::vector<StepValue> m_values;
    std::map<NodeId, Params> m_storedParams;
};

} // namespace engine
