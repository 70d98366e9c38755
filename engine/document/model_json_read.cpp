// From model.json's text to a document. What the text gets wrong is one error that names a JSON pointer.
#include "engine/document/array_readers.h"
#include "engine/document/document_file.h"
#include "engine/document/edges_read.h"
#include "engine/document/json_fields.h"
#include "engine/document/json_text.h"
#include "engine/document/model_json.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace engine {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 9> kTopKeys{"mantissa", "title",  "about",    "settings", "nodes",
                                                   "edges",    "frames", "comments", "tensors"};
constexpr std::array<std::string_view, 9> kNodeKeys{"id",          "name",        "op",    "params", "slots",
                                                    "layer_dtype", "forbid_cast", "muted", "at"};
constexpr std::array<std::string_view, 4> kSettingsKeys{"dialect", "combo", "floatx", "backend"};

bool isOneOf(std::string_view key, std::span<const std::string_view> keys)
{
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

json unknownMembers(const json& object, std::span<const std::string_view> known)
{
    json rest = json::object();
    for (const auto& [key, v] : object.items())
        if (!isOneOf(key, known))
            rest[key] = v;
    return rest;
}

std::string textOrEmpty(const json& object)
{
    return object.empty() ? std::string() : spacedJson(object);
}

std::optional<std::int64_t> integerOf(const json& v)
{
    if (!v.is_number_integer() || (v.is_number_unsigned() && v.get<std::uint64_t>() > std::uint64_t{INT64_MAX}))
        return std::nullopt;
    return v.get<std::int64_t>();
}

// A parameter by its JSON alone: this layer knows no records.
std::optional<ParamValue> paramFrom(const json& v)
{
    if (v.is_boolean())
        return v.get<bool>();
    if (const auto integer = integerOf(v))
        return *integer;
    if (v.is_number_float())
        return v.get<double>();
    if (v == "inf" || v == "-inf" || v == "nan")
        return v == "nan" ? std::nan("") : v == "inf" ? HUGE_VAL : -HUGE_VAL;
    if (v.is_string())
        return v.get<std::string>();
    if (v.is_array()) {
        IntList list;
        for (const json& element : v) {
            const auto integer = integerOf(element);
            if (!integer)
                return std::nullopt;
            list.push_back(*integer);
        }
        return list;
    }
    if (v.is_object())
        if (Result<ParamValue> source = paramFromJson(ParamKind::Source, v.dump(), {}); source.ok())
            return std::move(*source);
    return std::nullopt;
}

class ModelReader {
public:
    explicit ModelReader(const std::string& place) : m_fields(place) {}

    Result<ModelJson> read(const json& root)
    {
        readVersion(root);
        if (m_fields.ok())
            readAll(root);
        if (!m_fields.ok())
            return m_fields.error();
        return std::move(m_model);
    }

private:
    void readVersion(const json& root)
    {
        const json& version = m_fields.at(root, "mantissa");
        const auto number = integerOf(version);
        if (!root.is_object() || !number || *number < 1)
            m_fields.fail(root.is_object() ? "/mantissa" : "", "the format's version is missing or no whole number",
                          "this is not the model.json of a .mantissa file", "file-not-mantissa");
        else if (*number > kFileVersion)
            m_fields.fail("/mantissa",
                          "the file has format version " + std::to_string(*number) + ", this program reads up to " +
                              std::to_string(kFileVersion),
                          "use a newer program", "file-version");
    }

    void readAll(const json& root)
    {
        Document& d = m_model.document;
        d.title = m_fields.text(root, "title", {});
        d.about = m_fields.text(root, "about", {});
        if (const json& settings = m_fields.at(root, "settings"); !settings.is_null())
            readSettings(settings);
        const json& nodes = m_fields.list(root, "nodes", {});
        if (nodes.size() > kMaxGraphSize)
            m_fields.fail("/nodes", "there are " + std::to_string(nodes.size()) + " nodes",
                          "at most " + std::to_string(kMaxGraphSize) + " are possible", "file-limit");
        for (std::size_t i = 0; i < nodes.size() && m_fields.ok(); ++i)
            readNode(nodes[i], pointerTo("/nodes", i));
        if (m_fields.ok())
            readEdges(m_fields, m_fields.list(root, "edges", {}), d);
        readLayout(root);
        readTensors(m_fields.at(root, "tensors"));
        d.extra = textOrEmpty(unknownMembers(root, kTopKeys));
    }

    DType storageDType(const json& v, const std::string& pointer, DType absent)
    {
        if (v.is_null())
            return absent;
        const std::optional<DType> found = m_fields.dtype(v, pointer);
        if (found && !facts(*found).isStorage)
            m_fields.fail(pointer, std::string(dtypeName(*found)) + " is a way to compute, not to store",
                          "give a storage dtype such as \"float32\"");
        return found.value_or(absent);
    }

    void readSettings(const json& v)
    {
        if (!m_fields.isObject(v, "/settings"))
            return;
        RunSettings& s = m_model.document.settings;
        if (v.contains("dialect"))
            s.dialect = m_fields.requiredText(v, "dialect", "/settings");
        if (v.contains("backend"))
            s.backend = m_fields.requiredText(v, "backend", "/settings");
        if (const json& combo = m_fields.at(v, "combo");
            !combo.is_null() && m_fields.isObject(combo, "/settings/combo")) {
            m_fields.onlyKeys(combo, {"input", "weight"}, "/settings/combo");
            s.combo.input = storageDType(m_fields.at(combo, "input"), "/settings/combo/input", s.combo.input);
            s.combo.weight = storageDType(m_fields.at(combo, "weight"), "/settings/combo/weight", s.combo.weight);
        }
        s.floatx = storageDType(m_fields.at(v, "floatx"), "/settings/floatx", s.floatx);
        if (!isFloat(s.floatx))
            m_fields.fail("/settings/floatx", std::string(dtypeName(s.floatx)) + " is not a float",
                          "give a float dtype such as \"float32\"");
        for (const auto& [key, value] : v.items())
            if (!isOneOf(key, kSettingsKeys))
                s.extra[key] = spacedJson(value);
    }

    void readNode(const json& v, const std::string& pointer)
    {
        if (!m_fields.isObject(v, pointer))
            return;
        Node node;
        node.id = NodeId{m_fields.id(m_fields.at(v, "id"), pointer + "/id")};
        node.op = m_fields.requiredText(v, "op", pointer);
        node.name = m_fields.text(v, "name", pointer);
        if (node.name.empty())
            node.name = node.op + "_" + std::to_string(node.id.value);
        json rest = unknownMembers(v, kNodeKeys);
        readParams(m_fields.at(v, "params"), pointer + "/params", node, rest);
        readSlots(m_fields.at(v, "slots"), pointer + "/slots", node);
        if (const json& layer = m_fields.at(v, "layer_dtype"); !layer.is_null())
            node.layerDtype = storageDType(layer, pointer + "/layer_dtype", DType::f32);
        for (const json& port : m_fields.list(v, "forbid_cast", pointer)) {
            if (!port.is_string())
                m_fields.fail(pointer + "/forbid_cast", jsonExcerpt(port) + " is not a port", "list names of ports");
            else
                node.forbidCast.insert(port.get<std::string>());
        }
        node.muted = m_fields.flag(v, "muted", pointer);
        if (const json& position = m_fields.at(v, "at"); !position.is_null())
            m_model.document.layout.positions[node.id] = m_fields.point(position, pointer + "/at");
        node.extra = textOrEmpty(rest);
        if (!m_fields.ok())
            return;
        if (const Status added = m_model.document.graph.addNode(std::move(node)); !added)
            m_fields.fail(pointer + "/id", added.error().message, added.error().remedy);
    }

    void readParams(const json& v, const std::string& pointer, Node& node, json& rest)
    {
        if (v.is_null() || !m_fields.isObject(v, pointer))
            return;
        for (const auto& [name, value] : v.items()) {
            if (std::optional<ParamValue> param = paramFrom(value)) {
                node.params.emplace(name, std::move(*param));
                continue;
            }
            node.params.emplace(name, spacedJson(value));
            rest["params"][name] = value;
        }
    }

    void readSlots(const json& v, const std::string& pointer, Node& node)
    {
        if (v.is_null() || !m_fields.isObject(v, pointer))
            return;
        m_fields.onlyKeys(v, {"input", "weight", "compute", "accumulate", "output"}, pointer);
        for (const Slot slot : kSlots) {
            const json& ask = m_fields.at(v, slotName(slot));
            const std::string place = pointerTo(pointer, slotName(slot));
            SlotAsk& target = node.slots[static_cast<std::size_t>(slot)];
            if (ask.is_null())
                continue;
            if (slot == Slot::Compute && (ask == "widest" || ask == "narrowest"))
                target.kind = ask == "widest" ? SlotAsk::Kind::Widest : SlotAsk::Kind::Narrowest;
            else if (slot == Slot::Compute)
                target = SlotAsk::fixed(m_fields.dtype(ask, place).value_or(DType::f32));
            else
                target = SlotAsk::fixed(storageDType(ask, place, DType::f32));
        }
    }

    Point pointOrOrigin(const json& v, std::string_view key, const std::string& pointer)
    {
        const json& p = m_fields.at(v, key);
        return p.is_null() ? Point{} : m_fields.point(p, pointerTo(pointer, key));
    }

    void readLayout(const json& root)
    {
        std::set<std::uint32_t> frameIds, commentIds;
        const auto freshId = [this](const json& v, const std::string& pointer, std::set<std::uint32_t>& used) {
            const std::uint32_t id = m_fields.id(m_fields.at(v, "id"), pointer + "/id");
            if (!used.insert(id).second)
                m_fields.fail(pointer + "/id", "id " + std::to_string(id) + " is used twice", "use a fresh id");
            return id;
        };
        Layout& layout = m_model.document.layout;
        const json& frames = m_fields.list(root, "frames", {});
        for (std::size_t i = 0; i < frames.size() && m_fields.ok(); ++i) {
            const std::string pointer = pointerTo("/frames", i);
            if (!m_fields.isObject(frames[i], pointer))
                return;
            m_fields.onlyKeys(frames[i], {"id", "title", "color", "at", "size", "nodes"}, pointer);
            Frame f{freshId(frames[i], pointer, frameIds),      m_fields.text(frames[i], "title", pointer),
                    m_fields.text(frames[i], "color", pointer), pointOrOrigin(frames[i], "at", pointer),
                    pointOrOrigin(frames[i], "size", pointer),  {}};
            for (const json& node : m_fields.list(frames[i], "nodes", pointer)) {
                f.nodes.push_back(NodeId{m_fields.id(node, pointer + "/nodes")});
                if (m_fields.ok() && !m_model.document.graph.find(f.nodes.back()))
                    m_fields.fail(pointer + "/nodes", "there is no node " + std::to_string(f.nodes.back().value),
                                  "name existing nodes");
            }
            layout.frames.push_back(std::move(f));
        }
        const json& comments = m_fields.list(root, "comments", {});
        for (std::size_t i = 0; i < comments.size() && m_fields.ok(); ++i) {
            const std::string pointer = pointerTo("/comments", i);
            if (!m_fields.isObject(comments[i], pointer))
                return;
            m_fields.onlyKeys(comments[i], {"id", "text", "at", "size"}, pointer);
            layout.comments.push_back(
                {freshId(comments[i], pointer, commentIds), m_fields.text(comments[i], "text", pointer),
                 pointOrOrigin(comments[i], "at", pointer), pointOrOrigin(comments[i], "size", pointer)});
        }
    }

    void readTensors(const json& v)
    {
        if (v.is_null() || !m_fields.isObject(v, "/tensors"))
            return;
        for (const auto& [name, entry] : v.items()) {
            const std::string pointer = pointerTo("/tensors", name);
            if (!isSafeTensorName(name))
                m_fields.fail(pointer, "this name cannot be a member of a zip",
                              "use letters, digits and single slashes between them");
            if (!m_fields.ok() || !m_fields.isObject(entry, pointer))
                return;
            m_fields.onlyKeys(entry, {"file", "dtype", "depth"}, pointer);
            TensorEntry t{name, m_fields.requiredText(entry, "file", pointer), {}, 0};
            const std::string dtype = m_fields.requiredText(entry, "dtype", pointer);
            t.dtype = dtypeFromName(dtype);
            if (t.dtype)
                storageDType(m_fields.at(entry, "dtype"), pointer + "/dtype", *t.dtype);
            else
                m_model.document.tensorDTypes[name] = dtype;
            t.depth = t.dtype ? depthOf(*t.dtype) : 0;
            if (const json& depth = m_fields.at(entry, "depth"); !depth.is_null()) {
                const auto bits = integerOf(depth);
                if (!bits || *bits < 0 || *bits > t.depth)
                    m_fields.fail(pointer + "/depth", jsonExcerpt(depth) + " is no number of bits of that dtype",
                                  "give 0 to " + std::to_string(t.depth));
                t.depth = static_cast<int>(bits.value_or(0));
            }
            m_model.tensors.push_back(std::move(t));
        }
    }

    JsonFields m_fields;
    ModelJson m_model;
};

} // namespace

bool isSafeTensorName(std::string_view name)
{
    if (name.empty() || name.size() > 200 || name.front() == '/' || name.back() == '/')
        return false;
    const bool isPlain = std::none_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < ' ' || c == '\\' || c == '\x7f';
    });
    const std::string framed = "/" + std::string(name) + "/";
    return isPlain && framed.find("/../") == std::string::npos && framed.find("/./") == std::string::npos &&
           framed.find("//") == std::string::npos;
}

Result<ModelJson> readModelJson(std::string_view text, const std::string& place, std::uint64_t memoryLimit)
{
    const Result<json> root = parseJson(text, place, memoryLimit);
    if (!root)
        return root.error();
    return ModelReader(place).read(*root);
}

} // namespace engine
