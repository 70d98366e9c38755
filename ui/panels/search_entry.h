// What can be found: ops, nodes of this graph, actions, lessons, as rows in groups. Pure but for reading the document.
#pragma once

#include "ui/panels/fuzzy.h"
#include "ui/panels/panel_context.h"

namespace ui {

enum class SearchGroup : std::uint8_t { Ops, Nodes, Actions, Lessons };
inline constexpr int kSearchGroupCount = 4;

struct SearchAction {
    QString id, title, caption, keys, icon;
    bool isEnabled = true;
};
struct LessonInfo {
    QString path, title, about;
};

struct SearchEntry {
    SearchGroup group = SearchGroup::Ops;
    QString id;             // op name, node id, action id, lesson path
    QString title, caption; // caption: quiet words beside the title
    QString keys;           // shown as a keycap
    QString icon;
    QString explanation; // for the right side; ops and nodes are explained from their records
    QList<int> marked;   // matched letters of the title
    int score = 0;
};

QString searchGroupTitle(SearchGroup group);
std::vector<SearchEntry> allEntries(const PanelContext& context, const QList<SearchAction>& actions,
                                    const QList<LessonInfo>& lessons);
// Those that match, group by group, best first, at most `perGroup` of each; `only`: of one group, then all of it.
std::vector<SearchEntry> foundEntries(const std::vector<SearchEntry>& all, const QString& pattern, int perGroup,
                                      std::optional<SearchGroup> only);

} // namespace ui
