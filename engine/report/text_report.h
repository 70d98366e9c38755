// The report for people: tables at 100 columns.
#pragma once

#include "engine/report/json_report.h"

namespace engine {

std::string runText(const RunSnapshot& snapshot, const ReportModel& model);
std::string explainText(const RunSnapshot& snapshot, const ReportModel& model);
std::string checkText(const MachineInfo& machine, const std::vector<CheckRow>& rows);
std::string opsText(const OpCatalog& ops);
std::string dialectsText(const DialectCatalog& dialects);

} // namespace engine
