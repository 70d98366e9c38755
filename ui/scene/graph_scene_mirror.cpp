// The check of the mirror, for tests: every node and edge of the document has its item, where and as the document and
// the plan say, and nothing else is there.
#include "ui/scene/graph_scene.h"

#include "ui/scene/node_words.h"

namespace ui {

namespace {

QString say(const QString& what, const QString& place)
{
    return what + ": " + place;
}

QString nodeError(const SceneContext& s, const NodeItem& item, engine::NodeId id)
{
    const QString place = QStringLiteral("node %1").arg(id.value);
    if (item.id() != id)
        return say("the item is of another node", place);
    const auto& positions = s.document.layout().positions;
    if (const auto it = positions.find(id); it != positions.end() && item.pos() != canvasPoint(it->second))
        return say("the item is elsewhere than the document has it", place);
    const engine::Node& node = *s.graph().find(id);
    const NodeFace& face = item.face();
    if (face.name != latin(node.name) || face.op != latin(node.op) || face.isMuted != node.muted)
        return say("the face has another name, op or mute", place);
    const engine::NodeView* view = s.plans.node(id);
    if (view && (face.isRefused != view->refused || face.dtype != view->dtype))
        return say("the face is not of this plan", place);
    if (!view && (face.isRefused || face.dtype))
        return say("the face knows what the plan does not", place);
    if (item.isRinged != s.selection.nodes().contains(id))
        return say("the ring is not the selection", place);
    return {};
}

QString edgeError(const SceneContext& s, const GraphScene& scene, const EdgeItem& item, const engine::EdgeKey& key)
{
    const QString place = QStringLiteral("edge into node %1, port %2").arg(key.to.value).arg(latin(key.toPort));
    const engine::Edge* edge = s.graph().edgeInto(key.to, key.toPort);
    if (!edge || item.from() != edge->from)
        return say("the item's edge is not in the document", place);
    const QPainterPath& path = item.wire().all;
    if (QPointF(path.elementAt(0)) != scene.node(edge->from)->outputAt() ||
        path.currentPosition() != scene.node(edge->to)->inputAt(key.toPort))
        return say("the wire does not end at its ports", place);
    const auto& reroutes = s.document.layout().reroutes;
    const auto points = reroutes.find(key);
    if (item.reroutes().size() != (points == reroutes.end() ? 0 : points->second.size()))
        return say("the wire has other reroute points", place);
    const engine::NodeView* source = s.plans.node(edge->from);
    if (item.dtype() != (source ? source->dtype : std::nullopt))
        return say("the wire has another dtype than the plan", place);
    const engine::PortView* port = s.plans.port(key.to, key.toPort);
    const bool isCast = source && source->dtype && port && isDot(*port) && port->arrives && port->used;
    if (item.cast().has_value() != isCast)
        return say("the dot is not the plan's cast", place);
    if (item.isRinged != s.selection.edges().contains(key))
        return say("the ring is not the selection", place);
    return {};
}

} // namespace

QString GraphScene::mirrorError()
{
    flush();
    finishMotion();
    const SceneContext& s = m_paint.scene;
    const engine::Graph& graph = s.graph();
    if (m_nodes.size() != graph.nodes().size() || m_edges.size() != graph.edges().size())
        return QStringLiteral("%1 nodes and %2 edges are drawn, the document has %3 and %4")
            .arg(m_nodes.size())
            .arg(m_edges.size())
            .arg(graph.nodes().size())
            .arg(graph.edges().size());
    qsizetype drawn = 0;
    for (const QGraphicsItem* item : items())
        drawn += item->type() == NodeItem::Type || item->type() == EdgeItem::Type;
    if (drawn != static_cast<qsizetype>(m_nodes.size() + m_edges.size()))
        return QStringLiteral("an item is left of what is gone");
    for (const auto& [id, node] : graph.nodes()) {
        const NodeItem* item = this->node(id);
        const QString error = item ? nodeError(s, *item, id) : say("no item", QString::number(id.value));
        if (!error.isEmpty())
            return error;
    }
    for (const auto& [key, item] : m_edges)
        if (const QString error = edgeError(s, *this, *item, key); !error.isEmpty())
            return error;
    return {};
}

} // namespace ui
