// The whole graph small, bottom right: a block per node, with a rose stripe where the largest local errors are and the
// warning's or the error's colour where there is a finding; a ring for what the view shows. A press or a drag moves
// the view there.
#pragma once

#include "ui/scene/graph_scene.h"

#include <QWidget>

namespace ui {

class Minimap : public QWidget {
    Q_OBJECT

public:
    static constexpr int kWidth = 196, kHeight = 104, kMargin = 16;
    Minimap(GraphScene& scene, QWidget* parent);
    void setView(const QRectF& sceneRect); // what the view shows
    void place();                          // in the parent's bottom-right corner
    void setWanted(bool isWanted);         // shown when there is something to show
    bool isWanted() const { return m_isWanted; }
    // Of this widget, for the tests.
    QRectF blockOf(engine::NodeId id) const;
    QRectF viewRing() const;

Q_SIGNALS:
    void centreAsked(const QPointF& scene);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void readNodes();
    void refresh();
    QColor stripeOf(const NodeFace& face, double worst) const;
    QTransform toMap() const;
    void ask(QPointF at);
    GraphScene& m_scene;
    QRectF m_view, m_world; // scene coordinates: shown; of all nodes and the view
    struct Block {
        QRectF body;   // scene coordinates
        QColor stripe; // invalid: none
    };
    std::vector<Block> m_blocks;                 // as of the last mirroring: the view moves far more often
    bool m_isWanted = true, m_isPressed = false; // the scale stays while it is pressed
};

} // namespace ui
