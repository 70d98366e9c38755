// What can be added: the list at a dropped wire, which says what each op would do, the op dock and the lessons, by
// keyboard and mouse.
#include "tests/ui/panels_fixture.h"

#include "ui/panels/drop_search.h"
#include "ui/panels/entry_list.h"
#include "ui/panels/lessons_list.h"
#include "ui/panels/op_palette.h"
#include "ui/panels/words.h"

using namespace engine;
using namespace ui;

class SearchDrop : public QObject {
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
    std::unique_ptr<panels::Fixture> f;
    std::unique_ptr<QWidget> window;
};

void SearchDrop::dropSaysWhatItWouldDo()
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

void SearchDrop::dropUnderTheDialect()
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

void SearchDrop::dropByKeyboard()
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

void SearchDrop::dropRefusesWhatDoesNotFit()
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

void SearchDrop::dropFromAnInput()
{
    const std::vector<DropFit> fits =
        dropFits(f->context, {panels::kConv, "weight", DroppedWire::End::Input}, f->planner);
    QCOMPARE(fits.front().port, std::string("output"));
    QVERIFY(!fits.back().fits); // output has no output
    QCOMPARE(fits.back().title, QStringLiteral("output"));
}

void SearchDrop::dropClosesBesideAndInside()
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

void SearchDrop::opsByCategory()
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

void SearchDrop::opsFilterAndActivate()
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

void SearchDrop::opsAreDragged()
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

void SearchDrop::lessons()
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

void SearchDrop::pictures()
{
    f->run();
    f->selection.select(panels::kConv);
    for (ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        const QString suffix = choice == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark");
        f->theme.choose(choice);
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

QTEST_MAIN(SearchDrop)
#include "tst_search_drop.moc"
