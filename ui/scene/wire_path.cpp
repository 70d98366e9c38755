#include "ui/scene/wire_path.h"

#include "ui/scene/node_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui {

namespace {

double reach(double dx)
{
    return std::clamp(std::abs(dx) / 2, 24.0, 120.0);
}

// Appends the cubic from the path's end; directions are +1 (to the right) or -1.
void curveTo(QPainterPath& path, QPointF to, double leaving, double arriving)
{
    const QPointF from = path.currentPosition();
    if (from.y() == to.y() && leaving > 0 && arriving > 0 && to.x() > from.x()) {
        path.lineTo(to);
        return;
    }
    const double c = reach(to.x() - from.x());
    path.cubicTo(from + QPointF(leaving * c, 0), to - QPointF(arriving * c, 0), to);
}

double distanceToSegment(QPointF p, QPointF a, QPointF b)
{
    const QPointF ab = b - a, ap = p - a;
    const double squared = QPointF::dotProduct(ab, ab);
    const double t = squared > 0 ? std::clamp(QPointF::dotProduct(ap, ab) / squared, 0.0, 1.0) : 0;
    const QPointF d = ap - t * ab;
    return std::hypot(d.x(), d.y());
}

} // namespace

WirePath wirePath(QPointF from, QPointF to, const std::vector<QPointF>& reroutes)
{
    WirePath wire;
    wire.dot = to - QPointF(node_size::kDotDistance, 0);
    wire.before.moveTo(from);
    double direction = 1;
    for (std::size_t i = 0; i < reroutes.size(); ++i) {
        const QPointF previous = i == 0 ? from : reroutes[i - 1];
        const QPointF next = i + 1 < reroutes.size() ? reroutes[i + 1] : wire.dot;
        const double arriving = next.x() >= previous.x() ? 1 : -1;
        curveTo(wire.before, reroutes[i], direction, arriving);
        direction = arriving;
    }
    curveTo(wire.before, wire.dot, direction, 1);
    wire.after.moveTo(wire.dot);
    wire.after.lineTo(to);
    wire.all = wire.before;
    wire.all.lineTo(to);
    wire.length = wire.before.length();
    wire.middle = wire.before.pointAtPercent(0.5);
    return wire;
}

QPainterPath looseWire(QPointF from, QPointF to)
{
    QPainterPath path(from);
    const double c = reach(to.x() - from.x());
    path.cubicTo(from + QPointF(c, 0), to - QPointF(c, 0), to);
    return path;
}

std::size_t rerouteIndex(QPointF from, QPointF to, const std::vector<QPointF>& reroutes, QPointF at)
{
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i <= reroutes.size(); ++i) {
        const QPointF a = i == 0 ? from : reroutes[i - 1];
        const QPointF b = i == reroutes.size() ? to : reroutes[i];
        const double d = distanceToSegment(at, a, b);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

} // namespace ui
