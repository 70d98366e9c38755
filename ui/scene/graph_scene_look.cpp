// What the pointer and the keyboard look at: finding it, and showing it.
#include "ui/scene/graph_scene.h"

#include "ui/scene/level_of_detail.h"
#include "ui/scene/node_words.h"

#include <cmath>

namespace ui {

namespace {

constexpr double kWireReach = 8, kAttraction = 24, kReroute = 10;

double distance(QPointF a, QPointF b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

// Keeps the nearest of what is within its reach.
struct Nearest {
    QPointF at;
    double least = std::numeric_limits<double>::infinity();
    Hit hit = {};
    void offer(QPointF place, double reach, Hit candidate)
    {
        const double d = distance(at, place);
        if (d > reach || d >= least)
            return;
        least = d;
        hit = std::move(candidate);
    }
};

} // namespace

const NodeItem* GraphScene::node(engine::NodeId id) const
{
    const auto it = m_nodes.find(id);
    return it == m_nodes.end() ? nullptr : it->second;
}

const EdgeItem* GraphScene::edge(const engine::EdgeKey& key) const
{
    const auto it = m_edges.find(key);
    return it == m_edges.end() ? nullptr : it->second;
}

Hit GraphScene::hitAt(QPointF at, double zoom) const
{
    const Detail detail = detailAt(zoom);
    const double reach = node_size::kHitRadius * (detail == Detail::Block ? 0.6 : portScale(zoom)) / zoom;
    Nearest mark{at};
    for (const auto& [key, item] : m_edges) {
        if (item->cast())
            mark.offer(item->wire().dot, reach, {Hit::Kind::Dot, key.to, key.toPort, key, 0});
        for (std::size_t i = 0; i < item->reroutes().size() && detail != Detail::Block; ++i)
            mark.offer(item->reroutes()[i], kReroute / zoom, {Hit::Kind::Reroute, {}, {}, key, i});
    }
    const bool arePortsSeen = detail == Detail::Full || detail == Detail::Middle;
    const NodeItem* over = nullptr;
    for (const auto& [id, item] : m_nodes) {
        const bool isNear = item->body().adjusted(-reach, -reach, reach, reach).contains(at);
        if (!isNear)
            continue;
        if (item->body().contains(at) && (!over || item->zValue() >= over->zValue()))
            over = item;
        if (!arePortsSeen)
            continue;
        for (const InputPort& port : item->geometry().inputs)
            mark.offer(item->pos() + port.at, reach, {Hit::Kind::Input, id, port.name, {}, 0});
        if (item->geometry().output)
            mark.offer(item->outputAt(), reach, {Hit::Kind::Output, id, kOutputPort, {}, 0});
    }
    if (mark.hit)
        return mark.hit;
    if (over) {
        const QRectF badge(over->body().right() - 12 - 16 - 4, over->pos().y() + 4, 24, 24);
        const NodeBadge kind = over->face().badge;
        const bool isBadge = (kind == NodeBadge::Error || kind == NodeBadge::Warning) && badge.contains(at);
        return {isBadge ? Hit::Kind::Badge : Hit::Kind::Node, over->id(), {}, {}, 0};
    }
    Hit wire;
    double least = kWireReach / zoom;
    for (const auto& [key, item] : m_edges) {
        if (!item->boundingRect().contains(at))
            continue;
        const double d = item->distanceTo(at);
        if (d < least) {
            least = d;
            wire = {Hit::Kind::Wire, {}, {}, key, 0};
        }
    }
    return wire;
}

QPointF GraphScene::portAt(const PortKey& key) const
{
    const NodeItem* item = node(key.node);
    if (!item)
        return {};
    return key.port == kOutputPort ? item->outputAt() : item->inputAt(key.port);
}

std::optional<PortKey> GraphScene::targetAt(QPointF at, double zoom) const
{
    if (!m_pulled)
        return std::nullopt;
    std::optional<PortKey> best;
    double least = kAttraction / std::min(zoom, 1.0);
    for (const auto& [key, reason] : m_pulled->fits) {
        const double d = distance(portAt(key), at);
        if (!reason.isEmpty() || d > least)
            continue;
        least = d;
        best = key;
    }
    return best;
}

bool GraphScene::isDotLookedAt(const engine::EdgeKey& edge) const
{
    const auto isOn = [&](const Hit& hit) { return hit.kind == Hit::Kind::Dot && hit.edge == edge; };
    return isOn(m_hovered) || isOn(m_focused);
}

void GraphScene::setHovered(const Hit& hit)
{
    if (hit == m_hovered)
        return;
    m_hovered = hit;
    for (const auto& [id, item] : m_nodes) {
        const bool isHovered = hit.node == id && hit.kind != Hit::Kind::Dot;
        if (isHovered != item->isHovered) {
            item->isHovered = isHovered;
            item->update();
        }
    }
    for (const auto& [key, item] : m_edges) {
        const bool isHovered = hit.edge == key && hit.kind == Hit::Kind::Wire;
        if (isHovered != item->isHovered) {
            item->isHovered = isHovered;
            item->update();
        }
    }
    m_marks->update();
}

void GraphScene::setFocused(const Hit& hit)
{
    if (hit == m_focused)
        return;
    m_focused = hit;
    for (const auto& [id, item] : m_nodes) {
        const bool isFocused = hit.node == id && hit.kind == Hit::Kind::Node;
        if (isFocused != item->isFocused) {
            item->isFocused = isFocused;
            item->update();
        }
    }
    m_marks->update();
}

void GraphScene::setPulled(std::optional<PulledWire> wire)
{
    m_pulled = std::move(wire);
    for (const auto& [key, item] : m_edges) {
        const bool isHidden = m_pulled && m_pulled->taken == key;
        if (isHidden != item->isHidden) {
            item->isHidden = isHidden;
            item->update();
        }
    }
    m_marks->update();
}

void GraphScene::setBand(std::optional<QRectF> band)
{
    m_band = band;
    m_marks->update();
}

QString GraphScene::accessibleName(const Hit& hit) const
{
    const NodeItem* item = node(hit.node);
    if (hit.kind == Hit::Kind::Dot && item) {
        const EdgeItem* wire = edge(hit.edge);
        return item->face().name + ", " +
               (wire && wire->cast() ? castSentence(latin(hit.port), *wire->cast()) : latin(hit.port));
    }
    if (item)
        return item->face().accessibleName();
    const EdgeItem* wire = edge(hit.edge);
    return wire ? wire->accessibleName() : QString();
}

} // namespace ui
