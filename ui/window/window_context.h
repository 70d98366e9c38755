// What the window arranges: references to the owners (made by app, which outlive it) and the lists it offers.
#pragma once

#include "ui/document/file_session.h"
#include "ui/document/graph_document.h"
#include "ui/document/recent_files.h"
#include "ui/document/selection.h"
#include "ui/live/plan_store.h"
#include "ui/live/snapshot_store.h"
#include "ui/panels/panel_context.h"
#include "ui/panels/precision_bar.h"
#include "ui/panels/search_entry.h"
#include "ui/style/theme.h"

#include <QSettings>

namespace ui {

struct WindowContext {
    GraphDocument& document;
    Selection& selection;
    SnapshotStore& snapshots;
    PlanStore& plans;
    ThemeManager& theme;
    const engine::OpCatalog& ops;
    FileSession& files;
    RecentFiles& recent;
    QSettings& settings;
    QList<DialectChoice> dialects;
    QList<BackendChoice> backends;
    QList<LessonInfo> lessons;
    engine::Planner planner;
    QString version;
    PanelContext panels() const { return {document, selection, snapshots, plans, theme, ops}; }
};

} // namespace ui
