// Figures and tables: every plot as PNG that decodes, SVG that parses and keeps its forms, CSV whose rows are the
// values; light unless asked otherwise, with subtitle and version, and the plot on the screen as it was. And the panel
// of tabs.
#include <QtTest>

#include "tests/ui/plots_fixture.h"

#include <QMenu>
#include <QSplitter>
#include <QTabBar>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace plots;

class PlotsExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void picturesDecode();
    void vectorsParse();
    void tablesAreTheValues();
    void figuresAreLightUnlessAsked();
    void theScreenStaysAsItWas();
    void failuresAreSaid();
    void theMenuOffersThem();
    void panelGroupsAndCaptions();
    void panelRemembersItsState();
    void pagesOfOthersHaveBadges();

private:
    Fixture m_f;
    std::shared_ptr<const engine::RunSnapshot> m_run;
    std::unique_ptr<ui::PlotPanel> m_panel;
    QTemporaryDir m_dir;

    QString path(const ui::PlotWidget* plot, const QString& suffix) const
    {
        return m_dir.filePath(QString(plot->metaObject()->className()).section(':', -1) + suffix);
    }
    QByteArray bytes(const QString& file) const
    {
        QFile f(file);
        return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
    }
};

void PlotsExport::initTestCase()
{
    m_run = m_f.run(canvasFirst(support::fourCombos(support::articleNetwork(2, false), "keras_tf26"), k6432));
    m_f.selection.select(m_f.node("conv1"));
    m_panel = std::make_unique<ui::PlotPanel>(m_f.selection, m_f.store, m_f.themes);
    m_panel->setMotion(ui::Motion::Instant);
    m_panel->resize(1440, 260);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void PlotsExport::picturesDecode()
{
    for (ui::PlotWidget* p : m_panel->plots()) {
        QVERIFY(p->exportTo(path(p, ".png")).ok());
        const QImage image(path(p, ".png"));
        QVERIFY(!image.isNull());
        QVERIFY(image.width() >= 2 * 420 && image.height() >= 2 * 240);
        QVERIFY(image.text("Software").startsWith("Mantissa "));
        QCOMPARE(image.text("Description"), p->subtitle());
        // Something is drawn, and the title, subtitle and version are: dark pixels in header and footer.
        const auto ink = [&](QRect r) { return countColor(image, r, ui::lightTheme().text.primary, 90); };
        QVERIFY(ink({20, 10, 400, 44}) > 100);
        QVERIFY(countColor(image, QRect(image.width() - 220, image.height() - 44, 200, 40),
                           ui::lightTheme().text.tertiary, 60) > 60);
    }
}

void PlotsExport::vectorsParse()
{
    for (ui::PlotWidget* p : m_panel->plots()) {
        QVERIFY(p->exportTo(path(p, ".svg")).ok());
        const QByteArray svg = bytes(path(p, ".svg"));
        QXmlStreamReader xml(svg);
        QMap<QString, int> elements;
        QString text;
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement)
                ++elements[xml.name().toString()];
            else if (xml.isCharacters())
                text += xml.text();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(elements["text"] > 5);
        QVERIFY(elements["path"] + elements["rect"] + elements["polyline"] + elements["polygon"] > 10);
        QCOMPARE(elements["image"], 0); // shapes, not pixels: hatches too
        QVERIFY(text.contains(p->title()));
        QVERIFY(text.contains(p->subtitle()));
        QVERIFY(text.contains("Mantissa 0."));
    }
}

void PlotsExport::tablesAreTheValues()
{
    for (ui::PlotWidget* p : m_panel->plots()) {
        QVERIFY(p->exportTo(path(p, ".csv")).ok());
        QStringList lines = QString::fromUtf8(bytes(path(p, ".csv"))).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.takeFirst(), "# " + p->title());
        QCOMPARE(lines.takeFirst(), "# " + p->subtitle());
        QVERIFY(lines.takeFirst().startsWith("# Mantissa "));
        const ui::PlotTable table = p->table();
        QCOMPARE(lines.takeFirst(), table.header.join(','));
        QCOMPARE(lines.size(), table.rows.size());
        for (qsizetype i = 0; i < lines.size(); ++i)
            QCOMPARE(lines[i].split(','), table.rows[i]);
    }
    // All digits: the text reads back as the very number.
    const engine::NodeId conv = m_f.node("conv1");
    int found = 0;
    for (const QStringList& row : m_panel->byLayer()->table().rows)
        for (const engine::Combo& c : engine::kFourCombos)
            if (row[0] == "conv1" && row[1] == "total" && (row[2] + ":" + row[3]).toStdString() == c.text()) {
                QCOMPARE(row.last().toDouble(), *resultOf(*m_run, c, conv).error->relL2);
                ++found;
            }
    QCOMPARE(found, 4);
    const QStringList cast = m_panel->stages()->table().rows[2];
    QCOMPARE(cast[6].toDouble(), *resultOf(*m_run, k6432, conv).stages->stages[2].share);
    std::int64_t counted = 0;
    for (const QStringList& row : m_panel->distribution()->table().rows)
        counted += row[2].toLongLong();
    QCOMPARE(counted, std::int64_t(2 * 26 * 26 * 32) - resultOf(*m_run, k6432, conv).error->zeroRef);
}

