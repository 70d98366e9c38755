#include "ui/panels/tool_field.h"

#include "ui/panels/widget_kit.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QPainter>

#include <algorithm>

namespace ui {

ToolField::ToolField(ThemeManager& theme, const QString& caption, QWidget* parent)
    : QAbstractButton(parent), m_theme(theme), m_caption(caption)
{
    setFocusPolicy(Qt::TabFocus); // a press leaves the focus on the canvas
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFixedHeight(40);
    connect(this, &QAbstractButton::clicked, this, &ToolField::openPopup);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void ToolField::setChoices(QList<Choice> choices)
{
    m_choices = std::move(choices);
    setCurrent(m_current);
}

const Choice* ToolField::find(const QString& id) const
{
    const auto it = std::find_if(m_choices.begin(), m_choices.end(), [&](const Choice& c) { return c.id == id; });
    return it == m_choices.end() ? nullptr : &*it;
}

void ToolField::setCurrent(const QString& id)
{
    m_current = id;
    setAccessibleName(m_caption + QStringLiteral(": ") + valueText());
    const Choice* choice = find(id);
    QString tip = choice ? choice->sentence : QString();
    if (choice && !choice->isAvailable)
        tip = choice->reason + u' ' + choice->remedy;
    setToolTip(tip.isEmpty() ? m_caption : m_caption + QStringLiteral(": ") + valueText() + u'\n' + tip);
    updateGeometry();
    update();
}

QString ToolField::valueText() const
{
    const Choice* choice = find(m_current);
    return choice ? choice->title : m_current;
}

ChoicePopup* ToolField::openPopup()
{
    m_popup = new ChoicePopup(m_theme, m_choices, m_current, this);
    m_popup->setAccessibleName(m_caption);
    m_popup->list()->setAccessibleName(m_caption);
    connect(m_popup, &ChoicePopup::chosen, this, &ToolField::chosen);
    m_popup->popup(mapToGlobal(QPoint(0, height() + 4)));
    return m_popup;
}

QSize ToolField::sizeHint() const
{
    const int value = QFontMetrics(uiFont(12, Weight::Medium)).horizontalAdvance(valueText());
    const int caption = QFontMetrics(uiFont(10, Weight::Medium)).horizontalAdvance(m_caption);
    return {std::clamp(std::max(value, caption) + 38, 96, 220), 40};
}

void ToolField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Down)
        openPopup();
    else
        QAbstractButton::keyPressEvent(event);
}

void ToolField::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_theme.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = rect();
    painter.setBrush(isDown() ? theme.surface.selected : underMouse() ? theme.surface.hover : theme.surface.panel);
    painter.setPen(QPen(theme.line.hairline, 1));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const int textWidth = width() - 36;
    painter.setPen(theme.text.tertiary);
    painter.setFont(uiFont(10, Weight::Medium));
    painter.drawText(QRect(10, 5, textWidth, 13), Qt::AlignVCenter, m_caption);
    painter.setPen(theme.text.primary);
    painter.setFont(uiFont(12, Weight::Medium));
    const QString value = painter.fontMetrics().elidedText(valueText(), Qt::ElideRight, textWidth);
    painter.drawText(QRect(10, 19, textWidth + 2, 16), Qt::AlignVCenter, value);
    painter.drawPixmap(QPointF(width() - 21, 13),
                       iconPixmap(QStringLiteral("chevron_down"), 14, theme.text.tertiary, devicePixelRatioF()));
    if (hasFocus())
        paintFocusRing(painter, theme, box, 6);
}

} // namespace ui
