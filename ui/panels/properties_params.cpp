// The parameters of the Node tab: rows made from the op's record, values kept in step with the document, refused
// values said in place.
#include "ui/panels/node_numbers.h"
#include "ui/panels/param_editor.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/slot_table.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"
#include "ui/style/shape_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kLabelWidth = 96;

engine::ParamValue defaultOf(const engine::ParamSpec& spec)
{
    engine::Result<engine::ParamValue> value = engine::paramFromJson(spec.kind, spec.defaultText, "default");
    return value.ok() ? *value : engine::ParamValue(false);
}

engine::ParamValue valueOf(const engine::Node& node, const engine::ParamSpec& spec)
{
    const auto it = node.params.find(spec.name);
    return it != node.params.end() ? it->second : defaultOf(spec);
}

QStringList tensorNames(const engine::Document& document)
{
    QStringList names;
    for (const auto& [name, array] : document.tensors)
        names << QString::fromStdString(name);
    return names;
}

// The port that a source parameter fills while it is free; empty: none.
std::string_view portOfSource(const engine::OpSpec& spec, std::string_view param)
{
    for (const engine::PortSpec& port : spec.ports)
        if (port.source == param)
            return port.name;
    return {};
}

} // namespace

void PropertiesPanel::buildParams(const engine::OpSpec& spec)
{
    for (auto& [name, row] : m_rows) {
        row.editor->disconnect(this);
        row.widget->hide();
        row.widget->deleteLater();
    }
    m_rows.clear();
    const QString path = m_context.document.path();
    const ParamEditorContext context{m_context.theme, tensorNames(m_context.document.value()),
                                     path.isEmpty() ? QString() : QFileInfo(path).absolutePath()};
    QWidget* previous = m_name;
    for (const engine::ParamSpec& param : spec.params) {
        ParamRow row;
        row.spec = &param;
        row.widget = new QWidget(m_params);
        auto* column = new QVBoxLayout(row.widget);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(2);
        auto* line = new QHBoxLayout;
        line->setSpacing(8);
        row.label = new TextLabel(m_context.theme, Tone::Secondary, uiFont(12), paramLabel(param), row.widget);
        row.label->setFixedWidth(kLabelWidth);
        row.label->setWordWrap(true);
        row.editor = makeParamEditor(param, context, row.widget);
        row.label->setBuddy(row.editor);
        line->addWidget(row.label, 0, Qt::AlignTop);
        row.label->setMinimumHeight(26);
        line->addWidget(row.editor, 1);
        column->addLayout(line);
        row.message = new TextLabel(m_context.theme, Tone::Error, uiFont(11), {}, row.widget);
        row.message->setWordWrap(true);
        row.message->hide();
        column->addWidget(row.message);
        row.widget->setToolTip(paramTip(param));
        row.editor->setAccessibleDescription(paramTip(param));
        m_paramLayout->addWidget(row.widget);
        row.widget->show(); // at once, not with the next turn of the event loop
        QWidget::setTabOrder(previous, row.editor);
        previous = row.editor;
        ParamRow& kept = m_rows.emplace(std::string(param.name), row).first->second;
        connectParam(param, kept);
    }
}

void PropertiesPanel::connectParam(const engine::ParamSpec& spec, ParamRow& row)
{
    ParamRow* kept = &row; // a map's entries stay where they are
    const engine::ParamSpec* record = &spec;
    connect(row.editor, &ParamEditor::chosen, this,
            [this, record](const engine::ParamValue& v) { setParam(*record, v); });
    connect(row.editor, &ParamEditor::gestureMoved, this,
            [this, record](const engine::ParamValue& v) { setParam(*record, v); });
    connect(row.editor, &ParamEditor::gestureStarted, this, [this] { m_edits.beginGesture(); });
    connect(row.editor, &ParamEditor::gestureFinished, this, [this] { m_edits.finishGesture(); });
    connect(row.editor, &ParamEditor::gestureAbandoned, this, [this] {
        m_edits.abandonGesture();
        refresh();
    });
    connect(row.editor, &ParamEditor::refused, this, [this, kept](const QString& m) { setMessage(*kept, m); });
    connect(row.editor, &ParamEditor::accepted, this, [this, kept] { setMessage(*kept, {}); });
}

