#include "engine/report/dump.h"

#include "engine/document/array_files.h"
#include "engine/report/json_report.h"

#include <cstring>
#include <filesystem>
#include <fstream>

namespace engine {

namespace {

namespace fs = std::filesystem;

// Plainly: a dump is made again when it breaks, so no file of it waits for the disk.
Status writePlainly(const fs::path& path, std::span<const std::byte> bytes)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (file)
        return success();
    return Error{"dump-write", path.string(), "the file cannot be written",
                 "choose a folder with space that you may write to"};
}

class Dumper {
public:
    Dumper(const Document& document, const OpCatalog& ops, fs::path root)
        : m_document(document), m_ops(ops), m_root(std::move(root))
    {
    }

    Status source(NodeId id, const std::string& port, const DDTensor& t)
    {
        return pair("source", std::to_string(id.value) + "." + port, id, port, "source", t, ".npy");
    }
    Status reference(NodeId id, const DDTensor& t)
    {
        return pair("reference", std::to_string(id.value), id, "output", "reference", t, ".hi.npy");
    }
    Status run(const RunResult& r);
    Status finish();

private:
    Status pair(const std::string& folder, const std::string& stem, NodeId id, const std::string& port,
                const std::string& what, const DDTensor& t, const std::string& hiEnding);
    Status tensor(const std::string& path, NodeId id, const std::string& port, const std::string& what,
                  const Tensor& t);
    Status stage(const std::string& stem, const NodeResult& n, Stage which);
    Json nodesJson() const;

    const Document& m_document;
    const OpCatalog& m_ops;
    fs::path m_root;
    Json m_files = Json::array();
};

Tensor float64Of(const double* values, const Shape& shape)
{
    Tensor t = Tensor::allocate(DType::f64, shape);
    std::memcpy(t.mutableRaw(), values, static_cast<std::size_t>(t.bytes()));
    return t;
}

Status Dumper::tensor(const std::string& path, NodeId id, const std::string& port, const std::string& what,
                      const Tensor& t)
{
    std::error_code failed;
    fs::create_directories((m_root / path).parent_path(), failed);
    if (failed)
        return Error{"dump-write", (m_root / path).parent_path().string(),
                     "the folder cannot be made: " + failed.message(), "choose a folder you may write to"};
    if (auto s = writePlainly(m_root / path, npyBytes(t)); !s)
        return s;
    const Node& node = *m_document.graph.find(id);
    m_files.push_back({{"file", path},
                       {"what", what},
                       {"node", id.value},
                       {"name", node.name},
                       {"op", node.op},
                       {"port", port},
                       {"dtype", dtypeName(t.dtype())},
                       {"shape", t.shape().dims()}});
    return success();
}

Status Dumper::pair(const std::string& folder, const std::string& stem, NodeId id, const std::string& port,
                    const std::string& what, const DDTensor& t, const std::string& hiEnding)
{
    if (auto s = tensor(folder + "/" + stem + hiEnding, id, port, what, float64Of(t.hi(), t.shape())); !s)
        return s;
    if (t.hasLo())
        return tensor(folder + "/" + stem + ".lo.npy", id, port, what + ".lo", float64Of(t.lo(), t.shape()));
    if (what != "reference")
        return success();
    const std::vector<double> zeros(static_cast<std::size_t>(t.elements()), 0.0);
    return tensor(folder + "/" + stem + ".lo.npy", id, port, what + ".lo", float64Of(zeros.data(), t.shape()));
}

Status Dumper::stage(const std::string& stem, const NodeResult& n, Stage which)
{
    const Tensor& t = n.stages->signedStages[static_cast<std::size_t>(which)];
    const std::string name(stageName(which));
    return t.isNull() ? success() : tensor(stem + "." + name + ".npy", n.id, "output", "stage." + name, t);
}

Status Dumper::run(const RunResult& r)
{
    const std::string folder =
        std::string(dtypeName(r.combo.input)) + "-" + std::string(dtypeName(r.combo.weight)) + "-" + r.dialect;
    for (const NodeResult& n : r.nodes) {
        const std::string stem = folder + "/" + std::to_string(n.id.value);
        if (auto s = tensor(stem + ".npy", n.id, "output", "result", n.output); !s)
            return s;
        for (const CastOperand& c : n.castOperands)
            if (auto s = tensor(stem + "." + c.port + ".cast.npy", n.id, c.port, "cast", c.value); !s)
                return s;
        if (!n.stages)
            continue;
        for (int i = 0; i < kStageCount; ++i)
            if (auto s = stage(stem, n, static_cast<Stage>(i)); !s)
                return s;
        if (n.bound && !n.bound->perElement.isNull())
            if (auto s = tensor(stem + ".bound.npy", n.id, "output", "bound", n.bound->perElement); !s)
                return s;
    }
    return success();
}

Json Dumper::nodesJson() const
{
    Json nodes = Json::array();
    for (const auto& [id, node] : m_document.graph.nodes()) {
        Json parameters = Json::object();
        if (const OpSpec* spec = m_ops.find(node.op))
            if (auto p = Params::check(spec->params, node.params, placeOf(node)))
                for (const auto& [name, value] : p->map())
                    parameters[name] = Json::parse(paramToJson(value), nullptr, false);
        Json inputs = Json::object();
        for (const Edge& e : m_document.graph.edges())
            if (e.to == id)
                inputs[e.toPort] = e.from.value;
        nodes.push_back({{"id", id.value},
                         {"name", node.name},
                         {"op", node.op},
                         {"muted", node.muted},
                         {"parameters", std::move(parameters)},
                         {"inputs", std::move(inputs)}});
    }
    return nodes;
}

Status Dumper::finish()
{
    const std::string text = jsonText({{"nodes", nodesJson()}, {"files", m_files}});
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return writePlainly(m_root / "dump.json", bytes);
}

} // namespace

Status dumpSnapshot(const RunSnapshot& snapshot, const Document& document, const OpCatalog& ops,
                    const std::string& directory)
{
    Dumper dumper(document, ops, directory);
    for (const auto& [id, ports] : snapshot.sources)
        for (const auto& [port, values] : ports)
            if (auto s = dumper.source(id, port, values); !s)
                return s;
    for (const auto& [id, reference] : snapshot.reference)
        if (auto s = dumper.reference(id, reference); !s)
            return s;
    for (const RunResult& r : snapshot.runs)
        if (auto s = dumper.run(r); !s)
            return s;
    return dumper.finish();
}

} // namespace engine
