// Shortest decimal text of a float64 that reads back as the same float64: positional from 1e-4 to 1e16,
// scientific elsewhere. The files, the messages and the report spell numbers the same way.
#pragma once

#include <string>
#include <string_view>

namespace engine {

std::string numberText(double value);     // "1", "0.1", "1e-05", "inf", "-inf", "nan"
std::string jsonNumberText(double value); // "1.0", "0.1", "1e-05"; not finite: "\"inf\"", "\"-inf\"", "\"nan\""

} // namespace engine
