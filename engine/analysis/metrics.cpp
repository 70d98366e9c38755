// design 3.5: y against the double-double reference in one fused pass. Order statistics are taken on the
// relative errors, of which the correct bits are a decreasing function: log2 is computed for three of them.
//   p01 bits: nearest rank below, index floor((N - 1) / 100) of the ascending bits (NumPy's method "lower").
//   medians: the middle value, of an even count the mean of the middle two.
#include "engine/analysis/analysis.h"

#include "engine/analysis/element_reader.h"
#include "engine/analysis/half_decades.h"
#include "engine/analysis/order_statistics.h"
#include "engine/analysis/sums.h"
#include "engine/analysis/ulp.h"

namespace engine {

namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

struct Partial {
    std::int64_t both = 0, relative = 0; // elements that qualify
    std::int64_t exact = 0;              // of the latter
    CompensatedSum absSum, relSum, ulpSum;
    SquareSum errorSquares, referenceSquares;
    double maxAbs = 0, maxRel = 0, maxUlp = 0;
    std::int64_t zeroRef = 0, zeroRefWrong = 0, nan = 0, inf = 0, overflow = 0, underflow = 0, subnormal = 0;
    std::int64_t firstBad = -1;
    std::array<std::int64_t, 9> ulpHistogram{};

    void add(const Partial& o)
    {
        both += o.both, relative += o.relative, exact += o.exact;
        absSum.add(o.absSum), relSum.add(o.relSum), ulpSum.add(o.ulpSum);
        errorSquares.add(o.errorSquares), referenceSquares.add(o.referenceSquares);
        maxAbs = std::max(maxAbs, o.maxAbs), maxRel = std::max(maxRel, o.maxRel), maxUlp = std::max(maxUlp, o.maxUlp);
        zeroRef += o.zeroRef, zeroRefWrong += o.zeroRefWrong, nan += o.nan, inf += o.inf;
        overflow += o.overflow, underflow += o.underflow, subnormal += o.subnormal;
        if (firstBad < 0)
            firstBad = o.firstBad;
        for (std::size_t i = 0; i < ulpHistogram.size(); ++i)
            ulpHistogram[i] += o.ulpHistogram[i];
    }
};

// One block on its way: y, |e|, |r| and the binade of r of all elements; then those of the elements that qualify
// for relative figures. Arrays are padded to groups of eight.
struct alignas(64) Block {
    RealRoom yRoom, rRoom;
    double error[kBlock], reference[kBlock], binade[kBlock];
    double relError[kBlock], relReference[kBlock], relBinade[kBlock];
    double relative[kBlock], ulps[kBlock];
};

// The last block of a tensor: a copy, padded with y = r = 1.
RealSpan pad(const RealSpan& s, int n, RealRoom& room)
{
    if (n == kBlock)
        return s;
    for (int i = 0; i < kBlock; ++i) {
        room.hi[i] = i < n ? s.hi[i] : 1;
        room.lo[i] = i < n && s.lo ? s.lo[i] : 0;
    }
    return {room.hi, room.lo};
}

// Nothing in a sum of errors or squares; 0 / 1 in a quotient.
void padSums(int n, double* error, double* reference)
{
    for (int i = n; i < padded(n); ++i)
        error[i] = reference[i] = 0;
}
void padQuotients(int n, double* error, double* reference, double* binade)
{
    for (int i = n; i < padded(n); ++i)
        error[i] = 0, reference[i] = 1, binade[i] = 1;
}

class MetricsPass {
public:
    MetricsPass(const Tensor& y, const DDTensor& r)
        : m_y(y), m_r(r), m_limited(r.limited), m_scale(y.dtype()), m_dtype(facts(y.dtype()))
    {
    }
    Partial chunk(std::int64_t begin, std::int64_t end, double* relativeErrors) const
    {
        Partial p;
        Block b{};
        forBlocks(begin, end, [&](std::int64_t first, int n) { block(p, b, first, n, relativeErrors + p.relative); });
        return p;
    }
    const UlpScale& scale() const { return m_scale; }

private:
    void block(Partial& p, Block& b, std::int64_t first, int n, double* relativeErrors) const;
    bool differences(Block& b, const RealSpan& y, const RealSpan& r) const;
    int sort(Partial& p, Block& b, const RealSpan& y, const RealSpan& r, std::int64_t first, int n) const;
    void special(Partial& p, const RealSpan& y, const RealSpan& r, std::int64_t first, int n) const;
    void absolute(Partial& p, const Block& b, int n) const;
    std::int64_t relative(Partial& p, Block& b, const double* error, const double* reference, int n,
                          double* room) const;
    void ulps(Partial& p, Block& b, const double* error, const double* binade, int n, std::int64_t exact) const;

