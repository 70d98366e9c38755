// docs/window.md as the program shows it: keys, gestures, what the plots say. One window, not in the way.
#pragma once

#include <QDialog>

namespace ui {

class HelpWindow : public QDialog {
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent);
    QString text() const;

private:
    class QTextBrowser* m_page;
};

} // namespace ui
