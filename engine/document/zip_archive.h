// Zip files through libzip, from and to memory: `.mantissa` and `.npz`. Reading believes no header: sizes are
// checked against the file, checksums are verified, encrypted and oddly compressed members are refused.
#pragma once

#include "engine/document/byte_stream.h"

#include <vector>

struct zip;

namespace engine {

// Error codes of whoever opens the archive.
struct ZipCodes {
    std::string damaged, refused, limit;
};

struct ZipMember {
    std::string name;
    std::uint64_t size = 0; // uncompressed, as declared; a stream that differs is damaged
    std::uint64_t index = 0;
};

class ZipArchive {
public:
    // The bytes must outlive the archive. Members are in the archive's order; folders are left out.
    static Result<ZipArchive> open(std::span<const std::byte> bytes, const std::string& place, ZipCodes codes);
    const std::vector<ZipMember>& members() const { return m_members; }
    const ZipMember* find(std::string_view name) const;
    Result<std::unique_ptr<ByteStream>> stream(const ZipMember& member) const;

private:
    struct Discard {
        void operator()(zip* archive) const;
    };
    Status list(std::size_t fileBytes);
    std::unique_ptr<zip, Discard> m_zip;
    std::vector<ZipMember> m_members;
    std::string m_place;
    ZipCodes m_codes;
};

inline constexpr std::size_t kMaxZipMembers = 20000;

struct ZipEntry {
    std::string name;
    std::vector<std::byte> bytes;
};
// Stored entries in this order, all dated 1980-01-01 00:00.
Result<std::vector<std::byte>> zipBytes(std::span<const ZipEntry> entries, const std::string& place);

} // namespace engine
