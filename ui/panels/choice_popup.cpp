#include "ui/panels/choice_popup.h"

#include "ui/panels/floating.h"
#include "ui/style/paint.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QListWidget>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kWidth = 340;
constexpr int kTextLeft = 32;

// The lines below the title: the sentence, or why not and the remedy.
QString detailOf(const Choice& choice)
{
    if (choice.isAvailable)
        return choice.sentence;
    return choice.remedy.isEmpty() ? choice.reason : choice.reason + u' ' + choice.remedy;
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

ChoicePopup::ChoicePopup(ThemeManager& theme, QList<Choice> choices, const QString& current, QWidget* parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint), m_theme(theme),
      m_choices(std::move(choices)), m_list(new QListWidget(this))
{
    setAttribute(Qt::WA_TranslucentBackground);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kShadowMargin + 6, kShadowMargin + 6, kShadowMargin + 6, kShadowMargin + 6);
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
    m_list->installEventFilter(this);
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { choose(m_list->row(item)); });
}

void ChoicePopup::popup(const QPoint& topLeft)
{
    adjustSize();
    QPoint at = topLeft - QPoint(kShadowMargin, kShadowMargin);
    if (const QScreen* screen = QGuiApplication::screenAt(topLeft)) {
        const QRect area = screen->availableGeometry();
        at.setX(std::min(at.x(), area.right() - width() + kShadowMargin));
        at.setY(std::min(at.y(), area.bottom() - height() + kShadowMargin));
    }
    move(at);
    show();
    m_list->setFocus(Qt::PopupFocusReason);
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
    if (object == m_list && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_Space) {
            choose(m_list->currentRow());
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            close();
            return true;
        }
    }
    return QFrame::eventFilter(object, event);
}

void ChoicePopup::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRectF card = QRectF(rect()).adjusted(kShadowMargin, kShadowMargin, -kShadowMargin, -kShadowMargin);
    drawShadow(painter, card, m_theme.theme().popupShadow, 10);
    paintSurface(painter, m_theme.theme(), card, 10);
}

} // namespace ui
