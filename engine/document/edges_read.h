// The edges of model.json: checked as a whole (nodes, ports, cycles) in linear time, then added to the graph.
#pragma once

#include "engine/document/json_fields.h"

namespace engine {

void readEdges(JsonFields& fields, const nlohmann::json& edges, Document& document);

} // namespace engine
