// The dtype slots of a node: symbol, name, asked → ran, cause; a press opens the menu of what may be asked.
#pragma once

#include "ui/panels/panel_context.h"

#include <QAbstractButton>

#include <functional>

class QMenu;
class QVBoxLayout;

namespace ui {

// One row as data, made without a widget.
struct SlotRowState {
    engine::Slot slot = engine::Slot::Input;
    std::optional<engine::DType> asked;   // fixed by the node
    QString askedWord;                    // "widest", "narrowest"; else empty
    std::optional<engine::DType> arrives; // where nothing is asked: what comes in, or would be inherited
    bool arrivesOnWire = false;           // drawn as a wire; else in grey, as inherited
    std::optional<engine::DType> ran;
    bool isLossy = false;
    QString cause;
};
QString slotSymbol(engine::Slot slot); // "in", "w", "×", "Σ", "out"
std::vector<SlotRowState> slotRows(const PanelContext& context, const engine::Node& node, const engine::OpSpec& spec);
// What a slot of this op may ask, in the order of the menu.
std::vector<engine::SlotAsk> slotChoices(const engine::OpSpec& spec, engine::Slot slot);
QString askWords(const engine::SlotAsk& ask);

class SlotRow : public QAbstractButton {
    Q_OBJECT

public:
    SlotRow(const PanelContext& context, QWidget* parent);
    void setState(const SlotRowState& state);
    const SlotRowState& state() const { return m_state; }
    QSize sizeHint() const override { return {280, 24}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    ThemeManager& m_theme;
    SlotRowState m_state;
};

class SlotTable : public QWidget {
    Q_OBJECT

public:
    SlotTable(const PanelContext& context, QWidget* parent);
    void show(engine::NodeId node);
    SlotRow* row(engine::Slot slot) const;
    QMenu* menuOf(engine::Slot slot); // rebuilt at each call

Q_SIGNALS:
    void asked(engine::Slot slot, const engine::SlotAsk& ask);

private:
    PanelContext m_context;
    engine::NodeId m_node;
    QVBoxLayout* m_layout;
    QList<SlotRow*> m_rows;
    QMenu* m_menu;
};

} // namespace ui
