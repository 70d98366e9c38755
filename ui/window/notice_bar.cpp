#include "ui/window/notice_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace ui {

NoticeBar::NoticeBar(ThemeManager& themes, QWidget* parent)
    : QFrame(parent), m_themes(themes), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_acts(new QHBoxLayout),
      m_close(nullptr)
{
    setObjectName("notice");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(8);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* close = new QToolButton(this);
    close->setObjectName("notice-close");
    close->setAccessibleName(tr("Close the message"));
    close->setToolTip(tr("Close"));
    connect(close, &QToolButton::clicked, this, &NoticeBar::dismiss);
    m_close = close;
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addLayout(m_acts);
    row->addWidget(m_close);
    connect(&themes, &ThemeManager::changed, this, &NoticeBar::refresh);
    refresh();
    hide();
}

void NoticeBar::say(NoticeKind kind, const QString& text, const QList<NoticeAct>& acts)
{
    if (kind == NoticeKind::Offer && m_kind == NoticeKind::Error && isVisible()) {
        m_waiting = [this, kind, text, acts] { say(kind, text, acts); }; // after what went wrong
        return;
    }
    m_kind = kind;
    m_text->setText(text);
    setAccessibleName(text);
    while (QLayoutItem* item = m_acts->takeAt(0)) {
        item->widget()->deleteLater(); // a press on it may be what says the next
        item->widget()->hide();
        delete item;
    }
    for (const NoticeAct& a : acts) {
        auto* button = new QPushButton(a.title, this);
        connect(button, &QPushButton::clicked, this, [this, act = a.act] {
            dismiss();
            act();
        });
        m_acts->addWidget(button);
    }
    refresh();
    show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void NoticeBar::dismiss()
{
    hide();
    if (const auto next = std::exchange(m_waiting, nullptr))
        next();
}

QString NoticeBar::text() const
{
    return isVisibleTo(parentWidget()) ? m_text->text() : QString();
}

void NoticeBar::refresh()
{
    const Theme& theme = m_themes.theme();
    const bool isError = m_kind == NoticeKind::Error;
    m_icon->setPixmap(iconPixmap(isError ? "error" : "history", 16, isError ? theme.status.error : theme.text.secondary,
                                 devicePixelRatioF()));
    qobject_cast<QToolButton*>(m_close)->setIcon(icon("close", theme));
    update();
}

void NoticeBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_themes.theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface.panel);
    if (m_kind == NoticeKind::Error)
        painter.fillRect(rect(), theme.status.errorBackground);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line.hairline);
}

void NoticeBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

} // namespace ui
