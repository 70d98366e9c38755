#include "ui/panels/param_list_editor.h"

#include "ui/panels/number_field.h"
#include "ui/panels/words.h"

#include <QComboBox>
#include <QGridLayout>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

namespace ui {

namespace {

class ChoiceBox : public QComboBox {
public:
    explicit ChoiceBox(QWidget* parent) : QComboBox(parent) { setFocusPolicy(Qt::StrongFocus); }

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

} // namespace

QComboBox* makeChoiceBox(QWidget* parent)
{
    auto* box = new ChoiceBox(parent);
    box->setFont(uiFont(12));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return box;
}

ParamListEditor::ParamListEditor(const engine::ParamSpec& spec, QWidget* parent)
    : ParamEditor(parent), m_spec(spec), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(4);
    if (spec.minLength == spec.maxLength)
        return;
    const auto button = [this](const QString& sign, const QString& name) {
        auto* b = new QToolButton(this);
        b->setText(sign);
        b->setAccessibleName(name);
        b->setToolTip(name);
        b->setFixedSize(24, 24);
        b->setFocusPolicy(Qt::StrongFocus);
        return b;
    };
    m_remove = button(QStringLiteral("−"), tr("Remove the last entry of %1").arg(paramLabel(spec)));
    m_add = button(QStringLiteral("+"), tr("Add an entry to %1").arg(paramLabel(spec)));
    connect(m_add, &QToolButton::clicked, this, [this] {
        engine::IntList longer = m_value;
        longer.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(m_spec.minimum)));
        Q_EMIT chosen(longer);
    });
    connect(m_remove, &QToolButton::clicked, this, [this] {
        engine::IntList shorter = m_value;
        shorter.pop_back();
        Q_EMIT chosen(shorter);
    });
}

void ParamListEditor::rebuild(int length)
{
    while (m_fields.size() > length) {
        NumberField* last = m_fields.takeLast();
        last->hide();
        last->deleteLater();
    }
    while (m_fields.size() < length) {
        const int index = static_cast<int>(m_fields.size());
        auto* field = new NumberField(NumberField::Kind::Whole, m_spec.minimum, m_spec.maximum, this);
        field->setAccessibleName(tr("%1, entry %2").arg(paramLabel(m_spec)).arg(index + 1));
        field->setMinimumWidth(34);
        adopt(field, paramLabel(m_spec), [this, index](std::optional<double> v) {
            engine::IntList list = m_value;
            if (index < static_cast<int>(list.size()))
                list[static_cast<std::size_t>(index)] = static_cast<std::int64_t>(*v);
            return engine::ParamValue(list);
        });
        m_fields << field;
    }
    const int perRow = m_add ? 3 : 4;
    for (int i = 0; i < length; ++i) {
        m_grid->addWidget(m_fields[i], i / perRow, i % perRow);
        m_fields[i]->show();
    }
    if (m_add) {
        m_grid->addWidget(m_remove, std::max(0, length - 1) / perRow, perRow);
        m_grid->addWidget(m_add, std::max(0, length - 1) / perRow, perRow + 1);
        m_remove->setEnabled(length > m_spec.minLength);
        m_add->setEnabled(length < m_spec.maxLength);
    }
    if (m_fields.isEmpty())
        setFocusProxy(m_add);
    else
        setFocusProxy(m_fields.front());
}

void ParamListEditor::show(const engine::ParamValue& value)
{
    m_value = std::get<engine::IntList>(value);
    const int length = static_cast<int>(m_value.size());
    if (length != m_fields.size() || length == 0)
        rebuild(length);
    for (int i = 0; i < length; ++i)
        m_fields[i]->setNumber(static_cast<double>(m_value[static_cast<std::size_t>(i)]));
}

} // namespace ui
