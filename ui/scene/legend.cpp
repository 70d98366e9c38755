#include "ui/scene/legend.h"

#include "ui/scene/node_words.h"
#include "ui/style/paint.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kMargin = 16, kPadding = 10, kTitle = 24, kRow = 18, kWidth = 176, kDotsRow = 20;

QString levelText(DotLevel level)
{
    switch (level) {
    case DotLevel::Exact:
        return Legend::tr("exact");
    case DotLevel::Small:
        return Legend::tr("≥ 20 bits");
    case DotLevel::Medium:
        return Legend::tr("8–19 bits");
    case DotLevel::Large:
        return Legend::tr("< 8 bits");
    case DotLevel::Overflow:
        break;
    }
    return Legend::tr("overflow");
}

} // namespace

Legend::Legend(GraphScene& scene, QWidget* parent) : QWidget(parent), m_scene(scene)
{
    setAccessibleName(tr("Legend"));
    setCursor(Qt::ArrowCursor);
    connect(&scene, &GraphScene::mirrored, this, &Legend::read);
    connect(&scene.context().themes, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
    read();
}

void Legend::read()
{
    std::set<engine::DType> dtypes;
    std::set<DotLevel> levels;
    for (const auto& [key, edge] : m_scene.edges()) {
        if (edge->dtype())
            dtypes.insert(*edge->dtype());
        if (edge->cast()) {
            dtypes.insert(edge->cast()->to);
            levels.insert(edge->cast()->level);
        }
    }
    for (const auto& [id, node] : m_scene.nodes()) {
        for (const SlotColumn& column : node->face().columns)
            if (column.ran)
                dtypes.insert(*column.ran);
        if (node->face().castDot)
            levels.insert(*node->face().castDot);
    }
    std::vector<engine::DType> newDTypes(dtypes.begin(), dtypes.end());
    std::vector<DotLevel> newLevels(levels.begin(), levels.end());
    if (newDTypes == m_dtypes && newLevels == m_levels)
        return;
    m_dtypes = std::move(newDTypes);
    m_levels = std::move(newLevels);
    QStringList words;
    for (const engine::DType d : m_dtypes)
        words << latin(engine::dtypeName(d));
    for (const DotLevel level : m_levels)
        words << levelText(level);
    setAccessibleDescription(words.join(", "));
    place();
    update();
}

void Legend::fold(bool isFolded)
{
    m_isFolded = isFolded;
    place();
    update();
}

double Legend::dotsWidth() const
{
    double width = 2 * kPadding;
    const QFontMetricsF metrics(uiFont(10));
    for (const DotLevel level : m_levels)
        width += 2 * dotRadius(level) + 6 + metrics.horizontalAdvance(levelText(level)) + 12;
    return width - 12;
}

QSize Legend::sizeHint() const
{
    const int title = static_cast<int>(QFontMetricsF(uiFont(11, Weight::Medium)).horizontalAdvance(tr("Legend")));
    if (m_isFolded)
        return {title + 2 * kPadding + 24, kTitle + 4};
    const int rows = static_cast<int>(m_dtypes.size()) * kRow;
    const int dots = m_levels.empty() ? 0 : kDotsRow;
    return {std::max(kWidth, static_cast<int>(std::ceil(dotsWidth()))), kTitle + rows + dots + 10};
}

void Legend::place()
{
    setVisible(!m_dtypes.empty());
    const QSize size = sizeHint();
    setGeometry(kMargin, parentWidget()->height() - size.height() - kMargin, size.width(), size.height());
}

void Legend::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && event->position().y() < kTitle + 4)
        fold(!m_isFolded);
    event->accept();
}

void Legend::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = m_scene.context().theme();
    p.setPen(QPen(theme.line.hairline, 1));
    p.setBrush(theme.surface.panel);
    p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    p.setFont(uiFont(11, Weight::Medium));
    p.setPen(theme.text.secondary);
    p.drawText(QPointF(kPadding, 18), tr("Legend"));
    const QPixmap chevron =
        iconPixmap(m_isFolded ? "chevron_right" : "chevron_down", 12, theme.text.tertiary, devicePixelRatioF());
    p.drawPixmap(QPointF(width() - kPadding - 12, 7), chevron);
    if (m_isFolded)
        return;
    double y = kTitle + 8;
    for (const engine::DType dtype : m_dtypes) {
        QPainterPath line({kPadding, y});
        line.lineTo(kPadding + 40, y);
        drawWire(p, line, dtype, theme, {.ground = theme.surface.panel});
        p.setFont(monoFont(11));
        p.setPen(theme.dtype(dtype).text);
        p.drawText(QPointF(kPadding + 50, y + 4), theme.dtype(dtype).tag);
        p.setFont(uiFont(10));
        p.setPen(theme.text.tertiary);
        const QString name = latin(engine::dtypeName(dtype));
        p.drawText(QPointF(width() - kPadding - QFontMetricsF(uiFont(10)).horizontalAdvance(name), y + 4), name);
        y += kRow;
    }
    double x = kPadding;
    for (const DotLevel level : m_levels) {
        const double r = dotRadius(level);
        drawDot(p, {x + r, y + 2}, level, theme, theme.surface.panel);
        p.setFont(uiFont(10));
        p.setPen(theme.text.tertiary);
        const QString text = levelText(level);
        p.drawText(QPointF(x + 2 * r + 6, y + 6), text);
        x += 2 * r + 6 + QFontMetricsF(uiFont(10)).horizontalAdvance(text) + 12;
    }
}

} // namespace ui
