#include "ui/panels/combo_cell.h"

#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QPainter>

namespace ui {

ComboCell::ComboCell(ThemeManager& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme)
{
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus); // a press leaves the focus on the canvas
    setAttribute(Qt::WA_Hover);
    setFixedSize(150, 21);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void ComboCell::setCombo(const engine::Combo& combo)
{
    m_combo = combo;
    setAccessibleName(tr("input %1, weights %2").arg(dtypeWord(combo.input), dtypeWord(combo.weight)));
    update();
}

void ComboCell::setState(const ComboState& state, const QString& metric, const QString& keys)
{
    m_state = state;
    QString value = m_state.text;
    if (m_state.kind == ComboStateKind::Refused)
        value = tr("refused");
    else if (m_state.kind == ComboStateKind::Waiting)
        value = tr("waiting");
    setAccessibleDescription(metric + u' ' + value);
    QString tip = tr("Input %1, weights %2").arg(dtypeWord(m_combo.input), dtypeWord(m_combo.weight));
    if (!keys.isEmpty())
        tip += QStringLiteral("  (%1)").arg(keys);
    if (m_state.kind == ComboStateKind::Refused)
        tip += u'\n' + tr("Refused: %1").arg(m_state.explanation);
    else if (!m_state.explanation.isEmpty())
        tip += u'\n' + m_state.explanation;
    setToolTip(tip);
    update();
}

void ComboCell::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_theme.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect());
    painter.setPen(Qt::NoPen);
    painter.setBrush(isActive() ? theme.surface.raised : underMouse() ? theme.surface.hover : theme.surface.panel);
    painter.drawRoundedRect(box, 4, 4);
    painter.setBrush(Qt::NoBrush);
    const double ring = isActive() ? 1.5 : 1;
    painter.setPen(QPen(isActive() ? theme.selection.ring : theme.line.hairline, ring));
    painter.drawRoundedRect(box.adjusted(ring / 2, ring / 2, -ring / 2, -ring / 2), 4, 4);

    double x = 9 + drawTag(painter, {9, 13}, m_combo.input, theme);
    painter.setFont(uiFont(11));
    painter.setPen(theme.text.tertiary);
    const QString times(QChar(0xd7));
    painter.drawText(QPointF(x + 5, 13), times);
    x += 10 + painter.fontMetrics().horizontalAdvance(times);
    x += drawTag(painter, {x, 13}, m_combo.weight, theme);

    if (m_state.isStale)
        painter.setOpacity(theme.plot.staleOpacity);
    if (m_state.kind == ComboStateKind::Refused) {
        painter.drawPixmap(QPointF(box.right() - 9 - 14, 3),
                           iconPixmap(QStringLiteral("error"), 14, theme.status.error, devicePixelRatioF()));
    } else {
        painter.setFont(monoFont(11));
        painter.setPen(m_state.kind == ComboStateKind::NotFinite ? theme.status.error
                       : isActive()                              ? theme.text.primary
                                                                 : theme.text.secondary);
        const QRectF place(x + 4, 0, box.right() - 9 - x - 4, 18);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, m_state.text);
    }
    painter.setOpacity(1);
    if (hasFocus())
        paintFocusRing(painter, theme, box, 4);
}

} // namespace ui
