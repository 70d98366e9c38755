// Checks a node's parameters against the record's specification and answers typed questions about them.
#include "engine/model/param.h"

#include "engine/model/number_text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace engine {

namespace {

std::string kindWords(const ParamSpec& spec)
{
    switch (spec.kind) {
    case ParamKind::Bool:
        return "true or false";
    case ParamKind::Int:
        return "an integer";
    case ParamKind::Real:
        return "a number";
    case ParamKind::Choice:
        return "one of its choices";
    case ParamKind::Text:
        return "a text";
    case ParamKind::IntList:
        return "a list of integers";
    case ParamKind::Source:
        return "a source of values";
    }
    return "another kind";
}

Error paramError(std::string code, std::string_view place, const ParamSpec& spec, std::string message,
                 std::string remedy)
{
    const std::string name(spec.name);
    return {std::move(code), std::string(place) + (place.empty() ? "parameter " : ", parameter ") + name,
            name + " " + std::move(message), std::move(remedy)};
}

Error rangeError(std::string_view place, const ParamSpec& spec, const std::string& value)
{
    const std::string range = numberText(spec.minimum) + " to " + numberText(spec.maximum);
    return paramError("param-range", place, spec, "is " + value + ", outside " + range, "use a value from " + range);
}

bool isInRange(const ParamSpec& spec, double value)
{
    return std::isfinite(value) && value >= spec.minimum && value <= spec.maximum;
}

Status checkList(const ParamSpec& spec, const IntList& list, std::string_view place)
{
    const auto length = static_cast<std::int64_t>(list.size());
    if (length < spec.minLength || length > spec.maxLength) {
        const std::string range = std::to_string(spec.minLength) + " to " + std::to_string(spec.maxLength);
        return paramError("param-range", place, spec,
                          "is " + paramToJson(list) + " with " + std::to_string(length) + " entries, outside " + range,
                          "give " + range + " entries");
    }
    for (std::int64_t v : list)
        if (!isInRange(spec, static_cast<double>(v)))
            return rangeError(place, spec, paramToJson(list) + " with the entry " + std::to_string(v));
    return success();
}

Status checkChoice(const ParamSpec& spec, const std::string& text, std::string_view place)
{
    if (std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end())
        return success();
    std::string all;
    for (std::string_view c : spec.choices)
        all += (all.empty() ? "" : ", ") + std::string(c);
    return paramError("param-choice", place, spec, "is \"" + text + "\", which is none of its choices",
                      "choose one of " + all);
}

Status checkSource(const ParamSpec& spec, const Source& source, std::string_view place)
{
    const auto names = initializerNames();
    if (source.kind == Source::Kind::Generator &&
        std::find(names.begin(), names.end(), source.generator) == names.end()) {
        std::string all;
        for (std::string_view n : names)
            all += (all.empty() ? "" : ", ") + std::string(n);
        return paramError("param-choice", place, spec,
                          "names the initialiser \"" + source.generator + "\", which does not exist",
                          "choose one of " + all);
    }
    if (source.kind == Source::Kind::Values && source.values.empty())
        return paramError("param-range", place, spec, "lists no values", "give one value, or one per element");
    return success();
}

// Checks one given value; an integer for a real parameter becomes real.
Result<ParamValue> checkedValue(const ParamSpec& spec, const ParamValue& value, std::string_view place)
{
    const Error wrongKind =
        paramError("param-kind", place, spec, "is " + paramToJson(value) + ", which is not " + kindWords(spec),
                   "give " + kindWords(spec));
    Status status = wrongKind;
    switch (spec.kind) {
    case ParamKind::Bool:
        if (std::holds_alternative<bool>(value))
            return value;
        break;
    case ParamKind::Int:
        if (const auto* v = std::get_if<std::int64_t>(&value))
            status = isInRange(spec, static_cast<double>(*v)) ? success() : rangeError(place, spec, std::to_string(*v));
        break;
    case ParamKind::Real: {
        const auto* integer = std::get_if<std::int64_t>(&value);
        const auto* real = std::get_if<double>(&value);
        if (!integer && !real)
            break;
        const double v = real ? *real : static_cast<double>(*integer);
        return isInRange(spec, v) ? Result<ParamValue>(ParamValue(v)) : rangeError(place, spec, numberText(v));
    }
    case ParamKind::Choice:
        if (const auto* v = std::get_if<std::string>(&value))
            status = checkChoice(spec, *v, place);
        break;
    case ParamKind::Text:
        if (std::holds_alternative<std::string>(value))
            return value;
        break;
    case ParamKind::IntList:
        if (const auto* v = std::get_if<IntList>(&value))
            status = checkList(spec, *v, place);
        break;
    case ParamKind::Source:
        if (const auto* v = std::get_if<Source>(&value))
            status = checkSource(spec, *v, place);
        break;
    }
    return status.ok() ? Result<ParamValue>(value) : Result<ParamValue>(status.error());
}

template <class T> const T& valueOf(const ParamMap& values, std::string_view name)
{
    const auto it = values.find(name);
    const T* value = it == values.end() ? nullptr : std::get_if<T>(&it->second);
    assert(value && "an op asks for a parameter that its record does not declare");
    static const T kNone{};
    return value ? *value : kNone;
}

} // namespace

