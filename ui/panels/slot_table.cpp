#include "ui/panels/slot_table.h"

#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kAskedLeft = 122, kArrowLeft = 152, kRanLeft = 180, kBaseline = 14;

QString sentenceOf(const SlotRowState& row)
{
    const QString name = text(engine::slotName(row.slot));
    const QString ran = row.ran ? dtypeWord(*row.ran) : SlotRow::tr("nothing yet");
    if (row.asked || !row.askedWord.isEmpty())
        return SlotRow::tr("%1: asked %2, ran %3").arg(name, row.asked ? dtypeWord(*row.asked) : row.askedWord, ran);
    if (row.arrivesOnWire && row.arrives != row.ran)
        return SlotRow::tr("%1: asks nothing, %2 arrives, ran %3").arg(name, dtypeWord(*row.arrives), ran);
    return SlotRow::tr("%1: asks nothing, ran %2").arg(name, ran);
}

void paintArrow(QPainter& painter, QPointF at, const QColor& color)
{
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawLine(at + QPointF(0, 0), at + QPointF(13, 0));
    QPainterPath head(at + QPointF(9.5, -3.5));
    head.lineTo(at + QPointF(13, 0));
    head.lineTo(at + QPointF(9.5, 3.5));
    painter.drawPath(head);
}

} // namespace

SlotRow::SlotRow(const PanelContext& context, QWidget* parent) : QAbstractButton(parent), m_theme(context.theme)
{
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setFixedHeight(24);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&context.theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void SlotRow::setState(const SlotRowState& state)
{
    m_state = state;
    QString sentence = sentenceOf(state);
    setAccessibleName(sentence);
    sentence[0] = sentence[0].toUpper();
    setToolTip(sentence + (state.cause.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(state.cause)) + u'.' +
               u'\n' + tr("Press to ask for a dtype."));
    update();
}

void SlotRow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void SlotRow::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_theme.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || isDown())
        painter.fillRect(rect(), isDown() ? theme.surface.selected : theme.surface.hover);
    painter.setFont(monoFont(11));
    painter.setPen(theme.text.tertiary);
    painter.drawText(QPointF(12, kBaseline + 1), slotSymbol(m_state.slot));
    painter.setFont(uiFont(12));
    painter.setPen(theme.text.secondary);
    painter.drawText(QPointF(42, kBaseline + 1), ui::text(engine::slotName(m_state.slot)));

    double left = kAskedLeft;
    if (m_state.asked)
        left += drawTag(painter, {left, kBaseline}, *m_state.asked, theme);
    else if (!m_state.askedWord.isEmpty() || !m_state.arrives) {
        const QString words = m_state.askedWord.isEmpty() ? tr("asks nothing") : m_state.askedWord;
        painter.setFont(uiFont(11));
        painter.setPen(m_state.askedWord.isEmpty() ? theme.text.tertiary : theme.text.primary);
        painter.drawText(QPointF(left, kBaseline + 1), words);
        left += painter.fontMetrics().horizontalAdvance(words);
    } else if (m_state.arrivesOnWire)
        left += drawTag(painter, {left, kBaseline}, *m_state.arrives, theme);
    else
        left += paintPlainTag(painter, theme, {left, kBaseline}, *m_state.arrives, 11, theme.text.tertiary);

    double right = kRanLeft;
    if (m_state.ran) {
        const double shift = std::max(0.0, left + 8 - kArrowLeft); // long tags push the rest along
        const bool differs = m_state.asked ? *m_state.asked != *m_state.ran : m_state.arrives != m_state.ran;
        paintArrow(painter, {kArrowLeft + shift, kBaseline - 2.5},
                   m_state.isLossy && (differs || m_state.asked) ? theme.loss.key : theme.text.tertiary);
        right += shift + drawTag(painter, {kRanLeft + shift, kBaseline}, *m_state.ran, theme);
    }
    painter.setFont(uiFont(11));
    painter.setPen(theme.text.tertiary);
    const QString cause = m_state.ran || !m_state.cause.isEmpty() ? m_state.cause : QStringLiteral("–");
    const int room = static_cast<int>(width() - 12 - right - 6);
    painter.drawText(QRectF(right + 6, 0, room, 23), Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(cause, Qt::ElideRight, room));
    if (hasFocus())
        paintFocusRing(painter, theme, QRectF(rect()).adjusted(4, 0, -4, 0), 4);
}

SlotTable::SlotTable(const PanelContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_layout(new QVBoxLayout(this)), m_menu(new QMenu(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    setAccessibleName(tr("Dtype slots"));
}

void SlotTable::show(engine::NodeId id)
{
    m_node = id;
    const engine::Node* node = m_context.document.graph().find(id);
    const engine::OpSpec* spec = node ? m_context.ops.find(node->op) : nullptr;
    const std::vector<SlotRowState> states = spec ? slotRows(m_context, *node, *spec) : std::vector<SlotRowState>{};
    while (m_rows.size() < static_cast<qsizetype>(states.size())) {
        auto* row = new SlotRow(m_context, this);
        connect(row, &QAbstractButton::clicked, this, [this, row] {
            menuOf(row->state().slot)->popup(row->mapToGlobal(QPoint(kAskedLeft - 12, row->height())));
        });
        m_layout->addWidget(row);
        m_rows << row;
    }
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const bool isUsed = i < static_cast<qsizetype>(states.size());
        m_rows[i]->setVisible(isUsed);
        if (isUsed)
            m_rows[i]->setState(states[static_cast<std::size_t>(i)]);
    }
}

SlotRow* SlotTable::row(engine::Slot slot) const
{
    for (SlotRow* row : m_rows)
        if (!row->isHidden() && row->state().slot == slot)
            return row;
    return nullptr;
}

QMenu* SlotTable::menuOf(engine::Slot slot)
{
    m_menu->clear();
    const engine::Node* node = m_context.document.graph().find(m_node);
    const engine::OpSpec* spec = node ? m_context.ops.find(node->op) : nullptr;
    if (!spec)
        return m_menu;
    m_menu->setAccessibleName(tr("Ask for a dtype: %1").arg(text(engine::slotName(slot))));
    bool wasFloat = true;
    for (const engine::SlotAsk& ask : slotChoices(*spec, slot)) {
        const bool isFixed = ask.kind == engine::SlotAsk::Kind::Fixed;
        if (m_menu->actions().size() == 1 || (isFixed && wasFloat && !engine::isFloat(ask.dtype)))
            m_menu->addSeparator();
        wasFloat = !isFixed || engine::isFloat(ask.dtype);
        QAction* action = m_menu->addAction(askWords(ask));
        action->setCheckable(true);
        action->setChecked(node->slot(slot) == ask);
        connect(action, &QAction::triggered, this, [this, slot, ask] { Q_EMIT asked(slot, ask); });
    }
    return m_menu;
}

} // namespace ui
