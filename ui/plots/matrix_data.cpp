#include "ui/plots/matrix_data.h"

#include "ui/plots/plot_paint.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("ui::MatrixPlot", text);
}

struct RemedyWords {
    const char *name, *label, *sentence;
};
// In the order of preference for a cell's two buttons.
constexpr std::array<RemedyWords, 8> kRemedies{{
    {"compute-widest", "Widest", "Compute in the widest dtype"},
    {"compute-narrowest", "Narrowest", "Compute in the narrowest dtype"},
    {"set-layer-dtype", "Layer dtype", "Set the layer dtype"},
    {"insert-cast", "Insert a Cast", "Insert a Cast"},
    {"allow-cast", "Allow the cast", "Allow the cast at this port"},
    {"clear-slot", "Clear the slot", "Clear the slot"},
    {"set-floatx", "Set floatx", "Set floatx"},
    {"switch-dialect", "Switch dialect", "Switch the dialect"},
}};

// Where the rose line stands on an axis of relative errors: at the metric if it is one, else at relative L2.
std::optional<double> lineOf(const engine::ErrorMetrics& e, Metric metric)
{
    std::optional<double> at = e.relL2;
    if (metric == Metric::MaxRel)
        at = e.maxRel;
    else if (metric == Metric::MedianBits && e.medianBits)
        at = std::exp2(-*e.medianBits);
    if (!at || !(*at > 0) || !std::isfinite(*at))
        return std::nullopt;
    return std::log10(*at);
}

void fillRefusal(MatrixCell& cell, const engine::RunResult& run)
{
    cell.kind = CellKind::Refused;
    const engine::Finding* f = PlotWidget::refusingFinding(run);
    if (!f)
        return;
    cell.refusal = QString::fromStdString(f->message).simplified();
    cell.shortRefusal = cell.refusal;
    // Of two dtypes that differ, both stand in the cell's head already: what is left is by whose rule.
    if (const qsizetype colon = cell.refusal.indexOf(QStringLiteral(": "));
        colon >= 0 && QString::fromStdString(f->rule).endsWith(QStringLiteral("/mismatch")))
        cell.shortRefusal = cell.refusal.mid(colon + 2) + u'.';
    cell.refusedNode = f->node;
    for (const RemedyWords& r : kRemedies)
        if (cell.remedies.size() < 2 && std::find(f->remedies.begin(), f->remedies.end(), r.name) != f->remedies.end())
            cell.remedies.append(QString::fromLatin1(r.name));
}

void fillValue(MatrixCell& cell, const engine::ErrorMetrics& e, Metric metric)
{
    cell.value = metricOf(e, metric);
    cell.kind = CellKind::Value;
    cell.line = lineOf(e, metric);
    cell.notFinite = e.nan + e.inf;
    if (e.relHistogram) {
        cell.histogram = &*e.relHistogram;
        cell.exact = e.relHistogram->exact;
        cell.below = e.relHistogram->below;
        cell.above = e.relHistogram->above;
        cell.compared = cell.exact + cell.below + cell.above;
        for (std::int64_t n : e.relHistogram->counts)
            cell.compared += n;
    }
    const PointKind kind = kindOf(e, metric);
    cell.number = kind == PointKind::Exact       ? words("exact")
                  : kind == PointKind::NotFinite ? words("not finite")
                  : kind == PointKind::Value     ? shortNumber(*cell.value)
                                                 : QStringLiteral("–");
}

void findRange(MatrixData& data)
{
    using Histogram = engine::RelHistogram;
    int first = Histogram::kBins, last = -1;
    const auto include = [&](int bin) {
        first = std::min(first, bin);
        last = std::max(last, bin);
    };
    for (const MatrixCell& c : data.cells) {
        data.hasExact = data.hasExact || c.exact > 0;
        data.hasNotFinite = data.hasNotFinite || c.notFinite > 0;
        if (c.line)
            include(std::clamp(static_cast<int>(std::floor((*c.line - Histogram::kLog10First) / Histogram::kStep)), 0,
                               Histogram::kBins - 1));
        for (int k = 0; c.histogram && k < Histogram::kBins; ++k)
            if (const std::int64_t n = c.histogram->counts[static_cast<std::size_t>(k)]; n > 0) {
                include(k);
                data.most = std::max(data.most, static_cast<double>(n) / static_cast<double>(c.compared));
            }
    }
    if (last < 0)
        return;
    constexpr int kLeast = 16; // half decades: one value alone is no axis
    first = std::max(0, first - 1);
    last = std::min(Histogram::kBins - 1, last + 1);
    while (last - first + 1 < kLeast) {
        first = std::max(0, first - 1);
        last = std::min(Histogram::kBins - 1, last + 1);
    }
    data.firstBin = first;
    data.bins = last - first + 1;
}

} // namespace

QString remedyLabel(const QString& remedy)
{
    for (const RemedyWords& r : kRemedies)
        if (remedy == QLatin1String(r.name))
            return words(r.label);
    return remedy;
}

QString remedySentence(const QString& remedy)
{
    for (const RemedyWords& r : kRemedies)
        if (remedy == QLatin1String(r.name))
            return words(r.sentence);
    return remedy;
}

MatrixData matrixData(const QList<ShownRun>& runs, const Subject& subject, Metric metric, bool isRunning)
{
    MatrixData data;
    data.subject = subject;
    for (const ShownRun& s : runs) {
        MatrixCell cell;
        cell.combo = s.combo;
        cell.isActive = s.isActive;
        cell.isStale = s.isStale;
        if (!s.run) {
            cell.kind = isRunning ? CellKind::Waiting : CellKind::NotRun;
            cell.number = isRunning ? QStringLiteral("…") : QString();
        } else {
            const engine::NodeResult* node = PlotWidget::resultIn(*s.run, subject.id);
            if (!node && !s.run->ok)
                fillRefusal(cell, *s.run);
            else if (node && node->error)
                fillValue(cell, *node->error, metric);
            else
                cell.kind = isRunning ? CellKind::Waiting : CellKind::NoValue;
            if (s.run->ok || node)
                cell.dot = worstCast(*s.run);
        }
        data.cells.append(cell);
    }
    findRange(data);
    return data;
}

} // namespace ui
