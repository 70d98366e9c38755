// Identity of graph things. Ids are given by the document, never reused within it; 0 is no id.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace engine {

struct NodeId {
    std::uint32_t value = 0;
    auto operator<=>(const NodeId&) const = default;
    explicit operator bool() const { return value != 0; }
};

} // namespace engine

template <> struct std::hash<engine::NodeId> {
    std::size_t operator()(engine::NodeId id) const noexcept { return id.value; }
};
