// A finding: something to tell the user, with a place and remedies. Findings never stop the program.
#pragma once

#include "engine/model/ids.h"

#include <optional>
#include <string>
#include <vector>

namespace engine {

enum class Severity : std::uint8_t { Note, Warning, Error };

struct Finding {
    Severity severity = Severity::Warning;
    NodeId node;         // 0: the whole graph
    std::string port;    // empty: the node
    std::string rule;    // "keras_tf26/cast-to-layer", "explicit/mismatch", "shape", "no-kernel", ...
    std::string message; // one or two sentences with the numbers
    // Stable names: "compute-widest", "compute-narrowest", "insert-cast", "set-layer-dtype", "set-floatx",
    // "switch-dialect", "connect", "fix-parameter", "remove-node", ...
    std::vector<std::string> remedies;
    std::string frameworkMessage; // first clause of what the framework says at this point, if anything
    bool operator==(const Finding&) const = default;
};

} // namespace engine
