// The card of a node that cannot run: what is wrong, by whose rule, and the remedies, each with what it would cost.
#pragma once

#include "ui/panels/floating_card.h"

#include <optional>

class QPushButton;

namespace ui {

// The dtypes that a finding's remedies need: what arrives at its port, and what it is to become: as cast, or, where
// nothing could be decided, as the other operand is.
struct FindingDTypes {
    std::optional<engine::DType> arrives, used;
};
FindingDTypes findingDTypes(const PlanStore& plans, const engine::Finding& finding);

// What a remedy costs, by the formats: "widest: the float32 weight widens exactly", "narrowest: the float64 input keeps
// 24 of 53 bits"; empty where there is nothing to say beyond its name.
QString remedyCost(const engine::NodeView& node, const std::string& remedy);

class RefusalCard : public FloatingCard {
    Q_OBJECT

public:
    RefusalCard(const PanelContext& context, QWidget* parent);
    void hover(engine::NodeId node, const QRect& anchor, const QRect& avoid);
    bool open(engine::NodeId node, const QRect& anchor, const QRect& avoid); // false: the node is not refused
    QString title() const { return m_title; }
    QList<QPushButton*> remedyButtons() const { return m_buttons; }

protected:
    void takeWaiting() override { m_node = m_waiting; }
    QWidget* makeContent() override;

private:
    const engine::Finding* finding() const;
    void addRemedies(class QVBoxLayout* column, QWidget* made, const engine::Finding& finding);
    engine::NodeId m_node, m_waiting;
    QString m_title;
    engine::Finding m_shown;
    QList<QPushButton*> m_buttons;
};

} // namespace ui
