// A combo: storage dtypes of inputs and of weights. The four of the title are data, one row each.
#pragma once

#include "engine/model/dtype.h"

#include <array>
#include <string>

namespace engine {

struct Combo {
    DType input = DType::f32;
    DType weight = DType::f32;
    bool operator==(const Combo&) const = default;
    std::string text() const { return std::string(dtypeName(input)) + ":" + std::string(dtypeName(weight)); }
};

inline constexpr std::array<Combo, 4> kFourCombos{{
    {DType::f32, DType::f32},
    {DType::f32, DType::f64},
    {DType::f64, DType::f32},
    {DType::f64, DType::f64},
}};

} // namespace engine
