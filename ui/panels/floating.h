// Cards and popups that float above their window: the surface they paint themselves, and the shadow as a widget of
// its own under them that lets every mouse event through to what lies there.
#pragma once

#include "ui/style/theme.h"

#include <QLine>
#include <QWidget>

namespace ui {

inline constexpr int kShadowMargin = 40;
// Fill and border; the shadow is drawShadow of ui/style.
void paintSurface(QPainter& painter, const Theme& theme, const QRectF& card, double radius);

// Follows its owner's place, stacking and visibility; both are children of the same widget.
class FloatingShadow : public QWidget {
    Q_OBJECT

public:
    FloatingShadow(ThemeManager& theme, QWidget* owner, double radius);
    void setLeader(const QLine& line); // in the parent's coordinates; null: none

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();
    ThemeManager& m_theme;
    QWidget* m_owner;
    double m_radius;
    QLine m_leader;
};

} // namespace ui
