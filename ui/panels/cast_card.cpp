#include "ui/panels/cast_card.h"

#include "ui/document/remedies.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QPainter>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kWidth = 336;

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

CastCard::CastCard(const PanelContext& context, QWidget* parent) : FloatingCard(context, parent, kWidth)
{
    connect(&context.snapshots, &SnapshotStore::changed, this, &CastCard::refresh);
    connect(&context.plans, &PlanStore::changed, this, &CastCard::refresh);
}

void CastCard::hover(engine::NodeId node, const std::string& port, const QRect& anchor, const QRect& avoid)
{
    if (isPinned())
        return;
    m_waiting = {node, port};
    if (isOpen() && m_target == m_waiting)
        stay();
    else
        hoverAt(anchor, avoid);
}

void CastCard::open(engine::NodeId node, const std::string& port, const QRect& anchor, const QRect& avoid)
{
    m_target = {node, port};
    openAt(anchor, avoid);
}

QWidget* CastCard::makeContent()
{
    const std::optional<CastFacts> facts = castFacts(m_context, m_target.node, m_target.port);
    if (!facts)
        return nullptr;
    m_facts = *facts;
    m_acts.clear();
    auto* made = new QWidget(this);
    auto* column = new QVBoxLayout(made);
    column->setContentsMargins(kPad, 10, kPad, 12);
    column->setSpacing(0);
    addHead(column, made);
    addMeasures(column, made);
    addActs(column, made);
    setAccessibleName(m_facts.spoken());
    return made;
}

void CastCard::refresh()
{
    if (isOpen() && castFacts(m_context, m_target.node, m_target.port) != std::optional(m_facts))
        showNow();
}

void CastCard::addHead(QVBoxLayout* column, QWidget* made)
{
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(new TagLabel(m_context.theme, m_facts.from, 12, made));
    head->addWidget(new CastArrow(m_context.theme, m_facts.level, made));
    head->addWidget(new TagLabel(m_context.theme, m_facts.to, 12, made));
    head->addSpacing(4);
    auto* place = new TextLabel(m_context.theme, Tone::Primary, uiFont(13, Weight::SemiBold), m_facts.place, made);
    place->setWordWrap(true);
    head->addWidget(place, 1);
    column->addLayout(head);
    auto* bits = new CastBits(m_context.theme, made);
    bits->setCast(m_facts.from, m_facts.to);
    column->addSpacing(5);
    column->addWidget(bits);
    auto* kept = new QHBoxLayout;
    kept->addWidget(new TextLabel(m_context.theme, Tone::Secondary, uiFont(11), m_facts.kept, made));
    kept->addStretch(1);
    const bool isLoss = m_facts.level != DotLevel::Exact;
    kept->addWidget(new TextLabel(m_context.theme, isLoss ? Tone::Loss : Tone::Secondary,
                                  uiFont(11, isLoss ? Weight::SemiBold : Weight::Regular), m_facts.lost, made));
    column->addLayout(kept);
}

void CastCard::addMeasures(QVBoxLayout* column, QWidget* made)
{
    column->addSpacing(8);
    if (!m_facts.isMeasured) {
        auto* wait =
            new TextLabel(m_context.theme, Tone::Tertiary, uiFont(11), tr("Measured with the next run."), made);
        column->addWidget(wait);
    }
    const auto line = [&](const QString& label, const QString& value, Tone tone) {
        if (value.isEmpty())
            return;
        auto* row = new QHBoxLayout;
        row->addWidget(new TextLabel(m_context.theme, Tone::Secondary, uiFont(12), label, made));
        row->addStretch(1);
        row->addWidget(
            new TextLabel(m_context.theme, m_facts.isStale ? Tone::Disabled : tone, monoFont(12), value, made));
        column->addLayout(row);
        column->addSpacing(4);
    };
    line(tr("Values changed"), m_facts.changed, Tone::Primary);
    line(tr("Largest relative change"), m_facts.largest, Tone::Primary);
    line(tr("New Inf · zero · NaN"), m_facts.bad, m_facts.level == DotLevel::Overflow ? Tone::Error : Tone::Primary);
    column->addSpacing(5);
    column->addWidget(new Hairline(m_context.theme, made));
    column->addSpacing(8);
    auto* decided = new TextLabel(m_context.theme, Tone::Secondary, uiFont(11), m_facts.decided, made);
    decided->setWordWrap(true);
    column->addWidget(decided);
}

void CastCard::addActs(QVBoxLayout* column, QWidget* made)
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
        QPushButton* button = makeButton(label, look, made);
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

} // namespace ui
