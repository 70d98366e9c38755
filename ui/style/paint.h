// What more than one part of the window draws: tags, dots, pills, bars, wires, ports, shadows, hatches (look,
// sections 4, 5, 6 and 8). Lengths are px at 1x in the painter's coordinates; the painter is left as it was found.
#pragma once

#include "engine/model/snapshot.h"
#include "ui/style/theme.h"

#include <QBrush>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace ui {

// A dtype's letter tag "wears its wire": mono, the underline's centre 4 px below the baseline.
inline constexpr double kTagUnderlineOffset = 4;
double tagWidth(engine::DType dtype, int pixels = 11);
// `baseline` is the left end; returns the advance.
double drawTag(QPainter& painter, QPointF baseline, engine::DType dtype, const Theme& theme, int pixels = 11);
// "f64·24" where the content has fewer good bits than the label, else "f64".
QString wireTag(engine::DType dtype, std::optional<int> effectiveBits);

// A coercion dot with its halo in `ground` (the canvas when invalid). `scale` enlarges the whole, for its motion.
void drawDot(QPainter& painter, QPointF centre, DotLevel level, const Theme& theme, const QColor& ground = {},
             double scale = 1);

enum class PortLook : std::uint8_t { Connected, Optional, Missing };
void drawPort(QPainter& painter, QPointF centre, PortLook look, const QColor& color, const Theme& theme);

// A wire along `path`; effective bits below the label's significand draw a pipe with a thread.
struct WireLook {
    std::optional<int> effectiveBits = std::nullopt;
    bool isHovered = false, isSelected = false;
    double scale = 1;   // of the widths
    QColor ground = {}; // canvas when invalid
};
void drawWire(QPainter& painter, const QPainterPath& path, engine::DType dtype, const Theme& theme,
              const WireLook& look = {});
// The dtype whose colour the thread has; nothing: the wire carries its label's bits.
std::optional<engine::DType> threadOf(engine::DType dtype, std::optional<int> effectiveBits);

// 44 x 8 in a node's header. Every class that is present gets at least 3 px.
void drawHealthPill(QPainter& painter, const QRectF& rect, const engine::Health& health, const Theme& theme);

// Solid: local; pale behind it: total. Absent: not measured; 0: exact (hollow tick at the left). The rectangle is the
// trough, 4 px high; the ticks of the scale stand below it.
void drawErrorBar(QPainter& painter, const QRectF& rect, std::optional<double> local, std::optional<double> total,
                  const Theme& theme);

// Shadow of a rounded rectangle, from one blurred nine-patch per shadow, radius and device ratio. Draw it before the
// body.
void drawShadow(QPainter& painter, const QRectF& body, const Theme::Shadow& shadow, double radius);
// A node's: the deeper one when selected or dragged.
void drawNodeShadow(QPainter& painter, const QRectF& body, const Theme& theme, bool isRaised = false);

enum class Status : std::uint8_t { Ok, Warning, Error, Info };
QColor statusColor(Status status, const Theme& theme);
QPixmap statusIcon(Status status, int size, const Theme& theme, double ratio);

// One segment of a Stages bar or a swatch of its legend, in the form of its stage.
void drawStage(QPainter& painter, const QRectF& rect, engine::Stage stage, const Theme& theme, double radius = 0);
// The fill alone: hollow (no brush) for inherited, a texture at the device ratio for arithmetic and output.
QBrush stageBrush(engine::Stage stage, const Theme& theme, double ratio);
// 45 degrees hatch over a muted node.
QBrush mutedBrush(const Theme& theme, double ratio);

QString elideMiddle(const QString& text, const QFont& font, double width);
// Arrow between asked and ran, 7 px high, its tip at the bottom for a narrowing.
void drawSlotArrow(QPainter& painter, QPointF centre, bool isNarrowing, const QColor& color);

} // namespace ui
