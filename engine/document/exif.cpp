// The one EXIF tag that changes an image's numbers: orientation (Exif 2.3, 4.6.4). Any doubt means upright.
#include "engine/document/array_readers.h"

#include <string_view>

namespace engine {

namespace {

// Bounded reads of a TIFF structure in either byte order.
class TiffReader {
public:
    TiffReader(ByteSpan bytes, bool isBigEndian) : m_bytes(bytes), m_isBigEndian(isBigEndian) {}
    std::optional<std::uint32_t> number(std::size_t at, std::size_t size) const
    {
        if (at > m_bytes.size() || size > m_bytes.size() - at)
            return std::nullopt;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value = value << 8 | std::to_integer<std::uint32_t>(m_bytes[at + (m_isBigEndian ? i : size - 1 - i)]);
        return value;
    }

private:
    ByteSpan m_bytes;
    bool m_isBigEndian;
};

} // namespace

int exifOrientation(ByteSpan app1)
{
    constexpr std::string_view kIntro("Exif\0\0", 6);
    constexpr std::uint32_t kOrientation = 0x0112, kShort = 3;
    const std::string_view text(reinterpret_cast<const char*>(app1.data()), app1.size());
    if (!text.starts_with(kIntro))
        return 1;
    const std::string_view order = text.substr(kIntro.size()).substr(0, 2);
    if (order != "MM" && order != "II")
        return 1;
    const TiffReader tiff(app1.subspan(kIntro.size()), order == "MM");
    if (tiff.number(2, 2) != 42U)
        return 1;
    const std::size_t directory = tiff.number(4, 4).value_or(0);
    const std::uint32_t count = tiff.number(directory, 2).value_or(0);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t entry = directory + 2 + std::size_t{12} * i;
        if (tiff.number(entry, 2) != kOrientation)
            continue;
        const std::uint32_t value = tiff.number(entry + 8, 2).value_or(1);
        return tiff.number(entry + 2, 2) == kShort && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

} // namespace engine
