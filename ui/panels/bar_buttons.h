// The toolbar's own buttons: the live switch with its lamp, and the search field that is a button.
#pragma once

#include "ui/style/theme.h"

#include <QAbstractButton>

namespace ui {

class LiveButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit LiveButton(ThemeManager& theme, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeManager& m_theme;
};

class SearchButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit SearchButton(ThemeManager& theme, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {228, 32}; }
    QSize minimumSizeHint() const override { return {40, 32}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeManager& m_theme;
};

} // namespace ui
