// The card of a coercion dot: from → to and place, the bits with the lost ones dropped, what was measured, who decided
// it, and what can be done. Opens beside an anchor, stays while the pointer is on it, a click pins it, Escape closes.
#pragma once

#include "ui/panels/floating_card.h"

class QPushButton;
class QVBoxLayout;

namespace ui {

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

class CastCard : public FloatingCard {
    Q_OBJECT

public:
    CastCard(const PanelContext& context, QWidget* parent);
    // Global coordinates. `anchor`: the dot; `avoid`: the node that the card must not cover.
    void hover(engine::NodeId node, const std::string& port, const QRect& anchor, const QRect& avoid); // after 250 ms
    void open(engine::NodeId node, const std::string& port, const QRect& anchor, const QRect& avoid);  // now, pinned
    const CastFacts& facts() const { return m_facts; }
    QList<QPushButton*> actButtons() const { return m_acts; }

protected:
    void takeWaiting() override { m_target = m_waiting; }
    QWidget* makeContent() override;

private:
    struct Target {
        engine::NodeId node;
        std::string port;
        bool operator==(const Target&) const = default;
    };
    void addHead(QVBoxLayout* column, QWidget* made);
    void addMeasures(QVBoxLayout* column, QWidget* made);
    void addActs(QVBoxLayout* column, QWidget* made);
    void refresh(); // keeps what is shown, and the focus in it, while nothing changes
    Target m_target, m_waiting;
    CastFacts m_facts;
    QList<QPushButton*> m_acts;
};

} // namespace ui
