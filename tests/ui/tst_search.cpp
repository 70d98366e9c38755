// Finding things: fuzzy matching, the search palette, the list at a dropped wire, the op dock and the lessons, by
// keyboard and mouse; what is chosen is what was shown.
#include "tests/ui/panels_fixture.h"

#include "ui/panels/drop_search.h"
#include "ui/panels/entry_list.h"
#include "ui/panels/fuzzy.h"
#include "ui/panels/lessons_list.h"
#include "ui/panels/op_palette.h"
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
        window->resize(1000, 640);
        window->show();
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
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

    void dropSaysWhatItWouldDo();
    void dropUnderTheDialect();
    void dropByKeyboard();
    void dropRefusesWhatDoesNotFit();
    void dropFromAnInput();
    void dropClosesBesideAndInside();

    void opsByCategory();
    void opsFilterAndActivate();
    void opsAreDragged();
    void lessons();
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
    while (palette.list()->currentEntry()->title != QStringLiteral("The four combos of conv2d"))
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

void Search::dropSaysWhatItWouldDo()
{
    // From conv1's float32 output, 26 × 26 × 32.
    const std::vector<DropFit> fits =
        dropFits(f->context, {panels::kConv, "output", DroppedWire::End::Output}, f->planner);
    const auto find = [&](const QString& title) {
        for (const DropFit& fit : fits)
            if (fit.title == title)
                return fit;
        return DropFit{};
    };
    QCOMPARE(find("relu").remark, QStringLiteral("takes it as it is"));
    QCOMPARE(find("max_pooling2d").remark, QStringLiteral("takes it as it is"));
    QVERIFY(find("conv2d").fits);
    QCOMPARE(find("add").remark, QStringLiteral("second input free"));
    QCOMPARE(find("cast to float64").dot, std::optional(DotLevel::Exact));
    QCOMPARE(find("cast to bfloat16").dot, std::optional(DotLevel::Medium));
    QCOMPARE(find("cast to float8_e5m2").dot, std::optional(DotLevel::Large));
    QVERIFY(find("cast to float32").id.isEmpty()); // it is float32 already
    QVERIFY(find("input").id.isEmpty());           // starts wires, ends none
    // What fits comes before what does not.
    bool hasRefused = false;
    for (const DropFit& fit : fits) {
        hasRefused |= !fit.fits;
        QVERIFY(!(hasRefused && fit.fits));
    }
}

void Search::dropUnderTheDialect()
{
    // From the float64 input under tf.keras with float32 weights: a layer of its own narrows.
    std::vector<DropFit> fits = dropFits(f->context, {panels::kInput, "output", DroppedWire::End::Output}, f->planner);
    for (const DropFit& fit : fits)
        if (fit.title == QStringLiteral("conv2d"))
            QCOMPARE(fit.dot, std::optional(DotLevel::Small));
    // Under explicit it refuses, and says why.
    RunSettings settings = f->document.value().settings;
    settings.dialect = "explicit";
    QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
    fits = dropFits(f->context, {panels::kInput, "output", DroppedWire::End::Output}, f->planner);
    for (const DropFit& fit : fits) {
        if (fit.title != QStringLiteral("conv2d"))
            continue;
        QVERIFY(!fit.fits);
        QVERIFY(!fit.remark.isEmpty());
    }
}

void Search::dropByKeyboard()
{
    DropSearch drop(f->context, f->planner, window.get());
    QString op, port;
    ParamMap params;
    connect(&drop, &DropSearch::opChosen, this, [&](const QString& o, const ParamMap& p, const QString& at) {
        op = o;
        params = p;
        port = at;
    });
    drop.open(QPoint(300, 200), {panels::kConv, "output", DroppedWire::End::Output});
    QVERIFY(drop.field()->hasFocus());
    QTest::keyClicks(drop.field(), QStringLiteral("bfl"));
    QCOMPARE(drop.list()->currentEntry()->title, QStringLiteral("cast to bfloat16"));
    QTest::keyClick(drop.field(), Qt::Key_Return);
    QCOMPARE(op, QStringLiteral("cast"));
    QCOMPARE(std::get<std::string>(params.at("to")), std::string("bfloat16"));
    QCOMPARE(port, QStringLiteral("input"));
    QVERIFY(!drop.isVisible());
    QCOMPARE(f->steps(), 0);
}

void Search::dropRefusesWhatDoesNotFit()
{
    DropSearch drop(f->context, f->planner, window.get());
    RunSettings settings = f->document.value().settings;
    settings.dialect = "explicit";
    QVERIFY(f->document.apply(SetSettings{settings}, QStringLiteral("x")).ok());
    QSignalSpy dismissed(&drop, &DropSearch::dismissed);
    drop.open(QPoint(300, 200), {panels::kInput, "output", DroppedWire::End::Output});
    QTest::keyClicks(drop.field(), QStringLiteral("conv2d"));
    QCOMPARE(drop.list()->count(), 1);
    QVERIFY(drop.list()->rowAt(0)->isFaded);
    QTest::keyClick(drop.field(), Qt::Key_Return);
    QVERIFY(drop.isVisible());
    QTest::mouseClick(drop.list()->viewport(), Qt::LeftButton, {}, QPoint(60, 15));
    QVERIFY(drop.isVisible());
    QCOMPARE(dismissed.size(), 0);
}

void Search::dropFromAnInput()
{
    const std::vector<DropFit> fits =
        dropFits(f->context, {panels::kConv, "weight", DroppedWire::End::Input}, f->planner);
    QCOMPARE(fits.front().port, std::string("output"));
    QVERIFY(!fits.back().fits); // output has no output
    QCOMPARE(fits.back().title, QStringLiteral("output"));
}

