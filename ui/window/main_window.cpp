#include "ui/window/main_window.h"

#include "ui/document/edit_names.h"
#include "ui/document/remedies.h"
#include "ui/panels/cast_card.h"
#include "ui/panels/drop_search.h"
#include "ui/panels/findings_panel.h"
#include "ui/panels/lesson_card.h"
#include "ui/panels/lessons_list.h"
#include "ui/panels/op_palette.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/refusal_card.h"
#include "ui/panels/search_palette.h"
#include "ui/plots/plot_panel.h"
#include "ui/scene/graph_view.h"
#include "ui/window/notice_bar.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kLeftWidth = 212, kRightWidth = 312, kBottomHeight = 260, kRailWidth = 44, kToolbarHeight = 56;

} // namespace

MainWindow::MainWindow(const WindowContext& context, QWidget* parent) : QMainWindow(parent), m_context(context)
{
    setObjectName("MainWindow");
    setMinimumSize(960, 600);
    resize(1440, 900);
    setAcceptDrops(true);
    setDockNestingEnabled(true);

    m_bar = new PrecisionBar(context.panels(), context.dialects, context.backends, this);
    auto* toolbar = new QToolBar(tr("Precision"), this);
    toolbar->setObjectName("precision");
    toolbar->setMovable(false);
    toolbar->setFixedHeight(kToolbarHeight);
    toolbar->addWidget(m_bar);
    toolbar->setContextMenuPolicy(Qt::PreventContextMenu);
    addToolBar(toolbar);

    m_canvas = new GraphView(
        SceneContext{context.document, context.selection, context.snapshots, context.plans, context.theme, context.ops},
        this);
    m_notice = new NoticeBar(context.theme, this);
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_notice);
    column->addWidget(m_canvas, 1);
    setCentralWidget(centre);
    buildDocks();
    buildMenus();
    buildStatusBar();
    m_card = new CastCard(context.panels(), this);
    m_refusal = new RefusalCard(context.panels(), this);
    m_card->setArea(m_canvas);
    m_refusal->setArea(m_canvas);
    m_lesson = new LessonCard(context.document, context.theme, m_canvas->viewport());
    m_card->setKeepClear(m_lesson);
    m_refusal->setKeepClear(m_lesson);
    m_search = new SearchPalette(context.panels(), this);
    m_search->setLessons(context.lessons);
    m_drop = new DropSearch(context.panels(), context.planner, this);
    buildEmptyGraph();
    connectCanvas();
    connectPlots();
    connect(m_bar, &PrecisionBar::liveChanged, this, &MainWindow::liveChanged);
    connect(m_bar, &PrecisionBar::runRequested, this, &MainWindow::runRequested);
    connect(m_bar, &PrecisionBar::stopRequested, this, &MainWindow::stopRequested);
    connect(m_bar, &PrecisionBar::metricChanged, m_plots, &PlotPanel::setMetric);
    connect(m_bar, &PrecisionBar::searchRequested, this, [this] { runAction("search"); });
    connect(&context.document, &GraphDocument::editedChanged, this, &MainWindow::updateTitle);
    connect(&context.document, &GraphDocument::pathChanged, this, &MainWindow::updateTitle);
    connect(&context.document, &GraphDocument::titleChanged, this, &MainWindow::updateTitle);
    connect(&context.document, &GraphDocument::documentReset, this, &MainWindow::onDocumentReset);
    connect(&context.files, &FileSession::autosaveFailed, this,
            [this](const QString& message) { m_notice->say(NoticeKind::Error, message); });
    m_canvas->setFocus();
    m_defaultState = saveState();
    restoreLayout();
    updateTitle();
}

