// The canonical text of model.json: one line per node, edge, frame, comment and tensor; keys in the documented order,
// defaults left out.
#include "engine/document/array_readers.h"
#include "engine/document/document_file.h"
#include "engine/document/json_text.h"
#include "engine/document/model_json.h"
#include "engine/model/number_text.h"

#include <cmath>

namespace engine {

using nlohmann::json;

namespace {

std::string jsonText(std::string_view text)
{
    return json(text).dump();
}

std::string numberOf(double v)
{
    if (!std::isfinite(v))
        throw std::domain_error("a position or size is not finite");
    const bool isWhole = v == std::floor(v) && std::abs(v) < 1e15;
    return isWhole ? std::to_string(static_cast<long long>(v)) : jsonNumberText(v);
}

std::string pointText(Point p)
{
    return "[" + numberOf(p.x) + ", " + numberOf(p.y) + "]";
}

template <class List, class ToText> std::string listText(const List& list, ToText toText)
{
    std::string text;
    for (const auto& element : list)
        text += (text.empty() ? "" : ", ") + toText(element);
    return "[" + text + "]";
}

// One JSON object on one line.
class Line {
public:
    Line& add(std::string_view key, const std::string& json)
    {
        m_text += (m_text.empty() ? "" : ", ") + jsonText(key) + ": " + json;
        return *this;
    }
    Line& addText(std::string_view key, const std::string& text)
    {
        return text.empty() ? *this : add(key, jsonText(text));
    }
    std::string text() const { return "{" + m_text + "}"; }

private:
    std::string m_text;
};

json parsedExtra(const std::string& extra)
{
    return extra.empty() ? json::object() : json::parse(extra);
}

std::string paramsText(const Node& node, const json& extra)
{
    Line line;
    const json verbatim = extra.contains("params") ? extra["params"] : json::object();
    for (const auto& [name, value] : node.params) {
        const auto* text = std::get_if<std::string>(&value);
        const bool isVerbatim = text && verbatim.contains(name) && spacedJson(verbatim[name]) == *text;
        line.add(name, isVerbatim ? *text : paramToJson(value));
    }
    return line.text();
}

std::string slotsText(const Node& node)
{
    Line line;
    for (const Slot slot : kSlots)
        if (const std::optional<std::string> ask = node.slot(slot).text())
            line.add(slotName(slot), jsonText(*ask));
    return line.text();
}

std::string nodeText(const Node& node, const Layout& layout)
{
    const json extra = parsedExtra(node.extra);
    Line line;
    line.add("id", std::to_string(node.id.value)).addText("name", node.name).addText("op", node.op);
    if (!node.params.empty())
        line.add("params", paramsText(node, extra));
    if (const std::string slots = slotsText(node); slots != "{}")
        line.add("slots", slots);
    if (node.layerDtype)
        line.add("layer_dtype", jsonText(dtypeName(*node.layerDtype)));
    if (!node.forbidCast.empty())
        line.add("forbid_cast", listText(node.forbidCast, jsonText));
    if (node.muted)
        line.add("muted", "true");
    if (const auto it = layout.positions.find(node.id); it != layout.positions.end())
        line.add("at", pointText(it->second));
    for (const auto& [key, value] : extra.items())
        if (key != "params")
            line.add(key, spacedJson(value));
    return line.text();
}

std::string edgeText(const Edge& e, const Layout& layout)
{
    Line line;
    line.add("from", "[" + std::to_string(e.from.value) + ", " + jsonText(e.fromPort) + "]");
    line.add("to", "[" + std::to_string(e.to.value) + ", " + jsonText(e.toPort) + "]");
    const auto it = layout.reroutes.find({e.to, e.toPort});
    if (it != layout.reroutes.end() && !it->second.empty())
        line.add("reroute", listText(it->second, pointText));
    return line.text();
}

// Ids of nodes that are gone are left out: a file never points at nothing.
std::string frameText(const Frame& f, const Graph& graph)
{
    Line line;
    line.add("id", std::to_string(f.id)).addText("title", f.title).addText("color", f.color);
    line.add("at", pointText(f.topLeft)).add("size", pointText(f.size));
    std::vector<NodeId> nodes;
    for (const NodeId id : f.nodes)
        if (graph.find(id))
            nodes.push_back(id);
    if (!nodes.empty())
        line.add("nodes", listText(nodes, [](NodeId id) { return std::to_string(id.value); }));
    return line.text();
}

std::string commentText(const Comment& c)
{
    Line line;
    line.add("id", std::to_string(c.id)).addText("text", c.text);
    return line.add("at", pointText(c.topLeft)).add("size", pointText(c.size)).text();
}

std::string settingsText(const RunSettings& s)
{
    Line combo, line;
    combo.add("input", jsonText(dtypeName(s.combo.input))).add("weight", jsonText(dtypeName(s.combo.weight)));
    line.addText("dialect", s.dialect).add("combo", combo.text()).add("floatx", jsonText(dtypeName(s.floatx)));
    line.addText("backend", s.backend);
    for (const auto& [key, text] : s.extra)
        line.add(key, spacedJson(json::parse(text)));
    return line.text();
}

std::string tensorText(const std::string& name, const SourceArray& array, const Document& document)
{
    Line line;
    const auto unknown = document.tensorDTypes.find(name);
    line.add("file", jsonText("tensors/" + name + ".npy"));
    line.add("dtype", jsonText(unknown != document.tensorDTypes.end() ? std::string_view(unknown->second)
                                                                      : dtypeName(array.data.dtype())));
    if (unknown == document.tensorDTypes.end() && array.integerDepth != depthOf(array.data.dtype()))
        line.add("depth", std::to_string(array.integerDepth));
    return line.text();
}

// The whole text; remembers what it is writing, for the message where that cannot be written.
class ModelWriter {
public:
    explicit ModelWriter(const Document& document) : m_document(document) {}
    const std::string& writing() const { return m_writing; }

