#include "ui/panels/bar_buttons.h"

#include "ui/panels/widget_kit.h"

#include <QKeySequence>
#include <QPainter>

namespace ui {

LiveButton::LiveButton(ThemeManager& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme)
{
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus); // a press leaves the focus on the canvas
    setAttribute(Qt::WA_Hover);
    setText(tr("Live"));
    setAccessibleName(tr("Live"));
    setAccessibleDescription(tr("Run after every edit"));
    setToolTip(tr("Live: every edit runs the graph, the canvas's own combo first."));
    setFixedHeight(32);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

QSize LiveButton::sizeHint() const
{
    return {QFontMetrics(uiFont(12, Weight::Medium)).horizontalAdvance(text()) + 33, 32};
}

void LiveButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_theme.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(underMouse() ? theme.surface.hover : isChecked() ? theme.surface.raised : QColor(Qt::transparent));
    painter.setPen(QPen(theme.line.hairline, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    // Filled is on, hollow is off: the state does not hang on the colour.
    const QRectF lamp(9, height() / 2.0 - 4, 8, 8);
    painter.setPen(isChecked() ? QPen(Qt::NoPen) : QPen(theme.text.tertiary, 1.5));
    painter.setBrush(isChecked() ? QBrush(theme.status.ok) : QBrush(Qt::NoBrush));
    painter.drawEllipse(isChecked() ? lamp : lamp.adjusted(0.75, 0.75, -0.75, -0.75));
    painter.setFont(uiFont(12, Weight::Medium));
    painter.setPen(isChecked() ? theme.text.primary : theme.text.secondary);
    painter.drawText(QRect(23, 0, width() - 23, height()), Qt::AlignVCenter, text());
    if (hasFocus())
        paintFocusRing(painter, theme, rect(), 6);
}

SearchButton::SearchButton(ThemeManager& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme)
{
    setFocusPolicy(Qt::TabFocus); // a press leaves the focus on the canvas
    setAttribute(Qt::WA_Hover);
    setText(tr("Search everything"));
    setAccessibleName(tr("Search everything"));
    setToolTip(tr("Search ops, nodes, actions and lessons (Tab or Ctrl+K)"));
    setFixedHeight(32);
    setMaximumWidth(228);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setCursor(Qt::IBeamCursor);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void SearchButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_theme.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme.surface.sunken);
    painter.setPen(QPen(underMouse() ? theme.line.strong : theme.line.hairline, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.drawPixmap(QPointF(9, 8),
                       iconPixmap(QStringLiteral("search"), 16, theme.text.tertiary, devicePixelRatioF()));
    double right = width() - 8;
    if (width() > 190)
        right = paintKey(painter, theme, tr("Ctrl K"), right, height() / 2.0) - 8;
    painter.setFont(uiFont(12));
    painter.setPen(theme.text.tertiary);
    const QString label = painter.fontMetrics().elidedText(text(), Qt::ElideRight, static_cast<int>(right) - 33);
    painter.drawText(QRectF(33, 0, right - 33, height()), Qt::AlignVCenter, label);
    if (hasFocus())
        paintFocusRing(painter, theme, rect(), 6);
}

} // namespace ui
