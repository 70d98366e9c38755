// JSON of other people: parsed only after a scan has bounded its depth and what it would cost in memory. And the
// one-line spelling that model.json uses.
#pragma once

#include "engine/model/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string_view>

namespace engine {

inline constexpr int kMaxJsonDepth = 64;

// Errors: "file-json" (syntax with line and column, depth, duplicate keys), "file-limit".
Result<nlohmann::json> parseJson(std::string_view text, const std::string& place, std::uint64_t memoryLimit);
// {"a": [1, 2]}: keys sorted, one space after colons and commas. Throws where a text is no UTF-8.
std::string spacedJson(const nlohmann::json& value);
// For messages: at most 60 characters.
std::string jsonExcerpt(const nlohmann::json& value);

} // namespace engine
