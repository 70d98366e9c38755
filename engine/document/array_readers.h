// The readers behind readArray, one per format. `name` starts the place of every error; `limit` bounds the bytes
// that a result may have (decodedLimit of the file).
#pragma once

#include "engine/document/array_files.h"
#include "engine/document/byte_stream.h"

namespace engine {

using ByteSpan = std::span<const std::byte>;

Result<SourceArray> readNpyStream(ByteStream& stream, const std::string& name, std::uint64_t limit);
Result<SourceArray> readNpzMember(ByteSpan bytes, const std::string& name, const std::string& member);
Result<SourceArray> readIdx(ByteSpan bytes, const std::string& name);
Result<SourceArray> readGzippedIdx(ByteSpan bytes, const std::string& name);
Result<SourceArray> decodePng(ByteSpan bytes, const std::string& name, Source::Channels channels);
Result<SourceArray> decodeJpeg(ByteSpan bytes, const std::string& name);

// Orientation tag of an APP1 segment (after its length), 1 to 8; 1 where there is none or it is damaged.
int exifOrientation(ByteSpan app1);

// --- shared by them ---

// Allocates and fills a tensor from the stream, which must end there. Errors: "array-limit", "array-truncated",
// "array-header" (bytes left over).
Result<Tensor> readElements(ByteStream& stream, DType dtype, const Shape& shape, const std::string& name,
                            std::uint64_t limit);
int depthOf(DType dtype); // 8 to 64 for unsigned integers, else 0
void swapByteOrder(Tensor& tensor);
// dtype, shape and depth of a tensor as read.
SourceArray sourceArrayOf(Tensor tensor);
// The same for decoded pixels: [height, width, channels], or [height, width] for one channel.
Result<Tensor> allocateImage(DType dtype, std::uint64_t height, std::uint64_t width, std::uint64_t channels,
                             const std::string& name, std::uint64_t limit);

} // namespace engine
