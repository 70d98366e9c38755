// Source values: the real numbers of inputs and weights, before any dtype. A pure function of a Source,
// a shape and the array table; double-double, because 64-bit integers need more than float64.
#pragma once

#include "engine/model/runner.h"

namespace engine {

// Shape of an Input or weights node: its `shape` parameter, one -1 filled from the array's element count.
// An empty list of a node with an array takes the array's own shape. `batch` keeps rows [first, last).
Result<Shape> sourceShape(const Params& params, const ArrayTable& arrays, std::string_view place,
                          std::optional<std::pair<std::int64_t, std::int64_t>> batch = {});

// Whether sourceValues would succeed, without making the values.
Status checkSource(const Source& source, const Shape& shape, const ArrayTable& arrays, std::string_view place,
                   std::optional<std::pair<std::int64_t, std::int64_t>> batch = {});

// Values of a source in this shape. An array must have as many elements as the shape before `batch` cut it.
// Errors: "source-missing", "source-shape", "source-init", "source-values".
Result<DDTensor> sourceValues(const Source& source, const Shape& shape, const ArrayTable& arrays,
                              std::string_view place, const Exec& exec,
                              std::optional<std::pair<std::int64_t, std::int64_t>> batch = {});

} // namespace engine
