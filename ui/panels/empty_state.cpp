#include "ui/panels/empty_state.h"

#include "ui/panels/widget_kit.h"

#include <QVBoxLayout>

namespace ui {

EmptyState::EmptyState(ThemeManager& theme, const QString& icon, const QString& title, const QString& sentence,
                       QWidget* parent)
    : QWidget(parent), m_theme(theme), m_iconName(icon), m_icon(new QLabel(this)),
      m_title(new TextLabel(theme, Tone::Primary, uiFont(12, Weight::SemiBold), title, this)),
      m_sentence(new TextLabel(theme, Tone::Secondary, uiFont(11), sentence, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(6);
    layout->addStretch(1);
    m_icon->setAlignment(Qt::AlignCenter);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    layout->addWidget(m_icon);
    layout->addWidget(m_title);
    layout->addWidget(m_sentence);
    layout->addStretch(2);
    refreshIcon();
    connect(&theme, &ThemeManager::changed, this, &EmptyState::refreshIcon);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
}

void EmptyState::setWords(const QString& title, const QString& sentence)
{
    m_title->setText(title);
    m_sentence->setText(sentence);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
}

QString EmptyState::title() const
{
    return m_title->text();
}

QString EmptyState::sentence() const
{
    return m_sentence->text();
}

void EmptyState::refreshIcon()
{
    m_icon->setPixmap(iconPixmap(m_iconName, 20, m_theme.theme().text.tertiary, devicePixelRatioF()));
}

} // namespace ui
