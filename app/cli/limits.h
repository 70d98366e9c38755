// --max-error: which metrics can be limited, and whether a result keeps within a limit.
#pragma once

#include "app/cli/arguments.h"
#include "engine/model/snapshot.h"

namespace app {

bool isMetric(std::string_view name);
std::string metricNames(); // "max_abs, mean_abs, ..."

// True if the limit is exceeded. An error that was not measured at all (every reference zero, say) is judged by what
// is wrong there: values that are not zero. Bits and decibels are exceeded by falling below the limit. A result that is
// not finite where the reference is exceeds every limit on an error.
bool exceeds(const engine::ErrorMetrics& error, const ErrorLimit& limit);
std::optional<double> metricValue(const engine::ErrorMetrics& error, std::string_view name);

} // namespace app