void Search::dropClosesBesideAndInside()
{
    DropSearch drop(f->context, f->planner, window.get());
    drop.open(QPoint(980, 630), {panels::kConv, "output", DroppedWire::End::Output});
    QVERIFY(window->rect().contains(drop.geometry())); // kept inside
    QTest::mouseClick(drop.field(), Qt::LeftButton);
    QVERIFY(drop.isVisible());
    QTest::mouseClick(window.get(), Qt::LeftButton, {}, QPoint(5, 5));
    QVERIFY(!drop.isVisible());
    drop.open(QPoint(100, 100), {panels::kConv, "output", DroppedWire::End::Output});
    QTest::keyClick(drop.field(), Qt::Key_Escape);
    QVERIFY(!drop.isVisible());
}

void Search::opsByCategory()
{
    OpPalette ops(f->context);
    QCOMPARE(titles(ops.list()).size(), qsizetype(opCatalog().all().size())); // every record, once
    QSet<QString> groups;
    for (int i = 0; i < ops.list()->count(); ++i)
        if (!ops.list()->rowAt(i))
            groups << ops.list()->item(i)->text();
    QVERIFY(groups.contains(QStringLiteral("Sources")));
    QVERIFY(groups.contains(QStringLiteral("Precision")));
}

void Search::opsFilterAndActivate()
{
    OpPalette ops(f->context);
    ops.resize(212, 500);
    ops.show();
    QSignalSpy activated(&ops, &OpPalette::opActivated);
    QTest::keyClicks(ops.filter(), QStringLiteral("pool"));
    QCOMPARE(titles(ops.list()), (QStringList{QStringLiteral("max_pooling2d"), QStringLiteral("average_pooling2d")}));
    QTest::keyClick(ops.filter(), Qt::Key_Down);
    QTest::keyClick(ops.filter(), Qt::Key_Return);
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated.front().front().toString(), QStringLiteral("average_pooling2d"));
    QTest::keyClick(ops.filter(), Qt::Key_Escape);
    QCOMPARE(ops.filter()->text(), QString());
    int row = 0;
    while (!ops.list()->rowAt(row) || ops.list()->rowAt(row)->id != QStringLiteral("dense"))
        ++row;
    ops.list()->scrollToItem(ops.list()->item(row));
    const QPoint at = ops.list()->visualItemRect(ops.list()->item(row)).center();
    QTest::mouseClick(ops.list()->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(ops.list()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(activated.size(), 2);
    QCOMPARE(activated.back().front().toString(), QStringLiteral("dense"));
}

void Search::opsAreDragged()
{
    OpPalette ops(f->context);
    QVERIFY(ops.list()->dragEnabled());
    int row = 0;
    while (!ops.list()->rowAt(row) || ops.list()->rowAt(row)->id != QStringLiteral("conv2d"))
        ++row;
    std::unique_ptr<QMimeData> data(ops.list()->model()->mimeData({ops.list()->model()->index(row, 0)}));
    QVERIFY(data);
    QCOMPARE(data->data(QLatin1String(kOpMimeType)), QByteArray("conv2d"));
    QVERIFY(!(ops.list()->item(0)->flags() & Qt::ItemIsDragEnabled)); // a category's title
}

void Search::lessons()
{
    LessonsList list(f->theme);
    list.resize(212, 400);
    list.setLessons({{QStringLiteral("/a"), QStringLiteral("Is it float64?"),
                      QStringLiteral("The images are float64. Is the result? Try: look.")},
                     {QStringLiteral("/b"), QStringLiteral("Four"), QStringLiteral("Two give the same bits. Which?")}});
    list.show();
    QSignalSpy activated(&list, &LessonsList::lessonActivated);
    QCOMPARE(list.list()->item(0)->data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("Is it float64? The images are float64."));
    const QPoint at = list.list()->visualItemRect(list.list()->item(1)).center();
    QTest::mouseClick(list.list()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated.front().front().toString(), QStringLiteral("/b"));
    list.list()->setFocus();
    list.list()->setCurrentRow(0);
    QTest::keyClick(list.list(), Qt::Key_Return);
    QCOMPARE(activated.back().front().toString(), QStringLiteral("/a"));
    QCOMPARE(activated.size(), 2);
}

void Search::pictures()
{
    f->run();
    f->selection.select(panels::kConv);
    for (ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        const QString suffix = choice == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark");
        f->theme.choose(choice);
        {
            SearchPalette palette(f->context, window.get());
            fill(palette);
            palette.open(window->rect());
            QTest::keyClicks(palette.field(), QStringLiteral("conv"));
            panels::keep(*window, QStringLiteral("search_") + suffix);
        }
        {
            DropSearch drop(f->context, f->planner, window.get());
            drop.open(QPoint(350, 120), {panels::kConv, "output", DroppedWire::End::Output});
            panels::keep(*window, QStringLiteral("drop_") + suffix);
            QTest::keyClick(drop.field(), Qt::Key_End);
        }
        OpPalette ops(f->context);
        ops.resize(212, 640);
        ops.show();
        panels::keep(ops, QStringLiteral("ops_") + suffix);
        LessonsList list(f->theme);
        list.resize(212, 400);
        list.setLessons({{QStringLiteral("/a"), QStringLiteral("Is it float64?"),
                          QStringLiteral("The images are float64. Is the result?")},
                         {QStringLiteral("/b"), QStringLiteral("The four combos of conv2d"),
                          QStringLiteral("Two of the four give the same bits, only their causes differ. Which?")}});
        list.show();
        panels::keep(list, QStringLiteral("lessons_") + suffix);
    }
}

QTEST_MAIN(Search)
#include "tst_search.moc"
