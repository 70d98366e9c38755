// The numbers of a node in the canvas run, each saying against what; or, in words, why there are none. The rows are
// made by a pure function.
#pragma once

#include "ui/panels/panel_context.h"

#include <QWidget>

class QVBoxLayout;

namespace ui {

class TextLabel;

struct NumberRow {
    QString label, value, suffix; // suffix: "/ 24", "dB", in a quieter tone
    QString against;              // a sentence for tooltip and screen reader
    bool isBad = false;           // shown in the error tone
};
std::vector<NumberRow> numberRows(const engine::NodeResult& result);
// Why the node has no numbers: "conv1 cannot run: ...", "Waits for conv1.", "Not run yet."
QString noNumbersReason(const PanelContext& context, engine::NodeId node);
QString ranText(const engine::NodeResult& result); // "3.1 ms · 2.8 MB · reused"

class NodeNumbers : public QWidget {
    Q_OBJECT

public:
    NodeNumbers(const PanelContext& context, QWidget* parent);
    void show(engine::NodeId node);

private:
    struct Line {
        QWidget* widget;
        TextLabel *label, *value, *suffix;
    };
    Line makeLine();
    PanelContext m_context;
    QVBoxLayout* m_layout;
    TextLabel *m_reason, *m_kernel, *m_cost;
    QWidget* m_ran;
    QList<Line> m_lines;
};

} // namespace ui
