// Memory: what a run will need, and what the machine has. A run past the limit is refused with the number.
#pragma once

#include "engine/plan/plan.h"

namespace engine {

// Bytes available to new allocations (Linux: MemAvailable); nothing where it is unknown.
std::optional<std::int64_t> availableMemory();

// What is kept and what is live at the worst moment, in bytes.
struct MemoryEstimate {
    std::int64_t values = 0;    // unique step results over all plans
    std::int64_t reference = 0; // 16 bytes an element, magnitudes 8
    std::int64_t stages = 0;    // kept stages
    std::int64_t working = 0;   // attribution's temporaries at its largest node
    std::int64_t total() const { return values + reference + stages + working; }
};

std::string bytesText(std::int64_t bytes); // "1.5 GB"

} // namespace engine
