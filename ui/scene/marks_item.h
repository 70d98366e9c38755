// The one item above the nodes: ports, coercion dots, reroute points, the wire in the user's hand, the rubber band; and
// below 15 % the whole canvas as blocks and hairlines, batched by colour. Draws what the scene's items know.
#pragma once

#include "ui/scene/edge_item.h"
#include "ui/scene/pulled_wire.h"

namespace ui {

class GraphScene;

class MarksItem : public QGraphicsItem {
public:
    enum { Type = UserType + 3 };
    MarksItem(PaintContext& context, const GraphScene& scene);
    int type() const override { return Type; }
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    struct Frame; // one paint: painter, zoom, ratio, what is exposed
    void paintPorts(const Frame& frame, const NodeItem& node) const;
    void paintPortAt(const Frame& frame, QPointF at, PortLook look, QColor color) const;
    void paintLit(const Frame& frame, QPointF at, const PortKey& key) const;
    void paintDots(const Frame& frame) const;
    void paintReroutes(const Frame& frame) const;
    void paintPulledWire(const Frame& frame) const;
    void paintBlocks(const Frame& frame) const;
    void paintHairlines(const Frame& frame) const;

    PaintContext& m_context;
    const GraphScene& m_scene;
};

} // namespace ui
