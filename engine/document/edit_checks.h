// What an edit may put into a document: no more than a file can hold and give back. Each check names the place and
// changes nothing. Internal to engine/document.
#pragma once

#include "engine/document/edit.h"

namespace engine {

Status checkNode(const Node& node);
Status checkEdge(const Edge& edge, const std::vector<Point>& reroutes);
Status checkPoint(Point point, const std::string& place);
Status checkFrame(const Frame& frame, const Graph& graph);
Status checkComment(const Comment& comment);
Status checkSettings(const RunSettings& settings);
Status checkTensor(const std::string& name, const SourceArray& array);

} // namespace engine
