// Rendered pieces of the canvas, keyed by content, scale and device ratio, so that a frame is blits: node bodies with
// their shadow, node contents, names, ports and dots. Emptied when the theme changes. GUI thread only.
#pragma once

#include <QCache>
#include <QPixmap>

#include <functional>

class QPainter;

namespace ui {

struct PixmapKey {
    int kind = 0;
    std::size_t content = 0;
    int width = 0, height = 0; // device pixels
    int scale = 0;             // thousandths
    bool operator==(const PixmapKey&) const = default;
};
std::size_t qHash(const PixmapKey& key, std::size_t seed = 0) noexcept;

class PixmapStore {
public:
    PixmapStore() : m_cache(qsizetype{kMebibytes} * 1024) {}
    // A transparent pixmap of a size in device-independent pixels at `ratio`, painted once.
    QPixmap get(const PixmapKey& key, QSizeF size, double ratio, const std::function<void(QPainter&)>& paint);
    bool has(const PixmapKey& key) const { return m_cache.contains(key); }
    void clear() { m_cache.clear(); }

private:
    static constexpr int kMebibytes = 160;
    QCache<PixmapKey, QPixmap> m_cache; // cost in KiB
};

} // namespace ui
