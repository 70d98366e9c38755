#include "ui/panels/param_editor.h"

#include "ui/panels/number_field.h"
#include "ui/panels/param_list_editor.h"
#include "ui/panels/source_editor.h"
#include "ui/panels/words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QWheelEvent>

namespace ui {

namespace {

QHBoxLayout* flatRow(QWidget* parent)
{
    auto* row = new QHBoxLayout(parent);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    return row;
}

class BoolEditor : public ParamEditor {
public:
    BoolEditor(const engine::ParamSpec& spec, QWidget* parent) : ParamEditor(parent), m_box(new QCheckBox(this))
    {
        flatRow(this)->addWidget(m_box);
        m_box->setAccessibleName(paramLabel(spec));
        setFocusProxy(m_box);
        connect(m_box, &QCheckBox::clicked, this, [this](bool isOn) { Q_EMIT chosen(isOn); });
    }
    void show(const engine::ParamValue& value) override { m_box->setChecked(std::get<bool>(value)); }

private:
    QCheckBox* m_box;
};

class NumberEditor : public ParamEditor {
public:
    NumberEditor(const engine::ParamSpec& spec, QWidget* parent) : ParamEditor(parent)
    {
        const bool isWhole = spec.kind == engine::ParamKind::Int;
        m_field = new NumberField(isWhole ? NumberField::Kind::Whole : NumberField::Kind::Real, spec.minimum,
                                  spec.maximum, this);
        flatRow(this)->addWidget(m_field);
        m_field->setAccessibleName(paramLabel(spec));
        setFocusProxy(m_field);
        adopt(m_field, paramLabel(spec), [isWhole](std::optional<double> v) {
            return isWhole ? engine::ParamValue(static_cast<std::int64_t>(*v)) : engine::ParamValue(*v);
        });
    }
    void show(const engine::ParamValue& value) override
    {
        const auto* whole = std::get_if<std::int64_t>(&value);
        m_field->setNumber(whole ? static_cast<double>(*whole) : std::get<double>(value));
    }

private:
    NumberField* m_field;
};

class ChoiceEditor : public ParamEditor {
public:
    ChoiceEditor(const engine::ParamSpec& spec, QWidget* parent) : ParamEditor(parent), m_box(makeChoiceBox(this))
    {
        flatRow(this)->addWidget(m_box);
        for (std::string_view choice : spec.choices)
            m_box->addItem(text(choice));
        m_box->setAccessibleName(paramLabel(spec));
        setFocusProxy(m_box);
        connect(m_box, &QComboBox::textActivated, this,
                [this](const QString& chosenText) { Q_EMIT chosen(chosenText.toStdString()); });
    }
    void show(const engine::ParamValue& value) override
    {
        m_box->setCurrentText(QString::fromStdString(std::get<std::string>(value)));
    }

private:
    QComboBox* m_box;
};

class TextEditor : public ParamEditor {
public:
    TextEditor(const engine::ParamSpec& spec, QWidget* parent) : ParamEditor(parent), m_field(new QLineEdit(this))
    {
        flatRow(this)->addWidget(m_field);
        m_field->setAccessibleName(paramLabel(spec));
        setFocusProxy(m_field);
        connect(m_field, &QLineEdit::editingFinished, this, [this] {
            if (m_field->isModified())
                Q_EMIT chosen(m_field->text().toStdString());
            m_field->setModified(false);
        });
    }
    void show(const engine::ParamValue& value) override
    {
        if (!(m_field->hasFocus() && m_field->isModified()))
            m_field->setText(QString::fromStdString(std::get<std::string>(value)));
    }

private:
    QLineEdit* m_field;
};

} // namespace

void ParamEditor::adopt(NumberField* field, const QString& label,
                        std::function<engine::ParamValue(std::optional<double>)> valueWith)
{
    connect(field, &NumberField::chosen, this,
            [this, valueWith](std::optional<double> v) { Q_EMIT chosen(valueWith(v)); });
    connect(field, &NumberField::gestureMoved, this,
            [this, valueWith](double v) { Q_EMIT gestureMoved(valueWith(v)); });
    connect(field, &NumberField::gestureStarted, this, &ParamEditor::gestureStarted);
    connect(field, &NumberField::gestureFinished, this, &ParamEditor::gestureFinished);
    connect(field, &NumberField::gestureAbandoned, this, &ParamEditor::gestureAbandoned);
    connect(field, &NumberField::refused, this,
            [this, label](const QString& range) { Q_EMIT refused(label + QStringLiteral(": ") + range); });
    connect(field, &NumberField::accepted, this, &ParamEditor::accepted);
}

ParamEditor* makeParamEditor(const engine::ParamSpec& spec, const ParamEditorContext& context, QWidget* parent)
{
    switch (spec.kind) {
    case engine::ParamKind::Bool:
        return new BoolEditor(spec, parent);
    case engine::ParamKind::Int:
    case engine::ParamKind::Real:
        return new NumberEditor(spec, parent);
    case engine::ParamKind::Choice:
        return new ChoiceEditor(spec, parent);
    case engine::ParamKind::Text:
        return new TextEditor(spec, parent);
    case engine::ParamKind::IntList:
        return new ParamListEditor(spec, parent);
    case engine::ParamKind::Source:
        return new SourceEditor(spec, context, parent);
    }
    return nullptr;
}

QString paramTip(const engine::ParamSpec& spec)
{
    QString tip = text(spec.sentence);
    QString unit = text(spec.unit);
    unit.replace(QStringLiteral(" x "), QStringLiteral(" × "));
    QString range;
    const bool isList = spec.kind == engine::ParamKind::IntList;
    if (isList || spec.kind == engine::ParamKind::Int || spec.kind == engine::ParamKind::Real) {
        const auto kind = spec.kind == engine::ParamKind::Real ? NumberField::Kind::Real : NumberField::Kind::Whole;
        range = NumberField(kind, spec.minimum, spec.maximum).rangeText();
        if (isList)
            range = ParamEditor::tr("each %1").arg(range);
        range[0] = range[0].toUpper();
    }
    if (!range.isEmpty())
        tip += u'\n' + range + (unit.isEmpty() ? QString() : QStringLiteral(", ") + unit) + u'.';
    return tip;
}

QString paramLabel(const engine::ParamSpec& spec)
{
    const QString unit = text(spec.unit);
    const QString name = humanName(spec.name);
    return unit.isEmpty() || unit.size() > 4 ? name : QStringLiteral("%1 (%2)").arg(name, unit);
}

} // namespace ui
