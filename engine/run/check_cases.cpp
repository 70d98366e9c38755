#include "engine/run/check.h"

#include <algorithm>

namespace engine {

namespace {

bool hasParam(const OpSpec& spec, std::string_view name)
{
    return std::any_of(spec.params.begin(), spec.params.end(), [&](const ParamSpec& p) { return p.name == name; });
}

std::string windowParams(const OpSpec& spec, const std::string& common)
{
    const bool isConvolution = hasParam(spec, "groups");
    return "{" + std::string(isConvolution ? "\"kernel_size\"" : "\"pool_size\"") + ": [3, 2], " + common + "}";
}

// NHWC shapes; the last is above 64 in every dimension (a large stride keeps it affordable).
std::vector<CheckCase> windowCases(const OpSpec& spec)
{
    const bool isConvolution = hasParam(spec, "groups");
    const auto conv = [&](const char* text) { return isConvolution ? std::string(text) : std::string(); };
    return {
        {windowParams(spec, conv("\"filters\": 5, ") + "\"strides\": [1, 1], \"padding\": \"same\""), {{2, 7, 5, 3}}},
        {windowParams(spec, conv("\"filters\": 14, \"groups\": 7, \"bias\": {\"init\": \"uniform\", \"seed\": 5}, ") +
                                "\"strides\": [2, 3], \"padding\": \"explicit\", \"pads\": [2, 0, 1, 1]"),
         {{3, 11, 13, 7}}},
        {windowParams(spec, conv("\"filters\": 13, ") +
                                "\"strides\": [1, 1], \"dilation\": [2, 3], \"padding\": \"explicit\", "
                                "\"pads\": [1, 2, 0, 1], \"data_format\": \"channels_first\""),
         {{2, 5, 17, 19}}},
        {windowParams(spec, conv("\"filters\": 68, \"groups\": 2, ") +
                                "\"strides\": [9, 9], \"dilation\": [2, 1], \"padding\": \"same\""),
         {{65, 67, 71, 66}}},
    };
}

} // namespace

std::vector<CheckCase> checkCases(const OpSpec& spec)
{
    if (hasParam(spec, "kernel_size") || hasParam(spec, "pool_size"))
        return windowCases(spec);
    if (hasParam(spec, "units"))
        return {{"{\"units\": 5}", {{2, 3}}},
                {"{\"units\": 13, \"bias\": {\"init\": \"uniform\", \"seed\": 5}}", {{7, 11}}},
                {"{\"units\": 17, \"use_bias\": false}", {{3, 5, 19}}},
                {"{\"units\": 71}", {{67, 331}}}};
    if (spec.role == OpRole::Contraction)
        return {{"{}", {{2, 3}, {3, 5}}},
                {"{}", {{7, 11, 13}, {7, 13, 3}}},
                {"{}", {{5, 1, 17, 2}, {3, 2, 19}}},
                {"{}", {{67, 131}, {131, 71}}}};
    if (spec.name == "reshape")
        return {{"{\"shape\": [-1, 3]}", {{2, 7, 5, 3}}},
                {"{\"shape\": [0, -1]}", {{3, 11, 13, 7}}},
                {"{\"shape\": [323]}", {{17, 19}}},
                {"{\"shape\": [71, -1]}", {{65, 67, 71}}}};
    std::vector<CheckCase> cases{
        {"{}", {{2, 7, 5, 3}}}, {"{}", {{3, 11, 13, 7}}}, {"{}", {{17, 19}}}, {"{}", {{65, 67, 71}}}};
    for (CheckCase& c : cases)
        for (const PortSpec& p : spec.ports)
            if (p.role == PortRole::Second)
                c.activations.push_back(spec.weightShape || p.name == "bias" ? Shape{c.activations[0].last()}
                                                                             : c.activations[0]);
    return cases;
}

} // namespace engine
