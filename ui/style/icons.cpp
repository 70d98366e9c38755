// Icons: SVG files of one tone, coloured by replacing currentColor (Qt does not resolve it), rendered per device
// ratio. An icon has three states: secondary, primary when active or checked, disabled.
#include "ui/style/theme.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>

namespace ui {

namespace {

QByteArray readIcon(const QString& name)
{
    loadResources();
    QFile file(QStringLiteral(":/mantissa/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPixmap rendered(const QByteArray& svg, int size, double ratio, double opacity)
{
    const int pixels = std::max(1, static_cast<int>(std::lround(size * ratio)));
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(svg);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(opacity);
    renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

class ThemedIconEngine : public QIconEngine {
public:
    ThemedIconEngine(const QString& name, const QColor& normal, const QColor& active, const QColor& disabled)
        : m_name(name), m_normal(normal), m_active(active), m_disabled(disabled)
    {
    }
    QIconEngine* clone() const override { return new ThemedIconEngine(*this); }
    bool isNull() override { return readIcon(m_name).isEmpty(); }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1);
    }
    // `size` counts device pixels.
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        const int side = std::min(size.width(), size.height());
        QPixmap pixmap = iconPixmap(m_name, side, colorOf(mode, state), 1);
        pixmap.setDevicePixelRatio(scale);
        return pixmap;
    }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double ratio = painter->device()->devicePixelRatio();
        const int side = std::min(rect.width(), rect.height());
        const QRect square(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side);
        painter->drawPixmap(square, iconPixmap(m_name, side, colorOf(mode, state), ratio));
    }

private:
    QColor colorOf(QIcon::Mode mode, QIcon::State state) const
    {
        if (mode == QIcon::Disabled)
            return m_disabled;
        return mode == QIcon::Normal && state == QIcon::Off ? m_normal : m_active;
    }

    QString m_name;
    QColor m_normal, m_active, m_disabled;
};

} // namespace

QPixmap iconPixmap(const QString& name, int size, const QColor& color, double ratio)
{
    const QString key = QStringLiteral("mantissa/%1/%2/%3/%4").arg(name).arg(size).arg(color.rgba()).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QByteArray svg = readIcon(name);
    if (svg.isEmpty())
        return {};
    svg.replace("currentColor", color.name().toLatin1());
    pixmap = rendered(svg, size, ratio, color.alphaF());
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon icon(const QString& name, const Theme& theme)
{
    return QIcon(new ThemedIconEngine(name, theme.text.secondary, theme.text.primary, theme.text.disabled));
}

QIcon applicationIcon()
{
    constexpr int kLargestSmall = 32; // above, the drawing with the grid
    QIcon result;
    for (int size : {16, 24, 32, 48, 64, 128, 256})
        result.addPixmap(rendered(
            readIcon(QLatin1String(size <= kLargestSmall ? "app/mantissa-small" : "app/mantissa")), size, 1, 1));
    return result;
}

QString iconOfOp(const QString& op)
{
    static const QHash<QString, QString> kOther{
        {"bias_add", "plus"},
        {"leaky_relu", "relu"},
        {"relu6", "relu"},
        {"elu", "activation"},
        {"selu", "activation"},
        {"gelu", "activation"},
        {"sigmoid", "activation"},
        {"tanh", "activation"},
        {"softplus", "activation"},
        {"max_pooling2d", "pool_max"},
        {"average_pooling2d", "pool_avg"},
        {"batch_normalization", "batchnorm"},
        {"identity", "chevron_right"},
    };
    if (const auto found = kOther.constFind(op); found != kOther.constEnd())
        return *found;
    loadResources();
    return QFile::exists(QStringLiteral(":/mantissa/icons/%1.svg").arg(op)) ? op : QStringLiteral("tensor");
}

} // namespace ui
