#include "ui/panels/search_parts.h"

#include <QLineEdit>
#include <QPainter>

namespace ui {

QLineEdit* makeSearchField(const QString& placeholder, int pixels, QWidget* parent)
{
    auto* field = new QLineEdit(parent);
    field->setFrame(false);
    field->setFont(uiFont(pixels));
    field->setPlaceholderText(placeholder);
    field->setAccessibleName(placeholder);
    // The card around it is its frame.
    field->setStyleSheet(QStringLiteral(
        "QLineEdit, QLineEdit:focus, QLineEdit:hover { background: transparent; border: none; padding: 0; }"));
    return field;
}

IconLabel::IconLabel(ThemeManager& theme, const QString& icon, int size, Tone tone, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_icon(icon), m_tone(tone)
{
    setFixedSize(size, size);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void IconLabel::paintEvent(QPaintEvent*)
{
    QPainter(this).drawPixmap(QPointF(0, 0),
                              iconPixmap(m_icon, width(), toneColor(m_theme.theme(), m_tone), devicePixelRatioF()));
}

KeyLabel::KeyLabel(ThemeManager& theme, const QString& key, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_key(key)
{
    setFixedSize(QFontMetrics(uiFont(10, Weight::Medium)).horizontalAdvance(key) + 11, 18);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void KeyLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintKey(painter, m_theme.theme(), m_key, width(), height() / 2.0);
}

KeyHints::KeyHints(ThemeManager& theme, QWidget* parent) : QWidget(parent), m_theme(theme)
{
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void KeyHints::setHints(const QList<KeyHint>& left, const KeyHint& right)
{
    m_left = left;
    m_right = right;
    QStringList words;
    for (const KeyHint& hint : left + QList<KeyHint>{right})
        words << hint.key + QStringLiteral(": ") + hint.meaning;
    setAccessibleName(words.join(QStringLiteral(", ")));
    update();
}

void KeyHints::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_theme.theme();
    QPainter painter(this);
    const double middle = height() / 2.0;
    const QFontMetricsF keyMetrics(uiFont(10, Weight::Medium)), metrics(uiFont(11));
    const auto draw = [&](const KeyHint& hint, double x) {
        const double keyRight = x + keyMetrics.horizontalAdvance(hint.key) + 11;
        paintKey(painter, theme, hint.key, keyRight, middle);
        painter.setFont(uiFont(11));
        painter.setPen(theme.text.secondary);
        painter.drawText(QRectF(keyRight + 5, 0, width(), height()), Qt::AlignVCenter, hint.meaning);
        return keyRight + 5 + metrics.horizontalAdvance(hint.meaning);
    };
    const double rightWidth =
        keyMetrics.horizontalAdvance(m_right.key) + 16 + metrics.horizontalAdvance(m_right.meaning);
    double x = 16;
    for (const KeyHint& hint : m_left) {
        const double needed = keyMetrics.horizontalAdvance(hint.key) + 16 + metrics.horizontalAdvance(hint.meaning);
        if (x + needed > width() - 16 - rightWidth - 16)
            break;
        x = draw(hint, x) + 16;
    }
    if (!m_right.key.isEmpty())
        draw(m_right, width() - 16 - rightWidth);
}

} // namespace ui
