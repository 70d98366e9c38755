// Parameters as canonical JSON text, and back. The forms are those of docs/file-format.md.
#include "engine/model/number_text.h"
#include "engine/model/param.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace engine {

namespace {

using nlohmann::json;

std::string quoted(const std::string& text)
{
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class List, class ToText> std::string listText(const List& list, ToText toText)
{
    std::string t = "[";
    for (std::size_t i = 0; i < list.size(); ++i)
        t += (i ? ", " : "") + toText(list[i]);
    return t + "]";
}

std::string sourceText(const Source& s)
{
    std::string t;
    const auto add = [&t](std::string_view key, const std::string& value) {
        t += (t.empty() ? "{\"" : ", \"") + std::string(key) + "\": " + value;
    };
    switch (s.kind) {
    case Source::Kind::Generator:
        add("init", quoted(s.generator));
        if (s.seed != 0)
            add("seed", std::to_string(s.seed));
        if (s.a)
            add("a", jsonNumberText(*s.a));
        if (s.b)
            add("b", jsonNumberText(*s.b));
        break;
    case Source::Kind::Values:
        add("values", listText(s.values, jsonNumberText));
        break;
    case Source::Kind::Tensor:
        add("tensor", quoted(s.name));
        break;
    case Source::Kind::File:
        add("file", quoted(s.name));
        if (!s.member.empty())
            add("member", quoted(s.member));
        break;
    }
    const bool isArray = s.kind == Source::Kind::Tensor || s.kind == Source::Kind::File;
    if (isArray && s.scale == Source::Scale::Unit)
        add("scale", "\"unit\"");
    if (s.kind == Source::Kind::File && s.channels == Source::Channels::Keep)
        add("channels", "\"keep\"");
    return t + "}";
}

std::string excerpt(std::string_view text)
{
    constexpr std::size_t kMost = 60;
    return std::string(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "");
}

Error kindError(std::string_view place, std::string_view text, std::string_view wanted)
{
    return {"param-kind", std::string(place), excerpt(text) + " is not " + std::string(wanted),
            "write " + std::string(wanted)};
}

std::string textOf(const json& j)
{
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<double> realOf(const json& j)
{
    if (j.is_number())
        return j.get<double>();
    if (j == "inf")
        return std::numeric_limits<double>::infinity();
    if (j == "-inf")
        return -std::numeric_limits<double>::infinity();
    if (j == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

std::optional<std::int64_t> integerOf(const json& j)
{
    if (j.is_number_unsigned() && j.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        return std::nullopt;
    return j.is_number_integer() ? std::optional(j.get<std::int64_t>()) : std::nullopt;
}

// One member of a source object. False: the value has the wrong kind.
bool readMember(Source& s, const std::string& key, const json& v)
{
    if (key == "seed") {
        if (v.is_number_unsigned())
            s.seed = v.get<std::uint64_t>();
        return v.is_number_unsigned();
    }
    if (key == "a" || key == "b") {
        (key == "a" ? s.a : s.b) = realOf(v);
        return realOf(v).has_value();
    }
    if (key == "values") {
        if (!v.is_array())
            return false;
        for (const json& element : v) {
            const std::optional<double> real = realOf(element);
            if (!real)
                return false;
            s.values.push_back(*real);
        }
        return true;
    }
    if (key == "scale") {
        s.scale = v == "unit" ? Source::Scale::Unit : Source::Scale::Raw;
        return v == "unit" || v == "raw";
    }
    if (key == "channels") {
        s.channels = v == "keep" ? Source::Channels::Keep : Source::Channels::Drop;
        return v == "keep" || v == "drop";
    }
    if (!v.is_string())
        return false;
    (key == "init" ? s.generator : key == "member" ? s.member : s.name) = v.get<std::string>();
    return true;
}

struct Form {
    Source::Kind kind;
    std::string_view key;                   // the member that says which form it is
    std::array<std::string_view, 3> others; // what else it may have
};
constexpr std::array<Form, 4> kForms{{
    {Source::Kind::Generator, "init", {"seed", "a", "b"}},
    {Source::Kind::Values, "values", {}},
    {Source::Kind::Tensor, "tensor", {"scale"}},
    {Source::Kind::File, "file", {"member", "scale", "channels"}},
}};

Result<ParamValue> sourceFrom(const json& j, std::string_view place)
{
    constexpr std::string_view kWanted = "a source: an object with one of init, values, tensor, file";
    const auto form = std::find_if(kForms.begin(), kForms.end(),
                                   [&j](const Form& f) { return j.is_object() && j.contains(std::string(f.key)); });
    if (form == kForms.end())
        return kindError(place, textOf(j), kWanted);
    Source s;
    s.kind = form->kind;
    for (const auto& [key, value] : j.items()) {
        const bool isKnown = key == form->key || (!key.empty() && std::find(form->others.begin(), form->others.end(),
                                                                            key) != form->others.end());
        if (!isKnown)
            return Error{"param-kind", std::string(place),
                         "a source with \"" + std::string(form->key) + "\" has no member \"" + excerpt(key) + "\"",
                         "remove that member"};
        if (!readMember(s, key, value))
            return Error{"param-kind", std::string(place),
                         "member \"" + key + "\" of a source cannot be " + excerpt(textOf(value)),
                         "see the forms of a source in the file format"};
    }
    return ParamValue(std::move(s));
}

Result<ParamValue> listFrom(const json& j, std::string_view place)
{
    IntList list;
    if (!j.is_array())
        return kindError(place, textOf(j), "a list of integers");
    for (const json& element : j) {
        const std::optional<std::int64_t> v = integerOf(element);
        if (!v)
            return kindError(place, textOf(element), "an integer of 64 bits");
        list.push_back(*v);
    }
    return ParamValue(std::move(list));
}

Result<ParamValue> valueFrom(ParamKind kind, const json& j, std::string_view place)
{
    switch (kind) {
    case ParamKind::Bool:
        return j.is_boolean() ? Result<ParamValue>(ParamValue(j.get<bool>()))
                              : kindError(place, textOf(j), "true or false");
    case ParamKind::Int: {
        const std::optional<std::int64_t> v = integerOf(j);
        return v ? Result<ParamValue>(ParamValue(*v)) : kindError(place, textOf(j), "an integer of 64 bits");
    }
    case ParamKind::Real: {
        const std::optional<double> v = realOf(j);
        return v ? Result<ParamValue>(ParamValue(*v)) : kindError(place, textOf(j), "a number");
    }
    case ParamKind::Choice:
    case ParamKind::Text:
        return j.is_string() ? Result<ParamValue>(ParamValue(j.get<std::string>()))
                             : kindError(place, textOf(j), "a text");
    case ParamKind::IntList:
        return listFrom(j, place);
    case ParamKind::Source:
        return sourceFrom(j, place);
    }
    return kindError(place, textOf(j), "a known kind of parameter");
}

} // namespace

std::string paramToJson(const ParamValue& value)
{
    const auto integerText = [](std::int64_t v) { return std::to_string(v); };
    return std::visit(Overloaded{
                          [](bool v) { return std::string(v ? "true" : "false"); },
                          [](std::int64_t v) { return std::to_string(v); },
                          [](double v) { return jsonNumberText(v); },
                          [](const std::string& v) { return quoted(v); },
                          [&](const IntList& v) { return listText(v, integerText); },
                          [](const Source& v) { return sourceText(v); },
                      },
                      value);
}

Result<ParamValue> paramFromJson(ParamKind kind, std::string_view text, std::string_view place)
{
    const json j = json::parse(text, nullptr, false);
    if (j.is_discarded())
        return Error{"param-kind", std::string(place), excerpt(text) + " is not JSON", "write a JSON value"};
    return valueFrom(kind, j, place);
}

} // namespace engine
