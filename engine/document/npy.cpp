// The .npy format, both ways: numpy.lib.format 1.0, 2.0 and 3.0 in, 1.0 out.
#include "engine/document/array_readers.h"
#include "engine/document/npy_header.h"

#include <array>

namespace engine {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 65536;

std::string_view textOf(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Elements of a Fortran-ordered file, first axis fastest, put into row-major order.
Tensor toRowMajor(const Tensor& stored, const Shape& shape)
{
    Tensor result = Tensor::allocate(stored.dtype(), shape);
    const auto size = static_cast<std::size_t>(facts(stored.dtype()).bytes);
    const auto rank = static_cast<std::size_t>(shape.rank());
    std::vector<std::int64_t> index(rank, 0), stride(rank, 1);
    for (std::size_t d = 1; d < rank; ++d)
        stride[d] = stride[d - 1] * shape.dims()[d - 1];
    std::byte* out = result.mutableRaw();
    std::int64_t from = 0;
    for (std::int64_t i = 0; i < result.elements(); ++i, out += size) {
        std::memcpy(out, stored.raw() + static_cast<std::size_t>(from) * size, size);
        for (std::size_t d = rank; d-- > 0;) {
            from += stride[d];
            if (++index[d] < shape.dims()[d])
                break;
            from -= stride[d] * shape.dims()[d];
            index[d] = 0;
        }
    }
    return result;
}

// NumPy lets a bool byte be anything; here it is 0 or 1.
void normalizeBools(Tensor& tensor)
{
    std::byte* p = tensor.mutableRaw();
    for (std::int64_t i = 0; i < tensor.elements(); ++i)
        p[i] = p[i] == std::byte{0} ? std::byte{0} : std::byte{1};
}

Error tooShort(const std::string& name, std::size_t at)
{
    return {"array-truncated", name + ", byte " + std::to_string(at), "the file ends inside its .npy header",
            "copy or write the file again"};
}

Result<NpyHeader> readHeader(ByteStream& stream, const std::string& name)
{
    std::array<std::byte, 12> prefix{};
    Result<std::size_t> got = stream.read({prefix.data(), 10});
    if (!got)
        return got.error();
    if (*got < 10)
        return tooShort(name, *got);
    if (textOf(prefix).substr(0, 6) != kMagic)
        return Error{"array-header", name + ", byte 0", "this does not start like an .npy file",
                     "write it with numpy.save"};
    const auto byteAt = [&prefix](std::size_t i) { return std::to_integer<std::size_t>(prefix[i]); };
    const std::size_t major = byteAt(6);
    if (major < 1 || major > 3 || byteAt(7) != 0)
        return Error{"array-header", name + ", byte 6",
                     ".npy version " + std::to_string(major) + "." + std::to_string(byteAt(7)) + " is unknown",
                     "versions 1.0, 2.0 and 3.0 are read"};
    std::size_t length = byteAt(8) | byteAt(9) << 8, offset = 10;
    if (major > 1) {
        got = stream.read({prefix.data() + 10, 2});
        if (!got)
            return got.error();
        if (*got < 2)
            return tooShort(name, 10 + *got);
        length |= byteAt(10) << 16 | byteAt(11) << 24;
        offset = 12;
    }
    if (length > kMaxHeader)
        return Error{"array-limit", name + ", byte 8",
                     "the .npy header claims " + std::to_string(length) + " bytes, more than " +
                         std::to_string(kMaxHeader),
                     "write the file again with numpy.save"};
    std::vector<std::byte> text(length);
    got = stream.read(text);
    if (!got)
        return got.error();
    if (*got < length)
        return tooShort(name, offset + *got);
    return parseNpyHeader(textOf(text), name, offset);
}

} // namespace

Result<SourceArray> readNpyStream(ByteStream& stream, const std::string& name, std::uint64_t limit)
{
    const Result<NpyHeader> header = readHeader(stream, name);
    if (!header)
        return header.error();
    // A Fortran-ordered array is held twice while it is put into order.
    Result<Tensor> tensor =
        readElements(stream, header->dtype, header->shape, name, header->isFortran ? limit / 2 : limit);
    if (!tensor)
        return tensor.error();
    if (header->isBigEndian)
        swapByteOrder(*tensor);
    if (header->dtype == DType::boolean)
        normalizeBools(*tensor);
    if (header->isFortran && header->shape.rank() > 1)
        return sourceArrayOf(toRowMajor(*tensor, header->shape));
    return sourceArrayOf(std::move(*tensor));
}

Result<SourceArray> readNpy(std::span<const std::byte> bytes, const std::string& nameForMessages)
{
    try {
        SpanStream stream(bytes);
        return readNpyStream(stream, nameForMessages, decodedLimit(bytes.size()));
    } catch (const std::exception& e) {
        return Error{"array-limit", nameForMessages, e.what(), "use a smaller file"};
    }
}

std::vector<std::byte> npyBytes(const Tensor& tensor)
{
    std::string shape = "(";
    for (const std::int64_t d : tensor.shape().dims())
        shape += std::to_string(d) + (tensor.shape().rank() == 1 ? "," : ", ");
    if (tensor.shape().rank() > 1)
        shape.resize(shape.size() - 2);
    std::string header = "{'descr': '" + std::string(facts(tensor.dtype()).numpy) +
                         "', 'fortran_order': False, 'shape': " + shape + "), }";
    // As NumPy pads: the data begins at a multiple of 64.
    header.append(63 - (kMagic.size() + 4 + header.size()) % 64, ' ');
    header += '\n';
    std::string head(kMagic);
    head += {'\x01', '\x00', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
    head += header;
    const auto dataBytes = static_cast<std::size_t>(tensor.bytes());
    std::vector<std::byte> bytes(head.size() + dataBytes);
    std::memcpy(bytes.data(), head.data(), head.size());
    if (dataBytes > 0)
        std::memcpy(bytes.data() + head.size(), tensor.raw(), dataBytes);
    return bytes;
}

} // namespace engine
