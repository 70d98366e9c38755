// What the window does for the canvas: its cards and searches, nodes that are added, and what stands where nothing is.
#include "ui/panels/cast_card.h"
#include "ui/panels/drop_search.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/findings_panel.h"
#include "ui/panels/lesson_card.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/refusal_card.h"
#include "ui/panels/search_palette.h"
#include "ui/panels/widget_kit.h"
#include "ui/plots/plot_panel.h"
#include "ui/scene/graph_view.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

namespace ui {

void MainWindow::buildEmptyGraph()
{
    QWidget* viewport = m_canvas->viewport();
    m_emptyGraph = new QWidget(viewport);
    auto* column = new QVBoxLayout(m_emptyGraph);
    column->addWidget(new EmptyState(m_context.theme, "plus", tr("An empty graph"),
                                     tr("Press Tab to add an op, or drop a .mantissa file here."), m_emptyGraph));
    QPushButton* lesson = makeButton(tr("Open a lesson"), Look::Normal, m_emptyGraph);
    lesson->setObjectName("open-lesson");
    column->addWidget(lesson, 0, Qt::AlignHCenter);
    connect(lesson, &QPushButton::clicked, this, [this] {
        m_leftDock->show();
        m_leftTabs->setCurrentIndex(1);
    });
    connect(&m_context.document, &GraphDocument::structureChanged, this, &MainWindow::showEmptyGraph);
    connect(&m_context.document, &GraphDocument::documentReset, this, &MainWindow::showEmptyGraph);
    qApp->installEventFilter(this);
    showEmptyGraph();
}

void MainWindow::showEmptyGraph()
{
    m_emptyGraph->setVisible(m_context.document.graph().nodes().empty());
    m_emptyGraph->adjustSize();
    const QSize room = m_canvas->viewport()->size();
    m_emptyGraph->move((room.width() - m_emptyGraph->width()) / 2, (room.height() - m_emptyGraph->height()) / 2);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_canvas->viewport() && event->type() == QEvent::Resize)
        showEmptyGraph();
    if (watched == m_canvas->viewport() && event->type() == QEvent::MouseButtonPress) {
        m_card->dismiss();
        m_refusal->dismiss();
    }
    // A field without a history of its own leaves undo and redo to the document.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const auto* field = qobject_cast<QLineEdit*>(watched);
        if (field && ((key->matches(QKeySequence::Undo) && !field->isUndoAvailable()) ||
                      (key->matches(QKeySequence::Redo) && !field->isRedoAvailable())))
            return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::connectCanvas()
{
    connect(m_canvas, &GraphView::searchRequested, this, [this](const QPoint&, const QPointF& scene) {
        m_searchAt = scene;
        openSearch();
    });
    connect(m_canvas, &GraphView::nodeActivated, this, [this] {
        m_properties->nameField()->setFocus();
        m_properties->nameField()->selectAll();
    });
    connect(m_canvas, &GraphView::menuRequested, this, &MainWindow::openCanvasMenu);
    connect(m_canvas, &GraphView::dropSearchRequested, this, &MainWindow::dropSearch);
    connect(m_drop, &DropSearch::opChosen, this,
            [this](const QString& op, const engine::ParamMap& params, const QString& port) {
                m_canvas->addNodeAt(op, m_dropped.scene, NewWire{m_dropped.node, m_dropped.port, port}, params);
                m_canvas->setFocus();
            });
    connect(m_drop, &DropSearch::dismissed, m_canvas, &GraphView::endDropSearch);
    // What floats gives the focus back to the canvas when it goes.
    connect(m_drop, &DropSearch::dismissed, m_canvas, qOverload<>(&QWidget::setFocus));
    m_card->setFocusAfter(m_canvas);
    m_refusal->setFocusAfter(m_canvas);
    connect(m_card, &FloatingCard::opened, m_refusal, &FloatingCard::dismiss);
    connect(m_refusal, &FloatingCard::opened, m_card, &FloatingCard::dismiss);
    connect(&m_context.document, &GraphDocument::nodesMoved, m_card, &FloatingCard::dismiss);
    connect(&m_context.document, &GraphDocument::nodesMoved, m_refusal, &FloatingCard::dismiss);
    connect(m_canvas, &GraphView::findingActivated, this,
            [this](engine::NodeId node, const QRect& badge, const QRect& avoid) {
                m_context.selection.select(node);
                m_plots->showPage(m_findings);
                m_refusal->open(node, badge, avoid);
            });
    connect(m_canvas, &GraphView::findingHovered, m_refusal, &RefusalCard::hover);
    connect(m_canvas, &GraphView::findingLeft, m_refusal, &RefusalCard::leave);
    connect(m_canvas, &GraphView::viewMoved, m_refusal, &RefusalCard::dismiss);
    connect(m_lesson, &LessonCard::openChanged, this, [this](bool isOpen) {
        m_canvas->setReservedTop(isOpen ? m_lesson->geometry().bottom() : 0);
        m_actions.value("lesson-card")->setChecked(isOpen);
    });
    connect(m_canvas, &GraphView::castHovered, m_card,
            [this](engine::NodeId node, const QString& port, const QRect& dot, const QRect& avoid) {
                m_card->hover(node, port.toStdString(), dot, avoid);
            });
    connect(m_canvas, &GraphView::castActivated, m_card,
            [this](engine::NodeId node, const QString& port, const QRect& dot, const QRect& avoid) {
                m_card->open(node, port.toStdString(), dot, avoid);
            });
    connect(m_canvas, &GraphView::castLeft, m_card, &CastCard::leave);
    connect(m_canvas, &GraphView::viewMoved, m_card, &CastCard::dismiss);
    connect(m_search, &SearchPalette::opChosen, this, [this](const QString& op) { addOp(op); });
    connect(m_search, &SearchPalette::opConnectChosen, this,
            [this](const QString& op, engine::NodeId from) { addOp(op, from); });
    connect(m_search, &SearchPalette::nodeChosen, this, [this](engine::NodeId id) {
        m_context.selection.select(id);
        m_canvas->zoomToSelection();
    });
    connect(m_search, &SearchPalette::actionChosen, this, &MainWindow::runAction);
    connect(m_search, &SearchPalette::lessonChosen, this, &MainWindow::openLesson);
    connect(m_search, &SearchPalette::dismissed, m_canvas, qOverload<>(&QWidget::setFocus));
}

void MainWindow::addOp(const QString& op, std::optional<engine::NodeId> after)
{
    std::optional<NewWire> wire;
    if (after)
        wire = NewWire{*after};
    const QPointF middle = m_canvas->mapToScene(m_canvas->viewport()->rect().center());
    m_canvas->addNodeAt(op, m_canvas->freePlace(m_searchAt.value_or(middle)), wire);
    m_searchAt.reset();
    m_canvas->setFocus();
}

void MainWindow::dropSearch(const QPoint& global, const QPointF& scene, engine::NodeId node, const QString& port,
                            bool isOutput)
{
    m_dropped = {scene, node, port};
    m_drop->open(mapFromGlobal(global),
                 {node, port.toStdString(), isOutput ? DroppedWire::End::Output : DroppedWire::End::Input});
}

} // namespace ui
