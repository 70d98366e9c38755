// The one table of facts about element types. Storage dtypes are what an edge carries; tf32 is a
// compute mode of float32 (its values are stored as float32). Facts: IEEE 754-2019, OCP FP8.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace engine {

enum class DType : std::uint8_t {
    // Floats, storage.
    f64,
    f32,
    f16,
    bf16,
    e4m3fn,
    e5m2,
    // Integers and bool.
    i64,
    i32,
    i16,
    i8,
    u64,
    u32,
    u16,
    u8,
    boolean,
    // Compute only: 11 significant bits in a float32 word.
    tf32,
};
inline constexpr int kDTypeCount = 16;

enum class DTypeKind : std::uint8_t { Float, Integer, Boolean };

struct DTypeFacts {
    DType dtype;
    std::string_view name;      // the field's word: "float8_e4m3fn"
    std::string_view shortName; // "f64", "bf16", "e4m3fn"; accepted on the command line
    std::string_view numpy;     // descr of its .npy form: "<f8"; bit patterns for bf16 ("<u2") and fp8 ("|u1")
    DTypeKind kind;
    bool isStorage;
    int bytes;
    // Floats only (else 0):
    int exponentBits;
    int fractionBits; // m; precision p = m + 1
    int bias;
    int minExponent; // emin, exponent of the smallest normal
    int maxExponent; // emax, exponent of the largest finite value
    double maxFinite;
    double minNormal;
    double minSubnormal; // eta
    bool hasInfinity;
};

const DTypeFacts& facts(DType dtype);
std::span<const DTypeFacts> allDTypes();
std::optional<DType> dtypeFromName(std::string_view nameOrShort);

inline std::string_view dtypeName(DType d)
{
    return facts(d).name;
}
inline bool isFloat(DType d)
{
    return facts(d).kind == DTypeKind::Float;
}
// Significand bits p.
inline int precision(DType d)
{
    return facts(d).fractionBits + 1;
}
double unitRoundoff(DType d); // u = 2^-p, floats only
inline DType storageOf(DType d)
{
    return d == DType::tf32 ? DType::f32 : d;
}
// True if every value of `from` is a value of `to` (a cast that can lose nothing).
bool isExactCast(DType from, DType to);
// Least upper bound on the promotion lattice; nothing where there is none (float8 with another float).
std::optional<DType> promote(DType a, DType b);

} // namespace engine
