// What a caller may ask of the engine, as copies, and the one interface that answers.
#pragma once

#include "engine/model/snapshot.h"

#include <functional>
#include <stop_token>

namespace engine {

// Raw numbers as a file or the document holds them.
struct SourceArray {
    DType dtype = DType::f64; // storage dtype of `data`; images and integers as read
    Shape shape;
    Tensor data;
    int integerDepth = 0; // images and unsigned integers: bits per sample (8, 16, 4, 1); 0 otherwise
};
using ArrayTable = std::map<std::string, SourceArray, std::less<>>; // by Source::arrayKey()

struct RunSettings {
    std::string dialect = "explicit";
    Combo combo; // the file's own
    DType floatx = DType::f32;
    std::string backend = "cpu";
    std::map<std::string, std::string> extra; // unknown settings of the file
    bool operator==(const RunSettings&) const = default;
};

struct Configuration {
    std::string dialect;
    Combo combo;
};

struct RunRequest {
    std::uint64_t revision = 0;
    Graph graph;
    ArrayTable arrays;
    DType floatx = DType::f32;
    std::string backend = "cpu";
    std::vector<Configuration> configurations;                  // in this order
    std::optional<std::pair<std::int64_t, std::int64_t>> batch; // rows [first, last) of every input
    bool wantReference = true;                                  // errors
    bool wantStages = true;                                     // attribution and bounds
    bool keepStages = false;                 // signed stages and per-element bounds stay in the snapshot
    std::optional<std::int64_t> memoryLimit; // bytes; default: half of what the machine has available
};

struct Progress {
    double fraction = 0; // 0..1
    std::string what;    // "float64:float32, conv2"
};

using PartialHandler = std::function<void(const std::shared_ptr<const RunSnapshot>&)>;

class Runner {
public:
    virtual ~Runner() = default;
    // Blocking; call on a worker thread. Errors: a request that cannot start at all (memory, backend,
    // unknown dialect). Refused nodes are findings in the snapshot. The callbacks may be empty; they are called on
    // this thread. onPartial gets what is ready so far, `partial` set, as a sealed snapshot that shares its tensors:
    // after each configuration in the order asked, then after the stages of each but the last, which is the result.
    virtual Result<std::shared_ptr<const RunSnapshot>> run(const RunRequest& request, std::stop_token stop,
                                                           const std::function<void(const Progress&)>& onProgress = {},
                                                           const PartialHandler& onPartial = {}) = 0;
};

} // namespace engine
