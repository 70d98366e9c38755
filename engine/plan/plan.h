// The plan: what will really run. Every conversion is a step of its own; every sum says in what and in
// which order it is kept. Made from graph + dialect + combo, by lower(); printable, comparable.
#pragma once

#include "engine/model/combo.h"
#include "engine/model/diagnosis.h"
#include "engine/model/dialect.h"
#include "engine/model/graph.h"
#include "engine/model/op_catalog.h"
#include "engine/model/snapshot.h"

#include <functional>

namespace engine {

enum class StepKind : std::uint8_t {
    Source, // an Input or weights node's values, rounded once to storage
    Weight, // a layer's own weight, bias or statistic, rounded once to storage
    Cast,   // one conversion
    Op,     // one kernel call; its result is the pre-rounding result
};

struct PlanStep {
    StepKind kind = StepKind::Op;
    NodeId node;
    std::string port;          // Weight: which; Cast: of which operand, "output" for the result
    std::vector<int> operands; // steps; Op: one per port, -1 where absent; Cast: the value cast
    DType from = DType::f64;   // Cast
    DType dtype = DType::f32;  // of this step's value (tf32: stored as float32)
    Shape shape;
    ComputePair pair;      // Op
    bool implicit = false; // Cast: put in by the dialect
    // Cast: who decided: "keras_tf26/cast-to-layer", "slot/input", "slot/weight", "slot/compute", "slot/output",
    // "node", or "output-rounding" (the accumulator to the output's dtype).
    std::string rule, sentence;
};

// One node of the plan. Refused: a finding stops it here; blocked: something before it was refused.
struct PlannedNode {
    NodeId id;
    const OpSpec* spec = nullptr; // null: unknown op (refused)
    bool muted = false;           // passes its first operand through
    bool refused = false, blocked = false;
    Shape shape;
    std::array<SlotState, kSlotCount> slots{};
    std::vector<std::optional<Shape>> operandShapes; // per port
    std::vector<int> arrived;                        // per port: step that arrives (storage dtype), -1 absent
    std::vector<int> operands;                       // per port: step after casts, -1 absent
    std::vector<std::optional<DType>> arrives;       // per port: storage dtype of what arrives; of refused nodes too
    int opStep = -1;  // kernel result; a source's or a Cast node's own step; muted: the step that arrives
    int outStep = -1; // node's output (after result casts); == opStep where none
    ComputePair pair;
    DType dtype = DType::f32; // of the output
    int effectiveBits = 0;
};

struct Plan {
    std::string dialect;
    Combo combo;
    Isa isa = Isa::Baseline;
    Overflow overflow = Overflow::ToInfinity; // of every cast and rounding to an 8-bit float
    std::vector<PlanStep> steps;
    std::vector<PlannedNode> nodes; // topological order
    std::vector<Finding> findings;
    bool ok = true; // nothing refused
    const PlannedNode* find(NodeId id) const;
    // One step a line, e.g. "%5 = cast %0 float64 -> float32  # node 2 conv1.input, keras_tf26/cast-to-layer"
    std::string print(const Graph& graph) const;
};

struct LowerInput {
    const Graph& graph;
    const OpCatalog& ops;
    const DialectSpec& dialect;
    Combo combo;
    DType floatx = DType::f32;
    Isa isa = Isa::V3;
    // Shape of an Input or weights node whose values come from an array; from the array table.
    std::function<Result<Shape>(const Node&, const Params&)> sourceShape;
    // Whether a source (of an owned weight, or of a source node's `value`) can give this shape; an error is a
    // finding with rule "source" and refuses the node. Empty: not checked.
    std::function<Status(const Node&, std::string_view port, const Source&, const Shape&)> checkSource;
};

// Never fails: what is wrong is a finding, and the node is refused.
Plan lower(const LowerInput& input);

} // namespace engine
