#include "ui/panels/refusal_card.h"

#include "ui/document/remedies.h"
#include "ui/panels/findings_panel.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kWidth = 392;

bool isWider(engine::DType a, engine::DType b)
{
    return a != b && engine::isExactCast(b, a);
}

} // namespace

FindingDTypes findingDTypes(const PlanStore& plans, const engine::Finding& finding)
{
    const engine::NodeView* view = plans.node(finding.node);
    const engine::PortView* port = plans.port(finding.node, finding.port);
    if (!view || !port)
        return {};
    std::optional<engine::DType> used = port->used;
    for (const engine::PortView& other : view->ports)
        if (!used && other.port != finding.port && other.arrives)
            used = other.arrives;
    return {port->arrives, used};
}

QString remedyCost(const engine::NodeView& node, const std::string& remedy)
{
    const bool isWidest = remedy == "compute-widest";
    if (remedy == "insert-cast")
        return RefusalCard::tr("on this wire, seen by everyone");
    if (remedy == "switch-dialect")
        return RefusalCard::tr("the whole graph under other rules");
    if (!isWidest && remedy != "compute-narrowest")
        return {};
    const engine::PortView* changed = nullptr; // of two unequal operands, the one that would be cast
    const engine::PortView* kept = nullptr;
    for (const engine::PortView& port : node.ports) {
        if (!port.arrives || !engine::isFloat(*port.arrives))
            continue;
        if (!kept || (isWidest ? isWider(*port.arrives, *kept->arrives) : isWider(*kept->arrives, *port.arrives)))
            kept = &port;
    }
    for (const engine::PortView& port : node.ports)
        if (kept && port.arrives && engine::isFloat(*port.arrives) && *port.arrives != *kept->arrives)
            changed = changed ? changed : &port;
    if (!changed)
        return {};
    const QString port = humanName(changed->port).toLower(), from = dtypeWord(*changed->arrives);
    if (engine::isExactCast(*changed->arrives, *kept->arrives))
        return RefusalCard::tr("widest: the %1 %2 widens exactly").arg(from, port);
    return RefusalCard::tr("narrowest: the %1 %2 keeps %3 of %4 bits")
        .arg(from, port)
        .arg(engine::precision(*kept->arrives))
        .arg(engine::precision(*changed->arrives));
}

RefusalCard::RefusalCard(const PanelContext& context, QWidget* parent) : FloatingCard(context, parent, kWidth)
{
    connect(&context.plans, &PlanStore::changed, this, [this] {
        const engine::Finding* now = finding();
        if (isOpen() && (!now || !(*now == m_shown)))
            showNow();
    });
}

const engine::Finding* RefusalCard::finding() const
{
    const engine::NodeView* view = m_context.plans.node(m_node);
    if (!view || !view->refused)
        return nullptr;
    for (const engine::Finding& f : m_context.plans.plan().findings)
        if (f.node == m_node && f.severity == engine::Severity::Error)
            return &f;
    return nullptr;
}

void RefusalCard::hover(engine::NodeId node, const QRect& anchor, const QRect& avoid)
{
    if (isPinned())
        return;
    m_waiting = node;
    if (isOpen() && m_node == node)
        stay();
    else
        hoverAt(anchor, avoid);
}

bool RefusalCard::open(engine::NodeId node, const QRect& anchor, const QRect& avoid)
{
    m_node = node;
    return openAt(anchor, avoid);
}

QWidget* RefusalCard::makeContent()
{
    const engine::Finding* found = finding();
    if (!found)
        return nullptr;
    m_shown = *found;
    ThemeManager& theme = m_context.theme;
    auto* made = new QWidget(this);
    auto* column = new QVBoxLayout(made);
    column->setContentsMargins(kPad, 12, kPad, 14);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    auto* octagon = new QLabel(made);
    octagon->setPixmap(iconPixmap(QStringLiteral("error"), 20, theme.theme().status.error, devicePixelRatioF()));
    head->addWidget(octagon, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    const auto [title, detail] = splitMessage(text(found->message));
    m_title = title;
    auto* titleLabel = new TextLabel(theme, Tone::Primary, uiFont(13, Weight::SemiBold), title, made);
    auto* detailLabel = new TextLabel(theme, Tone::Secondary, uiFont(12), detail, made);
    for (TextLabel* label : {titleLabel, detailLabel}) {
        label->setWordWrap(true);
        words->addWidget(label);
    }
    head->addLayout(words, 1);
    column->addLayout(head);
    m_buttons.clear();
    addRemedies(column, made, *found);
    setAccessibleName(title + u' ' + detail);
    return made;
}

void RefusalCard::addRemedies(QVBoxLayout* column, QWidget* made, const engine::Finding& found)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    const auto [arrives, used] = findingDTypes(m_context.plans, found);
    const engine::NodeView* view = m_context.plans.node(m_node);
    for (const std::string& remedy : found.remedies) {
        const auto make = [this, node = found.node, port = found.port, remedy, arrives = arrives, used = used] {
            return remedyEdit(m_context.document.value(), m_context.ops, node, port, remedy, arrives, used);
        };
        const std::optional<NamedEdit> named = make();
        if (!named)
            continue;
        QPushButton* button = makeButton(named->label, m_buttons.isEmpty() ? Look::Primary : Look::Normal, made);
        button->setToolTip(named->name);
        button->setProperty("remedy", text(remedy));
        connect(button, &QPushButton::clicked, this, [this, make] {
            const std::optional<NamedEdit> now = make(); // the document may have moved on
            dismiss();
            if (now)
                (void)m_context.document.apply(now->edit, now->name); // refused: nothing has changed
        });
        const QString cost = view ? remedyCost(*view, remedy) : QString();
        button->setAccessibleDescription(cost.isEmpty() ? named->name : cost);
        grid->addWidget(button, static_cast<int>(m_buttons.size()), 0);
        auto* costLabel = new TextLabel(m_context.theme, Tone::Secondary, uiFont(11), cost, made);
        costLabel->setWordWrap(true);
        grid->addWidget(costLabel, static_cast<int>(m_buttons.size()), 1);
        m_buttons << button;
    }
    if (m_buttons.isEmpty()) {
        delete grid;
        return;
    }
    column->addSpacing(12);
    column->addLayout(grid);
}

} // namespace ui
