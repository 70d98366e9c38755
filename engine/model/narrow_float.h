// The narrow float formats as bits, their exact widening, and one narrowing algorithm on integers (semantics
// reference, section 8.4) with one rounding. Freestanding and host-device: kernels of every instruction set and the
// GPU module include it. A translation unit compiled for another instruction set must first define
// MANTISSA_NUMERIC_NS to a name of its own (say numeric_v4): then the linker never shares its inline functions with
// the others. All names are reached as engine::X either way. Needs strict IEEE evaluation, default rounding mode.
#pragma once

#include <cstdint>

#ifndef MANTISSA_HD
#ifdef __CUDACC__
#define MANTISSA_HD __host__ __device__
#else
#define MANTISSA_HD
#endif
#endif
#ifndef MANTISSA_NUMERIC_NS
#define MANTISSA_NUMERIC_NS numeric
#endif

namespace engine {
inline namespace MANTISSA_NUMERIC_NS {

enum class NarrowRounding : std::uint8_t { NearestEven, NearestAway, TowardZero };
// Too large or infinite: to infinity (NaN where the format has none), or to the largest finite.
enum class NarrowOverflow : std::uint8_t { ToSpecial, Saturate };

// A format with E exponent and M fraction bits, stored above Unused zero bits. Without infinity (E4M3FN) the
// all-ones exponent holds finite values, and NaN is all ones.
template <class BitsType, int E, int M, bool HasInfinity, int Unused = 0> struct NarrowFloat {
    using Bits = BitsType;
    Bits bits = 0;

    static constexpr int kExponentBits = E;
    static constexpr int kFractionBits = M;
    static constexpr bool kHasInfinity = HasInfinity;
    static constexpr int kUnusedBits = Unused;
    static constexpr int kBias = (1 << (E - 1)) - 1;
    static constexpr int kMinExponent = 1 - kBias;
    // Codes without sign.
    static constexpr std::uint32_t kAllOnes = (std::uint32_t{1} << (E + M)) - 1;
    static constexpr std::uint32_t kInfinity = ((std::uint32_t{1} << E) - 1) << M; // only if kHasInfinity
    static constexpr std::uint32_t kNan = HasInfinity ? kInfinity | (std::uint32_t{1} << (M - 1)) : kAllOnes;
    static constexpr std::uint32_t kMaxFinite = HasInfinity ? kInfinity - 1 : kAllOnes - 1;
    static constexpr std::uint32_t kOverflow = HasInfinity ? kInfinity : kNan;
};

using Float32 = NarrowFloat<std::uint32_t, 8, 23, true>;           // the bits of a float
using TensorFloat32 = NarrowFloat<std::uint32_t, 8, 10, true, 13>; // tf32 in a float32 word
using Float16 = NarrowFloat<std::uint16_t, 5, 10, true>;
using BFloat16 = NarrowFloat<std::uint16_t, 8, 7, true>;
using Float8E4M3FN = NarrowFloat<std::uint8_t, 4, 3, false>;
using Float8E5M2 = NarrowFloat<std::uint8_t, 5, 2, true>;

// float and double, seen as bits.
template <class T> struct WideFloat;
template <> struct WideFloat<float> {
    using Word = std::uint32_t;
    static constexpr int kFractionBits = 23, kBias = 127;
};
template <> struct WideFloat<double> {
    using Word = std::uint64_t;
    static constexpr int kFractionBits = 52, kBias = 1023;
};

template <class To, class From> MANTISSA_HD constexpr To bitsAs(From x)
{
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, x);
}

// One rounding from float or double. NaN stays a quiet NaN with its sign and the top of its payload; -0 stays.
// Toward zero, a finite value never leaves the finite range.
template <class F, class Source>
MANTISSA_HD constexpr F narrow(Source x, NarrowRounding rounding = NarrowRounding::NearestEven,
                               NarrowOverflow overflow = NarrowOverflow::ToSpecial)
{
    using W = WideFloat<Source>;
    using Word = typename W::Word;
    using Bits = typename F::Bits;
    constexpr int kDropped = W::kFractionBits - F::kFractionBits; // of a value that stays normal
    static_assert(kDropped > 0, "the target must be narrower than the source");
    constexpr Word kHidden = Word{1} << W::kFractionBits;
    constexpr Word kSignBit = Word{1} << (sizeof(Word) * 8 - 1);
    constexpr Word kInfinity = (kSignBit >> W::kFractionBits << W::kFractionBits) - kHidden;

    const Word bits = bitsAs<Word>(x);
    const Word magnitude = bits & (kSignBit - 1);
    const int field = static_cast<int>(magnitude >> W::kFractionBits);
    const Word fraction = magnitude & (kHidden - 1);
    const Word significand = field != 0 ? fraction | kHidden : fraction;
    const int exponent = (field != 0 ? field : 1) - W::kBias;
    const int target = exponent > F::kMinExponent ? exponent : F::kMinExponent;
    // More than all bits gone is below half the smallest subnormal, like one bit less.
    const int wanted = kDropped + (target - exponent);
    const int shift = wanted < W::kFractionBits + 2 ? wanted : W::kFractionBits + 2;
    const Word half = Word{1} << (shift - 1);
    const Word increment = rounding == NarrowRounding::NearestEven   ? half - 1 + ((significand >> shift) & 1)
                           : rounding == NarrowRounding::NearestAway ? half
                                                                     : Word{0};
    // A carry out of the rounded significand walks into the exponent by itself.
    Word code =
        (static_cast<Word>(target - F::kMinExponent) << F::kFractionBits) + ((significand + increment) >> shift);
    const bool finite = magnitude < kInfinity;
    const bool clamps = overflow == NarrowOverflow::Saturate || (finite && rounding == NarrowRounding::TowardZero);
    const Word beyond = clamps ? F::kMaxFinite : F::kOverflow;
    code = finite && code <= F::kMaxFinite ? code : beyond;
    const Word nan = F::kHasInfinity ? Word{F::kNan} | (fraction >> kDropped) : Word{F::kNan};
    code = magnitude > kInfinity ? nan : code;
    code |= (bits >> (sizeof(Word) * 8 - 1)) << (F::kExponentBits + F::kFractionBits);
    return F{static_cast<Bits>(static_cast<Bits>(code) << F::kUnusedBits)};
}

// Exact. A signalling NaN becomes quiet.
template <class Wide, class F> MANTISSA_HD constexpr Wide widen(F x)
{
    using W = WideFloat<Wide>;
    using Word = typename W::Word;
    constexpr int kGained = W::kFractionBits - F::kFractionBits;
    static_assert(kGained >= 0);
    constexpr Word kHidden = Word{1} << W::kFractionBits;
    constexpr Word kSignBit = Word{1} << (sizeof(Word) * 8 - 1);
    constexpr Word kInfinity = (kSignBit >> W::kFractionBits << W::kFractionBits) - kHidden;
    constexpr Word kQuietNan = kInfinity | (kHidden >> 1);

    const Word code = static_cast<Word>(x.bits) >> F::kUnusedBits;
    const Word magnitude = code & F::kAllOnes;
    const Word fraction = magnitude & ((Word{1} << F::kFractionBits) - 1);
    Word wide = (magnitude << kGained) + (static_cast<Word>(W::kBias - F::kBias) << W::kFractionBits);
    if constexpr (W::kBias != F::kBias) {
        constexpr Word kSubnormal = static_cast<Word>(F::kMinExponent - F::kFractionBits + W::kBias)
                                    << W::kFractionBits;
        const Wide small = static_cast<Wide>(static_cast<std::int32_t>(fraction)) * bitsAs<Wide>(kSubnormal);
        // A mask, not a choice: the compiler may not move the product into a branch, which would stop vectorising.
        const Word mask = Word{0} - static_cast<Word>(magnitude < (Word{1} << F::kFractionBits));
        wide = (bitsAs<Word>(small) & mask) | (wide & ~mask);
    }
    if constexpr (F::kHasInfinity)
        wide |= (magnitude >= F::kInfinity ? kInfinity : 0) | (magnitude > F::kInfinity ? kQuietNan : 0);
    else
        wide |= magnitude == F::kNan ? kQuietNan : 0;
    wide |= (code >> (F::kExponentBits + F::kFractionBits)) << (sizeof(Word) * 8 - 1);
    return bitsAs<Wide>(wide);
}

// float64 to float32 and back as the CPU does it, NaN payloads included (a GPU's own casts drop them).
MANTISSA_HD constexpr float toFloat32(double x)
{
    return x == x ? static_cast<float>(x) : bitsAs<float>(narrow<Float32>(x).bits);
}
MANTISSA_HD constexpr double toFloat64(float x)
{
    return x == x ? static_cast<double>(x) : widen<double>(Float32{bitsAs<std::uint32_t>(x)});
}

// hi + lo rounded to odd: narrowing this to at most 51 bits rounds hi + lo once (Boldo and Melquiond, IEEE TC
// 57(4), 2008). |lo| <= ulp(hi).
MANTISSA_HD constexpr double roundToOdd(double hi, double lo)
{
    const double sum = hi + lo;
    const double rest = lo - (sum - hi);
    if (!(rest != 0) || !(sum - sum == 0))
        return lo == 0 ? hi : sum; // exact (hi as it is: -0 stays), or not finite
    const std::uint64_t bits = bitsAs<std::uint64_t>(sum);
    if (bits & 1)
        return sum;
    // The sign bits of sum and rest tell whether the magnitude grows.
    const bool away = (rest > 0) == (sum > 0);
    return bitsAs<double>(away ? bits + 1 : bits - 1);
}

// hi + lo rounded once.
template <class F>
MANTISSA_HD constexpr F narrowSum(double hi, double lo, NarrowRounding rounding = NarrowRounding::NearestEven,
                                  NarrowOverflow overflow = NarrowOverflow::ToSpecial)
{
    return narrow<F>(roundToOdd(hi, lo), rounding, overflow);
}

// s + product with one rounding, subnormals kept: the step of an accumulator of type F. The product of two floats of
// at most 16 bits is exact in float64.
template <class F>
MANTISSA_HD constexpr F fmaNarrow(F s, double product, NarrowOverflow overflow = NarrowOverflow::ToSpecial)
{
    const double a = widen<double>(s);
    const double sum = a + product;
    const double b = sum - a;
    const double rest = (a - (sum - b)) + (product - b); // two_sum; not finite with sum
    return narrowSum<F>(sum, sum - sum == 0 ? rest : 0.0, NarrowRounding::NearestEven, overflow);
}

} // namespace MANTISSA_NUMERIC_NS
} // namespace engine
