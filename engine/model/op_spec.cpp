// Small facts about op records: slot names, the table of compute pairs, and lookups.
#include "engine/model/op_spec.h"

#include <algorithm>

namespace engine {

std::string_view slotName(Slot slot)
{
    static constexpr std::array<std::string_view, kSlotCount> kNames{"input", "weight", "compute", "accumulate",
                                                                     "output"};
    return kNames[static_cast<std::size_t>(slot)];
}

std::string ComputePair::text() const
{
    return std::string(dtypeName(multiply)) + "," + std::string(dtypeName(accumulate));
}

std::span<const ComputePair> computePairs()
{
    using enum DType;
    static constexpr std::array<ComputePair, 11> kPairs{{
        {f64, f64},
        {f32, f32},
        {tf32, f32},
        {f16, f32},
        {f16, f16},
        {bf16, f32},
        {bf16, bf16},
        {e4m3fn, f32},
        {e4m3fn, f16},
        {e5m2, f32},
        {e5m2, f16},
    }};
    return kPairs;
}

DType defaultAccumulate(DType multiply)
{
    return multiply == DType::f64 ? DType::f64 : DType::f32;
}

bool pairAllowed(PairSet set, ComputePair pair)
{
    const auto pairs = computePairs();
    const bool isContraction = std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
    const bool isUniformStorage = pair.multiply == pair.accumulate && facts(pair.multiply).isStorage;
    switch (set) {
    case PairSet::Contraction:
        return isContraction;
    case PairSet::Reduction:
        return isContraction && pair.multiply != DType::tf32;
    case PairSet::Pointwise:
        return isUniformStorage && isFloat(pair.multiply);
    case PairSet::Any:
        return isUniformStorage;
    }
    return false;
}

int portIndex(const OpSpec& spec, std::string_view port)
{
    for (std::size_t i = 0; i < spec.ports.size(); ++i)
        if (spec.ports[i].name == port)
            return static_cast<int>(i);
    return -1;
}

} // namespace engine
