// The checks of single values, and those between graph and layout.
#include "engine/document/edit_checks.h"

#include "engine/document/array_readers.h"
#include "engine/document/model_json.h"

#include <algorithm>
#include <cmath>

namespace engine {

namespace {

Status checkId(std::uint32_t id, const std::string& place)
{
    if (id >= 1 && id <= kMaxFileId)
        return success();
    return Error{"layout-field", place, std::to_string(id) + " is no id of a file",
                 "use ids from 1 to " + std::to_string(kMaxFileId)};
}

std::string framePlace(const Frame& frame)
{
    return "frame " + std::to_string(frame.id) + (frame.title.empty() ? "" : " \"" + frame.title + "\"");
}

std::string slotFault(const Node& node)
{
    for (const Slot slot : kSlots) {
        const SlotAsk ask = node.slot(slot);
        const bool isStorage =
            ask.kind == SlotAsk::Kind::Inherited || (ask.kind == SlotAsk::Kind::Fixed && facts(ask.dtype).isStorage);
        if (slot != Slot::Compute && !isStorage)
            return "the " + std::string(slotName(slot)) + " slot asks " + *ask.text() + ", which only compute can";
    }
    return {};
}

template <class List> bool idsAreUnique(const List& list)
{
    std::set<std::uint32_t> ids;
    return std::all_of(list.begin(), list.end(), [&](const auto& x) { return ids.insert(x.id).second; });
}

std::string brokenGraph(const Graph& graph)
{
    for (const auto& [id, node] : graph.nodes())
        if (const Status status = checkNode(node); !status)
            return status.error().text();
    for (const Edge& e : graph.edges())
        if (!graph.find(e.from) || !graph.find(e.to))
            return "the edge into node " + std::to_string(e.to.value) + ", port " + e.toPort + " ends at nothing";
    if (graph.topologicalOrder().size() != graph.nodes().size())
        return "the edges form a cycle";
    return {};
}

std::string brokenLayout(const Document& document)
{
    const Layout& layout = document.layout;
    for (const auto& [id, at] : layout.positions) {
        const std::string place = "the position of node " + std::to_string(id.value);
        if (!document.graph.find(id))
            return place + " is there, the node is not";
        if (const Status status = checkPoint(at, place); !status)
            return status.error().text();
    }
    for (const auto& [key, points] : layout.reroutes) {
        const Edge* edge = document.graph.edgeInto(key.to, key.toPort);
        const std::string place =
            "the reroute points into node " + std::to_string(key.to.value) + ", port " + key.toPort;
        if (!edge || points.empty())
            return place + (edge ? " are an empty list" : " are there, the edge is not");
        if (const Status status = checkEdge(*edge, points); !status)
            return status.error().text();
    }
    if (!idsAreUnique(layout.frames) || !idsAreUnique(layout.comments))
        return "two frames or two comments have the same id";
    for (const Frame& frame : layout.frames)
        if (const Status status = checkFrame(frame, document.graph); !status)
            return status.error().text();
    for (const Comment& comment : layout.comments)
        if (const Status status = checkComment(comment); !status)
            return status.error().text();
    return {};
}

} // namespace

Status checkNode(const Node& node)
{
    const std::string place = placeOf(node);
    if (!node.id || node.id.value > kMaxFileId)
        return Error{"node-unknown", place, std::to_string(node.id.value) + " is no id of a file",
                     "use ids from 1 to " + std::to_string(kMaxFileId)};
    if (node.name.empty() || node.op.empty())
        return Error{"node-field", place, node.name.empty() ? "the name is empty" : "the op is empty",
                     "give a name of at least one letter"};
    if (const std::string fault = slotFault(node); !fault.empty())
        return Error{"node-field", place, fault, "ask a storage dtype, or clear the slot"};
    if (node.layerDtype && !facts(*node.layerDtype).isStorage)
        return Error{"node-field", place,
                     "the layer dtype is " + std::string(dtypeName(*node.layerDtype)) +
                         ", which is a way to compute, not to store",
                     "give a storage dtype such as float32"};
    return success();
}

Status checkPoint(Point point, const std::string& place)
{
    if (std::isfinite(point.x) && std::isfinite(point.y))
        return success();
    return Error{"layout-field", place, "a coordinate is not finite", "give finite coordinates"};
}

Status checkEdge(const Edge& edge, const std::vector<Point>& reroutes)
{
    const std::string place = "the edge into node " + std::to_string(edge.to.value) + ", port " + edge.toPort;
    if (edge.fromPort.empty() || edge.toPort.empty())
        return Error{"edge-field", place, "a port has no name", "name both ports"};
    for (const Point point : reroutes)
        if (Status status = checkPoint(point, place); !status)
            return status;
    return success();
}

Status checkFrame(const Frame& frame, const Graph& graph)
{
    const std::string place = framePlace(frame);
    for (const NodeId id : frame.nodes)
        if (!graph.find(id))
            return Error{"node-unknown", place, "there is no node " + std::to_string(id.value), "name existing nodes"};
    if (Status status = checkId(frame.id, place); !status)
        return status;
    if (Status status = checkPoint(frame.topLeft, place); !status)
        return status;
    return checkPoint(frame.size, place);
}

Status checkComment(const Comment& comment)
{
    const std::string place = "comment " + std::to_string(comment.id);
    if (Status status = checkId(comment.id, place); !status)
        return status;
    if (Status status = checkPoint(comment.topLeft, place); !status)
        return status;
    return checkPoint(comment.size, place);
}

Status checkSettings(const RunSettings& s)
{
    if (s.dialect.empty() || s.backend.empty())
        return Error{"settings-field", "settings", s.dialect.empty() ? "no dialect is named" : "no backend is named",
                     "name one"};
    for (const DType d : {s.combo.input, s.combo.weight, s.floatx})
        if (!facts(d).isStorage)
            return Error{"settings-field", "settings", std::string(dtypeName(d)) + " is a way to compute, not to store",
                         "give a storage dtype such as float32"};
    if (!isFloat(s.floatx))
        return Error{"settings-field", "settings",
                     "floatx is " + std::string(dtypeName(s.floatx)) + ", which is no float",
                     "give a float dtype such as float32"};
    return success();
}

Status checkTensor(const std::string& name, const SourceArray& array)
{
    const std::string place = "tensor \"" + name + "\"";
    if (!isSafeTensorName(name))
        return Error{"tensor-field", place, "this name cannot be a member of a zip",
                     "use letters, digits and single slashes between them"};
    const Tensor& data = array.data;
    if (data.isNull() || data.dtype() != array.dtype || data.shape() != array.shape || !facts(array.dtype).isStorage ||
        array.integerDepth < 0 || array.integerDepth > depthOf(array.dtype))
        return Error{"tensor-field", place, "its numbers are missing or are not what dtype, shape and depth say",
                     "read the array again"};
    return success();
}

std::string brokenInvariant(const Document& document)
{
    if (std::string broken = brokenGraph(document.graph); !broken.empty())
        return broken;
    if (std::string broken = brokenLayout(document); !broken.empty())
        return broken;
    if (const Status status = checkSettings(document.settings); !status)
        return status.error().text();
    for (const auto& [name, array] : document.tensors)
        if (const Status status = checkTensor(name, array); !status)
            return status.error().text();
    for (const auto& [name, dtype] : document.tensorDTypes)
        if (!document.tensors.contains(name))
            return "a dtype is kept for tensor \"" + name + "\", which is not there";
    return {};
}

} // namespace engine
