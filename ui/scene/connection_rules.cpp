#include "ui/scene/connection_rules.h"

#include <QCoreApplication>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Canvas", text);
}

} // namespace

std::set<engine::NodeId> reachable(const engine::Graph& graph, engine::NodeId id, Along along)
{
    std::multimap<engine::NodeId, engine::NodeId> next;
    for (const engine::Edge& e : graph.edges())
        along == Along::Upstream ? next.emplace(e.to, e.from) : next.emplace(e.from, e.to);
    std::set<engine::NodeId> seen{id};
    std::vector<engine::NodeId> stack{id};
    while (!stack.empty()) {
        const engine::NodeId at = stack.back();
        stack.pop_back();
        const auto [first, last] = next.equal_range(at);
        for (auto it = first; it != last; ++it)
            if (seen.insert(it->second).second)
                stack.push_back(it->second);
    }
    return seen;
}

bool hasOutput(const engine::OpSpec* spec)
{
    return !spec || spec->role != engine::OpRole::Output;
}

QString whyNot(const engine::Graph& graph, const engine::OpCatalog& ops, engine::NodeId from, engine::NodeId to,
               const std::string& toPort)
{
    const engine::Node *source = graph.find(from), *target = graph.find(to);
    if (!source || !target)
        return tr("The node is gone.");
    if (from == to)
        return tr("A node cannot take its own output.");
    if (!hasOutput(ops.find(source->op)))
        return tr("An output passes nothing on.");
    const engine::OpSpec* spec = ops.find(target->op);
    if (spec && engine::portIndex(*spec, toPort) < 0)
        return tr("There is no such port.");
    if (reachable(graph, to, Along::Downstream).contains(from))
        return tr("That would close a cycle.");
    return {};
}

std::optional<std::string> firstInput(const engine::OpSpec& spec)
{
    for (const engine::PortSpec& port : spec.ports)
        if (port.role == engine::PortRole::Activation)
            return std::string(port.name);
    return spec.ports.empty() ? std::nullopt : std::optional(std::string(spec.ports.front().name));
}

} // namespace ui
