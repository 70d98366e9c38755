#include "ui/panels/lessons_list.h"

#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kPath = Qt::UserRole, kAbout = Qt::UserRole + 1;
constexpr int kPadX = 12, kPadY = 10, kGap = 8;

QRect wrapped(const QFont& font, const QString& text, int width)
{
    return QFontMetrics(font).boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, text);
}

class LessonDelegate : public QStyledItemDelegate {
public:
    LessonDelegate(ThemeManager& theme, QListWidget* list) : QStyledItemDelegate(list), m_theme(theme), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        const int width = textWidth();
        const int title = wrapped(titleFont(), index.data().toString(), width - 24).height();
        const QString about = index.data(kAbout).toString();
        const int body = about.isEmpty() ? 0 : wrapped(uiFont(11), about, width).height() + 4;
        return {m_list->viewport()->width(), title + body + 2 * kPadY + kGap};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = m_theme.theme();
        const bool isSelected = option.state & QStyle::State_Selected;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF card = QRectF(option.rect).adjusted(kPadX, kGap / 2.0, -kPadX, -kGap / 2.0);
        painter->setBrush(isSelected                               ? theme.surface.selected
                          : option.state & QStyle::State_MouseOver ? theme.surface.hover
                                                                   : theme.surface.raised);
        painter->setPen(QPen(theme.line.hairline, 1));
        painter->drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        if (isSelected && m_list->hasFocus())
            paintFocusRing(*painter, theme, card, 8);
        const QRectF inner = card.adjusted(10, kPadY, -10, -kPadY);
        painter->drawPixmap(
            inner.topLeft() + QPointF(0, 0),
            iconPixmap(QStringLiteral("lesson"), 16, theme.text.secondary, painter->device()->devicePixelRatioF()));
        painter->setPen(theme.text.primary);
        painter->setFont(titleFont());
        const QString title = index.data().toString(), about = index.data(kAbout).toString();
        const int titleHeight = wrapped(titleFont(), title, textWidth() - 24).height();
        painter->drawText(QRectF(inner.left() + 24, inner.top(), inner.width() - 24, titleHeight), Qt::TextWordWrap,
                          title);
        painter->setPen(theme.text.secondary);
        painter->setFont(uiFont(11));
        painter->drawText(inner.adjusted(0, titleHeight + 4, 0, 4), Qt::TextWordWrap, about);
        painter->restore();
    }

private:
    static QFont titleFont() { return uiFont(12, Weight::SemiBold); }
    int textWidth() const { return std::max(80, m_list->viewport()->width() - 2 * kPadX - 20); }
    ThemeManager& m_theme;
    QListWidget* m_list;
};

} // namespace

LessonsList::LessonsList(ThemeManager& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_list(new QListWidget(this))
{
    setAccessibleName(tr("Lessons"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->addWidget(m_list);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setStyleSheet(QStringLiteral("QListWidget { background: transparent; border: none; }"));
    m_list->setAccessibleName(tr("Lessons"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setMouseTracking(true);
    m_list->setCursor(Qt::PointingHandCursor);
    m_list->setItemDelegate(new LessonDelegate(theme, m_list));
    connect(m_list, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { Q_EMIT lessonActivated(item->data(kPath).toString()); });
    m_list->installEventFilter(this);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void LessonsList::setLessons(const QList<LessonInfo>& lessons)
{
    m_list->clear();
    for (const LessonInfo& lesson : lessons) {
        auto* item = new QListWidgetItem(lesson.title, m_list);
        const QString about = firstSentence(lesson.about);
        item->setData(kPath, lesson.path);
        item->setData(kAbout, about);
        item->setToolTip(lesson.about);
        item->setData(Qt::AccessibleTextRole, lesson.title + u' ' + about);
    }
    if (m_list->count() > 0)
        m_list->setCurrentRow(0);
    m_list->clearSelection();
}

bool LessonsList::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_list->currentItem()) {
            Q_EMIT lessonActivated(m_list->currentItem()->data(kPath).toString());
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

void LessonsList::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), m_theme.theme().surface.panel);
}

} // namespace ui
