#include "ui/panels/entry_list.h"

#include "ui/panels/widget_kit.h"

#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QStyledItemDelegate>

#include <cmath>

namespace ui {

namespace {

constexpr int kRowIndex = Qt::UserRole; // into the rows; absent: a group's title
constexpr int kGroupHeight = 26;

} // namespace

class EntryDelegate : public QStyledItemDelegate {
public:
    explicit EntryDelegate(EntryList* list) : QStyledItemDelegate(list), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        return {100, index.data(kRowIndex).isValid() ? m_list->m_rowHeight : kGroupHeight};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = m_list->m_theme.theme();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QVariant row = index.data(kRowIndex);
        if (row.isValid()) {
            paintRow(*painter, theme, option, m_list->m_rows[row.toInt()]);
        } else {
            painter->setFont(uiFont(11, Weight::Medium));
            painter->setPen(theme.text.tertiary);
            painter->drawText(option.rect.adjusted(12, 4, -12, 0), Qt::AlignVCenter, index.data().toString());
        }
        painter->restore();
    }

private:
    static void paintBack(QPainter& painter, const Theme& theme, const QStyleOptionViewItem& option)
    {
        const bool isSelected = option.state & QStyle::State_Selected;
        if (!isSelected && !(option.state & QStyle::State_MouseOver))
            return;
        painter.setPen(Qt::NoPen);
        painter.setBrush(isSelected ? theme.surface.selected : theme.surface.hover);
        painter.drawRoundedRect(option.rect, 6, 6);
    }

    void paintRow(QPainter& painter, const Theme& theme, const QStyleOptionViewItem& option, const EntryRow& row) const
    {
        if (!row.isFaded)
            paintBack(painter, theme, option);
        painter.setOpacity(row.isFaded ? 0.5 : 1);
        const QRectF box = option.rect;
        const double middle = box.center().y();
        const double ratio = painter.device()->devicePixelRatioF();
        painter.drawPixmap(QPointF(box.left() + 12, std::floor(middle - 8)),
                           iconPixmap(row.icon, 16, theme.text.secondary, ratio));
        double right = box.right() - 12;
        if (!row.keys.isEmpty())
            right = paintKey(painter, theme, row.keys, right, middle) - 8;
        if (row.dot) {
            drawDot(painter, {right - 10, middle}, *row.dot, theme, theme.surface.overlay);
            right -= 26;
        }
        if (!row.remark.isEmpty()) {
            painter.setFont(uiFont(11));
            painter.setPen(theme.text.secondary);
            const double room = (right - box.left()) * 0.6;
            const QString remark = painter.fontMetrics().elidedText(row.remark, Qt::ElideRight, static_cast<int>(room));
            const double width = painter.fontMetrics().horizontalAdvance(remark);
            painter.drawText(QRectF(right - width, box.top(), width + 2, box.height()), Qt::AlignVCenter, remark);
            right -= width + 10;
        }
        const double left = box.left() + 38;
        const double width = paintTitle(painter, theme, row, {left, box.top(), right - left, box.height()});
        if (!row.caption.isEmpty() && left + width + 14 < right) {
            painter.setFont(uiFont(11));
            painter.setPen(theme.text.tertiary);
            const QRectF place(left + width + 10, box.top() + 1, right - left - width - 10, box.height());
            painter.drawText(
                place, Qt::AlignVCenter,
                painter.fontMetrics().elidedText(row.caption, Qt::ElideRight, static_cast<int>(place.width())));
        }
        if ((option.state & QStyle::State_HasFocus) && m_list->hasFocus() && !row.isFaded)
            paintFocusRing(painter, theme, box, 6);
    }

    // Letter runs in two weights, the matched ones underlined; returns the width.
    double paintTitle(QPainter& painter, const Theme& theme, const EntryRow& row, const QRectF& place) const
    {
        const QFont plain = uiFont(m_list->m_rowHeight >= 34 ? 13 : 12, Weight::Medium);
        QFont strong = plain;
        strong.setWeight(QFont::DemiBold);
        painter.setPen(theme.text.primary);
        if (row.marked.isEmpty()) {
            painter.setFont(plain);
            const QString shown =
                painter.fontMetrics().elidedText(row.title, Qt::ElideRight, static_cast<int>(place.width()));
            painter.drawText(place, Qt::AlignVCenter, shown);
            return painter.fontMetrics().horizontalAdvance(shown);
        }
        const double baseline = std::round(place.center().y() + QFontMetricsF(plain).capHeight() / 2);
        double x = place.left();
        for (qsizetype i = 0; i < row.title.size() && x < place.right();) {
            const bool isMarked = row.marked.contains(static_cast<int>(i));
            qsizetype end = i + 1;
            while (end < row.title.size() && row.marked.contains(static_cast<int>(end)) == isMarked)
                ++end;
            const QString run = row.title.mid(i, end - i);
            painter.setFont(isMarked ? strong : plain);
            const double width = QFontMetricsF(painter.font()).horizontalAdvance(run);
            painter.drawText(QPointF(x, baseline), run);
            if (isMarked)
                painter.fillRect(QRectF(x, baseline + 3, width, 2), theme.text.primary);
            x += width;
            i = end;
        }
        return x - place.left();
    }

