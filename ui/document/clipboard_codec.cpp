// A part of a document to text and back.
#include "ui/document/clipboard_codec.h"

#include "engine/document/document_file.h"
#include "engine/document/model_json.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace ui {

using namespace engine;

namespace {

constexpr char kTensorFile[] = "tensor_file";

// More than a parser needs for any text of this size (see docs/file-format.md).
std::uint64_t memoryLimit(qsizetype bytes)
{
    return 4 * static_cast<std::uint64_t>(bytes) + (std::uint64_t{64} << 20);
}

std::set<std::string> tensorsOf(const Node& node)
{
    std::set<std::string> names;
    for (const auto& [param, value] : node.params)
        if (const auto* source = std::get_if<Source>(&value); source && source->kind == Source::Kind::Tensor)
            names.insert(source->name);
    return names;
}

void copyLayout(const Document& from, const std::set<NodeId>& nodes, Document& part)
{
    for (const auto& [id, at] : from.layout.positions)
        if (nodes.contains(id))
            part.layout.positions[id] = at;
    for (const auto& [key, points] : from.layout.reroutes)
        if (part.graph.edgeInto(key.to, key.toPort))
            part.layout.reroutes[key] = points;
    const auto isChosen = [&](NodeId id) { return nodes.contains(id); };
    for (const Frame& frame : from.layout.frames)
        if (!frame.nodes.empty() && std::all_of(frame.nodes.begin(), frame.nodes.end(), isChosen))
            part.layout.frames.push_back(frame);
}

} // namespace

Document partOf(const Document& document, const std::set<NodeId>& nodes)
{
    Document part;
    for (const NodeId id : nodes) {
        const Node* node = document.graph.find(id);
        if (!node)
            continue;
        (void)part.graph.addNode(*node);
        for (const std::string& name : tensorsOf(*node)) {
            if (const auto tensor = document.tensors.find(name); tensor != document.tensors.end())
                part.tensors.insert(*tensor);
            if (const auto dtype = document.tensorDTypes.find(name); dtype != document.tensorDTypes.end())
                part.tensorDTypes.insert(*dtype);
        }
    }
    for (const Edge& edge : document.graph.edges())
        (void)part.graph.addEdge(edge); // refused where an end is not chosen
    copyLayout(document, nodes, part);
    return part;
}

Result<QByteArray> encodeNodes(const Document& document, const std::set<NodeId>& nodes)
{
    Document part = partOf(document, nodes);
    if (!part.tensors.empty()) {
        Document tensors;
        tensors.tensors = std::exchange(part.tensors, {});
        tensors.tensorDTypes = std::exchange(part.tensorDTypes, {});
        const Result<std::vector<std::byte>> bytes = documentBytes(tensors);
        if (!bytes)
            return bytes.error();
        const QByteArray file(reinterpret_cast<const char*>(bytes->data()), static_cast<qsizetype>(bytes->size()));
        part.extra = "{\"" + std::string(kTensorFile) + "\": \"" + file.toBase64().toStdString() + "\"}";
    }
    const Result<std::string> text = writeModelJson(part, "the clipboard");
    if (!text)
        return text.error();
    return QByteArray::fromStdString(*text);
}

Result<Document> decodeNodes(const QByteArray& text)
{
    const std::string_view view(text.constData(), static_cast<std::size_t>(text.size()));
    Result<ModelJson> model = readModelJson(view, "the clipboard", memoryLimit(text.size()));
    if (!model)
        return model.error();
    Document part = std::move(model->document);
    const QJsonObject extra = QJsonDocument::fromJson(QByteArray::fromStdString(part.extra)).object();
    part.extra.clear();
    part.tensorDTypes.clear();
    if (const QString file = extra.value(kTensorFile).toString(); !file.isEmpty()) {
        const QByteArray bytes = QByteArray::fromBase64(file.toLatin1());
        Result<Document> tensors =
            loadDocumentBytes(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))),
                              "the clipboard, tensors");
        if (!tensors)
            return tensors.error();
        part.tensors = std::move(tensors->tensors);
        part.tensorDTypes = std::move(tensors->tensorDTypes);
    }
    return part;
}

Result<std::unique_ptr<QMimeData>> mimeOfNodes(const Document& document, const std::set<NodeId>& nodes)
{
    const Result<QByteArray> text = encodeNodes(document, nodes);
    if (!text)
        return text.error();
    auto mime = std::make_unique<QMimeData>();
    mime->setData(kNodesMime, *text);
    mime->setText(QString::fromUtf8(*text));
    return mime;
}

bool holdsNodes(const QMimeData& mime)
{
    if (mime.hasFormat(kNodesMime))
        return true;
    const QString text = mime.hasText() ? mime.text().trimmed() : QString();
    return text.startsWith(u'{') && text.left(200).contains(QLatin1String("\"mantissa\""));
}

Result<Document> nodesOfMime(const QMimeData& mime)
{
    return decodeNodes(mime.hasFormat(kNodesMime) ? mime.data(kNodesMime) : mime.text().toUtf8());
}

} // namespace ui
