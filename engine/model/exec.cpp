#include "engine/model/exec.h"

#include <cstdlib>

namespace engine {

std::string_view isaName(Isa isa)
{
    switch (isa) {
    case Isa::V3:
        return "x86-64-v3";
    case Isa::V4:
        return "x86-64-v4";
    case Isa::Baseline:
        break;
    }
    return "x86-64";
}

bool isaAvailable(Isa isa)
{
    // Asks the CPU and the operating system (saved registers) alike.
    switch (isa) {
    case Isa::V3:
        return __builtin_cpu_supports("x86-64-v3") != 0;
    case Isa::V4:
        return __builtin_cpu_supports("x86-64-v4") != 0;
    case Isa::Baseline:
        break;
    }
    return true;
}

Isa bestIsa()
{
    Isa limit = Isa::V4;
    if (const char* text = std::getenv("MANTISSA_ISA")) {
        const std::string_view wish = text;
        if (wish == "baseline")
            limit = Isa::Baseline;
        else if (wish == "v3")
            limit = Isa::V3;
    }
    for (Isa isa : {Isa::V4, Isa::V3})
        if (isa <= limit && isaAvailable(isa))
            return isa;
    return Isa::Baseline;
}

} // namespace engine
