// The report for machines: names and units of these objects are a promise to scripts. Fields may be added,
// none is renamed. Absent means not measured; infinities and NaN are the texts "inf", "-inf", "nan".
#pragma once

#include "engine/dialects/dialect_cells.h"
#include "engine/model/check_row.h"
#include "engine/model/dialect.h"
#include "engine/model/op_catalog.h"
#include "engine/model/snapshot.h"

#include <nlohmann/json.hpp>

namespace engine {

using Json = nlohmann::ordered_json;

struct ReportModel {
    std::string file, name;
    std::int64_t nodes = 0;
    std::string version; // of the program
};

Json jsonNumber(double value);
Json runReport(const RunSnapshot& snapshot, const ReportModel& model);
Json explainReport(const RunSnapshot& snapshot, const ReportModel& model); // casts only, with cause and loss
Json checkReport(const MachineInfo& machine, const std::vector<CheckRow>& rows);
Json opsReport(const OpCatalog& ops);
Json dialectsReport(const DialectCatalog& dialects, const std::vector<DialectCell>& cells);
Json errorReport(const Error& error);
// Text that is valid UTF-8 whatever was in it, indented by 1.
std::string jsonText(const Json& json);

} // namespace engine
