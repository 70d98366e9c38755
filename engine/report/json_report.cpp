#include "engine/report/json_report.h"

#include <cmath>

namespace engine {

namespace {

Json optionalNumber(const std::optional<double>& v)
{
    return v ? jsonNumber(*v) : Json(nullptr);
}

void put(Json& object, const char* name, const std::optional<double>& v)
{
    if (v)
        object[name] = jsonNumber(*v);
}

Json shapeJson(const Shape& shape)
{
    return shape.dims();
}

Json slotsJson(const NodeResult& n)
{
    Json slots = Json::object();
    for (Slot s : kSlots) {
        const auto i = static_cast<std::size_t>(s);
        if (!n.hasSlot[i])
            continue;
        slots[std::string(slotName(s))] = {{"asked", n.slots[i].asked ? Json(*n.slots[i].asked) : Json(nullptr)},
                                           {"ran", n.slots[i].ran ? Json(dtypeName(*n.slots[i].ran)) : Json(nullptr)}};
    }
    return slots;
}

Json castJson(const CastReport& c)
{
    Json j{{"port", c.port}, {"from", dtypeName(c.from)}, {"to", dtypeName(c.to)}, {"implicit", c.implicit}};
    j["rule"] = c.rule;
    j["changed"] = jsonNumber(c.changed);
    put(j, "max_ulp", c.maxUlp);
    put(j, "max_rel", c.maxRel);
    put(j, "bits_kept", c.bitsKept);
    j["new_inf"] = c.newInf;
    j["new_zero"] = c.newZero;
    j["new_subnormal"] = c.newSubnormal;
    j["new_nan"] = c.newNan;
    if (!c.sentence.empty())
        j["sentence"] = c.sentence;
    return j;
}

Json storedJson(const StoredReport& s)
{
    Json j{{"port", s.port}, {"to", dtypeName(s.to)}, {"changed", jsonNumber(s.changed)}};
    put(j, "max_ulp", s.maxUlp);
    j["new_inf"] = s.newInf;
    j["new_zero"] = s.newZero;
    j["new_subnormal"] = s.newSubnormal;
    j["new_nan"] = s.newNan;
    return j;
}

Json errorJson(const ErrorMetrics& e, DType dtype)
{
    Json j = Json::object();
    put(j, "max_abs", e.maxAbs);
    put(j, "mean_abs", e.meanAbs);
    put(j, "rmse", e.rmse);
    put(j, "rel_l2", e.relL2);
    put(j, "sqnr_db", e.sqnrDb);
    put(j, "max_rel", e.maxRel);
    put(j, "mean_rel", e.meanRel);
    put(j, "max_ulp", e.maxUlp);
    put(j, "mean_ulp", e.meanUlp);
    put(j, "min_bits", e.minBits);
    put(j, "p01_bits", e.p01Bits);
    put(j, "median_bits", e.medianBits);
    j["elements"] = e.elements;
    j["zero_ref"] = e.zeroRef;
    j["zero_ref_wrong"] = e.zeroRefWrong;
    put(j, "condition", e.condition);
    j["nan"] = e.nan;
    j["inf"] = e.inf;
    j["overflow"] = e.overflow;
    j["underflow"] = e.underflow;
    j["subnormal"] = e.subnormal;
    j["first_bad"] = e.firstBad ? Json(*e.firstBad) : Json(nullptr);
    if (e.referenceLimited)
        j["reference_limited"] = true;
    if (isFloat(dtype))
        j["ulp_histogram"] = {{"bins", {0, 0.5, 1, 2, 4, 8, 16, 32}}, {"counts", e.ulpHistogram}};
    if (const auto& h = e.relHistogram)
        j["rel_histogram"] = {{"log10_first", RelHistogram::kLog10First},
                              {"step", RelHistogram::kStep},
                              {"counts", h->counts},
                              {"exact", h->exact},
                              {"below", h->below},
                              {"above", h->above}};
    return j;
}

void addStages(Json& j, const NodeResult& n)
{
    Json stages = Json::object();
    for (int s = 0; s < kStageCount; ++s) {
        const StageFigures& f = n.stages->stages[static_cast<std::size_t>(s)];
        stages[std::string(stageName(static_cast<Stage>(s)))] = {{"rmse", jsonNumber(f.rmse)},
                                                                 {"share", optionalNumber(f.share)}};
    }
    j["stages"] = std::move(stages);
    j["local"] = {{"max_abs", jsonNumber(n.stages->localMaxAbs)}, {"rmse", jsonNumber(n.stages->localRmse)}};
}

Json nodeJson(const NodeResult& n)
{
    Json j{{"id", n.id.value}, {"name", n.name}, {"op", n.op}, {"shape", shapeJson(n.shape)}};
    j["dtype"] = dtypeName(n.dtype);
    j["slots"] = slotsJson(n);
    j["effective_bits"] = n.effectiveBits;
    if (isFloat(n.dtype))
        j["value_bits"] = n.valueBits;
    j["kernel"] = n.kernel;
    j["time_ms"] = jsonNumber(n.timeMs);
    j["reused"] = n.reused;
    j["bytes"] = n.bytes;
    j["casts"] = Json::array();
    for (const CastReport& c : n.casts)
        j["casts"].push_back(castJson(c));
    j["stored"] = Json::array();
    for (const StoredReport& s : n.stored)
        j["stored"].push_back(storedJson(s));
    if (n.error)
        j["error"] = errorJson(*n.error, n.dtype);
    if (n.stages)
        addStages(j, n);
    if (n.stagesExcluded > 0)
        j["stages_excluded"] = n.stagesExcluded;
    if (n.bound)
        j["bound"] = {{"formula", "n*u*sum|ab| + n*eta/2"},
                      {"n", n.bound->n},
                      {"u", jsonNumber(n.bound->u)},
                      {"eta", jsonNumber(n.bound->eta)},
                      {"max_abs", jsonNumber(n.bound->maxAbs)},
                      {"max_ratio", jsonNumber(n.bound->maxRatio)},
                      {"max_arithmetic", jsonNumber(n.bound->maxArithmetic)},
                      {"rms", jsonNumber(n.bound->rms)}};
    const Health& h = n.health;
    j["health"] = {{"normal", h.normal}, {"subnormal", h.subnormal}, {"zero", h.zero}, {"inf", h.inf}, {"nan", h.nan}};
    return j;
}

std::string_view severityName(Severity s)
{
    return s == Severity::Error ? "error" : s == Severity::Warning ? "warning" : "note";
}

Json findingsJson(const std::vector<Finding>& findings)
{
    Json list = Json::array();
    for (const Finding& f : findings) {
        Json j{{"severity", severityName(f.severity)}, {"node", f.node ? Json(f.node.value) : Json(nullptr)}};
        j["port"] = f.port.empty() ? Json(nullptr) : Json(f.port);
        j["rule"] = f.rule;
        j["message"] = f.message;
        j["remedies"] = f.remedies;
        if (!f.frameworkMessage.empty())
            j["framework_message"] = f.frameworkMessage;
        list.push_back(std::move(j));
    }
    return list;
}

Json runHead(const RunResult& r)
{
    Json j;
    j["combo"] = {{"input", dtypeName(r.combo.input)}, {"weight", dtypeName(r.combo.weight)}};
    j["dialect"] = r.dialect;
    j["ok"] = r.ok;
    j["time_ms"] = jsonNumber(r.timeMs);
    j["findings"] = findingsJson(r.findings);
    return j;
}

Json machineJson(const MachineInfo& m)
{
    return {{"backend", m.backend}, {"isa", m.isa}, {"fma", m.fma}, {"threads", m.threads}};
}

Json head(const RunSnapshot& snapshot, const ReportModel& model)
{
    Json j;
    j["mantissa"] = model.version;
    j["model"] = {{"file", model.file}, {"name", model.name}, {"nodes", model.nodes}};
    j["machine"] = machineJson(snapshot.machine);
    return j;
}

} // namespace

Json jsonNumber(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return value;
}

Json runReport(const RunSnapshot& snapshot, const ReportModel& model)
{
    Json j = head(snapshot, model);
    j["reference"] = {
        {"kind", "double-double"}, {"time_ms", jsonNumber(snapshot.referenceMs)}, {"reused", snapshot.referenceReused}};
    j["predicted_bytes"] = snapshot.predictedBytes;
    j["runs"] = Json::array();
    for (const RunResult& r : snapshot.runs) {
        Json run = runHead(r);
        run["top1"] = r.top1 ? Json(*r.top1) : Json(nullptr);
        run["nodes"] = Json::array();
        for (const NodeResult& n : r.nodes)
            run["nodes"].push_back(nodeJson(n));
        j["runs"].push_back(std::move(run));
    }
    return j;
}

Json explainReport(const RunSnapshot& snapshot, const ReportModel& model)
{
    Json j = head(snapshot, model);
    j["runs"] = Json::array();
    for (const RunResult& r : snapshot.runs) {
        Json run = runHead(r);
        run["casts"] = Json::array();
        run["stored"] = Json::array();
        for (const NodeResult& n : r.nodes) {
            const Json place{{"node", n.id.value}, {"name", n.name}, {"op", n.op}};
            for (const CastReport& c : n.casts) {
                Json row = place;
                row.update(castJson(c));
                run["casts"].push_back(std::move(row));
            }
            for (const StoredReport& s : n.stored) {
                Json row = place;
                row.update(storedJson(s));
                run["stored"].push_back(std::move(row));
            }
        }
        j["runs"].push_back(std::move(run));
    }
    return j;
}

Json checkReport(const MachineInfo& machine, const std::vector<CheckRow>& rows)
{
    Json j{{"machine", machineJson(machine)}, {"rows", Json::array()}};
    for (const CheckRow& r : rows) {
        Json row{
            {"op", r.op}, {"pair", r.pair}, {"backend", r.backend}, {"shape", r.shape}, {"parameters", r.parameters}};
        if (r.maxRatio)
            row["max_ratio"] = jsonNumber(*r.maxRatio);
        row["bound"] = r.boundKind;
        row["ok"] = r.ok;
        row["reason"] = r.reason.empty() ? Json(nullptr) : Json(r.reason);
        j["rows"].push_back(std::move(row));
    }
    return j;
}

Json errorReport(const Error& error)
{
    return {{"error",
             {{"code", error.code}, {"place", error.place}, {"message", error.message}, {"remedy", error.remedy}}}};
}

std::string jsonText(const Json& json)
{
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace engine
