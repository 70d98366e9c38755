// What the pointer does between press and release, one class per gesture. A drag changes the document only through
// apply(), all of it under one undo step, and abandon() leaves nothing behind.
#pragma once

#include "ui/scene/graph_scene.h"

#include <functional>
#include <memory>

namespace ui {

struct DragPoint {
    QPointF scene;
    QPoint view; // viewport
    Qt::KeyboardModifiers modifiers;
    double zoom = 1;
};

class Drag {
public:
    virtual ~Drag() = default;
    virtual void move(const DragPoint& at) = 0;
    virtual void drop(const DragPoint& at) = 0;
    virtual void abandon() {}
    virtual QString whyNot(const DragPoint&) const { return {}; } // shown beside the pointer
};

// Scrolls by the pointer's way.
std::unique_ptr<Drag> panDrag(std::function<void(QPoint delta)> scroll, const DragPoint& start);
// Selects what the band touches; with Shift or Ctrl in addition.
std::unique_ptr<Drag> bandDrag(GraphScene& scene, const DragPoint& start);
// Moves the selected nodes and the reroute points between them by multiples of 8 px.
std::unique_ptr<Drag> moveDrag(GraphScene& scene, engine::NodeId grabbed, const DragPoint& start);
std::unique_ptr<Drag> rerouteDrag(GraphScene& scene, const engine::EdgeKey& edge, std::size_t index, Gesture gesture,
                                  QString name);

// Pulls a wire from a port; or takes the end of an edge from where it is. `onEmpty`: dropped where nothing is.
enum class WireEnd : std::uint8_t { Source, Target };
using DroppedOnEmpty = std::function<void(const PulledWire& wire, const DragPoint& at)>;
std::unique_ptr<Drag> wireDrag(GraphScene& scene, const PortKey& anchor, const DragPoint& start,
                               DroppedOnEmpty onEmpty);
std::unique_ptr<Drag> takeWireDrag(GraphScene& scene, const engine::EdgeKey& edge, WireEnd end, const DragPoint& start);

double snap8(double x);

} // namespace ui
