#include "ui/scene/node_paint.h"

#include "ui/style/paint.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace node_size;

namespace {

bool isRaised(BodyState state)
{
    return state == BodyState::Selected || state == BodyState::RefusedSelected;
}

// The error at a position of the scale; nothing stays nothing.
std::optional<double> errorAt(std::optional<double> figure, double position)
{
    constexpr double kDecades = 17;
    return figure && *figure > 0 ? std::optional(std::pow(10.0, kDecades * (position - 1))) : figure;
}

} // namespace

double bodyMargin(BodyState state, const Theme& theme)
{
    const Theme::Shadow& shadow = isRaised(state) ? theme.selectedShadow : theme.nodeShadow;
    return std::ceil(shadow.dy + 1.5 * shadow.blur);
}

void paintBody(QPainter& p, QSizeF size, BodyState state, bool isMuted, const Theme& theme, double ratio)
{
    const QRectF rect(QPointF(), size);
    drawNodeShadow(p, rect, theme, isRaised(state));
    const bool isRefused = state == BodyState::Refused || state == BodyState::RefusedSelected;
    const QColor border = isRefused                   ? theme.status.error
                          : state == BodyState::Hover ? theme.text.tertiary
                                                      : theme.line.node;
    const double width = isRefused ? 1.5 : state == BodyState::Hover ? 1.25 : 1;
    p.setPen(Qt::NoPen);
    p.setBrush(theme.surface.node);
    p.drawRoundedRect(rect, kRadius, kRadius);
    if (isMuted) {
        p.setBrush(mutedBrush(theme, ratio));
        p.drawRoundedRect(rect, kRadius, kRadius);
    }
    p.setPen(QPen(border, width));
    p.setBrush(Qt::NoBrush);
    p.drawRoundedRect(rect, kRadius, kRadius);
}

BarFigures barFigures(const NodeFace& face)
{
    if (face.isRefused || face.isBlocked)
        return {};
    return {face.local ? errorPosition(*face.local) : 0, face.total ? errorPosition(*face.total) : 0};
}

QRectF barTrack(const NodeGeometry& g)
{
    return {kPadding, g.footerTop + 10, g.size.width() - 88, 4};
}

void paintBar(QPainter& p, QRectF track, const NodeFace& face, const BarFigures& at, const Theme& theme)
{
    constexpr double kPendingOpacity = 0.45;
    const double opacity = p.opacity();
    if (face.areStagesPending)
        p.setOpacity(opacity * kPendingOpacity);
    drawErrorBar(p, track, errorAt(face.local, at.local), errorAt(face.total, at.total), theme);
    p.setOpacity(opacity);
}

void paintProgress(QPainter& p, QSizeF size, double fraction, const Theme& theme)
{
    QPainterPath shape;
    shape.addRoundedRect(QRectF(QPointF(), size), kRadius, kRadius);
    p.save();
    p.setClipPath(shape, Qt::IntersectClip);
    p.fillRect(QRectF(0, 0, size.width(), 2.5), theme.line.hairline);
    p.fillRect(QRectF(0, 0, size.width() * std::clamp(fraction, 0.0, 1.0), 2.5), theme.ink.fill);
    p.restore();
}

void paintSelectionRing(QPainter& p, QRectF rect, double radius, const Theme& theme)
{
    constexpr double kOut = 2.5;
    p.setPen(QPen(theme.selection.ring, 2));
    p.setBrush(Qt::NoBrush);
    p.drawRoundedRect(rect.adjusted(-kOut, -kOut, kOut, kOut), radius + kOut, radius + kOut);
}

void paintFocusRing(QPainter& p, QRectF rect, double radius, const Theme& theme)
{
    constexpr double kOut = 3.5;
    QPen pen(theme.selection.focus, 1.5, Qt::SolidLine, Qt::FlatCap);
    pen.setDashPattern({2, 2});
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawRoundedRect(rect.adjusted(-kOut, -kOut, kOut, kOut), radius + kOut, radius + kOut);
}

} // namespace ui
