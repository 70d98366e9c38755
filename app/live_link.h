// Connects the document with the results: after every structural change the plan is made anew, and a run is asked for
// (when live). The one place where ui/document and ui/live meet. GUI thread only.
#pragma once

// Qt first, as moc cannot read <concepts> before another standard header.
#include <QObject>

#include "engine/model/plan_view.h"
#include "ui/document/graph_document.h"
#include "ui/live/plan_store.h"
#include "ui/live/run_controller.h"
#include "ui/live/snapshot_store.h"

namespace app {

class LiveLink : public QObject {
    Q_OBJECT

public:
    LiveLink(ui::GraphDocument& document, ui::PlanStore& plans, ui::SnapshotStore& snapshots,
             ui::RunController& controller, engine::Planner planner, QObject* parent = nullptr);
    bool isLive() const { return m_isLive; }
    void setLive(bool isLive);
    void run();
    void stop();

private:
    void onStructureChanged();
    engine::RunRequest makeRequest();
    QString folder() const; // of the document; empty: it has no file
    bool isUnfinished() const;

    ui::GraphDocument& m_document;
    ui::PlanStore& m_plans;
    ui::SnapshotStore& m_snapshots;
    ui::RunController& m_controller;
    engine::Planner m_planner;
    engine::ArrayTable m_arrays;                    // of the sources in m_sources
    std::optional<std::set<std::string>> m_sources; // where m_arrays come from; none: read them again
    QString m_folder;
    std::vector<engine::Finding> m_arrayFindings;
    bool m_isLive = true;
};

} // namespace app
