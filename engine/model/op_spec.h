// The record of an op: one aggregate that says everything about it. Palette, validation, plan,
// execution, reference, bounds, file format, documentation and tests are derived from it.
#pragma once

#include "engine/model/exec.h"
#include "engine/model/param.h"
#include "engine/model/shape.h"
#include "engine/model/tensor.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

// What dialects decide by.
enum class OpRole : std::uint8_t {
    Source,      // input, weights: values enter; never casts
    Contraction, // conv2d, dense, matmul: sums of products
    Elementwise, // add, bias_add: two operands, element by element
    Activation,  // one operand, a function of each element
    Reduction,   // pooling, softmax, batch_normalization: has an accumulator
    Move,        // identity, flatten, reshape, dropout: values pass unchanged
    Cast,
    Output,
};

enum class Slot : std::uint8_t { Input, Weight, Compute, Accumulate, Output };
inline constexpr int kSlotCount = 5;
inline constexpr std::array<Slot, 5> kSlots{Slot::Input, Slot::Weight, Slot::Compute, Slot::Accumulate, Slot::Output};
std::string_view slotName(Slot slot); // "input", "weight", "compute", "accumulate", "output"
using SlotMask = std::uint8_t;
constexpr SlotMask slotBit(Slot s)
{
    return static_cast<SlotMask>(1u << static_cast<int>(s));
}
inline constexpr SlotMask kAllSlots = 31;

// Multiply and accumulate dtypes of a kernel. Ops without an accumulator round in `multiply`; their
// accumulate equals it. {tf32, f32} multiplies operands of 11 significant bits.
struct ComputePair {
    DType multiply = DType::f32;
    DType accumulate = DType::f32;
    bool operator==(const ComputePair&) const = default;
    std::string text() const; // "float32,float32"
};
// The eleven pairs of contractions: (f64,f64) (f32,f32) (tf32,f32) (f16,f32) (f16,f16) (bf16,f32) (bf16,bf16)
// (e4m3fn,f32) (e4m3fn,f16) (e5m2,f32) (e5m2,f16).
std::span<const ComputePair> computePairs();
// Accumulate dtype where none is asked: f64 for f64, else f32.
DType defaultAccumulate(DType multiply);

enum class PairSet : std::uint8_t {
    Contraction, // computePairs()
    Reduction,   // computePairs() without tf32
    Pointwise,   // the six float storage dtypes, accumulate = multiply
    Any,         // any storage dtype, integers and bool included (values only move)
};
bool pairAllowed(PairSet set, ComputePair pair);

enum class PortRole : std::uint8_t { Activation, Second, Weight, Bias, Statistic };
struct PortSpec {
    std::string_view name; // "input", "other", "weight", "bias", "mean", ...
    PortRole role = PortRole::Activation;
    std::string_view sentence;
    std::string_view source = {}; // weight-like ports: the Source parameter the layer owns it by; else empty
};

// Dense arguments of the float64 and double-double evaluations: one entry per port, null where absent.
struct ReferenceArgs {
    const Params& params;
    std::span<const DDTensor> operands;
    const Exec& exec;
};
struct ReferenceResult {
    DDTensor value;
    // Contractions: sum of |a b| (+ |bias|) per output element, float64; else null.
    Tensor magnitudes;
};

// One call of a kernel. Operands are already in pair.multiply's storage dtype (bias too; statistics and
// scale of batch_normalization too); result is allocated by the callee in resultDType(pair).
struct KernelArgs {
    const Params& params;
    std::span<const Tensor> operands; // one per port, null where absent
    ComputePair pair;
    const Exec& exec;
};

// Float64 contraction y = op(x, w) without bias, for error attribution. Both in float64, shapes as in the op.
struct Contract64Args {
    const Params& params;
    const Tensor& input;
    const Tensor& weight;
    const Exec& exec;
};

struct OpExample {
    std::string_view title;
    std::string_view params;                 // JSON object
    std::vector<Shape> shapes;               // per port, as far as present
    std::vector<std::vector<double>> values; // per port
    std::vector<double> expected;            // exact real result rounded to float64
};

struct OpSpec {
    std::string_view name;
    std::string_view title;
    std::string_view category; // "sources", "layers", "activations", "pooling", "shape", "precision"
    std::string_view summary;  // one sentence
    std::string_view doc;      // markdown: semantics, where Keras and ONNX differ, which parameter says which
    OpRole role = OpRole::Activation;
    bool isLayer = true; // false: a raw op in Keras' sense (matmul, bias_add) or no op at all
    std::span<const PortSpec> ports = {};
    SlotMask slots = kAllSlots;
    PairSet pairs = PairSet::Pointwise;
    bool carriesBits = false; // only moves, selects or widens: effective bits pass through
    std::span<const ParamSpec> params = {};

    // Which ports exist under these parameters (use_bias); null: all.
    bool (*portPresent)(const Params&, int port) = nullptr;
    // Shape of an owned weight-like port, from the activation shapes; null: no weights.
    Result<Shape> (*weightShape)(const Params&, std::span<const Shape> activations, int port) = nullptr;
    // Output shape from the operand shapes (one per port; empty optional where absent). Messages quote what they got.
    Result<Shape> (*inferShape)(const Params&, std::span<const std::optional<Shape>> operands) = nullptr;
    // The exact function in double-double (design 3.4).
    Result<ReferenceResult> (*reference)(const ReferenceArgs&) = nullptr;
    // The CPU kernel; result before output rounding: accumulate dtype where the op has that slot, else multiply dtype.
    Result<Tensor> (*cpu)(const KernelArgs&) = nullptr;
    // Kernel name for the report: "conv2d plain x86-64-v3".
    std::string (*kernelName)(const Params&, ComputePair, Isa) = nullptr;
    // Contractions only: float64 evaluation for attribution and magnitudes.
    Result<Tensor> (*contract64)(const Contract64Args&) = nullptr;
    // Ops with a derived bound: n of n*u*sum|ab| + n*eta/2 (+1 for a bias counted by the callee); null: none.
    std::int64_t (*reductionLength)(const Params&, std::span<const std::optional<Shape>> operands) = nullptr;
    // Findings of values or parameters a user should know (a pooling window of nothing but padding); null: none.
    std::vector<std::string> (*remarks)(const Params&, std::span<const std::optional<Shape>> operands) = nullptr;
    std::vector<OpExample> (*examples)() = nullptr;
};

inline bool hasSlot(const OpSpec& spec, Slot s)
{
    return (spec.slots & slotBit(s)) != 0;
}
// Dtype of the kernel's result before output rounding.
inline DType resultDType(const OpSpec& spec, ComputePair p)
{
    return storageOf(hasSlot(spec, Slot::Accumulate) ? p.accumulate : p.multiply);
}
int portIndex(const OpSpec& spec, std::string_view port); // -1 if there is none

} // namespace engine
