#include "ui/scene/pixmap_store.h"

#include <QHash>
#include <QPainter>

#include <cmath>

namespace ui {

std::size_t qHash(const PixmapKey& key, std::size_t seed) noexcept
{
    return qHashMulti(seed, key.kind, key.content, key.width, key.height, key.scale);
}

QPixmap PixmapStore::get(const PixmapKey& key, QSizeF size, double ratio, const std::function<void(QPainter&)>& paint)
{
    if (const QPixmap* found = m_cache.object(key))
        return *found;
    const int width = std::max(1, static_cast<int>(std::ceil(size.width() * ratio)));
    const int height = std::max(1, static_cast<int>(std::ceil(size.height() * ratio)));
    auto* pixmap = new QPixmap(width, height);
    pixmap->setDevicePixelRatio(ratio);
    pixmap->fill(Qt::transparent);
    {
        QPainter painter(pixmap);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing | QPainter::SmoothPixmapTransform);
        paint(painter);
    }
    const QPixmap result = *pixmap;
    m_cache.insert(key, pixmap, std::max(1, width * height * 4 / 1024));
    return result;
}

} // namespace ui
