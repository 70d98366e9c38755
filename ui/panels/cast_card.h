// The card of a coercion dot: from → to and place, the bits with the lost ones dropped, what was measured, who decided
// it, and what can be done. Opens beside an anchor, stays while the pointer is on it, a click pins it, Escape closes.
#pragma once

#include "ui/panels/panel_context.h"

#include <QTimer>
#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace ui {

class FloatingShadow;

// What the card says, made without a widget.
struct CastFacts {
    engine::NodeId node;
    std::string port;
    engine::DType from = engine::DType::f64, to = engine::DType::f32;
    bool isImplicit = true, isMeasured = false, isStale = false;
    DotLevel level = DotLevel::Small;
    QString place;      // "cast at conv1, input"
    QString kept, lost; // "24 of 53 significand bits kept", "29 bits lost"
    QString changed, largest,
        bad;                // "46.4 % · 11 649 / 25 088", "5.91e−8 · 0.498 ULP", "0 · 0 · 0"; empty: not measured
    QString decided;        // one sentence
    QString spoken() const; // all of it, for a screen reader
    bool operator==(const CastFacts&) const = default;
};
// Nothing where this port casts nothing.
std::optional<CastFacts> castFacts(const PanelContext& context, engine::NodeId node, const std::string& port);

// Sign, exponent and significand of the source dtype; those that the target lacks stand lower, in rose.
class CastBits : public QWidget {
    Q_OBJECT

public:
    CastBits(ThemeManager& theme, QWidget* parent);
    void setCast(engine::DType from, engine::DType to);
    QSize sizeHint() const override { return {308, 18}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeManager& m_theme;
    engine::DType m_from = engine::DType::f64, m_to = engine::DType::f32;
};

class CastCard : public QWidget {
    Q_OBJECT

public:
    // A child of `parent` (the window or the canvas), above its other children; without one, a window of its own.
    CastCard(const PanelContext& context, QWidget* parent);
    // Global coordinates. `anchor`: the dot; `avoid`: the node that the card must not cover.
    void hover(engine::NodeId node, const std::string& port, const QRect& anchor, const QRect& avoid); // after 250 ms
    void open(engine::NodeId node, const std::string& port, const QRect& anchor, const QRect& avoid);  // now, pinned
    void leave();                                             // the pointer left the dot
    void moveAnchor(const QRect& anchor, const QRect& avoid); // the view scrolled
    void dismiss();
    bool isPinned() const { return m_isPinned; }
    bool isOpen() const { return isVisible(); }
    const CastFacts& facts() const { return m_facts; }
    QList<QPushButton*> actButtons() const { return m_acts; }

Q_SIGNALS:
    void opened();
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Target {
        engine::NodeId node;
        std::string port;
        QRect anchor, avoid;
    };
    bool showTarget();
    void rebuild();
    void addHead(QVBoxLayout* column);
    void addMeasures(QVBoxLayout* column);
    void addActs(QVBoxLayout* column);
    void place();
    void refresh(); // keeps what is shown, and the focus in it, while nothing changes
    PanelContext m_context;
    Target m_target, m_waiting;
    CastFacts m_facts;
    bool m_isPinned = false;
    QWidget* m_content = nullptr;
    QList<QPushButton*> m_acts;
    QTimer m_openTimer, m_closeTimer;
    FloatingShadow* m_shadow = nullptr;
};

} // namespace ui
