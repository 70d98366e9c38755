// What all plots draw alike and style/paint.h does not have: combo tags, the octagon as a shape, hairlines, value
// boxes, stage forms (as plain shapes, so that an SVG keeps them), blanks. Pure painting; colours come from the theme.
#pragma once

#include "engine/model/combo.h"
#include "engine/model/snapshot.h"
#include "ui/style/paint.h"

#include <QPainter>
#include <QStringList>

namespace ui {

// "f64 × f32" with underlines; `at` is the baseline's left end. Returns the width.
double drawComboTag(QPainter& painter, QPointF at, const engine::Combo& combo, const Theme& theme);
double comboTagWidth(const engine::Combo& combo);
QString comboWords(const engine::Combo& combo); // "float64 × float32"

// The worst implicit cast of a run, if it casts at all; its level as the canvas draws it.
std::optional<DotLevel> worstCast(const engine::RunResult& run);
// The burst of values that are not finite.
void drawBurst(QPainter& painter, QPointF center, double radius, const QColor& ground, const Theme& theme);
void drawOctagon(QPainter& painter, const QRectF& rect, const QColor& color);

void drawText(QPainter& painter, QPointF baseline, const QString& text, const QFont& font, const QColor& color,
              Qt::Alignment alignment = Qt::AlignLeft);
// As many whole lines as fit, at least one; the last is elided where the text goes on.
void drawParagraph(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& color);
double textWidth(const QString& text, const QFont& font);
// A hairline on device pixels, from (x, y) along the axis.
void drawHorizontal(QPainter& painter, double x1, double x2, double y, const QColor& color);
void drawVertical(QPainter& painter, double x, double y1, double y2, const QColor& color);

// A segment of the Stages bar or its key, in the form of its stage.
void drawStageForm(QPainter& painter, const QRectF& rect, engine::Stage stage, const Theme& theme);
// Text on it: the colour that reads on a solid fill; hatch and dots need a pad.
bool stageNeedsPad(engine::Stage stage);
QColor stageTextColor(engine::Stage stage, const Theme& theme);

// Lines of text in a box near `anchor`, kept inside `bounds`; the first line is strong.
QRectF drawValueBox(QPainter& painter, QPointF anchor, const QStringList& lines, const QRectF& bounds,
                    const Theme& theme);
void drawBlank(QPainter& painter, const QRectF& rect, const QString& iconName, const QString& title,
               const QString& sentence, const Theme& theme);

QString grouped(std::int64_t count);             // thousands with a narrow space
QString percent(double share, int decimals = 0); // "76 %", "−3 %"
QString counted(std::int64_t count, const QString& one, const QString& many);

} // namespace ui
