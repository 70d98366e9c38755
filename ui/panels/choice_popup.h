// A list to choose one of: title, a sentence below it, a mark at the current one. An unavailable entry says why and
// what to do in its own lines and cannot be chosen. Arrow keys, Enter, Escape; a press elsewhere closes it. It floats
// over its opener's window as a child of it: a translucent window of its own would be black where nothing composites.
#pragma once

#include "ui/style/theme.h"

#include <QFrame>
#include <QPointer>

class QListWidget;

namespace ui {

struct Choice {
    QString id, title, sentence;
    bool isAvailable = true;
    QString reason, remedy; // why it is not available, what to do
};

class ChoicePopup : public QFrame {
    Q_OBJECT

public:
    // `opener`: a press on it closes this and does nothing else.
    ChoicePopup(ThemeManager& theme, QList<Choice> choices, const QString& current, QWidget* opener);
    QListWidget* list() const { return m_list; }
    void popup(const QPoint& topLeft); // global

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    bool onKey(int key);
    void choose(int row);
    ThemeManager& m_theme;
    QList<Choice> m_choices;
    QWidget* m_opener;
    QPointer<QWidget> m_before; // had the focus
    QListWidget* m_list;
};

} // namespace ui
