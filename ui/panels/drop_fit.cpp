#include "ui/panels/drop_fit.h"

#include "ui/panels/words.h"
#include "ui/style/dot_level.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

using engine::DType;

constexpr engine::NodeId kSource{1}, kTaker{2};

QString tr(const char* text)
{
    return QCoreApplication::translate("DropSearch", text);
}

struct Wire {
    std::optional<DType> dtype;
    engine::Shape shape;
    bool isKnown = false;
};

Wire wireOf(const PanelContext& context, const DroppedWire& dropped)
{
    const engine::NodeView* view = context.plans.node(dropped.node);
    if (!view || !view->dtype)
        return {};
    return {view->dtype, view->shape, true};
}

// input (the wire's dtype and shape) -> op.
engine::Graph probe(const engine::OpSpec& spec, const engine::ParamMap& params, const Wire& wire, std::string_view port)
{
    engine::Graph graph;
    engine::Node source;
    source.id = kSource;
    source.name = "wire";
    source.op = "input";
    source.params["shape"] = wire.shape.dims();
    engine::Node taker;
    taker.id = kTaker;
    taker.name = std::string(spec.name);
    taker.op = std::string(spec.name);
    taker.params = params;
    (void)graph.addNode(source);
    (void)graph.addNode(taker);
    (void)graph.addEdge({kSource, "output", kTaker, std::string(port)});
    return graph;
}

bool isWaitingForMore(const engine::Finding& finding, std::string_view port)
{
    const bool connects =
        std::find(finding.remedies.begin(), finding.remedies.end(), "connect") != finding.remedies.end();
    return connects && finding.port != port;
}

void answer(DropFit& fit, const engine::PlanView& plan)
{
    const auto it = plan.nodes.find(kTaker);
    const engine::Finding* refusal = nullptr;
    for (const engine::Finding& finding : plan.findings) {
        if (finding.node != kTaker || finding.severity != engine::Severity::Error)
            continue;
        if (isWaitingForMore(finding, fit.port)) {
            fit.remark = tr("second input free");
            return;
        }
        refusal = &finding;
        break;
    }
    if (refusal || it == plan.nodes.end() || it->second.refused) {
        fit.fits = false;
        QString why = refusal ? text(refusal->message) : tr("does not take it");
        const qsizetype colon = why.lastIndexOf(QStringLiteral(": "));
        fit.remark = colon > 0 && why.size() - colon > 12 ? why.mid(colon + 2) : why;
        return;
    }
    for (const engine::PortView& port : it->second.ports) {
        if (port.port != fit.port || !port.isCast || !port.arrives || !port.used)
            continue;
        fit.dot = dotLevel(*port.arrives, *port.used);
        fit.remark = tr("casts to %1").arg(dtypeWord(*port.used));
        return;
    }
    fit.remark = tr("takes it as it is");
}

std::string_view activationPort(const engine::OpSpec& spec)
{
    for (const engine::PortSpec& port : spec.ports)
        if (port.role == engine::PortRole::Activation)
            return port.name;
    return {};
}

void addCasts(std::vector<DropFit>& fits, const engine::OpSpec& spec, const Wire& wire)
{
    for (const engine::DTypeFacts& dtype : engine::allDTypes()) {
        if (!dtype.isStorage || !engine::isFloat(dtype.dtype) || dtype.dtype == wire.dtype)
            continue;
        DropFit fit;
        fit.op = "cast";
        fit.params["to"] = std::string(dtype.name);
        fit.port = activationPort(spec);
        fit.title = tr("cast to %1").arg(text(dtype.name));
        fit.id = QStringLiteral("cast:") + text(dtype.name);
        if (wire.dtype)
            fit.dot = dotLevel(*wire.dtype, dtype.dtype);
        fits.push_back(fit);
    }
}

std::vector<DropFit> takers(const PanelContext& context, const DroppedWire& dropped, const engine::Planner& planner)
{
    const Wire wire = wireOf(context, dropped);
    const engine::RunSettings& settings = context.document.value().settings;
    std::vector<DropFit> fits;
    for (const engine::OpSpec* spec : context.ops.all()) {
        if (spec->role == engine::OpRole::Cast) {
            addCasts(fits, *spec, wire);
            continue;
        }
        DropFit fit;
        fit.id = text(spec->name);
        fit.op = std::string(spec->name);
        fit.title = fit.id;
        fit.port = activationPort(*spec);
        if (fit.port.empty()) {
            if (spec->role == engine::OpRole::Source)
                continue; // it starts wires and ends none
            fit.fits = false;
            fit.remark = tr("has no input");
        } else if (wire.isKnown && planner) {
            engine::RunRequest request;
            request.graph = probe(*spec, {}, wire, fit.port);
            request.floatx = settings.floatx;
            request.backend = settings.backend;
            answer(fit, planner(request, {settings.dialect, {*wire.dtype, settings.combo.weight}}));
        }
        fits.push_back(fit);
    }
    return fits;
}

std::vector<DropFit> feeders(const PanelContext& context)
{
    std::vector<DropFit> fits;
    for (const engine::OpSpec* spec : context.ops.all()) {
        if (spec->role == engine::OpRole::Cast)
            continue;
        DropFit fit;
        fit.id = text(spec->name);
        fit.op = std::string(spec->name);
        fit.title = fit.id;
        fit.port = "output";
        fit.remark = text(spec->category);
        if (spec->role == engine::OpRole::Output) {
            fit.fits = false;
            fit.remark = tr("has no output");
        }
        fits.push_back(fit);
    }
    return fits;
}

} // namespace

std::vector<DropFit> dropFits(const PanelContext& context, const DroppedWire& wire, const engine::Planner& planner)
{
    std::vector<DropFit> fits =
        wire.end == DroppedWire::End::Output ? takers(context, wire, planner) : feeders(context);
    // As it is, then exact casts and waiting ones, then those that lose, then those that do not fit.
    const auto rank = [&](const DropFit& fit) {
        if (!fit.fits)
            return 9;
        const int loss = fit.dot ? 1 + static_cast<int>(*fit.dot) : 0;
        return loss + (fit.op == "cast" ? 1 : 0);
    };
    std::stable_sort(fits.begin(), fits.end(), [&](const DropFit& a, const DropFit& b) { return rank(a) < rank(b); });
    return fits;
}

} // namespace ui
