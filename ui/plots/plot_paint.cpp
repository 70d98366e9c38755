#include "ui/plots/plot_paint.h"

#include "ui/style/dot_level.h"

#include <QFontMetricsF>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kTimesGap = 5;

} // namespace

void drawText(QPainter& painter, QPointF baseline, const QString& text, const QFont& font, const QColor& color,
              Qt::Alignment alignment)
{
    painter.setFont(font);
    painter.setPen(color);
    const double width = alignment & Qt::AlignLeft ? 0 : textWidth(text, font);
    const double shift = alignment & Qt::AlignRight ? width : alignment & Qt::AlignHCenter ? width / 2 : 0;
    painter.drawText(QPointF(baseline.x() - shift, baseline.y()), text);
}

void drawParagraph(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& color)
{
    constexpr double kLine = 14;
    QTextLayout layout(text, font);
    const int lines = std::max(1, static_cast<int>(rect.height() / kLine));
    painter.setFont(font);
    painter.setPen(color);
    layout.beginLayout();
    for (int i = 0; i < lines; ++i) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(rect.width());
        QString part = text.mid(line.textStart(), line.textLength()).trimmed();
        if (i == lines - 1 && line.textStart() + line.textLength() < text.size())
            part = QFontMetricsF(font).elidedText(text.mid(line.textStart()), Qt::ElideRight, rect.width());
        painter.drawText(QPointF(rect.left(), rect.top() + kLine * i + 11), part);
    }
    layout.endLayout();
}

double textWidth(const QString& text, const QFont& font)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

double drawComboTag(QPainter& painter, QPointF at, const engine::Combo& combo, const Theme& theme)
{
    const QFont times = uiFont(11);
    double x = at.x() + drawTag(painter, at, combo.input, theme) + kTimesGap;
    drawText(painter, {x, at.y()}, QStringLiteral("×"), times, theme.text.tertiary);
    x += textWidth(QStringLiteral("×"), times) + kTimesGap;
    x += drawTag(painter, {x, at.y()}, combo.weight, theme);
    return x - at.x();
}

double comboTagWidth(const engine::Combo& combo)
{
    return tagWidth(combo.input) + tagWidth(combo.weight) + textWidth(QStringLiteral("×"), uiFont(11)) + 2 * kTimesGap;
}

QString comboWords(const engine::Combo& combo)
{
    return QString::fromUtf8(engine::dtypeName(combo.input).data()) + QStringLiteral(" × ") +
           QString::fromUtf8(engine::dtypeName(combo.weight).data());
}

std::optional<DotLevel> worstCast(const engine::RunResult& run)
{
    std::optional<DotLevel> worst;
    for (const engine::NodeResult& node : run.nodes)
        for (const engine::CastReport& cast : node.casts) {
            if (!cast.implicit)
                continue;
            const DotLevel level = dotLevel(cast);
            worst = std::max(worst.value_or(level), level);
        }
    return worst;
}

void drawBurst(QPainter& painter, QPointF center, double radius, const QColor& ground, const Theme& theme)
{
    drawDot(painter, center, DotLevel::Overflow, theme, ground, radius / dotRadius(DotLevel::Overflow));
}

void drawOctagon(QPainter& painter, const QRectF& rect, const QColor& color)
{
    painter.save();
    painter.translate(rect.topLeft());
    painter.scale(rect.width() / 16, rect.height() / 16);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(QPolygonF(QList<QPointF>{{5.4, 1.75},
                                                 {10.6, 1.75},
                                                 {14.25, 5.4},
                                                 {14.25, 10.6},
                                                 {10.6, 14.25},
                                                 {5.4, 14.25},
                                                 {1.75, 10.6},
                                                 {1.75, 5.4}}));
    painter.drawLine(QPointF(8, 4.8), QPointF(8, 8.4));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(8, 10.9), 0.95, 0.95);
    painter.restore();
}

