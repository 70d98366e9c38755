// Random edits of a document, from a seed: well-formed ones of every kind (also lists of them), and ill-formed ones
// that a document must refuse. Graphs stay around a few dozen nodes.
#pragma once

// First, as moc cannot read <compare> before another standard header.
#include <string>

#include "engine/document/edit.h"

#include <random>

namespace support {

using namespace engine;

class RandomEdits {
public:
    explicit RandomEdits(std::uint64_t seed) : m_random(seed) {}

    Edit next(const Document& document) { return next(document, 3); }

    // Refused by every document, or by this one.
    Edit invalid(const Document& d)
    {
        const NodeId none{d.graph.freshId().value + 7};
        const NodeId some = node(d).value_or(none);
        switch (below(16)) {
        case 0:
            return AddNode{makeNode(some == none ? NodeId{0} : some), point()};
        case 1:
            return RemoveNode{none};
        case 2:
            return AddEdge{{some, "output", some, "input"}, {}}; // a cycle of one, or no such node
        case 3:
            return RemoveEdge{{some, "no such port"}};
        case 4:
            return ReplaceNode{makeNode(none)};
        case 5:
            return MoveNodes{{{some, point()}, {none, point()}}, {}};
        case 6:
            return SetReroutes{{some, "no such port"}, {point()}};
        case 7:
            return PutFrame{{1, "t", "", {}, {1, 1}, {some, none}}, {}};
        case 8:
            return RemoveFrame{999999};
        case 9:
            return RemoveComment{999999};
        case 10:
            return RemoveTensor{"no such tensor"};
        case 11:
            return PutTensor{"../escape", array(), {}};
        case 12:
            return PutComment{{0, "no id", {}, {}}, {}};
        case 13:
            return SetSettings{{"explicit", {DType::tf32, DType::f32}, DType::f32, "cpu", {}}};
        case 14: {
            if (d.graph.edges().empty())
                return RemoveNode{none};
            const Edge& taken = d.graph.edges()[below(d.graph.edges().size())];
            return AddEdge{taken, {}};
        }
        default: { // a list whose last entry is refused
            EditList list;
            Document copy = d;
            const std::size_t count = 1 + below(4);
            for (std::size_t i = 0; i < count; ++i) {
                list.edits.push_back(next(copy, 1));
                (void)applyEdit(copy, list.edits.back());
            }
            list.edits.push_back(RemoveNode{NodeId{copy.graph.freshId().value + 7}});
            return list;
        }
        }
    }

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(m_random() % n); }

private:
    Edit next(const Document& d, int depth)
    {
        const bool isSmall = d.graph.nodes().size() < 6;
        const std::size_t kind = isSmall && below(2) == 0 ? 0 : below(depth > 0 ? 30 : 28);
        if (kind < 5)
            return AddNode{makeNode(d.graph.freshId()), point()};
        if (kind >= 28)
            return list(d, depth - 1);
        if (kind < 12)
            return ofGraph(d, kind);
        return ofRest(d, kind);
    }

    Edit ofGraph(const Document& d, std::size_t kind)
    {
        const std::optional<NodeId> some = node(d);
        if (!some)
            return AddNode{makeNode(d.graph.freshId()), point()};
        if (kind < 7)
            return RemoveNode{*some};
        if (kind < 10)
            return edge(d, *some);
        if (kind == 10 && !d.graph.edges().empty()) {
            const Edge& e = d.graph.edges()[below(d.graph.edges().size())];
            return RemoveEdge{{e.to, e.toPort}};
        }
        Node changed = makeNode(*some);
        if (below(2) == 0) { // one field only
            const std::string name = changed.name;
            changed = *d.graph.find(*some);
            changed.name = name;
        }
        return ReplaceNode{changed};
    }

    Edit ofRest(const Document& d, std::size_t kind)
    {
        switch (kind) {
        case 12:
        case 13:
        case 14:
            return moves(d);
        case 15:
        case 16:
            if (!d.graph.edges().empty()) {
                const Edge& e = d.graph.edges()[below(d.graph.edges().size())];
                return SetReroutes{{e.to, e.toPort}, points()};
            }
            return SetTitle{word(), ""};
        case 17:
            return SetTitle{word(), below(2) == 0 ? "" : word()};
        case 18:
        case 19:
            return frame(d);
        case 20:
            return d.layout.frames.empty() ? frame(d) : RemoveFrame{d.layout.frames[below(d.layout.frames.size())].id};
        case 21:
        case 22:
            return comment();
        case 23:
            if (d.layout.comments.empty())
                return comment();
            return RemoveComment{d.layout.comments[below(d.layout.comments.size())].id};
        case 24:
        case 25: {
            PutTensor put{"t" + std::to_string(below(5)), array(), {}};
            if (put.array.dtype == DType::u8 && below(2) == 0)
                put.unknownDType = "float4_e2m1";
            return put;
        }
        case 26:
            if (d.tensors.empty())
                return PutTensor{"t0", array(), {}};
            return RemoveTensor{std::next(d.tensors.begin(), static_cast<long>(below(d.tensors.size())))->first};
        default:
            return SetSettings{{below(2) == 0 ? "promote" : "explicit",
                                {storage(), storage()},
                                below(2) == 0 ? DType::f16 : DType::f32,
                                below(2) == 0 ? "cpu" : "cuda",
                                {}}};
        }
    }

