#include "ui/plots/plot_widget.h"

#include "ui/plots/plot_paint.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <memory>

namespace ui {

namespace {

const engine::RunResult* runIn(const engine::RunSnapshot* snapshot, const engine::Combo& combo)
{
    if (snapshot)
        for (const engine::RunResult& r : snapshot->runs)
            if (r.combo == combo)
                return &r;
    return nullptr;
}

// Stages arrive last; a refused run has none to wait for.
bool isStaged(const engine::RunResult& run)
{
    return !run.ok || std::any_of(run.nodes.begin(), run.nodes.end(),
                                  [](const engine::NodeResult& n) { return n.stages.has_value(); });
}

} // namespace

const engine::NodeResult* PlotWidget::resultIn(const engine::RunResult& run, engine::NodeId id)
{
    for (const engine::NodeResult& n : run.nodes)
        if (n.id == id)
            return &n;
    return nullptr;
}

const engine::Finding* PlotWidget::refusingFinding(const engine::RunResult& run)
{
    for (const engine::Finding& f : run.findings)
        if (f.severity == engine::Severity::Error)
            return &f;
    return nullptr;
}

PlotWidget::PlotWidget(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_store(store), m_themes(themes)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setMinimumSize(160, 120);
    connect(&store, &SnapshotStore::changed, this, &PlotWidget::invalidate);
    connect(&store, &SnapshotStore::runningChanged, this, [this] {
        if (m_isRunning != m_store.isRunning()) // progress alone changes no plot
            invalidate();
    });
    connect(&selection, &Selection::currentChanged, this, &PlotWidget::invalidate);
    connect(&themes, &ThemeManager::changed, this, &PlotWidget::invalidate);
}

void PlotWidget::setMetric(Metric metric)
{
    if (metric == m_metric)
        return;
    m_metric = metric;
    invalidate();
}

QList<ShownRun> PlotWidget::shownRuns() const
{
    QList<engine::Combo> combos(engine::kFourCombos.begin(), engine::kFourCombos.end());
    const engine::RunSnapshot* newest = m_store.snapshot().get();
    const engine::RunSnapshot* whole = m_store.lastWhole().get();
    const engine::RunSnapshot* first = newest && !newest->runs.empty() ? newest : whole;
    std::optional<engine::Combo> active;
    if (first && !first->runs.empty())
        active = first->runs.front().combo;
    if (active && !combos.contains(*active))
        combos.append(*active);
    QList<ShownRun> shown;
    for (const engine::Combo& combo : combos) {
        ShownRun s{.combo = combo, .isActive = active == combo};
        for (const engine::RunSnapshot* from : {newest, newest && newest->partial ? whole : nullptr}) {
            const engine::RunResult* run = runIn(from, combo);
            const bool isStale = from && from->revision != m_store.wanted();
            if (run && !s.run) {
                s.snapshot = from;
                s.run = run;
                s.isStale = isStale;
            }
            if (run && !s.staged && (isStaged(*run) || !from->partial)) {
                s.stagedSnapshot = from;
                s.staged = run;
                s.stagesAreStale = isStale;
            }
        }
        shown.append(s);
    }
    return shown;
}

Subject PlotWidget::subject() const
{
    const QList<ShownRun> runs = shownRuns();
    const engine::NodeId current = m_selection.current();
    for (const ShownRun& s : runs)
        if (const engine::NodeResult* n = s.run && current ? resultIn(*s.run, current) : nullptr)
            return {current, QString::fromStdString(n->name), true};
    for (const ShownRun& s : runs)
        if (s.run && s.run->ok && !s.run->nodes.empty())
            return {s.run->nodes.back().id, QString::fromStdString(s.run->nodes.back().name), false};
    return {};
}

PlotBlank PlotWidget::findBlank() const
{
    if (m_store.snapshot() && (!m_store.snapshot()->runs.empty() || m_store.lastWhole()))
        return {};
    if (!m_store.error().isEmpty())
        return {QStringLiteral("error"), tr("The run could not start"), m_store.error()};
    if (m_store.isRunning())
        return {QStringLiteral("live"), tr("The first results are on their way"), tr("They appear here one by one.")};
    return {QStringLiteral("run"), tr("No results yet"), tr("Switch Live on or press Run to see errors here.")};
}

const PlotBlank& PlotWidget::blank()
{
    ensureBuilt();
    return m_empty;
}

void PlotWidget::invalidate()
{
    m_isDirty = true;
    update();
}

void PlotWidget::ensureBuilt()
{
    if (!m_isDirty)
        return;
    m_isDirty = false;
    m_isRunning = m_store.isRunning();
    m_empty = findBlank();
    rebuild(size());
    setAccessibleName(title());
    setAccessibleDescription(m_empty.title.isEmpty() ? summary()
                                                     : m_empty.title + QStringLiteral(". ") + m_empty.sentence);
    if (const QString caption = title() + subtitle(); caption != m_caption) {
        m_caption = caption;
        Q_EMIT captionChanged();
    }
    if (!m_hover.lines.isEmpty())
        setHover(underMouse() ? hoverAt(mapFromGlobal(QCursor::pos())) : PlotHover{});
}

void PlotWidget::drawTitle(QPainter& painter, double x, double baseline) const
{
    const QFont strong = uiFont(12, Weight::SemiBold);
    drawText(painter, {x, baseline}, title(), strong, theme().plot.title);
    drawText(painter, {x + textWidth(title(), strong) + 10, baseline}, subtitle(), uiFont(11), theme().text.secondary);
}

void PlotWidget::paintAll(QPainter& painter, const QSizeF& size)
{
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(QRectF({0, 0}, size), theme().plot.background);
    if (!m_empty.title.isEmpty())
        drawBlank(painter, {{0, 0}, size}, m_empty.icon, m_empty.title, m_empty.sentence, theme());
    else
        paintPlot(painter);
}

void PlotWidget::paintEvent(QPaintEvent*)
{
    ensureBuilt();
    QPainter painter(this);
    paintAll(painter, size());
    if (!m_hover.lines.isEmpty() && m_empty.title.isEmpty()) {
        if (m_hover.rule)
            drawVertical(painter, *m_hover.rule, m_hover.ruleArea.top(), m_hover.ruleArea.bottom(),
                         theme().plot.hoverRule);
        drawValueBox(painter, m_hover.anchor, m_hover.lines, QRectF(rect()).adjusted(4, 4, -4, -4), theme());
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme().selection.focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void PlotWidget::setHover(PlotHover hover)
{
    const bool changed = hover.lines != m_hover.lines || hover.anchor != m_hover.anchor;
    m_hover = std::move(hover);
    if (changed)
        update();
}

void PlotWidget::resizeEvent(QResizeEvent*)
{
    invalidate();
}

void PlotWidget::mouseMoveEvent(QMouseEvent* event)
{
    ensureBuilt();
    setHover(m_empty.title.isEmpty() ? hoverAt(event->position()) : PlotHover{});
}

void PlotWidget::leaveEvent(QEvent*)
{
    setHover({});
}

void PlotWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_pressed = event->position();
}

void PlotWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    ensureBuilt();
    const bool isClick = (event->position() - *m_pressed).manhattanLength() < 6;
    m_pressed.reset();
    if (isClick && m_empty.title.isEmpty())
        clickAt(event->position());
}

void PlotWidget::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        ensureBuilt();
        stepSelection(event->key() == Qt::Key_Left ? -1 : 1);
        return;
    }
    QWidget::keyPressEvent(event);
}

void PlotWidget::contextMenuEvent(QContextMenuEvent* event)
{
    const std::unique_ptr<QMenu> menu(makeContextMenu());
    menu->exec(event->globalPos());
}

} // namespace ui
