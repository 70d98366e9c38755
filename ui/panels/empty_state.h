// What a panel shows when it has nothing to show: an icon, what this is, and how it comes to be filled.
#pragma once

#include "ui/style/theme.h"

#include <QWidget>

class QLabel;

namespace ui {

class TextLabel;

class EmptyState : public QWidget {
    Q_OBJECT

public:
    EmptyState(ThemeManager& theme, const QString& icon, const QString& title, const QString& sentence,
               QWidget* parent = nullptr);
    void setWords(const QString& title, const QString& sentence);
    QString title() const;
    QString sentence() const;

private:
    void refreshIcon();
    ThemeManager& m_theme;
    QString m_iconName;
    QLabel* m_icon;
    TextLabel *m_title, *m_sentence;
};

} // namespace ui
