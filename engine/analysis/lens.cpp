// Design 3.7: a histogram over binades, and for every other float storage dtype what a real cast would report; it
// is a real cast, measured.
#include "engine/analysis/analysis.h"

#include "engine/analysis/element_reader.h"
#include "engine/model/convert.h"

#include <cmath>
#include <mutex>

namespace engine {

namespace {

constexpr int kLowestExponent = -1074, kHighestExponent = 1023;
constexpr std::size_t kBinades = kHighestExponent - kLowestExponent + 1;

// floor(log2 |hi + lo|); hi finite and not zero.
int exponentOf(double hi, double lo)
{
    int exponent = 0;
    const double half = std::frexp(std::fabs(hi), &exponent);
    const bool inward = half == 0.5 && (hi < 0 ? -lo : lo) < 0;
    return exponent - 1 - (inward ? 1 : 0);
}

void countExponents(const Tensor& t, const Exec& exec, Lens& lens)
{
    const ElementReader reader(t);
    std::vector<std::int64_t> counts(kBinades);
    std::mutex mutex;
    forChunks(exec, t.elements(), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
        RealRoom room;
        std::vector<std::int64_t> mine(kBinades);
        std::int64_t zeros = 0, infinities = 0, nans = 0;
        forBlocks(begin, end, [&](std::int64_t first, int n) {
            const RealSpan v = reader.read(first, n, room);
            for (int i = 0; i < n; ++i) {
                const double hi = v.hi[i];
                zeros += hi == 0;
                infinities += std::isinf(hi);
                nans += std::isnan(hi);
                if (hi != 0 && std::isfinite(hi))
                    ++mine[static_cast<std::size_t>(exponentOf(hi, v.lo ? v.lo[i] : 0) - kLowestExponent)];
            }
        });
        const std::lock_guard lock(mutex);
        lens.zeros += zeros, lens.infinities += infinities, lens.nans += nans;
        for (std::size_t k = 0; k < kBinades; ++k)
            counts[k] += mine[k];
    });
    std::size_t from = 0, to = kBinades;
    while (from < to && counts[from] == 0)
        ++from;
    while (to > from && counts[to - 1] == 0)
        --to;
    if (from == to)
        return;
    lens.firstExponent = static_cast<int>(from) + kLowestExponent;
    lens.exponents.assign(counts.begin() + static_cast<std::ptrdiff_t>(from),
                          counts.begin() + static_cast<std::ptrdiff_t>(to));
}

} // namespace

Lens lensOf(const Tensor& t, const Exec& exec)
{
    Lens lens;
    if (t.isNull())
        return lens;
    countExponents(t, exec, lens);
    for (const DTypeFacts& f : allDTypes()) {
        if (f.kind != DTypeKind::Float || !f.isStorage || f.dtype == t.dtype())
            continue;
        const Tensor converted = convert(t, f.dtype, exec);
        if (converted.isNull())
            break; // stopped
        lens.rows.push_back({f.dtype, measureCast(t, converted, exec)});
    }
    return lens;
}

} // namespace engine
