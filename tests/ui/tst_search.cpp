// Finding things: fuzzy matching and the search palette, by keyboard and mouse; what is chosen is what was shown.
#include "tests/ui/panels_fixture.h"

#include "ui/panels/entry_list.h"
#include "ui/panels/fuzzy.h"
#include "ui/panels/search_detail.h"
#include "ui/panels/search_palette.h"
#include "ui/panels/words.h"

using namespace engine;
using namespace ui;

class Search : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        f = std::make_unique<panels::Fixture>();
        f->openLesson();
        window = std::make_unique<QWidget>();
        QVERIFY(panels::present(*window, {1000, 640}));
    }
    void cleanup()
    {
        window.reset();
        f.reset();
    }

    void fuzzy_data();
    void fuzzy();
    void fuzzyRanks();
    void fuzzyIsQuick();

    void paletteFindsAllGroups();
    void paletteByKeyboard();
    void paletteConnects();
    void paletteScope();
    void paletteCloses();
    void paletteUnderlinesAndExplains();
    void paletteFindsNothing();

    void pictures();

private:
    QStringList titles(const EntryList* list)
    {
        QStringList all;
        for (int i = 0; i < list->count(); ++i)
            if (const EntryRow* row = list->rowAt(i))
                all << row->title;
        return all;
    }
    void fill(SearchPalette& palette)
    {
        palette.setActions(
            {{QStringLiteral("convert64"),
              QStringLiteral("Convert the graph to float64"),
              {},
              QStringLiteral("Ctrl 4"),
              QStringLiteral("matrix"),
              true},
             {QStringLiteral("fit"), QStringLiteral("Fit all"), {}, QStringLiteral("F"), QStringLiteral("fit"), true},
             {QStringLiteral("off"), QStringLiteral("Conversion that is off"), {}, {}, {}, false}});
        palette.setLessons({{QStringLiteral("/l/four.mantissa"), QStringLiteral("The four combos of conv2d"),
                             QStringLiteral("Two of the four give the same bits. Which?")}});
    }
    std::unique_ptr<panels::Fixture> f;
    std::unique_ptr<QWidget> window;
};

void Search::fuzzy_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("marks"); // the text with its matched letters in capitals; empty: no match
    QTest::newRow("prefix") << "conv"
                            << "conv2d"
                            << "CONV2d";
    QTest::newRow("inside") << "conv"
                            << "depthwise_conv2d"
                            << "depthwise_CONV2d";
    QTest::newRow("initials") << "mp"
                              << "max_pooling2d"
                              << "Max_Pooling2d";
    QTest::newRow("run before start") << "bn"
                                      << "batch_normalization"
                                      << "Batch_Normalization";
    QTest::newRow("spaces and case") << "Max Pool"
                                     << "max_pooling2d"
                                     << "MAX_POOLing2d";
    QTest::newRow("order matters") << "vnoc"
                                   << "conv2d"
                                   << "";
    QTest::newRow("longer than the text") << "relu6relu6"
                                          << "relu6"
                                          << "";
    QTest::newRow("all or nothing") << "relx"
                                    << "relu"
                                    << "";
}

void Search::fuzzy()
{
    QFETCH(QString, pattern);
    QFETCH(QString, text);
    QFETCH(QString, marks);
    const std::optional<FuzzyMatch> match = fuzzyMatch(pattern, text);
    QCOMPARE(match.has_value(), !marks.isEmpty());
    if (!match)
        return;
    QString marked = text;
    for (int i : match->positions)
        marked[i] = marked[i].toUpper();
    QCOMPARE(marked, marks);
}

void Search::fuzzyRanks()
{
    const auto score = [](const char* pattern, const char* text) { return fuzzyMatch(pattern, text)->score; };
    QVERIFY(score("relu", "relu") > score("relu", "relu6"));
    QVERIFY(score("relu", "relu6") > score("relu", "leaky_relu"));
    QVERIFY(score("so", "softmax") > score("so", "selu_other"));
    QVERIFY(score("ca", "cast") > score("ca", "conv2d_a"));
}

void Search::fuzzyIsQuick()
{
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 2000; ++i)
        fuzzyMatch(QStringLiteral("convnorm"), QStringLiteral("block%1/convolution/batch_normalization").arg(i));
    QVERIFY2(timer.elapsed() < 500, "2000 names are matched within one key press, with room for slow machines");
}

void Search::paletteFindsAllGroups()
{
    SearchPalette palette(f->context, window.get());
    fill(palette);
    palette.open(window->rect());
    QTest::keyClicks(palette.field(), QStringLiteral("conv"));
    const QStringList found = titles(palette.list());
    QVERIFY(found.contains(QStringLiteral("conv2d")));
    QVERIFY(found.contains(QStringLiteral("conv1")));
    QVERIFY(found.contains(QStringLiteral("Convert the graph to float64")));
    QVERIFY(found.contains(QStringLiteral("The four combos of conv2d")));
    QVERIFY(!found.contains(QStringLiteral("Conversion that is off")));
    QVERIFY(!found.contains(QStringLiteral("Fit all")));
    QCOMPARE(palette.found().front().group, SearchGroup::Ops);
    QCOMPARE(palette.list()->currentEntry()->title, QStringLiteral("conv2d"));
}

