// Numbers that move to new values in 140 ms and can be interrupted (look, section 9). A change in how many there are
// is shown at once, and so is everything where the style or the user wants no motion.
#pragma once

#include <QObject>
#include <QVariantAnimation>

#include <vector>

namespace ui {

enum class Motion : std::uint8_t { Animated, Instant };

class ValueMotion : public QObject {
    Q_OBJECT

public:
    explicit ValueMotion(QObject* parent = nullptr);
    void setMotion(Motion motion) { m_kind = motion; }
    void setTarget(std::vector<double> target);
    void finish(); // shows the target now
    const std::vector<double>& shown() const { return m_shown; }
    const std::vector<double>& target() const { return m_target; }

Q_SIGNALS:
    void moved();

private:
    void onStep(const QVariant& progress);
    Motion m_kind = Motion::Animated;
    std::vector<double> m_from, m_shown, m_target;
    QVariantAnimation m_animation;
};

} // namespace ui
