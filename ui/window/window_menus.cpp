// The window's menus: file, edit, view, run, help. One id per action, shared with search.
#include "ui/document/clipboard_codec.h"
#include "ui/panels/lesson_card.h"
#include "ui/panels/search_palette.h"
#include "ui/plots/plot_panel.h"
#include "ui/scene/graph_view.h"
#include "ui/scene/legend.h"
#include "ui/scene/minimap.h"
#include "ui/window/help_window.h"
#include "ui/window/main_window.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

namespace ui {

namespace {

constexpr int kHintMs = 6000;

} // namespace

QAction* MainWindow::addAct(QMenu* menu, const QString& id, const QString& text, const QKeySequence& keys,
                            std::function<void()> act)
{
    auto* action = menu->addAction(text);
    action->setObjectName(id);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, std::move(act));
    m_actions[id] = action;
    return action;
}

void MainWindow::runAction(const QString& id)
{
    if (QAction* action = m_actions.value(id); action && action->isEnabled())
        action->trigger();
}

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildGraphMenu();

    QMenu* run = menuBar()->addMenu(tr("Run"));
    addAct(run, "run", tr("Run"), QKeySequence("F5"), [this] { Q_EMIT runRequested(); });
    addAct(run, "stop", tr("Stop"), QKeySequence("Shift+F5"), [this] { Q_EMIT stopRequested(); });

    QMenu* help = menuBar()->addMenu(tr("Help"));
    addAct(help, "help", tr("Keys, gestures, plots"), QKeySequence::HelpContents, [this] {
        if (!m_help)
            m_help = new HelpWindow(this);
        m_help->show();
        m_help->raise();
    });
    addAct(help, "about", tr("About Mantissa"), {}, [this] {
        QMessageBox::about(
            this, tr("About Mantissa"),
            tr("Mantissa %1. See what each dtype of a neural network costs.\n\nErrors are measured against a "
               "double-double run from the source values.\nApache License 2.0.")
                .arg(m_context.version));
    });
}

void MainWindow::buildFileMenu()
{
    QMenu* file = menuBar()->addMenu(tr("File"));
    addAct(file, "new", tr("New"), QKeySequence::New, [this] {
        if (mayDiscard())
            m_context.files.startNew();
    });
    addAct(file, "open", tr("Open…"), QKeySequence::Open, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Open"), m_context.document.path(),
                                                          tr("Mantissa files (*.mantissa)"));
        if (!path.isEmpty())
            openFile(path);
    });
    m_recentMenu = file->addMenu(tr("Open recent"));
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    addAct(file, "save", tr("Save"), QKeySequence::Save, [this] { save(); });
    addAct(file, "save-as", tr("Save as…"), QKeySequence::SaveAs, [this] { saveAs(); });
    file->addSeparator();
    addAct(file, "quit", tr("Quit"), QKeySequence::Quit, [this] { close(); });
}

void MainWindow::buildEditMenu()
{
    QMenu* edit = menuBar()->addMenu(tr("Edit"));
    QUndoStack& undo = m_context.document.undoStack();
    for (auto [id, action, keys] : {std::tuple{"undo", undo.createUndoAction(this, tr("Undo")), QKeySequence::Undo},
                                    std::tuple{"redo", undo.createRedoAction(this, tr("Redo")), QKeySequence::Redo}}) {
        action->setObjectName(id);
        action->setShortcut(keys);
        edit->addAction(action);
        m_actions[id] = action;
    }
    edit->addSeparator();
    addAct(edit, "cut", tr("Cut"), QKeySequence::Cut, [this] { cutSelection(); });
    addAct(edit, "copy", tr("Copy"), QKeySequence::Copy, [this] { copySelection(); });
    addAct(edit, "paste", tr("Paste"), QKeySequence::Paste, [this] { pasteClipboard(); });
    addAct(edit, "duplicate", tr("Duplicate"), QKeySequence("Ctrl+D"), [this] {
        if (m_context.selection.nodes().empty())
            return;
        const Pasting p = duplicateEdit(m_context.document.value(), m_context.selection.nodes());
        if (m_context.document.apply(p.step.edit, p.step.name))
            m_context.selection.set(p.nodes);
    });
    QAction* remove =
        addAct(edit, "delete", tr("Delete"), QKeySequence(Qt::Key_Delete), [this] { m_canvas->deleteSelection(); });
    remove->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_canvas->addAction(remove);
    addAct(edit, "select-all", tr("Select all"), QKeySequence::SelectAll, [this] { m_canvas->selectAll(); });
    edit->addSeparator();
    addAct(edit, "search", tr("Search everything"), QKeySequence("Ctrl+K"), [this] {
        m_searchAt.reset();
        openSearch();
    });
}

