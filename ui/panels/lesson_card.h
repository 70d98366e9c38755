// A lesson's card over the canvas, top right: its title and question, what to try, and the answer on asking. Shown when
// a document that says what it is about is opened, until it is closed.
#pragma once

#include "ui/document/graph_document.h"
#include "ui/style/theme.h"

#include <QWidget>

class QAbstractButton;

namespace ui {

class TextLabel;

// The parts of Document::about: "question Try: what to do. Answer: what comes out".
struct LessonText {
    QString question, attempt, answer;
    bool operator==(const LessonText&) const = default;
};
LessonText lessonText(const QString& about);

class LessonCard : public QWidget {
    Q_OBJECT

public:
    LessonCard(GraphDocument& document, ThemeManager& themes, QWidget* canvas);
    // What the document says; nothing: no card.
    bool hasText() const { return !m_text.question.isEmpty(); }
    bool isOpen() const { return isVisibleTo(parentWidget()); }
    void open(bool isOpen);
    QAbstractButton* answerButton() const { return m_answerButton; }
    QAbstractButton* closeButton() const { return m_close; }
    QString shownText() const;

Q_SIGNALS:
    void openChanged(bool isOpen);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // the canvas's size

private:
    void read();
    void place();
    void refreshIcons();
    GraphDocument& m_document;
    ThemeManager& m_themes;
    LessonText m_text;
    class QLabel* m_icon;
    TextLabel *m_title, *m_question, *m_attempt, *m_answer;
    QAbstractButton *m_answerButton, *m_close;
};

} // namespace ui
