// What is selected, as ids: shared by canvas, panels and plots. One node may be current (shown in the panels).
#pragma once

// Qt first, as moc cannot read <concepts> before another standard header.
#include <QObject>

#include "engine/document/document.h"

#include <set>

namespace ui {

class GraphDocument;

class Selection : public QObject {
    Q_OBJECT

public:
    explicit Selection(GraphDocument& document, QObject* parent = nullptr); // follows removals and resets
    const std::set<engine::NodeId>& nodes() const { return m_nodes; }
    const std::set<engine::EdgeKey>& edges() const { return m_edges; }
    engine::NodeId current() const { return m_current; } // 0: none
    bool isEmpty() const { return m_nodes.empty() && m_edges.empty(); }
    void set(std::set<engine::NodeId> nodes, std::set<engine::EdgeKey> edges = {});
    void select(engine::NodeId node); // only this one
    void toggle(engine::NodeId node);
    void clear() { set({}); }

Q_SIGNALS:
    void selectionChanged();
    void currentChanged(engine::NodeId id);

private:
    void apply(std::set<engine::NodeId> nodes, std::set<engine::EdgeKey> edges, engine::NodeId current);

    GraphDocument& m_document;
    std::set<engine::NodeId> m_nodes;
    std::set<engine::EdgeKey> m_edges;
    engine::NodeId m_current;
};

} // namespace ui
