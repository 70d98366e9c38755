#include "ui/plots/value_motion.h"

#include <QApplication>
#include <QStyle>

#include <cmath>

namespace ui {

namespace {

constexpr int kMilliseconds = 140;

bool styleWantsMotion()
{
    return QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) > 0;
}

} // namespace

ValueMotion::ValueMotion(QObject* parent) : QObject(parent)
{
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(kMilliseconds);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, &ValueMotion::onStep);
}

void ValueMotion::setTarget(std::vector<double> target)
{
    if (target == m_target)
        return;
    const bool comparable = target.size() == m_shown.size() && !m_shown.empty();
    m_target = std::move(target);
    m_animation.stop();
    if (m_kind == Motion::Instant || !comparable || !styleWantsMotion()) {
        m_shown = m_target;
        Q_EMIT moved();
        return;
    }
    m_from = m_shown;
    m_animation.start();
}

void ValueMotion::finish()
{
    m_animation.stop();
    if (m_shown == m_target)
        return;
    m_shown = m_target;
    Q_EMIT moved();
}

void ValueMotion::onStep(const QVariant& progress)
{
    const double t = progress.toDouble();
    if (m_from.size() != m_target.size())
        return;
    for (std::size_t i = 0; i < m_target.size(); ++i)
        m_shown[i] = t >= 1 ? m_target[i] : m_from[i] + (m_target[i] - m_from[i]) * t;
    Q_EMIT moved();
}

} // namespace ui
