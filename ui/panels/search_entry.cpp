#include "ui/panels/search_entry.h"

#include "ui/live/error_series.h"
#include "ui/panels/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("SearchPalette", text);
}

QString nodeCaption(const PanelContext& context, const engine::Node& node)
{
    QStringList parts;
    if (node.name != node.op)
        parts << text(node.op);
    if (context.selection.current() == node.id)
        parts << tr("selected");
    const engine::NodeResult* result = context.snapshots.resultOf(node.id);
    if (result && result->error && result->error->relL2)
        parts << (*result->error->relL2 == 0 ? tr("exact")
                                             : tr("%1 vs source").arg(shortNumber(*result->error->relL2)));
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString searchGroupTitle(SearchGroup group)
{
    switch (group) {
    case SearchGroup::Ops:
        return tr("Ops");
    case SearchGroup::Nodes:
        return tr("In this graph");
    case SearchGroup::Actions:
        return tr("Actions");
    case SearchGroup::Lessons:
        return tr("Lessons");
    }
    return {};
}

std::vector<SearchEntry> allEntries(const PanelContext& context, const QList<SearchAction>& actions,
                                    const QList<LessonInfo>& lessons)
{
    std::vector<SearchEntry> entries;
    for (const engine::OpSpec* spec : context.ops.all()) {
        const QString name = text(spec->name);
        entries.push_back({SearchGroup::Ops, name, name, text(spec->category), {}, iconOfOp(name), {}, {}, 0});
    }
    for (const auto& [id, node] : context.document.graph().nodes())
        entries.push_back({SearchGroup::Nodes,
                           QString::number(id.value),
                           text(node.name),
                           nodeCaption(context, node),
                           {},
                           iconOfOp(text(node.op)),
                           {},
                           {},
                           0});
    for (const SearchAction& action : actions)
        if (action.isEnabled)
            entries.push_back({SearchGroup::Actions,
                               action.id,
                               action.title,
                               {},
                               action.keys,
                               action.icon.isEmpty() ? QStringLiteral("run") : action.icon,
                               action.caption,
                               {},
                               0});
    for (const LessonInfo& lesson : lessons)
        entries.push_back(
            {SearchGroup::Lessons, lesson.path, lesson.title, {}, {}, QStringLiteral("lesson"), lesson.about, {}, 0});
    return entries;
}

std::vector<SearchEntry> foundEntries(const std::vector<SearchEntry>& all, const QString& pattern, int perGroup,
                                      std::optional<SearchGroup> only)
{
    std::vector<SearchEntry> found;
    for (int g = 0; g < kSearchGroupCount; ++g) {
        const auto group = static_cast<SearchGroup>(g);
        if (only && *only != group)
            continue;
        std::vector<SearchEntry> matching;
        for (const SearchEntry& entry : all) {
            if (entry.group != group)
                continue;
            const std::optional<FuzzyMatch> match = fuzzyMatch(pattern, entry.title);
            if (!match)
                continue;
            matching.push_back(entry);
            matching.back().marked = match->positions;
            matching.back().score = match->score;
        }
        std::stable_sort(matching.begin(), matching.end(),
                         [](const SearchEntry& a, const SearchEntry& b) { return a.score > b.score; });
        if (!only && matching.size() > static_cast<std::size_t>(perGroup))
            matching.erase(matching.begin() + perGroup, matching.end());
        found.insert(found.end(), matching.begin(), matching.end());
    }
    return found;
}

} // namespace ui
