// Slot rows as data: what is asked, what ran, whether bits were lost, and why.
#include "ui/panels/slot_table.h"
#include "ui/panels/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("SlotTable", text);
}

// The ports whose casts a slot speaks of.
std::vector<std::string> portsOf(const engine::OpSpec& spec, engine::Slot slot)
{
    std::vector<std::string> ports;
    for (const engine::PortSpec& port : spec.ports) {
        const bool isInput = port.role == engine::PortRole::Activation;
        if ((slot == engine::Slot::Input && isInput) || (slot == engine::Slot::Weight && !isInput))
            ports.emplace_back(port.name);
    }
    if (slot == engine::Slot::Output)
        ports.emplace_back("output");
    return ports;
}

const engine::PortView* firstPort(const engine::NodeView& view, const std::vector<std::string>& ports)
{
    for (const std::string& name : ports)
        for (const engine::PortView& port : view.ports)
            if (port.port == name)
                return &port;
    return nullptr;
}

// Measured where there is a run, else from the formats.
bool losesBits(const engine::NodeResult* result, const engine::NodeView* view, const std::vector<std::string>& ports)
{
    const auto speaksOf = [&](const std::string& port) {
        return std::find(ports.begin(), ports.end(), port) != ports.end();
    };
    if (result)
        return std::any_of(result->casts.begin(), result->casts.end(),
                           [&](const engine::CastReport& c) { return speaksOf(c.port) && c.changed > 0; });
    return view && std::any_of(view->ports.begin(), view->ports.end(),
                               [&](const engine::PortView& p) { return speaksOf(p.port) && p.isCast && !p.isExact; });
}

QString causeOf(const SlotRowState& row, const engine::PortView* port, const engine::NodeResult* result, bool isAsked)
{
    if (!row.ran)
        return isAsked ? tr("asked") : QString();
    if (row.slot == engine::Slot::Accumulate && result && result->bound)
        return tr("%1 terms, in order").arg(countText(result->bound->n));
    if (isAsked)
        return tr("asked");
    if (port && port->isCast) {
        if (result && !row.isLossy)
            return tr("no bit lost");
        return port->isImplicit ? tr("dialect") : tr("slot");
    }
    return {};
}

SlotRowState rowOf(const PanelContext& context, const engine::Node& node, const engine::OpSpec& spec, engine::Slot slot)
{
    const auto index = static_cast<std::size_t>(slot);
    const engine::NodeView* view = context.plans.node(node.id);
    const engine::NodeResult* result = context.snapshots.isStale() ? nullptr : context.snapshots.resultOf(node.id);
    SlotRowState row;
    row.slot = slot;
    const engine::SlotAsk ask = node.slot(slot);
    if (ask.kind == engine::SlotAsk::Kind::Fixed)
        row.asked = ask.dtype;
    else if (ask.kind != engine::SlotAsk::Kind::Inherited)
        row.askedWord = askWords(ask);
    if (view)
        row.ran = view->slots[index].ran;
    const std::vector<std::string> ports = portsOf(spec, slot);
    const engine::PortView* port = view ? firstPort(*view, ports) : nullptr;
    row.arrives = port ? port->arrives : row.ran;
    row.arrivesOnWire = port && port->arrives;
    row.isLossy = losesBits(result, view, ports);
    row.cause = causeOf(row, port, result, ask.kind != engine::SlotAsk::Kind::Inherited);
    return row;
}

} // namespace

QString slotSymbol(engine::Slot slot)
{
    switch (slot) {
    case engine::Slot::Input:
        return QStringLiteral("in");
    case engine::Slot::Weight:
        return QStringLiteral("w");
    case engine::Slot::Compute:
        return QStringLiteral("×");
    case engine::Slot::Accumulate:
        return QStringLiteral("Σ");
    case engine::Slot::Output:
        return QStringLiteral("out");
    }
    return {};
}

std::vector<SlotRowState> slotRows(const PanelContext& context, const engine::Node& node, const engine::OpSpec& spec)
{
    std::vector<SlotRowState> rows;
    for (engine::Slot slot : engine::kSlots)
        if (engine::hasSlot(spec, slot))
            rows.push_back(rowOf(context, node, spec, slot));
    return rows;
}

std::vector<engine::SlotAsk> slotChoices(const engine::OpSpec& spec, engine::Slot slot)
{
    using Kind = engine::SlotAsk::Kind;
    std::vector<engine::SlotAsk> asks{{}};
    if (slot == engine::Slot::Compute) {
        asks.push_back({Kind::Widest, {}});
        asks.push_back({Kind::Narrowest, {}});
    }
    for (const engine::DTypeFacts& dtype : engine::allDTypes()) {
        bool isOffered = dtype.isStorage;
        if (slot == engine::Slot::Compute || slot == engine::Slot::Accumulate) {
            const auto allowed = [&](const engine::DTypeFacts& other) {
                const engine::ComputePair pair = slot == engine::Slot::Compute
                                                     ? engine::ComputePair{dtype.dtype, other.dtype}
                                                     : engine::ComputePair{other.dtype, dtype.dtype};
                return engine::isFloat(other.dtype) && engine::pairAllowed(spec.pairs, pair);
            };
            const std::span<const engine::DTypeFacts> all = engine::allDTypes();
            isOffered = engine::isFloat(dtype.dtype) && std::any_of(all.begin(), all.end(), allowed);
        } else if (slot != engine::Slot::Output && spec.pairs != engine::PairSet::Any &&
                   spec.role != engine::OpRole::Source) {
            isOffered = isOffered && engine::isFloat(dtype.dtype);
        }
        if (isOffered)
            asks.push_back(engine::SlotAsk::fixed(dtype.dtype));
    }
    return asks;
}

QString askWords(const engine::SlotAsk& ask)
{
    switch (ask.kind) {
    case engine::SlotAsk::Kind::Inherited:
        return tr("inherit");
    case engine::SlotAsk::Kind::Widest:
        return tr("widest");
    case engine::SlotAsk::Kind::Narrowest:
        return tr("narrowest");
    case engine::SlotAsk::Kind::Fixed:
        break;
    }
    return dtypeWord(ask.dtype);
}

} // namespace ui
