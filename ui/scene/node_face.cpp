#include "ui/scene/node_face.h"

#include "ui/style/dot_level.h"
#include "ui/style/shape_text.h"

#include "ui/live/error_series.h"

#include <QCoreApplication>
#include <QHash>
#include <QStringList>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Canvas", text);
}

SlotColumn column(QString label, std::optional<engine::DType> asked, std::optional<engine::DType> ran,
                  const engine::NodeResult* result, std::string_view port)
{
    SlotColumn c{std::move(label), {}, ran, SlotArrow::None};
    if (!asked || !ran || *asked == *ran)
        return c;
    c.asked = asked;
    if (engine::isExactCast(*asked, *ran)) {
        c.arrow = SlotArrow::Widened;
        return c;
    }
    c.arrow = SlotArrow::Lost;
    if (result)
        for (const engine::CastReport& report : result->casts)
            if (report.port == port && report.from == *asked && report.to == *ran &&
                dotLevel(report) == DotLevel::Exact)
                c.arrow = SlotArrow::NotLost;
    return c;
}

const engine::PortView* portFor(const engine::NodeView& view, engine::Slot slot)
{
    if (slot == engine::Slot::Input)
        return view.ports.empty() ? nullptr : &view.ports.front();
    if (slot == engine::Slot::Weight)
        return view.ports.size() < 2 ? nullptr : &view.ports[1];
    return nullptr;
}

// An operand's column says what arrived and what it became; the other slots say what was asked of them.
SlotColumn slotColumn(const engine::NodeView& view, engine::Slot slot, const engine::NodeResult* result)
{
    const engine::SlotState& state = view.slots[static_cast<std::size_t>(slot)];
    const engine::PortView* port = portFor(view, slot);
    std::optional<engine::DType> ran = state.ran;
    // Of a refused node, what arrives is known and what it would become is not.
    if (!ran && port)
        ran = port->used ? port->used : port->arrives;
    std::optional<engine::DType> asked;
    if (state.asked)
        asked = engine::dtypeFromName(*state.asked);
    if (port && (!asked || asked == ran))
        asked = port->arrives;
    const std::string_view name = port ? std::string_view(port->port) : std::string_view(kOutputPort);
    return column(slotLabel(slot), asked, ran, result, name);
}

std::vector<SlotColumn> makeColumns(const engine::OpSpec* spec, const engine::NodeView* view,
                                    const engine::NodeResult* result)
{
    const auto arrives = [&] { return view && !view->ports.empty() ? view->ports.front().arrives : std::nullopt; };
    const auto out = [&] { return view ? view->dtype : std::nullopt; };
    const engine::OpRole role = spec ? spec->role : engine::OpRole::Move;
    if (role == engine::OpRole::Source)
        return {SlotColumn{slotLabel(engine::Slot::Output), {}, out(), SlotArrow::None}};
    if (role == engine::OpRole::Output)
        return {SlotColumn{slotLabel(engine::Slot::Input), {}, arrives(), SlotArrow::None}};
    if (role == engine::OpRole::Cast || !spec)
        return {SlotColumn{slotLabel(engine::Slot::Input), {}, arrives(), SlotArrow::None},
                SlotColumn{slotLabel(engine::Slot::Output), {}, out(), SlotArrow::None}};
    std::vector<SlotColumn> all;
    for (const engine::Slot slot : engine::kSlots)
        if (engine::hasSlot(*spec, slot))
            all.push_back(view ? slotColumn(*view, slot, result) : SlotColumn{slotLabel(slot), {}, {}, {}});
    return all;
}

void addResult(NodeFace& face, const SceneContext& context, const engine::NodeResult& result)
{
    face.health = result.health;
    face.isStale = context.results.isStale();
    if (result.error) {
        face.total = result.error->relL2;
        const std::optional<double> scale = result.error->rmsReference;
        if (result.stages && scale && *scale > 0)
            face.local = result.stages->localRmse / *scale;
        else if (result.stages && result.stages->localRmse == 0)
            face.local = 0;
    }
    face.areStagesPending = !result.stages && result.error && context.results.snapshot()->partial;
}

