// A list of whole numbers as several fields; where the record lets the length vary, buttons add and remove the last.
// Also the plain choice box that the editors share.
#pragma once

#include "ui/panels/param_editor.h"

class QComboBox;
class QGridLayout;
class QToolButton;

namespace ui {

class ParamListEditor : public ParamEditor {
    Q_OBJECT

public:
    ParamListEditor(const engine::ParamSpec& spec, QWidget* parent);
    void show(const engine::ParamValue& value) override;
    NumberField* field(int index) const { return m_fields[index]; }
    int fieldCount() const { return static_cast<int>(m_fields.size()); }

private:
    void rebuild(int length);
    const engine::ParamSpec& m_spec;
    QGridLayout* m_grid;
    QList<NumberField*> m_fields;
    QToolButton *m_add = nullptr, *m_remove = nullptr;
    engine::IntList m_value;
};

// A combo box that a wheel over a scrolling panel cannot change.
QComboBox* makeChoiceBox(QWidget* parent);

} // namespace ui
