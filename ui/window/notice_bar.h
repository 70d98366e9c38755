// What the window has to say above the canvas: an error with its place and remedy, or an offer with its acts. Never a
// box in the way; it stays until it is closed, answered, or replaced by the next.
#pragma once

#include "ui/style/theme.h"

#include <QFrame>

#include <functional>

class QBoxLayout;
class QLabel;

namespace ui {

enum class NoticeKind : std::uint8_t { Error, Offer };

struct NoticeAct {
    QString title; // a verb with its object
    std::function<void()> act;
};

class NoticeBar : public QFrame {
    Q_OBJECT

public:
    explicit NoticeBar(ThemeManager& themes, QWidget* parent = nullptr);
    void say(NoticeKind kind, const QString& text, const QList<NoticeAct>& acts = {});
    void dismiss();
    QString text() const;
    NoticeKind kind() const { return m_kind; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    ThemeManager& m_themes;
    NoticeKind m_kind = NoticeKind::Error;
    std::function<void()> m_waiting; // an offer that came while an error was shown
    QLabel *m_icon, *m_text;
    QBoxLayout* m_acts;
    QWidget* m_close;
};

} // namespace ui
