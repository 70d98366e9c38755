// The table behind `dialects --json`: what the resolver answers for every dialect, op and pair of storage
// dtypes, in the fields of the reference table.
#pragma once

#include "engine/dialects/dialects.h"
#include "engine/model/op_catalog.h"

namespace engine {

struct CellCast {
    std::string operand; // "input", "weight", another port, or "conv_result", "matmul_result", "result"
    DType from = DType::f32, to = DType::f32;
    bool exact = true;
    bool operator==(const CellCast&) const = default;
};

struct DialectCell {
    std::string dialect, op, variant = "default";
    DType input = DType::f32;
    std::optional<DType> weight;     // absent: the op has one operand
    std::optional<DType> layerDtype; // the variant's
    bool ok = true;
    std::optional<DType> output, compute;
    std::optional<int> effectiveBits;
    std::vector<CellCast> casts;            // a bias's only where they differ from the weight's
    std::vector<std::string> lossyOperands; // sorted
    bool warned = false;
    std::string warning;
    std::vector<std::pair<std::string, std::string>> errors; // context, message
};

// One answer; the op with all its operands, its bias included unless withBias is false.
DialectCell dialectCell(const DialectSpec& dialect, const OpSpec& op, DType input, DType weight,
                        std::optional<DType> layerDtype = {}, bool withBias = true);
// Every cell: conv2d, dense, add and matmul by the reference table's names (Conv2D, Dense, Add, MatMul), all others by
// the catalogue's; source ops, which have no operand, are left out.
std::vector<DialectCell> dialectCells(const DialectCatalog& dialects, const OpCatalog& ops);

} // namespace engine
