// An edit that sets all that an earlier one set stands for both, with the earlier one's inverse. Others form a list.
#include "ui/document/merge_edits.h"

#include <algorithm>

namespace ui {

using namespace engine;

namespace {

bool haveSameKeys(const MoveNodes& a, const MoveNodes& b)
{
    return a.unplaced == b.unplaced &&
           std::equal(a.positions.begin(), a.positions.end(), b.positions.begin(), b.positions.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first; });
}

// Whether the later edit sets exactly what the earlier one set.
struct SameTarget {
    bool operator()(const MoveNodes& a, const MoveNodes& b) const { return haveSameKeys(a, b); }
    bool operator()(const ReplaceNode& a, const ReplaceNode& b) const { return a.node.id == b.node.id; }
    bool operator()(const SetReroutes& a, const SetReroutes& b) const { return a.edge == b.edge; }
    bool operator()(const PutFrame& a, const PutFrame& b) const { return a.frame.id == b.frame.id; }
    bool operator()(const PutComment& a, const PutComment& b) const { return a.comment.id == b.comment.id; }
    bool operator()(const SetSettings&, const SetSettings&) const { return true; }
    bool operator()(const SetTitle&, const SetTitle&) const { return true; }
    bool operator()(const EditList& a, const EditList& b) const
    {
        return std::equal(a.edits.begin(), a.edits.end(), b.edits.begin(), b.edits.end(),
                          [](const Edit& x, const Edit& y) { return std::visit(SameTarget{}, x, y); });
    }
    template <class A, class B> bool operator()(const A&, const B&) const { return false; }
};

struct SameValue {
    bool operator()(const MoveNodes& a, const MoveNodes& b) const
    {
        return a.positions == b.positions && a.unplaced == b.unplaced;
    }
    bool operator()(const ReplaceNode& a, const ReplaceNode& b) const { return a.node == b.node; }
    bool operator()(const SetReroutes& a, const SetReroutes& b) const
    {
        return a.edge == b.edge && a.points == b.points;
    }
    bool operator()(const PutFrame& a, const PutFrame& b) const { return a.frame == b.frame; }
    bool operator()(const PutComment& a, const PutComment& b) const { return a.comment == b.comment; }
    bool operator()(const SetSettings& a, const SetSettings& b) const { return a.settings == b.settings; }
    bool operator()(const SetTitle& a, const SetTitle& b) const { return a.title == b.title && a.about == b.about; }
    // An inverse lists the same things backwards.
    bool operator()(const EditList& a, const EditList& b) const
    {
        return std::equal(a.edits.begin(), a.edits.end(), b.edits.rbegin(), b.edits.rend(),
                          [](const Edit& x, const Edit& y) { return std::visit(SameValue{}, x, y); });
    }
    template <class A, class B> bool operator()(const A&, const B&) const { return false; }
};

// What the first edit adds keeps its place in the order of drawing.
void overwrite(Edit& edit, const Edit& later)
{
    if (auto* list = std::get_if<EditList>(&edit)) {
        for (std::size_t i = 0; i < list->edits.size(); ++i)
            overwrite(list->edits[i], std::get<EditList>(later).edits[i]);
        return;
    }
    Edit merged = later;
    if (auto* frame = std::get_if<PutFrame>(&merged))
        frame->index = std::get<PutFrame>(edit).index;
    if (auto* comment = std::get_if<PutComment>(&merged))
        comment->index = std::get<PutComment>(edit).index;
    edit = std::move(merged);
}

EditList& asList(Edit& edit)
{
    if (!std::holds_alternative<EditList>(edit)) {
        EditList list;
        list.edits.push_back(std::move(edit));
        edit = std::move(list);
    }
    return std::get<EditList>(edit);
}

bool setsTheSame(const Edit& a, const Edit& b)
{
    return std::visit(SameTarget{}, a, b);
}

} // namespace

void mergeEdits(Edit& edit, Edit& inverse, const Edit& later, const Edit& laterInverse)
{
    if (setsTheSame(edit, later))
        return overwrite(edit, later);
    EditList& list = asList(edit);
    if (!list.edits.empty() && setsTheSame(list.edits.back(), later))
        return overwrite(list.edits.back(), later);
    list.edits.push_back(later);
    EditList& back = asList(inverse);
    back.edits.insert(back.edits.begin(), laterInverse);
}

bool isSameEdit(const Edit& a, const Edit& b)
{
    return std::visit(SameValue{}, a, b);
}

} // namespace ui