void PlotsExport::figuresAreLightUnlessAsked()
{
    m_f.themes.choose(ui::ThemeChoice::Dark);
    for (ui::PlotWidget* p : m_panel->plots()) {
        QVERIFY(p->exportTo(path(p, ".png")).ok());
        QCOMPARE(QImage(path(p, ".png")).pixelColor(2, 2), ui::lightTheme().plot.background);
        QVERIFY(p->exportTo(path(p, "_own.png"), ui::FigureTheme::Own).ok());
        QCOMPARE(QImage(path(p, "_own.png")).pixelColor(2, 2), ui::darkTheme().plot.background);
    }
    m_f.themes.choose(ui::ThemeChoice::Light);
}

void PlotsExport::theScreenStaysAsItWas()
{
    for (ui::PlotWidget* p : m_panel->plots()) {
        m_panel->showPage(p);
        m_f.themes.choose(ui::ThemeChoice::Dark);
        const QImage before = picture(*p);
        QVERIFY(p->exportTo(path(p, ".svg")).ok());
        QCOMPARE(picture(*p), before);
        m_f.themes.choose(ui::ThemeChoice::Light);
    }
}

void PlotsExport::failuresAreSaid()
{
    ui::PlotWidget* p = m_panel->matrix();
    for (const char* suffix : {".png", ".svg", ".csv"}) {
        const engine::Status s = p->exportTo(QStringLiteral("/nowhere/at/all") + suffix);
        QVERIFY(!s);
        QCOMPARE(s.error().code, std::string("file-write"));
        QVERIFY(!s.error().message.empty());
    }
    const engine::Status odd = p->exportTo(m_dir.filePath("plot.bmp"));
    QVERIFY(!odd && odd.error().message.find("bmp") != std::string::npos);
    QVERIFY(!QFile::exists(m_dir.filePath("plot.bmp")));
}

void PlotsExport::theMenuOffersThem()
{
    const std::unique_ptr<QMenu> menu(m_panel->stages()->makeContextMenu());
    QStringList names;
    for (const QAction* a : menu->actions()) {
        QVERIFY(a->isEnabled());
        names.append(a->objectName());
    }
    QCOMPARE(names, (QStringList{"export_png", "export_svg", "export_csv"}));
}

void PlotsExport::panelGroupsAndCaptions()
{
    QStringList tabs;
    for (ui::PlotPanel::Group g : {ui::PlotPanel::Left, ui::PlotPanel::Middle, ui::PlotPanel::Right})
        for (int i = 0; i < m_panel->group(g)->tabs()->count(); ++i)
            tabs.append(m_panel->group(g)->tabs()->tabText(i));
    QCOMPARE(tabs, (QStringList{"Matrix", "By layer", "Stages", "Distribution"}));
    const auto caption = [&](ui::PlotPanel::Group g) {
        return m_panel->group(g)->findChild<QLabel*>("caption")->text();
    };
    QCOMPARE(caption(ui::PlotPanel::Left), QString("relative error of each value; line: relative L2"));
    QTabBar* middle = m_panel->group(ui::PlotPanel::Middle)->tabs();
    m_panel->showPage(m_panel->stages());
    QCOMPARE(caption(ui::PlotPanel::Middle), QString("share of the squared error"));
    QVERIFY(m_panel->stages()->isVisible() && !m_panel->byLayer()->isVisible());
    QTest::mouseClick(middle, Qt::LeftButton, {}, middle->tabRect(0).center());
    QVERIFY(m_panel->byLayer()->isVisible() && !m_panel->stages()->isVisible());
    QVERIFY(caption(ui::PlotPanel::Middle).isEmpty()); // it explains itself
    // The tabs are there to be seen, within their row.
    for (QTabBar* t : m_panel->findChildren<QTabBar*>())
        QVERIFY(t->height() >= t->tabRect(0).height() && t->width() >= t->tabRect(t->count() - 1).right());
}

void PlotsExport::panelRemembersItsState()
{
    m_panel->showPage(m_panel->byLayer());
    auto* splitter = m_panel->findChild<QSplitter*>();
    splitter->setSizes({300, 600, 540});
    const QList<int> sizes = splitter->sizes();
    const QByteArray state = m_panel->saveState();
    m_panel->resetState();
    QVERIFY(splitter->sizes() != sizes);
    QVERIFY(m_panel->stages()->isVisible());
    m_panel->restoreState(state);
    QCOMPARE(splitter->sizes(), sizes);
    QVERIFY(m_panel->byLayer()->isVisible());
    m_panel->restoreState("nonsense"); // leaves it
    QCOMPARE(splitter->sizes(), sizes);
    m_panel->resetState();
}

void PlotsExport::pagesOfOthersHaveBadges()
{
    auto* findings = new QWidget;
    m_panel->addPage(ui::PlotPanel::Right, "Findings", findings);
    m_panel->showPage(findings);
    QVERIFY(findings->isVisible());
    m_panel->setBadge(findings, 3, ui::Badge::Warning);
    QTabBar* tabs = m_panel->group(ui::PlotPanel::Right)->tabs();
    QVERIFY(tabs->tabButton(1, QTabBar::RightSide));
    QVERIFY(tabs->tabToolTip(1).contains("3"));
    const auto isWarning = [&](const ui::Theme& t) {
        return countColor(picture(*tabs), tabs->tabButton(1, QTabBar::RightSide)->geometry(),
                          t.status.warningBackground) > 60;
    };
    QVERIFY(isWarning(ui::lightTheme()));
    m_f.themes.choose(ui::ThemeChoice::Dark);
    QVERIFY(isWarning(ui::darkTheme()));
    m_f.themes.choose(ui::ThemeChoice::Light);
    m_panel->setBadge(findings, 0, ui::Badge::Warning);
    QVERIFY(!tabs->tabButton(1, QTabBar::RightSide));
}

QTEST_MAIN(PlotsExport)
#include "tst_plots_export.moc"
