// The content of a node at full detail: header, parameters, slots, footer.
#include "ui/scene/node_paint.h"

#include "ui/style/paint.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace ui {

using namespace node_size;

namespace {

class ContentPainter {
public:
    ContentPainter(QPainter& painter, const NodeFace& face, const NodeGeometry& geometry, const Theme& theme,
                   double ratio)
        : p(painter), m_face(face), m_geometry(geometry), m_theme(theme), m_ratio(ratio)
    {
    }
    void header() const
    {
        const QColor color = m_face.isMuted ? m_theme.text.tertiary : m_theme.text.primary;
        icon({kPadding, 8}, iconOfOp(m_face.op), color);
        const double end = pill(badge(right()));
        elided({kNameX, 20.5}, m_face.name, end - kNameX, uiFont(13, Weight::SemiBold), color);
    }
    void params() const
    {
        double end = right();
        if (!m_face.shape.isEmpty())
            end -= textRight({right(), 44}, m_face.shape, monoFont(11), m_theme.text.secondary) + 8;
        elided({kPadding, 44}, m_face.params, end - kPadding, uiFont(11), m_theme.text.secondary);
    }
    void columns() const
    {
        const bool hasAsked = m_face.hasAskedRow();
        for (std::size_t i = 0; i < m_face.columns.size(); ++i)
            column(m_face.columns[i], kPadding + m_geometry.columnWidth * static_cast<double>(i), hasAsked);
    }
    void hairline(double y) const
    {
        p.setPen(QPen(m_theme.line.hairline, 1));
        p.drawLine(QPointF(0.5, y + 0.5), QPointF(m_geometry.size.width() - 0.5, y + 0.5));
    }
    void footer(BarIn bar) const
    {
        const double baseline = m_geometry.footerTop + 16;
        if (m_face.isRefused || m_face.isBlocked) {
            elided({kPadding, baseline}, m_face.reason, right() - kPadding, uiFont(11, Weight::Medium),
                   m_theme.status.error);
            return;
        }
        if (bar == BarIn::Content)
            paintBar(p, barTrack(m_geometry), m_face, barFigures(m_face), m_theme);
        const bool isExact = m_face.local && *m_face.local == 0;
        textRight({right(), baseline}, m_face.figure(), monoFont(11),
                  isExact ? m_theme.text.tertiary : m_theme.text.primary);
    }

private:
    double right() const { return m_geometry.size.width() - kPadding; }
    double text(QPointF baseline, const QString& s, const QFont& font, const QColor& color) const
    {
        p.setFont(font);
        p.setPen(color);
        p.drawText(baseline, s);
        return QFontMetricsF(font).horizontalAdvance(s);
    }
    double textRight(QPointF baseline, const QString& s, const QFont& font, const QColor& color) const
    {
        const double width = QFontMetricsF(font).horizontalAdvance(s);
        return text(baseline - QPointF(width, 0), s, font, color);
    }
    void elided(QPointF baseline, const QString& s, double width, const QFont& font, const QColor& color) const
    {
        text(baseline, elideMiddle(s, font, width), font, color);
    }
    void icon(QPointF at, const QString& name, const QColor& color) const
    {
        const QPixmap pixmap = iconPixmap(name, 16, color, m_ratio);
        if (!pixmap.isNull())
            p.drawPixmap(QRectF(at, QSizeF(16, 16)), pixmap, QRectF(pixmap.rect()));
    }
    // Both return where what stands left of it ends.
    double badge(double at) const
    {
        if (m_face.castDot) {
            constexpr double kMiddle = 8;
            drawDot(p, {at - kMiddle, 16}, *m_face.castDot, m_theme, m_theme.surface.node);
            at -= kMiddle + std::max(dotRadius(*m_face.castDot), kMiddle) + kGap;
        }
        if (m_face.badge == NodeBadge::None)
            return at;
        const bool isError = m_face.badge == NodeBadge::Error, isMuted = m_face.badge == NodeBadge::Muted;
        icon({at - kBadge, 8},
             isError   ? "error"
             : isMuted ? "mute"
                       : "warning",
             isError   ? m_theme.status.error
             : isMuted ? m_theme.text.tertiary
                       : m_theme.status.warning);
        return at - kBadge - kGap;
    }
    double pill(double at) const
    {
        if (!m_face.health || m_face.isRefused || m_face.isBlocked)
            return at;
        drawHealthPill(p, {at - kPillWidth, 12, kPillWidth, kPillHeight}, *m_face.health, m_theme);
        at -= kPillWidth + kGap;
        if (const std::int64_t bad = m_face.health->inf + m_face.health->nan)
            at -= textRight({at, 20}, QString::number(bad), monoFont(11), m_theme.status.error) + kGap;
        return at;
    }
    void column(const SlotColumn& c, double x, bool hasAsked) const
    {
        text({x, kSlotsTop + 14}, c.label, uiFont(10, Weight::Medium), m_theme.text.tertiary);
        const double baseline = kSlotsTop + (hasAsked ? 43 : 29);
        if (c.asked) {
            const QString tag = m_theme.dtype(*c.asked).tag;
            const double width = text({x, kSlotsTop + 28}, tag, monoFont(10), m_theme.text.tertiary);
            drawSlotArrow(p, {x + width + 6, kSlotsTop + 24}, c.arrow != SlotArrow::Widened,
                          c.arrow == SlotArrow::Lost ? m_theme.loss.key : m_theme.text.tertiary);
        }
        if (c.ran)
            drawTag(p, {x, baseline}, *c.ran, m_theme);
        else
            text({x, baseline}, QString(QChar(0x2013)), monoFont(11), m_theme.text.tertiary);
    }

    QPainter& p;
    const NodeFace& m_face;
    const NodeGeometry& m_geometry;
    const Theme& m_theme;
    double m_ratio;
};

} // namespace

void paintContent(QPainter& painter, const NodeFace& face, const NodeGeometry& geometry, BarIn bar, const Theme& theme,
                  double ratio)
{
    const ContentPainter content(painter, face, geometry, theme, ratio);
    content.header();
    content.params();
    content.hairline(kSlotsTop);
    content.columns();
    content.hairline(geometry.footerTop);
    content.footer(bar);
}

} // namespace ui
