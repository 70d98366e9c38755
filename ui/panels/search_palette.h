// Search everything (Tab, Ctrl+K): ops to add, nodes to jump to, actions, lessons. Type, arrows, Enter; Tab narrows to
// one group and back; Escape or a press beside it closes. Covers the area it is opened over.
#pragma once

#include "ui/panels/search_entry.h"

#include <QWidget>

class QLineEdit;

namespace ui {

class EntryList;
class SearchDetail;
class TextLabel;

class SearchPalette : public QWidget {
    Q_OBJECT

public:
    SearchPalette(const PanelContext& context, QWidget* parent);
    void setActions(const QList<SearchAction>& actions) { m_actions = actions; }
    void setLessons(const QList<LessonInfo>& lessons) { m_lessons = lessons; }
    void open(const QRect& area); // in the parent's coordinates: usually the canvas
    void dismiss();
    QLineEdit* field() const { return m_field; }
    EntryList* list() const { return m_list; }
    SearchDetail* detail() const { return m_detail; }
    const std::vector<SearchEntry>& found() const { return m_found; }

Q_SIGNALS:
    void opChosen(const QString& op);
    void opConnectChosen(const QString& op, engine::NodeId from); // Shift+Enter: add and connect to the current node
    void nodeChosen(engine::NodeId id);
    void actionChosen(const QString& id);
    void lessonChosen(const QString& path);
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    enum class Connect : std::uint8_t { No, Yes };
    void build();
    void refill();
    void place();
    void showDetail();
    void choose(Connect connect);
    bool onKey(class QKeyEvent* event);
    void cycleScope(int by);
    const SearchEntry* current() const;
    QRect cardRect() const;

    PanelContext m_context;
    QList<SearchAction> m_actions;
    QList<LessonInfo> m_lessons;
    std::vector<SearchEntry> m_all, m_found;
    std::optional<SearchGroup> m_scope;
    QWidget *m_card, *m_head, *m_foot, *m_searchIcon;
    QLineEdit* m_field;
    TextLabel *m_scopeLabel, *m_nothing;
    EntryList* m_list;
    SearchDetail* m_detail;
};

} // namespace ui
