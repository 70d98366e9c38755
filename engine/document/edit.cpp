// Applying edits: each is checked first, then done, and answers with its inverse, computed from what it replaced.
#include "engine/document/edit.h"

#include "engine/document/edit_checks.h"
#include "engine/document/model_json.h"

#include <algorithm>
#include <type_traits>

namespace engine {

namespace {

template <class List> auto findById(List& list, std::uint32_t id)
{
    return std::find_if(list.begin(), list.end(), [id](const auto& x) { return x.id == id; });
}

template <class List, class Value>
void insertAt(List& list, const std::optional<std::size_t>& index, const Value& value)
{
    const std::size_t at = std::min(index.value_or(list.size()), list.size());
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), value);
}

class Applier {
public:
    explicit Applier(Document& document) : m_document(document), m_layout(document.layout) {}

    Result<Edit> operator()(const AddNode& e)
    {
        if (const Status status = checkNode(e.node); !status)
            return status.error();
        if (const Status status = checkPoint(e.at, placeOf(e.node)); !status)
            return status.error();
        if (m_document.graph.nodes().size() >= kMaxGraphSize)
            return tooMany("nodes");
        if (const Status status = m_document.graph.addNode(e.node); !status)
            return status.error();
        m_layout.positions[e.node.id] = e.at;
        return Edit(RemoveNode{e.node.id});
    }

    Result<Edit> operator()(const RemoveNode& e)
    {
        const Node* node = m_document.graph.find(e.node);
        if (!node)
            return unknownNode(e.node);
        EditList inverse;
        const auto at = m_layout.positions.find(e.node);
        const bool isPlaced = at != m_layout.positions.end();
        inverse.edits.push_back(AddNode{*node, isPlaced ? at->second : Point{}});
        if (!isPlaced)
            inverse.edits.push_back(MoveNodes{{}, {e.node}});
        for (const Edge& edge : m_document.graph.edges())
            if (edge.from == e.node || edge.to == e.node)
                inverse.edits.push_back(AddEdge{edge, takeReroutes({edge.to, edge.toPort})});
        for (Frame& frame : m_layout.frames) {
            const Frame before = frame;
            if (std::erase(frame.nodes, e.node) > 0)
                inverse.edits.push_back(PutFrame{before, {}});
        }
        m_layout.positions.erase(e.node);
        (void)m_document.graph.removeNode(e.node);
        return Edit(std::move(inverse));
    }

    Result<Edit> operator()(const AddEdge& e)
    {
        if (const Status status = checkEdge(e.edge, e.reroutes); !status)
            return status.error();
        if (m_document.graph.edges().size() >= kMaxGraphSize)
            return tooMany("edges");
        if (const Status status = m_document.graph.addEdge(e.edge); !status)
            return status.error();
        const EdgeKey key{e.edge.to, e.edge.toPort};
        setReroutes(key, e.reroutes);
        return Edit(RemoveEdge{key});
    }

    Result<Edit> operator()(const RemoveEdge& e)
    {
        const Edge* found = m_document.graph.edgeInto(e.edge.to, e.edge.toPort);
        if (!found)
            return unknownEdge(e.edge);
        AddEdge inverse{*found, takeReroutes(e.edge)};
        (void)m_document.graph.removeEdge(inverse.edge.to, inverse.edge.toPort);
        return Edit(std::move(inverse));
    }

    Result<Edit> operator()(const ReplaceNode& e)
    {
        const Node* found = m_document.graph.find(e.node.id);
        if (!found)
            return unknownNode(e.node.id);
        if (const Status status = checkNode(e.node); !status)
            return status.error();
        ReplaceNode inverse{*found};
        (void)m_document.graph.replaceNode(e.node);
        return Edit(std::move(inverse));
    }

    Result<Edit> operator()(const MoveNodes& e)
    {
        MoveNodes inverse;
        const auto remember = [&](NodeId id) {
            const auto at = m_layout.positions.find(id);
            if (at != m_layout.positions.end())
                inverse.positions[id] = at->second;
            else
                inverse.unplaced.insert(id);
            return m_document.graph.find(id) != nullptr;
        };
        for (const auto& [id, at] : e.positions) {
            if (!remember(id) || e.unplaced.contains(id))
                return unknownNode(id);
            if (const Status status = checkPoint(at, placeOf(*m_document.graph.find(id))); !status)
                return status.error();
        }
        for (const NodeId id : e.unplaced)
            if (!remember(id))
                return unknownNode(id);
        for (const auto& [id, at] : e.positions)
            m_layout.positions[id] = at;
        for (const NodeId id : e.unplaced)
            m_layout.positions.erase(id);
        return Edit(std::move(inverse));
    }

    Result<Edit> operator()(const SetReroutes& e)
    {
        const Edge* edge = m_document.graph.edgeInto(e.edge.to, e.edge.toPort);
        if (!edge)
            return unknownEdge(e.edge);
        if (const Status status = checkEdge(*edge, e.points); !status)
            return status.error();
        SetReroutes inverse{e.edge, takeReroutes(e.edge)};
        setReroutes(e.edge, e.points);
        return Edit(std::move(inverse));
    }

    Result<Edit> operator()(const SetSettings& e)
    {
        if (const Status status = checkSettings(e.settings); !status)
            return status.error();
        SetSettings inverse{std::exchange(m_document.settings, e.settings)};
        return Edit(std::move(inverse));
    }

