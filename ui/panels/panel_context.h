// What a panel may read and ask: the document and its selection, the newest plan and results, the theme, the op
// records. Panels hold references and never own any of them; GUI thread only.
#pragma once

#include "engine/model/op_catalog.h"
#include "ui/document/graph_document.h"
#include "ui/document/selection.h"
#include "ui/live/plan_store.h"
#include "ui/live/snapshot_store.h"
#include "ui/style/theme.h"

namespace ui {

struct PanelContext {
    GraphDocument& document;
    Selection& selection;
    SnapshotStore& snapshots;
    PlanStore& plans;
    ThemeManager& theme;
    const engine::OpCatalog& ops;
};

} // namespace ui