    std::string text()
    {
        const Document& d = m_document;
        const Layout& layout = d.layout;
        member("mantissa", std::to_string(kFileVersion));
        if (!d.title.empty())
            member("title", jsonText(d.title));
        if (!d.about.empty())
            member("about", jsonText(d.about));
        member("settings", settingsText(d.settings));
        block("nodes", '[', d.graph.nodes(), [&](const auto& n) {
            m_writing = placeOf(n.second);
            return nodeText(n.second, layout);
        });
        block("edges", '[', d.graph.edges(), [&](const Edge& e) { return edgeText(e, layout); });
        block("frames", '[', layout.frames, [&](const Frame& f) { return frameText(f, d.graph); });
        block("comments", '[', layout.comments, commentText);
        block("tensors", '{', d.tensors, [&](const auto& t) {
            m_writing = "tensor \"" + t.first + "\"";
            return jsonText(t.first) + ": " + tensorText(t.first, t.second, d);
        });
        m_writing = "unknown fields";
        const json extra = parsedExtra(d.extra);
        for (const auto& [key, value] : extra.items())
            member(key, spacedJson(value));
        return "{\n" + m_text + "\n}\n";
    }

private:
    void member(std::string_view key, const std::string& json)
    {
        m_text += (m_text.empty() ? "  " : ",\n  ") + jsonText(key) + ": " + json;
        m_writing = "settings";
    }
    template <class List, class ToText> void block(std::string_view key, char bracket, const List& list, ToText toText)
    {
        m_writing = key;
        if (list.empty())
            return;
        std::string lines;
        for (const auto& element : list)
            lines += (lines.empty() ? "\n    " : ",\n    ") + toText(element);
        member(key, bracket + lines + "\n  " + (bracket == '[' ? "]" : "}"));
    }
    const Document& m_document;
    std::string m_text, m_writing = "title";
};

Status checkTensor(const std::string& name, const SourceArray& array, const std::string& place)
{
    if (isSafeTensorName(name) && !array.data.isNull())
        return success();
    return Error{"file-tensor", place + ", tensor \"" + name + "\"",
                 array.data.isNull() ? "the tensor has no numbers" : "this name cannot be a member of a zip",
                 "use letters, digits and single slashes between them"};
}

} // namespace

Result<std::string> writeModelJson(const Document& document, const std::string& place)
{
    for (const auto& [name, array] : document.tensors)
        if (const Status fine = checkTensor(name, array, place); !fine)
            return fine.error();
    ModelWriter writer(document);
    try {
        return writer.text();
    } catch (const std::exception& e) {
        std::string what = e.what();
        // nlohmann's texts begin with "[json.exception....] ".
        if (const std::size_t end = what.find("] "); what.starts_with('[') && end != std::string::npos)
            what = what.substr(end + 2);
        return Error{"file-field", place + ", " + writer.writing(), "this cannot be written: " + what,
                     "correct that value"};
    }
}

} // namespace engine
