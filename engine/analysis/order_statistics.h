// Exact order statistics of many non-negative values without sorting them: a histogram over the leading bits
// of the float64 pattern (monotone for non-negative values) finds the narrow bins that hold the asked
// ranks, and only what lies in those is selected from. The same pass counts what is below given edges: whole bins by
// the histogram, the bins that hold an edge one by one.
#pragma once

#include "engine/analysis/chunks.h"

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace engine {

class OrderStatistics {
public:
    explicit OrderStatistics(std::int64_t capacity);
    // Room for the values of one chunk; fill a prefix, then commit it. No NaN. Chunks may be filled in parallel.
    double* slot(std::int64_t chunk) { return m_values.get() + chunk * kChunk; }
    void commit(std::int64_t chunk, std::int64_t count);

    std::int64_t count() const { return m_count; }
    struct Selection {
        std::vector<double> values;      // at the ranks (0: the smallest); a value below 2^-1024 comes back as 0
        std::vector<std::int64_t> below; // per edge: how many values are smaller
    };
    // Ascending ranks; at most 100 ascending edges, each more than an eighth above the one before, from 1e-300 on.
    Selection select(const std::vector<std::int64_t>& ranks, std::span<const double> edges, const Exec& exec) const;
    std::vector<double> select(const std::vector<std::int64_t>& ranks, const Exec& exec) const
    {
        return select(ranks, {}, exec).values;
    }

private:
    struct Marks;
    struct Gathered;
    Gathered gather(const Marks& marks, const Exec& exec) const;

    std::unique_ptr<double[]> m_values;
    std::vector<std::int64_t> m_counts;    // per chunk
    std::vector<std::int64_t> m_histogram; // per bin
    std::int64_t m_count = 0;
    std::mutex m_mutex;
};

// Ranks of the median: the middle one, or the middle two.
inline std::vector<std::int64_t> medianRanks(std::int64_t count)
{
    return count % 2 != 0 ? std::vector<std::int64_t>{count / 2} : std::vector<std::int64_t>{count / 2 - 1, count / 2};
}

} // namespace engine