void MainWindow::buildDocks()
{
    const auto dock = [this](const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
        auto* d = new QDockWidget(title, this);
        d->setObjectName(name);
        d->setTitleBarWidget(new QWidget(d));
        d->setFeatures(QDockWidget::DockWidgetClosable);
        d->setWidget(content);
        addDockWidget(area, d);
        return d;
    };
    auto* left = m_leftTabs = new QTabWidget(this);
    left->setDocumentMode(true);
    auto* ops = new OpPalette(m_context.panels(), left);
    auto* lessons = new LessonsList(m_context.theme, left);
    lessons->setLessons(m_context.lessons);
    left->addTab(ops, tr("Ops"));
    left->addTab(lessons, tr("Lessons"));
    connect(ops, &OpPalette::opActivated, this, [this](const QString& op) {
        m_searchAt.reset();
        addOp(op);
    });
    connect(lessons, &LessonsList::lessonActivated, this, &MainWindow::openLesson);
    auto* right = new QTabWidget(this);
    right->setDocumentMode(true);
    m_properties = new PropertiesPanel(m_context.panels(), right);
    right->addTab(m_properties, tr("Node"));
    m_plots = new PlotPanel(m_context.selection, m_context.snapshots, m_context.theme, this);
    m_findings = new FindingsPanel(m_context.panels(), this);
    m_plots->addPage(PlotPanel::Right, tr("Findings"), m_findings);
    connect(m_findings, &FindingsPanel::countChanged, this, [this](int warnings, int errors) {
        m_plots->setBadge(m_findings, warnings + errors, errors > 0 ? Badge::Error : Badge::Warning);
    });

    auto* leftDock = m_leftDock = dock("left", tr("Ops and lessons"), left, Qt::LeftDockWidgetArea);
    buildRail();
    auto* rightDock = m_rightDock = dock("right", tr("Node"), right, Qt::RightDockWidgetArea);
    auto* bottomDock = m_bottomDock = dock("bottom", tr("Plots and findings"), m_plots, Qt::BottomDockWidgetArea);
    resizeDocks({leftDock, rightDock}, {kLeftWidth, kRightWidth}, Qt::Horizontal);
    resizeDocks({bottomDock}, {kBottomHeight}, Qt::Vertical);
}

// What is left of the left dock when it is closed: 44 px, a button for each of its tabs. The tabs' corner closes it.
void MainWindow::buildRail()
{
    auto* rail = new QToolBar(tr("Rail"), this);
    rail->setObjectName("rail");
    rail->setMovable(false);
    rail->setOrientation(Qt::Vertical);
    rail->setFixedWidth(kRailWidth);
    rail->setContextMenuPolicy(Qt::PreventContextMenu);
    addToolBar(Qt::LeftToolBarArea, rail);
    const auto button = [&](const QString& name, const QString& iconName) {
        auto* b = new QToolButton(this);
        b->setAccessibleName(name);
        b->setToolTip(name);
        b->setFixedSize(kRailWidth, 32);
        b->setFocusPolicy(Qt::TabFocus);
        b->setStyleSheet("QToolButton { border: none; background: transparent; }");
        // The set has no chevron to the left: the one that points down, turned.
        const int turn = iconName == "chevron_down" ? 90 : 0;
        const auto paint = [this, b, iconName, turn] {
            b->setIcon(iconPixmap(iconName, 16, m_context.theme.theme().text.secondary, devicePixelRatioF())
                           .transformed(QTransform().rotate(turn)));
        };
        connect(&m_context.theme, &ThemeManager::changed, b, paint);
        paint();
        return b;
    };
    for (int tab = 0; tab < m_leftTabs->count(); ++tab) {
        QToolButton* open = button(m_leftTabs->tabText(tab), tab == 0 ? "add" : "lesson");
        open->setObjectName(tab == 0 ? "rail-ops" : "rail-lessons");
        rail->addWidget(open);
        connect(open, &QToolButton::clicked, this, [this, tab] {
            m_leftTabs->setCurrentIndex(tab);
            m_leftDock->show();
        });
    }
    QToolButton* fold = button(tr("Fold to a rail"), "chevron_down");
    fold->setObjectName("rail-fold");
    fold->setFixedWidth(28);
    m_leftTabs->setCornerWidget(fold);
    connect(fold, &QToolButton::clicked, m_leftDock, &QDockWidget::hide);
    // Not through the window: its end hides the dock too.
    connect(m_leftDock, &QDockWidget::visibilityChanged, rail,
            [dock = m_leftDock, rail] { rail->setVisible(dock->isHidden()); });
    rail->hide();
}

