#include "app/cli/commands.h"

#include <cstdio>

int main(int argc, char** argv)
{
    const app::Parsed parsed = app::parseArguments(argc, argv);
    if (!parsed.arguments) {
        std::fputs(parsed.text.c_str(), parsed.exitCode == 0 ? stdout : stderr);
        return parsed.exitCode;
    }
    switch (parsed.arguments->command) {
    case app::Command::Run:
    case app::Command::Explain: return app::runCommand(*parsed.arguments);
    case app::Command::Check: return app::checkCommand(*parsed.arguments);
    case app::Command::Ops:
    case app::Command::Dialects: break;
    }
    return app::catalogueCommand(*parsed.arguments);
}
