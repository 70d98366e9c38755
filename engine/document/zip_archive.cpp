// Reading and writing zip archives in memory with libzip.
#include "engine/document/zip_archive.h"

#include <set>
#include <string_view>
#include <zip.h>

namespace engine {

namespace {

// 1980-01-01 in MS-DOS form: year since 1980 << 9 | month << 5 | day.
constexpr zip_uint16_t kFirstDosDate = 1 << 5 | 1;

class ZipMemberStream final : public ByteStream {
public:
    ZipMemberStream(zip_file_t* file, std::uint64_t size, Error damaged)
        : m_file(file, &zip_fclose), m_left(size), m_damaged(std::move(damaged))
    {
    }
    Result<std::size_t> read(std::span<std::byte> to) override
    {
        const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), m_left));
        for (std::size_t done = 0; done < wanted;) {
            const zip_int64_t n = zip_fread(m_file.get(), to.data() + done, wanted - done);
            if (n <= 0)
                return m_damaged;
            done += static_cast<std::size_t>(n);
        }
        m_left -= wanted;
        // libzip verifies the checksum where it sees the end.
        std::byte beyond{};
        if (m_left == 0 && !std::exchange(m_isVerified, true) && zip_fread(m_file.get(), &beyond, 1) != 0)
            return m_damaged;
        return wanted;
    }
    std::optional<std::uint64_t> left() const override { return m_left; }

private:
    std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> m_file;
    std::uint64_t m_left;
    Error m_damaged;
    bool m_isVerified = false;
};

// libzip allocates by the directory's own count; this counts what is really there.
bool hasTooManyHeaders(std::span<const std::byte> bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::size_t count = 0;
    for (std::size_t at = text.find("PK\x01\x02"); at != std::string_view::npos; at = text.find("PK\x01\x02", at + 4))
        if (++count > kMaxZipMembers)
            return true;
    return false;
}

std::string errorText(zip_error_t& error)
{
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}

} // namespace

void ZipArchive::Discard::operator()(zip* archive) const
{
    zip_discard(archive);
}

Result<ZipArchive> ZipArchive::open(std::span<const std::byte> bytes, const std::string& place, ZipCodes codes)
{
    if (hasTooManyHeaders(bytes))
        return Error{codes.limit, place, "the zip has more than " + std::to_string(kMaxZipMembers) + " members",
                     "split it"};
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    zip_t* opened = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
    if (!opened) {
        if (source)
            zip_source_free(source);
        return Error{codes.damaged, place,
                     "the zip of " + std::to_string(bytes.size()) +
                         " bytes is cut short or damaged: " + errorText(error),
                     "copy or download the file again"};
    }
    zip_error_fini(&error);
    ZipArchive archive;
    archive.m_zip.reset(opened);
    archive.m_place = place;
    archive.m_codes = std::move(codes);
    if (Status status = archive.list(bytes.size()); !status)
        return status.error();
    return archive;
}

Status ZipArchive::list(std::size_t fileBytes)
{
    const auto refuse = [this](const std::string& what) {
        return Error{m_codes.refused, m_place, what, "write the zip again with stored or deflated members"};
    };
    const zip_int64_t count = zip_get_num_entries(m_zip.get(), 0);
    if (count > static_cast<zip_int64_t>(kMaxZipMembers))
        return Error{m_codes.limit, m_place, "the zip has " + std::to_string(count) + " members", "split it"};
    std::set<std::string_view> names;
    m_members.reserve(static_cast<std::size_t>(std::max<zip_int64_t>(count, 0)));
    for (zip_int64_t i = 0; i < count; ++i) {
        zip_stat_t info;
        zip_stat_init(&info);
        const auto index = static_cast<zip_uint64_t>(i);
        constexpr zip_uint64_t kNeeded =
            ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(m_zip.get(), index, 0, &info) != 0 || (info.valid & kNeeded) != kNeeded)
            return Error{m_codes.damaged, m_place, "member " + std::to_string(i) + " has no readable header",
                         "copy or download the file again"};
        const std::string name = info.name;
        const std::string quoted = "member \"" + name + "\"";
        if (info.encryption_method != ZIP_EM_NONE)
            return refuse(quoted + " is encrypted");
        if (info.comp_method != ZIP_CM_STORE && info.comp_method != ZIP_CM_DEFLATE)
            return refuse(quoted + " has compression method " + std::to_string(info.comp_method));
        if (info.comp_size > fileBytes || (info.comp_method == ZIP_CM_STORE && info.size != info.comp_size))
            return Error{m_codes.damaged, m_place,
                         quoted + " claims " + std::to_string(info.size) + " bytes in " +
                             std::to_string(info.comp_size) + " of a file of " + std::to_string(fileBytes),
                         "copy or download the file again"};
        if (info.size == 0 && name.ends_with('/'))
            continue;
        m_members.push_back({name, info.size, index});
        if (!names.insert(info.name).second)
            return refuse(quoted + " is there twice");
    }
    return success();
}

