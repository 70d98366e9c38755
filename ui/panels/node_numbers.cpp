#include "ui/panels/node_numbers.h"

#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace ui {

NodeNumbers::NodeNumbers(const PanelContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(12, 0, 12, 8);
    m_layout->setSpacing(0);
    m_reason = new TextLabel(context.theme, Tone::Secondary, uiFont(12), {}, this);
    m_reason->setWordWrap(true);
    m_layout->addWidget(m_reason);
    m_ran = new QWidget(this);
    auto* ran = new QVBoxLayout(m_ran);
    ran->setContentsMargins(0, 10, 0, 0);
    ran->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    line->addWidget(new TextLabel(context.theme, Tone::Tertiary, uiFont(11), tr("Ran as"), m_ran));
    m_kernel = new TextLabel(context.theme, Tone::Secondary, monoFont(11), {}, m_ran);
    m_kernel->setWordWrap(true);
    line->addWidget(m_kernel, 1);
    m_cost = new TextLabel(context.theme, Tone::Tertiary, uiFont(11), {}, m_ran);
    ran->addLayout(line);
    ran->addWidget(m_cost);
    m_layout->addWidget(m_ran);
}

NodeNumbers::Line NodeNumbers::makeLine()
{
    Line line;
    line.widget = new QWidget(this);
    line.widget->setFixedHeight(20);
    auto* row = new QHBoxLayout(line.widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    line.label = new TextLabel(m_context.theme, Tone::Secondary, uiFont(12), {}, line.widget);
    line.value = new TextLabel(m_context.theme, Tone::Primary, monoFont(12), {}, line.widget);
    line.suffix = new TextLabel(m_context.theme, Tone::Tertiary, monoFont(12), {}, line.widget);
    row->addWidget(line.label);
    row->addStretch(1);
    row->addWidget(line.value);
    row->addWidget(line.suffix);
    m_layout->insertWidget(static_cast<int>(m_lines.size()), line.widget);
    return line;
}

void NodeNumbers::show(engine::NodeId node)
{
    const engine::NodeResult* result = m_context.snapshots.resultOf(node);
    std::vector<NumberRow> rows;
    if (result)
        rows = numberRows(*result);
    while (m_lines.size() < static_cast<qsizetype>(rows.size()))
        m_lines << makeLine();
    const bool isStale = m_context.snapshots.isStale();
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        const bool isUsed = i < static_cast<qsizetype>(rows.size());
        line.widget->setVisible(isUsed);
        if (!isUsed)
            continue;
        const NumberRow& row = rows[static_cast<std::size_t>(i)];
        line.label->setText(row.label);
        line.value->setText(row.value);
        line.value->setTone(isStale ? Tone::Disabled : row.isBad ? Tone::Error : Tone::Primary);
        line.suffix->setText(row.suffix);
        line.suffix->setVisible(!row.suffix.isEmpty());
        line.widget->setToolTip(row.against);
        line.widget->setAccessibleName(row.label + u' ' + row.value + u' ' + row.suffix);
        line.widget->setAccessibleDescription(row.against);
    }
    m_reason->setVisible(rows.empty());
    if (rows.empty())
        m_reason->setText(result ? tr("No error is measured here.") : noNumbersReason(m_context, node));
    m_ran->setVisible(result != nullptr);
    if (result) {
        m_kernel->setText(result->kernel.empty() ? tr("a source") : text(result->kernel));
        m_cost->setText(ranText(*result));
    }
}

} // namespace ui
