#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "engine/dialects/dialect_cells.h"
#include "engine/dialects/dialects.h"
#include "engine/ops/ops.h"
#include "engine/report/text_report.h"
#include "engine/run/backend.h"
#include "engine/run/check.h"
#include "engine/run/local_runner.h"

#include <algorithm>
#include <cstdio>

namespace app {

using namespace engine;

int checkCommand(const Arguments& a)
{
    const LocalRunner runner(opCatalog(), dialectCatalog(), {.threads = a.threads});
    const MachineInfo machine = runner.machine();
    const std::string backend = a.backend.value_or("cpu");
    const auto backends = listBackends(machine.threads);
    const auto it =
        std::find_if(backends.begin(), backends.end(), [&](const BackendInfo& b) { return b.name == backend; });
    if (it == backends.end())
        return fail({"backend-unknown", "backend \"" + backend + "\"", "there is no such backend", "use cpu or cuda"},
                    a.json);
    if (backend != "cpu")
        return fail({"backend-unavailable", "backend \"" + backend + "\"",
                     it->available ? "it has casts only so far: no op to check" : it->reason, it->remedy},
                    a.json);
    const StopOnSignal stop;
    ThreadPool pool(machine.threads);
    const PoolExec exec(pool, bestIsa(), stop.token());
    std::vector<CheckRow> rows;
    {
        ProgressLine line;
        const auto total = static_cast<double>(opCatalog().all().size());
        const OpSpec* last = nullptr;
        double done = 0;
        rows = checkAll(opCatalog(), exec, [&](const CheckRow& row) {
            const OpSpec* spec = opCatalog().find(row.op);
            done += spec != last ? 1 : 0;
            last = spec;
            line.show({done / total, row.op + " " + row.pair});
        });
    }
    if (exec.stopRequested())
        return fail({"stopped", "check", "the check was stopped", {}}, a.json);
    const std::string text = a.json ? jsonText(checkReport(machine, rows)) : checkText(machine, rows);
    std::fputs(text.c_str(), stdout);
    return std::all_of(rows.begin(), rows.end(), [](const CheckRow& r) { return r.ok; }) ? 0 : 1;
}

int catalogueCommand(const Arguments& a)
{
    std::string text;
    if (a.command == Command::Ops)
        text = a.json ? jsonText(opsReport(opCatalog())) : opsText(opCatalog());
    else
        text = a.json ? jsonText(dialectsReport(dialectCatalog(), dialectCells(dialectCatalog(), opCatalog())))
                      : dialectsText(dialectCatalog());
    std::fputs(text.c_str(), stdout);
    return 0;
}

} // namespace app
