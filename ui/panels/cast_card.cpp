#include "ui/panels/cast_card.h"

#include "ui/document/remedies.h"
#include "ui/panels/floating.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kWidth = 336, kPad = 14, kGapToDot = 12, kOpenDelay = 250, kCloseDelay = 220;
constexpr double kRadius = 10;

// from ─●─ to
class CastArrow : public QWidget {
public:
    CastArrow(ThemeManager& theme, DotLevel level, QWidget* parent) : QWidget(parent), m_theme(theme), m_level(level)
    {
        setFixedSize(38, 26);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = m_theme.theme();
        const double middle = height() / 2.0 - 1, reach = dotRadius(m_level) + 2;
        painter.setPen(QPen(theme.text.tertiary, 1.5));
        painter.drawLine(QPointF(1, middle), QPointF(19 - reach, middle));
        painter.drawLine(QPointF(19 + reach, middle), QPointF(37, middle));
        drawDot(painter, {19, middle}, m_level, theme, theme.surface.overlay);
    }

private:
    ThemeManager& m_theme;
    DotLevel m_level;
};

} // namespace

CastCard::CastCard(const PanelContext& context, QWidget* parent) : QWidget(parent), m_context(context)
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
        m_target = m_waiting;
        m_isPinned = false;
        showTarget();
    });
    connect(&m_closeTimer, &QTimer::timeout, this, [this] {
        if (!m_isPinned)
            dismiss();
    });
    connect(&context.snapshots, &SnapshotStore::changed, this, &CastCard::refresh);
    connect(&context.plans, &PlanStore::changed, this, &CastCard::refresh);
    connect(&context.theme, &ThemeManager::changed, this, [this] {
        if (isOpen())
            showTarget();
    });
    connect(&context.document, &GraphDocument::documentReset, this, &CastCard::dismiss);
}

void CastCard::hover(engine::NodeId node, const std::string& port, const QRect& anchor, const QRect& avoid)
{
    if (m_isPinned)
        return;
    m_closeTimer.stop();
    if (isOpen() && m_target.node == node && m_target.port == port)
        return;
    m_waiting = {node, port, anchor, avoid};
    m_openTimer.start(kOpenDelay);
}

void CastCard::open(engine::NodeId node, const std::string& port, const QRect& anchor, const QRect& avoid)
{
    m_openTimer.stop();
    m_closeTimer.stop();
    m_target = {node, port, anchor, avoid};
    m_isPinned = true;
    if (showTarget())
        setFocus(Qt::PopupFocusReason);
    else
        m_isPinned = false;
}

void CastCard::leave()
{
    m_openTimer.stop();
    if (isOpen() && !m_isPinned)
        m_closeTimer.start(kCloseDelay);
}

void CastCard::moveAnchor(const QRect& anchor, const QRect& avoid)
{
    m_target.anchor = anchor;
    m_target.avoid = avoid;
    if (isOpen())
        place();
}

void CastCard::dismiss()
{
    m_openTimer.stop();
    m_closeTimer.stop();
    m_isPinned = false;
    if (!isVisible())
        return;
    hide();
    Q_EMIT dismissed();
}

bool CastCard::showTarget()
{
    const std::optional<CastFacts> facts = castFacts(m_context, m_target.node, m_target.port);
    if (!facts) {
        dismiss();
        return false;
    }
    m_facts = *facts;
    rebuild();
    place();
    const bool wasOpen = isVisible();
    show();
    raise();
    if (!wasOpen)
        Q_EMIT opened();
    return true;
}

void CastCard::refresh()
{
    if (isOpen() && castFacts(m_context, m_target.node, m_target.port) != std::optional(m_facts))
        showTarget();
}

void CastCard::addHead(QVBoxLayout* column)
{
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(new TagLabel(m_context.theme, m_facts.from, 12, m_content));
    head->addWidget(new CastArrow(m_context.theme, m_facts.level, m_content));
    head->addWidget(new TagLabel(m_context.theme, m_facts.to, 12, m_content));
    head->addSpacing(4);
    auto* place = new TextLabel(m_context.theme, Tone::Primary, uiFont(13, Weight::SemiBold), m_facts.place, m_content);
    place->setWordWrap(true);
    head->addWidget(place, 1);
    column->addLayout(head);
    auto* bits = new CastBits(m_context.theme, m_content);
    bits->setCast(m_facts.from, m_facts.to);
    column->addSpacing(5);
    column->addWidget(bits);
    auto* kept = new QHBoxLayout;
    kept->addWidget(new TextLabel(m_context.theme, Tone::Secondary, uiFont(11), m_facts.kept, m_content));
    kept->addStretch(1);
    const bool isLoss = m_facts.level != DotLevel::Exact;
    kept->addWidget(new TextLabel(m_context.theme, isLoss ? Tone::Loss : Tone::Secondary,
                                  uiFont(11, isLoss ? Weight::SemiBold : Weight::Regular), m_facts.lost, m_content));
    column->addLayout(kept);
}

