// One function per remedy; each answers with nothing where its act would change nothing or is not possible here.
#include "ui/document/remedies.h"

#include "ui/document/edit_names.h"

#include <algorithm>
#include <array>

namespace ui {

using namespace engine;

namespace {

using MaybeEdit = std::optional<NamedEdit>;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Remedies)
};

bool isAsked(const Node& node, Slot slot)
{
    return node.slot(slot).kind != SlotAsk::Kind::Inherited;
}

Node withSlot(Node node, Slot slot, SlotAsk ask)
{
    node.slots[static_cast<std::size_t>(slot)] = ask;
    return node;
}

std::optional<DType> widerOf(DType a, DType b)
{
    return isExactCast(a, b) ? std::optional(b) : isExactCast(b, a) ? std::optional(a) : std::nullopt;
}

// A node of Cast, which this layer need not look up: its parameter is its target.
Node castNode(const Document& document, DType to)
{
    Node cast;
    cast.id = FreshIds(document.graph).next();
    cast.name = uniqueName(nodeNames(document.graph), "cast");
    cast.op = "cast";
    cast.params["to"] = std::string(dtypeName(storageOf(to)));
    return cast;
}

MaybeEdit castOnEdge(const Document& document, const EdgeKey& edge, DType to, const QString& label)
{
    if (!document.graph.edgeInto(edge.to, edge.toPort))
        return std::nullopt;
    NamedEdit made = insertOnEdgeEdit(document, edge, castNode(document, to), "input");
    made.name = Words::tr("Cast to %1 between %2 and %3")
                    .arg(EditNames::dtype(storageOf(to)),
                         EditNames::node(document, document.graph.edgeInto(edge.to, edge.toPort)->from),
                         EditNames::node(document, edge.to));
    made.label = label;
    return made;
}

// One finding's remedies.
class Remedies {
public:
    Remedies(const Document& document, const OpCatalog& ops, const Node& node, const std::string& port,
             std::optional<DType> arrives, std::optional<DType> used)
        : m_document(document), m_node(node), m_spec(ops.find(node.op)), m_port(port), m_arrives(arrives), m_used(used),
          m_name(QString::fromStdString(node.name))
    {
    }

    MaybeEdit named(std::string_view remedy) const
    {
        using Make = MaybeEdit (Remedies::*)() const;
        static constexpr std::array<std::pair<std::string_view, Make>, 10> kRemedies{{
            {"compute-widest", &Remedies::computeWidest},
            {"compute-narrowest", &Remedies::computeNarrowest},
            {"set-compute", &Remedies::setCompute},
            {"insert-cast", &Remedies::insertCast},
            {"set-layer-dtype", &Remedies::setLayerDType},
            {"set-floatx", &Remedies::setFloatx},
            {"switch-dialect", &Remedies::switchDialect},
            {"allow-cast", &Remedies::allowCast},
            {"clear-slot", &Remedies::clearSlot},
            {"remove-node", &Remedies::removeNode},
        }};
        const auto* it = std::find_if(kRemedies.begin(), kRemedies.end(),
                                      [remedy](const auto& entry) { return entry.first == remedy; });
        return it == kRemedies.end() ? std::nullopt : (this->*it->second)();
    }

private:
    MaybeEdit computeWidest() const
    {
        const std::optional<DType> widest = m_arrives && m_used ? widerOf(*m_arrives, *m_used) : std::nullopt;
        return compute({SlotAsk::Kind::Widest, {}}, Words::tr("Compute %1 in the widest dtype").arg(m_name),
                       widest ? Words::tr("Compute in %1 (widest)").arg(EditNames::dtype(*widest))
                              : Words::tr("Compute in the widest dtype"));
    }

    MaybeEdit computeNarrowest() const
    {
        const std::optional<DType> widest = m_arrives && m_used ? widerOf(*m_arrives, *m_used) : std::nullopt;
        const DType narrowest = widest && *widest == *m_arrives ? *m_used : m_arrives.value_or(DType::f32);
        return compute({SlotAsk::Kind::Narrowest, {}}, Words::tr("Compute %1 in the narrowest dtype").arg(m_name),
                       widest ? Words::tr("Compute in %1 (narrowest)").arg(EditNames::dtype(narrowest))
                              : Words::tr("Compute in the narrowest dtype"));
    }

    MaybeEdit compute(SlotAsk ask, const QString& name, const QString& label) const
    {
        if (!m_spec || !hasSlot(*m_spec, Slot::Compute) || m_node.slot(Slot::Compute) == ask)
            return std::nullopt;
        return NamedEdit{ReplaceNode{withSlot(m_node, Slot::Compute, ask)}, name, label};
    }

    // To what every op has a kernel for: float64 where it arrives, else float32.
    MaybeEdit setCompute() const
    {
        if (!m_spec || !hasSlot(*m_spec, Slot::Compute))
            return std::nullopt;
        const DType to = m_arrives == DType::f64 ? DType::f64 : DType::f32;
        Node node = withSlot(m_node, Slot::Compute, SlotAsk::fixed(to));
        const SlotAsk accumulate = node.slot(Slot::Accumulate);
        if (accumulate.kind == SlotAsk::Kind::Fixed && !pairAllowed(m_spec->pairs, {to, accumulate.dtype}))
            node = withSlot(std::move(node), Slot::Accumulate, {});
        if (node == m_node)
            return std::nullopt;
        return NamedEdit{ReplaceNode{node}, Words::tr("Compute %1 in %2").arg(m_name, EditNames::dtype(to)),
                         Words::tr("Compute in %1").arg(EditNames::dtype(to))};
    }

