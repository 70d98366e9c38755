// One array out of an .npz file, a zip of .npy members.
#include "engine/document/array_readers.h"
#include "engine/document/zip_archive.h"

namespace engine {

namespace {

std::string memberNames(const ZipArchive& archive)
{
    constexpr std::size_t kMost = 8;
    std::string names;
    for (std::size_t i = 0; i < std::min(archive.members().size(), kMost); ++i) {
        const std::string& name = archive.members()[i].name;
        names += (i ? ", " : "") + (name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name);
    }
    return archive.members().size() > kMost ? names + ", ..." : names;
}

} // namespace

Result<SourceArray> readNpzMember(ByteSpan bytes, const std::string& name, const std::string& member)
{
    const Result<ZipArchive> archive =
        ZipArchive::open(bytes, name, {"array-truncated", "array-member", "array-limit"});
    if (!archive)
        return archive.error();
    const auto& members = archive->members();
    if (member.empty() && members.size() != 1)
        return Error{"array-member", name,
                     "the file holds " + std::to_string(members.size()) + " arrays and none is named",
                     members.empty() ? "save an array into it" : "name one of " + memberNames(*archive)};
    const ZipMember* found = member.empty() ? &members.front() : archive->find(member + ".npy");
    if (!found)
        found = archive->find(member);
    if (!found)
        return Error{"array-member", name, "there is no member \"" + member + "\"",
                     "name one of " + memberNames(*archive)};
    const Result<std::unique_ptr<ByteStream>> stream = archive->stream(*found);
    if (!stream)
        return stream.error();
    return readNpyStream(**stream, name + ", member " + found->name, decodedLimit(bytes.size()));
}

} // namespace engine
