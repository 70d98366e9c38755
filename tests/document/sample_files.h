// Small files made by hand for the tests of engine/document: byte for byte what a test wants, right or wrong. Nothing
// here uses the code under test. Bytes are std::string.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jpeglib.h>
#include <zlib.h>

namespace samples {

inline std::span<const std::byte> asBytes(const std::string& s)
{
    return std::as_bytes(std::span(s));
}

template <class T> std::string littleEndian(T value)
{
    std::string s;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        s += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 255);
    return s;
}

template <class T> std::string bigEndian(T value)
{
    std::string s = littleEndian(value);
    std::reverse(s.begin(), s.end());
    return s;
}

inline std::uint32_t crcOf(const std::string& s)
{
    return static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(s.data()), static_cast<uInt>(s.size())));
}

// windowBits as zlib has it: -15 raw, 15 zlib, 31 gzip.
inline std::string deflated(const std::string& s, int windowBits)
{
    z_stream z{};
    deflateInit2(&z, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&z, s.size()) + 32, '\0');
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(s.data()));
    z.avail_in = static_cast<uInt>(s.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}

// --- zip ---

struct ZipMember {
    std::string name, data;
    bool isDeflated = false;
    std::optional<std::uint32_t> claimedSize = {}, claimedCrc = {};
    std::uint16_t method = 0xffff; // 0xffff: what isDeflated says
    std::uint16_t flags = 0x0800;
};

inline std::string zipOf(const std::vector<ZipMember>& members)
{
    std::string out, directory;
    for (const ZipMember& m : members) {
        const std::string stored = m.isDeflated ? deflated(m.data, -15) : m.data;
        const auto method = static_cast<std::uint16_t>(m.method != 0xffff ? m.method : m.isDeflated ? 8 : 0);
        const std::string common = littleEndian<std::uint16_t>(20) + littleEndian(m.flags) + littleEndian(method) +
                                   littleEndian<std::uint16_t>(0) + littleEndian<std::uint16_t>(0x21) +
                                   littleEndian(m.claimedCrc.value_or(crcOf(m.data))) +
                                   littleEndian(static_cast<std::uint32_t>(stored.size())) +
                                   littleEndian(m.claimedSize.value_or(static_cast<std::uint32_t>(m.data.size()))) +
                                   littleEndian(static_cast<std::uint16_t>(m.name.size())) +
                                   littleEndian<std::uint16_t>(0);
        directory += "PK\x01\x02" + littleEndian<std::uint16_t>(20) + common + std::string(10, '\0') +
                     littleEndian(static_cast<std::uint32_t>(out.size())) + m.name;
        out += "PK\x03\x04" + common + m.name + stored;
    }
    const auto count = static_cast<std::uint16_t>(members.size());
    return out + directory + "PK\x05\x06" + std::string(4, '\0') + littleEndian(count) + littleEndian(count) +
           littleEndian(static_cast<std::uint32_t>(directory.size())) +
           littleEndian(static_cast<std::uint32_t>(out.size())) + std::string(2, '\0');
}

// --- npy, IDX ---

inline std::string npyWithHeader(const std::string& header, const std::string& data, char major = 1)
{
    const std::string magic = std::string("\x93NUMPY") + major + '\0';
    const std::string length = major == 1 ? littleEndian(static_cast<std::uint16_t>(header.size()))
                                          : littleEndian(static_cast<std::uint32_t>(header.size()));
    return magic + length + header + data;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool isFortran = false)
{
    return npyWithHeader("{'descr': '" + descr + "', 'fortran_order': " + (isFortran ? "True" : "False") +
                             ", 'shape': " + shape + ", }\n",
                         data);
}

inline std::string idx(int type, const std::vector<std::uint32_t>& dims, const std::string& data)
{
    std::string s{'\0', '\0', static_cast<char>(type), static_cast<char>(dims.size())};
    for (const std::uint32_t d : dims)
        s += bigEndian(d);
    return s + data;
}

// --- PNG ---

inline std::string pngChunk(const std::string& type, const std::string& data)
{
    return bigEndian(static_cast<std::uint32_t>(data.size())) + type + data + bigEndian(crcOf(type + data));
}

// `rows` as the format wants them: a filter byte before each row. `before` goes between IHDR and IDAT.
inline std::string png(std::uint32_t width, std::uint32_t height, int depth, int colorType, const std::string& rows,
                       const std::string& before = {})
{
    const std::string header = bigEndian(width) + bigEndian(height) + static_cast<char>(depth) +
                               static_cast<char>(colorType) + std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", header) + before + pngChunk("IDAT", deflated(rows, 15)) +
           pngChunk("IEND", {});
}

// --- JPEG ---

inline std::string exifSegment(int orientation, bool isBigEndian)
{
    const auto two = [&](std::uint16_t v) { return isBigEndian ? bigEndian(v) : littleEndian(v); };
    const auto four = [&](std::uint32_t v) { return isBigEndian ? bigEndian(v) : littleEndian(v); };
    return std::string("Exif\0\0", 6) + (isBigEndian ? "MM" : "II") + two(42) + four(8) + two(2) + //
           two(0x0100) + two(4) + four(1) + four(7) +                                              // width
           two(0x0112) + two(3) + four(1) + two(static_cast<std::uint16_t>(orientation)) + two(0) + four(0);
}

struct JpegOptions {
    int components = 1;
    bool isProgressive = false;
    std::string app1 = {};
    J_COLOR_SPACE space = JCS_UNKNOWN; // of the pixels; unknown: grey or RGB by components
};

inline std::string jpeg(unsigned width, unsigned height, const std::string& pixels, const JpegOptions& options)
{
    jpeg_compress_struct c{};
    jpeg_error_mgr errors{};
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    unsigned char* buffer = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&c, &buffer, &size);
    c.image_width = width;
    c.image_height = height;
    c.input_components = options.components;
    c.in_color_space = options.space != JCS_UNKNOWN ? options.space : options.components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&c);
    jpeg_set_quality(&c, 100, TRUE);
    if (options.isProgressive)
        jpeg_simple_progression(&c);
    jpeg_start_compress(&c, TRUE);
    if (!options.app1.empty())
        jpeg_write_marker(&c, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(options.app1.data()),
                          static_cast<unsigned>(options.app1.size()));
    while (c.next_scanline < height) {
        const std::size_t at = std::size_t{c.next_scanline} * width * static_cast<std::size_t>(options.components);
        auto* row = reinterpret_cast<JSAMPROW>(const_cast<char*>(pixels.data() + at));
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    std::string out(reinterpret_cast<char*>(buffer), size);
    jpeg_destroy_compress(&c);
    std::free(buffer);
    return out;
}

// A small picture whose pixels all differ from their neighbours.
inline std::string gradient(unsigned width, unsigned height, unsigned channels)
{
    std::string s;
    for (unsigned i = 0; i < width * height * channels; ++i)
        s += static_cast<char>(i * 37 % 251);
    return s;
}

// --- .mantissa ---

inline std::string repeated(const std::string& piece, std::size_t count)
{
    std::string s;
    s.reserve(piece.size() * count);
    for (std::size_t i = 0; i < count; ++i)
        s += piece;
    return s;
}

inline std::string modelZip(const std::string& json, bool isDeflated = false)
{
    return zipOf({{"model.json", json, isDeflated}});
}

inline std::string withNodes(const std::string& nodes, const std::string& rest = {})
{
    return R"({"mantissa": 1, "nodes": [)" + nodes + "]" + rest + "}";
}

} // namespace samples
