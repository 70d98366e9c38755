// Small widgets and strokes that every panel uses: toned labels, dtype tags that wear their wire, coercion dots,
// hairlines, floating surfaces. They follow the theme by themselves.
#pragma once

#include "ui/style/paint.h"

#include <QLabel>
#include <QPushButton>

class QPainter;

namespace ui {

enum class Tone : std::uint8_t { Primary, Secondary, Tertiary, Disabled, Error, Loss };
QColor toneColor(const Theme& theme, Tone tone);

class TextLabel : public QLabel {
    Q_OBJECT

public:
    TextLabel(ThemeManager& theme, Tone tone, const QFont& font, const QString& text = {}, QWidget* parent = nullptr);
    void setTone(Tone tone);
    Tone tone() const { return m_tone; }

protected:
    bool event(QEvent* event) override;

private:
    void applyTone();
    ThemeManager& m_theme;
    Tone m_tone;
};

class Hairline : public QWidget {
    Q_OBJECT

public:
    explicit Hairline(ThemeManager& theme, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeManager& m_theme;
};

// A dtype's tag as a widget, underline included.
class TagLabel : public QWidget {
    Q_OBJECT

public:
    TagLabel(ThemeManager& theme, engine::DType dtype, int pixels, QWidget* parent = nullptr);
    void setDType(engine::DType dtype);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeManager& m_theme;
    engine::DType m_dtype;
    int m_pixels;
};

// A tag in a plain colour without its wire: what is inherited rather than asked.
double paintPlainTag(QPainter& painter, const Theme& theme, QPointF baseline, engine::DType dtype, int pixels,
                     const QColor& color);
void paintFocusRing(QPainter& painter, const Theme& theme, const QRectF& rect, double radius);

// A key on a keycap, its right end at `right`; returns its left end.
double paintKey(QPainter& painter, const Theme& theme, const QString& key, double right, double middle);

enum class Look : std::uint8_t { Normal, Primary, Quiet };
QPushButton* makeButton(const QString& text, Look look, QWidget* parent);

} // namespace ui
