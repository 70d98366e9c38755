#include "ui/scene/cast_mark.h"

#include "ui/style/dot_level.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Canvas", text);
}

// All reports of one port: a widening that is narrowed again is two of them.
std::optional<CastMark> measured(const engine::NodeResult* result, std::string_view port, CastMark mark)
{
    if (!result)
        return std::nullopt;
    const engine::CastReport *first = nullptr, *last = nullptr;
    for (const engine::CastReport& report : result->casts) {
        if (report.port != port)
            continue;
        first = first ? first : &report;
        last = &report;
        mark.level = std::max(first == &report ? DotLevel::Exact : mark.level, dotLevel(report));
        mark.changed = std::max(mark.changed.value_or(0), report.changed);
    }
    if (!first || first->from != mark.from || last->to != mark.to)
        return std::nullopt;
    return mark;
}

} // namespace

bool isDot(const engine::PortView& port)
{
    return port.isCast && port.rule != "node";
}

std::optional<CastMark> castMark(const engine::PortView& port, const engine::NodeResult* result)
{
    if (!isDot(port) || !port.arrives || !port.used)
        return std::nullopt;
    CastMark mark{*port.arrives, *port.used, port.isExact ? DotLevel::Exact : DotLevel::Small, {}};
    if (!port.isExact)
        mark.level = std::max(DotLevel::Small, dotLevel(mark.from, mark.to));
    if (const auto seen = measured(result, port.port, mark))
        return seen;
    return mark;
}

std::optional<CastMark> castNodeMark(const engine::NodeView& node, const engine::NodeResult* result)
{
    if (node.ports.empty() || !node.ports.front().arrives || !node.dtype)
        return std::nullopt;
    CastMark mark{*node.ports.front().arrives, *node.dtype, DotLevel::Exact, {}};
    mark.level = dotLevel(mark.from, mark.to);
    if (!result)
        return mark;
    for (const engine::CastReport& report : result->casts)
        if (report.rule == "node" && report.from == mark.from && report.to == mark.to) {
            mark.level = dotLevel(report);
            mark.changed = report.changed;
        }
    return mark;
}

QString castSentence(const QString& port, const CastMark& mark)
{
    const auto name = [](engine::DType d) {
        const std::string_view text = engine::dtypeName(d);
        return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
    };
    QString sentence = tr("%1 cast %2 to %3").arg(port, name(mark.from), name(mark.to));
    if (mark.level == DotLevel::Exact)
        return sentence + tr(", no value changed");
    if (mark.level == DotLevel::Overflow)
        sentence += tr(", with overflow");
    if (mark.changed)
        sentence += tr(", %1 percent changed").arg(QString::number(*mark.changed * 100, 'f', 1));
    return sentence;
}

} // namespace ui
