// A scan of brackets, keys and strings first, then nlohmann::json, which parses without recursion.
#include "engine/document/json_text.h"

#include <set>
#include <vector>

namespace engine {

namespace {

using nlohmann::json;

struct Scan {
    int depth = 0; // deepest nesting
    std::uint64_t keys = 0;
    std::uint64_t memory = 0; // upper estimate of the parsed values and of what is built from them
};

// Costs on a 64-bit machine: 16 bytes a value in an array that may just be growing (old and new storage), a heap
// block per container and string, a tree node with its key per member; doubled for what is made of them.
Scan scanJson(std::string_view text)
{
    constexpr std::uint64_t kTwice = 2;
    constexpr std::uint64_t kElement = kTwice * 48, kContainer = kTwice * 112, kMember = kTwice * 112;
    constexpr std::uint64_t kString = kTwice * 64;
    Scan scan;
    int depth = 0;
    bool isInString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isInString) {
            i += c == '\\' ? 1 : 0;
            isInString = c != '"';
            scan.memory += 2;
            continue;
        }
        switch (c) {
        case '"':
            isInString = true;
            scan.memory += kString;
            break;
        case '[':
        case '{':
            scan.depth = std::max(scan.depth, ++depth);
            scan.memory += kContainer;
            break;
        case ']':
        case '}':
            --depth;
            break;
        case ',':
            scan.memory += kElement;
            break;
        case ':':
            ++scan.keys;
            scan.memory += kMember;
            break;
        default:
            break;
        }
    }
    return scan;
}

std::uint64_t countKeys(const json& value)
{
    std::uint64_t count = value.is_object() ? value.size() : 0;
    if (value.is_structured())
        for (const json& v : value)
            count += countKeys(v);
    return count;
}

// Stops at the first key that its object has already.
class DuplicateFinder final : public nlohmann::json_sax<json> {
public:
    std::string found;
    bool key(string_t& name) override
    {
        if (m_open.back().insert(name).second)
            return true;
        found = name;
        return false;
    }
    bool start_object(std::size_t) override
    {
        m_open.emplace_back();
        return true;
    }
    bool end_object() override
    {
        m_open.pop_back();
        return true;
    }
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

private:
    std::vector<std::set<std::string>> m_open;
};

std::string lineAndColumn(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

// The library's words without its prefix and without the bytes it quotes, which may be anything.
std::string wordsOf(const std::string& what)
{
    constexpr std::size_t kMost = 160;
    const std::size_t bracket = what.find("] "), colon = what.find(": ");
    std::string words = colon != std::string::npos     ? what.substr(colon + 2)
                        : bracket != std::string::npos ? what.substr(bracket + 2)
                                                       : what;
    words = words.substr(0, std::min(words.find("; last read"), kMost));
    for (char& c : words)
        if (c < ' ' || c > '~')
            c = '?';
    return words;
}

std::string quotedText(const std::string& text)
{
    return json(text).dump();
}

} // namespace

Result<json> parseJson(std::string_view text, const std::string& place, std::uint64_t memoryLimit)
{
    const Scan scan = scanJson(text);
    if (scan.depth > kMaxJsonDepth)
        return Error{"file-json", place,
                     "the JSON nests " + std::to_string(scan.depth) + " levels deep, more than " +
                         std::to_string(kMaxJsonDepth),
                     "no document needs that; check where the file comes from"};
    if (scan.memory > memoryLimit)
        return Error{"file-limit", place,
                     "the JSON of " + std::to_string(text.size()) + " bytes would take about " +
                         std::to_string(scan.memory) + " bytes of memory, more than " + std::to_string(memoryLimit),
                     "put long lists of numbers into tensors"};
    try {
        json value = json::parse(text);
        if (countKeys(value) == scan.keys)
            return value;
        value = nullptr;
        DuplicateFinder finder;
        json::sax_parse(text, &finder);
        return Error{"file-json", place, "the key " + quotedText(finder.found) + " is twice in one object",
                     "remove one of them"};
    } catch (const json::parse_error& e) {
        return Error{"file-json", place + ", " + lineAndColumn(text, e.byte), "this is not JSON: " + wordsOf(e.what()),
                     "correct or copy the file again"};
    } catch (const json::exception& e) {
        return Error{"file-json", place, "this JSON cannot be read: " + wordsOf(e.what()), "correct that value"};
    }
}

std::string spacedJson(const json& value)
{
    if (!value.is_structured())
        return value.dump();
    std::string text;
    for (const auto& [key, v] : value.items()) {
        text += text.empty() ? "" : ", ";
        text += (value.is_object() ? quotedText(key) + ": " : std::string()) + spacedJson(v);
    }
    return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

std::string jsonExcerpt(const json& value)
{
    constexpr std::size_t kMost = 60;
    if (value.is_structured() && value.size() > kMost)
        return value.is_object() ? "an object of " + std::to_string(value.size()) + " members"
                                 : "a list of " + std::to_string(value.size()) + " entries";
    const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

} // namespace engine
