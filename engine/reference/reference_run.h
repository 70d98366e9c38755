// The reference: one run of the graph from the source values in double-double. It depends on values only,
// never on dtypes, combo or dialect, and is kept while the user flips precisions (design 3.4).
#pragma once

#include "engine/model/op_catalog.h"
#include "engine/model/runner.h"

#include <functional>

namespace engine {

// 128-bit content key, as two words.
struct ContentKey {
    std::uint64_t low = 0, high = 0;
    auto operator<=>(const ContentKey&) const = default;
};

// One node's reference: what it was fed per port (null where absent), and its exact output.
struct ReferenceNode {
    std::vector<DDTensor> operands;
    DDTensor output;
    Tensor magnitudes; // contractions: sum |a b| per output element
};

// Computes one node from its operands; moves and casts share their operand. `muted` passes the first through.
Result<ReferenceNode> referenceOf(const OpSpec& spec, const Params& params, std::vector<DDTensor> operands, bool muted,
                                  const Exec& exec);

} // namespace engine
