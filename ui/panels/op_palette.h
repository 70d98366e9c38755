// The left dock's Ops: every record by category, with a filter; drag one onto the canvas, or press twice or Enter.
#pragma once

#include "ui/panels/panel_context.h"

#include <QWidget>

class QLineEdit;

namespace ui {

class EntryList;
class TextLabel;

// MIME type of a dragged op; the data is the op's name.
inline constexpr const char* kOpMimeType = "application/x-mantissa-op";
QString categoryTitle(std::string_view category);

class OpPalette : public QWidget {
    Q_OBJECT

public:
    explicit OpPalette(const PanelContext& context, QWidget* parent = nullptr);
    QLineEdit* filter() const { return m_filter; }
    EntryList* list() const { return m_list; }

Q_SIGNALS:
    void opActivated(const QString& op);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refill();
    PanelContext m_context;
    QLineEdit* m_filter;
    EntryList* m_list;
    TextLabel* m_nothing;
};

} // namespace ui
