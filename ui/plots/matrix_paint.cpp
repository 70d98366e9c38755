// Painting of MatrixPlot's cells; what is where was decided in rebuild().
#include "ui/plots/error_axis.h"
#include "ui/plots/matrix_plot.h"
#include "ui/plots/plot_paint.h"

#include <QFontMetricsF>

#include <algorithm>

namespace ui {

void MatrixPlot::paintHeader(QPainter& painter, const MatrixCell& cell, const QRectF& rect) const
{
    const Theme& t = theme();
    const double tag = drawComboTag(painter, {rect.left() + kPad, rect.top() + 16.5}, cell.combo, t);
    if (cell.dot)
        drawDot(painter, {rect.left() + kPad + tag + 8 + dotRadius(*cell.dot), rect.top() + 13}, *cell.dot, t,
                t.plot.area);
    if (cell.kind == CellKind::Refused)
        drawOctagon(painter, {rect.right() - kPad - 15, rect.top() + 5.5, 16, 16}, t.status.error);
    else
        drawText(painter, {rect.right() - kPad, rect.top() + 17.5}, cell.number, monoFont(13), t.text.primary,
                 Qt::AlignRight);
}

void MatrixPlot::paintBands(QPainter& painter, qsizetype i) const
{
    const MatrixCell& cell = m_data.cells[i];
    const Theme& t = theme();
    const QRectF area = barArea(i);
    const double full = 1.08 * std::max(m_data.most, 1e-9);
    const auto bar = [&](double x, std::int64_t count, const QColor& color) {
        const double share = static_cast<double>(count) / static_cast<double>(std::max<std::int64_t>(1, cell.compared));
        const double height = std::clamp(share / full * area.height(), 1.0, area.height());
        painter.fillRect(QRectF(x, area.bottom() - height, 9, height), color);
    };
    if (m_data.hasExact) { // left of the axis, behind the gap
        const double x = area.left() - kBandRoom;
        if (cell.exact > 0)
            bar(x + 2, cell.exact, t.text.secondary);
        drawHorizontal(painter, x, x + 12, area.bottom(), t.plot.axis);
        drawText(painter, {x - 2, area.bottom() + 12}, tr("exact"), uiFont(10), t.plot.label);
    }
    if (m_data.hasNotFinite) {
        const double x = area.right() + kBandGap;
        if (cell.notFinite > 0)
            drawBurst(painter, {x + 6, area.bottom() - 8}, 6, t.plot.area, t);
        drawHorizontal(painter, x, x + 12, area.bottom(), t.plot.axis);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.text.secondary);
    const double y = area.bottom() - 4;
    if (cell.below > 0)
        painter.drawPolygon(
            QPolygonF(QList<QPointF>{{area.left(), y}, {area.left() + 6, y - 4}, {area.left() + 6, y + 4}}));
    if (cell.above > 0)
        painter.drawPolygon(
            QPolygonF(QList<QPointF>{{area.right(), y}, {area.right() - 6, y - 4}, {area.right() - 6, y + 4}}));
}

void MatrixPlot::paintHistogram(QPainter& painter, qsizetype i) const
{
    const Theme& t = theme();
    const QRectF area = barArea(i);
    const QFont mono = monoFont(10);
    double free =
        m_data.hasExact ? area.left() - kBandRoom + textWidth(tr("exact"), uiFont(10)) + 4 : m_cells[i].left() + 2;
    for (const AxisTick& tick : decadeTicks(m_data.log10Low(), m_data.log10High())) {
        if (m_data.bins == 0)
            break;
        const double x =
            area.left() + (tick.at - m_data.log10Low()) / (m_data.log10High() - m_data.log10Low()) * area.width();
        drawVertical(painter, x - 0.5, area.top(), area.bottom(), t.plot.grid);
        const double width = textWidth(tick.label, mono);
        if (x - width / 2 < free || x + width / 2 > m_cells[i].right() - 2)
            continue;
        drawText(painter, {x, m_cells[i].bottom() - 4.5}, tick.label, mono, t.plot.label, Qt::AlignHCenter);
        free = x + width / 2 + 6;
    }
    drawHorizontal(painter, area.left(), area.right(), area.bottom(), t.plot.axis);
}

void MatrixPlot::paintReason(QPainter& painter, const MatrixCell& cell, const QRectF& rect) const
{
    QString text;
    if (cell.kind == CellKind::Refused)
        text = cell.shortRefusal;
    else if (cell.kind == CellKind::NotRun)
        text = tr("not run");
    else if (cell.kind == CellKind::NoValue)
        text = tr("no reference to compare with");
    const double bottom = cell.remedies.isEmpty() ? rect.bottom() - 6 : rect.bottom() - 34;
    drawParagraph(painter, QRectF(QPointF(rect.left() + kPad, rect.top() + 26), QPointF(rect.right() - kPad, bottom)),
                  text, uiFont(11), theme().text.secondary);
}

void MatrixPlot::paintCell(QPainter& painter, qsizetype i) const
{
    const MatrixCell& cell = m_data.cells[i];
    const Theme& t = theme();
    const QRectF rect = m_cells[i];
    const bool isRefused = cell.kind == CellKind::Refused;
    painter.setPen(QPen(isRefused ? t.status.error : t.line.hairline, 1));
    painter.setBrush(t.plot.area);
    painter.drawRoundedRect(rect, 6, 6);
    if (cell.isActive && m_cells.size() > 1) {
        painter.setPen(QPen(t.selection.ring, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), 7, 7);
        if (isRefused) { // its own border stays, inside the ring
            painter.setPen(QPen(t.status.error, 1));
            painter.drawRoundedRect(rect.adjusted(2, 2, -2, -2), 4, 4);
        }
    }
    painter.setOpacity(cell.isStale ? t.plot.staleOpacity : 1);
    paintHeader(painter, cell, rect);
    if (cell.kind == CellKind::Value) {
        paintHistogram(painter, i);
        paintBands(painter, i);
    } else {
        paintReason(painter, cell, rect);
    }
    painter.setOpacity(1);
}

void MatrixPlot::paintPlot(QPainter& painter)
{
    for (qsizetype i = 0; i < m_cells.size(); ++i)
        paintCell(painter, i);
    m_chart.paint(painter);
    for (qsizetype i = 0; i < m_cells.size(); ++i) {
        const MatrixCell& cell = m_data.cells[i];
        if (cell.kind != CellKind::Value || !cell.line || m_data.bins == 0)
            continue;
        const QRectF area = barArea(i);
        const double at = (*cell.line - m_data.log10Low()) / (m_data.log10High() - m_data.log10Low());
        const double x = area.left() + std::clamp(at, 0.0, 1.0) * area.width();
        painter.setOpacity(cell.isStale ? theme().plot.staleOpacity : 1);
        if (at >= 0 && at <= 1) {
            painter.fillRect(QRectF(x - 1, area.top() - 4, 2, area.height() + 4), theme().loss.key);
        } else { // beyond the axis
            const double back = at < 0 ? 7 : -7;
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme().loss.key);
            painter.drawPolygon(
                QPolygonF(QList<QPointF>{{x, area.top()}, {x + back, area.top() - 4}, {x + back, area.top() + 4}}));
        }
        painter.setOpacity(1);
    }
    if (!m_words.isEmpty() && !m_cells.isEmpty()) {
        const QFont font = uiFont(10);
        drawText(painter, {12.5, m_cells[2].bottom() + 14},
                 QFontMetricsF(font).elidedText(m_words, Qt::ElideRight, m_cells[1].right() - 12.5), font,
                 theme().text.tertiary);
    }
}

} // namespace ui
