// `.mantissa` files, both ways: the zip, model.json and the tensors.
#include "engine/document/document_file.h"

#include "engine/document/array_readers.h"
#include "engine/document/model_json.h"
#include "engine/document/zip_archive.h"

#include <numeric>

namespace engine {

namespace {

constexpr std::string_view kModel = "model.json", kTensors = "tensors/", kNpy = ".npy";

Status checkMembers(const ZipArchive& archive, const std::string& name, std::uint64_t limit)
{
    std::uint64_t total = 0;
    for (const ZipMember& m : archive.members()) {
        const std::string place = name + ", " + m.name;
        if (!isSafeTensorName(m.name))
            return Error{"file-not-mantissa", place, "a member's name leaves its folder or has odd characters",
                         "do not trust this file"};
        if (m.name != kModel && !(m.name.starts_with(kTensors) && m.name.ends_with(kNpy)))
            return Error{"file-not-mantissa", place, "this member is not part of the format and saving would lose it",
                         "remove it from the zip"};
        if (m.size > limit - total)
            return Error{"file-limit", place,
                         "the members unpack to more than " + std::to_string(limit) +
                             " bytes, the most a file of this size may",
                         "store the tensors uncompressed"};
        total += m.size;
    }
    if (!archive.find(kModel))
        return Error{"file-not-mantissa", name, "the zip has no model.json", "choose a .mantissa file"};
    return success();
}

Result<std::string> readText(const ZipArchive& archive, const std::string& place)
{
    const ZipMember& member = *archive.find(kModel);
    const Result<std::unique_ptr<ByteStream>> stream = archive.stream(member);
    if (!stream)
        return stream.error();
    std::string text(static_cast<std::size_t>(member.size), '\0');
    const Result<std::size_t> got = (*stream)->read(std::as_writable_bytes(std::span(text)));
    if (!got)
        return got.error();
    if (*got != text.size())
        return Error{"file-truncated", place, "model.json ends too early", "copy or download the file again"};
    return text;
}

// The array under the dtype that model.json gives it: its own, or one that .npy can only hold as bit patterns.
Result<SourceArray> relabelled(SourceArray array, const TensorEntry& entry, const std::string& place)
{
    if (entry.dtype && *entry.dtype != array.dtype) {
        if (facts(*entry.dtype).numpy != facts(array.dtype).numpy || facts(array.dtype).kind != DTypeKind::Integer)
            return Error{"file-tensor", place,
                         "model.json says " + std::string(dtypeName(*entry.dtype)) + ", the .npy file holds " +
                             std::string(dtypeName(array.dtype)),
                         "correct dtype in model.json, or write the tensor again"};
        array.data = array.data.retyped(*entry.dtype);
        array.dtype = *entry.dtype;
    }
    array.integerDepth = entry.dtype ? entry.depth : array.integerDepth;
    return array;
}

Status loadTensors(const ZipArchive& archive, ModelJson& model, const std::string& name, std::uint64_t limit)
{
    std::set<std::string_view> unused;
    for (const ZipMember& m : archive.members())
        if (m.name != kModel)
            unused.insert(m.name);
    for (const TensorEntry& entry : model.tensors) {
        const std::string place = name + ", " + entry.member;
        const ZipMember* member = archive.find(entry.member);
        if (!member || entry.member == kModel)
            return Error{"file-tensor", place, "tensor \"" + entry.name + "\" names this member, which is not there",
                         "write the file again with it"};
        if (unused.erase(entry.member) == 0)
            return Error{"file-tensor", place, "two tensors name this member", "give each tensor its own"};
        const Result<std::unique_ptr<ByteStream>> stream = archive.stream(*member);
        if (!stream)
            return stream.error();
        Result<SourceArray> array = readNpyStream(**stream, place, limit);
        if (array)
            array = relabelled(std::move(*array), entry, place);
        if (!array) {
            // A member that is damaged as a part of the zip keeps its code; a bad .npy file is a bad tensor.
            if (array.error().code.starts_with("array-"))
                array.error().code = array.error().code == "array-limit" ? "file-limit" : "file-tensor";
            return array.error();
        }
        model.document.tensors.emplace(entry.name, std::move(*array));
    }
    if (!unused.empty())
        return Error{"file-tensor", name + ", " + std::string(*unused.begin()),
                     "no tensor of model.json names this member and saving would lose it",
                     "name it under \"tensors\", or remove it from the zip"};
    return success();
}

Result<Document> loadChecked(std::span<const std::byte> bytes, const std::string& name)
{
    const std::string_view start(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 2));
    if (bytes.empty())
        return Error{"file-truncated", name, "the file is empty", "copy or download it again"};
    if (!std::string_view("PK").starts_with(start))
        return Error{"file-not-mantissa", name, "this is no zip file, so no .mantissa file",
                     "choose a .mantissa file; .npy, images and others are read by an input node"};
    const Result<ZipArchive> archive =
        ZipArchive::open(bytes, name, {"file-truncated", "file-not-mantissa", "file-limit"});
    if (!archive)
        return archive.error();
    const std::uint64_t limit = decodedLimit(bytes.size());
    if (const Status status = checkMembers(*archive, name, limit); !status)
        return status.error();
    const auto& members = archive->members();
    const std::uint64_t total = std::accumulate(members.begin(), members.end(), std::uint64_t{0},
                                                [](std::uint64_t sum, const ZipMember& m) { return sum + m.size; });
    const std::string place = name + ", " + std::string(kModel);
    Result<ModelJson> model = [&]() -> Result<ModelJson> {
        const Result<std::string> text = readText(*archive, place);
        return text ? readModelJson(*text, place, limit - total) : Result<ModelJson>(text.error());
    }();
    if (!model)
        return model.error();
    if (const Status status = loadTensors(*archive, *model, name, limit); !status)
        return status.error();
    return std::move(model->document);
}

} // namespace

Result<Document> loadDocumentBytes(std::span<const std::byte> bytes, const std::string& nameForMessages)
{
    try {
        return loadChecked(bytes, nameForMessages);
    } catch (const std::exception& e) {
        return Error{"file-limit", nameForMessages, std::string("it cannot be read: ") + e.what(),
                     "close other programs, or use a smaller file"};
    }
}

Result<Document> loadDocument(const std::string& path)
{
    const Result<FileBytes> bytes = readFileBytes(path, "file");
    if (!bytes)
        return bytes.error();
    return loadDocumentBytes(bytes->span(), path);
}

Result<std::vector<std::byte>> documentBytes(const Document& document)
{
    const std::string place = document.title.empty() ? "the document" : "document \"" + document.title + "\"";
    try {
        const Result<std::string> text = writeModelJson(document, place);
        if (!text)
            return text.error();
        std::vector<ZipEntry> entries;
        const auto jsonBytes = std::as_bytes(std::span(*text));
        entries.push_back({std::string(kModel), {jsonBytes.begin(), jsonBytes.end()}});
        for (const auto& [name, array] : document.tensors)
            entries.push_back({std::string(kTensors) + name + std::string(kNpy), npyBytes(array.data)});
        return zipBytes(entries, place);
    } catch (const std::exception& e) {
        return Error{"file-write", place, std::string("it cannot be written: ") + e.what(), "close other programs"};
    }
}

Status saveDocument(const Document& document, const std::string& path)
{
    const Result<std::vector<std::byte>> bytes = documentBytes(document);
    if (!bytes)
        return bytes.error();
    return writeFileAtomically(path, *bytes);
}

} // namespace engine
