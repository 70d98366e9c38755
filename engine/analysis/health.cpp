// What a tensor holds: counts by kind of value, and the most significand bits that any of its values uses (an
// observation about values, never a confirmation of precision: design 3.5).
#include "engine/analysis/analysis.h"

#include "engine/analysis/element_reader.h"
#include "engine/analysis/ulp.h"

#include <bit>

namespace engine {

namespace {

// Bits from the highest to the lowest that is set.
int usedBits(std::uint64_t v)
{
    return v == 0 ? 0 : static_cast<int>(std::bit_width(v)) - std::countr_zero(v);
}

// 64-bit integers may need more than a float64 holds.
template <class T> int integerBits(const Tensor& t, std::int64_t begin, std::int64_t end)
{
    int most = 0;
    for (std::int64_t i = begin; i < end; ++i) {
        const T v = t.data<T>()[i];
        const std::uint64_t u = static_cast<std::uint64_t>(v);
        most = std::max(most, usedBits(v < 0 ? 0 - u : u));
    }
    return most;
}

// Normal float64: the leading one always stands at bit 52, so the lowest bit set in any of them decides.
int floatBits(const ElementReader& reader, std::int64_t begin, std::int64_t end)
{
    constexpr std::uint64_t kHidden = std::uint64_t{1} << 52;
    RealRoom room;
    std::uint64_t all = 0;
    int most = 0;
    forBlocks(begin, end, [&](std::int64_t first, int n) {
        const double* v = reader.read(first, n, room).hi;
        for (int i = 0; i < n; ++i) {
            const std::uint64_t bits = std::bit_cast<std::uint64_t>(v[i]);
            const std::uint64_t field = (bits >> 52) & 0x7ff, fraction = bits & (kHidden - 1);
            if (field == 0)
                most = std::max(most, usedBits(fraction));
            else if (field != 0x7ff)
                all |= fraction | kHidden;
        }
    });
    return std::max(most, usedBits(all));
}

} // namespace

Health healthOf(const Tensor& t, const Exec& exec)
{
    Health health;
    if (t.isNull())
        return health;
    const ElementReader reader(t);
    const double minNormal = facts(t.dtype()).minNormal;
    std::vector<Health> partials(static_cast<std::size_t>(chunkCount(t.elements())));
    forChunks(exec, t.elements(), [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        RealRoom room;
        Health h;
        forBlocks(begin, end, [&](std::int64_t first, int n) {
            const double* v = reader.read(first, n, room).hi;
            for (int i = 0; i < n; ++i) {
                const double magnitude = std::fabs(v[i]);
                h.zero += magnitude == 0;
                h.subnormal += (magnitude > 0) & (magnitude < minNormal);
                h.inf += magnitude > std::numeric_limits<double>::max();
                h.nan += magnitude != magnitude;
            }
        });
        h.normal = end - begin - h.zero - h.subnormal - h.inf - h.nan;
        partials[static_cast<std::size_t>(chunk)] = h;
    });
    for (const Health& h : partials) {
        health.normal += h.normal, health.subnormal += h.subnormal, health.zero += h.zero;
        health.inf += h.inf, health.nan += h.nan;
    }
    return health;
}

int valueBits(const Tensor& t, const Exec& exec)
{
    if (t.isNull())
        return 0;
    const ElementReader reader(t);
    std::vector<int> partials(static_cast<std::size_t>(chunkCount(t.elements())));
    forChunks(exec, t.elements(), [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        int& bits = partials[static_cast<std::size_t>(chunk)];
        if (t.dtype() == DType::i64)
            bits = integerBits<std::int64_t>(t, begin, end);
        else if (t.dtype() == DType::u64)
            bits = integerBits<std::uint64_t>(t, begin, end);
        else
            bits = floatBits(reader, begin, end);
    });
    int most = 0;
    for (int bits : partials)
        most = std::max(most, bits);
    return most;
}

} // namespace engine
