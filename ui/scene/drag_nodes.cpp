// Panning, the rubber band, moving nodes and reroute points.
#include "ui/scene/drag.h"

#include "ui/document/edit_names.h"
#include "ui/document/graph_edits.h"

#include <cmath>

namespace ui {

double snap8(double x)
{
    return std::round(x / ThemeManager::kGrid) * ThemeManager::kGrid;
}

namespace {

class PanDrag : public Drag {
public:
    PanDrag(std::function<void(QPoint)> scroll, QPoint start) : m_scroll(std::move(scroll)), m_last(start) {}
    void move(const DragPoint& at) override
    {
        m_scroll(at.view - m_last);
        m_last = at.view;
    }
    void drop(const DragPoint& at) override { move(at); }

private:
    std::function<void(QPoint)> m_scroll;
    QPoint m_last;
};

class BandDrag : public Drag {
public:
    BandDrag(GraphScene& scene, const DragPoint& start) : m_scene(scene), m_start(start.scene)
    {
        const Selection& selection = scene.context().selection;
        m_beforeNodes = selection.nodes();
        m_beforeEdges = selection.edges();
        if (start.modifiers & (Qt::ShiftModifier | Qt::ControlModifier))
            m_base = m_beforeNodes;
    }
    void move(const DragPoint& at) override
    {
        const QRectF band = QRectF(m_start, at.scene).normalized();
        m_scene.setBand(band);
        std::set<engine::NodeId> nodes = m_base;
        for (const auto& [id, item] : m_scene.nodes())
            if (band.intersects(item->body()))
                nodes.insert(id);
        m_scene.context().selection.set(std::move(nodes));
    }
    void drop(const DragPoint& at) override
    {
        move(at);
        m_scene.setBand({});
    }
    void abandon() override
    {
        m_scene.setBand({});
        m_scene.context().selection.set(m_beforeNodes, m_beforeEdges);
    }

private:
    GraphScene& m_scene;
    QPointF m_start;
    std::set<engine::NodeId> m_base, m_beforeNodes;
    std::set<engine::EdgeKey> m_beforeEdges;
};

// A drag whose every step is an edit under one gesture.
class EditDrag : public Drag {
public:
    EditDrag(GraphScene& scene, Gesture gesture) : m_scene(scene), m_gesture(gesture) {}
    void abandon() override { m_scene.context().document.abandon(m_gesture); }

protected:
    void apply(const engine::Edit& edit, const QString& name)
    {
        // Refused where the document changed under the pointer: then this step is not made.
        (void)m_scene.context().document.apply(edit, name, m_gesture);
    }
    GraphScene& m_scene;
    Gesture m_gesture;
};

class MoveDrag : public EditDrag {
public:
    MoveDrag(GraphScene& scene, engine::NodeId grabbed, const DragPoint& start)
        : EditDrag(scene, scene.context().document.newGesture()), m_grabbed(grabbed), m_start(start.scene)
    {
        const auto& selected = scene.context().selection.nodes();
        for (const engine::NodeId id : selected)
            if (const NodeItem* item = scene.node(id))
                m_nodes[id] = {item->pos().x(), item->pos().y()};
        const engine::Graph& graph = scene.context().graph();
        for (const auto& [key, points] : scene.context().document.layout().reroutes) {
            const engine::Edge* edge = graph.edgeInto(key.to, key.toPort);
            if (edge && m_nodes.contains(edge->from) && m_nodes.contains(edge->to))
                m_reroutes[key] = points;
        }
    }
    void move(const DragPoint& at) override
    {
        const auto it = m_nodes.find(m_grabbed);
        if (it == m_nodes.end())
            return;
        const QPointF wanted = at.scene - m_start;
        const engine::Point delta{snap8(it->second.x + wanted.x()) - it->second.x,
                                  snap8(it->second.y + wanted.y()) - it->second.y};
        if (delta == m_delta)
            return;
        m_delta = delta;
        const auto moved = [&](engine::Point p) { return engine::Point{p.x + delta.x, p.y + delta.y}; };
        std::map<engine::NodeId, engine::Point> positions;
        for (const auto& [id, from] : m_nodes)
            positions[id] = moved(from);
        const NamedEdit named = moveEdit(m_scene.context().document.value(), positions);
        engine::EditList list{{named.edit}};
        for (const auto& [key, points] : m_reroutes) {
            std::vector<engine::Point> there;
            for (const engine::Point& p : points)
                there.push_back(moved(p));
            list.edits.push_back(engine::SetReroutes{key, std::move(there)});
        }
        apply(list.edits.size() == 1 ? named.edit : engine::Edit(std::move(list)), named.name);
    }
    // There and back again is no step: the document drops what changed nothing.
    void drop(const DragPoint& at) override { move(at); }

private:
    engine::NodeId m_grabbed;
    QPointF m_start;
    std::map<engine::NodeId, engine::Point> m_nodes;
    std::map<engine::EdgeKey, std::vector<engine::Point>> m_reroutes;
    engine::Point m_delta;
};

class RerouteDrag : public EditDrag {
public:
    RerouteDrag(GraphScene& scene, engine::EdgeKey edge, std::size_t index, Gesture gesture, QString name)
        : EditDrag(scene, gesture), m_edge(std::move(edge)), m_index(index), m_name(std::move(name))
    {
    }
    void move(const DragPoint& at) override
    {
        const auto& document = m_scene.context().document;
        const auto& reroutes = document.layout().reroutes;
        const auto it = reroutes.find(m_edge);
        if (it == reroutes.end() || m_index >= it->second.size())
            return;
        std::vector<engine::Point> points = it->second;
        const engine::Point there{snap8(at.scene.x()), snap8(at.scene.y())};
        if (points[m_index] == there)
            return;
        points[m_index] = there;
        apply(engine::SetReroutes{m_edge, std::move(points)}, m_name);
    }
    void drop(const DragPoint& at) override { move(at); }

private:
    engine::EdgeKey m_edge;
    std::size_t m_index;
    QString m_name;
};

} // namespace

std::unique_ptr<Drag> panDrag(std::function<void(QPoint delta)> scroll, const DragPoint& start)
{
    return std::make_unique<PanDrag>(std::move(scroll), start.view);
}

std::unique_ptr<Drag> bandDrag(GraphScene& scene, const DragPoint& start)
{
    return std::make_unique<BandDrag>(scene, start);
}

std::unique_ptr<Drag> moveDrag(GraphScene& scene, engine::NodeId grabbed, const DragPoint& start)
{
    return std::make_unique<MoveDrag>(scene, grabbed, start);
}

std::unique_ptr<Drag> rerouteDrag(GraphScene& scene, const engine::EdgeKey& edge, std::size_t index, Gesture gesture,
                                  QString name)
{
    return std::make_unique<RerouteDrag>(scene, edge, index, gesture, std::move(name));
}

} // namespace ui
