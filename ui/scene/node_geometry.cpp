#include "ui/scene/node_geometry.h"

#include <algorithm>

namespace ui {

using namespace node_size;

namespace {

double widthOf(const engine::OpSpec* spec, std::size_t slotCount)
{
    if (slotCount >= 5)
        return 240;
    return spec && spec->role == engine::OpRole::Source ? 224 : 200;
}

// The ports that the parameters switch on (all where those are invalid), then whatever is wired besides.
std::vector<InputPort> presentPorts(const engine::Graph& graph, const NodeText& text, const engine::OpSpec* spec)
{
    std::vector<InputPort> ports;
    const engine::NodeId id = text.node.id;
    for (std::size_t i = 0; spec && i < spec->ports.size(); ++i) {
        const engine::PortSpec& port = spec->ports[i];
        const bool isWired = graph.edgeInto(id, port.name) != nullptr;
        if (isWired || text.isPortOn[i])
            ports.push_back({std::string(port.name),
                             {},
                             isWired,
                             !isWired && !port.source.empty(),
                             !isWired && port.source.empty()});
    }
    for (const engine::Edge& edge : edgesInto(graph, id))
        if (!spec || engine::portIndex(*spec, edge.toPort) < 0)
            ports.push_back({edge.toPort, {}, true, false, false});
    return ports;
}

bool isWeightLike(const engine::OpSpec* spec, const std::string& port)
{
    const int index = spec ? engine::portIndex(*spec, port) : -1;
    return index >= 0 && !spec->ports[static_cast<std::size_t>(index)].source.empty();
}

} // namespace

const InputPort* NodeGeometry::input(std::string_view name) const
{
    for (const InputPort& port : inputs)
        if (port.name == name)
            return &port;
    return nullptr;
}

NodeGeometry nodeGeometry(const SceneContext& context, const NodeFace& face, const NodeText& text)
{
    NodeGeometry g;
    const engine::OpSpec* spec = context.spec(text.node);
    const double width = widthOf(spec, face.columns.size());
    const double asked = face.hasAskedRow() ? kAsked : 0;
    g.columnWidth = face.columns.size() >= 5 ? (width - 2 * kPadding) / 5 : kFewSlots;
    g.inputs = presentPorts(context.graph(), text, spec);
    double y = kPortY;
    bool areWeights = false;
    for (InputPort& port : g.inputs) {
        // Weights stand at the slot row, which says what becomes of them.
        if (!areWeights && isWeightLike(spec, port.name)) {
            areWeights = true;
            y = std::max(y, kSlotsTop + 18 + asked);
        }
        port.at = {0, y};
        y += kPortGap;
    }
    const double last = g.inputs.empty() ? 0 : g.inputs.back().at.y();
    g.footerTop = std::max(kSlotsTop + kSlots + asked, last - kHitRadius + kPortRadius);
    g.size = {width, g.footerTop + kFooter};
    if (!spec || spec->role != engine::OpRole::Output)
        g.output = QPointF(width, kPortY);
    return g;
}

} // namespace ui
