#include "app/live_link.h"

#include <QFileInfo>

namespace app {

using namespace engine;

namespace {

// Where arrays come from: node, parameter and key of every source that is used (a wired port's own is not).
std::set<std::string> sourcesIn(const Graph& graph)
{
    std::set<std::string> sources;
    for (const auto& [id, node] : graph.nodes())
        for (const auto& [name, value] : node.params)
            if (const auto* source = std::get_if<Source>(&value); source && !graph.edgeInto(id, name))
                if (const std::string key = source->arrayKey(); !key.empty())
                    sources.insert(std::to_string(id.value).append(1, '\n').append(name).append(1, '\n').append(key));
    return sources;
}

} // namespace

LiveLink::LiveLink(ui::GraphDocument& document, ui::PlanStore& plans, ui::SnapshotStore& snapshots,
                   ui::RunController& controller, Planner planner, QObject* parent)
    : QObject(parent), m_document(document), m_plans(plans), m_snapshots(snapshots), m_controller(controller),
      m_planner(std::move(planner))
{
    connect(&document, &ui::GraphDocument::structureChanged, this, &LiveLink::onStructureChanged);
    connect(&document, &ui::GraphDocument::documentReset, this, [this] {
        m_sources.reset();
        m_snapshots.clear(); // its node ids mean other nodes
        onStructureChanged();
    });
    // Files that sources name are relative to the document's folder.
    connect(&document, &ui::GraphDocument::pathChanged, this, [this] {
        if (std::exchange(m_folder, folder()) == folder())
            return;
        m_sources.reset();
        onStructureChanged();
    });
}

QString LiveLink::folder() const
{
    return m_document.path().isEmpty() ? QString() : QFileInfo(m_document.path()).absolutePath();
}

// The canvas's own combo first, then the others of the four.
RunRequest LiveLink::makeRequest()
{
    const Document& d = m_document.value();
    if (auto sources = sourcesIn(d.graph); sources != m_sources) {
        ResolvedArrays resolved = resolveArrays(d, folder().toStdString());
        m_arrays = std::move(resolved.arrays);
        m_arrayFindings = std::move(resolved.findings);
        m_sources = std::move(sources);
    }
    RunRequest r;
    r.revision = m_document.structureRevision();
    r.graph = d.graph;
    r.arrays = m_arrays;
    r.floatx = d.settings.floatx;
    r.backend = d.settings.backend;
    r.configurations = {{d.settings.dialect, d.settings.combo}};
    for (const Combo& combo : kFourCombos)
        if (combo != d.settings.combo)
            r.configurations.push_back({d.settings.dialect, combo});
    return r;
}

void LiveLink::onStructureChanged()
{
    RunRequest request = makeRequest();
    PlanView plan = m_planner(request, request.configurations.front());
    plan.findings.insert(plan.findings.end(), m_arrayFindings.begin(), m_arrayFindings.end());
    m_plans.set(std::move(plan));
    m_snapshots.setWanted(request.revision);
    if (m_isLive)
        m_controller.request(std::move(request));
}

bool LiveLink::isUnfinished() const
{
    const auto& results = m_snapshots.snapshot();
    return m_snapshots.isStale() || results->partial; // a run that was stopped delivers what it had
}

void LiveLink::setLive(bool isLive)
{
    m_isLive = isLive;
    if (isLive && isUnfinished())
        m_controller.request(makeRequest());
}

// Files may have changed since they were read.
void LiveLink::run()
{
    m_sources.reset();
    const bool wasLive = std::exchange(m_isLive, true);
    onStructureChanged();
    m_isLive = wasLive;
}

void LiveLink::stop()
{
    m_controller.stop();
}

} // namespace app
