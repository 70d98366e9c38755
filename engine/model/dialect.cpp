// Names of the six behaviours, as files, reports and the command line spell them.
#include "engine/model/dialect.h"

namespace engine {

std::string_view behaviourName(Behaviour b)
{
    static constexpr std::array<std::string_view, 6> kNames{"error",         "cast_to_layer", "promote",
                                                            "autocast_list", "canonicalize",  "explicit"};
    return kNames[static_cast<std::size_t>(b)];
}

} // namespace engine
