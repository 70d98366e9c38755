// What every plot is: a widget that pulls from the snapshot store when it is painted, names what the pointer is on,
// selects on a click, and exports itself. Results of a combo stay, dimmed, until their successors arrive.
// GUI thread only; the references outlive it.
#pragma once

#include <QWidget>

#include "ui/document/selection.h"
#include "ui/live/error_series.h"
#include "ui/live/snapshot_store.h"
#include "ui/plots/value_motion.h"
#include "ui/style/theme.h"

class QMenu;

namespace ui {

enum class FigureTheme : std::uint8_t { Light, Own };

// One combo of the plots: the newest run there is of it.
struct ShownRun {
    engine::Combo combo;
    const engine::RunSnapshot* snapshot = nullptr;
    const engine::RunResult* run = nullptr; // null: none yet
    const engine::RunSnapshot* stagedSnapshot = nullptr;
    const engine::RunResult* staged = nullptr; // the newest with stages (or refused)
    bool isStale = false, stagesAreStale = false;
    bool isActive = false; // the canvas's own
};

struct Subject {
    engine::NodeId id; // 0: none
    QString name;
    bool isSelected = false;
};

struct PlotHover {
    QStringList lines; // empty: nothing is there
    QPointF anchor;
    std::optional<double> rule; // x of the 1 px line
    QRectF ruleArea;
};

// What stands in place of a plot that has nothing to draw.
struct PlotBlank {
    QString icon, title, sentence; // no title: there is something
};

struct PlotTable {
    QStringList header;
    QList<QStringList> rows;
};

class PlotWidget : public QWidget {
    Q_OBJECT

public:
    PlotWidget(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent = nullptr);
    Metric shownMetric() const { return m_metric; }
    void setMetric(Metric metric);
    virtual void setMotion(Motion motion) { m_motion = motion; }

    virtual QString title() const = 0;
    virtual QString subtitle() const = 0; // unit, and against what
    virtual QString summary() const = 0;  // in words, for screen readers
    virtual PlotTable table() = 0;        // what is drawn, all digits
    const PlotBlank& blank();
    bool explainsItself() const { return paintsTitle(); } // title and subtitle are part of the plot
    QString hoverText() const { return m_hover.lines.join(QLatin1Char('\n')); }

    // By the ending: .png (twice the pixels), .svg or .csv. Light unless asked otherwise.
    engine::Status exportTo(const QString& path, FigureTheme figure = FigureTheme::Light);
    QMenu* makeContextMenu(); // owned by the caller

    static const engine::NodeResult* resultIn(const engine::RunResult& run, engine::NodeId id);
    // The error that refused a run, if one did.
    static const engine::Finding* refusingFinding(const engine::RunResult& run);

Q_SIGNALS:
    void captionChanged(); // title or subtitle
    void exportFailed(const QString& message);

protected:
    virtual void rebuild(const QSizeF& size) = 0;
    virtual void paintPlot(QPainter& painter) = 0;
    virtual PlotHover hoverAt(QPointF position) const = 0;
    virtual void clickAt(QPointF position) = 0;
    virtual void stepSelection(int) {} // left and right keys
    virtual bool paintsTitle() const { return false; }
    virtual void finishMotion() {}
    virtual PlotBlank findBlank() const;

    const Theme& theme() const { return m_figureTheme ? *m_figureTheme : m_themes.theme(); }
    bool isFigure() const { return m_figureTheme != nullptr; }
    Motion motion() const { return m_motion; }
    Selection& selection() const { return m_selection; }
    const SnapshotStore& store() const { return m_store; }
    QList<ShownRun> shownRuns() const; // the four in the toolbar's order, then the canvas's own if it is another
    Subject subject() const;           // the selected node where it has results, else the last node
    void drawTitle(QPainter& painter, double x, double baseline) const;
    void ensureBuilt();
    void invalidate();

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void setHover(PlotHover hover);
    void paintAll(QPainter& painter, const QSizeF& size);
    void paintFigure(QPainter& painter, const QSize& plot, const Theme& theme);
    engine::Status exportPicture(const QString& path, const Theme& theme);
    engine::Status exportTable(const QString& path);

    Selection& m_selection;
    SnapshotStore& m_store;
    ThemeManager& m_themes;
    const Theme* m_figureTheme = nullptr;
    Metric m_metric = Metric::RelL2;
    Motion m_motion = Motion::Animated;
    PlotBlank m_empty;
    PlotHover m_hover;
    QString m_caption;
    std::optional<QPointF> m_pressed;
    bool m_isDirty = true, m_isRunning = false;
};

} // namespace ui
