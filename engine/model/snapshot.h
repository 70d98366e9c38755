// A sealed result: what the report prints and the views draw. Built by engine/run, immutable after.
// Definitions: design sections 3.2 to 3.7. An absent optional means "not measured", never 0.
#pragma once

#include "engine/model/combo.h"
#include "engine/model/diagnosis.h"
#include "engine/model/graph.h"
#include "engine/model/tensor.h"

#include <cstdint>
#include <map>
#include <memory>

namespace engine {

inline constexpr std::array<double, 8> kUlpBins{0, 0.5, 1, 2, 4, 8, 16, 32};

// Relative errors |y - r| / |r| per half decade: counts[k] holds those in [10^(-20 + k/2), 10^(-20 + (k+1)/2)).
struct RelHistogram {
    static constexpr int kBins = 48;
    static constexpr double kLog10First = -20, kStep = 0.5;
    std::array<std::int64_t, kBins> counts{};
    std::int64_t exact = 0, below = 0, above = 0; // y = r; not exact and below 1e-20; 1e4 and above
    bool operator==(const RelHistogram&) const = default;
};

// y computed against the reference r. Absolute figures over elements where both are finite; relative, ULP and
// bits additionally need r != 0.
struct ErrorMetrics {
    std::int64_t elements = 0;
    // Absent where no element qualifies.
    std::optional<double> maxAbs, meanAbs, rmse, relL2, sqnrDb;
    std::optional<double> rmsReference; // of r: what relL2 divides by
    std::optional<double> maxRel, meanRel, maxUlp, meanUlp;
    std::optional<double> minBits, p01Bits, medianBits;
    std::optional<double> condition; // contractions only
    std::int64_t zeroRef = 0, zeroRefWrong = 0;
    std::int64_t nan = 0, inf = 0, overflow = 0, underflow = 0, subnormal = 0;
    std::optional<std::int64_t> firstBad;
    std::array<std::int64_t, 9> ulpHistogram{}; // [0] exact, [k] in (kUlpBins[k-1], kUlpBins[k]], [8] above 32
    std::optional<RelHistogram> relHistogram;   // absent where no element qualifies
    bool referenceLimited = false;
};

enum class Stage : std::uint8_t { Inherited, Storage, Cast, Arithmetic, Output };
inline constexpr int kStageCount = 5;
std::string_view stageName(Stage s); // "inherited", ...

struct StageFigures {
    double rmse = 0;
    std::optional<double> share; // sum e_s e / sum e^2; absent where the total is zero
};

struct Attribution {
    std::array<StageFigures, kStageCount> stages{};
    std::int64_t excluded = 0; // elements where a stage is not finite
    double localMaxAbs = 0, localRmse = 0;
    // Signed stages, float64, kept when the request asks (dump, plots); else null.
    std::array<Tensor, kStageCount> signedStages{};
};

struct BoundReport {
    std::int64_t n = 0;
    double u = 0, eta = 0;
    double maxAbs = 0;        // the largest bound
    double maxRatio = 0;      // largest |arithmetic| over its own element's bound
    double maxArithmetic = 0; // the largest |arithmetic|
    double rms = 0;           // of the bounds
    Tensor perElement;        // float64, kept when the request asks
};

struct CastReport {
    std::string port; // "output" for a result cast
    DType from = DType::f64, to = DType::f32;
    bool implicit = true;
    std::string rule; // "keras_tf26/cast-to-layer", "slot/compute", "node" for a Cast node
    std::string sentence;
    double changed = 0;                   // share of elements whose value changed, 0..1
    std::optional<double> maxUlp, maxRel; // in ULP of the target
    std::optional<double> bitsKept;       // smallest over the changed, 0..p of the target; absent if none changed
    std::int64_t newInf = 0, newZero = 0, newSubnormal = 0, newNan = 0;
};

struct StoredReport {
    std::string port; // "output" for an input node
    DType to = DType::f32;
    double changed = 0;
    std::optional<double> maxUlp;
    std::int64_t newInf = 0, newZero = 0, newSubnormal = 0, newNan = 0;
};

struct Health {
    std::int64_t normal = 0, subnormal = 0, zero = 0, inf = 0, nan = 0;
};

struct SlotState {
    std::optional<std::string> asked;
    std::optional<DType> ran;
};

struct CastOperand {
    std::string port;
    Tensor value;
};

struct NodeResult {
    NodeId id;
    std::string name, op;
    Shape shape;
    std::array<SlotState, kSlotCount> slots{};
    std::array<bool, kSlotCount> hasSlot{};
    DType dtype = DType::f32; // of the output
    int effectiveBits = 0, valueBits = 0;
    std::string kernel;
    double timeMs = 0;
    bool reused = false;
    std::int64_t bytes = 0;
    std::vector<CastReport> casts;
    std::vector<StoredReport> stored;
    std::optional<ErrorMetrics> error;
    std::optional<Attribution> stages; // absent where no element has finite stages
    std::int64_t stagesExcluded = 0;   // elements left out because a stage is not finite
    std::optional<BoundReport> bound;
    Health health;
    Tensor output; // shared, immutable
    std::vector<CastOperand> castOperands;
};

struct RunResult {
    Combo combo;
    std::string dialect;
    bool ok = false;
    double timeMs = 0;
    std::vector<Finding> findings;
    std::vector<NodeResult> nodes; // topological order; only those before a refusal
    std::optional<std::vector<std::int64_t>> top1;
    std::string plan; // printed
};

struct MachineInfo {
    std::string backend = "cpu", isa;
    bool fma = true;
    int threads = 1;
};

struct RunSnapshot {
    std::uint64_t revision = 0;
    MachineInfo machine;
    double referenceMs = 0;
    bool referenceReused = false;
    bool stopped = false; // cancelled: what is here is complete per run, the rest is missing
    bool partial = false; // more is on its way: further runs, or stages
    std::vector<RunResult> runs;
    std::map<NodeId, DDTensor> reference;                      // per node output
    std::map<NodeId, std::map<std::string, DDTensor>> sources; // per node and port: source values
    std::int64_t predictedBytes = 0;
};

} // namespace engine
