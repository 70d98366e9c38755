// The window: menu, toolbar, canvas and docks, arranged. It owns widgets and nothing else; documents, results and files
// belong to app.
#pragma once

// Qt first, as moc cannot read <concepts> before another standard header.
#include <QMainWindow>
#include <QTimer>

#include "ui/document/graph_edits.h"
#include "ui/live/error_series.h"
#include "ui/window/window_context.h"

class QAction;
class QDockWidget;
class QLabel;
class QMenu;
class QProgressBar;
class QTabWidget;

namespace ui {

class CastCard;
class DropSearch;
class FindingsPanel;
class GraphView;
class HelpWindow;
class LessonCard;
class NoticeBar;
class PlotPanel;
class PropertiesPanel;
class RefusalCard;
class SearchPalette;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const WindowContext& context, QWidget* parent = nullptr);
    GraphView* canvas() const { return m_canvas; }
    PrecisionBar* bar() const { return m_bar; }
    PlotPanel* plots() const { return m_plots; }
    FindingsPanel* findings() const { return m_findings; }
    NoticeBar* notice() const { return m_notice; }
    CastCard* card() const { return m_card; }
    RefusalCard* refusalCard() const { return m_refusal; }
    LessonCard* lessonCard() const { return m_lesson; }
    SearchPalette* search() const { return m_search; }
    DropSearch* dropPalette() const { return m_drop; }
    // An error in words, above the canvas: never a box for what is no question.
    void showError(const engine::Error& error);
    // What a session that ended without saving left is offered, above the canvas.
    void offerRecovery();
    bool openFile(const QString& path); // asks about unsaved changes first
    bool openLesson(const QString& path);

Q_SIGNALS:
    void liveChanged(bool isLive);
    void runRequested();
    void stopRequested();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // the canvas's size and presses, undo in fields

private:
    void buildDocks();
    void buildRail();
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildGraphMenu();
    void openSearch();
    void openCanvasMenu(const QPoint& global, const QPointF& scene);
    void muteSelection();
    void insertCast();
    void buildEmptyGraph();
    void showEmptyGraph();
    void buildStatusBar();
    void connectCanvas();
    void connectPlots();
    QAction* addAct(QMenu* menu, const QString& id, const QString& text, const QKeySequence& keys,
                    std::function<void()> act);
    void runAction(const QString& id);
    void updateTitle();
    void updateStatus();
    QString statusSummary() const;
    void onDocumentReset();
    void fillRecent();
    bool mayDiscard(); // the unsaved-changes question; true: go on
    bool save();
    bool saveAs();
    bool copySelection();
    void cutSelection();
    void pasteClipboard();
    void addOp(const QString& op, std::optional<engine::NodeId> after = {});
    void dropSearch(const QPoint& global, const QPointF& scene, engine::NodeId node, const QString& port,
                    bool isOutput);
    void applyRemedy(engine::Combo combo, const QString& remedy);
    void applyNamed(const NamedEdit& named);
    void saveLayout();
    void restoreLayout();

    WindowContext m_context;
    PrecisionBar* m_bar = nullptr;
    GraphView* m_canvas = nullptr;
    NoticeBar* m_notice = nullptr;
    QWidget* m_emptyGraph = nullptr; // over the canvas while there is nothing on it
    PlotPanel* m_plots = nullptr;
    PropertiesPanel* m_properties = nullptr;
    FindingsPanel* m_findings = nullptr;
    CastCard* m_card = nullptr;
    RefusalCard* m_refusal = nullptr;
    LessonCard* m_lesson = nullptr;
    SearchPalette* m_search = nullptr;
    DropSearch* m_drop = nullptr;
    QTabWidget* m_leftTabs = nullptr;
    QDockWidget *m_leftDock = nullptr, *m_rightDock = nullptr, *m_bottomDock = nullptr;
    QMenu* m_recentMenu = nullptr;
    QLabel *m_statusLeft = nullptr, *m_statusRight = nullptr;
    QWidget* m_runBox = nullptr; // in the status bar while a run goes on
    QProgressBar* m_runProgress = nullptr;
    QTimer m_runTimer;
    QMap<QString, QAction*> m_actions;
    QByteArray m_defaultState;
    HelpWindow* m_help = nullptr;
    std::optional<QPointF> m_searchAt; // where a node that is searched for goes; none: the middle of the view
    struct {
        QPointF scene;
        engine::NodeId node;
        QString port;
    } m_dropped; // the wire that the drop search is open for
};

} // namespace ui
