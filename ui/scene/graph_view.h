// The canvas: the view of a graph, and every gesture on it. All changes go through the document, one undo step each.
// Holds no document state. Keys: Tab search, arrows along the graph, Shift+arrows nudge, Enter opens, Delete removes,
// F and Home fit, 1 is 100 %, + and - zoom, Space or the middle button pans. GUI thread only.
#pragma once

#include "ui/scene/drag.h"
#include "ui/scene/grid_ground.h"

#include <QGraphicsView>
#include <QTimer>

namespace ui {

class Legend;
class Minimap;

// Where a new node's wire goes: the port of a node that is there, and the new node's own (empty: the one that fits).
struct NewWire {
    engine::NodeId node;
    QString port = kOutputPort; // "output": the new node takes it; else the new node feeds this input
    QString own = {};
};

class GraphView : public QGraphicsView {
    Q_OBJECT

public:
    static constexpr double kLeastZoom = 0.05, kMostZoom = 4;
    explicit GraphView(const SceneContext& context, QWidget* parent = nullptr);
    ~GraphView() override;
    GraphScene& canvas() { return *m_scene; }
    Legend* legend() { return m_legend; }
    Minimap* minimap() { return m_minimap; }
    // What floats over the top of the canvas, in px: zoomToFit() keeps the nodes below it.
    void setReservedTop(int height) { m_reservedTop = height; }
    double zoom() const { return m_zoom; }
    QString mirrorError() { return m_scene->mirrorError(); }
    void setMotion(CanvasMotion motion);
    QRect globalRect(const QRectF& sceneRect) const;
    // Adds an op, connected as asked, or in the middle of the wire that it was dropped on; selects it.
    enum class OnWire : std::uint8_t { Ignore, Insert };
    engine::NodeId addNodeAt(const QString& op, QPointF scenePos, std::optional<NewWire> wire = {},
                             const engine::ParamMap& params = {}, OnWire onWire = OnWire::Ignore);
    // Puts an op between the two ends of a wire; selects it.
    engine::NodeId insertOn(const engine::EdgeKey& edge, const QString& op, const engine::ParamMap& params = {});
    // A place for a new node at or near `at` that hides no other.
    QPointF freePlace(QPointF at) const;
    // Where the top left corner of what is pasted goes: at the pointer, else in the middle of the view.
    engine::Point pastePoint(const engine::Document& part) const;
    void setZoom(double zoom, QPointF viewAnchor);

public Q_SLOTS:
    void zoomToFit();
    void zoomToSelection();
    void zoomBy(double factor);
    void autoLayout();
    void deleteSelection();
    void selectAll();
    void endDropSearch(); // the wire dropped on empty canvas no longer hangs there

Q_SIGNALS:
    void searchRequested(const QPoint& global, const QPointF& scene);
    // A wire was dropped where nothing is; `port` is "output" where it comes from an output.
    void dropSearchRequested(const QPoint& global, const QPointF& scene, engine::NodeId node, const QString& port,
                             bool isOutput);
    // At once: whoever shows the card waits. Rectangles are global: the dot, and the node that must stay seen.
    void castHovered(engine::NodeId node, const QString& port, const QRect& dot, const QRect& avoid);
    void castActivated(engine::NodeId node, const QString& port, const QRect& dot, const QRect& avoid);
    void castLeft();
    void findingHovered(engine::NodeId node, const QRect& badge, const QRect& avoid);
    void findingLeft();
    void findingActivated(engine::NodeId node, const QRect& badge, const QRect& avoid);
    void nodeActivated(engine::NodeId node, const QRect& body);
    void menuRequested(const QPoint& global, const QPointF& scene); // what is under it is selected
    void viewMoved();                                               // scrolled or zoomed
    void zoomChanged(double zoom);

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Press { // of the left button, before it is a drag
        Hit hit;
        DragPoint at;
        bool wasSelected = false; // a click on it, without a drag, selects it alone
    };
    DragPoint pointOf(QPointF viewPos, Qt::KeyboardModifiers modifiers) const;
    void scrollBy(QPoint delta);
    QRectF fitArea() const;
    void flyTo(QRectF rect);
    void placeOverlays();
    void jump(QPointF sceneCentre, double zoom);
    void applyZoom(double zoom);
    void selectForMenu(const Hit& hit);
    void pressLeft(const DragPoint& at);
    void selectHit(const Hit& hit, Qt::KeyboardModifiers modifiers);
    std::unique_ptr<Drag> dragFor(const Press& press);
    std::unique_ptr<Drag> wireDragFor(const Press& press);
    void clickOn(const Press& press);
    void hover(QPointF viewPos);
    void setHovered(const Hit& hit);
    void abandonDrag();
    void openCast(const Hit& dot);
    QRect badgeRect(engine::NodeId id) const;
    void onPulledOnEmpty(const PulledWire& wire, const DragPoint& at);
    bool onKey(QKeyEvent* event);
    bool onZoomKey(int key);
    void onArrow(int key);
    void nudge(int key);
    void onEnter();
    void onEscape();
    void focusOn(const Hit& hit);
    void updateCursor();
    void addReroute(const engine::EdgeKey& edge, const DragPoint& at);
    void apply(const engine::Edit& edit, const QString& name, Gesture gesture = 0);

    GraphScene* m_scene;
    Legend* m_legend;
    Minimap* m_minimap;
    int m_reservedTop = 0;
    GridGround m_ground;
    double m_zoom = 1;
    std::unique_ptr<Drag> m_drag;
    std::optional<Press> m_press;
    Qt::MouseButton m_dragButton = Qt::NoButton;
    QPointF m_pointer{-1, -1}; // in the viewport; outside: nowhere
    bool m_isSpaceHeld = false;
    Gesture m_nudge = 0;
    QTimer m_sharpen;
    QVariantAnimation m_flight;
};

} // namespace ui
