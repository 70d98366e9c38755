// One element of a cast between float dtypes, host-device: what cast.cu runs on the GPU is what a test runs on the CPU,
// bit by bit equal to engine/model/convert.h. double and float are themselves; narrower types come from narrow_float.h.
#pragma once

#include "engine/model/narrow_float.h"

namespace engine {
inline namespace MANTISSA_NUMERIC_NS {

template <class From> MANTISSA_HD double castSource(From x)
{
    return widen<double>(x);
}
MANTISSA_HD inline double castSource(double x)
{
    return x;
}
MANTISSA_HD inline double castSource(float x)
{
    return toFloat64(x);
}

template <class To> struct CastTarget {
    static MANTISSA_HD To from(double x, NarrowOverflow overflow)
    {
        // Only the 8-bit formats saturate.
        return narrow<To>(x, NarrowRounding::NearestEven, sizeof(To) == 1 ? overflow : NarrowOverflow::ToSpecial);
    }
};
template <> struct CastTarget<TensorFloat32> {
    static MANTISSA_HD TensorFloat32 from(double x, NarrowOverflow)
    {
        return narrow<TensorFloat32>(x, NarrowRounding::NearestAway);
    }
};
template <> struct CastTarget<float> {
    static MANTISSA_HD float from(double x, NarrowOverflow) { return toFloat32(x); }
};
template <> struct CastTarget<double> {
    static MANTISSA_HD double from(double x, NarrowOverflow) { return x; }
};

// Through float64, which holds every value of every float dtype.
template <class To, class From> MANTISSA_HD To castElement(From x, NarrowOverflow overflow)
{
    return CastTarget<To>::from(castSource(x), overflow);
}

} // namespace MANTISSA_NUMERIC_NS
} // namespace engine
