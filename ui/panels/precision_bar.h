// The content of the toolbar: undo and redo, live and run, the four combos with their errors, dialect, backend,
// metric, search. Combo, dialect and backend are edits of the document; the rest is asked by signals.
#pragma once

#include "ui/live/error_series.h"
#include "ui/panels/choice_popup.h"
#include "ui/panels/panel_context.h"

#include <QWidget>

#include <array>

class QAbstractButton;
class QBoxLayout;
class QMenu;
class QToolButton;

namespace ui {

class ComboCell;
class ToolField;

struct DialectChoice {
    std::string name;
    QString title, sentence;
};
struct BackendChoice {
    std::string name;
    QString title;
    bool isAvailable = true;
    QString reason, remedy;
};

class PrecisionBar : public QWidget {
    Q_OBJECT

public:
    PrecisionBar(const PanelContext& context, QList<DialectChoice> dialects, QList<BackendChoice> backends,
                 QWidget* parent = nullptr);
    bool isLive() const { return m_isLive; }
    void setLive(bool isLive);
    Metric shownMetric() const { return m_metric; }
    void setMetric(Metric metric);
    ComboCell* cell(int index) const { return m_cells[static_cast<std::size_t>(index)]; }
    ComboCell* otherCell() const { return m_other; } // shown only while the combo is none of the four
    QToolButton* runButton() const { return m_run; }
    QMenu* pairMenu(); // any other pair; built when it opens

Q_SIGNALS:
    void liveChanged(bool isLive);
    void runRequested();
    void stopRequested();
    void metricChanged(ui::Metric metric);
    void searchRequested();

private:
    void buildHistory(QBoxLayout* row);
    void buildRun(QBoxLayout* row);
    void buildCombos(QBoxLayout* row);
    void buildFields(QBoxLayout* row);
    void addSeparator(QBoxLayout* row);
    QToolButton* iconButton(const QString& icon, const QString& name);
    void refresh();
    void refreshRun();
    void refreshIcons();
    void refreshHistory();
    void chooseCombo(const engine::Combo& combo);
    void chooseSettings(const engine::RunSettings& settings, const QString& name);
    void addPairs(QMenu* menu, engine::DType input);

    PanelContext m_context;
    QList<DialectChoice> m_dialects;
    QList<BackendChoice> m_backends;
    bool m_isLive = true;
    Metric m_metric = Metric::RelL2;
    QToolButton *m_undo = nullptr, *m_redo = nullptr, *m_run = nullptr, *m_more = nullptr;
    QAbstractButton *m_live = nullptr, *m_search = nullptr;
    std::array<ComboCell*, 4> m_cells{};
    ComboCell* m_other = nullptr;
    ToolField *m_dialectField = nullptr, *m_backendField = nullptr, *m_metricField = nullptr;
    QMenu* m_pairMenu = nullptr;
};

} // namespace ui
