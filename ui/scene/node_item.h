// One node of the canvas. Holds the node's id, its face and its geometry, re-read by the scene; paints itself from kept
// pixmaps. Takes no events: the view finds what is under the pointer.
#pragma once

#include "ui/scene/node_paint.h"
#include "ui/scene/pixmap_store.h"

#include <QGraphicsItem>

namespace ui {

enum class Sharpness : std::uint8_t { Exact, Bucket }; // pixmaps at the zoom's own scale, or at the next kept one

// What the painting of every item needs; owned by the scene.
struct PaintContext {
    SceneContext scene;
    PixmapStore pixmaps = {};
    WaitsFor waits = {};
    Sharpness sharpness = Sharpness::Exact;
    double zoom = 1;
    int sharpenLeft = 0; // contents that this frame may still render anew, and names
    int namesLeft = 0;
    bool wasLeftBlurred = false;
};

class NodeItem : public QGraphicsItem {
public:
    enum { Type = UserType + 1 };
    NodeItem(PaintContext& context, engine::NodeId id);
    int type() const override { return Type; }
    engine::NodeId id() const { return m_face.id; }
    const NodeFace& face() const { return m_face; }
    const NodeGeometry& geometry() const { return m_geometry; }
    QRectF body() const { return m_geometry.rect().translated(pos()); } // in the scene
    QPointF inputAt(std::string_view port) const;                       // in the scene
    QPointF outputAt() const;
    // True if the geometry is another one.
    bool read();
    void readRunning();

    bool isHovered = false, isRinged = false, isFocused = false;
    BarFigures bar, barFrom; // drawn; moved by the scene
    bool isBarMoving() const { return !(bar == barFigures(m_face)); }
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    struct Kept;
    void paintFull(QPainter& painter, double zoom, double ratio) const;
    void paintMiddle(QPainter& painter, double zoom, double ratio) const;
    void paintLow(QPainter& painter, double zoom, double ratio) const;
    void paintBodySmall(QPainter& painter, QSizeF size, double radius) const;
    void paintName(QPainter& painter, QPointF baseline, double width, int pixels, double ratio) const;
    BodyState bodyState() const;

    PaintContext& m_context;
    NodeText m_text;
    NodeFace m_face;
    NodeGeometry m_geometry;
    std::size_t m_contentKey = 0;
    mutable std::array<double, 16> m_nameWidths{}; // by font size, measured once
};

} // namespace ui
