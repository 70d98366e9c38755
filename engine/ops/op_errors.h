// What several ops say: the shape that arrives at a port, or an error that names the port; a stopped run; no memory.
#pragma once

#include "engine/model/op_spec.h"

namespace engine {

inline Result<Shape> operandShape(std::span<const std::optional<Shape>> operands, std::size_t port,
                                  std::string_view name)
{
    if (port >= operands.size() || !operands[port])
        return Error{"port-missing", {}, "port " + std::string(name) + " has no value", "connect the port"};
    return *operands[port];
}

inline Error stoppedError()
{
    return {"stopped", {}, "the run was stopped", {}};
}

inline Error memoryError(std::string_view what)
{
    return {"memory", {}, "no memory for the result of " + std::string(what), "make the batch smaller"};
}

} // namespace engine
