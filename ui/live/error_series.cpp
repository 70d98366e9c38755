#include "ui/live/error_series.h"

#include <algorithm>
#include <cmath>

namespace ui {

using engine::ErrorMetrics;
using engine::NodeResult;
using engine::RunResult;
using engine::Stage;

namespace {

struct MetricFacts {
    const char* title;
    const char* unit;
    std::optional<double> ErrorMetrics::*value;
};

// In the order of Metric.
constexpr MetricFacts kMetrics[] = {
    {"Relative L2", "against source values", &ErrorMetrics::relL2},
    {"Largest absolute error", "against source values", &ErrorMetrics::maxAbs},
    {"RMSE", "against source values", &ErrorMetrics::rmse},
    {"Largest ULP", "ULP of the output dtype", &ErrorMetrics::maxUlp},
    {"Mean ULP", "ULP of the output dtype", &ErrorMetrics::meanUlp},
    {"Largest relative error", "against source values", &ErrorMetrics::maxRel},
    {"Correct bits, median", "bits", &ErrorMetrics::medianBits},
};

const MetricFacts& factsOf(Metric metric)
{
    return kMetrics[static_cast<std::size_t>(metric)];
}

SeriesPoint pointAt(const NodeResult& node, PointKind kind, double value)
{
    return {node.id, QString::fromStdString(node.name), kind, kind == PointKind::Value ? value : 0};
}

SeriesPoint errorPoint(const NodeResult& node, Metric metric)
{
    if (!node.error)
        return pointAt(node, PointKind::Absent, 0);
    return pointAt(node, kindOf(*node.error, metric), metricOf(*node.error, metric).value_or(0));
}

// Of a size >= 0.
SeriesPoint sizePoint(const NodeResult& node, std::optional<double> value)
{
    const PointKind kind = !value                   ? PointKind::Absent
                           : !std::isfinite(*value) ? PointKind::NotFinite
                           : *value == 0            ? PointKind::Exact
                                                    : PointKind::Value;
    return pointAt(node, kind, value.value_or(0));
}

std::optional<double> over(double value, std::optional<double> scale)
{
    return scale && *scale > 0 ? std::optional(value / *scale) : std::nullopt;
}

// The arithmetic stage and its bound in the metric's unit.
void addBound(ErrorSeries& series, const NodeResult& node, Metric metric)
{
    if (!node.bound || !node.error || !node.stages)
        return;
    const double arithmetic = node.stages->stages[static_cast<std::size_t>(Stage::Arithmetic)].rmse;
    const auto& whole = node.error->rmsReference;
    std::optional<double> used, allowed;
    if (metric == Metric::MaxAbs)
        used = node.bound->maxArithmetic, allowed = node.bound->maxAbs;
    else if (metric == Metric::Rmse)
        used = arithmetic, allowed = node.bound->rms;
    else if (metric == Metric::RelL2)
        used = over(arithmetic, whole), allowed = over(node.bound->rms, whole);
    else
        return;
    series.arithmetic.push_back(sizePoint(node, used));
    series.bound.push_back(sizePoint(node, allowed));
}

const NodeResult* find(const RunResult& run, engine::NodeId id)
{
    const auto it = std::find_if(run.nodes.begin(), run.nodes.end(), [&](const NodeResult& n) { return n.id == id; });
    return it == run.nodes.end() ? nullptr : &*it;
}

} // namespace

QString metricTitle(Metric metric)
{
    return QString::fromLatin1(factsOf(metric).title);
}

QString metricUnit(Metric metric)
{
    return QString::fromLatin1(factsOf(metric).unit);
}

std::optional<double> metricOf(const ErrorMetrics& error, Metric metric)
{
    return error.*factsOf(metric).value;
}

bool isLogarithmic(Metric metric)
{
    return metric != Metric::MedianBits;
}

PointKind kindOf(const ErrorMetrics& error, Metric metric)
{
    const auto value = metricOf(error, metric);
    if ((error.firstBad && isLogarithmic(metric)) || (value && !std::isfinite(*value)))
        return PointKind::NotFinite;
    if (error.maxAbs == 0.0 && (value || isLogarithmic(metric)))
        return PointKind::Exact;
    if (value)
        return *value == 0 && isLogarithmic(metric) ? PointKind::Exact : PointKind::Value;
    return !error.maxAbs && error.nan + error.inf > 0 ? PointKind::NotFinite : PointKind::Absent;
}

QString refusalOf(const RunResult& run)
{
    if (run.ok)
        return {};
    for (const engine::Finding& f : run.findings)
        if (f.severity == engine::Severity::Error)
            return QString::fromStdString(f.message).simplified();
    return {};
}

std::vector<ErrorSeries> byLayer(const engine::RunSnapshot& snapshot, Metric metric)
{
    std::vector<ErrorSeries> all;
    for (const RunResult& run : snapshot.runs) {
        ErrorSeries series;
        series.combo = run.combo;
        series.ok = run.ok;
        series.refusal = refusalOf(run);
        for (const NodeResult& node : run.nodes) {
            series.points.push_back(errorPoint(node, metric));
            addBound(series, node, metric);
        }
        all.push_back(std::move(series));
    }
    return all;
}

std::vector<StageBar> stageBars(const engine::RunSnapshot& snapshot, engine::NodeId id)
{
    std::vector<StageBar> bars;
    for (const RunResult& run : snapshot.runs) {
        StageBar bar;
        bar.combo = run.combo;
        const NodeResult* node = find(run, id);
        bar.ok = node != nullptr;
        if (!node)
            bar.refusal = refusalOf(run);
        if (node && node->error) {
            bar.relL2 = node->error->relL2;
            bar.isExact = kindOf(*node->error, Metric::MaxAbs) == PointKind::Exact;
        }
        if (node && node->stages && !bar.isExact)
            for (std::size_t s = 0; s < bar.share.size(); ++s)
                bar.share[s] = node->stages->stages[s].share;
        bars.push_back(std::move(bar));
    }
    return bars;
}

std::vector<HistogramBar> ulpBars(const ErrorMetrics& error)
{
    std::int64_t total = 0;
    for (std::int64_t count : error.ulpHistogram)
        total += count;
    if (total == 0)
        return {};
    std::vector<HistogramBar> bars;
    for (std::size_t k = 0; k < error.ulpHistogram.size(); ++k) {
        const bool isLast = k == engine::kUlpBins.size();
        const QString sign = k == 0 ? QString() : isLast ? QStringLiteral(">") : QStringLiteral("\u2264");
        HistogramBar bar;
        bar.label = sign + QString::number(engine::kUlpBins[isLast ? k - 1 : k], 'g', 3);
        bar.count = error.ulpHistogram[k];
        bar.percent = 100 * static_cast<double>(bar.count) / static_cast<double>(total);
        bars.push_back(std::move(bar));
    }
    return bars;
}

QString shortNumber(double value, int digits)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    const QString minus = QStringLiteral("\u2212");
    const QString sign = value < 0 ? minus : QString();
    const double magnitude = std::fabs(value);
    if (std::isinf(value))
        return sign + QStringLiteral("Inf");
    if (magnitude == 0)
        return QStringLiteral("0");
    // Rounded first: 9.96 is "10".
    const QString scientific = QString::number(magnitude, 'e', std::max(digits, 1) - 1);
    const auto at = scientific.indexOf(QLatin1Char('e'));
    const int exponent = scientific.mid(at + 1).toInt();
    if (exponent >= -1 && magnitude < 999.5)
        return sign + QString::number(magnitude, 'f', std::max(0, digits - 1 - exponent));
    return sign + scientific.left(at) + QLatin1Char('e') + (exponent < 0 ? minus : QString()) +
           QString::number(std::abs(exponent));
}

} // namespace ui
