// What a graph would do, without running it: one configuration of a request lowered just as the runner lowers it, as
// a Plan or as the PlanView that the canvas shows. Reads no tensor's elements; any thread.
#pragma once

#include "engine/model/plan_view.h"
#include "engine/plan/plan.h"

namespace engine {

class DialectCatalog;

// Shapes and the existence of source values come from the request's array table and batch.
Plan planFor(const RunRequest& request, const OpCatalog& ops, const DialectSpec& dialect, Combo combo, Isa isa);

PlanView planView(const RunRequest& request, const OpCatalog& ops, const DialectCatalog& dialects,
                  const Configuration& configuration, Isa isa);
// The catalogues must outlive the planner. An unknown dialect is a finding of the whole graph.
Planner makePlanner(const OpCatalog& ops, const DialectCatalog& dialects, Isa isa = bestIsa());

} // namespace engine