void Search::paletteByKeyboard()
{
    SearchPalette palette(f->context, window.get());
    fill(palette);
    QSignalSpy ops(&palette, &SearchPalette::opChosen), actions(&palette, &SearchPalette::actionChosen),
        lessonsSpy(&palette, &SearchPalette::lessonChosen);
    std::vector<NodeId> nodes;
    connect(&palette, &SearchPalette::nodeChosen, this, [&](NodeId id) { nodes.push_back(id); });
    const auto choose = [&](const QString& typed, const QString& title) {
        palette.open(window->rect());
        QVERIFY(palette.field()->hasFocus());
        QTest::keyClicks(palette.field(), typed);
        for (int i = 0; i < 20 && palette.list()->currentEntry()->title != title; ++i)
            QTest::keyClick(palette.field(), Qt::Key_Down);
        QCOMPARE(palette.list()->currentEntry()->title, title);
        QTest::keyClick(palette.field(), Qt::Key_Return);
        QVERIFY(!palette.isVisible());
    };
    choose(QStringLiteral("relu"), QStringLiteral("relu"));
    QCOMPARE(ops.size(), 1);
    QCOMPARE(ops.front().front().toString(), QStringLiteral("relu"));
    choose(QStringLiteral("conv"), QStringLiteral("conv1"));
    QCOMPARE(nodes, (std::vector<NodeId>{panels::kConv}));
    choose(QStringLiteral("conv"), QStringLiteral("Convert the graph to float64"));
    QCOMPARE(actions.front().front().toString(), QStringLiteral("convert64"));
    choose(QStringLiteral("four"), QStringLiteral("The four combos of conv2d"));
    QCOMPARE(lessonsSpy.front().front().toString(), QStringLiteral("/l/four.mantissa"));
    QCOMPARE(f->steps(), 0); // the palette asks, it edits nothing
}

void Search::paletteConnects()
{
    SearchPalette palette(f->context, window.get());
    f->selection.select(panels::kConv);
    NodeId from;
    QString op;
    connect(&palette, &SearchPalette::opConnectChosen, this, [&](const QString& chosen, NodeId id) {
        op = chosen;
        from = id;
    });
    palette.open(window->rect());
    QTest::keyClicks(palette.field(), QStringLiteral("softm"));
    QTest::keyClick(palette.field(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(op, QStringLiteral("softmax"));
    QCOMPARE(from, panels::kConv);
}

void Search::paletteScope()
{
    SearchPalette palette(f->context, window.get());
    fill(palette);
    palette.open(window->rect());
    QTest::keyClicks(palette.field(), QStringLiteral("conv"));
    QTest::keyClick(palette.field(), Qt::Key_Tab); // ops alone
    for (const SearchEntry& entry : palette.found())
        QCOMPARE(entry.group, SearchGroup::Ops);
    QTest::keyClick(palette.field(), Qt::Key_Tab); // nodes alone
    QCOMPARE(titles(palette.list()), (QStringList{QStringLiteral("conv1")}));
    QTest::keyClick(palette.field(), Qt::Key_Backtab);
    QTest::keyClick(palette.field(), Qt::Key_Backtab);
    QVERIFY(titles(palette.list()).contains(QStringLiteral("The four combos of conv2d")));
    QVERIFY(palette.field()->hasFocus());
}

void Search::paletteCloses()
{
    SearchPalette palette(f->context, window.get());
    QSignalSpy dismissed(&palette, &SearchPalette::dismissed);
    palette.open(window->rect());
    QTest::keyClick(palette.field(), Qt::Key_Escape);
    QVERIFY(!palette.isVisible());
    palette.open(window->rect());
    QTest::mouseClick(&palette, Qt::LeftButton, {}, QPoint(4, 600));
    QVERIFY(!palette.isVisible());
    QCOMPARE(dismissed.size(), 2);
}

void Search::paletteUnderlinesAndExplains()
{
    SearchPalette palette(f->context, window.get());
    fill(palette);
    palette.open(window->rect());
    QTest::keyClicks(palette.field(), QStringLiteral("conv"));
    QCOMPARE(palette.list()->currentEntry()->marked, (QList<int>{0, 1, 2, 3}));
    const OpSpec& spec = *opCatalog().find("conv2d");
    QVERIFY(palette.detail()->spoken().contains(text(spec.summary)));
    const QString lesson = QStringLiteral("The four combos of conv2d");
    for (int i = 0; i < 20 && palette.list()->currentEntry()->title != lesson; ++i)
        QTest::keyClick(palette.field(), Qt::Key_Down);
    QVERIFY(palette.detail()->spoken().contains(QStringLiteral("Two of the four give the same bits.")));
    // The selected row is drawn as selected.
    QVERIFY(panels::pixelsOf(*palette.list()->viewport(), f->theme.theme().surface.selected) > 2000);
}

void Search::paletteFindsNothing()
{
    SearchPalette palette(f->context, window.get());
    palette.open(window->rect());
    QTest::keyClicks(palette.field(), QStringLiteral("zzzz"));
    QCOMPARE(palette.list()->count(), 0);
    bool isSaid = false;
    for (QLabel* label : palette.findChildren<QLabel*>())
        isSaid |= label->isVisible() && label->text() == QStringLiteral("Nothing is called “zzzz”.");
    QVERIFY(isSaid);
    QTest::keyClick(palette.field(), Qt::Key_Return); // nothing to choose
    QVERIFY(palette.isVisible());
}

void Search::pictures()
{
    f->run();
    f->selection.select(panels::kConv);
    for (ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        f->theme.choose(choice);
        SearchPalette palette(f->context, window.get());
        fill(palette);
        palette.open(window->rect());
        QTest::keyClicks(palette.field(), QStringLiteral("conv"));
        panels::keep(*window,
                     choice == ThemeChoice::Light ? QStringLiteral("search_light") : QStringLiteral("search_dark"));
    }
}

QTEST_MAIN(Search)
#include "tst_search.moc"
