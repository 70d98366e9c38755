// The look: every colour and size of tokens.json as typed values, for the theme in force. The only place where a
// colour comes from. GUI thread only.
#pragma once

#include "engine/model/dtype.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QPen>

#include <array>
#include <optional>

namespace ui {

enum class ThemeChoice : std::uint8_t { System, Light, Dark };

struct DTypeStyle {
    QString tag;        // "f64"
    double width = 3;   // of the wire, px at 1x
    double core = 0;    // inner line in the canvas colour (float64), 0: none
    QList<double> dash; // px at 1x, empty: solid
    bool roundCap = false;
    QColor line, text, onLine;
    int significand = 0;
    QPen pen(double scale = 1) const; // wire pen, dashes already divided by the width
};

struct Theme {
    bool isDark = true;
    struct {
        QColor window, panel, raised, sunken, canvas, node, overlay, hover, selected;
    } surface;
    struct {
        QColor primary, secondary, tertiary, disabled, inverse;
    } text;
    struct {
        QColor hairline, strong, node;
    } line;
    struct {
        QColor fill, on, hover, pressed;
    } ink;
    struct {
        QColor ring, band, focus, textBackground;
    } selection;
    struct {
        QColor error, warning, ok, info, errorBackground, warningBackground, okBackground;
    } status;
    struct {
        QColor dot, major;
        int spacing = 24, majorEvery = 5;
    } grid;
    struct {
        std::array<QColor, 9> ramp;
        QColor key, large, overflow;
    } loss;
    std::array<QColor, 5> stage; // in the order of engine::Stage
    struct {
        QColor normal, subnormal, zero, inf, nan;
    } health;
    struct Shadow {
        double dx = 0, dy = 0, blur = 0;
        QColor color;
    } nodeShadow, selectedShadow, popupShadow;
    struct {
        QColor background, area, grid, axis, label, title, bound, referenceLine, hoverRule, histogram;
        double staleOpacity = 0.45;
    } plot;
    DTypeStyle dtype(engine::DType d) const;
    // The ramp at an error (log scale 1e-17 .. 1); not for exact zeros.
    QColor lossAt(double error) const;
};

// Where an error stands on the one scale of the canvas, 0 (1e-17 and less, exact) to 1 (1 and more, not finite).
double errorPosition(double error);

const Theme& darkTheme();
const Theme& lightTheme();

// resources/style.qss.in with every token filled in.
QString filledStyleSheet(const Theme& theme);

// The theme in force; widgets and scenes repaint on changed().
class ThemeManager : public QObject {
    Q_OBJECT

public:
    static constexpr int kGrid = 8;
    explicit ThemeManager(QObject* parent = nullptr);
    const Theme& theme() const { return *m_theme; }
    ThemeChoice choice() const { return m_choice; }
    void choose(ThemeChoice choice); // sets palette, stylesheet and fonts of the application

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the system's palette

private:
    void apply();
    void follow(bool systemIsDark);

    bool m_isApplying = false, m_isChosen = false;
    ThemeChoice m_choice = ThemeChoice::System;
    const Theme* m_theme;
    bool m_systemIsDark = false;
};

enum class Weight : std::uint8_t { Regular = 0, Medium, SemiBold };
QFont uiFont(int pixels, Weight weight = Weight::Regular);
QFont monoFont(int pixels);
bool loadFonts(); // bundled Inter and JetBrains Mono; false: system fallbacks are used

// Registers the resources of the static library under :/mantissa; every function here that needs them calls it.
void loadResources();

// An icon of resources/icons by name ("conv2d", "undo"), rendered per device ratio in a colour.
QPixmap iconPixmap(const QString& name, int size, const QColor& color, double ratio);
QIcon icon(const QString& name, const Theme& theme);
QIcon applicationIcon();
// Icon name of an op; a generic one for ops without their own.
QString iconOfOp(const QString& op);

// Coercion dot levels (look, section 5).
enum class DotLevel : std::uint8_t { Exact, Small, Medium, Large, Overflow };
double dotRadius(DotLevel level);

} // namespace ui
