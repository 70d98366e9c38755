// One edge of the canvas: a wire in the colours of what it carries, changing at the coercion dot. Holds its key; the
// scene re-reads it. The dot itself is drawn by the marks item, above the nodes.
#pragma once

#include "ui/scene/node_item.h"
#include "ui/scene/wire_path.h"
#include "ui/style/paint.h"

namespace ui {

class EdgeItem : public QGraphicsItem {
public:
    enum { Type = UserType + 2 };
    EdgeItem(PaintContext& context, engine::EdgeKey key);
    int type() const override { return Type; }
    const engine::EdgeKey& key() const { return m_key; }
    engine::NodeId from() const { return m_from; }
    const WirePath& wire() const { return m_wire; }
    const std::vector<QPointF>& reroutes() const { return m_reroutes; }
    std::optional<engine::DType> dtype() const { return m_dtype; } // of what arrives
    std::optional<engine::DType> used() const { return m_used; }   // after the dot
    const std::optional<CastMark>& cast() const { return m_cast; }
    std::optional<int> effectiveBits() const { return m_bits; }
    QString label() const { return m_label; }
    QString accessibleName() const;
    // True if the cast's level is another one than before.
    bool read(const NodeItem& from, const NodeItem& to);
    double distanceTo(QPointF scenePos) const;

    bool isHovered = false, isRinged = false;
    bool isHidden = false;             // its end is in the user's hand
    double radius = 0, radiusFrom = 0; // of the dot, eased when the level changes
    bool isPulsing = false;
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void readPlan();
    WireLook look(double scale) const;
    void paintLetter(QPainter& painter, double zoom) const;

    PaintContext& m_context;
    engine::EdgeKey m_key;
    engine::NodeId m_from;
    std::pair<QPointF, QPointF> m_ends;
    WirePath m_wire;
    QPolygonF m_flat;
    std::vector<QPointF> m_reroutes;
    std::optional<engine::DType> m_dtype, m_used;
    std::optional<int> m_bits;
    std::optional<CastMark> m_cast;
    bool m_isStale = false;
    QString m_label, m_shape;
};

// The wire of a value that is not known.
void paintUnknownWire(QPainter& painter, const QPainterPath& path, const Theme& theme, double scale);

} // namespace ui
