// One combo as a button: input tag × weight tag in the colours and dashes of their wires, and its current error.
#pragma once

#include "ui/panels/combo_state.h"
#include "ui/style/theme.h"

#include <QAbstractButton>

namespace ui {

class ComboCell : public QAbstractButton {
    Q_OBJECT

public:
    explicit ComboCell(ThemeManager& theme, QWidget* parent = nullptr);
    const engine::Combo& combo() const { return m_combo; }
    void setCombo(const engine::Combo& combo);
    const ComboState& state() const { return m_state; }
    void setState(const ComboState& state, const QString& metric, const QString& keys);
    bool isActive() const { return isChecked(); }
    QSize sizeHint() const override { return {150, 21}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void nextCheckState() override {} // checked mirrors the document, a click only asks

private:
    ThemeManager& m_theme;
    engine::Combo m_combo;
    ComboState m_state;
};

} // namespace ui
