// The command line of mantissa-cli, parsed and checked: plain values for the commands.
#pragma once

#include "engine/model/combo.h"
#include "engine/model/result.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

struct ErrorLimit {
    std::string metric; // a name of the report's `error` object
    double value = 0;
};

struct InputFile {
    std::string node; // id or name
    std::string path;
};

enum class Command : unsigned char { Run, Explain, Check, Ops, Dialects };

struct Arguments {
    Command command = Command::Run;
    std::string model;
    std::vector<engine::Combo> combos; // empty: the file's own
    bool allCombos = false;
    std::vector<std::string> dialects; // empty: the file's own
    bool allDialects = false;
    std::optional<std::string> backend; // default: the file's own
    std::vector<InputFile> inputs;
    std::optional<std::pair<std::int64_t, std::int64_t>> batch;
    std::vector<ErrorLimit> limits;
    std::optional<std::int64_t> memoryLimit;
    std::string dumpDirectory;
    bool json = false;
    bool plan = false;
    int threads = 0;
};

struct Parsed {
    std::optional<Arguments> arguments;
    int exitCode = 0; // where there are no arguments: 0 after --help or --version, 2 for wrong usage
    std::string text; // to print then
};

Parsed parseArguments(int argc, const char* const* argv);

} // namespace app
