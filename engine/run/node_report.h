// From executed steps to a NodeResult: slots, casts, stored losses, errors; and, as a later pass, stages.
#pragma once

#include "engine/run/run_state.h"

namespace engine {

class NodeReporter {
public:
    NodeReporter(const Plan& plan, const PlanExecutor& run, RunState& state, const Exec& exec)
        : m_plan(plan), m_run(run), m_state(state), m_exec(exec)
    {
    }
    NodeResult describe(const PlannedNode& node) const;                  // all but stages
    Status addStages(const PlannedNode& node, NodeResult& result) const; // attribution and bound

private:
    std::shared_ptr<const NodeMeasure> measured(const PlannedNode& node) const;
    Result<AttributionOutput> attributed(const PlannedNode& node, const ReferenceNode& reference) const;
    std::vector<int> stepsOf(NodeId id) const;
    ContentKey nodeKey(const PlannedNode& node, std::string_view what) const;

    const Plan& m_plan;
    const PlanExecutor& m_run;
    RunState& m_state;
    const Exec& m_exec;
};

// Largest entry of each row of a 2-D output: the first NaN, else the lowest index of the maximum.
std::optional<std::vector<std::int64_t>> topOne(const Tensor& output);

} // namespace engine
