// Which reader a file gets: by its first bytes, else by its ending.
#include "engine/document/array_files.h"

#include "engine/document/array_readers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace engine {

namespace {

enum class Format { Unknown, Npy, Npz, Png, Jpeg, Gzip, Idx };

struct Signature {
    Format format;
    std::string_view start;
};
constexpr std::array<Signature, 6> kSignatures{{
    {Format::Npy, "\x93NUMPY"},
    {Format::Npz, "PK\x03\x04"},
    {Format::Npz, "PK\x05\x06"},
    {Format::Png, "\x89PNG\r\n\x1a\n"},
    {Format::Jpeg, "\xff\xd8\xff"},
    {Format::Gzip, "\x1f\x8b"},
}};

struct Ending {
    Format format;
    std::string_view ending;
};
constexpr std::array<Ending, 7> kEndings{{
    {Format::Npy, ".npy"},
    {Format::Npz, ".npz"},
    {Format::Png, ".png"},
    {Format::Jpeg, ".jpg"},
    {Format::Jpeg, ".jpeg"},
    {Format::Gzip, ".gz"},
    {Format::Idx, "-ubyte"},
}};

Format formatOf(std::string_view start, const std::string& name)
{
    for (const Signature& s : kSignatures)
        if (start.starts_with(s.start))
            return s.format;
    if (start.size() >= 4 && start[0] == 0 && start[1] == 0 && start[2] >= 8 && start[2] <= 14 && start[3] >= 1 &&
        start[3] <= kMaxRank)
        return Format::Idx;
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Ending& e : kEndings)
        if (lower.ends_with(e.ending))
            return e.format;
    return Format::Unknown;
}

Result<SourceArray> readAs(Format format, ByteSpan bytes, const std::string& name, const std::string& member,
                           Source::Channels channels)
{
    if (!member.empty() && format != Format::Npz)
        return Error{"array-member", name,
                     "only .npz files have members, this is none, so \"" + member + "\" is not in it",
                     "leave the member out"};
    switch (format) {
    case Format::Npy:
        return readNpy(bytes, name);
    case Format::Npz:
        return readNpzMember(bytes, name, member);
    case Format::Png:
        return decodePng(bytes, name, channels);
    case Format::Jpeg:
        return decodeJpeg(bytes, name);
    case Format::Gzip:
        return readGzippedIdx(bytes, name);
    case Format::Idx:
        return readIdx(bytes, name);
    case Format::Unknown:
        break;
    }
    if (bytes.empty())
        return Error{"array-truncated", name, "the file is empty", "copy or write the file again"};
    return Error{"array-header", name, "neither its first bytes nor its ending say what this is",
                 "use .npy, .npz, IDX (also gzipped), PNG or JPEG"};
}

} // namespace

Result<SourceArray> readArrayBytes(std::span<const std::byte> bytes, const std::string& nameForMessages,
                                   const std::string& member, Source::Channels channels)
{
    try {
        const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                                     std::min<std::size_t>(bytes.size(), 8));
        return readAs(formatOf(start, nameForMessages), bytes, nameForMessages, member, channels);
    } catch (const std::exception& e) {
        return Error{"array-limit", nameForMessages, std::string("it cannot be read: ") + e.what(),
                     "close other programs, or use a smaller file"};
    }
}

Result<SourceArray> readArray(const std::string& path, const std::string& member, Source::Channels channels)
{
    const Result<FileBytes> bytes = readFileBytes(path, "array");
    if (!bytes)
        return bytes.error();
    return readArrayBytes(bytes->span(), path, member, channels);
}

} // namespace engine