void MainWindow::connectPlots()
{
    connect(m_plots, &PlotPanel::remedyRequested, this, &MainWindow::applyRemedy);
    connect(m_plots, &PlotPanel::comboClicked, this, [this](const engine::Combo& combo) {
        engine::RunSettings settings = m_context.document.value().settings;
        if (settings.combo == combo)
            return;
        settings.combo = combo;
        const auto status = m_context.document.apply(engine::SetSettings{settings}, EditNames::useCombo(combo));
        if (!status)
            showError(status.error());
    });
    connect(m_plots, &PlotPanel::exportFailed, this,
            [this](const QString& message) { m_notice->say(NoticeKind::Error, message); });
}

// What is worth a look first is selected: the first node with something to tell, else what feeds the output.
void MainWindow::onDocumentReset()
{
    updateTitle();
    updateStatus();
    engine::NodeId first;
    for (const engine::Finding& f : m_context.plans.plan().findings)
        if (f.node && !first)
            first = f.node;
    const engine::Graph& graph = m_context.document.graph();
    for (const auto& [id, node] : graph.nodes())
        if (const engine::Edge* edge = !first && node.op == "output" ? graph.edgeInto(id, "input") : nullptr)
            first = edge->from;
    if (first)
        m_context.selection.select(first);
    m_canvas->zoomToFit();
    m_canvas->setFocus();
}

void MainWindow::showError(const engine::Error& error)
{
    m_notice->say(NoticeKind::Error, QString::fromStdString(error.text()));
}

void MainWindow::offerRecovery()
{
    const auto left = m_context.files.recoverable();
    if (left.empty())
        return;
    const FileSession::Recovery& newest = left.front();
    const QString name = newest.path.isEmpty() ? tr("an unsaved graph") : QFileInfo(newest.path).fileName();
    m_notice->say(NoticeKind::Offer,
                  tr("Mantissa ended without saving %1. Its last copy is of %2.")
                      .arg(name, QLocale().toString(newest.saved, QLocale::ShortFormat)),
                  {{tr("Recover %1").arg(name),
                    [this, newest] {
                        if (!mayDiscard())
                            return;
                        if (const auto status = m_context.files.recover(newest); !status)
                            showError(status.error());
                    }},
                   {tr("Discard the copy"), [this, newest] { m_context.files.discard(newest); }}});
}

void MainWindow::updateTitle()
{
    const QString title = QString::fromStdString(m_context.document.value().title);
    const bool hasFile = !m_context.document.path().isEmpty();
    const QString name = hasFile || title.isEmpty() ? m_context.files.displayName() : title;
    setWindowTitle(tr("%1[*] - Mantissa").arg(name));
    setWindowModified(m_context.document.isEdited());
    setWindowFilePath(m_context.document.path());
}

void MainWindow::applyRemedy(engine::Combo combo, const QString& remedy)
{
    std::vector<const engine::Finding*> errors;
    const auto collect = [&errors](const std::vector<engine::Finding>& findings) {
        for (const engine::Finding& f : findings)
            if (f.severity == engine::Severity::Error)
                errors.push_back(&f);
    };
    // Of that combo's run first; the canvas's own combo may be the refused one and have no run at all.
    if (const engine::RunResult* run = m_context.snapshots.runOf(combo))
        collect(run->findings);
    collect(m_context.plans.plan().findings);
    for (const engine::Finding* f : errors)
        if (const auto named =
                remedyEdit(m_context.document.value(), m_context.ops, f->node, f->port, remedy.toStdString(), {}, {}))
            return applyNamed(*named);
}

void MainWindow::applyNamed(const NamedEdit& named)
{
    if (const auto status = m_context.document.apply(named.edit, named.name); !status)
        showError(status.error());
}

void MainWindow::saveLayout()
{
    m_context.settings.setValue("window/geometry", saveGeometry());
    m_context.settings.setValue("window/state", saveState());
    m_context.settings.setValue("window/plots", m_plots->saveState());
}

void MainWindow::restoreLayout()
{
    restoreGeometry(m_context.settings.value("window/geometry").toByteArray());
    if (const QByteArray state = m_context.settings.value("window/state").toByteArray(); !state.isEmpty())
        restoreState(state);
    if (const QByteArray state = m_context.settings.value("window/plots").toByteArray(); !state.isEmpty())
        m_plots->restoreState(state);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayDiscard()) {
        event->ignore();
        return;
    }
    saveLayout();
    Q_EMIT stopRequested();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(".mantissa"))
            event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(".mantissa")) {
            openFile(url.toLocalFile());
            return;
        }
}

} // namespace ui
