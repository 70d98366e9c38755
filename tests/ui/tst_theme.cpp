// The look against tokens.json itself (not against the generated table), the theme in force, fonts and icons.
#include <QtWidgets>

#include <QtTest>

#include "engine/ops/ops.h"
#include "ui/style/theme.h"

using namespace ui;

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void colorsAreTheTokens_data();
    void colorsAreTheTokens();
    void dtypesAreTheTokens();
    void pens();
    void lossIsOnALogScale();
    void dotRadii();
    void styleSheetIsFilled();
    void managerSetsTheApplication();
    void managerFollowsTheSystem();
    void fontsAreBundled();
    void everyIconIsCompiledIn();
    void iconsAreSharpAndColoured();
    void iconStates();
    void everyOpHasAnIcon();
};

namespace {

QJsonObject tokens()
{
    QFile file(QString(MANTISSA_SOURCE_DIR) + "/resources/tokens.json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

QJsonValue at(QJsonValue value, const QString& path)
{
    for (const QString& key : path.split('.'))
        value = value.toObject()[key];
    return value;
}

QColor color(const QJsonValue& value)
{
    const QString s = value.toString();
    QColor c(s.left(7));
    if (s.size() == 9)
        c.setAlpha(s.mid(7).toInt(nullptr, 16));
    return c;
}

const Theme& themeOf(const QString& name)
{
    return name == "dark" ? darkTheme() : lightTheme();
}

// Coverage-weighted mean of a pixmap's colour.
QColor tone(const QPixmap& pixmap)
{
    const QImage image = pixmap.toImage().convertToFormat(QImage::Format_ARGB32);
    double r = 0, g = 0, b = 0, sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor c = image.pixelColor(x, y);
            const double a = c.alphaF();
            r += a * c.red();
            g += a * c.green();
            b += a * c.blue();
            sum += a;
        }
    return sum > 0 ? QColor(qRound(r / sum), qRound(g / sum), qRound(b / sum)) : QColor();
}

bool isNear(const QColor& a, const QColor& b, int by)
{
    return std::abs(a.red() - b.red()) <= by && std::abs(a.green() - b.green()) <= by &&
           std::abs(a.blue() - b.blue()) <= by;
}

} // namespace

void ThemeTest::colorsAreTheTokens_data()
{
    QTest::addColumn<QString>("theme");
    QTest::newRow("dark") << "dark";
    QTest::newRow("light") << "light";
}

void ThemeTest::colorsAreTheTokens()
{
    QFETCH(QString, theme);
    const Theme& t = themeOf(theme);
    const QJsonValue look = at(tokens(), "themes." + theme);
    const QList<QPair<QString, QColor>> expected{
        {"surface.window", t.surface.window},
        {"surface.panel", t.surface.panel},
        {"surface.raised", t.surface.raised},
        {"surface.sunken", t.surface.sunken},
        {"surface.canvas", t.surface.canvas},
        {"surface.node", t.surface.node},
        {"surface.overlay", t.surface.overlay},
        {"surface.hover", t.surface.hover},
        {"surface.selected", t.surface.selected},
        {"text.primary", t.text.primary},
        {"text.secondary", t.text.secondary},
        {"text.tertiary", t.text.tertiary},
        {"text.disabled", t.text.disabled},
        {"text.inverse", t.text.inverse},
        {"line.hairline", t.line.hairline},
        {"line.strong", t.line.strong},
        {"line.node", t.line.node},
        {"ink.fill", t.ink.fill},
        {"ink.on", t.ink.on},
        {"ink.hover", t.ink.hover},
        {"ink.pressed", t.ink.pressed},
        {"selection.ring", t.selection.ring},
        {"selection.band", t.selection.band},
        {"selection.focus", t.selection.focus},
        {"selection.text_bg", t.selection.textBackground},
        {"status.error", t.status.error},
        {"status.warning", t.status.warning},
        {"status.ok", t.status.ok},
        {"status.info", t.status.info},
        {"status.error_bg", t.status.errorBackground},
        {"status.warning_bg", t.status.warningBackground},
        {"status.ok_bg", t.status.okBackground},
        {"canvas_grid.dot", t.grid.dot},
        {"canvas_grid.major", t.grid.major},
        {"loss.key", t.loss.key},
        {"loss.large", t.loss.large},
        {"loss.overflow", t.loss.overflow},
        {"stage.inherited", t.stage[0]},
        {"stage.storage", t.stage[1]},
        {"stage.cast", t.stage[2]},
        {"stage.arithmetic", t.stage[3]},
        {"stage.output", t.stage[4]},
        {"health.normal", t.health.normal},
        {"health.subnormal", t.health.subnormal},
        {"health.zero", t.health.zero},
        {"health.inf", t.health.inf},
        {"health.nan", t.health.nan},
        {"shadow.node.color", t.nodeShadow.color},
        {"shadow.node_selected.color", t.selectedShadow.color},
        {"shadow.popup.color", t.popupShadow.color},
        {"plot.background", t.plot.background},
        {"plot.plot_area", t.plot.area},
        {"plot.grid", t.plot.grid},
        {"plot.axis", t.plot.axis},
        {"plot.label", t.plot.label},
        {"plot.title", t.plot.title},
        {"plot.bound", t.plot.bound},
        {"plot.reference_line", t.plot.referenceLine},
        {"plot.hover_rule", t.plot.hoverRule},
        {"plot.histogram", t.plot.histogram},
    };
    for (const auto& [path, actual] : expected)
        QVERIFY2(at(look, path).isString() && color(at(look, path)) == actual, qPrintable(path));
    const QJsonArray ramp = at(look, "loss.ramp").toArray();
    for (int i = 0; i < 9; ++i)
        QCOMPARE(t.loss.ramp[static_cast<std::size_t>(i)], color(ramp[i]));
    QCOMPARE(t.popupShadow.blur, at(look, "shadow.popup.blur").toDouble());
    QCOMPARE(t.selectedShadow.dy, at(look, "shadow.node_selected.dy").toDouble());
    QCOMPARE(t.grid.spacing, at(look, "canvas_grid.spacing").toInt());
    QCOMPARE(t.plot.staleOpacity, 0.45);
    QCOMPARE(t.isDark, theme == "dark");
}

void ThemeTest::dtypesAreTheTokens()
{
    for (const engine::DTypeFacts& f : engine::allDTypes()) {
        QString name = QString::fromLatin1(f.name.data(), static_cast<qsizetype>(f.name.size()));
        const QJsonValue d = at(tokens(), "dtype." + (name == "tf32" ? "tfloat32" : name));
        QVERIFY2(d.isObject(), qPrintable(name));
        for (const QString& theme : {QString("dark"), QString("light")}) {
            const DTypeStyle s = themeOf(theme).dtype(f.dtype);
            QCOMPARE(s.tag, at(d, "tag").toString());
            QCOMPARE(s.width, at(d, "width").toDouble());
            QCOMPARE(s.core, at(d, "core").toDouble());
            QCOMPARE(s.roundCap, at(d, "cap").toString() == "round");
            QCOMPARE(s.significand, at(d, "significand").toInt(0));
            QCOMPARE(s.line, color(at(d, theme + ".line")));
            QCOMPARE(s.text, color(at(d, theme + ".text")));
            QCOMPARE(s.onLine, color(at(d, theme + ".on_line")));
            QCOMPARE(QJsonArray::fromVariantList(QVariantList(s.dash.begin(), s.dash.end())),
                     at(d, "dash_px").toArray());
        }
    }
}

void ThemeTest::pens()
{
    const DTypeStyle half = darkTheme().dtype(engine::DType::f16);
    QCOMPARE(half.pen().dashPattern(), (QList<qreal>{4, 1.6})); // 10 and 4 px at a width of 2.5
    QCOMPARE(half.pen(2).widthF(), 5.0);
    QCOMPARE(half.pen(2).dashPattern(), half.pen().dashPattern());
    QCOMPARE(half.pen().capStyle(), Qt::FlatCap);
    QCOMPARE(darkTheme().dtype(engine::DType::i32).pen().capStyle(), Qt::RoundCap);
    QCOMPARE(darkTheme().dtype(engine::DType::f64).pen().style(), Qt::SolidLine);
}

void ThemeTest::lossIsOnALogScale()
{
    const Theme& t = darkTheme();
    QCOMPARE(t.lossAt(1e-17), t.loss.ramp[0]);
    QCOMPARE(t.lossAt(1e-40), t.loss.ramp[0]);
    QCOMPARE(t.lossAt(1), t.loss.ramp[8]);
    QCOMPARE(t.lossAt(1e300), t.loss.ramp[8]);
    QCOMPARE(t.lossAt(qInf()), t.loss.ramp[8]);
    QCOMPARE(t.lossAt(qQNaN()), t.loss.ramp[8]);
    QCOMPARE(t.lossAt(std::pow(10, -8.5)), t.loss.ramp[4]); // the middle of 1e-17 .. 1
    QCOMPARE(t.lossAt(8.3e-8), QColor(0xF4, 0x44, 0x98));   // as the drawings of the nodes have it
    QCOMPARE(errorPosition(1e-12), 5 / 17.0);
    QCOMPARE(errorPosition(0), 0.0);
}

void ThemeTest::dotRadii()
{
    const double expected[] = {4.75, 6, 8, 10, 12};
    for (int i = 0; i < 5; ++i)
        QCOMPARE(dotRadius(static_cast<DotLevel>(i)), expected[i]);
}

void ThemeTest::styleSheetIsFilled()
{
    for (const QString& name : {QString("dark"), QString("light")}) {
        const QString css = filledStyleSheet(themeOf(name));
        QVERIFY(css.contains("QMainWindow, QDialog { background: " + themeOf(name).surface.window.name() + "; }"));
        const qsizetype body = css.indexOf("*/");
        QVERIFY(!css.mid(body).contains('@'));
        QVERIFY(css.endsWith("}\n"));
        static const QRegularExpression url("url\\(([^)]*)\\)");
        int found = 0;
        for (auto it = url.globalMatch(css); it.hasNext(); ++found)
            QVERIFY(QFile::exists(it.next().captured(1)));
        QCOMPARE(found, 2);
    }
}

void ThemeTest::managerSetsTheApplication()
{
    ThemeManager manager;
    manager.choose(ThemeChoice::Light);
    QSignalSpy changed(&manager, &ThemeManager::changed);
    manager.choose(ThemeChoice::Dark);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(&manager.theme(), &darkTheme());
    manager.choose(ThemeChoice::Dark);
    QCOMPARE(changed.size(), 1);
    const QJsonObject roles = at(tokens(), "qt.palette").toObject();
    const QPalette palette = QApplication::palette();
    QCOMPARE(palette.color(QPalette::Window), darkTheme().surface.window);
    QCOMPARE(palette.color(QPalette::PlaceholderText), darkTheme().text.tertiary);
    QCOMPARE(palette.color(QPalette::Disabled, QPalette::ButtonText), darkTheme().text.disabled);
    const QMetaEnum names = QMetaEnum::fromType<QPalette::ColorRole>();
    for (auto it = roles.begin(); it != roles.end(); ++it) {
        const int role = names.keyToValue(it.key().toLatin1().constData());
        QCOMPARE(palette.color(static_cast<QPalette::ColorRole>(role)).name(QColor::HexRgb).toUpper(),
                 at(tokens(), "themes.dark." + it.value().toString()).toString());
    }
    QCOMPARE(QApplication::font().pixelSize(), 12);
    QVERIFY(qApp->styleSheet().contains(darkTheme().surface.overlay.name()));
    QPushButton button("Run");
    QVERIFY(button.style()->inherits("QStyleSheetStyle") || button.style()->inherits("QFusionStyle"));
}

void ThemeTest::managerFollowsTheSystem()
{
    // What a desktop does when its user turns the lights on or off.
    const auto setSystem = [](const QColor& window) {
        QApplication::setPalette(QPalette(window, window));
        QCoreApplication::processEvents();
    };
    ThemeManager manager;
    manager.choose(ThemeChoice::System);
    setSystem(QColor(240, 240, 240));
    QVERIFY(!manager.theme().isDark);
    QCOMPARE(QApplication::palette().color(QPalette::Window), lightTheme().surface.window);
    QSignalSpy changed(&manager, &ThemeManager::changed);
    setSystem(QColor(20, 20, 20));
    QVERIFY(manager.theme().isDark);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(QApplication::palette().color(QPalette::Window), darkTheme().surface.window);
    manager.choose(ThemeChoice::Light);
    setSystem(QColor(30, 30, 30));
    QVERIFY2(!manager.theme().isDark, "a choice is a choice");
    QCOMPARE(QApplication::palette().color(QPalette::Window), lightTheme().surface.window);
    manager.choose(ThemeChoice::System);
    QVERIFY2(manager.theme().isDark, "the system was last seen dark");
}

void ThemeTest::fontsAreBundled()
{
    QVERIFY(loadFonts());
    const int weights[] = {400, 500, 600};
    for (int i = 0; i < 3; ++i) {
        const QFont font = uiFont(13, static_cast<Weight>(i));
        QCOMPARE(font.pixelSize(), 13);
        QCOMPARE(font.hintingPreference(), QFont::PreferNoHinting);
        QCOMPARE(QFontInfo(font).family(), QString("Inter"));
        QCOMPARE(QRawFont::fromFont(font).weight(), weights[i]);
    }
    const QFont mono = monoFont(11);
    QCOMPARE(QRawFont::fromFont(mono).weight(), 500);
    QVERIFY(QFontInfo(mono).family().startsWith("JetBrains Mono"));
    QVERIFY(mono.styleStrategy() & QFont::PreferNoShaping);
    // 0.6 em, as the drawings have it: three letters are 19.8 px.
    QVERIFY(std::abs(QFontMetricsF(mono).horizontalAdvance("f32") - 19.8) < 0.05);
}

void ThemeTest::everyIconIsCompiledIn()
{
    loadResources();
    const QDir folder(QString(MANTISSA_SOURCE_DIR) + "/resources/icons");
    int count = 0;
    for (QDirIterator it(folder.path(), {"*.svg"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext(); ++count) {
        QFile compiled(":/mantissa/icons/" + folder.relativeFilePath(it.next())), source(it.filePath());
        QVERIFY2(compiled.open(QIODevice::ReadOnly) && source.open(QIODevice::ReadOnly), qPrintable(it.filePath()));
        QCOMPARE(compiled.readAll(), source.readAll());
    }
    QVERIFY(count > 60);
}

void ThemeTest::iconsAreSharpAndColoured()
{
    const QColor rose(0xF5, 0x47, 0x9A);
    for (const QString& file : QDir(":/mantissa/icons").entryList({"*.svg"}, QDir::Files)) {
        const QPixmap pixmap = iconPixmap(file.chopped(4), 16, rose, 2);
        QCOMPARE(pixmap.size(), QSize(32, 32));
        QCOMPARE(pixmap.deviceIndependentSize(), QSizeF(16, 16));
        QVERIFY2(isNear(tone(pixmap), rose, 3), qPrintable(file));
    }
    QVERIFY(iconPixmap("no_such_icon", 16, rose, 1).isNull());
    for (int size : {16, 32, 48, 256})
        QCOMPARE(applicationIcon().pixmap(size).size(), QSize(size, size));
}

void ThemeTest::iconStates()
{
    const Theme& t = darkTheme();
    const QIcon undo = icon("undo", t);
    QVERIFY(isNear(tone(undo.pixmap(20)), t.text.secondary, 3));
    QVERIFY(isNear(tone(undo.pixmap(20, QIcon::Active)), t.text.primary, 3));
    QVERIFY(isNear(tone(undo.pixmap(20, QIcon::Normal, QIcon::On)), t.text.primary, 3));
    QVERIFY(isNear(tone(undo.pixmap(20, QIcon::Disabled)), t.text.disabled, 3));
    const QPixmap sharp = undo.pixmap(QSize(20, 20), 2.0);
    QCOMPARE(sharp.size(), QSize(40, 40));
    QCOMPARE(sharp.devicePixelRatio(), 2.0);
}

void ThemeTest::everyOpHasAnIcon()
{
    int own = 0;
    for (const engine::OpSpec* op : engine::opCatalog().all()) {
        const QString name = iconOfOp(QString::fromStdString(std::string(op->name)));
        QVERIFY2(!iconPixmap(name, 16, Qt::white, 1).isNull(), op->name.data());
        own += name != "tensor";
    }
    QVERIFY(own >= 26); // only a later one may be generic
    QCOMPARE(iconOfOp("relu6"), QString("relu"));
    QCOMPARE(iconOfOp("max_pooling2d"), QString("pool_max"));
    QCOMPARE(iconOfOp("some_later_op"), QString("tensor"));
}

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
