// Readers of numbers from other people's files, and the .npy writer. Every reader bounds its time and
// memory by the file's size, names the place of a fault, and never trusts a header.
#pragma once

#include "engine/model/runner.h"

namespace engine {

// By content, then by ending: .npy (1.0, 2.0, 3.0; both byte orders and storage orders), .npz member, IDX
// (also gzipped), PNG and JPEG (decoded by libpng and libjpeg; palettes expanded, gamma ignored, EXIF
// orientation applied; [H, W] for one channel, else [H, W, C]; low-depth greys keep their k and depth).
// Errors: "array-open", "array-truncated", "array-header", "array-dtype", "array-member", "array-limit",
// "image-decode".
Result<SourceArray> readArray(const std::string& path, const std::string& member = {},
                              Source::Channels channels = Source::Channels::Drop);
Result<SourceArray> readArrayBytes(std::span<const std::byte> bytes, const std::string& nameForMessages,
                                   const std::string& member = {}, Source::Channels channels = Source::Channels::Drop);
// Whole .npy file of a tensor (v1.0, little-endian, C order); bfloat16 and fp8 as bit patterns.
std::vector<std::byte> npyBytes(const Tensor& tensor);
Result<SourceArray> readNpy(std::span<const std::byte> bytes, const std::string& nameForMessages);
// Writes a file through a temporary and a rename. Error: "file-write"; the old file is then untouched.
Status writeFileAtomically(const std::string& path, std::span<const std::byte> bytes);

} // namespace engine
