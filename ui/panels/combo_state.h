// What a combo's button says: its current error at the graph's outputs in the chosen metric, or why there is none.
// Pure; tested without a window.
#pragma once

#include "ui/live/error_series.h"
#include "ui/live/plan_store.h"
#include "ui/live/snapshot_store.h"

namespace ui {

enum class ComboStateKind : std::uint8_t { Value, Exact, NotFinite, Refused, Waiting, None };
struct ComboState {
    ComboStateKind kind = ComboStateKind::None;
    QString text;         // "6.3e−8", "exact", "…"; empty when refused
    QString explanation;  // a sentence: against what, or the finding
    bool isStale = false; // of an older revision: shown dimmed
};

// The worst of the outputs (of the last node, if the graph has none).
ComboState comboState(const SnapshotStore& snapshots, const PlanStore& plans, const engine::RunSettings& settings,
                      const engine::Combo& combo, Metric metric);
// First error among findings, else the first finding; empty if there is none.
QString refusalIn(const std::vector<engine::Finding>& findings);

} // namespace ui
