// Checked access to parsed JSON.
#include "engine/document/json_fields.h"

#include "engine/document/json_text.h"
#include "engine/document/model_json.h"

#include <algorithm>
#include <cmath>

namespace engine {

using nlohmann::json;

std::string pointerTo(const std::string& pointer, std::size_t index)
{
    return pointer + "/" + std::to_string(index);
}

std::string pointerTo(const std::string& pointer, std::string_view key)
{
    std::string text = pointer + "/";
    for (const char c : key)
        text += c == '~' ? std::string("~0") : c == '/' ? std::string("~1") : std::string(1, c);
    return text;
}

void JsonFields::fail(const std::string& pointer, std::string message, std::string remedy, std::string code)
{
    if (!m_error)
        m_error = Error{std::move(code), m_place + (pointer.empty() ? "" : ", " + pointer), std::move(message),
                        std::move(remedy)};
}

void JsonFields::wrongKind(const json& v, const std::string& pointer, std::string_view wanted)
{
    if (v.is_null())
        fail(pointer, "this is missing", "give " + std::string(wanted));
    else
        fail(pointer, jsonExcerpt(v) + " is not " + std::string(wanted), "give " + std::string(wanted));
}

const json& JsonFields::at(const json& object, std::string_view key) const
{
    static const json kNull;
    if (!object.is_object())
        return kNull;
    const auto it = object.find(std::string(key));
    return it == object.end() ? kNull : *it;
}

bool JsonFields::isObject(const json& v, const std::string& pointer)
{
    if (!v.is_object())
        wrongKind(v, pointer, "an object");
    return v.is_object();
}

const json& JsonFields::list(const json& object, std::string_view key, const std::string& pointer)
{
    static const json kEmpty = json::array();
    const json& v = at(object, key);
    if (v.is_array())
        return v;
    if (!v.is_null())
        wrongKind(v, pointerTo(pointer, key), "a list");
    return kEmpty;
}

std::string JsonFields::text(const json& object, std::string_view key, const std::string& pointer)
{
    const json& v = at(object, key);
    if (v.is_string())
        return v.get<std::string>();
    if (!v.is_null())
        wrongKind(v, pointerTo(pointer, key), "a text");
    return {};
}

std::string JsonFields::requiredText(const json& object, std::string_view key, const std::string& pointer)
{
    std::string value = text(object, key, pointer);
    if (value.empty())
        wrongKind(at(object, key), pointerTo(pointer, key), "a text that is not empty");
    return value;
}

bool JsonFields::flag(const json& object, std::string_view key, const std::string& pointer)
{
    const json& v = at(object, key);
    if (!v.is_null() && !v.is_boolean())
        wrongKind(v, pointerTo(pointer, key), "true or false");
    return v.is_boolean() && v.get<bool>();
}

std::uint32_t JsonFields::id(const json& v, const std::string& pointer)
{
    if (v.is_number_unsigned() && v.get<std::uint64_t>() >= 1 && v.get<std::uint64_t>() <= kMaxFileId)
        return v.get<std::uint32_t>();
    wrongKind(v, pointer, "an id from 1 to " + std::to_string(kMaxFileId));
    return 0;
}

double JsonFields::number(const json& v, const std::string& pointer)
{
    if (v.is_number())
        return v.get<double>();
    wrongKind(v, pointer, "a number");
    return 0;
}

Point JsonFields::point(const json& v, const std::string& pointer)
{
    if (v.is_array() && v.size() == 2)
        return {number(v[0], pointerTo(pointer, std::size_t{0})), number(v[1], pointerTo(pointer, std::size_t{1}))};
    wrongKind(v, pointer, "a list of two numbers");
    return {};
}

std::optional<DType> JsonFields::dtype(const json& v, const std::string& pointer)
{
    const std::optional<DType> found = v.is_string() ? dtypeFromName(v.get<std::string>()) : std::nullopt;
    if (!found)
        wrongKind(v, pointer, "a dtype such as \"float32\"");
    return found;
}

void JsonFields::onlyKeys(const json& object, std::initializer_list<std::string_view> keys, const std::string& pointer)
{
    for (const auto& [key, value] : object.items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            fail(pointerTo(pointer, key), "this key is unknown here and would be lost by saving", "remove it");
}

} // namespace engine
