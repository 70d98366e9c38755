// Shadows: one blurred nine-patch per shadow, radius and scale, made once. What lies under the body is not drawn.
#include "ui/style/paint.h"

#include "ui/style/tokens_table.h"

#include <QPainter>
#include <QPixmapCache>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ui {

namespace {

std::vector<float> gaussian(double sigma, int reach)
{
    std::vector<float> weights;
    double sum = 0;
    for (int i = -reach; i <= reach; ++i)
        sum += std::exp(-i * i / (2 * sigma * sigma));
    for (int i = -reach; i <= reach; ++i)
        weights.push_back(static_cast<float>(std::exp(-i * i / (2 * sigma * sigma)) / sum));
    return weights;
}

// One pass over the rows of a square, written as columns: twice gives a two-dimensional blur.
std::vector<float> blurredTransposed(const std::vector<float>& in, int side, const std::vector<float>& weights)
{
    const int reach = static_cast<int>(weights.size() / 2);
    std::vector<float> out(in.size());
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            float sum = 0;
            for (int k = std::max(-reach, -x); k <= std::min(reach, side - 1 - x); ++k)
                sum += weights[static_cast<std::size_t>(k + reach)] * in[static_cast<std::size_t>(y * side + x + k)];
            out[static_cast<std::size_t>(x * side + y)] = sum;
        }
    return out;
}

// A square with a corner of `corner` device px and one px between the corners.
QPixmap patch(const Theme::Shadow& shadow, double radius, double scale, int margin, int corner)
{
    const int side = 2 * corner + 1;
    QImage mask(side, side, QImage::Format_Alpha8);
    mask.fill(0);
    QPainter painter(&mask);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Qt::black);
    painter.drawRoundedRect(QRectF(margin, margin, side - 2 * margin, side - 2 * margin), radius * scale,
                            radius * scale);
    painter.end();
    std::vector<float> alpha(static_cast<std::size_t>(side * side));
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            alpha[static_cast<std::size_t>(y * side + x)] = mask.constScanLine(y)[x];
    const std::vector<float> weights = gaussian(shadow.blur / 2 * scale, margin);
    alpha = blurredTransposed(blurredTransposed(alpha, side, weights), side, weights);
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    const QColor c = shadow.color;
    for (int y = 0; y < side; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < side; ++x) {
            const float a = alpha[static_cast<std::size_t>(y * side + x)] * c.alphaF();
            line[x] = qPremultiply(qRgba(c.red(), c.green(), c.blue(), static_cast<int>(std::lround(a))));
        }
    }
    return QPixmap::fromImage(image);
}

} // namespace

void drawShadow(QPainter& painter, const QRectF& body, const Theme::Shadow& shadow, double radius)
{
    const QTransform device = painter.deviceTransform();
    if (device.type() > QTransform::TxScale || device.m11() <= 0)
        return;
    const double scale = std::clamp(std::round(device.m11() * 4) / 4, 0.25, 8.0);
    const int margin = std::max(1, static_cast<int>(std::ceil(1.5 * shadow.blur * scale))); // three sigma
    const int corner = 2 * margin + static_cast<int>(std::ceil(radius * scale));
    const QString key =
        QStringLiteral("mantissa/shadow/%1/%2/%3/%4").arg(shadow.blur).arg(shadow.color.rgba()).arg(radius).arg(scale);
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = patch(shadow, radius, scale, margin, corner);
        QPixmapCache::insert(key, pixmap);
    }
    const QRectF outer =
        device.mapRect(body.translated(shadow.dx, shadow.dy)).adjusted(-margin, -margin, margin, margin);
    // Whole device px, or the nine parts would show their seams; a small body's corners are cut, not squeezed.
    struct Part {
        double at, size, from, length;
    };
    const auto parts = [corner](double first, double last) {
        const double a = std::round(first), d = std::round(last), c = std::min<double>(corner, std::floor((d - a) / 2));
        return std::array<Part, 3>{Part{a, c, 0, c}, Part{a + c, d - a - 2 * c, static_cast<double>(corner), 1},
                                   Part{d - c, c, 2.0 * corner + 1 - c, c}};
    };
    const auto columns = parts(outer.left(), outer.right()), rows = parts(outer.top(), outer.bottom());
    const QTransform back = device.inverted();
    for (const Part& y : rows)
        for (const Part& x : columns) {
            const bool isCentre = &y == &rows[1] && &x == &columns[1];
            if (!isCentre && x.size > 0 && y.size > 0)
                painter.drawPixmap(back.mapRect(QRectF(x.at, y.at, x.size, y.size)), pixmap,
                                   QRectF(x.from, y.from, x.length, y.length));
        }
}

void drawNodeShadow(QPainter& painter, const QRectF& body, const Theme& theme, bool isRaised)
{
    drawShadow(painter, body, isRaised ? theme.selectedShadow : theme.nodeShadow, tokens::radius::kNode);
}

} // namespace ui