    // On the port's own edge where the target is known. Else, as where the weight is the layer's own, on the edge into
    // the first port, to what arrives at this one.
    MaybeEdit insertCast() const
    {
        const std::string first = m_spec && !m_spec->ports.empty() ? std::string(m_spec->ports[0].name) : m_port;
        const std::string port = m_port.empty() ? first : m_port;
        const bool hasEdge = m_document.graph.edgeInto(m_node.id, port) != nullptr;
        const QString label = Words::tr("Insert a Cast");
        if (hasEdge && m_used && m_used != m_arrives)
            return castOnEdge(m_document, {m_node.id, port}, *m_used, label);
        if (port != first && m_arrives)
            return castOnEdge(m_document, {m_node.id, first}, *m_arrives, label);
        const DType layer = m_node.layerDtype.value_or(m_document.settings.floatx);
        if (layer == m_arrives)
            return std::nullopt;
        return castOnEdge(m_document, {m_node.id, port}, layer, label);
    }

    MaybeEdit setLayerDType() const
    {
        if (!m_arrives || !facts(*m_arrives).isStorage || m_node.layerDtype == m_arrives)
            return std::nullopt;
        Node node = m_node;
        node.layerDtype = m_arrives;
        return NamedEdit{ReplaceNode{node}, EditNames::setLayerDType(m_name, m_arrives),
                         Words::tr("Layer to %1").arg(EditNames::dtype(*m_arrives))};
    }

    MaybeEdit setFloatx() const
    {
        RunSettings settings = m_document.settings;
        if (!m_arrives || !isFloat(*m_arrives) || !facts(*m_arrives).isStorage || settings.floatx == *m_arrives)
            return std::nullopt;
        settings.floatx = *m_arrives;
        const QString name = EditNames::setFloatx(*m_arrives);
        return NamedEdit{SetSettings{settings}, name, name};
    }

    // promote keeps what other dialects lose or refuse. What promote itself refuses, a layer's dtype decides.
    MaybeEdit switchDialect() const
    {
        RunSettings settings = m_document.settings;
        const bool isPromote = settings.dialect == "promote";
        settings.dialect = isPromote ? "keras_tf26" : "promote";
        const QString title = isPromote ? Words::tr("tf.keras, silent") : Words::tr("Promote");
        return NamedEdit{SetSettings{settings}, EditNames::useDialect(title),
                         Words::tr("Switch the dialect to %1").arg(title)};
    }

    MaybeEdit allowCast() const
    {
        Node node = m_node;
        if (node.forbidCast.erase(m_port) == 0)
            return std::nullopt;
        return NamedEdit{ReplaceNode{node}, EditNames::allowCast(m_name, QString::fromStdString(m_port)),
                         Words::tr("Allow this cast")};
    }

    // Those that have no effect or no meaning; where all of them do, all.
    MaybeEdit clearSlot() const
    {
        std::vector<Slot> asked, idle;
        for (const Slot slot : kSlots) {
            if (!isAsked(m_node, slot))
                continue;
            asked.push_back(slot);
            if (m_spec && !hasSlot(*m_spec, slot))
                idle.push_back(slot);
        }
        const std::vector<Slot>& cleared = idle.empty() ? asked : idle;
        if (cleared.empty())
            return std::nullopt;
        Node node = m_node;
        for (const Slot slot : cleared)
            node = withSlot(std::move(node), slot, {});
        const bool isOne = cleared.size() == 1;
        return NamedEdit{ReplaceNode{node},
                         isOne ? EditNames::setSlot(m_name, cleared.front(), {})
                               : Words::tr("Clear the slots of %1").arg(m_name),
                         isOne ? Words::tr("Clear the slot") : Words::tr("Clear the slots")};
    }

    MaybeEdit removeNode() const
    {
        NamedEdit made = removeEdit(m_document, {m_node.id}, {}, Heal::Yes);
        made.label = Words::tr("Delete the node");
        return made;
    }

    const Document& m_document;
    const Node& m_node;
    const OpSpec* m_spec;
    const std::string& m_port;
    std::optional<DType> m_arrives, m_used;
    QString m_name;
};

} // namespace

std::optional<NamedEdit> remedyEdit(const Document& document, const OpCatalog& ops, NodeId node,
                                    const std::string& port, const std::string& remedy, std::optional<DType> arrives,
                                    std::optional<DType> used)
{
    const Node* found = document.graph.find(node);
    return found ? Remedies(document, ops, *found, port, arrives, used).named(remedy) : std::nullopt;
}

std::optional<NamedEdit> castActEdit(const Document& document, NodeId node, const std::string& port, CastAct act,
                                     DType arrives, DType used)
{
    const Node* found = document.graph.find(node);
    if (!found)
        return std::nullopt;
    Node changed = *found;
    const QString name = QString::fromStdString(changed.name);
    switch (act) {
    case CastAct::MakeCastNode:
        return arrives == used ? std::nullopt
                               : castOnEdge(document, {node, port}, used, Words::tr("Make it a Cast node"));
    case CastAct::SetLayerDType:
        if (!facts(arrives).isStorage || changed.layerDtype == arrives)
            return std::nullopt;
        changed.layerDtype = arrives;
        return NamedEdit{ReplaceNode{changed}, EditNames::setLayerDType(name, arrives),
                         Words::tr("Layer to %1").arg(EditNames::dtype(arrives))};
    case CastAct::Forbid:
        if (!changed.forbidCast.insert(port).second)
            return std::nullopt;
        return NamedEdit{ReplaceNode{changed}, EditNames::forbidCast(name, QString::fromStdString(port)),
                         Words::tr("Forbid this cast")};
    }
    return std::nullopt;
}

Node makeNode(const Document& document, const OpSpec& spec)
{
    Node node;
    node.id = FreshIds(document.graph).next();
    node.op = spec.name;
    node.name = uniqueName(nodeNames(document.graph), node.op);
    return node;
}

} // namespace ui
