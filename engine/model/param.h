// Parameters of a node: typed values, and the specification an op's record gives for each.
#pragma once

#include "engine/model/dtype.h"
#include "engine/model/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace engine {

// Where the real numbers of an input or a weight come from. A source never depends on a dtype.
struct Source {
    enum class Kind : std::uint8_t { Generator, Values, Tensor, File };
    enum class Scale : std::uint8_t { Raw, Unit };     // Unit: integers k become k / (2^depth - 1)
    enum class Channels : std::uint8_t { Drop, Keep }; // an image's alpha
    Kind kind = Kind::Generator;
    // Generator: one of initializerNames(); a, b: its arguments (uniform: low, high; normal: mean, stddev;
    // constant: value), absent where the initialiser computes them from the fans.
    std::string generator = "zeros";
    std::uint64_t seed = 0;
    std::optional<double> a, b;
    std::vector<double> values; // Values: written out, row-major; one value fills the shape
    std::string name;           // Tensor: member of the document's tensors/; File: path
    std::string member;         // File: npz member
    Scale scale = Scale::Raw;
    Channels channels = Channels::Drop;
    bool operator==(const Source&) const = default;
    // Key of this source's array in RunRequest::arrays; empty for generators and values.
    std::string arrayKey() const;
};

std::span<const std::string_view> initializerNames();

// Before the alias of the same name, which -Wshadow would otherwise report.
enum class ParamKind : std::uint8_t { Bool, Int, Real, Choice, Text, IntList, Source };

using IntList = std::vector<std::int64_t>;
// bool, integer, real, choice or text, list of integers, source
using ParamValue = std::variant<bool, std::int64_t, double, std::string, IntList, Source>;
using ParamMap = std::map<std::string, ParamValue, std::less<>>;

struct ParamSpec {
    std::string_view name;
    ParamKind kind = ParamKind::Int;
    bool isScalarWeight = false; // Real: a weight (epsilon, alpha), rounded at storage
    std::string_view sentence;   // what it does, one sentence
    std::string_view unit = {};  // "px", "rows x columns", ... or empty
    double minimum = 0;          // Int, Real, and each entry of IntList: inclusive range
    double maximum = 1e9;
    std::span<const std::string_view> choices = {}; // Choice
    int minLength = 0, maxLength = 8;               // IntList
    std::string_view defaultText = "0";             // JSON text of the default
};

// A node's parameters seen through its record: every value present, kinds and ranges checked.
class Params {
public:
    // Fills defaults; error code "param-unknown", "param-kind", "param-range" or "param-choice".
    static Result<Params> check(std::span<const ParamSpec> specs, const ParamMap& values, std::string_view place);
    bool flag(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    double real(std::string_view name) const;
    const std::string& text(std::string_view name) const;
    const IntList& list(std::string_view name) const;
    const Source& source(std::string_view name) const;
    const ParamMap& map() const { return m_values; }
    // A copy with one real parameter replaced (a scalar weight after rounding to its storage dtype).
    Params withReal(std::string_view name, double value) const;

private:
    ParamMap m_values;
};

// Canonical JSON text of a value, and back by kind (used by the file, the report and the records' defaults).
std::string paramToJson(const ParamValue& value);
Result<ParamValue> paramFromJson(ParamKind kind, std::string_view json, std::string_view place);

} // namespace engine