void MainWindow::buildViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("View"));
    addAct(view, "fit", tr("Zoom to fit"), QKeySequence("Ctrl+0"), [this] { m_canvas->zoomToFit(); });
    addAct(view, "fit-selection", tr("Zoom to selection"), QKeySequence("Ctrl+9"),
           [this] { m_canvas->zoomToSelection(); });
    view->addSeparator();
    QAction* minimap = addAct(view, "minimap", tr("Minimap"), {}, [this] {
        m_canvas->minimap()->setWanted(m_actions.value("minimap")->isChecked());
        m_context.settings.setValue("minimap", m_canvas->minimap()->isWanted());
    });
    minimap->setCheckable(true);
    minimap->setChecked(m_context.settings.value("minimap", true).toBool());
    m_canvas->minimap()->setWanted(minimap->isChecked());
    addAct(view, "fold-legend", tr("Fold or unfold the legend"), {},
           [this] { m_canvas->legend()->fold(!m_canvas->legend()->isFolded()); });
    QAction* card = addAct(view, "lesson-card", tr("The lesson's card"), {},
                           [this] { m_lesson->open(m_lesson->hasText() && !m_lesson->isOpen()); });
    card->setCheckable(true);
    view->addSeparator();
    for (const auto& [id, dock] :
         {std::pair{"dock-left", m_leftDock}, {"dock-right", m_rightDock}, {"dock-bottom", m_bottomDock}}) {
        QAction* toggle = dock->toggleViewAction();
        toggle->setObjectName(id);
        view->addAction(toggle);
        m_actions[id] = toggle;
    }
    view->addSeparator();
    QMenu* theme = view->addMenu(tr("Theme"));
    auto* group = new QActionGroup(this); // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the window owns it
    for (auto [id, text, choice] : {std::tuple{"theme-system", tr("As the system"), ThemeChoice::System},
                                    std::tuple{"theme-light", tr("Light"), ThemeChoice::Light},
                                    std::tuple{"theme-dark", tr("Dark"), ThemeChoice::Dark}}) {
        QAction* a = addAct(theme, id, text, {}, [this, c = choice] {
            m_context.theme.choose(c);
            m_context.settings.setValue("theme", static_cast<int>(c));
        });
        a->setCheckable(true);
        a->setChecked(m_context.theme.choice() == choice);
        group->addAction(a);
    }
    addAct(view, "reset-layout", tr("Reset the docks"), {}, [this] {
        restoreState(m_defaultState);
        m_plots->resetState();
    });
}

void MainWindow::buildGraphMenu()
{
    QMenu* graph = menuBar()->addMenu(tr("Graph"));
    addAct(graph, "add-node", tr("Add a node…"), {}, [this] { openSearch(); });
    QAction* mute = addAct(graph, "mute", tr("Mute or unmute"), QKeySequence("M"), [this] { muteSelection(); });
    QAction* cast =
        addAct(graph, "insert-cast", tr("Insert a Cast on this wire"), QKeySequence("C"), [this] { insertCast(); });
    for (QAction* a : {mute, cast}) { // plain letters: only where they are not typed
        a->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_canvas->addAction(a);
    }
    connect(graph, &QMenu::aboutToShow, this, [this] { m_searchAt.reset(); });
    addAct(graph, "layout", tr("Arrange nodes"), QKeySequence("Ctrl+L"), [this] { m_canvas->autoLayout(); });
}

void MainWindow::muteSelection()
{
    if (!m_context.selection.nodes().empty())
        applyNamed(muteEdit(m_context.document.value(), m_context.selection.nodes()));
}

// In the middle of the selected wire, to the dtype that arrives there: exact, and to be chosen now.
void MainWindow::insertCast()
{
    const auto edges = m_context.selection.edges();
    if (edges.size() != 1)
        return statusBar()->showMessage(tr("Select one wire to insert a Cast on it."), kHintMs);
    const ui::EdgeItem* edge = m_canvas->canvas().edge(*edges.begin());
    if (!edge)
        return;
    engine::ParamMap params;
    if (edge->dtype())
        params["to"] = std::string(engine::dtypeName(engine::storageOf(*edge->dtype())));
    m_canvas->insertOn(edge->key(), "cast", params);
}

// The same entries as in the menu bar, those that make sense where the pointer is.
void MainWindow::openCanvasMenu(const QPoint& global, const QPointF& scene)
{
    m_searchAt = scene;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids)
            menu->addAction(m_actions.value(id));
        for (const auto& [id, name] : {std::pair{"mute", "mute"},
                                       {"duplicate", "copy"},
                                       {"insert-cast", "cast"},
                                       {"fit-selection", "zoom"},
                                       {"fit", "fit"},
                                       {"layout", "layout"},
                                       {"add-node", "add"}})
            m_actions.value(id)->setIcon(icon(name, m_context.theme.theme()));
        menu->addSeparator();
    };
    if (!m_context.selection.nodes().empty()) {
        add({"cut", "copy", "duplicate", "delete"});
        add({"mute", "fit-selection"});
    } else if (!m_context.selection.edges().empty()) {
        add({"insert-cast", "delete"});
    } else {
        add({"add-node", "paste", "select-all"});
        add({"layout", "fit"});
    }
    menu->popup(global);
}

void MainWindow::openSearch()
{
    QList<SearchAction> actions;
    for (auto it = m_actions.cbegin(); it != m_actions.cend(); ++it)
        if (it.key() != "search")
            actions.append({it.key(),
                            it.value()->text(),
                            {},
                            it.value()->shortcut().toString(QKeySequence::NativeText),
                            {},
                            it.value()->isEnabled()});
    m_search->setActions(actions);
    m_search->open(QRect(m_canvas->mapTo(this, QPoint()), m_canvas->size()));
}

void MainWindow::fillRecent()
{
    m_recentMenu->clear();
    for (const QString& path : m_context.recent.paths())
        m_recentMenu->addAction(path, this, [this, path] { openFile(path); });
    m_recentMenu->addSeparator();
    m_recentMenu->addAction(tr("Clear the list"), &m_context.recent, &RecentFiles::clear);
}

} // namespace ui
