// Random parameters and operand shapes for any record: mostly small and often fitting, sometimes hostile. The same
// seed gives the same cases on every machine (no distribution of the standard library is used).
#pragma once

#include "engine/model/op_spec.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace support {

class Random {
public:
    explicit Random(std::uint64_t seed) : m_engine(seed) {}
    // 0 <= result < count
    std::int64_t below(std::int64_t count)
    {
        return static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(count));
    }
    bool chance(int percent) { return below(100) < percent; }
    double between(double low, double high)
    {
        return low + (high - low) * static_cast<double>(m_engine() >> 11) * 0x1p-53;
    }

private:
    std::mt19937_64 m_engine;
};

// A stable seed for a name (FNV-1a).
inline std::uint64_t seedOf(std::string_view name)
{
    std::uint64_t h = 14695981039346656037u;
    for (char c : name)
        h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return h;
}

struct OpCase {
    engine::ParamMap params;
    bool isTame = true;                                 // no extreme parameter or shape: small enough to be computed
    std::vector<std::optional<engine::Shape>> operands; // one per port
    std::string text() const
    {
        std::string t = "{";
        for (const auto& [name, value] : params)
            t += name + ": " + engine::paramToJson(value) + ", ";
        t += "} on";
        for (const auto& shape : operands)
            t += " " + (shape ? shape->text() : std::string("-"));
        return t;
    }
};

inline std::int64_t randomInteger(Random& random, const engine::ParamSpec& spec, bool& isTame)
{
    const auto low = static_cast<std::int64_t>(std::max(spec.minimum, -1e15));
    const auto high = static_cast<std::int64_t>(std::min(spec.maximum, 1e15));
    if (random.chance(4)) {
        isTame = false;
        return random.chance(50) ? high : low;
    }
    return std::min(high, low + random.below(4));
}

inline std::optional<engine::ParamValue> randomParam(Random& random, const engine::ParamSpec& spec, bool& isTame)
{
    using engine::ParamKind;
    switch (spec.kind) {
    case ParamKind::Bool:
        return random.chance(50);
    case ParamKind::Int:
        return randomInteger(random, spec, isTame);
    case ParamKind::Real:
        return random.between(std::max(spec.minimum, -4.0), std::min(spec.maximum, 4.0));
    case ParamKind::Choice:
        return std::string(
            spec.choices[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(spec.choices.size())))]);
    case ParamKind::IntList: {
        engine::IntList list(
            static_cast<std::size_t>(spec.minLength + random.below(spec.maxLength - spec.minLength + 1)));
        for (std::int64_t& v : list)
            v = randomInteger(random, spec, isTame);
        return list;
    }
    case ParamKind::Text:
    case ParamKind::Source:
        return std::nullopt;
    }
    return std::nullopt;
}

inline engine::Shape randomShape(Random& random, bool& isTame)
{
    static constexpr std::int64_t kSizes[]{1, 2, 3, 4, 5, 6, 7, 1, 2, 4, 6, 0};
    const std::int64_t rank = random.chance(60) ? 4 : random.below(engine::kMaxRank + 1);
    std::vector<std::int64_t> dims;
    for (std::int64_t i = 0; i < rank; ++i)
        dims.push_back(kSizes[random.below(random.chance(20) ? 12 : 11)]);
    if (rank > 0 && random.chance(4)) {
        isTame = false;
        dims[static_cast<std::size_t>(random.below(rank))] = std::int64_t{1} << random.below(41);
        // What arrives at a port has been checked.
        while (!engine::checkedElements(engine::Shape(dims)))
            *std::find_if(dims.begin(), dims.end(), [](std::int64_t d) { return d > 1 && d < 8; }) = 1;
    }
    return engine::Shape(std::move(dims));
}

// A second operand: often the first one's shape, or one that broadcasts or multiplies with it.
inline engine::Shape relatedShape(Random& random, const engine::Shape& first, bool& isTame)
{
    std::vector<std::int64_t> dims = first.dims();
    switch (random.below(5)) {
    case 0:
        return randomShape(random, isTame);
    case 1:
        return first;
    case 2:
        return first.rank() > 0 ? engine::Shape{first[static_cast<int>(random.below(first.rank()))]} : first;
    case 3:
        for (std::int64_t& d : dims)
            d = random.chance(50) ? 1 : d;
        return engine::Shape(std::move(dims));
    default:
        if (first.rank() >= 2) {
            dims[dims.size() - 2] = first.last();
            dims.back() = 1 + random.below(5);
        }
        return engine::Shape(std::move(dims));
    }
}

// The case; its parameters are in range but may contradict one another, and its operands may not fit.
inline OpCase randomOpCase(Random& random, const engine::OpSpec& spec)
{
    OpCase c;
    for (const engine::ParamSpec& p : spec.params)
        if (random.chance(45))
            if (auto value = randomParam(random, p, c.isTame))
                c.params.emplace(p.name, std::move(*value));
    const engine::Result<engine::Params> params = engine::Params::check(spec.params, c.params, "");
    c.operands.resize(spec.ports.size());
    std::vector<engine::Shape> activations;
    for (std::size_t port = 0; port < spec.ports.size(); ++port) {
        const int index = static_cast<int>(port);
        if (params.ok() && spec.portPresent && !spec.portPresent(*params, index))
            continue;
        if (random.chance(2))
            continue;
        const engine::PortRole role = spec.ports[port].role;
        if (role == engine::PortRole::Activation || activations.empty()) {
            c.operands[port] = randomShape(random, c.isTame);
            activations.push_back(*c.operands[port]);
        } else if (params.ok() && spec.weightShape && !spec.ports[port].source.empty() && random.chance(85)) {
            if (const auto shape = spec.weightShape(*params, activations, index); shape.ok())
                c.operands[port] = *shape;
        } else {
            c.operands[port] = relatedShape(random, activations.front(), c.isTame);
        }
    }
    return c;
}

} // namespace support
