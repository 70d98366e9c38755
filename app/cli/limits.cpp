#include "app/cli/limits.h"

#include <algorithm>

namespace app {

namespace {

using engine::ErrorMetrics;

enum class Worse : unsigned char { Higher, Lower, Count };

struct Metric {
    std::string_view name;
    Worse worse;
    std::optional<double> (*value)(const ErrorMetrics&);
};

template <auto member> std::optional<double> real(const ErrorMetrics& e)
{
    return e.*member;
}
template <auto member> std::optional<double> count(const ErrorMetrics& e)
{
    return static_cast<double>(e.*member);
}

constexpr Metric kMetrics[] = {
    {"max_abs", Worse::Higher, real<&ErrorMetrics::maxAbs>},
    {"mean_abs", Worse::Higher, real<&ErrorMetrics::meanAbs>},
    {"rmse", Worse::Higher, real<&ErrorMetrics::rmse>},
    {"rel_l2", Worse::Higher, real<&ErrorMetrics::relL2>},
    {"sqnr_db", Worse::Lower, real<&ErrorMetrics::sqnrDb>},
    {"max_rel", Worse::Higher, real<&ErrorMetrics::maxRel>},
    {"mean_rel", Worse::Higher, real<&ErrorMetrics::meanRel>},
    {"max_ulp", Worse::Higher, real<&ErrorMetrics::maxUlp>},
    {"mean_ulp", Worse::Higher, real<&ErrorMetrics::meanUlp>},
    {"min_bits", Worse::Lower, real<&ErrorMetrics::minBits>},
    {"p01_bits", Worse::Lower, real<&ErrorMetrics::p01Bits>},
    {"median_bits", Worse::Lower, real<&ErrorMetrics::medianBits>},
    {"zero_ref_wrong", Worse::Count, count<&ErrorMetrics::zeroRefWrong>},
    {"nan", Worse::Count, count<&ErrorMetrics::nan>},
    {"inf", Worse::Count, count<&ErrorMetrics::inf>},
    {"overflow", Worse::Count, count<&ErrorMetrics::overflow>},
    {"underflow", Worse::Count, count<&ErrorMetrics::underflow>},
    {"subnormal", Worse::Count, count<&ErrorMetrics::subnormal>},
};

const Metric* find(std::string_view name)
{
    const auto* it =
        std::find_if(std::begin(kMetrics), std::end(kMetrics), [&](const Metric& m) { return m.name == name; });
    return it == std::end(kMetrics) ? nullptr : it;
}

} // namespace

bool isMetric(std::string_view name)
{
    return find(name) != nullptr;
}

std::string metricNames()
{
    std::string names;
    for (const Metric& m : kMetrics)
        names += (names.empty() ? "" : ", ") + std::string(m.name);
    return names;
}

std::optional<double> metricValue(const ErrorMetrics& error, std::string_view name)
{
    const Metric* m = find(name);
    return m ? m->value(error) : std::nullopt;
}

bool exceeds(const ErrorMetrics& error, const ErrorLimit& limit)
{
    const Metric& m = *find(limit.metric);
    if (m.worse != Worse::Count && error.firstBad)
        return true;
    const auto value = m.value(error);
    if (!value)
        return m.worse != Worse::Count && error.zeroRefWrong > 0;
    return m.worse == Worse::Lower ? *value < limit.value : *value > limit.value;
}

} // namespace app
