#include "app/cli/commands.h"

#include <cstdio>
#include <malloc.h>

int main(int argc, char** argv)
{
    // Tensors come from and go back to the system, so that memory in use is what the prediction says; glibc would
    // raise this threshold with every large block that is freed.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
    const app::Parsed parsed = app::parseArguments(argc, argv);
    if (!parsed.arguments) {
        std::fputs(parsed.text.c_str(), parsed.exitCode == 0 ? stdout : stderr);
        return parsed.exitCode;
    }
    switch (parsed.arguments->command) {
    case app::Command::Run:
    case app::Command::Explain:
        return app::runCommand(*parsed.arguments);
    case app::Command::Check:
        return app::checkCommand(*parsed.arguments);
    case app::Command::Ops:
    case app::Command::Dialects:
        break;
    }
    return app::catalogueCommand(*parsed.arguments);
}
