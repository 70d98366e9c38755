#include "ui/scene/canvas_accessible.h"

#include <algorithm>

namespace ui {

namespace {

// A node, or the dot at one of its ports.
class MarkAccessible : public QAccessibleInterface {
public:
    MarkAccessible(GraphView* view, Hit hit) : m_view(view), m_hit(std::move(hit)) {}
    const Hit& hit() const { return m_hit; }
    bool isValid() const override
    {
        if (!m_view)
            return false;
        const EdgeItem* edge = m_view->canvas().edge(m_hit.edge);
        return m_view->canvas().node(m_hit.node) && (m_hit.kind == Hit::Kind::Node || (edge && edge->cast()));
    }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_view.data()); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}
    QAccessible::Role role() const override
    {
        return m_hit.kind == Hit::Kind::Node ? QAccessible::ListItem : QAccessible::Indicator;
    }
    QString text(QAccessible::Text t) const override
    {
        return t == QAccessible::Name && isValid() ? m_view->canvas().accessibleName(m_hit) : QString();
    }
    QRect rect() const override
    {
        if (!isValid())
            return {};
        if (m_hit.kind == Hit::Kind::Node)
            return m_view->globalRect(m_view->canvas().node(m_hit.node)->body());
        const double r = m_view->canvas().edge(m_hit.edge)->radius;
        return m_view->globalRect(
            QRectF(m_view->canvas().edge(m_hit.edge)->wire().dot - QPointF(r, r), QSizeF(2 * r, 2 * r)));
    }
    QAccessible::State state() const override
    {
        QAccessible::State s;
        s.invalid = !isValid();
        if (s.invalid)
            return s;
        const GraphScene& scene = m_view->canvas();
        s.focusable = true;
        s.focused = scene.focused() == m_hit;
        s.selectable = m_hit.kind == Hit::Kind::Node;
        s.selected = s.selectable && scene.context().selection.nodes().contains(m_hit.node);
        s.offscreen = !QRect(m_view->mapToGlobal(QPoint()), m_view->size()).intersects(rect());
        return s;
    }

private:
    QPointer<GraphView> m_view;
    Hit m_hit;
};

QAccessibleInterface* makeCanvas(const QString&, QObject* object)
{
    auto* view = qobject_cast<GraphView*>(object);
    return view ? new CanvasAccessible(view) : nullptr;
}

} // namespace

void installCanvasAccessibility()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(makeCanvas);
        return true;
    }();
    Q_UNUSED(isInstalled)
}

CanvasAccessible::CanvasAccessible(GraphView* view) : QAccessibleWidget(view, QAccessible::List), m_view(view) {}

CanvasAccessible::~CanvasAccessible()
{
    for (const auto& [key, id] : m_children)
        QAccessible::deleteAccessibleInterface(id);
}

// Each node after the dots at its ports, as a value meets them.
std::vector<Hit> CanvasAccessible::order() const
{
    std::vector<Hit> all;
    m_view->canvas().flush();
    const GraphScene& scene = m_view->canvas();
    for (const engine::NodeId id : scene.context().graph().topologicalOrder()) {
        const NodeItem* node = scene.node(id);
        if (!node)
            continue;
        for (const InputPort& port : node->geometry().inputs)
            if (const EdgeItem* edge = scene.edge({id, port.name}); edge && edge->cast())
                all.push_back({Hit::Kind::Dot, id, port.name, edge->key(), 0});
        all.push_back({Hit::Kind::Node, id, {}, {}, 0});
    }
    return all;
}

QAccessibleInterface* CanvasAccessible::interfaceFor(const Hit& hit) const
{
    QAccessible::Id& id = m_children[{hit.node, hit.port}];
    QAccessibleInterface* found = id ? QAccessible::accessibleInterface(id) : nullptr;
    if (!found) {
        found = new MarkAccessible(m_view, hit);
        id = QAccessible::registerAccessibleInterface(found);
    }
    return found;
}

int CanvasAccessible::childCount() const
{
    return static_cast<int>(order().size());
}

QAccessibleInterface* CanvasAccessible::child(int index) const
{
    const std::vector<Hit> all = order();
    return index >= 0 && index < static_cast<int>(all.size()) ? interfaceFor(all[static_cast<std::size_t>(index)])
                                                              : nullptr;
}

int CanvasAccessible::indexOfChild(const QAccessibleInterface* child) const
{
    const auto* mark = dynamic_cast<const MarkAccessible*>(child);
    const std::vector<Hit> all = order();
    const auto it = mark ? std::find(all.begin(), all.end(), mark->hit()) : all.end();
    return it == all.end() ? -1 : static_cast<int>(it - all.begin());
}

QAccessibleInterface* CanvasAccessible::childAt(int x, int y) const
{
    const QPoint inView = m_view->viewport()->mapFromGlobal(QPoint(x, y));
    const Hit hit = m_view->canvas().hitAt(m_view->mapToScene(inView), m_view->zoom());
    if (hit.kind == Hit::Kind::Dot)
        return interfaceFor(hit);
    return hit.node ? interfaceFor({Hit::Kind::Node, hit.node, {}, {}, 0}) : nullptr;
}

QAccessibleInterface* CanvasAccessible::focusChild() const
{
    const Hit& focused = m_view->canvas().focused();
    return focused ? interfaceFor(focused) : nullptr;
}

} // namespace ui