    EntryList* m_list;
};

EntryList::EntryList(ThemeManager& theme, int rowHeight, QWidget* parent)
    : QListWidget(parent), m_theme(theme), m_rowHeight(rowHeight)
{
    setFrameShape(QFrame::NoFrame);
    setStyleSheet(QStringLiteral("QListWidget { background: transparent; border: none; }"));
    setItemDelegate(new EntryDelegate(this));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMouseTracking(true);
    setUniformItemSizes(false);
    connect(&theme, &ThemeManager::changed, viewport(), qOverload<>(&QWidget::update));
}

void EntryList::clearRows()
{
    clear();
    m_rows.clear();
}

void EntryList::addGroup(const QString& title)
{
    auto* item = new QListWidgetItem(title, this);
    item->setFlags(Qt::NoItemFlags);
    item->setData(Qt::AccessibleTextRole, title);
}

void EntryList::addRow(const EntryRow& row)
{
    m_rows << row;
    auto* item = new QListWidgetItem(row.title, this);
    item->setData(kRowIndex, static_cast<int>(m_rows.size()) - 1);
    Qt::ItemFlags flags = row.isFaded ? Qt::ItemFlags(Qt::ItemIsSelectable) : Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    if (!m_mimeType.isEmpty())
        flags |= Qt::ItemIsDragEnabled;
    item->setFlags(flags);
    QString spoken = row.spoken;
    if (spoken.isEmpty()) {
        spoken = row.title;
        for (const QString& more : {row.caption, row.remark})
            if (!more.isEmpty())
                spoken += QStringLiteral(", ") + more;
    }
    item->setData(Qt::AccessibleTextRole, spoken);
    item->setToolTip(row.tip);
}

const EntryRow* EntryList::rowAt(int listRow) const
{
    const QListWidgetItem* item = this->item(listRow);
    if (!item || !item->data(kRowIndex).isValid())
        return nullptr;
    return &m_rows[item->data(kRowIndex).toInt()];
}

void EntryList::selectFirst()
{
    setCurrentRow(-1);
    for (int i = 0; i < count(); ++i) {
        const EntryRow* row = rowAt(i);
        if (row && !row->isFaded) {
            setCurrentRow(i);
            scrollToTop();
            return;
        }
    }
}

bool EntryList::onStepKey(int key)
{
    constexpr int kPage = 8;
    switch (key) {
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_PageUp:
        step(-kPage);
        return true;
    case Qt::Key_PageDown:
        step(kPage);
        return true;
    default:
        return false;
    }
}

void EntryList::step(int by)
{
    const int direction = by < 0 ? -1 : 1;
    int at = currentRow(), left = std::abs(by);
    for (int i = at + direction; i >= 0 && i < count() && left > 0; i += direction) {
        const EntryRow* row = rowAt(i);
        if (row && !row->isFaded) {
            at = i;
            --left;
        }
    }
    setCurrentRow(at);
    if (at > 0 && !rowAt(at - 1) && direction < 0)
        scrollToItem(item(at - 1)); // its group's title with it
}

int EntryList::contentHeight() const
{
    int height = 0;
    for (int i = 0; i < count(); ++i)
        height += rowAt(i) ? m_rowHeight : kGroupHeight;
    return height;
}

void EntryList::setMimeType(const QString& type)
{
    m_mimeType = type;
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setDefaultDropAction(Qt::CopyAction);
}

QMimeData* EntryList::mimeData(const QList<QListWidgetItem*>& items) const
{
    const EntryRow* row = items.isEmpty() ? nullptr : rowAt(this->row(items.front()));
    if (!row)
        return nullptr;
    auto* dragged = new QMimeData;
    dragged->setData(m_mimeType, row->id.toUtf8());
    return dragged;
}

void EntryList::keyPressEvent(QKeyEvent* event)
{
    const EntryRow* row = currentEntry();
    if (row && !row->isFaded && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        Q_EMIT chosen(row->id);
    else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        step(event->key() == Qt::Key_Up ? -1 : 1);
    else
        QListWidget::keyPressEvent(event);
}

} // namespace ui
