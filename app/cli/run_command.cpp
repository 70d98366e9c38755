#include "app/cli/commands.h"
#include "app/cli/limits.h"
#include "app/cli/terminal.h"
#include "engine/dialects/dialects.h"
#include "engine/document/array_files.h"
#include "engine/document/document_file.h"
#include "engine/ops/ops.h"
#include "engine/report/dump.h"
#include "engine/report/text_report.h"
#include "engine/report/text_table.h"
#include "engine/run/local_runner.h"

#include <cstdio>
#include <filesystem>

namespace app {

namespace {

using namespace engine;

constexpr int kLimitExceeded = 3;

const Node* findNode(const Graph& graph, const std::string& idOrName)
{
    for (const auto& [id, node] : graph.nodes())
        if (node.name == idOrName)
            return &node;
    for (const auto& [id, node] : graph.nodes())
        if (std::to_string(id.value) == idOrName)
            return &node;
    return nullptr;
}

// The node's own shape with its first dimension open, or the array's where it has as many dimensions.
IntList shapeForArray(const Node& node, const Shape& array)
{
    const auto it = node.params.find("shape");
    if (it == node.params.end() || !std::holds_alternative<IntList>(it->second))
        return array.dims();
    IntList dims = std::get<IntList>(it->second);
    if (dims.empty() || dims.size() == array.dims().size())
        return array.dims();
    dims.front() = -1;
    return dims;
}

Status replaceInput(Document& document, ArrayTable& arrays, const InputFile& input)
{
    const Node* found = findNode(document.graph, input.node);
    if (!found || found->op != "input")
        return Error{"input-node", "--input " + input.node,
                     found ? "node \"" + found->name + "\" is a " + found->op + ", not an input"
                           : "there is no such node",
                     "name an input node by its id or name"};
    auto array = readArray(input.path);
    if (!array)
        return array.error();
    Node node = *found;
    Source source;
    if (const auto it = node.params.find("value"); it != node.params.end())
        if (const auto* old = std::get_if<Source>(&it->second))
            source.scale = old->scale;
    source.kind = Source::Kind::File;
    source.name = input.path;
    node.params["shape"] = shapeForArray(node, array->shape);
    node.params["value"] = source;
    arrays[source.arrayKey()] = std::move(*array);
    return document.graph.replaceNode(std::move(node));
}

struct Loaded {
    Document document;
    ArrayTable arrays;
};

Result<Loaded> load(const Arguments& a)
{
    auto document = loadDocument(a.model);
    if (!document)
        return document.error();
    Loaded loaded{std::move(*document), {}};
    ArrayTable replaced;
    for (const InputFile& input : a.inputs)
        if (auto s = replaceInput(loaded.document, replaced, input); !s)
            return s.error();
    ResolvedArrays resolved = resolveArrays(loaded.document, std::filesystem::path(a.model).parent_path().string());
    for (auto& [key, array] : replaced)
        resolved.arrays[key] = std::move(array);
    for (const Finding& f : resolved.findings) {
        const Node* node = loaded.document.graph.find(f.node);
        const bool isReplaced = node && [&] {
            for (const InputFile& input : a.inputs)
                if (findNode(loaded.document.graph, input.node) == node)
                    return true;
            return false;
        }();
        if (f.severity == Severity::Error && !isReplaced)
            return Error{"source", node ? placeOf(*node, f.port) : a.model, f.message,
                         "put the file in place, or give the values with --input"};
    }
    loaded.arrays = std::move(resolved.arrays);
    return loaded;
}

Result<RunRequest> makeRequest(const Arguments& a, const Loaded& loaded)
{
    RunRequest request;
    request.graph = loaded.document.graph;
    request.arrays = loaded.arrays;
    request.floatx = loaded.document.settings.floatx;
    request.backend = a.backend.value_or(loaded.document.settings.backend);
    request.batch = a.batch;
    request.memoryLimit = a.memoryLimit;
    request.wantReference = request.wantStages = a.command == Command::Run;
    request.keepStages = !a.dumpDirectory.empty();
    std::vector<std::string> dialects = a.dialects;
    if (a.allDialects) {
        dialects.clear();
        for (const DialectSpec* d : dialectCatalog().all())
            dialects.emplace_back(d->name);
    }
    if (dialects.empty())
        dialects = {loaded.document.settings.dialect};
    const std::vector<Combo> combos = a.combos.empty() ? std::vector{loaded.document.settings.combo} : a.combos;
    for (const std::string& d : dialects)
        for (const Combo& c : combos)
            request.configurations.push_back({d, c});
    return request;
}

// The first error finding of a refused run, as an error of the command.
Error refusal(const RunResult& run, const Graph& graph)
{
    for (const Finding& f : run.findings)
        if (f.severity == Severity::Error) {
            std::string remedies;
            for (const std::string& r : f.remedies)
                remedies += (remedies.empty() ? "" : ", ") + r;
            const Node* node = graph.find(f.node);
            return {"refused", node ? placeOf(*node, f.port) : "the graph",
                    run.combo.text() + ", " + run.dialect + ": " + f.message, remedies};
        }
    return {"refused", "the graph", run.combo.text() + ", " + run.dialect + " was refused", {}};
}

// The nodes that limits speak of: the outputs, or without any what nothing follows.
std::vector<const NodeResult*> limitedNodes(const RunResult& run, const Graph& graph)
{
    std::vector<const NodeResult*> outputs, ends;
    for (const NodeResult& n : run.nodes) {
        if (n.op == "output")
            outputs.push_back(&n);
        if (graph.edgesFrom(n.id).empty())
            ends.push_back(&n);
    }
    return outputs.empty() ? ends : outputs;
}

bool limitsExceeded(const Arguments& a, const RunSnapshot& snapshot, const Graph& graph)
{
    bool isExceeded = false;
    for (const RunResult& run : snapshot.runs) {
        if (a.limits.empty())
            break;
        if (!run.ok) {
            std::fprintf(stderr, "%s, %s: refused, which exceeds every limit\n", run.combo.text().c_str(),
                         run.dialect.c_str());
            isExceeded = true;
        }
        for (const NodeResult* n : limitedNodes(run, graph))
            for (const ErrorLimit& limit : a.limits) {
                if (!n->error || !exceeds(*n->error, limit))
                    continue;
                const auto value = metricValue(*n->error, limit.metric);
                const std::string shown = n->error->firstBad ? "not finite"
                                          : value            ? shortNumber(*value, 6)
                                                             : "not zero where the reference is";
                std::fprintf(stderr, "%s, %s: %s of \"%s\" is %s, the limit is %s\n", run.combo.text().c_str(),
                             run.dialect.c_str(), limit.metric.c_str(), printable(n->name).c_str(), shown.c_str(),
                             shortNumber(limit.value, 6).c_str());
                isExceeded = true;
            }
    }
    return isExceeded;
}

std::string plansText(const RunSnapshot& snapshot)
{
    std::string text;
    for (const RunResult& r : snapshot.runs)
        text += "\nplan of " + r.combo.text() + ", " + r.dialect + "\n" + r.plan;
    return text;
}

int report(const Arguments& a, const Loaded& loaded, const RunSnapshot& snapshot)
{
    const ReportModel model{std::filesystem::path(a.model).filename().string(), loaded.document.title,
                            static_cast<std::int64_t>(loaded.document.graph.nodes().size()), MANTISSA_VERSION};
    const RunResult* refused = nullptr;
    bool anyDone = false;
    for (const RunResult& run : snapshot.runs) {
        anyDone = anyDone || run.ok;
        refused = !run.ok && !refused ? &run : refused;
    }
    const bool isMany = a.allCombos || a.allDialects;
    std::optional<Error> error;
    if (!a.dumpDirectory.empty())
        if (auto s = dumpSnapshot(snapshot, loaded.document, opCatalog(), a.dumpDirectory); !s)
            error = s.error();
    const bool dumpFailed = error.has_value();
    if (!error && refused && !(isMany && anyDone))
        error = refusal(*refused, loaded.document.graph);
    const bool isExplain = a.command == Command::Explain;
    std::string text;
    if (a.json) {
        Json json = isExplain ? explainReport(snapshot, model) : runReport(snapshot, model);
        if (error)
            json["error"] = errorReport(*error)["error"];
        text = jsonText(json);
    } else {
        text =
            isExplain ? explainText(snapshot, model) : runText(snapshot, model) + (a.plan ? plansText(snapshot) : "");
    }
    std::fputs(text.c_str(), stdout);
    const bool isExceeded = limitsExceeded(a, snapshot, loaded.document.graph);
    if (error)
        fail(*error, false);
    return isExceeded && !dumpFailed ? kLimitExceeded : error ? 1 : 0;
}

} // namespace

int fail(const Error& error, bool json)
{
    std::fprintf(stderr, "mantissa-cli: %s\n", printable(error.text()).c_str());
    if (json)
        std::fputs(jsonText(errorReport(error)).c_str(), stdout);
    return 1;
}

int runCommand(const Arguments& a)
{
    const StopOnSignal stop;
    auto loaded = load(a);
    if (!loaded)
        return fail(loaded.error(), a.json);
    auto request = makeRequest(a, *loaded);
    if (!request)
        return fail(request.error(), a.json);
    LocalRunner runner(opCatalog(), dialectCatalog(), {.threads = a.threads});
    auto snapshot = [&] {
        ProgressLine line;
        return runner.run(*request, stop.token(), [&](const Progress& p) { line.show(p); });
    }();
    if (!snapshot)
        return fail(snapshot.error(), a.json);
    if ((*snapshot)->stopped)
        return fail({"stopped", a.model, "the run was stopped", {}}, a.json);
    return report(a, *loaded, **snapshot);
}

} // namespace app
