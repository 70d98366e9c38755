#include "ui/panels/properties_panel.h"

#include "ui/panels/empty_state.h"
#include "ui/panels/node_numbers.h"
#include "ui/panels/param_editor.h"
#include "ui/panels/param_list_editor.h"
#include "ui/panels/slot_table.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QShortcut>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kLabelWidth = 96;

// 22 px instead of 24, as dense panels have them; the rest is the application's.
QString denseFields()
{
    return QStringLiteral("QLineEdit, QComboBox { min-height: 14px; }");
}

} // namespace

PropertiesPanel::PropertiesPanel(const PanelContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_edits(context.document), m_scroll(new QScrollArea(this)),
      m_empty(new EmptyState(context.theme, QStringLiteral("stages"), tr("No node selected"),
                             tr("Select one to see its parameters, its dtypes and how its errors spread."), this)),
      m_content(new QWidget)
{
    setAccessibleName(tr("Node"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_scroll);
    outer->addWidget(m_empty);
    m_scroll->setWidget(m_content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_content->setAutoFillBackground(false);
    m_layout = new QVBoxLayout(m_content);
    m_layout->setContentsMargins(0, 6, 0, 12);
    m_layout->setSpacing(0);
    buildFixed();

    const GraphDocument& document = context.document;
    connect(&context.selection, &Selection::selectionChanged, this, &PropertiesPanel::showCurrent);
    connect(&context.selection, &Selection::currentChanged, this, &PropertiesPanel::showCurrent);
    connect(&document, &GraphDocument::documentReset, this, [this] {
        m_builtOp.clear();
        showCurrent();
    });
    connect(&document, &GraphDocument::nodeChanged, this, [this](engine::NodeId id) {
        if (id == m_node)
            showCurrent();
    });
    connect(&document, &GraphDocument::nodeRemoved, this, &PropertiesPanel::showCurrent);
    connect(&document, &GraphDocument::structureChanged, this, &PropertiesPanel::refresh);
    connect(&context.snapshots, &SnapshotStore::changed, this, &PropertiesPanel::refreshResults);
    connect(&context.snapshots, &SnapshotStore::runningChanged, this, &PropertiesPanel::refreshResults);
    connect(&context.plans, &PlanStore::changed, this, &PropertiesPanel::refreshResults);
    connect(&context.theme, &ThemeManager::changed, this, &PropertiesPanel::showCurrent);
    showCurrent();
}

PropertiesPanel::~PropertiesPanel()
{
    // A field that loses the focus while it dies must not edit through a half-destroyed panel.
    for (auto& [name, row] : m_rows)
        row.editor->disconnect(this);
    m_name->disconnect(this);
}

QWidget* PropertiesPanel::buildHeader()
{
    auto* header = new QWidget(m_content);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(12, 4, 12, 0);
    row->setSpacing(8);
    m_icon = new QLabel(header);
    m_name = new QLineEdit(header);
    m_name->setFont(uiFont(15, Weight::SemiBold));
    m_name->setFrame(false);
    m_name->setAccessibleName(tr("Name"));
    m_name->setToolTip(tr("The node's name. Press to change it."));
    m_name->setStyleSheet(
        QStringLiteral("QLineEdit { background: transparent; border: 1px solid transparent; padding: 1px 3px; }"));
    m_shape = new TextLabel(m_context.theme, Tone::Secondary, monoFont(11), {}, header);
    m_shape->setToolTip(tr("Shape of the output"));
    row->addWidget(m_icon);
    row->addWidget(m_name, 1);
    auto* giveUp = new QShortcut(QKeySequence(Qt::Key_Escape), m_name, nullptr, nullptr, Qt::WidgetShortcut);
    connect(giveUp, &QShortcut::activated, this, [this] {
        if (const engine::Node* node = m_context.document.graph().find(m_node))
            m_name->setText(text(node->name));
        m_name->setModified(false);
        m_name->clearFocus();
    });
    row->addWidget(m_shape);
    connect(m_name, &QLineEdit::editingFinished, this, [this] {
        const QString name = m_name->text().trimmed();
        const engine::Node* node = m_context.document.graph().find(m_node);
        m_name->setModified(false);
        if (!node)
            return;
        if (name.isEmpty()) {
            refresh(); // a node has a name: an empty one changes nothing
            return;
        }
        report(m_edits.change(
                   m_node, [&](engine::Node& n) { n.name = name.toStdString(); },
                   tr("Rename %1 to %2").arg(text(node->name), name)),
               nullptr);
    });
    return header;
}

void PropertiesPanel::addSection(const QString& title, const QString& aside)
{
    m_layout->addSpacing(8);
    m_layout->addWidget(new Hairline(m_context.theme, m_content));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 10, 12, 3);
    row->addWidget(new TextLabel(m_context.theme, Tone::Primary, uiFont(12, Weight::SemiBold), title, m_content));
    row->addStretch(1);
    row->addWidget(new TextLabel(m_context.theme, Tone::Tertiary, uiFont(11), aside, m_content));
    m_layout->addLayout(row);
}

QWidget* PropertiesPanel::buildAsks()
{
    auto* asks = new QWidget(m_content);
    auto* column = new QVBoxLayout(asks);
    column->setContentsMargins(12, 4, 12, 0);
    column->setSpacing(4);
    m_layerRow = new QWidget(asks);
    m_layerRow->setStyleSheet(denseFields());
    auto* row = new QHBoxLayout(m_layerRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* label = new TextLabel(m_context.theme, Tone::Secondary, uiFont(12), tr("Layer dtype"), m_layerRow);
    label->setFixedWidth(kLabelWidth);
    m_layerDType = makeChoiceBox(m_layerRow);
    m_layerDType->setAccessibleName(tr("Layer dtype"));
    m_layerRow->setToolTip(tr("What dtype= sets. Dialects that cast to the layer cast its inputs to it; "
                              "the others do not read it."));
    row->addWidget(label);
    row->addWidget(m_layerDType, 1);
    column->addWidget(m_layerRow);
    m_mute = new QCheckBox(tr("Mute: the first input passes through"), asks);
    m_mute->setFont(uiFont(12));
    m_mute->setAccessibleName(tr("Mute"));
    column->addWidget(m_mute);
    connect(m_layerDType, &QComboBox::activated, this, [this](int index) {
        const QVariant chosenDType = m_layerDType->itemData(index);
        std::optional<engine::DType> dtype;
        if (chosenDType.isValid())
            dtype = static_cast<engine::DType>(chosenDType.toInt());
        const QString name = nodeName(m_context.document.graph(), m_node);
        report(m_edits.change(
                   m_node, [&](engine::Node& n) { n.layerDtype = dtype; },
                   dtype ? tr("Set the layer dtype of %1 to %2").arg(name, dtypeWord(*dtype))
                         : tr("Clear the layer dtype of %1").arg(name)),
               nullptr);
    });
    connect(m_mute, &QCheckBox::clicked, this, [this](bool isMuted) {
        const QString name = nodeName(m_context.document.graph(), m_node);
        report(m_edits.change(
                   m_node, [&](engine::Node& n) { n.muted = isMuted; },
                   isMuted ? tr("Mute %1").arg(name) : tr("Unmute %1").arg(name)),
               nullptr);
    });
    return asks;
}

void PropertiesPanel::buildFixed()
{
    m_layout->addWidget(buildHeader());
    m_caption = new TextLabel(m_context.theme, Tone::Tertiary, uiFont(11), {}, m_content);
    m_caption->setWordWrap(true);
    m_caption->setContentsMargins(12, 2, 12, 4);
    m_layout->addWidget(m_caption);
    m_params = new QWidget(m_content);
    m_params->setStyleSheet(denseFields());
    m_paramLayout = new QVBoxLayout(m_params);
    m_paramLayout->setContentsMargins(12, 2, 12, 0);
    m_paramLayout->setSpacing(4);
    m_layout->addWidget(m_params);
    addSection(tr("Dtype slots"), tr("asked → ran"));
    m_slots = new SlotTable(m_context, m_content);
    m_layout->addWidget(m_slots);
    m_layout->addWidget(buildAsks());
    addSection(tr("Error"), tr("vs source values"));
    m_numbers = new NodeNumbers(m_context, m_content);
    m_layout->addWidget(m_numbers);
    m_layout->addStretch(1);
    connect(m_slots, &SlotTable::asked, this, [this](engine::Slot slot, const engine::SlotAsk& ask) {
        const QString name = nodeName(m_context.document.graph(), m_node);
        const QString slotWord = text(engine::slotName(slot));
        const bool isCleared = ask.kind == engine::SlotAsk::Kind::Inherited;
        report(m_edits.change(
                   m_node, [&](engine::Node& n) { n.slots[static_cast<std::size_t>(slot)] = ask; },
                   isCleared ? tr("Ask nothing of the %1 slot of %2").arg(slotWord, name)
                             : tr("Ask %1 of the %2 slot of %3").arg(askWords(ask), slotWord, name)),
               nullptr);
    });
}

void PropertiesPanel::showCurrent()
{
    const std::set<engine::NodeId>& nodes = m_context.selection.nodes();
    const engine::NodeId current = m_context.selection.current();
    const engine::Node* node = nodes.size() > 1 ? nullptr : m_context.document.graph().find(current);
    m_scroll->setVisible(node != nullptr);
    m_empty->setVisible(node == nullptr);
    if (!node) {
        m_node = {};
        m_edits.finishGesture();
        if (nodes.size() > 1)
            m_empty->setWords(tr("%1 nodes selected").arg(nodes.size()),
                              tr("Select one of them to see its parameters and its numbers."));
        else
            m_empty->setWords(tr("No node selected"),
                              tr("Select one to see its parameters, its dtypes and how its errors spread."));
        return;
    }
    if (m_node != node->id || m_builtOp != node->op) {
        m_edits.finishGesture();
        m_node = node->id;
        m_name->setModified(false); // what was typed was for the other node
        m_builtOp = node->op;
        static const engine::OpSpec kNothing{};
        const engine::OpSpec* spec = m_context.ops.find(node->op);
        buildParams(spec ? *spec : kNothing);
        m_scroll->ensureVisible(0, 0);
    }
    refresh();
}

ParamEditor* PropertiesPanel::editor(const std::string& param) const
{
    const auto it = m_rows.find(param);
    return it == m_rows.end() ? nullptr : it->second.editor;
}

QString PropertiesPanel::message(const std::string& param) const
{
    const auto it = m_rows.find(param);
    return it == m_rows.end() || it->second.message->isHidden() ? QString() : it->second.message->text();
}

void PropertiesPanel::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), m_context.theme.theme().surface.panel);
}

} // namespace ui
