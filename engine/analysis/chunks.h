// How every pass of the analysis is cut: chunks of 65536 elements, one task each, whose results are
// combined in index order (the same bits for any number of threads), and blocks of 256 elements that stay
// in the first-level cache.
#pragma once

#include "engine/model/exec.h"

#include <algorithm>

namespace engine {

inline constexpr std::int64_t kChunk = 65536;
inline constexpr int kBlock = 256;

inline std::int64_t chunkCount(std::int64_t elements)
{
    return (elements + kChunk - 1) / kChunk;
}

// body(chunk, begin, end), in parallel. False: stopped.
template <class Body> bool forChunks(const Exec& exec, std::int64_t elements, const Body& body)
{
    return exec.parallelFor(chunkCount(elements), [&](std::int64_t chunk) {
        body(chunk, chunk * kChunk, std::min(elements, (chunk + 1) * kChunk));
    });
}

// body(first, count) over [begin, end), in order.
template <class Body> void forBlocks(std::int64_t begin, std::int64_t end, const Body& body)
{
    for (std::int64_t i = begin; i < end; i += kBlock)
        body(i, static_cast<int>(std::min<std::int64_t>(kBlock, end - i)));
}

} // namespace engine
