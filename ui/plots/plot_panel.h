// The bottom dock: three groups of tabs side by side, Matrix | By layer, Stages | Distribution; the window adds its
// own pages (findings) to a group. A page that explains itself has its caption at the right of the tabs.
#pragma once

#include "ui/plots/by_layer_plot.h"
#include "ui/plots/distribution_plot.h"
#include "ui/plots/matrix_plot.h"
#include "ui/plots/stages_plot.h"

class QLabel;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace ui {

enum class Badge : std::uint8_t { Note, Warning, Error };

// One group: a row of tabs over a stack of pages.
class TabGroup : public QWidget {
    Q_OBJECT

public:
    explicit TabGroup(ThemeManager& themes, QWidget* parent = nullptr);
    int addPage(const QString& title, QWidget* page);
    int indexOf(const QWidget* page) const;
    void show(const QWidget* page);
    void setBadge(const QWidget* page, int count, Badge badge); // 0: none
    QTabBar* tabs() const { return m_tabs; }

private:
    struct Mark {
        int count = 0;
        Badge badge = Badge::Note;
    };
    void updateCaption();
    void updateBadge(int page);
    void updateColors();

    ThemeManager& m_themes;
    QList<Mark> m_badges; // by page
    QTabBar* m_tabs;
    QLabel* m_caption;
    QStackedWidget* m_stack;
};

class PlotPanel : public QWidget {
    Q_OBJECT

public:
    enum Group : int { Left, Middle, Right, Groups };

    PlotPanel(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent = nullptr);
    void setMetric(Metric metric);
    void setMotion(Motion motion);
    void setOwnSetting(OwnSetting own) { m_byLayer->setOwnSetting(own); }

    MatrixPlot* matrix() const { return m_matrix; }
    ByLayerPlot* byLayer() const { return m_byLayer; }
    StagesPlot* stages() const { return m_stages; }
    DistributionPlot* distribution() const { return m_distribution; }
    std::array<PlotWidget*, 4> plots() const { return {m_matrix, m_byLayer, m_stages, m_distribution}; }

    TabGroup* group(Group g) const { return m_groups[static_cast<std::size_t>(g)]; }
    void addPage(Group g, const QString& title, QWidget* page) { group(g)->addPage(title, page); }
    void showPage(const QWidget* page);
    void setBadge(const QWidget* page, int count, Badge badge);
    QByteArray saveState() const; // widths and chosen tabs
    void restoreState(const QByteArray& state);
    void resetState();

Q_SIGNALS:
    void remedyRequested(engine::Combo combo, const QString& remedy);
    void comboClicked(engine::Combo combo);
    void exportFailed(const QString& message);

private:
    QSplitter* m_splitter;
    std::array<TabGroup*, Groups> m_groups{};
    MatrixPlot* m_matrix;
    ByLayerPlot* m_byLayer;
    StagesPlot* m_stages;
    DistributionPlot* m_distribution;
};

} // namespace ui
