// Error against depth: a line per combo in the combo's form, the arithmetic stage of the canvas's own combo as a thin
// line with hollow squares, its bound dotted. A click selects the node of a column.
#pragma once

#include "ui/plots/chart_adapter.h"
#include "ui/plots/combo_style.h"
#include "ui/plots/error_axis.h"
#include "ui/plots/label_layout.h"
#include "ui/plots/plot_widget.h"

#include <QHash>

namespace ui {

enum class OwnSetting : std::uint8_t { Combo, PerLayer };

class ByLayerPlot : public PlotWidget {
    Q_OBJECT

public:
    ByLayerPlot(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent = nullptr);
    // With per-layer dtypes the canvas's line is ink and named "this graph".
    void setOwnSetting(OwnSetting own);
    void setMotion(Motion motion) override;
    QString title() const override;
    QString subtitle() const override;
    QString summary() const override;
    PlotTable table() override;

    const ChartAdapter& chart() const { return m_chart; }
    const ErrorAxis& axis() const { return m_axis; }
    const CategoryLabels& labels() const { return m_labels; }
    QPointF columnAt(engine::NodeId node) const; // top of its column, in widget coordinates
    QString bandWords() const { return m_bandWords; }

protected:
    void rebuild(const QSizeF& size) override;
    void paintPlot(QPainter& painter) override;
    PlotHover hoverAt(QPointF position) const override;
    void clickAt(QPointF position) override;
    void stepSelection(int by) override;
    bool paintsTitle() const override { return true; }
    void finishMotion() override { m_chart.finishMotion(); }
    PlotBlank findBlank() const override;

private:
    struct Row { // one combo
        ErrorSeries series;
        Emphasis emphasis = Emphasis::Quiet;
        bool isStale = false;
    };
    struct EndLabel {
        double wanted = 0, y = 0; // of the line's end; of the label
        double from = 0;          // x where the line ends
        qsizetype row = -1;       // -1: text
        QString text;
        Weight weight = Weight::Regular;
    };
    struct Edge { // a point outside the axis
        QPointF at;
        int side = 0;
        QString value;
    };
    void collectRows();
    void layoutArea(const QSizeF& size);
    void buildSeries();
    void addRun(const std::vector<SeriesPoint>& points, const ChartLine& form, bool isStale);
    void addMarks(const std::vector<SeriesPoint>& points, const ChartMarks& form, bool isStale);
    void placeEndLabels(const QSizeF& size);
    double columnX(qsizetype column) const;
    qsizetype columnOf(engine::NodeId node) const { return m_columnOf.value(node.value, -1); }
    bool hasArithmetic(const Row& row) const;
    std::optional<qsizetype> columnUnder(QPointF position) const;
    void paintGround(QPainter& painter) const;
    void paintBands(QPainter& painter) const;
    void paintEdges(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintEnds(QPainter& painter) const;
    void paintSelected(QPainter& painter) const;

    ChartAdapter m_chart;
    OwnSetting m_own = OwnSetting::Combo;
    QList<Row> m_rows; // active last: drawn on top
    QList<engine::NodeId> m_columns;
    QHash<std::uint32_t, qsizetype> m_columnOf;
    QStringList m_names;
    qsizetype m_selected = -1;
    ErrorAxis m_axis;
    CategoryLabels m_labels;
    QList<EndLabel> m_ends;
    QList<Edge> m_edges;
    QList<ChartLine> m_lines;
    QList<ChartMarks> m_marks;
    QString m_bandWords;
    double m_wordsY = 0;
};

} // namespace ui
