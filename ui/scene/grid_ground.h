// The ground of the canvas: its colour and the dots of the grid, kept as one opaque pixmap per zoom and size, so that
// panning is one blit. Look, section 4.
#pragma once

#include "ui/style/theme.h"

#include <QPixmap>

namespace ui {

class GridGround {
public:
    // Fills `view` (device-independent pixels of the viewport); `origin`: where the scene's (0, 0) is in it.
    void paint(QPainter& painter, QSize view, QPointF origin, double zoom, const Theme& theme);

private:
    void render(QSize view, double zoom, double ratio, const Theme& theme);
    QPixmap m_pixmap;
    QSize m_view;
    double m_zoom = 0, m_ratio = 0;
    QRgb m_color = 0;
};

} // namespace ui
