// `.mantissa`: a zip (stored entries, fixed timestamps) of model.json (canonical, one line per node) and
// tensors/*.npy. Saving is atomic; save, load, save is byte-identical; unknown ops and fields survive.
// The format is documented in docs/file-format.md.
#pragma once

#include "engine/document/document.h"

namespace engine {

inline constexpr int kFileVersion = 1;

// Errors: "file-open", "file-not-mantissa", "file-truncated", "file-json", "file-version", "file-field",
// "file-tensor", "file-limit"; place names file and member or JSON pointer. Needs no more than 4 x the
// file + 64 MB of memory for any input.
Result<Document> loadDocument(const std::string& path);
Result<Document> loadDocumentBytes(std::span<const std::byte> bytes, const std::string& nameForMessages);

// Through a temporary file in the same folder, fsync and rename. The old file stays whole on any error: "file-write",
// or "file-field" and "file-tensor" where the document holds what a file cannot (a text that is no UTF-8).
Status saveDocument(const Document& document, const std::string& path);
Result<std::vector<std::byte>> documentBytes(const Document& document);

} // namespace engine
