// From the graph's sources to the arrays a run needs: tensors of the document, files beside it.
#include "engine/document/array_files.h"
#include "engine/document/document.h"

#include <filesystem>

namespace engine {

namespace {

Result<SourceArray> loadSource(const Document& document, const Source& source, const std::string& baseDir)
{
    if (source.kind == Source::Kind::File) {
        if (source.name.empty())
            return Error{"source-file", {}, "no file is named", "choose a file"};
        // An absolute path replaces the folder.
        return readArray((std::filesystem::path(baseDir) / source.name).string(), source.member, source.channels);
    }
    const auto it = document.tensors.find(source.name);
    if (it == document.tensors.end())
        return Error{"source-tensor",
                     {},
                     "the document has no tensor \"" + source.name + "\"",
                     "name one of its tensors, or use an initialiser"};
    if (const auto unknown = document.tensorDTypes.find(source.name); unknown != document.tensorDTypes.end())
        return Error{"source-tensor",
                     {},
                     "tensor \"" + source.name + "\" has the dtype \"" + unknown->second +
                         "\", which this program does not know",
                     "use a newer program, or another tensor"};
    return it->second;
}

} // namespace

ResolvedArrays resolveArrays(const Document& document, const std::string& baseDir)
{
    ResolvedArrays resolved;
    std::map<std::string, Error> failed;
    for (const auto& [id, node] : document.graph.nodes())
        for (const auto& [name, value] : node.params) {
            const auto* source = std::get_if<Source>(&value);
            const std::string key = source ? source->arrayKey() : std::string();
            // A wired port's own source is not used.
            if (key.empty() || resolved.arrays.contains(key) || document.graph.edgeInto(id, name))
                continue;
            if (!failed.contains(key)) {
                Result<SourceArray> array = loadSource(document, *source, baseDir);
                if (array) {
                    resolved.arrays.emplace(key, std::move(*array));
                    continue;
                }
                failed.emplace(key, array.error());
            }
            Finding finding;
            finding.severity = Severity::Error;
            finding.node = id;
            finding.rule = "source";
            finding.message = placeOf(node) + ", parameter " + name + ": " + failed.at(key).text();
            finding.remedies = {"fix-parameter"};
            resolved.findings.push_back(std::move(finding));
        }
    return resolved;
}

} // namespace engine
