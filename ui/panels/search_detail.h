// The right side of the search palette: what the selected row is.
#pragma once

#include "ui/panels/search_entry.h"

#include <QWidget>

class QScrollArea;
class QVBoxLayout;

namespace ui {

class SearchDetail : public QWidget {
    Q_OBJECT

public:
    SearchDetail(const PanelContext& context, QWidget* parent);
    void show(const SearchEntry* entry); // null: nothing is selected
    QString spoken() const { return m_spoken; }

private:
    void addTitle(const QString& icon, const QString& title);
    void addText(const QString& text);
    void addHeading(const QString& text);
    void addPorts(const engine::OpSpec& spec);
    void addDTypes(const engine::OpSpec& spec);
    void showOp(const engine::OpSpec& spec);
    void showNode(const engine::Node& node);
    PanelContext m_context;
    QWidget* m_content = nullptr;
    QScrollArea* m_scroll;
    QVBoxLayout* m_column = nullptr;
    QString m_spoken;
};

} // namespace ui
