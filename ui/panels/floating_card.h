// A card that explains something on the canvas: opens beside an anchor after the pointer has rested there, at once on
// a click, never over what it explains, with a leader to its anchor. It stays while the pointer is on it; a click pins
// it, Escape closes it. What it says is its subclass's.
#pragma once

#include "ui/panels/panel_context.h"

#include <QTimer>
#include <QWidget>

namespace ui {

class FloatingShadow;

class FloatingCard : public QWidget {
    Q_OBJECT

public:
    void leave();                                             // the pointer left the anchor
    void moveAnchor(const QRect& anchor, const QRect& avoid); // the view scrolled
    void dismiss();
    void setKeepClear(const QWidget* other) { m_keepClear = other; } // not over it, if the anchor lets it
    void setFocusAfter(QWidget* widget) { m_focusAfter = widget; }   // has the focus when this closes with it
    void setArea(const QWidget* area) { m_area = area; }             // where it lies if there is room: the canvas
    bool isPinned() const { return m_isPinned; }
    bool isOpen() const { return isVisible(); }

Q_SIGNALS:
    void opened();
    void dismissed();

protected:
    static constexpr int kPad = 14;
    // A child of `parent` (the window or the canvas), above its other children; without one, a window of its own.
    FloatingCard(const PanelContext& context, QWidget* parent, int width);
    // Global coordinates. `anchor`: what it speaks of; `avoid`: the node that the card must not cover.
    void hoverAt(const QRect& anchor, const QRect& avoid); // after 250 ms: takeWaiting(), then shown
    void stay() { m_closeTimer.stop(); }
    bool openAt(const QRect& anchor, const QRect& avoid); // now, pinned, with the focus
    bool showNow();                                       // made anew; closes where there is nothing to say
    virtual void takeWaiting() = 0;                       // what was hovered becomes the target
    virtual QWidget* makeContent() = 0;                   // with a layout; null: nothing to say
    QWidget* content() const { return m_content; }
    const PanelContext m_context;

    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Place {
        QRect anchor, avoid;
    };
    void setContent(QWidget* content);
    void place();
    QRect toLocal(const QRect& global) const;
    QList<QRect> areas(const QRect& anchor) const;
    QPoint spotFor(const QRect& anchor, const QRect& avoid) const;
    Place m_at, m_waitingAt;
    int m_width;
    bool m_isPinned = false;
    QWidget* m_focusAfter = nullptr;
    const QWidget *m_area = nullptr, *m_keepClear = nullptr;
    QWidget* m_content = nullptr;
    QTimer m_openTimer, m_closeTimer;
    FloatingShadow* m_shadow = nullptr;
};

} // namespace ui
