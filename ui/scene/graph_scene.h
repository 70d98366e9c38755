// The mirror of the document on the canvas: one item per node and per edge, by id, re-read when the document, the plan,
// the results, the selection or the theme say that they changed. Holds no document state; knows what the pointer and
// the keyboard look at. GUI thread only.
#pragma once

#include "ui/scene/edge_item.h"
#include "ui/scene/marks_item.h"
#include "ui/scene/pulled_wire.h"
#include "ui/scene/scene_hit.h"

#include <QGraphicsScene>
#include <QVariantAnimation>

namespace ui {

enum class CanvasMotion : std::uint8_t { Animated, Instant };

class GraphScene : public QGraphicsScene {
    Q_OBJECT

public:
    explicit GraphScene(const SceneContext& context, QObject* parent = nullptr);
    ~GraphScene() override;
    const SceneContext& context() const { return m_paint.scene; }
    PaintContext& paintContext() { return m_paint; }
    const std::map<engine::NodeId, NodeItem*>& nodes() const { return m_nodes; }
    const std::map<engine::EdgeKey, EdgeItem*>& edges() const { return m_edges; }
    const NodeItem* node(engine::NodeId id) const;
    const EdgeItem* edge(const engine::EdgeKey& key) const;

    // Re-reads what is marked as changed. Runs by itself before the next frame; call it to be sure now.
    void flush();
    // What is not as the document and the plan say; empty: all well. Ends running motion.
    QString mirrorError();

    Hit hitAt(QPointF at, double zoom) const;
    // The port of a pulled wire's other kind nearest to `at` that fits, within its attraction.
    std::optional<PortKey> targetAt(QPointF at, double zoom) const;
    QPointF portAt(const PortKey& key) const;

    const Hit& hovered() const { return m_hovered; }
    void setHovered(const Hit& hit);
    // What the keyboard is on: a node, a dot, or nothing.
    const Hit& focused() const { return m_focused; }
    void setFocused(const Hit& hit);
    bool isDotLookedAt(const engine::EdgeKey& edge) const;
    const std::optional<PulledWire>& pulled() const { return m_pulled; }
    void setPulled(std::optional<PulledWire> wire);
    const std::optional<QRectF>& band() const { return m_band; }
    void setBand(std::optional<QRectF> band);

    double pulse() const { return m_pulse.currentValue().toDouble(); }
    void setMotion(CanvasMotion motion) { m_motion = motion; }
    CanvasMotion motion() const { return m_motion; }
    // Nodes glide to where the document has them, from where they are drawn now.
    void glideNext() { m_isGlideNext = true; }
    QRectF nodesRect(const std::set<engine::NodeId>& ids) const; // of all, where empty
    QString accessibleName(const Hit& hit) const;

Q_SIGNALS:
    void mirrored(); // items were re-read

private:
    enum Dirt : unsigned { Structure = 1, Content = 2, Positions = 4, SelectionDirt = 8, Running = 16 };
    void mark(unsigned dirt);
    void connectSources();
    void syncItems();
    void readNodes();
    void readPositions();
    void readEdges();
    void readSelection();
    void readRunning();
    void fitSceneRect();
    void dropDangling();
    void startMotion(QVariantAnimation& animation);
    void finishMotion();
    void onTheme();
    void onBarStep(double t);
    void onGlideStep(double t);
    void onPulseStep(double t);

    PaintContext m_paint;
    std::map<engine::NodeId, NodeItem*> m_nodes;
    std::map<engine::EdgeKey, EdgeItem*> m_edges;
    MarksItem* m_marks = nullptr;
    unsigned m_dirt = 0;
    bool m_isFlushQueued = false, m_isGlideNext = false;
    std::set<engine::NodeId> m_moved; // since the last flush, or of another geometry
    Hit m_hovered, m_focused;
    std::optional<PulledWire> m_pulled;
    std::optional<QRectF> m_band;
    CanvasMotion m_motion = CanvasMotion::Animated;
    QVariantAnimation m_bars, m_glide, m_pulse;
    std::map<engine::NodeId, std::pair<QPointF, QPointF>> m_gliding; // from, to
};

// Where the canvas shows a position of the document: far away is as good as infinite.
QPointF canvasPoint(const engine::Point& at);

} // namespace ui