void PropertiesPanel::setParam(const engine::ParamSpec& spec, const engine::ParamValue& value)
{
    const engine::Node* node = m_context.document.graph().find(m_node);
    const engine::OpSpec* op = node ? m_context.ops.find(node->op) : nullptr;
    const auto row = m_rows.find(spec.name);
    if (!op || row == m_rows.end())
        return;
    // The record's own check has the last word, whatever the editor let through.
    engine::ParamMap only;
    only.emplace(std::string(spec.name), value);
    if (const engine::Result<engine::Params> checked = engine::Params::check({&spec, 1}, only, engine::placeOf(*node));
        !checked) {
        setMessage(row->second,
                   text(checked.error().message) + (checked.error().remedy.empty()
                                                        ? QString()
                                                        : QStringLiteral(": ") + text(checked.error().remedy)));
        return;
    }
    const bool isDefault = value == defaultOf(spec);
    const auto change = [&](engine::Node& n) {
        if (isDefault)
            n.params.erase(std::string(spec.name));
        else
            n.params.insert_or_assign(std::string(spec.name), value);
    };
    const QString label = humanName(spec.name).toLower();
    report(m_edits.change(m_node, change, tr("Change %1 of %2").arg(label, text(node->name))), &row->second);
}

void PropertiesPanel::report(const engine::Status& status, ParamRow* row)
{
    if (row)
        setMessage(*row, status.ok() ? QString() : text(status.error().message));
    if (!status)
        refresh(); // show what the document still says
}

void PropertiesPanel::setMessage(ParamRow& row, const QString& message)
{
    row.message->setText(message);
    row.message->setVisible(!message.isEmpty());
}

void PropertiesPanel::refreshHeader(const engine::Node& node)
{
    const Theme& theme = m_context.theme.theme();
    m_icon->setPixmap(iconPixmap(iconOfOp(text(node.op)), 20, theme.text.primary, devicePixelRatioF()));
    if (!(m_name->hasFocus() && m_name->isModified()) && m_name->text() != text(node.name)) {
        m_name->setText(text(node.name));
        m_name->setCursorPosition(0);
    }
    const engine::NodeView* view = m_context.plans.node(node.id);
    m_shape->setText(view && view->dtype ? shapeText(view->shape) : QString());
    const engine::OpSpec* spec = m_context.ops.find(node.op);
    QString caption =
        spec ? text(spec->summary) : tr("Unknown op “%1”: kept as it is, and it does not run.").arg(text(node.op));
    if (spec && node.name != node.op)
        caption = text(node.op) + QStringLiteral(". ") + caption;
    m_caption->setText(caption);
}

void PropertiesPanel::refreshParams(const engine::Node& node, const engine::OpSpec& spec)
{
    for (auto& [name, row] : m_rows) {
        const engine::ParamValue value = valueOf(node, *row.spec);
        // A damaged file may hold another kind; the finding says so and the editor keeps its last value.
        if (value.index() == defaultOf(*row.spec).index())
            row.editor->show(value);
        if (row.spec->kind != engine::ParamKind::Source)
            continue;
        const std::string_view port = portOfSource(spec, name);
        const engine::Edge* edge = port.empty() ? nullptr : m_context.document.graph().edgeInto(node.id, port);
        row.editor->setVisible(!edge);
        if (edge)
            setMessage(row, {});
        const QString source = edge ? nodeName(m_context.document.graph(), edge->from) : QString();
        row.label->setFixedWidth(edge ? 280 : kLabelWidth);
        row.label->setText(edge ? tr("%1: wired, from %2").arg(paramLabel(*row.spec), source) : paramLabel(*row.spec));
    }
}

void PropertiesPanel::refreshLayerDType(const engine::Node& node, const engine::OpSpec& spec)
{
    m_layerRow->setVisible(spec.isLayer);
    if (m_layerDType->count() == 0) {
        m_layerDType->addItem(QString());
        for (const engine::DTypeFacts& dtype : engine::allDTypes())
            if (dtype.isStorage && engine::isFloat(dtype.dtype))
                m_layerDType->addItem(dtypeWord(dtype.dtype), static_cast<int>(dtype.dtype));
    }
    const bool hasWeights = spec.weightShape != nullptr;
    m_layerDType->setItemText(
        0, hasWeights ? tr("none: as the weights")
                      : tr("none: floatx, %1").arg(dtypeWord(m_context.document.value().settings.floatx)));
    const int index = node.layerDtype ? m_layerDType->findData(static_cast<int>(*node.layerDtype)) : 0;
    m_layerDType->setCurrentIndex(std::max(0, index));
}

void PropertiesPanel::refresh()
{
    const engine::Node* node = m_context.document.graph().find(m_node);
    if (!node)
        return;
    if (const engine::OpSpec* spec = m_context.ops.find(node->op)) {
        refreshParams(*node, *spec);
        refreshLayerDType(*node, *spec);
    } else {
        m_layerRow->hide();
    }
    m_mute->setChecked(node->muted);
    refreshResults();
}

void PropertiesPanel::refreshResults()
{
    const engine::Node* node = m_context.document.graph().find(m_node);
    if (!node)
        return;
    refreshHeader(*node);
    m_slots->show(m_node);
    m_numbers->show(m_node);
}

} // namespace ui
