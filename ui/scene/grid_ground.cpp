#include "ui/scene/grid_ground.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kFullFrom = 0.4, kGoneBelow = 0.25;

} // namespace

void GridGround::render(QSize view, double zoom, double ratio, const Theme& theme)
{
    const double period = theme.grid.spacing * theme.grid.majorEvery * zoom;
    const QSizeF size = QSizeF(view) + QSizeF(period, period);
    m_pixmap = QPixmap((size * ratio).toSize() + QSize(1, 1));
    m_pixmap.setDevicePixelRatio(ratio);
    m_pixmap.fill(theme.surface.canvas);
    const double opacity = std::clamp((zoom - kGoneBelow) / (kFullFrom - kGoneBelow), 0.0, 1.0);
    if (opacity <= 0)
        return;
    const auto dot = [&](const QColor& color) {
        QPixmap pm(QSize(1, 1) * static_cast<int>(std::ceil(4 * ratio)));
        pm.fill(Qt::transparent);
        pm.setDevicePixelRatio(ratio);
        QPainter q(&pm);
        q.setRenderHint(QPainter::Antialiasing);
        q.setPen(Qt::NoPen);
        q.setBrush(color);
        q.drawEllipse(QPointF(2, 2), 1, 1);
        return pm;
    };
    const QPixmap small = dot(theme.grid.dot), major = dot(theme.grid.major);
    QPainter p(&m_pixmap);
    p.setOpacity(opacity);
    const double step = theme.grid.spacing * zoom;
    for (int j = 0; j * step < size.height(); ++j)
        for (int i = 0; i * step < size.width(); ++i) {
            const bool isMajor = i % theme.grid.majorEvery == 0 && j % theme.grid.majorEvery == 0;
            p.drawPixmap(QPointF(std::round((i * step - 2) * ratio), std::round((j * step - 2) * ratio)) / ratio,
                         isMajor ? major : small);
        }
}

void GridGround::paint(QPainter& painter, QSize view, QPointF origin, double zoom, const Theme& theme)
{
    const double ratio = painter.device()->devicePixelRatioF();
    if (view != m_view || zoom != m_zoom || ratio != m_ratio || theme.surface.canvas.rgb() != m_color) {
        m_view = view;
        m_zoom = zoom;
        m_ratio = ratio;
        m_color = theme.surface.canvas.rgb();
        render(view, zoom, ratio, theme);
    }
    const double period = theme.grid.spacing * theme.grid.majorEvery * zoom;
    const auto before = [&](double at) {
        const double rest = std::fmod(at, period);
        return std::round((rest > 0 ? rest - period : rest) * ratio) / ratio;
    };
    painter.drawPixmap(QPointF(before(origin.x()), before(origin.y())), m_pixmap);
}

} // namespace ui
