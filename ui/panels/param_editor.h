// One parameter of a node as a widget, made from its specification in the op's record. An editor knows neither node
// nor document: it shows a value and says what was chosen.
#pragma once

#include "engine/model/param.h"
#include "ui/style/theme.h"

#include <QWidget>

namespace ui {

class NumberField;

class ParamEditor : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    virtual void show(const engine::ParamValue& value) = 0;

Q_SIGNALS:
    void chosen(const engine::ParamValue& value);
    void gestureStarted();
    void gestureMoved(const engine::ParamValue& value);
    void gestureFinished();
    void gestureAbandoned();
    void refused(const QString& message); // "Filters: a whole number from 1 to 65 536"
    void accepted();

protected:
    // Passes a number field's signals on; `valueWith` puts the field's number into the parameter's value.
    void adopt(NumberField* field, const QString& label,
               std::function<engine::ParamValue(std::optional<double>)> valueWith);
};

struct ParamEditorContext {
    ThemeManager& theme;
    QStringList tensors;   // members of the document, for sources
    QString baseDirectory; // paths are made relative to it; empty: never saved
};

ParamEditor* makeParamEditor(const engine::ParamSpec& spec, const ParamEditorContext& context, QWidget* parent);
// "Height and width of the kernel.\nEach from 1 to 1 000 000, rows × columns."
QString paramTip(const engine::ParamSpec& spec);
QString paramLabel(const engine::ParamSpec& spec); // with a short unit: "Pads (px)"

} // namespace ui
