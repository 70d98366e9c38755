// The short texts on a node: key parameters, shape, why it cannot run. Pure functions of the record and its values.
#pragma once

#include "engine/model/graph.h"
#include "engine/model/plan_view.h"

#include <QString>

namespace ui {

QString latin(std::string_view text); // ASCII and UTF-8 of the engine
// "3×3 · 32 filters · valid"; what equals its default is left out, but for what says what the op is.
QString paramsText(const engine::OpSpec* spec, const engine::Node& node);
// What follows from the node alone, kept until the node is another one: plans and results come far more often.
struct NodeText {
    engine::Node node;
    QString params;
    std::vector<bool> isPortOn; // per port of the record: the parameters switch it on (all, where they are invalid)
};
NodeText nodeText(const engine::OpSpec* spec, const engine::Node& node);
// One line for the place of the footer: "input float64, weight float32".
QString refusalText(const engine::PlanView& plan, const engine::NodeView& node);
QString slotLabel(engine::Slot slot); // "in", "w", "×", "Σ", "out"

} // namespace ui
