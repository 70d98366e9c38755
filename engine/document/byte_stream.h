// Bytes as the readers of this layer take them: from memory, from a zip member, out of gzip. And whole files.
// Nobody allocates by what a header claims before the limit here, or the bytes left, allowed it.
#pragma once

#include "engine/model/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace engine {

class ByteStream {
public:
    virtual ~ByteStream() = default;
    // Fills as much of `to` as there is: fewer bytes only at the end. An error where the stream is damaged.
    virtual Result<std::size_t> read(std::span<std::byte> to) = 0;
    // Bytes left, where that is known without reading.
    virtual std::optional<std::uint64_t> left() const { return std::nullopt; }
};

class SpanStream final : public ByteStream {
public:
    explicit SpanStream(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    Result<std::size_t> read(std::span<std::byte> to) override
    {
        const std::size_t n = std::min(to.size(), m_bytes.size());
        if (n > 0)
            std::memcpy(to.data(), m_bytes.data(), n);
        m_bytes = m_bytes.subspan(n);
        return n;
    }
    std::optional<std::uint64_t> left() const override { return m_bytes.size(); }

private:
    std::span<const std::byte> m_bytes;
};

// What may be made of a file of this many bytes: with the file itself in memory, 4 x the file + 64 MB is never
// reached.
constexpr std::uint64_t decodedLimit(std::uint64_t fileBytes)
{
    return 3 * fileBytes + (std::uint64_t{56} << 20);
}
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{16} << 30;

struct FileBytes {
    std::unique_ptr<std::byte[]> data;
    std::size_t size = 0;
    std::span<const std::byte> span() const { return {data.get(), size}; }
};

// A whole regular file; error codes are family + "-open", "-truncated" or "-limit".
Result<FileBytes> readFileBytes(const std::string& path, const std::string& family);

} // namespace engine
