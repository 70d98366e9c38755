// `check`: every op and compute pair on this machine, on odd shapes, into poisoned outputs, against the
// double-double reference of the very operands the kernel got.
#pragma once

#include "engine/model/check_row.h"
#include "engine/model/exec.h"
#include "engine/model/op_catalog.h"

#include <functional>

namespace engine {

struct CheckCase {
    std::string params;             // JSON object
    std::vector<Shape> activations; // of the activation and second ports, in order
};

// Three prime shapes and one above 64 in every dimension; window ops also with groups, dilation, strides and
// asymmetric padding. Derived from the record's parameters, so that a new op is checked without being named.
std::vector<CheckCase> checkCases(const OpSpec& spec);

// All rows; onRow after each (progress). Stops early when exec does.
std::vector<CheckRow> checkAll(const OpCatalog& ops, const Exec& exec,
                               const std::function<void(const CheckRow&)>& onRow = {});

} // namespace engine
