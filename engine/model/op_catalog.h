// All op records, by name. Made once by engine/ops, handed to whoever needs it.
#pragma once

#include "engine/model/op_spec.h"

namespace engine {

class OpCatalog {
public:
    explicit OpCatalog(std::span<const OpSpec* const> specs) : m_specs(specs) {}
    std::span<const OpSpec* const> all() const { return m_specs; }
    const OpSpec* find(std::string_view name) const
    {
        for (const OpSpec* s : m_specs)
            if (s->name == name)
                return s;
        return nullptr;
    }

private:
    std::span<const OpSpec* const> m_specs;
};

} // namespace engine
