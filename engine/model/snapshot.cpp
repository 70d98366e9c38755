// Names of the five stages of error attribution.
#include "engine/model/snapshot.h"

namespace engine {

std::string_view stageName(Stage s)
{
    static constexpr std::array<std::string_view, kStageCount> kNames{"inherited", "storage", "cast", "arithmetic",
                                                                      "output"};
    return kNames[static_cast<std::size_t>(s)];
}

} // namespace engine
