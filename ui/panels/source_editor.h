// Where real numbers come from, as a small editor of its own: an initialiser with its seed and arguments, values
// written out, a tensor of the document, or a file with a button to find it.
#pragma once

#include "ui/panels/param_editor.h"

#include <functional>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QToolButton;

namespace ui {

class SourceEditor : public ParamEditor {
    Q_OBJECT

public:
    SourceEditor(const engine::ParamSpec& spec, const ParamEditorContext& context, QWidget* parent);
    void show(const engine::ParamValue& value) override;
    // How a file is asked for; a test puts its own answer here.
    void setFileChooser(std::function<QString()> chooser) { m_chooseFile = std::move(chooser); }
    QComboBox* kindBox() const { return m_kind; }
    QComboBox* generatorBox() const { return m_generator; }
    NumberField* seedField() const { return m_seed; }
    QLineEdit* valuesField() const { return m_values; }
    QLineEdit* pathField() const { return m_path; }
    QToolButton* fileButton() const { return m_fileButton; }

private:
    void buildGenerator();
    void buildArrays();
    void buildReading(); // how integers and alpha are read
    void refresh();
    void setKind(engine::Source::Kind kind);
    void commitValues();
    void commitPath(const QString& path);
    engine::ParamValue with(const std::function<void(engine::Source&)>& change) const;
    void choose(const std::function<void(engine::Source&)>& change) { Q_EMIT chosen(with(change)); }

    QString m_label;
    ParamEditorContext m_context;
    engine::Source m_value;
    QFormLayout* m_form;
    QComboBox *m_kind, *m_generator = nullptr, *m_tensor = nullptr, *m_scale = nullptr, *m_channels = nullptr;
    NumberField *m_seed = nullptr, *m_a = nullptr, *m_b = nullptr;
    QLineEdit *m_values = nullptr, *m_path = nullptr, *m_member = nullptr;
    QWidget* m_file = nullptr;
    QToolButton* m_fileButton = nullptr;
    std::function<QString()> m_chooseFile;
};

} // namespace ui
