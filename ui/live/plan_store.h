// What the graph would do now, under the canvas's own dialect and combo, without running: shapes, dtypes, casts and
// findings. `app` recomputes it after every structural change. GUI thread only.
#pragma once

#include "engine/model/plan_view.h"

#include <QObject>

namespace ui {

class PlanStore : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    const engine::PlanView& plan() const { return m_plan; }
    const engine::NodeView* node(engine::NodeId id) const;
    const engine::PortView* port(engine::NodeId id, std::string_view port) const;
    void set(engine::PlanView plan);

Q_SIGNALS:
    void changed();

private:
    engine::PlanView m_plan;
};

} // namespace ui
