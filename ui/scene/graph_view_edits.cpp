// Edits that the canvas makes whole: adding, deleting, arranging.
#include "ui/scene/graph_view.h"

#include "ui/document/graph_edits.h"
#include "ui/document/remedies.h"
#include "ui/scene/auto_layout.h"
#include "ui/scene/connection_rules.h"
#include "ui/scene/node_words.h"

namespace ui {

void GraphView::apply(const engine::Edit& edit, const QString& name, Gesture gesture)
{
    // What is refused changes nothing, and the next flush shows it.
    (void)m_scene->context().document.apply(edit, name, gesture);
}

void GraphView::selectAll()
{
    std::set<engine::NodeId> all;
    for (const auto& [id, item] : m_scene->nodes())
        all.insert(id);
    m_scene->context().selection.set(std::move(all));
}

void GraphView::deleteSelection()
{
    const SceneContext& s = m_scene->context();
    if (m_drag || s.selection.isEmpty())
        return;
    const NamedEdit named = removeEdit(s.document.value(), s.selection.nodes(), s.selection.edges(), Heal::Yes);
    apply(named.edit, named.name);
}

engine::NodeId GraphView::insertOn(const engine::EdgeKey& edge, const QString& op, const engine::ParamMap& params)
{
    const SceneContext& s = m_scene->context();
    const engine::OpSpec* spec = s.ops.find(op.toStdString());
    m_scene->flush();
    const EdgeItem* item = m_scene->edge(edge);
    const std::optional<std::string> port = spec ? firstInput(*spec) : std::nullopt;
    if (!item || !port || !hasOutput(spec))
        return {};
    engine::Node node = makeNode(s.document.value(), *spec);
    for (const auto& [name, value] : params)
        node.params.insert_or_assign(name, value);
    const engine::NodeId id = node.id;
    const QPointF at = item->wire().middle;
    const engine::Point there{snap8(at.x() - 100), snap8(at.y() - node_size::kPortY)};
    const NamedEdit named = insertOnEdgeEdit(s.document.value(), edge, std::move(node), *port, there);
    apply(named.edit, named.name);
    s.selection.select(id);
    return id;
}

QPointF GraphView::freePlace(QPointF at) const
{
    constexpr double kStep = 32;
    constexpr int kMostTries = 40;
    const auto isTaken = [&](QPointF corner) {
        for (const auto& [id, node] : m_scene->nodes())
            if (QLineF(node->pos(), corner).length() < kStep)
                return true;
        return false;
    };
    for (int i = 0; i < kMostTries && isTaken(at); ++i)
        at += QPointF(kStep, kStep);
    return at;
}

engine::Point GraphView::pastePoint(const engine::Document& part) const
{
    QRectF bounds;
    for (const auto& [id, p] : part.layout.positions)
        bounds |= QRectF(p.x, p.y, 240, 130);
    const bool isOver = viewport()->rect().contains(m_pointer.toPoint()) && viewport()->underMouse();
    const QPointF centre = isOver ? mapToScene(m_pointer.toPoint()) : mapToScene(viewport()->rect().center());
    const QPointF corner = freePlace(centre - QPointF(bounds.width(), bounds.height()) / 2);
    return {snap8(corner.x()), snap8(corner.y())};
}

engine::NodeId GraphView::addNodeAt(const QString& op, QPointF at, std::optional<NewWire> wire,
                                    const engine::ParamMap& params, OnWire onWire)
{
    const SceneContext& s = m_scene->context();
    const engine::OpSpec* spec = s.ops.find(op.toStdString());
    if (!spec)
        return {};
    m_scene->flush();
    endDropSearch();
    if (const Hit under = m_scene->hitAt(at, m_zoom); onWire == OnWire::Insert && under.kind == Hit::Kind::Wire)
        if (const engine::NodeId id = insertOn(under.edge, op, params))
            return id;
    engine::Node node = makeNode(s.document.value(), *spec);
    for (const auto& [name, value] : params)
        node.params.insert_or_assign(name, value);
    const engine::NodeId id = node.id;
    const std::optional<std::string> first = firstInput(*spec);
    engine::EditList list;
    const bool takes = wire && wire->port == kOutputPort;
    // The port that was wished for lies under the pointer.
    const double width = spec->slots == engine::kAllSlots ? 240 : spec->role == engine::OpRole::Source ? 224 : 200;
    const double left = wire && !takes ? at.x() - width : at.x();
    const engine::Point corner{snap8(left), snap8(wire ? at.y() - node_size::kPortY : at.y())};
    QString name = tr("Add %1").arg(latin(node.name));
    list.edits.push_back(engine::AddNode{std::move(node), corner});
    const std::string own = wire && !wire->own.isEmpty() ? wire->own.toStdString() : first.value_or(std::string());
    const engine::Node* other = wire ? s.graph().find(wire->node) : nullptr;
    if (other && takes && !own.empty()) {
        list.edits.push_back(engine::AddEdge{{wire->node, kOutputPort, id, own}, {}});
        name = tr("%1 after %2").arg(name, latin(other->name));
    } else if (other && !takes && hasOutput(spec)) {
        const std::string port = wire->port.toStdString();
        if (s.graph().edgeInto(wire->node, port))
            list.edits.push_back(engine::RemoveEdge{{wire->node, port}});
        list.edits.push_back(engine::AddEdge{{id, kOutputPort, wire->node, port}, {}});
        name = tr("%1 before %2").arg(name, latin(other->name));
    }
    apply(std::move(list), name);
    s.selection.select(id);
    return id;
}

void GraphView::autoLayout()
{
    m_scene->flush();
    const SceneContext& s = m_scene->context();
    std::map<engine::NodeId, QSizeF> sizes;
    for (const auto& [id, item] : m_scene->nodes())
        sizes[id] = item->geometry().size;
    const QPointF corner = m_scene->nodesRect({}).topLeft();
    LayoutPlan plan = layeredLayout(s.graph(), sizes, {corner.x(), corner.y()});
    if (plan.positions.empty())
        return;
    engine::EditList list;
    list.edits.push_back(engine::MoveNodes{std::move(plan.positions), {}});
    for (const auto& [key, points] : s.document.layout().reroutes)
        if (!plan.reroutes.contains(key))
            list.edits.push_back(engine::SetReroutes{key, {}});
    for (auto& [key, points] : plan.reroutes)
        list.edits.push_back(engine::SetReroutes{key, std::move(points)});
    m_scene->glideNext();
    apply(std::move(list), tr("Arrange nodes"));
}

} // namespace ui
