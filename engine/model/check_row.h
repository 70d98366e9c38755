// One row of `check`: an op, a compute pair (or mixed storage pair) and a shape, run here against the reference.
#pragma once

#include <optional>
#include <string>

namespace engine {

struct CheckRow {
    std::string op, pair, backend, shape, parameters;
    std::optional<double> maxRatio; // largest |error| over its bound; absent where it did not run
    bool ok = false;
    std::string boundKind; // "n*u*sum|ab| + n*eta/2", "exact", "4 ulp", ...
    std::string reason;    // why it did not run, or what went wrong; empty otherwise
};

} // namespace engine
