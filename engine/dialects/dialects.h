// The dialect records and the one resolver that answers for all of them.
#pragma once

#include "engine/model/dialect.h"

namespace engine {

const DialectCatalog& dialectCatalog();
// The six behaviours. Never casts integers except where cast_to_layer or promote says so.
DialectAnswer resolve(const DialectSpec& dialect, const DialectQuery& query);

// A mismatch in our own words: "conv2d's input is float64 and its weight is float32: ...". Names of the first operand
// and of the one that differs.
std::string mismatchSentence(const DialectSpec& dialect, const DialectQuery& query, const DialectAnswer& answer,
                             std::string_view first, std::string_view other);
// Fills a DialectError's text.
std::string fillDialectText(std::string_view text, std::string_view op, DType input, DType weight);
// Significand bits that a value of this dtype can carry (integers: value bits).
int significandBits(DType dtype);

} // namespace engine
