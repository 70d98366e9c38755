#include "engine/model/dtype.h"

#include <array>
#include <cmath>

namespace engine {

namespace {

constexpr DTypeFacts floatFacts(DType d, std::string_view name, std::string_view shortName, std::string_view numpy,
                                int bytes, int exponentBits, int fractionBits, int bias, int maxExponent,
                                double maxFinite, double minNormal, double minSubnormal, bool hasInfinity,
                                bool isStorage = true)
{
    return {d,         name,         shortName,    numpy,      DTypeKind::Float, isStorage,
            bytes,     exponentBits, fractionBits, bias,       1 - bias,         maxExponent,
            maxFinite, minNormal,    minSubnormal, hasInfinity};
}

constexpr DTypeFacts otherFacts(DType d, std::string_view name, std::string_view shortName, std::string_view numpy,
                                int bytes, DTypeKind kind = DTypeKind::Integer)
{
    return {d, name, shortName, numpy, kind, true, bytes, 0, 0, 0, 0, 0, 0, 0, 0, false};
}

// In the order of the enumeration.
constexpr std::array<DTypeFacts, kDTypeCount> kFacts{{
    floatFacts(DType::f64, "float64", "f64", "<f8", 8, 11, 52, 1023, 1023, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074,
               true),
    floatFacts(DType::f32, "float32", "f32", "<f4", 4, 8, 23, 127, 127, 0x1.fffffep127, 0x1p-126, 0x1p-149, true),
    floatFacts(DType::f16, "float16", "f16", "<f2", 2, 5, 10, 15, 15, 65504, 0x1p-14, 0x1p-24, true),
    floatFacts(DType::bf16, "bfloat16", "bf16", "<u2", 2, 8, 7, 127, 127, 0x1.fep127, 0x1p-126, 0x1p-133, true),
    floatFacts(DType::e4m3fn, "float8_e4m3fn", "e4m3fn", "|u1", 1, 4, 3, 7, 8, 448, 0x1p-6, 0x1p-9, false),
    floatFacts(DType::e5m2, "float8_e5m2", "e5m2", "|u1", 1, 5, 2, 15, 15, 57344, 0x1p-14, 0x1p-16, true),
    otherFacts(DType::i64, "int64", "i64", "<i8", 8),
    otherFacts(DType::i32, "int32", "i32", "<i4", 4),
    otherFacts(DType::i16, "int16", "i16", "<i2", 2),
    otherFacts(DType::i8, "int8", "i8", "|i1", 1),
    otherFacts(DType::u64, "uint64", "u64", "<u8", 8),
    otherFacts(DType::u32, "uint32", "u32", "<u4", 4),
    otherFacts(DType::u16, "uint16", "u16", "<u2", 2),
    otherFacts(DType::u8, "uint8", "u8", "|u1", 1),
    otherFacts(DType::boolean, "bool", "bool", "|b1", 1, DTypeKind::Boolean),
    floatFacts(DType::tf32, "tf32", "tf32", "<f4", 4, 8, 10, 127, 127, 0x1.ffcp127, 0x1p-126, 0x1p-136, true, false),
}};

} // namespace

const DTypeFacts& facts(DType dtype)
{
    return kFacts[static_cast<std::size_t>(dtype)];
}

std::span<const DTypeFacts> allDTypes()
{
    return kFacts;
}

std::optional<DType> dtypeFromName(std::string_view name)
{
    for (const DTypeFacts& f : kFacts)
        if (f.name == name || f.shortName == name)
            return f.dtype;
    return std::nullopt;
}

double unitRoundoff(DType d)
{
    return std::ldexp(1.0, -precision(d));
}

bool isExactCast(DType from, DType to)
{
    if (from == to)
        return true;
    const DTypeFacts &a = facts(from), &b = facts(to);
    if (a.kind == DTypeKind::Boolean)
        return true;
    if (b.kind == DTypeKind::Boolean)
        return false;
    const auto isUnsigned = [](const DTypeFacts& f) { return f.name.front() == 'u'; };
    const auto valueBits = [&](const DTypeFacts& f) { return f.bytes * 8 - (isUnsigned(f) ? 0 : 1); };
    if (a.kind == DTypeKind::Integer && b.kind == DTypeKind::Integer)
        return valueBits(a) <= valueBits(b) && (isUnsigned(a) || !isUnsigned(b));
    if (a.kind == DTypeKind::Integer)
        return valueBits(a) <= b.fractionBits + 1 && std::ldexp(1.0, valueBits(a)) <= b.maxFinite;
    if (b.kind == DTypeKind::Integer)
        return false;
    return a.fractionBits <= b.fractionBits && a.maxFinite <= b.maxFinite && a.minSubnormal >= b.minSubnormal &&
           (b.hasInfinity || !a.hasInfinity);
}

std::optional<DType> promote(DType a, DType b)
{
    if (a == b)
        return a;
    const auto isFloat8 = [](DType d) { return d == DType::e4m3fn || d == DType::e5m2; };
    const DTypeFacts &fa = facts(a), &fb = facts(b);
    if (fa.kind == DTypeKind::Float && fb.kind == DTypeKind::Float) {
        if (isFloat8(a) || isFloat8(b))
            return std::nullopt;
        if (fa.bytes == 2 && fb.bytes == 2)
            return DType::f32;
        return fa.bytes > fb.bytes ? a : b;
    }
    if (fa.kind == DTypeKind::Float)
        return a;
    if (fb.kind == DTypeKind::Float)
        return b;
    if (isExactCast(a, b))
        return b;
    if (isExactCast(b, a))
        return a;
    for (DType wider : {DType::i16, DType::i32, DType::i64})
        if (isExactCast(a, wider) && isExactCast(b, wider))
            return wider;
    return std::nullopt;
}

} // namespace engine
