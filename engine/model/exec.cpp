#include "engine/model/exec.h"

#include <cstdlib>

#include <cpuid.h>

namespace engine {

namespace {

// The members of x86-64-v3 that not every compiler lets __builtin_cpu_supports name, nor the level itself. None has
// registers of its own that the operating system would have to save.
bool cpuidHasRestOfV3()
{
    constexpr unsigned kBasic = bit_CMPXCHG16B | bit_MOVBE | bit_F16C;
    constexpr unsigned kExtended = bit_LAHF_LM | bit_LZCNT;
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & kBasic) != kBasic)
        return false;
    return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kExtended) == kExtended;
}

// __builtin_cpu_supports asks the CPU and the operating system (saved registers) alike.
bool supportsV3()
{
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           cpuidHasRestOfV3();
}

bool supportsV4()
{
    return supportsV3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

} // namespace

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
    static const bool v3 = supportsV3();
    static const bool v4 = supportsV4();
    switch (isa) {
    case Isa::V3:
        return v3;
    case Isa::V4:
        return v4;
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
