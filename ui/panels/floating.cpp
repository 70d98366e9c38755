#include "ui/panels/floating.h"

#include "ui/style/paint.h"

#include <QEvent>
#include <QPainter>

namespace ui {

void paintSurface(QPainter& painter, const Theme& theme, const QRectF& card, double radius)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.line.strong, 1));
    painter.setBrush(theme.surface.overlay);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

FloatingShadow::FloatingShadow(ThemeManager& theme, QWidget* owner, double radius)
    : QWidget(owner->parentWidget()), m_theme(theme), m_owner(owner), m_radius(radius)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    owner->installEventFilter(this);
    connect(owner, &QObject::destroyed, this, &QObject::deleteLater);
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void FloatingShadow::setLeader(const QLine& line)
{
    m_leader = line;
    follow();
}

void FloatingShadow::follow()
{
    QRect area = m_owner->geometry().adjusted(-kShadowMargin, -kShadowMargin, kShadowMargin, kShadowMargin);
    if (!m_leader.isNull())
        area = area.united(QRect(m_leader.p1(), m_leader.p2()).normalized().adjusted(-2, -2, 2, 2));
    setGeometry(area);
    stackUnder(m_owner);
    update();
}

bool FloatingShadow::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_owner) {
        switch (event->type()) {
        case QEvent::Move:
        case QEvent::Resize:
        case QEvent::ZOrderChange:
            follow();
            break;
        case QEvent::Show:
            follow();
            show();
            break;
        case QEvent::Hide:
            hide();
            break;
        default:
            break;
        }
    }
    return false;
}

void FloatingShadow::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_theme.theme();
    QPainter painter(this);
    painter.translate(-pos());
    drawShadow(painter, QRectF(m_owner->geometry()), theme.popupShadow, m_radius);
    if (!m_leader.isNull()) {
        painter.setPen(QPen(theme.line.strong, 1));
        painter.drawLine(QPointF(m_leader.p1()) + QPointF(0.5, 0.5), QPointF(m_leader.p2()) + QPointF(0.5, 0.5));
    }
}

} // namespace ui
