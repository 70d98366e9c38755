#include "ui/scene/key_navigation.h"

#include <cmath>

namespace ui {

namespace {

Hit nodeHit(engine::NodeId id)
{
    return {Hit::Kind::Node, id, {}, {}, 0};
}

Hit dotHit(const engine::EdgeKey& key)
{
    return {Hit::Kind::Dot, key.to, key.toPort, key, 0};
}

// Onto the dot of the first wire into a node, or past it.
Hit leftOf(const GraphScene& scene, const Hit& from)
{
    if (from.kind == Hit::Kind::Dot)
        return nodeHit(scene.edge(from.edge)->from());
    for (const InputPort& port : scene.node(from.node)->geometry().inputs)
        if (const EdgeItem* edge = scene.edge({from.node, port.name}))
            return edge->cast() ? dotHit(edge->key()) : nodeHit(edge->from());
    return {};
}

Hit rightOf(const GraphScene& scene, const Hit& from)
{
    if (from.kind == Hit::Kind::Dot)
        return nodeHit(from.node);
    for (const auto& [key, edge] : scene.edges())
        if (edge->from() == from.node)
            return edge->cast() ? dotHit(key) : nodeHit(key.to);
    return {};
}

// The next dot of the same node, or the nearest node whose middle lies that way.
Hit besides(const GraphScene& scene, const Hit& from, double sign)
{
    const NodeItem* node = scene.node(from.node);
    if (from.kind == Hit::Kind::Dot) {
        Hit best;
        double least = std::numeric_limits<double>::infinity();
        const double y = scene.edge(from.edge)->wire().dot.y();
        for (const InputPort& port : node->geometry().inputs) {
            const EdgeItem* edge = scene.edge({from.node, port.name});
            const double d = edge && edge->cast() ? sign * (edge->wire().dot.y() - y) : 0;
            if (d > 0 && d < least) {
                least = d;
                best = dotHit(edge->key());
            }
        }
        return best;
    }
    Hit best;
    double least = std::numeric_limits<double>::infinity();
    const QPointF here = node->body().center();
    for (const auto& [id, other] : scene.nodes()) {
        const QPointF way = other->body().center() - here;
        const double along = sign * way.y();
        // A node aside counts as farther than one straight above or below.
        const double d = std::hypot(way.x() * 2, way.y());
        if (id == from.node || along <= 1 || d >= least)
            continue;
        least = d;
        best = nodeHit(id);
    }
    return best;
}

} // namespace

Hit stepFrom(const GraphScene& scene, const Hit& from, Way way)
{
    const bool isGone = !from || !scene.node(from.node) || (from.kind == Hit::Kind::Dot && !scene.edge(from.edge));
    if (isGone) {
        const auto order = scene.context().graph().topologicalOrder();
        return order.empty() ? Hit{} : nodeHit(order.front());
    }
    switch (way) {
    case Way::Left:
        return leftOf(scene, from);
    case Way::Right:
        return rightOf(scene, from);
    case Way::Up:
        return besides(scene, from, -1);
    case Way::Down:
        break;
    }
    return besides(scene, from, 1);
}

} // namespace ui
