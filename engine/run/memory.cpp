#include "engine/run/memory.h"

#include <cstdio>
#include <fstream>

namespace engine {

std::optional<std::int64_t> availableMemory()
{
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    std::int64_t kilobytes = 0;
    while (file >> name >> kilobytes) {
        if (name == "MemAvailable:")
            return kilobytes * 1024;
        std::getline(file, unit);
    }
    return std::nullopt;
}

std::string bytesText(std::int64_t bytes)
{
    const char* units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes);
    int unit = 0;
    while (value >= 1000 && unit < 4) {
        value /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

} // namespace engine
