// Two float64 lanes in one register, as the compiler's own vector type: what every x86-64 has. Loops of the metrics
// are written with it because the automatic vectoriser gives up on their comparisons.
#pragma once

#include <cstdint>
#include <cstring>

namespace engine {

typedef double Lanes __attribute__((vector_size(16)));
typedef std::int64_t LaneMask __attribute__((vector_size(16))); // all ones where a comparison holds

inline Lanes loadLanes(const double* p)
{
    Lanes v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline void storeLanes(double* p, Lanes v)
{
    std::memcpy(p, &v, sizeof v);
}
inline Lanes bothLanes(double x)
{
    return Lanes{x, x};
}
inline LaneMask bitsOf(Lanes v)
{
    return reinterpret_cast<LaneMask>(v);
}
inline Lanes lanesOf(LaneMask m)
{
    return reinterpret_cast<Lanes>(m);
}
inline Lanes absLanes(Lanes v)
{
    return lanesOf(bitsOf(v) & INT64_MAX);
}
inline Lanes maxLanes(Lanes a, Lanes b)
{
    return a < b ? b : a;
} // a where b is NaN

} // namespace engine
