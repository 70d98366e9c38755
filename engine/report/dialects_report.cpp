// `dialects --json`: the records, and what the resolver answers for every cell.
#include "engine/report/json_report.h"

namespace engine {

namespace {

Json dtypeOrNull(const std::optional<DType>& d)
{
    return d ? Json(dtypeName(*d)) : Json(nullptr);
}

Json cellJson(const DialectCell& c)
{
    Json j{{"dialect", c.dialect}, {"op", c.op}, {"variant", c.variant}, {"input_dtype", dtypeName(c.input)}};
    j["weight_dtype"] = dtypeOrNull(c.weight);
    if (c.layerDtype)
        j["layer_dtype"] = dtypeName(*c.layerDtype);
    j["outcome"] = c.ok ? "ok" : "error";
    j["output_dtype"] = dtypeOrNull(c.output);
    j["compute_dtype"] = dtypeOrNull(c.compute);
    j["effective_significand_bits"] = c.effectiveBits ? Json(*c.effectiveBits) : Json(nullptr);
    j["casts"] = Json::array();
    for (const CellCast& cast : c.casts)
        j["casts"].push_back({{"operand", cast.operand},
                              {"from", dtypeName(cast.from)},
                              {"to", dtypeName(cast.to)},
                              {"exact", cast.exact}});
    j["lossy_operands"] = c.lossyOperands;
    j["warned"] = c.warned;
    j["errors"] = Json::array();
    for (const auto& [context, message] : c.errors)
        j["errors"].push_back({{"context", context}, {"message", message}});
    return j;
}

} // namespace

Json dialectsReport(const DialectCatalog& dialects, const std::vector<DialectCell>& cells)
{
    Json j{{"dialects", Json::array()}, {"cells", Json::array()}};
    for (const DialectSpec* d : dialects.all())
        j["dialects"].push_back({{"name", d->name},
                                 {"title", d->title},
                                 {"versions", d->versions},
                                 {"behaviour", behaviourName(d->behaviour)},
                                 {"sentence", d->sentence},
                                 {"evidence", d->evidence}});
    for (const DialectCell& c : cells)
        j["cells"].push_back(cellJson(c));
    return j;
}

} // namespace engine
