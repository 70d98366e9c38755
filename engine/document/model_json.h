// model.json, both ways. Unknown top-level keys go to Document::extra, unknown node keys to Node::extra.
//
// A parameter whose JSON is none of bool, integer, real, text, list of integers and source (an unknown op's, or a
// mistake in a known one's) is kept twice: verbatim in Node::extra under "params", and as its text among the
// parameters, where a known op refuses it by kind. Writing puts the JSON back as long as the text is untouched.
#pragma once

#include "engine/document/document.h"

#include <string_view>

namespace engine {

// An entry of "tensors": what to load from the zip. Without a dtype: its name is kept in Document::tensorDTypes.
struct TensorEntry {
    std::string name, member;
    std::optional<DType> dtype;
    int depth = 0; // bits a sample, where it is not the dtype's own
};

struct ModelJson {
    Document document; // without the tensors' numbers
    std::vector<TensorEntry> tensors;
};

inline constexpr std::size_t kMaxGraphSize = 20000;     // nodes, and edges
inline constexpr std::uint32_t kMaxFileId = 0x7fffffff; // leaves room for fresh ids

Result<ModelJson> readModelJson(std::string_view text, const std::string& place, std::uint64_t memoryLimit);
Result<std::string> writeModelJson(const Document& document, const std::string& place);

// Names become members of a zip: relative, without "..", odd characters or empty parts.
bool isSafeTensorName(std::string_view name);

} // namespace engine
