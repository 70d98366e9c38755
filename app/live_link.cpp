#include "app/live_link.h"

#include <QFileInfo>

namespace app {

using namespace engine;

namespace {

// Keys of all arrays that the graph's sources name.
std::set<std::string> arrayKeys(const Graph& graph)
{
    std::set<std::string> keys;
    for (const auto& [id, node] : graph.nodes())
        for (const auto& [name, value] : node.params)
            if (const auto* source = std::get_if<Source>(&value))
                if (const std::string key = source->arrayKey(); !key.empty())
                    keys.insert(key);
    return keys;
}

} // namespace

LiveLink::LiveLink(ui::GraphDocument& document, ui::PlanStore& plans, ui::SnapshotStore& snapshots,
                   ui::RunController& controller, Planner planner, QObject* parent)
    : QObject(parent), m_document(document), m_plans(plans), m_snapshots(snapshots), m_controller(controller),
      m_planner(std::move(planner))
{
    connect(&document, &ui::GraphDocument::structureChanged, this, &LiveLink::onStructureChanged);
    connect(&document, &ui::GraphDocument::documentReset, this, [this] {
        m_arrayKeys = {"\n"}; // no key: read everything again
        onStructureChanged();
    });
}

// The canvas's own combo first, then the others of the four.
RunRequest LiveLink::makeRequest()
{
    const Document& d = m_document.value();
    if (auto keys = arrayKeys(d.graph); keys != m_arrayKeys) {
        const QString folder = m_document.path().isEmpty() ? QString() : QFileInfo(m_document.path()).absolutePath();
        ResolvedArrays resolved = resolveArrays(d, folder.toStdString());
        m_arrays = std::move(resolved.arrays);
        m_arrayFindings = std::move(resolved.findings);
        m_arrayKeys = std::move(keys);
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

void LiveLink::setLive(bool isLive)
{
    m_isLive = isLive;
    if (isLive && m_snapshots.isStale())
        run();
}

void LiveLink::run()
{
    m_controller.request(makeRequest());
}

void LiveLink::stop()
{
    m_controller.stop();
}

} // namespace app