void addPlan(NodeFace& face, const SceneContext& context, const engine::NodeView& view,
             const engine::NodeResult* result, const WaitsFor& waits)
{
    face.isRefused = view.refused;
    face.isBlocked = view.blocked && !view.refused;
    face.dtype = view.dtype;
    face.shape = view.dtype ? shapeText(view.shape) : QString();
    if (face.isRefused) {
        face.badge = NodeBadge::Error;
        face.reason = refusalText(context.plans.plan(), view);
    } else if (face.isBlocked) {
        const auto it = waits.find(face.id);
        const engine::Node* refused = it == waits.end() ? nullptr : context.graph().find(it->second);
        face.params = refused ? tr("waits for %1").arg(latin(refused->name)) : tr("waits");
        face.shape.clear();
        for (SlotColumn& c : face.columns)
            c = {c.label, {}, {}, SlotArrow::None};
    } else {
        for (const engine::Finding& finding : context.plans.plan().findings)
            if (finding.node == face.id && finding.severity == engine::Severity::Warning)
                face.badge = NodeBadge::Warning;
        if (face.op == "cast")
            if (const auto mark = castNodeMark(view, result))
                face.castDot = mark->level;
    }
}

} // namespace

bool NodeFace::hasAskedRow() const
{
    for (const SlotColumn& c : columns)
        if (c.asked)
            return true;
    return false;
}

QString NodeFace::figure() const
{
    if (isRefused || isBlocked || !local)
        return {};
    return *local == 0 ? tr("exact") : shortNumber(*local);
}

std::size_t NodeFace::contentKey() const
{
    std::size_t key = qHashMulti(0, name, op, params, shape, reason, figure(), static_cast<int>(badge), isRefused,
                                 isBlocked, isMuted, areStagesPending);
    const auto add = [&](int n) { key = qHashMulti(key, n); };
    if (health)
        key = qHashMulti(key, health->normal, health->subnormal, health->zero, health->inf, health->nan);
    key = qHashMulti(key, local.value_or(-1), total.value_or(-1));
    add(castDot ? static_cast<int>(*castDot) : -1);
    for (const SlotColumn& c : columns) {
        key = qHashMulti(key, c.label);
        add(c.asked ? static_cast<int>(*c.asked) : -1);
        add(c.ran ? static_cast<int>(*c.ran) : -1);
        add(static_cast<int>(c.arrow));
    }
    return key;
}

QString NodeFace::accessibleName() const
{
    QStringList parts{name};
    if (name != op)
        parts << op;
    if (isRefused)
        parts << tr("cannot run: %1").arg(reason);
    else if (isBlocked)
        parts << params;
    else if (dtype)
        parts << latin(engine::dtypeName(*dtype));
    if (isMuted)
        parts << tr("muted");
    if (badge == NodeBadge::Warning)
        parts << tr("has a finding");
    if (!figure().isEmpty())
        parts << tr("local error %1").arg(figure());
    if (isStale)
        parts << tr("waits for the run");
    return parts.join(", ");
}

WaitsFor waitsFor(const SceneContext& context)
{
    WaitsFor waits;
    const auto& plans = context.plans.plan();
    if (plans.ok)
        return waits;
    for (const engine::NodeId id : context.graph().topologicalOrder())
        for (const engine::Edge& edge : edgesInto(context.graph(), id)) {
            const engine::NodeView* view = context.plans.node(edge.from);
            const auto it = waits.find(edge.from);
            if (view && view->refused)
                waits.emplace(id, edge.from);
            else if (it != waits.end())
                waits.emplace(id, it->second);
        }
    return waits;
}

NodeFace nodeFace(const SceneContext& context, const NodeText& text, const WaitsFor& waits)
{
    NodeFace face;
    const engine::Node& node = text.node;
    const engine::OpSpec* spec = context.spec(node);
    const engine::NodeView* view = context.plans.node(node.id);
    const engine::NodeResult* result = context.results.resultOf(node.id);
    face.id = node.id;
    face.name = latin(node.name);
    face.op = latin(node.op);
    face.params = text.params;
    face.isMuted = node.muted;
    face.columns = makeColumns(spec, view, result);
    if (view)
        addPlan(face, context, *view, result, waits);
    if (node.muted)
        face.badge = face.badge == NodeBadge::None ? NodeBadge::Muted : face.badge;
    if (result && !face.isRefused && !face.isBlocked)
        addResult(face, context, *result);
    return face;
}

} // namespace ui
