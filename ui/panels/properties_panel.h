// The Node tab: what the selected node is (name, parameters), what it asks and ran (slots, layer dtype, mute), and what
// it costs (its numbers in the canvas run). Every field is an edit of the document; a refused value changes nothing
// and says why in its place.
#pragma once

#include "ui/panels/node_edits.h"
#include "ui/panels/panel_context.h"

#include <QWidget>

#include <map>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace ui {

class EmptyState;
class NodeNumbers;
class ParamEditor;
class SlotTable;
class TextLabel;

class PropertiesPanel : public QWidget {
    Q_OBJECT

public:
    explicit PropertiesPanel(const PanelContext& context, QWidget* parent = nullptr);
    ~PropertiesPanel() override;
    QLineEdit* nameField() const { return m_name; }
    ParamEditor* editor(const std::string& param) const; // null: this op has no such parameter
    QString message(const std::string& param) const;     // what is said below it; empty: all well
    SlotTable* slotTable() const { return m_slots; }
    QComboBox* layerDTypeBox() const { return m_layerDType; }
    QCheckBox* muteBox() const { return m_mute; }
    NodeNumbers* numbers() const { return m_numbers; }
    EmptyState* emptyState() const { return m_empty; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct ParamRow {
        const engine::ParamSpec* spec;
        QWidget* widget;
        TextLabel* label;
        ParamEditor* editor;
        TextLabel* message;
    };
    void buildFixed();
    QWidget* buildHeader();
    QWidget* buildAsks();
    void addSection(const QString& title, const QString& aside);
    void showCurrent(); // another node: rebuilds the parameters
    void refresh();     // the same node: values only
    void refreshResults();
    void buildParams(const engine::OpSpec& spec);
    void connectParam(const engine::ParamSpec& spec, ParamRow& row);
    void refreshParams(const engine::Node& node, const engine::OpSpec& spec);
    void refreshLayerDType(const engine::Node& node, const engine::OpSpec& spec);
    void refreshHeader(const engine::Node& node);
    void setParam(const engine::ParamSpec& spec, const engine::ParamValue& value);
    void setMessage(ParamRow& row, const QString& message);
    void report(const engine::Status& status, ParamRow* row);

    PanelContext m_context;
    NodeEdits m_edits;
    engine::NodeId m_node;
    std::string m_builtOp;
    QScrollArea* m_scroll;
    EmptyState* m_empty;
    QWidget* m_content;
    QVBoxLayout* m_layout;
    QLabel* m_icon;
    QLineEdit* m_name;
    TextLabel *m_shape, *m_caption;
    QWidget* m_params;
    QVBoxLayout* m_paramLayout;
    std::map<std::string, ParamRow, std::less<>> m_rows;
    SlotTable* m_slots;
    QWidget* m_layerRow;
    QComboBox* m_layerDType;
    QCheckBox* m_mute;
    NodeNumbers* m_numbers;
};

} // namespace ui
