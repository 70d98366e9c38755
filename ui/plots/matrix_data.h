// What the cells of the Matrix say, from the newest runs: histograms of relative errors on common axes, the metric,
// the cast's dot, or why there is nothing to show. Pure.
#pragma once

#include "ui/plots/plot_widget.h"

namespace ui {

enum class CellKind : std::uint8_t { Waiting, NotRun, Refused, NoValue, Value };

struct MatrixCell {
    engine::Combo combo;
    CellKind kind = CellKind::NotRun;
    bool isActive = false, isStale = false;
    QString number;                                  // "6.3e−8", "exact", "not finite", "…"
    std::optional<double> value;                     // the metric, as measured
    std::optional<double> line;                      // log10 of the relative error at the rose line
    std::optional<DotLevel> dot;                     // where the combo casts
    const engine::RelHistogram* histogram = nullptr; // of the snapshot
    std::int64_t compared = 0;                       // values in the histogram
    std::int64_t exact = 0, below = 0, above = 0, notFinite = 0;
    QString refusal;      // one line
    QString shortRefusal; // as the cell shows it
    engine::NodeId refusedNode;
    QStringList remedies; // at most two, by their stable names
};

struct MatrixData {
    Subject subject;
    QList<MatrixCell> cells;    // in the toolbar's order
    int firstBin = 0, bins = 0; // common part of the histograms; 0: nothing finite and inexact
    double most = 0;            // largest share of one bin
    bool hasExact = false, hasNotFinite = false;
    double log10Low() const { return engine::RelHistogram::kLog10First + firstBin * engine::RelHistogram::kStep; }
    double log10High() const { return log10Low() + bins * engine::RelHistogram::kStep; }
};

MatrixData matrixData(const QList<ShownRun>& runs, const Subject& subject, Metric metric, bool isRunning);
QString remedyLabel(const QString& remedy);    // "Widest"
QString remedySentence(const QString& remedy); // "Compute in the widest dtype"

} // namespace ui
