#include "ui/panels/cast_card.h"

#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr double kPitch = 4.5, kBar = 3.5, kGap = 3;

} // namespace

CastBits::CastBits(ThemeManager& theme, QWidget* parent) : QWidget(parent), m_theme(theme)
{
    setFixedSize(sizeHint());
    connect(&theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void CastBits::setCast(engine::DType from, engine::DType to)
{
    m_from = from;
    m_to = to;
    update();
}

void CastBits::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_theme.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    double x = 0;
    const auto bars = [&](int count, double top, double height, const QColor& color) {
        painter.setBrush(color);
        for (int i = 0; i < count; ++i, x += kPitch)
            painter.drawRoundedRect(QRectF(x, top, kBar, height), 1, 1);
        if (count > 0)
            x += kGap;
    };
    const QColor source = theme.dtype(m_from).line, target = theme.dtype(m_to).line;
    const engine::DTypeFacts& from = engine::facts(m_from);
    const engine::DTypeFacts& to = engine::facts(m_to);
    if (!engine::isFloat(m_from)) { // integers: what the target's significand or width holds
        const int bits = m_from == engine::DType::boolean ? 1 : 8 * from.bytes;
        const int holds = engine::isFloat(m_to) ? to.fractionBits + 1 : 8 * to.bytes;
        const int lost = std::max(0, bits - holds);
        bars(bits - lost, 0, 12, target);
        bars(lost, 5, 12, theme.loss.key);
        return;
    }
    const int kept = engine::isFloat(m_to) ? std::min(from.fractionBits, to.fractionBits)
                                           : std::min(from.fractionBits, 8 * to.bytes);
    bars(1, 0, 12, source);
    bars(from.exponentBits, 6, 6, theme.text.tertiary);
    bars(kept, 0, 12, target);
    bars(from.fractionBits - kept, 5, 12, theme.loss.key);
}

} // namespace ui