std::string Source::arrayKey() const
{
    switch (kind) {
    case Kind::Tensor:
        return "tensor:" + name;
    case Kind::File:
        return "file:" + name + "#" + member + (channels == Channels::Keep ? "#keep" : "");
    case Kind::Generator:
    case Kind::Values:
        break;
    }
    return {};
}

std::span<const std::string_view> initializerNames()
{
    static constexpr std::array<std::string_view, 11> kNames{
        "glorot_uniform", "glorot_normal", "he_uniform", "he_normal", "lecun_normal", "uniform",
        "normal",         "zeros",         "ones",       "constant",  "ramp"};
    return kNames;
}

Result<Params> Params::check(std::span<const ParamSpec> specs, const ParamMap& values, std::string_view place)
{
    Params params;
    for (const auto& [name, value] : values) {
        const auto it =
            std::find_if(specs.begin(), specs.end(), [&n = name](const ParamSpec& s) { return s.name == n; });
        if (it == specs.end()) {
            std::string all;
            for (const ParamSpec& s : specs)
                all += (all.empty() ? "" : ", ") + std::string(s.name);
            return Error{"param-unknown", std::string(place), "there is no parameter \"" + name + "\" here",
                         all.empty() ? "this op has no parameters" : "the parameters are " + all};
        }
        Result<ParamValue> checked = checkedValue(*it, value, place);
        if (!checked)
            return checked.error();
        params.m_values.emplace(name, std::move(*checked));
    }
    for (const ParamSpec& spec : specs) {
        if (params.m_values.contains(spec.name))
            continue;
        Result<ParamValue> value = paramFromJson(spec.kind, spec.defaultText, place);
        if (value.ok())
            value = checkedValue(spec, *value, place);
        if (!value)
            return value.error();
        params.m_values.emplace(spec.name, std::move(*value));
    }
    return params;
}

bool Params::flag(std::string_view name) const
{
    return valueOf<bool>(m_values, name);
}

std::int64_t Params::integer(std::string_view name) const
{
    return valueOf<std::int64_t>(m_values, name);
}

double Params::real(std::string_view name) const
{
    return valueOf<double>(m_values, name);
}

Params Params::withReal(std::string_view name, double value) const
{
    Params copy = *this;
    copy.m_values.insert_or_assign(std::string(name), value);
    return copy;
}

const std::string& Params::text(std::string_view name) const
{
    return valueOf<std::string>(m_values, name);
}

const IntList& Params::list(std::string_view name) const
{
    return valueOf<IntList>(m_values, name);
}

const Source& Params::source(std::string_view name) const
{
    return valueOf<Source>(m_values, name);
}

} // namespace engine
