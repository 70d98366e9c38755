#include "engine/model/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace engine {

std::string numberText(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    const double magnitude = std::abs(value);
    const bool isPositional = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
    std::array<char, 64> buffer{};
    const auto [end, ec] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         isPositional ? std::chars_format::fixed : std::chars_format::scientific);
    return ec == std::errc{} ? std::string(buffer.data(), end) : std::string("nan");
}

std::string jsonNumberText(double value)
{
    std::string text = numberText(value);
    if (!std::isfinite(value))
        return "\"" + text + "\"";
    // Keeps reals apart from integers for readers that know no record.
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

} // namespace engine
