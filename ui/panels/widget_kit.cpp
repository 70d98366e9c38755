#include "ui/panels/widget_kit.h"

#include "ui/panels/words.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace ui {

QColor toneColor(const Theme& theme, Tone tone)
{
    switch (tone) {
    case Tone::Primary:
        return theme.text.primary;
    case Tone::Secondary:
        return theme.text.secondary;
    case Tone::Tertiary:
        return theme.text.tertiary;
    case Tone::Disabled:
        return theme.text.disabled;
    case Tone::Error:
        return theme.status.error;
    case Tone::Loss:
        return theme.loss.key;
    }
    return theme.text.primary;
}

TextLabel::TextLabel(ThemeManager& theme, Tone tone, const QFont& font, const QString& text, QWidget* parent)
    : QLabel(text, parent), m_theme(theme), m_tone(tone)
{
    setFont(font);
    setTextFormat(Qt::PlainText);
    setForegroundRole(QPalette::WindowText); // not that of a toolbar or a viewport
    applyTone();
    connect(&theme, &ThemeManager::changed, this, &TextLabel::applyTone);
}

void TextLabel::setTone(Tone tone)
{
    m_tone = tone;
    applyTone();
}

void TextLabel::applyTone()
{
    const QColor color = toneColor(m_theme.theme(), m_tone);
    QPalette colors = palette();
    if (colors.color(QPalette::WindowText) == color)
        return;
    colors.setColor(QPalette::WindowText, color);
    setPalette(colors);
}

// The style sheet's first polish brings back the palette of before the last change of theme.
bool TextLabel::event(QEvent* event)
{
    const bool isDone = QLabel::event(event);
    if (event->type() == QEvent::Polish || event->type() == QEvent::PaletteChange)
        applyTone();
    return isDone;
}

Hairline::Hairline(ThemeManager& theme, QWidget* parent) : QWidget(parent), m_theme(theme)
{
    setFixedHeight(1);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void Hairline::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), m_theme.theme().line.hairline);
}

TagLabel::TagLabel(ThemeManager& theme, engine::DType dtype, int pixels, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_dtype(dtype), m_pixels(pixels)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
    setDType(dtype);
}

void TagLabel::setDType(engine::DType dtype)
{
    m_dtype = dtype;
    setAccessibleName(dtypeWord(dtype));
    updateGeometry();
    update();
}

QSize TagLabel::sizeHint() const
{
    return {static_cast<int>(std::ceil(tagWidth(m_dtype, m_pixels))) + 1, m_pixels + 8};
}

void TagLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawTag(painter, QPointF(0, m_pixels + 1), m_dtype, m_theme.theme(), m_pixels);
}

double paintPlainTag(QPainter& painter, const Theme& theme, QPointF baseline, engine::DType dtype, int pixels,
                     const QColor& color)
{
    painter.setFont(monoFont(pixels));
    painter.setPen(color);
    painter.drawText(baseline, theme.dtype(dtype).tag);
    return tagWidth(dtype, pixels);
}

void paintFocusRing(QPainter& painter, const Theme& theme, const QRectF& rect, double radius)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.selection.focus, 2));
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius);
    painter.restore();
}

double paintKey(QPainter& painter, const Theme& theme, const QString& key, double right, double middle)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(uiFont(10, Weight::Medium));
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(key) + 10;
    const QRectF cap(std::floor(right - width) + 0.5, std::floor(middle - 8) + 0.5, std::ceil(width) - 1, 15);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line.strong, 1));
    painter.drawRoundedRect(cap, 3, 3);
    painter.setPen(theme.text.tertiary);
    painter.drawText(cap, Qt::AlignCenter, key);
    painter.restore();
    return cap.left();
}

QPushButton* makeButton(const QString& text, Look look, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    if (look != Look::Normal)
        button->setProperty("look", look == Look::Primary ? "primary" : "quiet");
    button->setFont(uiFont(12, Weight::Medium));
    button->setFocusPolicy(Qt::TabFocus); // a press leaves the focus on the canvas
    // Cards and lists take the 24 px button; geometry only, the colours are the application's.
    const int pad = look == Look::Quiet ? 6 : 9;
    button->setStyleSheet(QStringLiteral("QPushButton { min-height: 16px; padding: 3px %1px; border-radius: 5px; }"
                                         "QPushButton:focus { padding: 2px %2px; }")
                              .arg(pad)
                              .arg(pad - 1));
    button->setAutoDefault(false);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

} // namespace ui
