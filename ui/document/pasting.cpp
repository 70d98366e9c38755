// A part of a document into a document, as one edit.
#include "ui/document/clipboard_codec.h"
#include "ui/document/edit_names.h"
#include "ui/document/remedies.h"

#include <algorithm>

namespace ui {

using namespace engine;

namespace {

constexpr double kOffset = 24; // px

Point shifted(Point p, Point by)
{
    return {p.x + by.x, p.y + by.y};
}

Point positionIn(const Layout& layout, NodeId id)
{
    const auto it = layout.positions.find(id);
    return it == layout.positions.end() ? Point{} : it->second;
}

bool isTaken(const Document& into, const Document& part, Point by)
{
    return std::any_of(part.graph.nodes().begin(), part.graph.nodes().end(), [&](const auto& entry) {
        const Point at = shifted(positionIn(part.layout, entry.first), by);
        return std::any_of(into.layout.positions.begin(), into.layout.positions.end(),
                           [at](const auto& other) { return other.second == at; });
    });
}

Point shiftOf(const Document& into, const Document& part, std::optional<Point> at)
{
    if (!at) {
        Point by{kOffset, kOffset};
        while (isTaken(into, part, by))
            by = shifted(by, {kOffset, kOffset});
        return by;
    }
    std::optional<Point> corner;
    for (const auto& [id, node] : part.graph.nodes()) {
        const Point p = positionIn(part.layout, id);
        corner = corner ? Point{std::min(corner->x, p.x), std::min(corner->y, p.y)} : p;
    }
    return corner ? Point{at->x - corner->x, at->y - corner->y} : *at;
}

bool isSameTensor(const Document& a, const Document& b, const std::string& name)
{
    const auto only = [&](const Document& d) {
        Document one;
        one.tensors.insert(*d.tensors.find(name));
        if (const auto dtype = d.tensorDTypes.find(name); dtype != d.tensorDTypes.end())
            one.tensorDTypes.insert(*dtype);
        return one;
    };
    return equal(only(a), only(b));
}

class Paster {
public:
    Paster(const Document& into, const Document& part, Point by)
        : m_into(into), m_part(part), m_by(by), m_ids(into.graph), m_names(nodeNames(into.graph))
    {
    }

    Pasting paste()
    {
        addTensors();
        for (const auto& [id, node] : m_part.graph.nodes())
            addNode(node);
        for (const Edge& e : m_part.graph.edges()) {
            AddEdge add{{m_new.at(e.from), e.fromPort, m_new.at(e.to), e.toPort}, {}};
            if (const auto it = m_part.layout.reroutes.find({e.to, e.toPort}); it != m_part.layout.reroutes.end())
                for (const Point p : it->second)
                    add.reroutes.push_back(shifted(p, m_by));
            m_list.edits.push_back(std::move(add));
        }
        addFramesAndComments();
        Pasting pasting;
        for (const auto& [old, id] : m_new)
            pasting.nodes.insert(id);
        pasting.step = {std::move(m_list),
                        EditNames::paste(m_new.size() == 1 ? m_lastName : EditNames::nodes(m_into, pasting.nodes))};
        return pasting;
    }

private:
    void addTensors()
    {
        std::set<std::string> taken;
        for (const auto& [name, array] : m_into.tensors)
            taken.insert(name);
        for (const auto& [name, array] : m_part.tensors) {
            if (m_into.tensors.contains(name) && isSameTensor(m_into, m_part, name))
                continue;
            const std::string fresh = uniqueName(taken, name);
            taken.insert(fresh);
            m_tensorNames[name] = fresh;
            PutTensor put{fresh, array, {}};
            if (const auto dtype = m_part.tensorDTypes.find(name); dtype != m_part.tensorDTypes.end())
                put.unknownDType = dtype->second;
            m_list.edits.push_back(std::move(put));
        }
    }

    void addNode(Node node)
    {
        const NodeId old = node.id;
        node.id = m_ids.next();
        node.name = uniqueName(m_names, node.name);
        m_names.insert(node.name);
        m_lastName = QString::fromStdString(node.name);
        m_new[old] = node.id;
        for (auto& [param, value] : node.params)
            if (auto* source = std::get_if<Source>(&value); source && source->kind == Source::Kind::Tensor)
                if (const auto it = m_tensorNames.find(source->name); it != m_tensorNames.end())
                    source->name = it->second;
        m_list.edits.push_back(AddNode{std::move(node), shifted(positionIn(m_part.layout, old), m_by)});
    }

    void addFramesAndComments()
    {
        std::uint32_t id = freshFrameId(m_into.layout);
        for (Frame frame : m_part.layout.frames) {
            frame.id = id++;
            frame.topLeft = shifted(frame.topLeft, m_by);
            for (NodeId& node : frame.nodes)
                node = m_new.at(node);
            m_list.edits.push_back(PutFrame{std::move(frame), {}});
        }
        id = freshCommentId(m_into.layout);
        for (Comment comment : m_part.layout.comments) {
            comment.id = id++;
            comment.topLeft = shifted(comment.topLeft, m_by);
            m_list.edits.push_back(PutComment{std::move(comment), {}});
        }
    }

    const Document &m_into, &m_part;
    Point m_by;
    FreshIds m_ids;
    std::set<std::string> m_names;
    std::map<NodeId, NodeId> m_new;
    std::map<std::string, std::string> m_tensorNames;
    QString m_lastName;
    EditList m_list;
};

} // namespace

Pasting pasteEdit(const Document& into, const Document& part, std::optional<Point> at)
{
    return Paster(into, part, shiftOf(into, part, at)).paste();
}

Pasting duplicateEdit(const Document& document, const std::set<NodeId>& nodes)
{
    Pasting pasting = pasteEdit(document, partOf(document, nodes));
    pasting.step.name = EditNames::duplicate(EditNames::nodes(document, nodes));
    return pasting;
}

NamedEdit cutEdit(const Document& document, const std::set<NodeId>& nodes)
{
    NamedEdit cut = removeEdit(document, nodes, {}, Heal::No);
    cut.name = EditNames::cut(EditNames::nodes(document, nodes));
    return cut;
}

} // namespace ui
