#include "ui/panels/floating_card.h"

#include "ui/panels/floating.h"
#include "ui/panels/widget_kit.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kGapToDot = 12, kEdge = 8, kLeaderInset = 12, kOpenDelay = 250, kCloseDelay = 220;
constexpr double kRadius = 10;

} // namespace

FloatingCard::FloatingCard(const PanelContext& context, QWidget* parent, int width)
    : QWidget(parent), m_context(context), m_width(width)
{
    if (parent)
        m_shadow = new FloatingShadow(context.theme, this, kRadius);
    else
        setWindowFlags(Qt::ToolTip | Qt::FramelessWindowHint);
    setAttribute(Qt::WA_TranslucentBackground);
    setFocusPolicy(Qt::ClickFocus);
    hide();
    m_openTimer.setSingleShot(true);
    m_closeTimer.setSingleShot(true);
    connect(&m_openTimer, &QTimer::timeout, this, [this] {
        m_at = m_waitingAt;
        m_isPinned = false;
        takeWaiting();
        showNow();
    });
    connect(&m_closeTimer, &QTimer::timeout, this, [this] {
        if (!m_isPinned)
            dismiss();
    });
    connect(&context.theme, &ThemeManager::changed, this, [this] {
        if (isOpen())
            showNow();
    });
    connect(&context.document, &GraphDocument::documentReset, this, &FloatingCard::dismiss);
}

void FloatingCard::hoverAt(const QRect& anchor, const QRect& avoid)
{
    m_waitingAt = {anchor, avoid};
    m_openTimer.start(kOpenDelay);
}

bool FloatingCard::openAt(const QRect& anchor, const QRect& avoid)
{
    m_openTimer.stop();
    m_closeTimer.stop();
    m_at = {anchor, avoid};
    m_isPinned = true;
    if (showNow())
        setFocus(Qt::PopupFocusReason);
    else
        m_isPinned = false;
    return m_isPinned;
}

void FloatingCard::leave()
{
    m_openTimer.stop();
    if (isOpen() && !m_isPinned)
        m_closeTimer.start(kCloseDelay);
}

void FloatingCard::moveAnchor(const QRect& anchor, const QRect& avoid)
{
    m_at = {anchor, avoid};
    if (isOpen())
        place();
}

void FloatingCard::dismiss()
{
    m_openTimer.stop();
    m_closeTimer.stop();
    m_isPinned = false;
    if (!isVisible())
        return;
    const QWidget* focus = QApplication::focusWidget();
    if (m_focusAfter && focus && (focus == this || isAncestorOf(focus)))
        m_focusAfter->setFocus();
    hide();
    Q_EMIT dismissed();
}

bool FloatingCard::showNow()
{
    m_closeTimer.stop();
    QWidget* made = makeContent();
    if (!made) {
        dismiss();
        return false;
    }
    setContent(made);
    place();
    const bool wasOpen = isVisible();
    show();
    raise();
    if (!wasOpen)
        Q_EMIT opened();
    return true;
}

void FloatingCard::setContent(QWidget* made)
{
    if (m_content) {
        m_content->hide();
        m_content->deleteLater(); // a button of it may be the one that was pressed
    }
    m_content = made;
    made->setFixedWidth(m_width);
    QLayout* layout = made->layout();
    layout->activate();
    const int height = layout->hasHeightForWidth() ? layout->heightForWidth(m_width) : layout->sizeHint().height();
    made->setFixedHeight(height);
    made->show();
    setFixedSize(m_width, height);
}

QRect FloatingCard::toLocal(const QRect& global) const
{
    return parentWidget() ? QRect(parentWidget()->mapFromGlobal(global.topLeft()), global.size()) : global;
}

// Where a card may lie: the canvas, then all of the window (or the screen, for a window of its own).
QList<QRect> FloatingCard::areas(const QRect& anchor) const
{
    QList<QRect> list;
    if (m_area)
        list << toLocal({m_area->mapToGlobal(QPoint()), m_area->size()});
    if (parentWidget())
        return list << parentWidget()->rect();
    const QScreen* screen = QGuiApplication::screenAt(anchor.center());
    return list << (screen ? screen->availableGeometry()
                           : QRect(anchor.topLeft() - QPoint(2000, 2000), QSize(4000, 4000)));
}

// Above if there is room, else below; else beside the node, never over it.
QPoint FloatingCard::spotFor(const QRect& anchor, const QRect& avoid) const
{
    const QSize card = m_content->size();
    const QList<QRect> all = areas(anchor);
    const auto clampedX = [&](const QRect& area) {
        return std::clamp(anchor.center().x() - card.width() / 2, area.left() + kEdge,
                          std::max(area.left() + kEdge, area.right() - card.width() - kEdge));
    };
    for (const QRect& area : all) {
        const int above = std::min(anchor.top(), avoid.top()) - kGapToDot - card.height();
        const int below = std::max(anchor.bottom(), avoid.bottom()) + kGapToDot;
        if (above >= area.top() + kEdge)
            return {clampedX(area), above};
        if (below + card.height() <= area.bottom() - kEdge)
            return {clampedX(area), below};
    }
    const QRect area = all.back();
    const int y = std::clamp(anchor.center().y() - card.height() / 2, area.top() + kEdge,
                             std::max(area.top() + kEdge, area.bottom() - card.height() - kEdge));
    const bool isLeft = avoid.left() - kGapToDot - card.width() >= area.left() + kEdge;
    return {isLeft ? std::min(avoid.left(), anchor.left()) - kGapToDot - card.width() : avoid.right() + kGapToDot, y};
}

void FloatingCard::place()
{
    const QRect anchor = toLocal(m_at.anchor);
    const QRect avoid = m_at.avoid.isNull() ? anchor : toLocal(m_at.avoid);
    const QSize card = m_content->size();
    QPoint at = spotFor(anchor, avoid);
    if (m_keepClear && m_keepClear->isVisible()) {
        const QRect other = toLocal({m_keepClear->mapToGlobal(QPoint()), m_keepClear->size()});
        const int left = other.left() - kEdge - card.width();
        if (QRect(at, card).intersects(other) && left + card.width() - kLeaderInset > anchor.center().x())
            at.setX(std::max(kEdge, left));
    }
    const int x = at.x(), y = at.y();
    move(x, y);
    if (!m_shadow)
        return;
    // The leader: straight up or down from the dot to the card's edge.
    const int leader = std::clamp(anchor.center().x(), x + kLeaderInset, x + card.width() - kLeaderInset);
    if (y + card.height() <= anchor.top())
        m_shadow->setLeader({leader, y + card.height(), leader, anchor.top() - 1});
    else if (y >= anchor.bottom())
        m_shadow->setLeader({leader, anchor.bottom() + 1, leader, y});
    else
        m_shadow->setLeader({});
}

void FloatingCard::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_context.theme.theme();
    QPainter painter(this);
    paintSurface(painter, theme, rect(), kRadius);
    if (hasFocus())
        paintFocusRing(painter, theme, rect(), kRadius);
}

void FloatingCard::enterEvent(QEnterEvent*)
{
    m_closeTimer.stop();
}

void FloatingCard::leaveEvent(QEvent*)
{
    leave();
}

void FloatingCard::mousePressEvent(QMouseEvent* event)
{
    m_isPinned = true;
    setFocus(Qt::MouseFocusReason);
    event->accept();
}

void FloatingCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QWidget::keyPressEvent(event);
}

} // namespace ui
