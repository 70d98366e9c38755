// The ULP histogram of the selected node under the canvas's own combo: correctly rounded values strong, more than
// 32 ULP (five bits wrong) rose; what has no ULP is counted in words, what is not finite has a band of its own.
#pragma once

#include "ui/plots/chart_adapter.h"
#include "ui/plots/plot_widget.h"

namespace ui {

class DistributionPlot : public PlotWidget {
    Q_OBJECT

public:
    DistributionPlot(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent = nullptr);
    void setMotion(Motion motion) override;
    QString title() const override;
    QString subtitle() const override;
    QString summary() const override { return m_words + QStringLiteral(". ") + m_mostWords; }
    PlotTable table() override;

    const ChartAdapter& chart() const { return m_chart; }
    const QList<HistogramBar>& bars() const { return m_bars; }
    QRectF barRect(qsizetype bar) const;
    QString words() const { return m_words; }

protected:
    void rebuild(const QSizeF& size) override;
    void paintPlot(QPainter& painter) override;
    PlotHover hoverAt(QPointF position) const override;
    void clickAt(QPointF position) override;
    bool paintsTitle() const override { return true; }
    void finishMotion() override { m_chart.finishMotion(); }
    PlotBlank findBlank() const override;

private:
    void buildBars();
    std::optional<qsizetype> barUnder(QPointF position) const;
    // The canvas's own run of the selected node.
    const ShownRun* canvasRun(const QList<ShownRun>& runs) const;

    ChartAdapter m_chart;
    QList<HistogramBar> m_bars;
    engine::NodeId m_node;
    QString m_name, m_dtype, m_words, m_mostWords;
    std::int64_t m_notFinite = 0;
    QRectF m_area, m_band;         // of the bars; of what is not finite
    double m_high = 1, m_step = 1; // percent
    bool m_isStale = false;
};

} // namespace ui
