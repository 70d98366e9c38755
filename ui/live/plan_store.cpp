#include "ui/live/plan_store.h"

#include <algorithm>

namespace ui {

const engine::NodeView* PlanStore::node(engine::NodeId id) const
{
    const auto it = m_plan.nodes.find(id);
    return it == m_plan.nodes.end() ? nullptr : &it->second;
}

const engine::PortView* PlanStore::port(engine::NodeId id, std::string_view port) const
{
    const engine::NodeView* view = node(id);
    if (!view)
        return nullptr;
    const auto it =
        std::find_if(view->ports.begin(), view->ports.end(), [&](const engine::PortView& p) { return p.port == port; });
    return it == view->ports.end() ? nullptr : &*it;
}

void PlanStore::set(engine::PlanView plan)
{
    m_plan = std::move(plan);
    Q_EMIT changed();
}

} // namespace ui