    ElementReader m_y, m_r;
    bool m_limited;
    UlpScale m_scale;
    const DTypeFacts& m_dtype;
};

// e = (y - hi) - lo: y is exact in float64, so the two roundings are relative to e itself. True if every element
// takes part in every figure and none is counted as anything: finite, r != 0, y normal and below the largest finite.
bool MetricsPass::differences(Block& b, const RealSpan& y, const RealSpan& r) const
{
    static constexpr double kZeros[kBlock] = {};
    const double *yLo = y.lo ? y.lo : kZeros, *rLo = r.lo ? r.lo : kZeros;
    const Lanes smallest = bothLanes(m_scale.smallestBinade), largest = bothLanes(m_scale.largestBinade);
    LaneMask notable{};
    for (int i = 0; i < kBlock; i += 2) {
        const Lanes value = loadLanes(y.hi + i), hi = loadLanes(r.hi + i), lo = loadLanes(rLo + i);
        const Lanes magnitude = absLanes(value), reference = absLanes(hi);
        storeLanes(b.error + i, absLanes(((value - hi) - lo) + loadLanes(yLo + i)));
        storeLanes(b.reference + i, reference);
        storeLanes(b.binade + i, binadeOf(hi, lo, smallest, largest));
        notable |= ~((magnitude < m_scale.maxFinite) & (magnitude >= m_scale.minNormal) & (magnitude > 0.0) &
                     (reference <= kLargest) & (reference > 0.0));
    }
    return (notable[0] | notable[1]) == 0;
}

void MetricsPass::special(Partial& p, const RealSpan& y, const RealSpan& r, std::int64_t first, int n) const
{
    for (int i = 0; i < n; ++i) {
        const double value = y.hi[i], hi = r.hi[i], lo = r.lo ? r.lo[i] : 0;
        const bool isNan = std::isnan(value), isInf = std::isinf(value), refFinite = std::isfinite(hi);
        p.nan += isNan;
        p.inf += isInf;
        p.subnormal += value != 0 && std::fabs(value) < m_scale.minNormal;
        if (refFinite) {
            const bool outOfRange = !m_scale.isFloat && m_scale.overflows(hi, lo);
            p.underflow += value == 0 && hi != 0 && !outOfRange;
            if ((isNan || isInf) && p.firstBad < 0)
                p.firstBad = first + i;
            const bool stuck = std::fabs(value) == m_scale.maxFinite || (isNan && !m_dtype.hasInfinity);
            p.overflow += isInf || outOfRange || (m_scale.isFloat && stuck && m_scale.overflows(hi, lo));
        } else {
            // A partial sum of the reference overflowed although its operands were finite (design 3.4).
            p.overflow += m_limited && (isNan || isInf);
        }
    }
}

// Counts, and compacts without branches: first what is finite, of that what has r != 0. Returns the latter's number;
// the former's is added to p.both.
int MetricsPass::sort(Partial& p, Block& b, const RealSpan& y, const RealSpan& r, std::int64_t first, int n) const
{
    const double largest = m_scale.maxFinite, minNormal = m_scale.minNormal;
    int both = 0, nonZero = 0, zeros = 0, wrong = 0, notable = 0;
    for (int i = 0; i < n; ++i) {
        const double e = b.error[i], reference = b.reference[i], binade = b.binade[i], value = std::fabs(y.hi[i]);
        const bool finite = (value <= kLargest) & (reference <= kLargest), zero = reference == 0;
        zeros += zero;
        wrong += zero & (value != 0);
        notable |= !finite | !(value < largest) | ((value < minNormal) & (value != 0)) | ((value == 0) & !zero);
        b.relError[nonZero] = e;
        b.relReference[nonZero] = reference;
        b.relBinade[nonZero] = binade;
        nonZero += finite & !zero;
        b.error[both] = e;
        b.reference[both] = reference;
        both += finite;
    }
    p.zeroRef += zeros;
    p.zeroRefWrong += wrong;
    if (notable)
        special(p, y, r, first, n);
    padSums(both, b.error, b.reference);
    absolute(p, b, both);
    return nonZero;
}

void MetricsPass::absolute(Partial& p, const Block& b, int n) const
{
    const double largest = laneMax(n, b.error);
    p.both += n;
    p.maxAbs = std::max(p.maxAbs, largest);
    p.absSum.add(laneSum(n, [&](int i) { return b.error[i]; }));
    p.errorSquares.addBlock(n, b.error, largest);
    p.referenceSquares.addBlock(n, b.reference, laneMax(n, b.reference));
}

// room: where the relative errors go; at least n are free there. Returns how many elements are exact.
std::int64_t MetricsPass::relative(Partial& p, Block& b, const double* error, const double* reference, int n,
                                   double* room) const
{
    double* out = n == padded(n) ? room : b.relative;
    LaneMask equal{};
    for (int i = 0; i < padded(n); i += 2) {
        const Lanes e = loadLanes(error + i);
        storeLanes(out + i, e / loadLanes(reference + i));
        equal -= e == 0.0;
    }
    const std::int64_t exact = equal[0] + equal[1] - (padded(n) - n); // padding is exact
    p.relative += n;
    p.exact += exact;
    p.maxRel = std::max(p.maxRel, laneMax(n, out));
    p.relSum.add(laneSum(n, [&](int i) { return out[i]; }));
    if (out != room)
        std::copy_n(out, n, room);
    return exact;
}

void MetricsPass::ulps(Partial& p, Block& b, const double* error, const double* binade, int n, std::int64_t exact) const
{
    // How many are at most 1/2, 1, 2, ... 32, by u rounded to float64; padding is exact.
    std::array<LaneMask, kUlpBins.size()> atMost{};
    for (int i = 0; i < padded(n); i += 2) {
        const Lanes u = loadLanes(error + i) / loadLanes(binade + i) * m_scale.perBinade;
        storeLanes(b.ulps + i, u);
        for (std::size_t k = 1; k < atMost.size(); ++k)
            atMost[k] -= u <= kUlpBins[k];
    }
    p.maxUlp = std::max(p.maxUlp, laneMax(n, b.ulps));
    p.ulpSum.add(laneSum(n, [&](int i) { return b.ulps[i]; }));
    p.ulpHistogram[0] += exact;
    std::int64_t before = exact + padded(n) - n;
    for (std::size_t k = 1; k < atMost.size(); ++k) {
        p.ulpHistogram[k] += atMost[k][0] + atMost[k][1] - before;
        before = atMost[k][0] + atMost[k][1];
    }
    p.ulpHistogram.back() += padded(n) - before;
}

void MetricsPass::block(Partial& p, Block& b, std::int64_t first, int n, double* relativeErrors) const
{
    const RealSpan y = pad(m_y.read(first, n, b.yRoom), n, b.yRoom);
    const RealSpan r = pad(m_r.read(first, n, b.rRoom), n, b.rRoom);
    const double *error = b.error, *reference = b.reference, *binade = b.binade;
    int qualified = n;
    if (differences(b, y, r)) {
        padSums(n, b.error, b.reference);
        absolute(p, b, n);
        padQuotients(n, b.error, b.reference, b.binade);
    } else {
        qualified = sort(p, b, y, r, first, n);
        padQuotients(qualified, b.relError, b.relReference, b.relBinade);
        error = b.relError, reference = b.relReference, binade = b.relBinade;
    }
    const std::int64_t exact = relative(p, b, error, reference, qualified, relativeErrors);
    if (m_scale.isFloat)
        ulps(p, b, error, binade, qualified, exact);
}

ErrorMetrics figures(const Partial& p, std::int64_t elements)
{
    ErrorMetrics m;
    m.elements = elements;
    m.zeroRef = p.zeroRef, m.zeroRefWrong = p.zeroRefWrong;
    m.nan = p.nan, m.inf = p.inf, m.overflow = p.overflow, m.underflow = p.underflow, m.subnormal = p.subnormal;
    if (p.firstBad >= 0)
        m.firstBad = p.firstBad;
    m.ulpHistogram = p.ulpHistogram;
    if (p.both > 0) {
        const Scaled errors = p.errorSquares.total(), references = p.referenceSquares.total();
        m.maxAbs = p.maxAbs;
        m.meanAbs = p.absSum.value() / static_cast<double>(p.both);
        m.rmse = rootMean(errors, p.both);
        m.rmsReference = rootMean(references, p.both);
        if (references.value > 0) {
            const int exponent = errors.exponent - references.exponent;
            m.relL2 = std::ldexp(std::sqrt(errors.value / references.value), exponent / 2);
            // Absent where it is infinite: no error at all.
            if (errors.value > 0)
                m.sqnrDb = 10 * (std::log10(references.value / errors.value) - exponent * std::log10(2.0));
        }
    }
    if (p.relative > 0) {
        m.maxRel = p.maxRel;
        m.meanRel = p.relSum.value() / static_cast<double>(p.relative);
    }
    return m;
}

// What the order of the relative errors says: bits, and the histogram.
void addDistribution(ErrorMetrics& m, const Partial& p, const UlpScale& scale, const OrderStatistics& relatives,
                     const Exec& exec)
{
    std::vector<std::int64_t> ranks;
    if (scale.isFloat) {
        // Bits ascend as relative errors descend.
        ranks = medianRanks(p.relative);
        ranks.push_back(p.relative - 1 - (p.relative - 1) / 100);
    }
    const auto [at, below] = relatives.select(ranks, kHalfDecades, exec);
    if (scale.isFloat) {
        const double bits = scale.bits;
        m.maxUlp = p.maxUlp;
        m.meanUlp = p.ulpSum.value() / static_cast<double>(p.relative);
        m.minBits = correctBits(p.maxRel, bits);
        m.p01Bits = correctBits(at.back(), bits);
        const double a = correctBits(at.front(), bits), b = correctBits(at[at.size() - 2], bits);
        m.medianBits = b + (a - b) / 2;
    }
    RelHistogram& h = m.relHistogram.emplace();
    h.exact = p.exact;
    h.below = below.front() - p.exact;
    for (std::size_t k = 0; k < h.counts.size(); ++k)
        h.counts[k] = below[k + 1] - below[k];
    h.above = p.relative - below.back();
}

// Median of sum|ab| / |r| where r is finite and not zero.
std::optional<double> conditionOf(const DDTensor& r, const Tensor& magnitudes, const Exec& exec)
{
    OrderStatistics ratios(r.elements());
    const double *hi = r.hi(), *sums = magnitudes.data<double>();
    forChunks(exec, r.elements(), [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        double* out = ratios.slot(chunk);
        std::int64_t count = 0;
        for (std::int64_t i = begin; i < end; ++i) {
            const double ratio = sums[i] / std::fabs(hi[i]);
            out[count] = ratio;
            count += (std::fabs(hi[i]) <= kLargest) & (hi[i] != 0) & (ratio == ratio);
        }
        ratios.commit(chunk, count);
    });
    if (ratios.count() == 0)
        return std::nullopt;
    const std::vector<double> middle = ratios.select(medianRanks(ratios.count()), exec);
    return middle.front() + (middle.back() - middle.front()) / 2;
}

} // namespace

ErrorMetrics measure(const Tensor& y, const DDTensor& r, const Tensor& magnitudes, const Exec& exec)
{
    ErrorMetrics none;
    if (y.isNull() || r.isNull() || y.elements() != r.elements())
        return none;
    const MetricsPass pass(y, r);
    OrderStatistics relatives(y.elements());
    std::vector<Partial> partials(static_cast<std::size_t>(chunkCount(y.elements())));
    const bool finished = forChunks(exec, y.elements(), [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        Partial& p = partials[static_cast<std::size_t>(chunk)];
        p = pass.chunk(begin, end, relatives.slot(chunk));
        relatives.commit(chunk, p.relative);
    });
    if (!finished)
        return none;
    Partial all;
    for (const Partial& p : partials)
        all.add(p);
    ErrorMetrics m = figures(all, y.elements());
    m.referenceLimited = r.limited;
    if (all.relative > 0)
        addDistribution(m, all, pass.scale(), relatives, exec);
    if (!magnitudes.isNull() && magnitudes.elements() == r.elements())
        m.condition = conditionOf(r, magnitudes, exec);
    return m;
}

} // namespace engine
