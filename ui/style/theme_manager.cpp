// Puts a theme in force: Fusion, the palette, the filled stylesheet, the font; and follows the system's light or
// dark. Qt 6.4 has no signal for that: the window colour of the application's palette tells.
#include "ui/style/theme.h"

#include "ui/style/tokens_table.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>

namespace ui {

namespace {

constexpr int kAppFontPixels = 12;

std::optional<QColor> tokenColor(std::string_view name, bool isDark)
{
    const auto found = std::find_if(tokens::kColors.begin(), tokens::kColors.end(),
                                    [name](const tokens::ColorToken& token) { return token.name == name; });
    if (found == tokens::kColors.end())
        return std::nullopt;
    return QColor::fromRgba(isDark ? found->dark : found->light);
}

QPalette paletteOf(bool isDark)
{
    QPalette palette;
    for (const tokens::PaletteToken& p : tokens::kPalette)
        palette.setColor(p.role, tokenColor(p.color, isDark).value_or(QColor()));
    for (const tokens::PaletteToken& p : tokens::kPaletteDisabled)
        palette.setColor(QPalette::Disabled, p.role, tokenColor(p.color, isDark).value_or(QColor()));
    return palette;
}

bool looksDark(const QPalette& palette)
{
    return palette.color(QPalette::Active, QPalette::Window).lightnessF() < 0.5F;
}

// The palette of the system, under the one that was set.
QPalette systemPalette()
{
    const QPalette set = QApplication::palette();
    QApplication::setPalette(QPalette());
    const QPalette system = QApplication::palette();
    QApplication::setPalette(set);
    return system;
}

} // namespace

QString filledStyleSheet(const Theme& theme)
{
    loadResources();
    QFile file(QStringLiteral(":/mantissa/style.qss.in"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString form = QString::fromUtf8(file.readAll());
    static const QRegularExpression hole(QStringLiteral("@([a-z_]+(?:\\.[a-z_0-9]+)*)@"));
    QString filled;
    qsizetype from = 0;
    for (auto it = hole.globalMatch(form); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        filled += QStringView(form).mid(from, match.capturedStart() - from);
        from = match.capturedEnd();
        if (match.captured(1) == QLatin1String("icons"))
            filled += QStringLiteral(":/mantissa/icons/") + QLatin1String(theme.isDark ? "dark" : "light");
        else if (const auto color = tokenColor(match.captured(1).toStdString(), theme.isDark))
            filled += color->alpha() == 255 ? color->name() : color->name(QColor::HexArgb);
        else
            qWarning("style.qss.in: no token %s", qPrintable(match.captured(1)));
    }
    filled += QStringView(form).mid(from);
    return filled;
}

ThemeManager::ThemeManager(QObject* parent) : QObject(parent), m_systemIsDark(looksDark(QApplication::palette()))
{
    m_theme = m_systemIsDark ? &darkTheme() : &lightTheme();
    qApp->installEventFilter(this);
}

void ThemeManager::choose(ThemeChoice choice)
{
    m_choice = choice;
    const bool isDark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && m_systemIsDark);
    const Theme* theme = isDark ? &darkTheme() : &lightTheme();
    const bool isNew = theme != m_theme;
    m_theme = theme;
    if (isNew || !m_isChosen)
        apply();
    m_isChosen = true;
    if (isNew)
        Q_EMIT changed();
}

void ThemeManager::apply()
{
    m_isApplying = true;
    static const char kStyled[] = "mantissaStyled";
    if (!qApp->property(kStyled).toBool()) {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        qApp->setProperty(kStyled, true);
    }
    loadFonts();
    QApplication::setPalette(paletteOf(m_theme->isDark));
    QApplication::setFont(uiFont(kAppFontPixels));
    qApp->setStyleSheet(filledStyleSheet(*m_theme));
    m_isApplying = false;
}

void ThemeManager::follow(bool systemIsDark)
{
    m_systemIsDark = systemIsDark;
    if (m_choice == ThemeChoice::System && systemIsDark != m_theme->isDark)
        choose(ThemeChoice::System);
    else if (QApplication::palette().color(QPalette::Window) != m_theme->surface.window)
        apply(); // the system's palette took the place of the theme's
}

bool ThemeManager::eventFilter(QObject* watched, QEvent* event)
{
    if (!m_isApplying && m_isChosen) {
        const QColor window = QApplication::palette().color(QPalette::Window);
        if (event->type() == QEvent::ApplicationPaletteChange && watched == qApp) {
            if (window != darkTheme().surface.window && window != lightTheme().surface.window)
                follow(looksDark(QApplication::palette()));
        } else if (event->type() == QEvent::ThemeChange) {
            m_isApplying = true;
            const bool isDark = looksDark(systemPalette());
            m_isApplying = false;
            follow(isDark);
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace ui