void CastCard::addMeasures(QVBoxLayout* column)
{
    column->addSpacing(8);
    if (!m_facts.isMeasured) {
        auto* wait =
            new TextLabel(m_context.theme, Tone::Tertiary, uiFont(11), tr("Measured with the next run."), m_content);
        column->addWidget(wait);
    }
    const auto line = [&](const QString& label, const QString& value, Tone tone) {
        if (value.isEmpty())
            return;
        auto* row = new QHBoxLayout;
        row->addWidget(new TextLabel(m_context.theme, Tone::Secondary, uiFont(12), label, m_content));
        row->addStretch(1);
        row->addWidget(
            new TextLabel(m_context.theme, m_facts.isStale ? Tone::Disabled : tone, monoFont(12), value, m_content));
        column->addLayout(row);
        column->addSpacing(4);
    };
    line(tr("Values changed"), m_facts.changed, Tone::Primary);
    line(tr("Largest relative change"), m_facts.largest, Tone::Primary);
    line(tr("New Inf · zero · NaN"), m_facts.bad, m_facts.level == DotLevel::Overflow ? Tone::Error : Tone::Primary);
    column->addSpacing(5);
    column->addWidget(new Hairline(m_context.theme, m_content));
    column->addSpacing(8);
    auto* decided = new TextLabel(m_context.theme, Tone::Secondary, uiFont(11), m_facts.decided, m_content);
    decided->setWordWrap(true);
    column->addWidget(decided);
}

void CastCard::addActs(QVBoxLayout* column)
{
    auto* line = new FlowLayout(6, 4);
    for (CastAct act : {CastAct::MakeCastNode, CastAct::SetLayerDType, CastAct::Forbid}) {
        if (!m_facts.isImplicit)
            break;
        const std::optional<NamedEdit> named =
            castActEdit(m_context.document.value(), m_facts.node, m_facts.port, act, m_facts.from, m_facts.to);
        if (!named)
            continue;
        const Look look = act == CastAct::MakeCastNode ? Look::Primary
                          : act == CastAct::Forbid     ? Look::Quiet
                                                       : Look::Normal;
        const QString label = act == CastAct::Forbid ? tr("Forbid") : named->label; // its tooltip says what
        QPushButton* button = makeButton(label, look, m_content);
        button->setToolTip(named->name);
        button->setAccessibleDescription(named->name);
        connect(button, &QPushButton::clicked, this, [this, act] {
            const std::optional<NamedEdit> now =
                castActEdit(m_context.document.value(), m_facts.node, m_facts.port, act, m_facts.from, m_facts.to);
            dismiss();
            if (now)
                (void)m_context.document.apply(now->edit, now->name); // refused: nothing has changed
        });
        line->addWidget(button);
        m_acts << button;
    }
    if (m_acts.isEmpty()) {
        delete line;
        return;
    }
    column->addSpacing(10);
    column->addLayout(line);
}

void CastCard::rebuild()
{
    if (m_content) {
        m_content->hide();
        m_content->deleteLater(); // a button of it may be the one that was pressed
    }
    m_acts.clear();
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(kPad, 10, kPad, 12);
    column->setSpacing(0);
    addHead(column);
    addMeasures(column);
    addActs(column);
    m_content->setFixedWidth(kWidth);
    column->activate();
    const int height = column->hasHeightForWidth() ? column->heightForWidth(kWidth) : column->sizeHint().height();
    m_content->setFixedHeight(height);
    m_content->show();
    setFixedSize(kWidth, height);
    setAccessibleName(m_facts.spoken());
}

void CastCard::place()
{
    const auto toLocal = [this](const QRect& global) {
        return parentWidget() ? QRect(parentWidget()->mapFromGlobal(global.topLeft()), global.size()) : global;
    };
    const QRect anchor = toLocal(m_target.anchor);
    const QRect avoid = m_target.avoid.isNull() ? anchor : toLocal(m_target.avoid);
    const QRect area = parentWidget() ? parentWidget()->rect()
                       : QGuiApplication::screenAt(anchor.center())
                           ? QGuiApplication::screenAt(anchor.center())->availableGeometry()
                           : QRect(anchor.topLeft() - QPoint(2000, 2000), QSize(4000, 4000));
    const QSize card = m_content->size();
    int x = anchor.center().x() - card.width() / 2;
    x = std::clamp(x, area.left() + 8, std::max(area.left() + 8, area.right() - card.width() - 8));
    int y = std::min(anchor.top(), avoid.top()) - kGapToDot - card.height();
    if (y < area.top() + 8) {
        y = std::max(anchor.bottom(), avoid.bottom()) + kGapToDot;
        if (y + card.height() > area.bottom() - 8) { // neither above nor below: beside the node, never over it
            y = std::clamp(anchor.center().y() - card.height() / 2, area.top() + 8,
                           std::max(area.top() + 8, area.bottom() - card.height() - 8));
            x = avoid.left() - kGapToDot - card.width() >= area.left() + 8
                    ? std::min(avoid.left(), anchor.left()) - kGapToDot - card.width()
                    : avoid.right() + kGapToDot;
        }
    }
    move(x, y);
    if (!m_shadow)
        return;
    // The leader: straight up or down from the dot to the card's edge.
    const int leader = std::clamp(anchor.center().x(), x + 12, x + card.width() - 12);
    if (y + card.height() <= anchor.top())
        m_shadow->setLeader({leader, y + card.height(), leader, anchor.top() - 1});
    else if (y >= anchor.bottom())
        m_shadow->setLeader({leader, anchor.bottom() + 1, leader, y});
    else
        m_shadow->setLeader({});
}

void CastCard::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_context.theme.theme();
    QPainter painter(this);
    paintSurface(painter, theme, rect(), kRadius);
    if (hasFocus())
        paintFocusRing(painter, theme, rect(), kRadius);
}

void CastCard::enterEvent(QEnterEvent*)
{
    m_closeTimer.stop();
}

void CastCard::leaveEvent(QEvent*)
{
    leave();
}

void CastCard::mousePressEvent(QMouseEvent* event)
{
    m_isPinned = true;
    setFocus(Qt::MouseFocusReason);
    event->accept();
}

void CastCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QWidget::keyPressEvent(event);
}

} // namespace ui
