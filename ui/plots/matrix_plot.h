// The combos side by side on one scale, in the order of the toolbar: a histogram of relative errors per cell, a rose
// line at the metric, the number large, a dot where the combo casts. A refused combo keeps its cell and offers the
// remedies as buttons. A combo beside the four has a fifth cell.
#pragma once

#include "ui/plots/chart_adapter.h"
#include "ui/plots/matrix_data.h"

class QPushButton;

namespace ui {

class MatrixPlot : public PlotWidget {
    Q_OBJECT

public:
    MatrixPlot(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent = nullptr);
    void setMotion(Motion motion) override;
    QString title() const override;
    QString subtitle() const override;
    QString summary() const override;
    PlotTable table() override;

    const MatrixData& data() const { return m_data; }
    const ChartAdapter& chart() const { return m_chart; }
    QRectF cellRect(qsizetype cell) const { return m_cells[cell]; }
    QRectF barArea(qsizetype cell) const;     // of the finite, inexact values
    QString words() const { return m_words; } // below the cells

Q_SIGNALS:
    void remedyRequested(engine::Combo combo, const QString& remedy);
    void comboClicked(engine::Combo combo);

protected:
    void rebuild(const QSizeF& size) override;
    void paintPlot(QPainter& painter) override;
    PlotHover hoverAt(QPointF position) const override;
    void clickAt(QPointF position) override;
    void finishMotion() override { m_chart.finishMotion(); }

private:
    static constexpr double kPad = 9.5, kBandRoom = 18; // of a cell; of a band beside the bars
    void placeCells(const QSizeF& size);
    void buildCharts();
    void placeButtons();
    void paintCell(QPainter& painter, qsizetype cell) const;
    void paintHeader(QPainter& painter, const MatrixCell& cell, const QRectF& rect) const;
    void paintHistogram(QPainter& painter, qsizetype cell) const;
    void paintBands(QPainter& painter, qsizetype cell) const;
    void paintReason(QPainter& painter, const MatrixCell& cell, const QRectF& rect) const;
    QString wordsOf(const MatrixCell& cell) const;

    ChartAdapter m_chart; // one chart per cell
    MatrixData m_data;
    QList<QRectF> m_cells;
    QList<QPushButton*> m_buttons; // two per cell, made when needed
    QString m_words;
};

} // namespace ui
