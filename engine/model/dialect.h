// A dialect is a record: one framework's answer to "what happens when dtypes meet". It decides; it
// never computes. Behaviours: reference/dtype-semantics section 3.
#pragma once

#include "engine/model/op_spec.h"

namespace engine {

enum class Behaviour : std::uint8_t { Error, CastToLayer, Promote, AutocastList, Canonicalize, Explicit };
std::string_view
behaviourName(Behaviour b); // "error", "cast_to_layer", "promote", "autocast_list", "canonicalize", "explicit"

enum class Overflow : std::uint8_t { ToInfinity, Saturate };

struct OperandInfo {
    DType dtype;
    PortRole role;
};

// One node's question. Operands are those present, activations first.
struct DialectQuery {
    std::string_view op;
    OpRole role = OpRole::Contraction;
    bool isLayer = true;
    bool ownsWeights = false; // weight-like operands belong to the layer
    std::span<const OperandInfo> operands;
    std::optional<DType> layerDtype; // the node's own, if set
    DType floatx = DType::f32;       // run setting
    std::string_view name = {};      // the node's, for messages
};

// A cast of operand `operand`; -1: of the result.
struct CastDecision {
    int operand = 0;
    DType from = DType::f32;
    DType to = DType::f32;
    bool exact = true; // loses nothing (also a demotion of a value that was widened just before)
    bool operator==(const CastDecision&) const = default;
};

struct DialectAnswer {
    bool ok = true;
    std::vector<CastDecision> casts; // in order
    DType compute = DType::f32;      // multiply dtype
    DType output = DType::f32;       // dtype of the result before any output slot
    // Of the result; with separateBias also of the bias, which is then added as a step of its own.
    std::vector<CastDecision> resultCasts;
    bool separateBias = false;
    std::string rule;     // "keras_tf26/cast-to-layer"
    std::string sentence; // the rule in one sentence, for the dot's card
    std::string warning;  // what the framework prints, first clause; empty: silent
    // ok == false: the framework's error, first clause, per context ("eager", "graph"), and which operand
    std::vector<std::pair<std::string, std::string>> messages;
    int mismatchOperand = -1;
};

// One op's behaviour where it is not its dialect's.
struct OpBehaviour {
    std::string_view op;
    Behaviour behaviour;
};

// Two dtypes that a strict op takes together all the same: both become `common`.
struct AcceptedPair {
    std::string_view op;
    DType a, b, common;
};

// float64 turns into float32 inside an op, after the dialect's own casts (Keras 3's result_type).
enum class DemotedBias : std::uint8_t { Fused, Narrowed, WidensResult };
struct Demotion {
    std::string_view op;
    bool operands = true;                  // false: only where the bias is added
    DemotedBias bias = DemotedBias::Fused; // WidensResult: the result is widened to meet it
};

// What the framework says at a mismatch. {input} is the first operand's dtype, {weight} the one that differs, {op}
// the op; {input:tf}, {input:torch}, {input:meta}, {input:onnx}: in that library's spelling.
struct DialectError {
    std::string_view op;      // empty: any
    std::string_view context; // "eager"
    std::string_view text;
    std::span<const DType> dtypes = {}; // the text holds between these; empty: any
};

enum class WarnWhen : std::uint8_t { Never, DefaultedLayer, NamedFloat64 };

struct DialectSpec {
    std::string_view name;       // "keras_tf26"
    std::string_view title = {}; // "tf.keras, silent"
    std::string_view versions = {};
    std::string_view sentence = {}; // what it does, for people
    std::string_view evidence = {}; // what was run to know it
    Behaviour behaviour = Behaviour::Explicit;
    // Rules that differ by role: contraction, elementwise (PyTorch, JAX); default: `behaviour`.
    std::optional<Behaviour> contractionBehaviour = {};
    std::optional<DType> autocast = {};       // autocast_list: the low dtype
    Overflow overflow = Overflow::ToInfinity; // of narrowing to 8-bit floats
    bool allowTf32 = false;
    WarnWhen warnWhen = WarnWhen::Never;
    std::string_view warningText = {}; // template; {from}, {to}, {layer}
    std::span<const DialectError> errors = {};
    Behaviour rawBehaviour = Behaviour::Error;        // cast_to_layer: of ops that are no layers
    Behaviour afterCanonicalize = Behaviour::Promote; // canonicalize: what follows it
    std::span<const OpBehaviour> opBehaviours = {};   // before every other rule
    std::span<const AcceptedPair> acceptedPairs = {};
    std::span<const std::string_view> castsIntegers = {}; // cast_to_layer: ops whose integer input is cast too
    std::span<const Demotion> demotions = {};
};

class DialectCatalog {
public:
    explicit DialectCatalog(std::span<const DialectSpec* const> specs) : m_specs(specs) {}
    std::span<const DialectSpec* const> all() const { return m_specs; }
    const DialectSpec* find(std::string_view name) const
    {
        for (const DialectSpec* s : m_specs)
            if (s->name == name)
                return s;
        return nullptr;
    }

private:
    std::span<const DialectSpec* const> m_specs;
};

} // namespace engine
