// Connecting, reconnecting and disconnecting by pulling a wire.
#include "ui/scene/drag.h"

#include "ui/document/edit_names.h"
#include "ui/document/graph_edits.h"
#include "ui/document/remedies.h"
#include "ui/scene/connection_rules.h"
#include "ui/scene/level_of_detail.h"

#include <cmath>

namespace ui {

namespace {

// Every port of the other kind, with the reason where it does not fit.
std::map<PortKey, QString> fitsOf(const GraphScene& scene, const PortKey& anchor, bool isFromOutput)
{
    const SceneContext& s = scene.context();
    // Cycles are looked up once: what feeds an output's node cannot take it, and the other way round.
    const std::set<engine::NodeId> cyclic =
        reachable(s.graph(), anchor.node, isFromOutput ? Along::Upstream : Along::Downstream);
    const QString cycle = QCoreApplication::translate("Canvas", "That would close a cycle.");
    const QString itself = QCoreApplication::translate("Canvas", "A node cannot take its own output.");
    std::map<PortKey, QString> fits;
    for (const auto& [id, item] : scene.nodes()) {
        const QString reason = id == anchor.node ? itself : cyclic.contains(id) ? cycle : QString();
        if (!isFromOutput) {
            if (item->geometry().output)
                fits[{id, kOutputPort}] = reason;
            continue;
        }
        const engine::Node* node = s.graph().find(id);
        const engine::OpSpec* spec = node ? s.spec(*node) : nullptr;
        for (const InputPort& port : item->geometry().inputs)
            fits[{id, port.name}] = reason.isEmpty() && spec && engine::portIndex(*spec, port.name) < 0
                                        ? QCoreApplication::translate("Canvas", "There is no such port.")
                                        : reason;
    }
    return fits;
}

class WireDrag : public Drag {
public:
    WireDrag(GraphScene& scene, PulledWire wire, DroppedOnEmpty onEmpty)
        : m_scene(scene), m_start(wire.looseEnd), m_onEmpty(std::move(onEmpty))
    {
        wire.fits = fitsOf(scene, wire.anchor, wire.isFromOutput);
        scene.setPulled(std::move(wire));
    }
    void move(const DragPoint& at) override
    {
        if (!m_scene.pulled())
            return;
        PulledWire wire = *m_scene.pulled();
        wire.target = m_scene.targetAt(at.scene, at.zoom);
        wire.looseEnd = wire.target ? m_scene.portAt(*wire.target) : at.scene;
        m_scene.setPulled(std::move(wire));
    }
    void drop(const DragPoint& at) override
    {
        move(at);
        if (!m_scene.pulled())
            return;
        const PulledWire wire = *m_scene.pulled();
        m_scene.setPulled({});
        const QPointF way = at.scene - m_start;
        const bool isFar = std::hypot(way.x(), way.y()) * at.zoom > node_size::kPortGap;
        if (wire.target)
            connectTo(wire, *wire.target);
        else if (isFar && isEmptyAt(at))
            wire.taken ? disconnect(*wire.taken) : m_onEmpty(wire, at);
    }
    void abandon() override { m_scene.setPulled({}); }
    QString whyNot(const DragPoint& at) const override
    {
        const auto& wire = m_scene.pulled();
        if (!wire || wire->target)
            return {};
        for (const auto& [key, reason] : wire->fits) {
            const QPointF way = m_scene.portAt(key) - at.scene;
            if (!reason.isEmpty() && std::hypot(way.x(), way.y()) * at.zoom <= node_size::kHitRadius)
                return reason;
        }
        return {};
    }

private:
    bool isEmptyAt(const DragPoint& at) const
    {
        const Hit::Kind kind = m_scene.hitAt(at.scene, at.zoom).kind;
        return kind == Hit::Kind::None || kind == Hit::Kind::Wire;
    }
    void connectTo(const PulledWire& wire, const PortKey& target) const
    {
        GraphDocument& document = m_scene.context().document;
        const PortKey& source = wire.isFromOutput ? wire.anchor : target;
        const PortKey& sink = wire.isFromOutput ? target : wire.anchor;
        const engine::Edge edge{source.node, source.port, sink.node, sink.port};
        const engine::Edge* now = document.graph().edgeInto(sink.node, sink.port);
        if (now && *now == edge)
            return;
        const NamedEdit named = connectEdit(document.value(), edge);
        const bool leaves = wire.taken && *wire.taken != engine::EdgeKey{sink.node, sink.port};
        const engine::Edit edit =
            leaves ? engine::Edit(engine::EditList{{engine::RemoveEdge{*wire.taken}, named.edit}}) : named.edit;
        (void)document.apply(edit, named.name);
    }
    void disconnect(const engine::EdgeKey& key) const
    {
        GraphDocument& document = m_scene.context().document;
        const NamedEdit named = removeEdit(document.value(), {}, {key}, Heal::No);
        (void)document.apply(named.edit, named.name);
    }

    GraphScene& m_scene;
    QPointF m_start;
    DroppedOnEmpty m_onEmpty;
};

} // namespace

std::unique_ptr<Drag> wireDrag(GraphScene& scene, const PortKey& anchor, const DragPoint& start, DroppedOnEmpty onEmpty)
{
    PulledWire wire;
    wire.anchor = anchor;
    wire.isFromOutput = anchor.port == kOutputPort;
    wire.fixedEnd = scene.portAt(anchor);
    wire.looseEnd = start.scene;
    return std::make_unique<WireDrag>(scene, std::move(wire), std::move(onEmpty));
}

std::unique_ptr<Drag> takeWireDrag(GraphScene& scene, const engine::EdgeKey& edge, WireEnd end, const DragPoint& start)
{
    const EdgeItem* item = scene.edge(edge);
    if (!item)
        return nullptr;
    PulledWire wire;
    wire.isFromOutput = end == WireEnd::Target;
    wire.anchor = wire.isFromOutput ? PortKey{item->from(), kOutputPort} : PortKey{edge.to, edge.toPort};
    wire.fixedEnd = scene.portAt(wire.anchor);
    wire.looseEnd = start.scene;
    wire.taken = edge;
    return std::make_unique<WireDrag>(scene, std::move(wire), DroppedOnEmpty());
}

} // namespace ui