void drawHorizontal(QPainter& painter, double x1, double x2, double y, const QColor& color)
{
    painter.fillRect(QRectF(QPointF(x1, std::round(y)), QPointF(x2, std::round(y) + 1)), color);
}

void drawVertical(QPainter& painter, double x, double y1, double y2, const QColor& color)
{
    painter.fillRect(QRectF(QPointF(std::round(x), y1), QPointF(std::round(x) + 1, y2)), color);
}

QRectF drawValueBox(QPainter& painter, QPointF anchor, const QStringList& lines, const QRectF& bounds,
                    const Theme& theme)
{
    if (lines.isEmpty())
        return {};
    const QFont first = uiFont(11, Weight::SemiBold), rest = monoFont(10);
    double width = 0;
    for (qsizetype i = 0; i < lines.size(); ++i)
        width = std::max(width, textWidth(lines[i], i == 0 && lines.size() > 1 ? first : rest));
    constexpr double kLine = 14, kPad = 7;
    QRectF box(0, 0, width + 2 * kPad, kLine * static_cast<double>(lines.size()) + 6);
    box.moveTopLeft(anchor + QPointF(10, -box.height() / 2));
    if (box.right() > bounds.right())
        box.moveRight(anchor.x() - 10);
    box.moveLeft(std::max(box.left(), bounds.left()));
    box.moveTop(std::clamp(box.top(), bounds.top(), std::max(bounds.top(), bounds.bottom() - box.height())));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.line.strong, 1));
    painter.setBrush(theme.surface.overlay);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const bool strong = i == 0 && lines.size() > 1;
        drawText(painter, {box.left() + kPad, box.top() + 3 + kLine * static_cast<double>(i) + 10.5}, lines[i],
                 strong ? first : rest, theme.text.primary);
    }
    painter.restore();
    return box;
}

void drawBlank(QPainter& painter, const QRectF& rect, const QString& iconName, const QString& title,
               const QString& sentence, const Theme& theme)
{
    const double width = std::min(rect.width() - 24, 260.0);
    QRectF text(rect.center().x() - width / 2, 0, width, rect.height());
    const QFont strong = uiFont(12, Weight::SemiBold), plain = uiFont(11);
    const double sentenceHeight =
        QFontMetricsF(plain).boundingRect(text, Qt::AlignHCenter | Qt::TextWordWrap, sentence).height();
    double y = std::max(rect.top() + 8, rect.center().y() - (16 + 10 + 18 + 4 + sentenceHeight) / 2);
    const QPixmap pixmap = iconPixmap(iconName, 16, theme.text.secondary, painter.device()->devicePixelRatioF());
    painter.drawPixmap(QPointF(rect.center().x() - 8, y), pixmap);
    y += 16 + 10;
    painter.setFont(strong);
    painter.setPen(theme.text.primary);
    painter.drawText(QRectF(text.left(), y, width, 18), Qt::AlignHCenter | Qt::AlignVCenter, title);
    painter.setFont(plain);
    painter.setPen(theme.text.secondary);
    painter.drawText(QRectF(text.left(), y + 22, width, sentenceHeight + 4), Qt::AlignHCenter | Qt::TextWordWrap,
                     sentence);
}

QString grouped(std::int64_t count)
{
    QString digits = QString::number(count);
    for (qsizetype i = digits.size() - 3; i > (count < 0 ? 1 : 0); i -= 3)
        digits.insert(i, QChar(0x202F));
    return count < 0 ? QChar(0x2212) + digits.mid(1) : digits;
}

QString percent(double share, int decimals)
{
    QString number = QString::number(std::abs(share) * 100, 'f', decimals);
    const bool isZero = number.toDouble() == 0;
    return (share < 0 && !isZero ? QStringLiteral("−") : QString()) + number + QStringLiteral(" %");
}

QString counted(std::int64_t count, const QString& one, const QString& many)
{
    return grouped(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

} // namespace ui
