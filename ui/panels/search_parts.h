// Small parts of the palettes: the bare search field, an icon that follows the theme, keycaps with their meaning.
#pragma once

#include "ui/panels/widget_kit.h"

class QLineEdit;

namespace ui {

QLineEdit* makeSearchField(const QString& placeholder, int pixels, QWidget* parent);

class IconLabel : public QWidget {
    Q_OBJECT

public:
    IconLabel(ThemeManager& theme, const QString& icon, int size, Tone tone, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeManager& m_theme;
    QString m_icon;
    Tone m_tone;
};

class KeyLabel : public QWidget {
    Q_OBJECT

public:
    KeyLabel(ThemeManager& theme, const QString& key, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeManager& m_theme;
    QString m_key;
};

struct KeyHint {
    QString key, meaning;
};
class KeyHints : public QWidget {
    Q_OBJECT

public:
    KeyHints(ThemeManager& theme, QWidget* parent);
    void setHints(const QList<KeyHint>& left, const KeyHint& right);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeManager& m_theme;
    QList<KeyHint> m_left;
    KeyHint m_right;
};

} // namespace ui
