// The state of one lowering: internal to engine/plan. lower.cpp walks the graph, lower_operands.cpp
// gathers what a node works on, lower_op.cpp decides the casts of one op, finding_text.cpp words what is wrong.
#pragma once

#include "engine/plan/plan.h"

#include "engine/dialects/dialects.h"

namespace engine {

class Lowering {
public:
    explicit Lowering(const LowerInput& input);
    Plan run();

private:
    // One node while it is lowered.
    struct Work {
        const Node& node;
        const OpSpec& spec;
        const Params& params;
        PlannedNode& out;
        int bits = kAllBits; // smallest significand among its own steps so far
        std::vector<Finding> remarks;
    };
    static constexpr int kAllBits = 1 << 20;

    // lower.cpp
    void lowerNode(const Node& node);
    bool lowerKnown(Work& w);
    bool lowerSource(Work& w);
    bool lowerCastNode(Work& w);
    bool lowerMuted(const Node& node, PlannedNode& out);
    // lower_operands.cpp
    bool checkEdges(Work& w);
    bool gather(Work& w);
    bool canGive(Work& w, std::string_view port, const Source& source, const Shape& shape);
    bool shapes(Work& w);
    void storeOwned(Work& w);
    DType ownedDType(const Work& w, int port) const;
    std::span<const Edge> edgesInto(NodeId id) const;
    const PlannedNode* producer(NodeId to, std::string_view port) const;
    bool isPresent(const Work& w, int port) const;

    // lower_op.cpp
    bool lowerOp(Work& w);
    static SlotAsk asked(const Work& w, Slot slot);
    bool checkSlots(Work& w);
    void castToSlots(Work& w);
    std::optional<DType> askedCompute(const Work& w) const;
    bool castByDialect(Work& w, DialectAnswer& answer);
    bool refuseMismatch(Work& w, const DialectQuery& query, const DialectAnswer& answer, const std::vector<int>& ports);
    bool choosePair(Work& w, DType multiply);
    void castToCompute(Work& w, DType compute);
    void finishResult(Work& w, const DialectAnswer& answer);
    void fillSlots(Work& w) const;
    void castOperand(Work& w, int port, DType to, bool implicit, std::string rule, std::string sentence);
    int addCast(Work& w, std::string port, int value, DType to, bool implicit, std::string rule, std::string sentence);
    int addStep(PlanStep step);
    int arrivingBits(const Work& w) const;

    // finding_text.cpp
    bool refuse(Work& w, std::string port, std::string rule, std::string message, std::vector<std::string> remedies);
    void refuseNode(const Node& node, std::string rule, std::string message, std::vector<std::string> remedies);
    void warnOfLoss(Work& w, int port, DType from, DType to, const DialectAnswer& answer);
    bool refuseNoKernel(Work& w, ComputePair pair);

    DType stepDType(int step) const { return m_plan.steps[static_cast<std::size_t>(step)].dtype; }

    const LowerInput& m_in;
    Plan m_plan;
    std::map<NodeId, std::size_t> m_index;
};

} // namespace engine
