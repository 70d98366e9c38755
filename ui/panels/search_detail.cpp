#include "ui/panels/search_detail.h"

#include "ui/panels/flow_layout.h"
#include "ui/panels/node_numbers.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

SearchDetail::SearchDetail(const PanelContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_scroll(new QScrollArea(this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_scroll);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
}

void SearchDetail::addTitle(const QString& icon, const QString& title)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    auto* picture = new QLabel(m_content);
    picture->setPixmap(iconPixmap(icon, 20, m_context.theme.theme().text.primary, devicePixelRatioF()));
    row->addWidget(picture);
    auto* label = new TextLabel(m_context.theme, Tone::Primary, uiFont(15, Weight::SemiBold), title, m_content);
    label->setWordWrap(true);
    row->addWidget(label, 1);
    m_column->addLayout(row);
    m_spoken = title;
}

void SearchDetail::addText(const QString& text)
{
    if (text.isEmpty())
        return;
    auto* label = new TextLabel(m_context.theme, Tone::Secondary, uiFont(12), text, m_content);
    label->setWordWrap(true);
    m_column->addWidget(label);
    m_spoken += QStringLiteral(". ") + text;
}

void SearchDetail::addHeading(const QString& text)
{
    m_column->addSpacing(6);
    m_column->addWidget(new TextLabel(m_context.theme, Tone::Tertiary, uiFont(11), text, m_content));
}

void SearchDetail::addPorts(const engine::OpSpec& spec)
{
    if (spec.ports.empty())
        return;
    addHeading(tr("Ports"));
    for (const engine::PortSpec& port : spec.ports) {
        auto* row = new QHBoxLayout;
        row->setSpacing(6);
        auto* name = new TextLabel(m_context.theme, Tone::Primary, monoFont(11), text(port.name), m_content);
        QString words = text(port.sentence);
        words.remove(u'`');
        if (words.endsWith(u'.'))
            words.chop(1);
        auto* sentence = new TextLabel(m_context.theme, Tone::Secondary, uiFont(11), words, m_content);
        sentence->setWordWrap(true);
        row->addWidget(name, 0, Qt::AlignTop);
        row->addWidget(sentence, 1, Qt::AlignTop);
        m_column->addLayout(row);
    }
}

void SearchDetail::addDTypes(const engine::OpSpec& spec)
{
    if (spec.pairs == engine::PairSet::Any || spec.role == engine::OpRole::Source)
        return;
    addHeading(tr("Computes in"));
    auto* line = new FlowLayout(9, 3);
    const std::span<const engine::DTypeFacts> all = engine::allDTypes();
    for (const engine::DTypeFacts& dtype : all) {
        const bool computes =
            engine::isFloat(dtype.dtype) && std::any_of(all.begin(), all.end(), [&](const auto& sum) {
                return engine::isFloat(sum.dtype) && engine::pairAllowed(spec.pairs, {dtype.dtype, sum.dtype});
            });
        if (computes)
            line->addWidget(new TagLabel(m_context.theme, dtype.dtype, 11, m_content));
    }
    m_column->addLayout(line);
}

void SearchDetail::showOp(const engine::OpSpec& spec)
{
    addTitle(iconOfOp(text(spec.name)), text(spec.name));
    addText(text(spec.summary));
    addPorts(spec);
    addDTypes(spec);
    if (spec.reductionLength) {
        addHeading(tr("Bound of its arithmetic"));
        addText(tr("n·u·Σ|ab| + n·η/2, with n the length of its sums. In bfloat16 it says nothing from n = 256 on."));
    }
}

void SearchDetail::showNode(const engine::Node& node)
{
    addTitle(iconOfOp(text(node.op)), text(node.name));
    const engine::OpSpec* spec = m_context.ops.find(node.op);
    addText(spec ? text(spec->summary) : tr("Unknown op “%1”.").arg(text(node.op)));
    const engine::NodeResult* result = m_context.snapshots.resultOf(node.id);
    if (!result) {
        addText(noNumbersReason(m_context, node.id));
        return;
    }
    addHeading(tr("Error, vs source values"));
    for (const NumberRow& number : numberRows(*result)) {
        auto* row = new QHBoxLayout;
        row->addWidget(new TextLabel(m_context.theme, Tone::Secondary, uiFont(12), number.label, m_content));
        row->addStretch(1);
        row->addWidget(new TextLabel(m_context.theme, number.isBad ? Tone::Error : Tone::Primary, monoFont(12),
                                     number.value, m_content));
        m_column->addLayout(row);
        m_spoken += QStringLiteral(". ") + number.label + u' ' + number.value;
    }
}

void SearchDetail::show(const SearchEntry* entry)
{
    m_content = new QWidget;
    m_column = new QVBoxLayout(m_content);
    m_column->setContentsMargins(16, 14, 16, 14);
    m_column->setSpacing(5);
    m_spoken.clear();
    if (entry && entry->group == SearchGroup::Ops) {
        if (const engine::OpSpec* spec = m_context.ops.find(entry->id.toStdString()))
            showOp(*spec);
    } else if (entry && entry->group == SearchGroup::Nodes) {
        if (const engine::Node* node = m_context.document.graph().find({entry->id.toUInt()}))
            showNode(*node);
    } else if (entry) {
        addTitle(entry->icon, entry->title);
        addText(entry->explanation);
    }
    m_column->addStretch(1);
    setAccessibleName(m_spoken);
    m_scroll->setWidget(m_content); // the one before it goes
    m_content->setAutoFillBackground(false);
}

} // namespace ui
