#include "ui/panels/findings_panel.h"

#include "ui/panels/empty_state.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QApplication>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kMostRows = 50; // a graph of a thousand refused nodes is said in one line more

} // namespace

std::vector<ListedFinding> listedFindings(const PanelContext& context)
{
    std::vector<ListedFinding> all;
    const auto add = [&](const engine::Finding& finding, bool isStale) {
        all.push_back({finding, isStale, nodeName(context.document.graph(), finding.node)});
    };
    if (const QString& error = context.snapshots.error(); !error.isEmpty()) { // the request could not start at all
        engine::Finding refused;
        refused.severity = engine::Severity::Error;
        refused.rule = "run";
        refused.message = error.toStdString();
        add(refused, false);
    }
    for (const engine::Finding& finding : context.plans.plan().findings)
        add(finding, false);
    if (const engine::RunResult* run = context.snapshots.canvasRun()) {
        for (const engine::Finding& finding : run->findings) {
            const bool isKnown =
                std::any_of(all.begin(), all.end(), [&](const ListedFinding& f) { return f.finding == finding; });
            // What a plan can see, the plan says anew after each edit; a stale run must not contradict it.
            const bool isGone = finding.node && !context.document.graph().find(finding.node);
            const bool isOfPlan = context.snapshots.isStale() && finding.rule.find('/') != std::string::npos;
            if (!isKnown && !isGone && !isOfPlan)
                add(finding, context.snapshots.isStale());
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const ListedFinding& a, const ListedFinding& b) {
        return a.finding.severity > b.finding.severity;
    });
    return all;
}

FindingsPanel::FindingsPanel(const PanelContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_scroll(new QScrollArea(this)),
      m_empty(new EmptyState(context.theme, QStringLiteral("ok"), tr("Nothing to report"),
                             tr("Every cast in this graph is exact or asked for."), this))
{
    setAccessibleName(tr("Findings"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_scroll);
    outer->addWidget(m_empty);
    auto* content = new QWidget;
    m_scroll->setWidget(content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addStretch(1);
    connect(&context.plans, &PlanStore::changed, this, &FindingsPanel::refresh);
    connect(&context.snapshots, &SnapshotStore::changed, this, &FindingsPanel::refresh);
    connect(&context.document, &GraphDocument::documentReset, this, &FindingsPanel::refresh);
    connect(&context.document, &GraphDocument::nodeChanged, this, &FindingsPanel::refresh); // names
    connect(&context.theme, &ThemeManager::changed, this, &FindingsPanel::rebuild);
    rebuild();
}

void FindingsPanel::refresh()
{
    if (listedFindings(m_context) != m_listed)
        rebuild();
}

// Rows are made anew; who works with the keyboard stays where they are.
FindingsPanel::FocusPlace FindingsPanel::focusPlace() const
{
    const QWidget* focus = QApplication::focusWidget();
    for (const FindingRow* row : m_rows)
        if (focus && (focus == row || row->isAncestorOf(focus)))
            return {row->finding().node, row->finding().rule, focus->property("remedy").toString()};
    return {};
}

void FindingsPanel::restoreFocus(const FocusPlace& place)
{
    if (place.rule.empty())
        return;
    for (FindingRow* row : m_rows) {
        if (row->finding().node != place.node || row->finding().rule != place.rule)
            continue;
        for (QPushButton* button : row->remedyButtons())
            if (!place.remedy.isEmpty() && button->property("remedy").toString() == place.remedy)
                return button->setFocus();
        return row->setFocus();
    }
}

void FindingsPanel::rebuild()
{
    m_listed = listedFindings(m_context);
    const FocusPlace focus = focusPlace();
    for (FindingRow* row : m_rows) { // a remedy's button may be the one that asked for this
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    if (m_rest)
        m_rest->deleteLater();
    m_rest = nullptr;
    int warnings = 0, errors = 0;
    for (const ListedFinding& listed : m_listed) {
        warnings += listed.finding.severity == engine::Severity::Warning;
        errors += listed.finding.severity == engine::Severity::Error;
        if (m_rows.size() < kMostRows) {
            auto* row = new FindingRow(m_context, listed, m_scroll->widget());
            m_column->insertWidget(static_cast<int>(m_rows.size()), row);
            row->show(); // at once, not with the next turn of the event loop
            m_rows << row;
        }
    }
    if (const auto rest = static_cast<qsizetype>(m_listed.size()) - m_rows.size(); rest > 0) {
        auto* more = new TextLabel(m_context.theme, Tone::Tertiary, uiFont(11), tr("and %1 more").arg(countText(rest)),
                                   m_scroll->widget());
        more->setContentsMargins(50, 8, 12, 12);
        m_column->insertWidget(static_cast<int>(m_rows.size()), more);
        m_rest = more;
    }
    restoreFocus(focus);
    m_scroll->setVisible(!m_listed.empty());
    m_empty->setVisible(m_listed.empty());
    if (m_context.document.graph().nodes().empty())
        m_empty->setWords(tr("An empty graph"), tr("Press Tab to add an op. What is wrong with it will be said here."));
    else
        m_empty->setWords(tr("Nothing to report"), tr("Every cast in this graph is exact or asked for."));
    if (warnings != m_warnings || errors != m_errors) {
        m_warnings = warnings;
        m_errors = errors;
        Q_EMIT countChanged(warnings, errors);
    }
}

void FindingsPanel::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), m_context.theme.theme().surface.panel);
}

} // namespace ui
