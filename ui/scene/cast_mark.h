// A cast as the canvas marks it: from, to, and how bad it was. The level is that of the measured cast where a run has
// it, and what the formats promise before. Look, section 5. Pure.
#pragma once

#include "engine/model/plan_view.h"
#include "ui/style/theme.h"

namespace ui {

struct CastMark {
    engine::DType from = engine::DType::f64, to = engine::DType::f32;
    DotLevel level = DotLevel::Exact;
    std::optional<double> changed; // share 0..1, measured only
    bool operator==(const CastMark&) const = default;
};

// A Cast node wears its dot itself, not its wire.
bool isDot(const engine::PortView& port);
// The mark of a port with a cast; `result` is of the same node or null. Reports of other dtypes are of an older plan
// and do not count.
std::optional<CastMark> castMark(const engine::PortView& port, const engine::NodeResult* result);
// Of a Cast node, from what arrives to its output dtype.
std::optional<CastMark> castNodeMark(const engine::NodeView& node, const engine::NodeResult* result);

// "input cast float64 to float32, 46.4 percent changed"
QString castSentence(const QString& port, const CastMark& mark);

} // namespace ui
