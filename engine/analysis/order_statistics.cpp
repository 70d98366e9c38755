#include "engine/analysis/order_statistics.h"

#include <bit>

namespace engine {

namespace {

// Sign (0), 11 bits of exponent, 4 of the fraction.
constexpr int kShift = 48;
constexpr std::size_t kBins = std::size_t{1} << (63 - kShift);

std::size_t binOf(double v)
{
    return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(v) >> kShift);
}

struct Target {
    std::size_t bin = 0;
    std::int64_t below = 0; // values in lower bins
};

} // namespace

OrderStatistics::OrderStatistics(std::int64_t capacity)
    : m_values(new double[static_cast<std::size_t>(std::max<std::int64_t>(capacity, 1))]),
      m_counts(static_cast<std::size_t>(chunkCount(capacity))), m_histogram(kBins)
{
}

void OrderStatistics::commit(std::int64_t chunk, std::int64_t count)
{
    std::vector<std::uint32_t> local(kBins);
    const double* values = slot(chunk);
    for (std::int64_t i = 0; i < count; ++i)
        ++local[binOf(values[i])];
    const std::lock_guard lock(m_mutex);
    for (std::size_t b = 0; b < kBins; ++b)
        m_histogram[b] += local[b];
    m_counts[static_cast<std::size_t>(chunk)] = count;
    m_count += count;
}

// What to do with the values of each bin: 0 nothing; an edge's number + 1: compare with it; kRank: keep.
struct OrderStatistics::Marks {
    static constexpr std::uint8_t kRank = 0x80;
    std::vector<std::uint8_t> ofBin = std::vector<std::uint8_t>(kBins);
    std::vector<double> edges{-1}; // none is below the first
};

struct OrderStatistics::Gathered {
    std::vector<double> kept;
    std::vector<std::int64_t> below; // per entry of Marks::edges, within its own bin
};

OrderStatistics::Gathered OrderStatistics::gather(const Marks& marks, const Exec& exec) const
{
    Gathered all;
    all.below.resize(marks.edges.size());
    std::mutex mutex;
    exec.parallelFor(static_cast<std::int64_t>(m_counts.size()), [&](std::int64_t chunk) {
        const double* values = m_values.get() + chunk * kChunk;
        const auto count = static_cast<std::size_t>(m_counts[static_cast<std::size_t>(chunk)]);
        std::vector<double> mine(count + 1);
        std::size_t marked = 0, kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            mine[marked] = values[i];
            marked += marks.ofBin[binOf(values[i])] != 0 ? 1u : 0u;
        }
        std::vector<std::int64_t> below(marks.edges.size());
        for (std::size_t i = 0; i < marked; ++i) {
            const double v = mine[i];
            const std::uint8_t mark = marks.ofBin[binOf(v)];
            const std::size_t edge = mark & (Marks::kRank - 1u);
            below[edge] += v < marks.edges[edge] ? 1 : 0;
            mine[kept] = v;
            kept += mark >= Marks::kRank ? 1u : 0u;
        }
        const std::lock_guard lock(mutex);
        all.kept.insert(all.kept.end(), mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(kept));
        for (std::size_t k = 0; k < below.size(); ++k)
            all.below[k] += below[k];
    });
    return all;
}

OrderStatistics::Selection OrderStatistics::select(const std::vector<std::int64_t>& ranks,
                                                   std::span<const double> edges, const Exec& exec) const
{
    Marks marks;
    std::vector<Target> targets;
    std::size_t bin = 0;
    std::int64_t below = 0;
    for (std::int64_t rank : ranks) {
        while (below + m_histogram[bin] <= rank)
            below += m_histogram[bin++];
        targets.push_back({bin, below});
        marks.ofBin[bin] = bin != 0 ? Marks::kRank : 0;
    }
    for (double edge : edges) {
        marks.ofBin[binOf(edge)] |= static_cast<std::uint8_t>(marks.edges.size());
        marks.edges.push_back(edge);
    }
    Gathered found = gather(marks, exec);
    Selection result;
    for (std::size_t k = 0; k < ranks.size(); ++k) {
        const std::size_t wantedBin = targets[k].bin;
        const auto end =
            std::partition(found.kept.begin(), found.kept.end(), [&](double v) { return binOf(v) == wantedBin; });
        const std::int64_t at = ranks[k] - targets[k].below;
        if (at >= end - found.kept.begin()) { // bin 0, or stopped
            result.values.push_back(0);
            continue;
        }
        std::nth_element(found.kept.begin(), found.kept.begin() + at, end);
        result.values.push_back(found.kept[static_cast<std::size_t>(at)]);
    }
    bin = 0, below = 0;
    for (std::size_t k = 0; k < edges.size(); ++k) {
        for (; bin < binOf(edges[k]); ++bin)
            below += m_histogram[bin];
        result.below.push_back(below + found.below[k + 1]);
    }
    return result;
}

} // namespace engine
