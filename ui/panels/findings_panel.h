// What there is to tell: the findings of the plan and of the canvas run, each with its place and its one-click
// remedies. A press on a finding selects its node. Never a box in the way.
#pragma once

#include "ui/panels/panel_context.h"

#include <QFrame>

class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace ui {

class EmptyState;

// Plan first, then what only the run found; each once, errors before warnings before notes.
struct ListedFinding {
    engine::Finding finding;
    bool isStale = false; // found by a run of an earlier revision
    QString node;         // its name
    bool operator==(const ListedFinding&) const = default;
};
std::vector<ListedFinding> listedFindings(const PanelContext& context);
// "conv1's input is float64 and its weight is float32: Explicit converts ..." split at its first clause.
std::pair<QString, QString> splitMessage(const QString& message);

class FindingRow : public QFrame {
    Q_OBJECT

public:
    FindingRow(const PanelContext& context, const ListedFinding& listed, QWidget* parent);
    const engine::Finding& finding() const { return m_finding; }
    QString title() const { return m_title; }
    QString detail() const { return m_detail; }
    QList<QPushButton*> remedyButtons() const { return m_buttons; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addRemedies(QVBoxLayout* column);
    void selectNode();
    PanelContext m_context;
    engine::Finding m_finding;
    bool m_isStale;
    QString m_title, m_detail;
    QList<QPushButton*> m_buttons;
};

class FindingsPanel : public QWidget {
    Q_OBJECT

public:
    explicit FindingsPanel(const PanelContext& context, QWidget* parent = nullptr);
    QList<FindingRow*> rows() const { return m_rows; }
    EmptyState* emptyState() const { return m_empty; }
    int warningCount() const { return m_warnings; }
    int errorCount() const { return m_errors; }

Q_SIGNALS:
    void countChanged(int warnings, int errors);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct FocusPlace {
        engine::NodeId node;
        std::string rule; // empty: the focus is elsewhere
        QString remedy;   // empty: the row itself
    };
    FocusPlace focusPlace() const;
    void restoreFocus(const FocusPlace& place);
    void refresh();
    void rebuild();
    PanelContext m_context;
    std::vector<ListedFinding> m_listed;
    QScrollArea* m_scroll;
    QVBoxLayout* m_column;
    EmptyState* m_empty;
    QList<FindingRow*> m_rows;
    QWidget* m_rest = nullptr;
    int m_warnings = 0, m_errors = 0;
};

} // namespace ui
