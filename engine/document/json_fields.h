// Fields of parsed JSON with their JSON pointers. The first fault is kept and the rest of the reading is harmless:
// every getter then answers with a default.
#pragma once

#include "engine/document/document.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <string_view>

namespace engine {

class JsonFields {
public:
    explicit JsonFields(std::string place) : m_place(std::move(place)) {}

    bool ok() const { return !m_error.has_value(); }
    const Error& error() const { return *m_error; }
    void fail(const std::string& pointer, std::string message, std::string remedy, std::string code = "file-field");

    // The member, or null; null also stands for absent.
    const nlohmann::json& at(const nlohmann::json& object, std::string_view key) const;
    bool isObject(const nlohmann::json& v, const std::string& pointer);
    // The member as a list; an empty one where absent.
    const nlohmann::json& list(const nlohmann::json& object, std::string_view key, const std::string& pointer);
    std::string text(const nlohmann::json& object, std::string_view key, const std::string& pointer);
    std::string requiredText(const nlohmann::json& object, std::string_view key, const std::string& pointer);
    bool flag(const nlohmann::json& object, std::string_view key, const std::string& pointer);
    std::uint32_t id(const nlohmann::json& v, const std::string& pointer);
    double number(const nlohmann::json& v, const std::string& pointer);
    Point point(const nlohmann::json& v, const std::string& pointer);
    std::optional<DType> dtype(const nlohmann::json& v, const std::string& pointer);
    void onlyKeys(const nlohmann::json& object, std::initializer_list<std::string_view> keys,
                  const std::string& pointer);

private:
    void wrongKind(const nlohmann::json& v, const std::string& pointer, std::string_view wanted);
    std::string m_place;
    std::optional<Error> m_error;
};

// "/nodes" + 3 -> "/nodes/3"; keys escaped as RFC 6901 has it.
std::string pointerTo(const std::string& pointer, std::size_t index);
std::string pointerTo(const std::string& pointer, std::string_view key);

} // namespace engine