    Result<Edit> operator()(const PutFrame& e)
    {
        if (const Status status = checkFrame(e.frame, m_document.graph); !status)
            return status.error();
        return put<PutFrame, RemoveFrame>(m_layout.frames, e.frame, e.index);
    }
    Result<Edit> operator()(const RemoveFrame& e) { return remove<PutFrame>(m_layout.frames, e.id, "frame"); }

    Result<Edit> operator()(const PutComment& e)
    {
        if (const Status status = checkComment(e.comment); !status)
            return status.error();
        return put<PutComment, RemoveComment>(m_layout.comments, e.comment, e.index);
    }
    Result<Edit> operator()(const RemoveComment& e) { return remove<PutComment>(m_layout.comments, e.id, "comment"); }

    Result<Edit> operator()(const SetTitle& e)
    {
        SetTitle inverse{std::exchange(m_document.title, e.title), std::exchange(m_document.about, e.about)};
        return Edit(std::move(inverse));
    }

    Result<Edit> operator()(const PutTensor& e)
    {
        if (const Status status = checkTensor(e.name, e.array); !status)
            return status.error();
        Edit inverse = tensorInverse(e.name);
        m_document.tensors.insert_or_assign(e.name, e.array);
        m_document.tensorDTypes.erase(e.name);
        if (e.unknownDType)
            m_document.tensorDTypes[e.name] = *e.unknownDType;
        return inverse;
    }

    Result<Edit> operator()(const RemoveTensor& e)
    {
        if (!m_document.tensors.contains(e.name))
            return Error{"tensor-unknown", "tensor \"" + e.name + "\"", "the document has no such tensor",
                         "name an existing one"};
        Edit inverse = tensorInverse(e.name);
        m_document.tensors.erase(e.name);
        m_document.tensorDTypes.erase(e.name);
        return inverse;
    }

    // Backwards through what was done if one of them is refused.
    Result<Edit> operator()(const EditList& e)
    {
        EditList inverse;
        for (const Edit& edit : e.edits) {
            Result<Edit> undo = std::visit(*this, edit);
            if (!undo) {
                for (auto it = inverse.edits.rbegin(); it != inverse.edits.rend(); ++it)
                    (void)std::visit(*this, *it);
                return undo.error();
            }
            inverse.edits.push_back(std::move(*undo));
        }
        std::reverse(inverse.edits.begin(), inverse.edits.end());
        return Edit(std::move(inverse));
    }

private:
    static Error unknownNode(NodeId id)
    {
        return {"node-unknown", "node " + std::to_string(id.value),
                "there is no node " + std::to_string(id.value) + ", or it is named twice",
                "use the id of an existing node"};
    }
    static Error unknownEdge(const EdgeKey& key)
    {
        return {"edge-unknown", "node " + std::to_string(key.to.value) + ", port " + key.toPort, "no edge ends here",
                "name the port of an existing edge"};
    }
    static Error tooMany(const std::string& what)
    {
        return {"document-limit", "the document", "it has " + std::to_string(kMaxGraphSize) + " " + what + " already",
                "split the graph into two documents"};
    }

    std::vector<Point> takeReroutes(const EdgeKey& key)
    {
        const auto handle = m_layout.reroutes.extract(key);
        return handle ? std::move(handle.mapped()) : std::vector<Point>{};
    }
    void setReroutes(const EdgeKey& key, const std::vector<Point>& points)
    {
        if (points.empty())
            m_layout.reroutes.erase(key);
        else
            m_layout.reroutes[key] = points;
    }

    template <class Put, class Remove, class List, class Value>
    Result<Edit> put(List& list, const Value& value, const std::optional<std::size_t>& index)
    {
        const auto it = findById(list, value.id);
        if (it == list.end()) {
            insertAt(list, index, value);
            return Edit(Remove{value.id});
        }
        Put inverse{std::exchange(*it, value), {}};
        return Edit(std::move(inverse));
    }

    template <class Put, class List> Result<Edit> remove(List& list, std::uint32_t id, const std::string& what)
    {
        const auto it = findById(list, id);
        if (it == list.end())
            return Error{what + "-unknown", what + " " + std::to_string(id), "there is no such " + what,
                         "name an existing one"};
        Put inverse{std::move(*it), static_cast<std::size_t>(it - list.begin())};
        list.erase(it);
        return Edit(std::move(inverse));
    }

    Edit tensorInverse(const std::string& name) const
    {
        const auto it = m_document.tensors.find(name);
        if (it == m_document.tensors.end())
            return RemoveTensor{name};
        const auto dtype = m_document.tensorDTypes.find(name);
        if (dtype == m_document.tensorDTypes.end())
            return PutTensor{name, it->second, {}};
        return PutTensor{name, it->second, dtype->second};
    }

    Document& m_document;
    Layout& m_layout;
};

} // namespace

Affects affects(const Edit& edit)
{
    return std::visit(
        []<class E>(const E& e) {
            if constexpr (std::is_same_v<E, EditList>)
                return std::any_of(e.edits.begin(), e.edits.end(),
                                   [](const Edit& x) { return affects(x) == Affects::Structure; })
                           ? Affects::Structure
                           : Affects::Layout;
            constexpr bool isLayout = std::is_same_v<E, MoveNodes> || std::is_same_v<E, SetReroutes> ||
                                      std::is_same_v<E, PutFrame> || std::is_same_v<E, RemoveFrame> ||
                                      std::is_same_v<E, PutComment> || std::is_same_v<E, RemoveComment> ||
                                      std::is_same_v<E, SetTitle>;
            return isLayout ? Affects::Layout : Affects::Structure;
        },
        edit);
}

Result<Edit> applyEdit(Document& document, const Edit& edit)
{
    return std::visit(Applier(document), edit);
}

} // namespace engine
