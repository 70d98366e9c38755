#include "ui/panels/choice_popup.h"

#include "ui/panels/floating.h"
#include "ui/style/paint.h"

#include <QApplication>
#include <QKeyEvent>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kWidth = 340;
constexpr int kTextLeft = 32;
constexpr double kRadius = 10;

// With a capital and a full stop: the engine's texts are clauses.
QString sentence(QString clause)
{
    if (!clause.isEmpty())
        clause[0] = clause[0].toUpper();
    return clause.endsWith(u'.') ? clause : clause + u'.';
}

// The lines below the title: the sentence, or why not and the remedy.
QString detailOf(const Choice& choice)
{
    if (choice.isAvailable)
        return choice.sentence;
    return sentence(choice.reason) + (choice.remedy.isEmpty() ? QString() : u' ' + sentence(choice.remedy));
}

class ChoiceDelegate : public QStyledItemDelegate {
public:
    ChoiceDelegate(ThemeManager& theme, const QList<Choice>& choices, QString current, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme), m_choices(choices), m_current(std::move(current))
    {
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        const QString detail = detailOf(m_choices[index.row()]);
        const int height = detail.isEmpty() ? 0 : detailRect(detail).height();
        return {kWidth - 12, 28 + (height ? height + 4 : 0)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = m_theme.theme();
        const Choice& choice = m_choices[index.row()];
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(option.state & QStyle::State_Selected ? theme.surface.selected : theme.surface.hover);
            painter->drawRoundedRect(option.rect, 6, 6);
        }
        painter->translate(option.rect.topLeft());
        const double ratio = painter->device()->devicePixelRatioF();
        if (choice.id == m_current)
            painter->drawPixmap(QPointF(10, 6), iconPixmap(QStringLiteral("ok"), 16, theme.text.primary, ratio));
        else if (!choice.isAvailable)
            painter->drawPixmap(QPointF(10, 6), iconPixmap(QStringLiteral("lock"), 16, theme.text.tertiary, ratio));
        painter->setFont(uiFont(12, Weight::Medium));
        painter->setPen(choice.isAvailable ? theme.text.primary : theme.text.tertiary);
        painter->drawText(QRect(kTextLeft, 5, kWidth - 12 - kTextLeft - 8, 18), Qt::AlignVCenter, choice.title);
        painter->setFont(uiFont(11));
        painter->setPen(theme.text.secondary);
        const QString detail = detailOf(choice);
        painter->drawText(detailRect(detail), Qt::TextWordWrap, detail);
        painter->restore();
    }

private:
    QRect detailRect(const QString& detail) const
    {
        return QFontMetrics(uiFont(11))
            .boundingRect(QRect(kTextLeft, 24, kWidth - 12 - kTextLeft - 10, 1000), Qt::TextWordWrap, detail);
    }
    ThemeManager& m_theme;
    const QList<Choice>& m_choices;
    QString m_current;
};

} // namespace

ChoicePopup::ChoicePopup(ThemeManager& theme, QList<Choice> choices, const QString& current, QWidget* opener)
    : QFrame(opener->window()), m_theme(theme), m_choices(std::move(choices)), m_opener(opener),
      m_list(new QListWidget(this))
{
    new FloatingShadow(theme, this, kRadius); // goes with it
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_list);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setStyleSheet(QStringLiteral("QListWidget { background: transparent; border: none; }"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setMouseTracking(true);
    m_list->setItemDelegate(new ChoiceDelegate(theme, m_choices, current, m_list));
    int height = 0, row = 0;
    for (const Choice& choice : m_choices) {
        auto* item = new QListWidgetItem(choice.title, m_list);
        item->setToolTip(detailOf(choice));
        item->setData(Qt::AccessibleTextRole,
                      choice.isAvailable ? choice.title : tr("%1, not available").arg(choice.title));
        item->setData(Qt::AccessibleDescriptionRole, detailOf(choice));
        height += m_list->sizeHintForRow(m_list->count() - 1);
        if (choice.id == current)
            row = m_list->count() - 1;
    }
    m_list->setCurrentRow(row);
    m_list->setFixedSize(kWidth - 12, std::min(height, 420));
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { choose(m_list->row(item)); });
}

void ChoicePopup::popup(const QPoint& topLeft)
{
    adjustSize();
    const QPoint at = parentWidget()->mapFromGlobal(topLeft);
    move(std::clamp(at.x(), 0, std::max(0, parentWidget()->width() - width())),
         std::clamp(at.y(), 0, std::max(0, parentWidget()->height() - height())));
    m_before = QApplication::focusWidget();
    show();
    raise();
    m_list->setFocus(Qt::PopupFocusReason);
    qApp->installEventFilter(this);
}

// Before it hides: else the focus would go to what comes next in its order.
void ChoicePopup::closeEvent(QCloseEvent* event)
{
    if (m_before && m_list->hasFocus())
        m_before->setFocus();
    QFrame::closeEvent(event);
}

void ChoicePopup::choose(int row)
{
    if (row < 0 || row >= m_choices.size() || !m_choices[row].isAvailable)
        return;
    Q_EMIT chosen(m_choices[row].id);
    close();
}

bool ChoicePopup::eventFilter(QObject* object, QEvent* event)
{
    if (!isVisible())
        return false;
    auto* widget = qobject_cast<QWidget*>(object);
    switch (event->type()) {
    case QEvent::KeyPress:
        return object == m_list && onKey(static_cast<QKeyEvent*>(event)->key());
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        if (!widget || widget == this || isAncestorOf(widget))
            return false;
        close();
        return widget == m_opener;
    case QEvent::WindowDeactivate:
    case QEvent::Resize:
        if (object == parentWidget())
            close();
        return false;
    default:
        return false;
    }
}

bool ChoicePopup::onKey(int key)
{
    if (key == Qt::Key_Escape || key == Qt::Key_Tab || key == Qt::Key_Backtab)
        close();
    else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)
        choose(m_list->currentRow());
    else
        return false;
    return true;
}

void ChoicePopup::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintSurface(painter, m_theme.theme(), QRectF(rect()), kRadius);
}

} // namespace ui