const ZipMember* ZipArchive::find(std::string_view name) const
{
    const auto it =
        std::find_if(m_members.begin(), m_members.end(), [name](const ZipMember& m) { return m.name == name; });
    return it == m_members.end() ? nullptr : &*it;
}

Result<std::unique_ptr<ByteStream>> ZipArchive::stream(const ZipMember& member) const
{
    const Error damaged{m_codes.damaged, m_place + ", " + member.name,
                        "the member's bytes are not those its header and checksum claim",
                        "copy or download the file again"};
    zip_file_t* file = zip_fopen_index(m_zip.get(), member.index, 0);
    if (!file)
        return damaged;
    return std::unique_ptr<ByteStream>(std::make_unique<ZipMemberStream>(file, member.size, damaged));
}

Result<std::vector<std::byte>> zipBytes(std::span<const ZipEntry> entries, const std::string& place)
{
    zip_error_t error;
    zip_error_init(&error);
    const auto failure = [&](const std::string& why) {
        return Error{"file-write", place, "the zip cannot be made: " + why, "free memory and try again"};
    };
    zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
    zip_t* archive = target ? zip_open_from_source(target, ZIP_TRUNCATE, &error) : nullptr;
    if (!archive) {
        if (target)
            zip_source_free(target);
        return failure(errorText(error));
    }
    zip_error_fini(&error);
    zip_source_keep(target);
    const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> guard(target, &zip_source_free);
    bool isWritten = true;
    for (const ZipEntry& e : entries) {
        zip_source_t* source = zip_source_buffer(archive, e.bytes.data(), e.bytes.size(), 0);
        const zip_int64_t index = source ? zip_file_add(archive, e.name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
        if (source && index < 0)
            zip_source_free(source);
        const auto i = static_cast<zip_uint64_t>(index);
        isWritten = isWritten && index >= 0 && zip_set_file_compression(archive, i, ZIP_CM_STORE, 0) == 0 &&
                    zip_file_set_dostime(archive, i, 0, kFirstDosDate, 0) == 0;
    }
    // An empty archive is no file to libzip; there always is a model.json.
    if (!isWritten || zip_close(archive) != 0) {
        const std::string why = zip_strerror(archive);
        zip_discard(archive);
        return failure(why);
    }
    std::vector<std::byte> bytes;
    if (zip_source_open(target) != 0)
        return failure("its bytes cannot be read back");
    const bool isRead = zip_source_seek(target, 0, SEEK_END) == 0;
    const zip_int64_t size = isRead ? zip_source_tell(target) : -1;
    if (size > 0 && zip_source_seek(target, 0, SEEK_SET) == 0) {
        bytes.resize(static_cast<std::size_t>(size));
        for (std::size_t done = 0; done < bytes.size();) {
            const zip_int64_t n = zip_source_read(target, bytes.data() + done, bytes.size() - done);
            if (n <= 0) {
                bytes.clear();
                break;
            }
            done += static_cast<std::size_t>(n);
        }
    }
    zip_source_close(target);
    return bytes.empty() ? Result<std::vector<std::byte>>(failure("its bytes cannot be read back")) : bytes;
}

} // namespace engine
