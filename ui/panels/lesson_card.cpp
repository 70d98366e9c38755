#include "ui/panels/lesson_card.h"

#include "ui/panels/widget_kit.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

namespace ui {

namespace {

constexpr int kWidth = 340, kMargin = 12;
constexpr double kRadius = 10;

} // namespace

LessonText lessonText(const QString& about)
{
    const QString kTry = QStringLiteral(" Try: "), kAnswer = QStringLiteral(" Answer: ");
    LessonText text;
    const qsizetype answer = about.indexOf(kAnswer);
    const QString before = answer < 0 ? about : about.left(answer);
    text.answer = answer < 0 ? QString() : about.mid(answer + kAnswer.size());
    const qsizetype attempt = before.indexOf(kTry);
    text.question = attempt < 0 ? before : before.left(attempt);
    text.attempt = attempt < 0 ? QString() : before.mid(attempt + kTry.size());
    return text;
}

LessonCard::LessonCard(GraphDocument& document, ThemeManager& themes, QWidget* canvas)
    : QWidget(canvas), m_document(document), m_themes(themes), m_icon(new QLabel(this)),
      m_title(new TextLabel(themes, Tone::Primary, uiFont(13, Weight::SemiBold), {}, this)),
      m_question(new TextLabel(themes, Tone::Secondary, uiFont(12), {}, this)),
      m_attempt(new TextLabel(themes, Tone::Primary, uiFont(12), {}, this)),
      m_answer(new TextLabel(themes, Tone::Secondary, uiFont(12), {}, this)), m_answerButton(nullptr), m_close(nullptr)
{
    setFixedWidth(kWidth);
    setCursor(Qt::ArrowCursor);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 12);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    auto* close = new QToolButton(this);
    close->setAccessibleName(tr("Close the lesson's card"));
    close->setToolTip(tr("Close; View brings it back"));
    m_close = close;
    head->addWidget(m_icon);
    head->addWidget(m_title, 1);
    head->addWidget(close);
    column->addLayout(head);
    for (TextLabel* label : {m_question, m_attempt, m_answer}) {
        label->setWordWrap(true);
        column->addWidget(label);
    }
    m_answerButton = makeButton(tr("Show the answer"), Look::Quiet, this);
    m_answerButton->setFocusPolicy(Qt::TabFocus);
    column->addWidget(m_answerButton, 0, Qt::AlignLeft);
    connect(close, &QToolButton::clicked, this, [this] { open(false); });
    connect(m_answerButton, &QAbstractButton::clicked, this, [this] {
        m_answer->setVisible(!m_answer->isVisible());
        m_answerButton->setText(m_answer->isVisible() ? tr("Hide the answer") : tr("Show the answer"));
        place();
        Q_EMIT openChanged(true);
    });
    connect(&document, &GraphDocument::documentReset, this, [this] {
        read();
        open(hasText());
    });
    connect(&document, &GraphDocument::titleChanged, this, &LessonCard::read);
    connect(&themes, &ThemeManager::changed, this, &LessonCard::refreshIcons);
    canvas->installEventFilter(this);
    read();
    refreshIcons();
    hide();
}

void LessonCard::read()
{
    m_text = lessonText(QString::fromStdString(m_document.value().about));
    m_title->setText(QString::fromStdString(m_document.value().title));
    m_question->setText(m_text.question);
    m_attempt->setText(m_text.attempt.isEmpty() ? QString() : tr("Try: %1").arg(m_text.attempt));
    m_attempt->setVisible(!m_text.attempt.isEmpty());
    m_answer->setText(m_text.answer);
    m_answer->hide();
    m_answerButton->setText(tr("Show the answer"));
    m_answerButton->setVisible(!m_text.answer.isEmpty());
    setAccessibleName(tr("Lesson: %1. %2").arg(m_title->text(), m_text.question));
    place();
}

void LessonCard::open(bool isOpen)
{
    setVisible(isOpen);
    if (isOpen)
        place();
    Q_EMIT openChanged(isOpen);
}

QString LessonCard::shownText() const
{
    QStringList shown;
    for (const TextLabel* label : {m_title, m_question, m_attempt, m_answer})
        if (label->isVisibleTo(this))
            shown << label->text();
    return shown.join(u'\n');
}

void LessonCard::place()
{
    layout()->activate();
    const int room = std::max(80, parentWidget()->height() - 2 * kMargin);
    resize(kWidth, std::min(layout()->heightForWidth(kWidth), room));
    move(std::max(kMargin, parentWidget()->width() - kWidth - kMargin), kMargin);
    raise();
}

void LessonCard::refreshIcons()
{
    m_icon->setPixmap(iconPixmap(QStringLiteral("lesson"), 16, m_themes.theme().text.secondary, devicePixelRatioF()));
    qobject_cast<QToolButton*>(m_close)->setIcon(icon(QStringLiteral("close"), m_themes.theme()));
    update();
}

void LessonCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_themes.theme().line.hairline, 1));
    painter.setBrush(m_themes.theme().surface.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

void LessonCard::mousePressEvent(QMouseEvent* event)
{
    event->accept(); // never a press on the canvas under it
}

void LessonCard::wheelEvent(QWheelEvent* event)
{
    event->accept();
}

bool LessonCard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
