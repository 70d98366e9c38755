// The bundled fonts, and the fonts of the window: sizes in pixels, never hinted.
#include "ui/style/theme.h"

#include "ui/style/tokens_table.h"

#include <QFontDatabase>
#include <QGuiApplication>

// Q_INIT_RESOURCE must stand outside of every namespace.
static void initLookResources()
{
    Q_INIT_RESOURCE(look);
}

namespace ui {

namespace {

template <std::size_t N> QStringList families(const std::array<const char*, N>& names)
{
    QStringList list;
    for (const char* name : names)
        list << QString::fromLatin1(name);
    return list;
}

QFont fontOf(const QStringList& names, int pixels, QFont::Weight weight)
{
    loadFonts();
    QFont font;
    font.setFamilies(names);
    font.setPixelSize(pixels);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

} // namespace

void loadResources()
{
    static const bool isDone = [] {
        initLookResources();
        return true;
    }();
    Q_UNUSED(isDone)
}

bool loadFonts()
{
    if (!qobject_cast<QGuiApplication*>(QCoreApplication::instance()))
        return false;
    static const bool isLoaded = [] {
        loadResources();
        bool ok = true;
        for (const char* file :
             {"Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "JetBrainsMono-Medium.ttf"})
            ok &= QFontDatabase::addApplicationFont(QStringLiteral(":/mantissa/fonts/") + QLatin1String(file)) >= 0;
        return ok;
    }();
    return isLoaded;
}

QFont uiFont(int pixels, Weight weight)
{
    static const QStringList names = families(tokens::kUiFamilies);
    constexpr std::array<QFont::Weight, 3> kWeights{QFont::Normal, QFont::Medium, QFont::DemiBold};
    return fontOf(names, pixels, kWeights[static_cast<std::size_t>(weight)]);
}

QFont monoFont(int pixels)
{
    static const QStringList names = families(tokens::kMonoFamilies);
    QFont font = fontOf(names, pixels, QFont::Medium);
    font.setStyleHint(QFont::Monospace);
    // JetBrains Mono would join -> and != into one sign.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

} // namespace ui
