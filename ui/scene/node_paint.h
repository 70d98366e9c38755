// Draws a node: body with shadow and content, which are kept as pixmaps, and what is drawn live: rings, progress, and
// the error bar while it moves. Coordinates are those of NodeGeometry. Look, sections 4 and 6. Stateless.
#pragma once

#include "ui/scene/node_geometry.h"

class QPainter;

namespace ui {

enum class BodyState : std::uint8_t { Normal, Hover, Selected, Refused, RefusedSelected };

double bodyMargin(BodyState state, const Theme& theme); // room for the shadow around the node
void paintBody(QPainter& painter, QSizeF size, BodyState state, bool isMuted, const Theme& theme, double ratio);

// The error bar as drawn now: positions 0..1 on the common scale.
struct BarFigures {
    double local = 0, total = 0;
    bool operator==(const BarFigures&) const = default;
};
BarFigures barFigures(const NodeFace& face);
QRectF barTrack(const NodeGeometry& geometry);
void paintBar(QPainter& painter, QRectF track, const NodeFace& face, const BarFigures& at, const Theme& theme);

enum class BarIn : std::uint8_t { Content, Live };
// `ratio`: device pixels per look pixel, for icons.
void paintContent(QPainter& painter, const NodeFace& face, const NodeGeometry& geometry, BarIn bar, const Theme& theme,
                  double ratio);

void paintProgress(QPainter& painter, QSizeF size, double fraction, const Theme& theme);
void paintSelectionRing(QPainter& painter, QRectF rect, double radius, const Theme& theme);
void paintFocusRing(QPainter& painter, QRectF rect, double radius, const Theme& theme);

} // namespace ui
