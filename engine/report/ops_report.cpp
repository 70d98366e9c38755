// `ops --json`: the catalogue, printed from the records.
#include "engine/report/json_report.h"

namespace engine {

namespace {

std::string_view kindName(ParamKind k)
{
    switch (k) {
    case ParamKind::Bool:
        return "bool";
    case ParamKind::Int:
        return "int";
    case ParamKind::Real:
        return "real";
    case ParamKind::Choice:
        return "choice";
    case ParamKind::Text:
        return "text";
    case ParamKind::IntList:
        return "int_list";
    case ParamKind::Source:
        return "source";
    }
    return "";
}

std::string_view roleName(OpRole r)
{
    switch (r) {
    case OpRole::Source:
        return "source";
    case OpRole::Contraction:
        return "contraction";
    case OpRole::Elementwise:
        return "elementwise";
    case OpRole::Activation:
        return "activation";
    case OpRole::Reduction:
        return "reduction";
    case OpRole::Move:
        return "move";
    case OpRole::Cast:
        return "cast";
    case OpRole::Output:
        return "output";
    }
    return "";
}

Json paramJson(const ParamSpec& p)
{
    Json j{{"name", p.name}, {"kind", kindName(p.kind)}, {"sentence", p.sentence}};
    j["default"] = Json::parse(p.defaultText, nullptr, false);
    if (!p.unit.empty())
        j["unit"] = p.unit;
    if (p.kind == ParamKind::Int || p.kind == ParamKind::Real || p.kind == ParamKind::IntList)
        j["range"] = {jsonNumber(p.minimum), jsonNumber(p.maximum)};
    if (p.kind == ParamKind::Choice)
        j["choices"] = std::vector<std::string>(p.choices.begin(), p.choices.end());
    return j;
}

Json pairsJson(const OpSpec& spec)
{
    Json pairs = Json::array();
    if (spec.pairs == PairSet::Any || !spec.cpu)
        return pairs;
    if (spec.pairs == PairSet::Pointwise) {
        for (const DTypeFacts& f : allDTypes())
            if (pairAllowed(spec.pairs, {f.dtype, f.dtype}))
                pairs.push_back(ComputePair{f.dtype, f.dtype}.text());
        return pairs;
    }
    for (const ComputePair& p : computePairs())
        if (pairAllowed(spec.pairs, p))
            pairs.push_back(p.text());
    return pairs;
}

} // namespace

Json opsReport(const OpCatalog& ops)
{
    Json list = Json::array();
    for (const OpSpec* spec : ops.all()) {
        Json j{{"name", spec->name}, {"title", spec->title}, {"category", spec->category}, {"summary", spec->summary}};
        j["role"] = roleName(spec->role);
        j["layer"] = spec->isLayer;
        j["ports"] = Json::array();
        for (const PortSpec& p : spec->ports)
            j["ports"].push_back({{"name", p.name}, {"sentence", p.sentence}, {"owned_by", p.source}});
        j["slots"] = Json::array();
        for (Slot s : kSlots)
            if (hasSlot(*spec, s))
                j["slots"].push_back(slotName(s));
        j["pairs"] = pairsJson(*spec);
        j["any_dtype"] = spec->pairs == PairSet::Any;
        j["parameters"] = Json::array();
        for (const ParamSpec& p : spec->params)
            j["parameters"].push_back(paramJson(p));
        j["doc"] = spec->doc;
        list.push_back(std::move(j));
    }
    return {{"ops", std::move(list)}};
}

} // namespace engine
