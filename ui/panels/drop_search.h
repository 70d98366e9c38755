// The list that opens where a wire was dropped on empty canvas: ops that fit it first, each saying what it would do to
// the dtype; those that do not fit last, with the reason. Type, arrows, Enter; Escape or a press beside it closes.
#pragma once

#include "ui/panels/drop_fit.h"

#include <QWidget>

class QLineEdit;

namespace ui {

class EntryList;
class FloatingShadow;
class TagLabel;
class TextLabel;

class DropSearch : public QWidget {
    Q_OBJECT

public:
    // `planner` may be empty: then the remarks come from roles and formats alone.
    DropSearch(const PanelContext& context, engine::Planner planner, QWidget* parent);
    void open(const QPoint& at, const DroppedWire& wire); // in the parent's coordinates; kept inside of it
    void dismiss();
    QLineEdit* field() const { return m_field; }
    EntryList* list() const { return m_list; }
    const std::vector<DropFit>& fits() const { return m_fits; }

Q_SIGNALS:
    // Add the op with these parameters and connect its port to the wire.
    void opChosen(const QString& op, const engine::ParamMap& params, const QString& port);
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refill();
    void place();
    void choose();
    bool onKey(class QKeyEvent* event);
    PanelContext m_context;
    engine::Planner m_planner;
    DroppedWire m_wire;
    QPoint m_at;
    std::vector<DropFit> m_fits;
    FloatingShadow* m_shadow;
    QWidget* m_head;
    QLineEdit* m_field;
    TextLabel *m_from, *m_nothing;
    TagLabel* m_tag;
    EntryList* m_list;
};

} // namespace ui