    Edit list(const Document& d, int depth)
    {
        EditList list;
        Document copy = d;
        const std::size_t count = below(6);
        for (std::size_t i = 0; i < count; ++i) {
            list.edits.push_back(next(copy, depth));
            (void)applyEdit(copy, list.edits.back());
        }
        return list;
    }

    // Into a free port, from a node that does not depend on this one.
    Edit edge(const Document& d, NodeId to)
    {
        static const std::array<std::string, 3> kPorts{"input", "other", "weight"};
        for (int attempt = 0; attempt < 8; ++attempt) {
            AddEdge add{{*node(d), "output", to, kPorts[below(3)]}, points()};
            Document copy = d;
            if (applyEdit(copy, add).ok())
                return add;
        }
        return moves(d);
    }

    Edit moves(const Document& d)
    {
        MoveNodes moves;
        for (const auto& [id, n] : d.graph.nodes())
            if (below(4) == 0)
                moves.positions[id] = point();
            else if (below(40) == 0)
                moves.unplaced.insert(id);
        return moves;
    }

    Edit frame(const Document& d)
    {
        Frame f{static_cast<std::uint32_t>(1 + below(6)), word(), "#336699", point(), point(), {}};
        for (const auto& [id, n] : d.graph.nodes())
            if (below(5) == 0)
                f.nodes.push_back(id);
        return PutFrame{f, below(2) == 0 ? std::nullopt : std::optional(below(4))};
    }
    Edit comment()
    {
        return PutComment{{static_cast<std::uint32_t>(1 + below(6)), word(), point(), point()},
                          below(2) == 0 ? std::nullopt : std::optional(below(4))};
    }

    Node makeNode(NodeId id)
    {
        static const std::array<std::string, 4> kOps{"conv2d", "relu", "add", "no such op"};
        Node n;
        n.id = id;
        n.op = kOps[below(4)];
        n.name = n.op + word();
        if (below(2) == 0)
            n.params["filters"] = static_cast<std::int64_t>(below(64));
        if (below(3) == 0)
            n.params["strides"] = IntList{static_cast<std::int64_t>(below(3)), 1};
        for (SlotAsk& ask : n.slots)
            if (below(4) == 0)
                ask = SlotAsk::fixed(storage());
        if (below(4) == 0)
            n.slots[static_cast<std::size_t>(Slot::Compute)] = {SlotAsk::Kind::Widest, {}};
        if (below(4) == 0)
            n.layerDtype = storage();
        if (below(4) == 0)
            n.forbidCast.insert("input");
        n.muted = below(5) == 0;
        return n;
    }

    SourceArray array()
    {
        const DType dtype = below(2) == 0 ? DType::u8 : DType::f32;
        const Shape shape{static_cast<std::int64_t>(1 + below(4))};
        SourceArray a{dtype, shape, Tensor::allocate(dtype, shape), dtype == DType::u8 ? 8 : 0};
        for (std::int64_t i = 0; i < a.data.bytes(); ++i)
            a.data.mutableRaw()[i] = static_cast<std::byte>(below(100));
        return a;
    }

    std::optional<NodeId> node(const Document& d)
    {
        if (d.graph.nodes().empty())
            return std::nullopt;
        return std::next(d.graph.nodes().begin(), static_cast<long>(below(d.graph.nodes().size())))->first;
    }
    DType storage() { return static_cast<DType>(below(15)); }
    Point point() { return {static_cast<double>(below(2000)) / 2 - 500, static_cast<double>(below(2000)) / 2 - 500}; }
    std::vector<Point> points()
    {
        std::vector<Point> list(below(2) == 0 ? 0 : below(4));
        for (Point& p : list)
            p = point();
        return list;
    }
    std::string word() { return std::string(1 + below(3), static_cast<char>('a' + below(26))); }

    std::mt19937_64 m_random;
};

} // namespace support
