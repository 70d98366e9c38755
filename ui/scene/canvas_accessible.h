// The canvas for screen readers: its children are the nodes and the coercion dots, in the order of the graph, each with
// its name, place and state.
#pragma once

#include "ui/scene/graph_view.h"

#include <QAccessibleWidget>

namespace ui {

// Makes Qt answer for GraphView with the tree above; once is enough.
void installCanvasAccessibility();

class CanvasAccessible : public QAccessibleWidget {
public:
    explicit CanvasAccessible(GraphView* view);
    ~CanvasAccessible() override;
    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;

    GraphView& view() const { return *m_view; }
    std::vector<Hit> order() const;

private:
    QAccessibleInterface* interfaceFor(const Hit& hit) const;
    GraphView* m_view;
    mutable std::map<std::pair<engine::NodeId, std::string>, QAccessible::Id> m_children;
};

} // namespace ui
