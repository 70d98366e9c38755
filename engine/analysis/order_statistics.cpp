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

std::vector<double> OrderStatistics::select(const std::vector<std::int64_t>& ranks, const Exec& exec) const
{
    std::vector<Target> targets;
    std::vector<char> wanted(kBins);
    std::size_t bin = 0;
    std::int64_t below = 0;
    for (std::int64_t rank : ranks) {
        while (below + m_histogram[bin] <= rank)
            below += m_histogram[bin++];
        targets.push_back({bin, below});
        wanted[bin] = bin != 0;
    }
    std::mutex mutex;
    std::vector<double> found;
    exec.parallelFor(static_cast<std::int64_t>(m_counts.size()), [&](std::int64_t chunk) {
        const double* values = m_values.get() + chunk * kChunk;
        std::vector<double> mine(static_cast<std::size_t>(m_counts[static_cast<std::size_t>(chunk)]) + 1);
        std::size_t kept = 0;
        for (std::size_t i = 0; i + 1 < mine.size(); ++i) {
            mine[kept] = values[i];
            kept += wanted[binOf(values[i])] != 0;
        }
        const std::lock_guard lock(mutex);
        found.insert(found.end(), mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(kept));
    });
    std::vector<double> result;
    for (std::size_t k = 0; k < ranks.size(); ++k) {
        const std::size_t wantedBin = targets[k].bin;
        const auto end = std::partition(found.begin(), found.end(), [&](double v) { return binOf(v) == wantedBin; });
        const std::int64_t at = ranks[k] - targets[k].below;
        if (at >= end - found.begin()) { // bin 0, or stopped
            result.push_back(0);
            continue;
        }
        std::nth_element(found.begin(), found.begin() + at, end);
        result.push_back(found[static_cast<std::size_t>(at)]);
    }
    return result;
}

} // namespace engine
