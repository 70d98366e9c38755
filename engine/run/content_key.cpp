#include "engine/run/content_key.h"

#include <xxhash.h>

namespace engine {

KeyBuilder& KeyBuilder::add(std::string_view text)
{
    add(static_cast<std::int64_t>(text.size()));
    m_bytes.append(text);
    return *this;
}

KeyBuilder& KeyBuilder::add(std::int64_t number)
{
    m_bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
}

KeyBuilder& KeyBuilder::add(const ContentKey& key)
{
    add(static_cast<std::int64_t>(key.low));
    return add(static_cast<std::int64_t>(key.high));
}

KeyBuilder& KeyBuilder::add(const Shape& shape)
{
    add(std::int64_t{shape.rank()});
    for (std::int64_t d : shape.dims())
        add(d);
    return *this;
}

ContentKey KeyBuilder::key() const
{
    return keyOfBytes({reinterpret_cast<const std::byte*>(m_bytes.data()), m_bytes.size()});
}

ContentKey keyOfBytes(std::span<const std::byte> bytes)
{
    const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
    return {h.low64, h.high64};
}

std::string kernelParamText(const Params& params)
{
    std::string text;
    for (const auto& [name, value] : params.map())
        if (!std::holds_alternative<Source>(value))
            text += name + "=" + paramToJson(value) + ";";
    return text;
}

} // namespace engine
