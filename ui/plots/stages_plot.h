// Who is to blame, per combo: shares of the squared error in the order inherited, storage, cast, arithmetic, output,
// stacked; negative ones left of zero in the same form; relative L2 at the right. Drawn by hand: Qt's stacked bars know
// neither hollow segments nor hatches that an SVG keeps.
#pragma once

#include "ui/plots/plot_widget.h"

namespace ui {

class StagesPlot : public PlotWidget {
    Q_OBJECT

public:
    struct Segment {
        engine::Stage stage;
        double share = 0;        // as measured
        double from = 0, to = 0; // on the axis, from < to
    };
    struct Row {
        engine::Combo combo;
        enum class Kind : std::uint8_t { Bar, Exact, Refused, Waiting, NotRun, NotMeasured } kind = Kind::NotRun;
        QList<Segment> segments;
        std::optional<double> relL2;
        QString refusal;
        bool isStale = false, isActive = false;
    };

    StagesPlot(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent = nullptr);
    void setMotion(Motion motion) override;
    QString title() const override;
    QString subtitle() const override;
    QString summary() const override;
    PlotTable table() override;

    const QList<Row>& rows() const { return m_rows; }
    // As drawn at this moment, in widget coordinates.
    QRectF segmentRect(qsizetype row, qsizetype segment) const;
    QRectF rowRect(qsizetype row) const;

Q_SIGNALS:
    void comboClicked(engine::Combo combo);

protected:
    void rebuild(const QSizeF& size) override;
    void paintPlot(QPainter& painter) override;
    PlotHover hoverAt(QPointF position) const override;
    void clickAt(QPointF position) override;
    void finishMotion() override { m_motion.finish(); }

private:
    Row rowOf(const ShownRun& shown) const;
    double x(double share) const;
    QString wordsOf(const Row& row) const;
    void paintKey(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintRow(QPainter& painter, qsizetype row) const;
    void paintSegment(QPainter& painter, const QRectF& rect, const Segment& segment) const;

    ValueMotion m_motion; // from and to of every segment
    QList<Row> m_rows;
    Subject m_subject;
    double m_low = 0, m_high = 1; // shares
    double m_left = 104, m_right = 0, m_top = 34, m_bottom = 0, m_pitch = 41, m_barHeight = 20;
};

} // namespace ui
