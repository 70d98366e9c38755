// One finding: icon, title, what and where, what the framework says, remedies.
#include "ui/document/remedies.h"
#include "ui/panels/findings_panel.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/refusal_card.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace ui {

namespace {

QString severityWord(engine::Severity severity)
{
    switch (severity) {
    case engine::Severity::Error:
        return FindingRow::tr("Error");
    case engine::Severity::Warning:
        return FindingRow::tr("Warning");
    case engine::Severity::Note:
        return FindingRow::tr("Note");
    }
    return {};
}

struct SeverityLook {
    QString icon;
    QColor color, background;
};

SeverityLook lookOf(engine::Severity severity, const Theme& theme)
{
    switch (severity) {
    case engine::Severity::Error:
        return {QStringLiteral("error"), theme.status.error, theme.status.errorBackground};
    case engine::Severity::Warning:
        return {QStringLiteral("warning"), theme.status.warning, theme.status.warningBackground};
    case engine::Severity::Note:
        break;
    }
    return {QStringLiteral("ok"), theme.status.info, theme.surface.raised};
}

} // namespace

std::pair<QString, QString> splitMessage(const QString& message)
{
    qsizetype colon = message.indexOf(QStringLiteral(": "));
    if (colon < 0)
        return {message, {}};
    QString rest = message.mid(colon + 2);
    rest[0] = rest[0].toUpper();
    if (!rest.endsWith(u'.'))
        rest += u'.';
    return {message.left(colon), rest};
}

FindingRow::FindingRow(const PanelContext& context, const ListedFinding& listed, QWidget* parent)
    : QFrame(parent), m_context(context), m_finding(listed.finding), m_isStale(listed.isStale)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(m_finding.node ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const auto [title, detail] = splitMessage(text(m_finding.message));
    m_title = title;
    QString place = severityWord(m_finding.severity);
    if (!listed.node.isEmpty())
        place += m_finding.port.empty() ? tr(" at %1").arg(listed.node)
                                        : tr(" at %1, %2").arg(listed.node, text(m_finding.port));
    m_detail = place + u'.' + (detail.isEmpty() ? QString() : u' ' + detail);
    if (!m_finding.frameworkMessage.empty())
        m_detail += u' ' + tr("The framework says: “%1”").arg(text(m_finding.frameworkMessage));
    setAccessibleName(m_title);
    setAccessibleDescription(m_detail);
    setToolTip(tr("Rule %1").arg(text(m_finding.rule)));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 12, 12, 12);
    row->setSpacing(12);
    row->addSpacing(36); // the icon is painted there
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    row->addLayout(column, 1);
    const Tone strong = m_isStale ? Tone::Disabled : Tone::Primary, soft = m_isStale ? Tone::Disabled : Tone::Secondary;
    auto* titleLabel = new TextLabel(context.theme, strong, uiFont(12, Weight::SemiBold), m_title, this);
    auto* detailLabel = new TextLabel(context.theme, soft, uiFont(11), m_detail, this);
    for (TextLabel* label : {titleLabel, detailLabel}) {
        label->setWordWrap(true);
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
        column->addWidget(label);
    }
    addRemedies(column);
}

void FindingRow::addRemedies(QVBoxLayout* column)
{
    const auto [arrives, used] = findingDTypes(m_context.plans, m_finding);
    auto* line = new FlowLayout(6, 4);
    for (const std::string& remedy : m_finding.remedies) {
        const std::optional<NamedEdit> named = remedyEdit(m_context.document.value(), m_context.ops, m_finding.node,
                                                          m_finding.port, remedy, arrives, used);
        if (!named)
            continue;
        const Look look = m_buttons.isEmpty() ? Look::Primary : remedy == "switch-dialect" ? Look::Quiet : Look::Normal;
        QPushButton* button = makeButton(named->label, look, this);
        button->setToolTip(named->name);
        button->setAccessibleDescription(named->name);
        button->setProperty("remedy", text(remedy));
        // The remedy is made anew when it is pressed: the document may have moved on.
        connect(button, &QPushButton::clicked, this, [this, remedy, arrives = arrives, used = used] {
            if (const std::optional<NamedEdit> now = remedyEdit(m_context.document.value(), m_context.ops,
                                                                m_finding.node, m_finding.port, remedy, arrives, used))
                (void)m_context.document.apply(now->edit, now->name); // refused: nothing has changed
        });
        line->addWidget(button);
        m_buttons << button;
    }
    if (m_buttons.isEmpty()) {
        delete line;
        return;
    }
    column->addSpacing(4);
    column->addLayout(line);
}

void FindingRow::selectNode()
{
    if (m_finding.node && m_context.document.graph().find(m_finding.node))
        m_context.selection.select(m_finding.node);
}

void FindingRow::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        selectNode();
}

void FindingRow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        selectNode();
    else
        QFrame::keyPressEvent(event);
}

void FindingRow::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_context.theme.theme();
    const SeverityLook look = lookOf(m_finding.severity, theme);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() && m_finding.node)
        painter.fillRect(rect(), theme.surface.hover);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line.hairline);
    painter.setOpacity(m_isStale ? theme.plot.staleOpacity : 1);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.background);
    painter.drawRoundedRect(QRectF(12, 12, 24, 24), 6, 6);
    painter.drawPixmap(QPointF(16, 16), iconPixmap(look.icon, 16, look.color, devicePixelRatioF()));
    painter.setOpacity(1);
    if (hasFocus())
        paintFocusRing(painter, theme, QRectF(rect()).adjusted(2, 2, -2, -3), 6);
}

} // namespace ui
