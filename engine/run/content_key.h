// Content keys: what a result depends on, hashed to 128 bits (XXH3). Equal keys mean equal bits.
#pragma once

#include "engine/reference/reference_run.h"

namespace engine {

class KeyBuilder {
public:
    explicit KeyBuilder(std::string_view what) { add(what); }
    KeyBuilder& add(std::string_view text);
    KeyBuilder& add(std::int64_t number);
    KeyBuilder& add(const ContentKey& key);
    KeyBuilder& add(const Shape& shape);
    ContentKey key() const;

private:
    std::string m_bytes;
};

ContentKey keyOfBytes(std::span<const std::byte> bytes);
// Parameters other than sources, as canonical text: what a kernel may depend on.
std::string kernelParamText(const Params& params);

} // namespace engine
