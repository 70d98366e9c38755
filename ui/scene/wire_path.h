// The course of a wire: a cubic from port to port with horizontal tangents, through its reroute points, then a straight
// run of 30 px into the input, where the coercion dot sits. Look, section 5. Pure.
#pragma once

#include <QPainterPath>
#include <QPointF>

#include <vector>

namespace ui {

struct WirePath {
    QPainterPath all;    // from the output port to the input port
    QPainterPath before; // up to the dot's place
    QPainterPath after;  // from there into the port
    QPointF dot;         // 30 px before the input
    QPointF middle;      // of `before`: where the letter stands
    double length = 0;   // of `before`
    bool operator==(const WirePath&) const = default;
};

WirePath wirePath(QPointF from, QPointF to, const std::vector<QPointF>& reroutes = {});
// While a wire is pulled, its loose end has no straight run.
QPainterPath looseWire(QPointF from, QPointF to);
// The place in `reroutes` for a new point at `at`, so that the wire keeps its order.
std::size_t rerouteIndex(QPointF from, QPointF to, const std::vector<QPointF>& reroutes, QPointF at);

} // namespace ui
