// The status bar: at the left what ran, at the right what is going on or what the graph's casts come to.
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"
#include "ui/style/dot_level.h"
#include "ui/window/main_window.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>

namespace ui {

namespace {

constexpr int kShowRunMs = 250;

// The implicit cast that lost most, of the canvas's run.
struct WorstCast {
    const engine::NodeResult* node = nullptr;
    const engine::CastReport* cast = nullptr;
};
WorstCast worstCastOf(const engine::RunResult& run)
{
    WorstCast worst;
    for (const engine::NodeResult& node : run.nodes)
        for (const engine::CastReport& cast : node.casts) {
            if (!cast.implicit || dotLevel(cast) == DotLevel::Exact)
                continue;
            const auto rank = [](const engine::CastReport& c) { return std::pair(dotLevel(c), c.changed); };
            if (!worst.cast || rank(cast) > rank(*worst.cast))
                worst = {&node, &cast};
        }
    return worst;
}

} // namespace

void MainWindow::buildStatusBar()
{
    m_statusLeft = new TextLabel(m_context.theme, Tone::Secondary, uiFont(11), {}, this);
    m_statusRight = new TextLabel(m_context.theme, Tone::Secondary, uiFont(11), {}, this);
    m_statusLeft->setContentsMargins(12, 0, 0, 0);
    m_statusRight->setContentsMargins(0, 0, 12, 0);
    statusBar()->addWidget(m_statusLeft, 1);
    statusBar()->addPermanentWidget(m_statusRight);
    // How far a run is, and its stop: shown when it takes long enough to be read.
    m_runBox = new QWidget(this);
    auto* row = new QHBoxLayout(m_runBox);
    row->setContentsMargins(0, 0, 12, 0);
    row->setSpacing(8);
    m_runProgress = new QProgressBar(m_runBox);
    m_runProgress->setRange(0, 1000);
    m_runProgress->setTextVisible(false);
    m_runProgress->setFixedSize(120, 4);
    m_runProgress->setAccessibleName(tr("Progress of the run"));
    auto* stop = new QToolButton(m_runBox);
    stop->setObjectName("status-stop");
    stop->setText(tr("Cancel"));
    stop->setToolTip(tr("Stop the run (Shift+F5)"));
    stop->setFocusPolicy(Qt::TabFocus);
    stop->setFixedHeight(20);
    stop->setStyleSheet("QToolButton { padding: 0 8px; font-size: 11px; }");
    connect(stop, &QToolButton::clicked, this, &MainWindow::stopRequested);
    row->addWidget(m_runProgress);
    row->addWidget(stop);
    statusBar()->addPermanentWidget(m_runBox);
    m_runBox->hide();
    m_runTimer.setSingleShot(true);
    m_runTimer.setInterval(kShowRunMs);
    connect(&m_runTimer, &QTimer::timeout, this, [this] { m_runBox->setVisible(m_context.snapshots.isRunning()); });
    statusBar()->setSizeGripEnabled(false);
    connect(&m_context.snapshots, &SnapshotStore::changed, this, &MainWindow::updateStatus);
    connect(&m_context.snapshots, &SnapshotStore::runningChanged, this, &MainWindow::updateStatus);
    connect(&m_context.plans, &PlanStore::changed, this, &MainWindow::updateStatus);
    updateStatus();
}

void MainWindow::updateStatus()
{
    const SnapshotStore& store = m_context.snapshots;
    const auto nodes = static_cast<int>(m_context.document.graph().nodes().size());
    QStringList left{nodes == 1 ? tr("1 node") : tr("%1 nodes").arg(nodes)};
    if (const engine::RunResult* run = store.canvasRun()) {
        const auto reused = std::count_if(run->nodes.begin(), run->nodes.end(), [](const auto& n) { return n.reused; });
        std::int64_t bytes = 0;
        for (const engine::NodeResult& n : run->nodes)
            bytes += n.bytes;
        const engine::MachineInfo& machine = store.snapshot()->machine;
        left << tr("run %1").arg(millisecondsText(run->timeMs)) << tr("reused %1/%2").arg(reused).arg(run->nodes.size())
             << text(machine.backend).toUpper() + u' ' + text(machine.isa) << bytesText(bytes);
    }
    m_statusLeft->setText(left.join("    "));
    m_statusRight->setText(statusSummary());
    m_runProgress->setValue(static_cast<int>(1000 * store.progress()));
    if (!store.isRunning()) {
        m_runTimer.stop();
        m_runBox->hide();
    } else if (!m_runTimer.isActive() && !m_runBox->isVisible()) {
        m_runTimer.start();
    }
}

QString MainWindow::statusSummary() const
{
    const SnapshotStore& store = m_context.snapshots;
    if (store.isRunning())
        return tr("%1 %   %2").arg(static_cast<int>(100 * store.progress())).arg(store.doing());
    if (!store.error().isEmpty())
        return store.error();
    const engine::PlanView& plan = m_context.plans.plan();
    for (const auto& [id, view] : plan.nodes)
        if (view.refused)
            return tr("%1 refused under %2").arg(nodeName(m_context.document.graph(), id), text(plan.dialect));
    const engine::RunResult* run = store.canvasRun();
    if (!run || store.isStale())
        return {};
    const WorstCast worst = worstCastOf(*run);
    if (!worst.cast)
        return tr("Every cast in this graph is exact or asked for.");
    return tr("%1, %2: %3 → %4, %5 of values changed")
        .arg(text(worst.node->name), text(worst.cast->port), dtypeWord(worst.cast->from), dtypeWord(worst.cast->to),
             percentText(worst.cast->changed));
}

} // namespace ui
