// From results to points of plots: pure functions, tested without a window. A point that is exact, absent or not
// finite says so; it is never a number that a logarithm would swallow.
#pragma once

#include "engine/model/snapshot.h"

#include <QString>

#include <vector>

namespace ui {

enum class Metric : std::uint8_t { RelL2, MaxAbs, Rmse, MaxUlp, MeanUlp, MaxRel, MedianBits };
QString metricTitle(Metric metric); // "Relative L2"
QString metricUnit(Metric metric);  // "against source values", "ULP of the output dtype", "bits"
std::optional<double> metricOf(const engine::ErrorMetrics& error, Metric metric);
// Whether the metric belongs on a logarithmic axis: all but bits.
bool isLogarithmic(Metric metric);

// Exact: no error at all in what the metric covers. NotFinite: the metric is not, or an element is NaN or Inf where the
// reference is finite (a median does not mind). Absent: not measured.
enum class PointKind : std::uint8_t { Value, Exact, NotFinite, Absent };
PointKind kindOf(const engine::ErrorMetrics& error, Metric metric);
struct SeriesPoint {
    engine::NodeId node;
    QString label;
    PointKind kind = PointKind::Absent;
    double value = 0; // Value only, > 0 on log axes
};
struct ErrorSeries {
    engine::Combo combo;
    bool ok = true;                  // false: refused, points only before the refusal
    QString refusal;                 // its finding, in one line
    std::vector<SeriesPoint> points; // in topological order
    // Nodes with a bound only (contractions), in the metric's own unit: max |arithmetic| and the largest bound, or RMS
    // of both (RMSE), or those over the RMS of the reference (relative L2). Empty for metrics without such a unit, and
    // as long as the stages are not here.
    std::vector<SeriesPoint> arithmetic, bound;
};
std::vector<ErrorSeries> byLayer(const engine::RunSnapshot& snapshot, Metric metric);

struct StageBar {
    engine::Combo combo;
    bool ok = true;  // false: the run stops before this node
    QString refusal; // then: why, in one line
    std::array<std::optional<double>, engine::kStageCount> share;
    std::optional<double> relL2;
    bool isExact = false; // the total is zero: no shares
};
std::vector<StageBar> stageBars(const engine::RunSnapshot& snapshot, engine::NodeId node);

struct HistogramBar {
    QString label; // "0", "≤0.5", ... ">32"
    std::int64_t count = 0;
    double percent = 0; // of the elements with r != 0
};
std::vector<HistogramBar> ulpBars(const engine::ErrorMetrics& error); // empty where nothing qualifies

// The first error of a refused run, in one line; empty for a run that is ok.
QString refusalOf(const engine::RunResult& run);

// "6.3e−8": two significant digits, minus as −, exponent without zeros, plain from 0.1 to below 1000; "exact" is the
// caller's word for 0.
QString shortNumber(double value, int digits = 2);

} // namespace ui
