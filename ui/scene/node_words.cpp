#include "ui/scene/node_words.h"

#include "ui/live/error_series.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Canvas", text);
}

QString product(const engine::IntList& list)
{
    QStringList parts;
    for (const std::int64_t n : list)
        parts << QString::number(n);
    return parts.join(QChar(0x00D7));
}

QString minusSign(QString number)
{
    return number.replace('-', QChar(0x2212));
}

QString sourceText(const engine::Source& source)
{
    switch (source.kind) {
    case engine::Source::Kind::Generator:
        return latin(source.generator) + (source.seed == 0 ? QString() : tr(" · seed %1").arg(source.seed));
    case engine::Source::Kind::Values:
        return source.values.size() == 1 ? minusSign(QString::number(source.values[0]))
                                         : tr("%1 values").arg(source.values.size());
    case engine::Source::Kind::Tensor:
        return latin(source.name);
    case engine::Source::Kind::File:
        break;
    }
    return QFileInfo(latin(source.name)).fileName();
}

bool isShownAtDefault(std::string_view name)
{
    return name == "filters" || name == "units" || name == "kernel_size" || name == "pool_size" || name == "padding" ||
           name == "to" || name == "axis";
}

// What stands without its name, because everyone knows it by its look.
bool isBare(std::string_view name)
{
    return name == "kernel_size" || name == "pool_size" || name == "padding" || name == "shape" ||
           name == "data_format" || name == "approximate";
}

QString valueText(const engine::ParamSpec& spec, const engine::ParamValue& value)
{
    const QString name = latin(spec.name).replace('_', ' ');
    const QString named = isBare(spec.name) ? QString("%1") : name + " %1";
    switch (spec.kind) {
    case engine::ParamKind::Bool:
        return std::get<bool>(value) ? name.startsWith("use ") ? name.mid(4) : name
                                     : tr("no %1").arg(name.startsWith("use ") ? name.mid(4) : name);
    case engine::ParamKind::Int: {
        const QString number = minusSign(QString::number(std::get<std::int64_t>(value)));
        const bool isCount = spec.name == "filters" || spec.name == "units";
        return isCount ? number + " " + name : named.arg(number);
    }
    case engine::ParamKind::Real:
        return named.arg(minusSign(QString::number(std::get<double>(value))));
    case engine::ParamKind::Choice:
    case engine::ParamKind::Text:
        return named.arg(latin(std::get<std::string>(value)));
    case engine::ParamKind::IntList:
        return named.arg(product(std::get<engine::IntList>(value)));
    case engine::ParamKind::Source:
        break;
    }
    return sourceText(std::get<engine::Source>(value));
}

} // namespace

QString latin(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString paramsText(const engine::OpSpec* spec, const engine::Node& node)
{
    if (!spec)
        return tr("unknown op %1").arg(latin(node.op));
    const auto params = engine::Params::check(spec->params, node.params, {});
    if (!params)
        return tr("a parameter is out of range");
    const bool isSource = spec->role == engine::OpRole::Source;
    QStringList window, parts;
    for (const engine::ParamSpec& param : spec->params) {
        // A layer's own weights are no key parameters; a source's shape is its output shape.
        if (isSource ? param.kind != engine::ParamKind::Source : param.kind == engine::ParamKind::Source)
            continue;
        const engine::ParamValue& value = params->map().find(param.name)->second;
        const auto standard = engine::paramFromJson(param.kind, param.defaultText, {});
        const bool isDefault = standard && *standard == value;
        if (isDefault && !isSource && !isShownAtDefault(param.name))
            continue;
        const bool isWindow = param.name == "kernel_size" || param.name == "pool_size";
        (isWindow ? window : parts) << valueText(param, value);
    }
    return (window + parts).join(QString(" %1 ").arg(QChar(0x00B7)));
}

NodeText nodeText(const engine::OpSpec* spec, const engine::Node& node)
{
    NodeText text{node, paramsText(spec, node), {}};
    if (!spec)
        return text;
    const auto params = engine::Params::check(spec->params, node.params, {});
    for (std::size_t i = 0; i < spec->ports.size(); ++i)
        text.isPortOn.push_back(!params || !spec->portPresent || spec->portPresent(*params, static_cast<int>(i)));
    return text;
}

QString refusalText(const engine::PlanView& plan, const engine::NodeView& node)
{
    const engine::Finding* finding = nullptr;
    for (const engine::Finding& f : plan.findings)
        if (f.node == node.id && f.severity == engine::Severity::Error) {
            finding = &f;
            break;
        }
    if (!finding)
        return tr("cannot run");
    if (finding->rule == "not-connected")
        return finding->port.empty() ? tr("not connected") : tr("%1 is not connected").arg(latin(finding->port));
    if (finding->rule == "forbid-cast")
        return tr("%1 refuses its cast").arg(latin(finding->port));
    std::set<engine::DType> different;
    QStringList operands;
    for (const engine::PortView& port : node.ports)
        if (port.arrives && different.insert(*port.arrives).second)
            operands << latin(port.port) + " " + latin(engine::dtypeName(*port.arrives));
    const bool isMismatch = finding->rule.find("mismatch") != std::string::npos;
    return isMismatch && operands.size() > 1 ? operands.join(", ") : latin(finding->message);
}

QString slotLabel(engine::Slot slot)
{
    switch (slot) {
    case engine::Slot::Input:
        return QStringLiteral("in");
    case engine::Slot::Weight:
        return QStringLiteral("w");
    case engine::Slot::Compute:
        return QString(QChar(0x00D7));
    case engine::Slot::Accumulate:
        return QString(QChar(0x03A3));
    case engine::Slot::Output:
        break;
    }
    return QStringLiteral("out");
}

} // namespace ui
