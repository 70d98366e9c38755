// IDX, the format of MNIST: 0, 0, a type code, the rank, then the sizes and the elements, all big-endian.
#include "engine/document/array_readers.h"

#include <array>
#include <zlib.h>

namespace engine {

namespace {

std::optional<DType> typeOf(std::byte code)
{
    switch (std::to_integer<int>(code)) {
    case 0x08:
        return DType::u8;
    case 0x09:
        return DType::i8;
    case 0x0B:
        return DType::i16;
    case 0x0C:
        return DType::i32;
    case 0x0D:
        return DType::f32;
    case 0x0E:
        return DType::f64;
    default:
        return std::nullopt;
    }
}

Error tooShort(const std::string& name, std::size_t at)
{
    return {"array-truncated", name + ", byte " + std::to_string(at), "the file ends inside its IDX header",
            "copy or download the file again"};
}

Result<SourceArray> readIdxStream(ByteStream& stream, const std::string& name, std::uint64_t limit)
{
    std::array<std::byte, 4> word{};
    Result<std::size_t> got = stream.read(word);
    if (!got)
        return got.error();
    if (*got < word.size())
        return tooShort(name, *got);
    const std::optional<DType> dtype = typeOf(word[2]);
    const int rank = std::to_integer<int>(word[3]);
    if (word[0] != std::byte{0} || word[1] != std::byte{0} || !dtype)
        return Error{"array-header", name + ", byte 0",
                     "this is no IDX header: two zero bytes and a type code (8, 9, 11 to 14) are missing",
                     "use an IDX, .npy, .npz, PNG or JPEG file"};
    if (rank < 1 || rank > kMaxRank)
        return Error{"array-header", name + ", byte 3", "the IDX header claims " + std::to_string(rank) + " dimensions",
                     "1 to " + std::to_string(kMaxRank) + " are possible"};
    std::vector<std::int64_t> dims;
    for (int d = 0; d < rank; ++d) {
        got = stream.read(word);
        if (!got)
            return got.error();
        if (*got < word.size())
            return tooShort(name, 4 + 4 * static_cast<std::size_t>(d) + *got);
        std::int64_t size = 0;
        for (const std::byte b : word)
            size = size << 8 | std::to_integer<std::int64_t>(b);
        dims.push_back(size);
    }
    Result<Tensor> tensor = readElements(stream, *dtype, Shape(std::move(dims)), name, limit);
    if (!tensor)
        return tensor.error();
    swapByteOrder(*tensor);
    return sourceArrayOf(std::move(*tensor));
}

// Inflates as it is read, so that nothing is held twice.
class GzipStream final : public ByteStream {
public:
    GzipStream(ByteSpan bytes, std::string name) : m_name(std::move(name)), m_rest(bytes)
    {
        m_isOpen = inflateInit2(&m_z, 16 + MAX_WBITS) == Z_OK; // 16: gzip, with its checksum
    }
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;
    ~GzipStream() override { inflateEnd(&m_z); }

    Result<std::size_t> read(std::span<std::byte> to) override
    {
        if (!m_isOpen)
            return Error{"array-limit", m_name, "zlib has no memory", "close other programs"};
        std::size_t done = 0;
        while (done < to.size() && !m_isAtEnd) {
            refill();
            const std::size_t step = std::min(to.size() - done, std::size_t{1} << 30);
            m_z.next_out = reinterpret_cast<Bytef*>(to.data() + done);
            m_z.avail_out = static_cast<uInt>(step);
            const int code = inflate(&m_z, Z_NO_FLUSH);
            done += step - m_z.avail_out;
            if (code == Z_STREAM_END)
                m_isAtEnd = true;
            else if (code != Z_OK)
                return Error{"array-truncated", m_name + ", byte " + std::to_string(m_z.total_in),
                             m_rest.empty() && m_z.avail_in == 0 ? "the gzip data ends too early"
                                                                 : "the gzip data is damaged",
                             "copy or download the file again"};
        }
        return done;
    }

private:
    void refill()
    {
        if (m_z.avail_in > 0 || m_rest.empty())
            return;
        const std::size_t step = std::min(m_rest.size(), std::size_t{1} << 30);
        m_z.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(m_rest.data()));
        m_z.avail_in = static_cast<uInt>(step);
        m_rest = m_rest.subspan(step);
    }
    std::string m_name;
    ByteSpan m_rest;
    z_stream m_z{};
    bool m_isOpen = false, m_isAtEnd = false;
};

} // namespace

Result<SourceArray> readIdx(ByteSpan bytes, const std::string& name)
{
    SpanStream stream(bytes);
    return readIdxStream(stream, name, decodedLimit(bytes.size()));
}

Result<SourceArray> readGzippedIdx(ByteSpan bytes, const std::string& name)
{
    GzipStream stream(bytes, name);
    return readIdxStream(stream, name, decodedLimit(bytes.size()));
}

} // namespace engine
