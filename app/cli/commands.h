// The commands: each returns the exit code (0 done, 1 model or machine at fault or refused, 3 limit exceeded).
#pragma once

#include "app/cli/arguments.h"

namespace app {

int runCommand(const Arguments& arguments); // run and explain
int checkCommand(const Arguments& arguments);
int catalogueCommand(const Arguments& arguments); // ops and dialects

// Prints the error on stderr, and as JSON on stdout where asked; returns 1.
int fail(const engine::Error& error, bool json);

} // namespace app
