// The selection holds only what exists: whatever is set or removed passes one filter.
#include "ui/document/selection.h"

#include "ui/document/graph_document.h"

namespace ui {

Selection::Selection(GraphDocument& document, QObject* parent) : QObject(parent), m_document(document)
{
    const auto refresh = [this] { set(m_nodes, m_edges); };
    connect(&document, &GraphDocument::nodeRemoved, this, refresh);
    connect(&document, &GraphDocument::edgeRemoved, this, refresh);
    connect(&document, &GraphDocument::documentReset, this, [this] { clear(); });
}

void Selection::set(std::set<engine::NodeId> nodes, std::set<engine::EdgeKey> edges)
{
    apply(std::move(nodes), std::move(edges), m_current);
}

void Selection::select(engine::NodeId node)
{
    apply({node}, {}, node);
}

void Selection::toggle(engine::NodeId node)
{
    std::set<engine::NodeId> nodes = m_nodes;
    if (nodes.erase(node) > 0)
        return set(std::move(nodes), m_edges);
    nodes.insert(node);
    apply(std::move(nodes), m_edges, node);
}

// The current node stays while it is selected; then the first selected one is current.
void Selection::apply(std::set<engine::NodeId> nodes, std::set<engine::EdgeKey> edges, engine::NodeId current)
{
    const engine::Graph& graph = m_document.graph();
    std::erase_if(nodes, [&](engine::NodeId id) { return !graph.find(id); });
    std::erase_if(edges, [&](const engine::EdgeKey& e) { return !graph.edgeInto(e.to, e.toPort); });
    if (!nodes.contains(current))
        current = nodes.empty() ? engine::NodeId{} : *nodes.begin();
    const bool isChanged = nodes != m_nodes || edges != m_edges, isOther = current != m_current;
    m_nodes = std::move(nodes);
    m_edges = std::move(edges);
    m_current = current;
    if (isChanged)
        Q_EMIT selectionChanged();
    if (isOther)
        Q_EMIT currentChanged(m_current);
}

} // namespace ui
