// The window around the canvas: files and the questions they raise, what is left alone when one is damaged, cards,
// menus, what is remembered. Each test drives the real program.
#include "tests/ui/app_fixture.h"

#include "ui/panels/lesson_card.h"
#include "ui/panels/lessons_list.h"
#include "ui/panels/refusal_card.h"
#include "ui/panels/search_palette.h"
#include "ui/scene/minimap.h"

using namespace program;
using engine::Combo;
using engine::DType;

namespace {

// Presses a button of the next box that asks; says what it asked.
class Answer {
public:
    explicit Answer(QMessageBox::StandardButton button)
        : m_box([this, button](QMessageBox& box) {
              asked = box.text();
              QTest::mouseClick(box.button(button), Qt::LeftButton);
          })
    {
    }
    QString asked;

private:
    WithDialog<QMessageBox> m_box;
};

void edit(Program& p)
{
    p.key(Qt::Key_4, Qt::ControlModifier); // float64 x float64
    QVERIFY(p.window().isWindowModified());
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void damagedFileLeavesTheDocument_data()
    {
        QTest::addColumn<QByteArray>("content");
        const QByteArray seed = bytesOf(Program::lesson("seed"));
        QTest::newRow("cut") << seed.left(seed.size() / 2);
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no zip") << QByteArray("# Mantissa\n");
    }
    void damagedFileLeavesTheDocument()
    {
        QFETCH(QByteArray, content);
        Program p;
        edit(p);
        const engine::Document before = p.document().value();
        const QString path = p.folder.filePath("damaged.mantissa");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        Answer discard(QMessageBox::Discard);
        QVERIFY(!p.window().openFile(path));
        QVERIFY(engine::equal(p.document().value(), before));
        QVERIFY(p.window().isWindowModified()); // still to be saved
        QVERIFY(p.document().undoStack().canUndo());
        QVERIFY2(p.window().notice()->text().contains("damaged.mantissa"), qPrintable(p.window().notice()->text()));
        const QRect bar = p.window().notice()->rect();
        QVERIFY(pixelsOf(*p.window().notice(), bar, ui::darkTheme().status.errorBackground) > 1000);
        Program::click(p.window().notice()->findChild<QToolButton*>("notice-close"));
        QVERIFY(!p.window().notice()->isVisible());
    }

    void unsavedChangesAreAsked()
    {
        Program p;
        edit(p);
        const engine::Document edited = p.document().value();
        {
            Answer cancel(QMessageBox::Cancel);
            QVERIFY(!p.window().openLesson(Program::lesson("four_combos")));
            QVERIFY2(cancel.asked.contains("Is it float64?"), qPrintable(cancel.asked));
            QVERIFY(engine::equal(p.document().value(), edited));
        }
        {
            Answer cancel(QMessageBox::Cancel);
            QVERIFY(!p.window().close());
            QVERIFY(p.window().isVisible());
        }
        {
            Answer discard(QMessageBox::Discard);
            p.action("new")->trigger();
            QVERIFY(!discard.asked.isEmpty());
        }
        QVERIFY(p.document().graph().nodes().empty());
        QCOMPARE(p.canvas().canvas().nodes().size(), std::size_t{0});
        QVERIFY(!p.window().isWindowModified());
    }

    void saveInPlaceAndRecent()
    {
        Program p;
        const QString path = p.folder.filePath("graph.mantissa");
        QVERIFY(QFile::copy(Program::lesson("seed"), path));
        QFile(path).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        QVERIFY(p.window().openFile(path));
        edit(p);
        p.key(Qt::Key_S, Qt::ControlModifier);
        QVERIFY(!p.window().isWindowModified());
        const auto saved = engine::loadDocument(path.toStdString());
        QVERIFY(saved.ok() && engine::equal(*saved, p.document().value()));
        QVERIFY(saved->settings.combo == (Combo{DType::f64, DType::f64}));
        QMenu* file = p.window().menuBar()->actions().value(0)->menu();
        QMenu* recent = file->findChild<QMenu*>();
        QVERIFY(recent);
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().value(0)->text(), path);
        p.action("new")->trigger();
        recent->actions().value(0)->trigger();
        QCOMPARE(p.document().path(), path);
    }

    // A lesson is a copy: saving never writes into the lessons.
    void lessonsAreCopies()
    {
        Program p;
        auto* list = p.window().findChild<ui::LessonsList*>();
        QVERIFY(list && list->list()->count() >= 8);
        p.window().findChild<QDockWidget*>("left")->findChild<QTabWidget*>()->setCurrentIndex(1);
        const int row = [&] {
            for (int i = 0; i < list->list()->count(); ++i)
                if (list->list()->item(i)->data(Qt::AccessibleTextRole).toString().contains("A float64 input") ||
                    list->list()->item(i)->text().contains("A float64 input"))
                    return i;
            return -1;
        }();
        QVERIFY(row >= 0);
        list->list()->scrollToItem(list->list()->item(row));
        const QPoint at = list->list()->visualItemRect(list->list()->item(row)).center();
        QTest::mouseClick(list->list()->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(list->list()->viewport(), Qt::LeftButton, {}, at);
        QTRY_COMPARE(QString::fromStdString(p.document().value().title), QString("A float64 input becomes float32"));
        QVERIFY(p.document().path().isEmpty());
        QCOMPARE(p.app->snapshots().wanted(), p.document().structureRevision());
    }

    void lessonCardAsksAndAnswers()
    {
        Program p;
        ui::LessonCard* card = p.window().lessonCard();
        QVERIFY(card->isOpen());
        QVERIFY(card->shownText().contains("The images are float64. Is the result?"));
        QVERIFY(card->shownText().contains("Try: look at the dot"));
        QVERIFY(!card->shownText().contains("11 % of the pixels"));
        Program::click(card->answerButton());
        QVERIFY(card->shownText().contains("11 % of the pixels"));
        Program::click(card->closeButton());
        QVERIFY(!card->isOpen());
        p.action("lesson-card")->trigger();
        QVERIFY(card->isOpen());
        QVERIFY(!p.window().findChild<QPushButton*>("open-lesson")->isVisible());
        p.action("new")->trigger(); // says nothing: no card
        auto* lessons = p.window().findChild<QPushButton*>("open-lesson");
        QVERIFY(lessons->isVisible());
        Program::click(lessons);
        QVERIFY(p.window().findChild<ui::LessonsList*>()->isVisible());
        QVERIFY(!card->isOpen());
        p.action("lesson-card")->trigger();
        QVERIFY(!card->isOpen());
    }

    void lessonTextSplits()
    {
        const ui::LessonText all = ui::lessonText("Why? Try: this. Answer: so.");
        QVERIFY(all == (ui::LessonText{"Why?", "this.", "so."}));
        QVERIFY(ui::lessonText("Only words.") == (ui::LessonText{"Only words.", "", ""}));
        QVERIFY(ui::lessonText("Why? Answer: so.") == (ui::LessonText{"Why?", "", "so."}));
    }

    // The refused node's card, opened by its octagon; the remedy is one undo step.
    void refusedCardOffersRemedies()
    {
        Program p;
        engine::RunSettings s = p.settings();
        s.dialect = "explicit";
        QVERIFY(p.document().apply(engine::SetSettings{s}, "Explicit").ok());
        QVERIFY(p.settle());
        p.clickCanvas(p.canvas().canvas().node(kConv)->body().center()); // any place of the node: selects it
        p.canvas().setFocus();
        p.key(Qt::Key_Return);
        ui::RefusalCard* card = p.window().refusalCard();
        QVERIFY(card->isOpen());
        QVERIFY2(card->title().contains("float64") && card->title().contains("float32"), qPrintable(card->title()));
        QCOMPARE(card->remedyButtons().size(), 4);
        const int steps = p.document().undoStack().index();
        Program::click(card->remedyButtons()[1]); // narrowest
        QVERIFY(!card->isOpen());
        QCOMPARE(p.document().undoStack().index(), steps + 1);
        QVERIFY(p.settle());
        QVERIFY(!p.canvas().canvas().node(kConv)->face().isRefused);
        QCOMPARE(p.canvas().canvas().node(kConv)->face().dtype, std::optional(DType::f32));
    }

    // What a remedy costs, by the formats: significands of 53 and 24 bits.
    void remediesSayWhatTheyCost()
    {
        engine::NodeView node;
        const auto port = [](const char* name, DType arrives) {
            engine::PortView view;
            view.port = name;
            view.arrives = arrives;
            return view;
        };
        node.ports = {port("input", DType::f64), port("weight", DType::f32)};
        QCOMPARE(ui::remedyCost(node, "compute-widest"), QString("widest: the float32 weight widens exactly"));
        QCOMPARE(ui::remedyCost(node, "compute-narrowest"),
                 QString("narrowest: the float64 input keeps 24 of 53 bits"));
        node.ports = {port("input", DType::bf16), port("weight", DType::f16)}; // neither holds the other
        QVERIFY(!ui::remedyCost(node, "compute-widest").contains("exactly"));
        node.ports = {port("input", DType::f64), port("weight", DType::f64)};
        QVERIFY(ui::remedyCost(node, "compute-widest").isEmpty());
    }

    void minimapMovesTheView()
    {
        Program p;
        ui::Minimap* map = p.canvas().minimap();
        QVERIFY(map->isVisible());
        const QRectF block = map->blockOf(kOutput);
        QVERIFY(map->viewRing().contains(block.center())); // all is in view at first
        const QColor stripe = ui::darkTheme().loss.key;
        QVERIFY(p.settle());
        const QRect conv = map->blockOf(kConv).toAlignedRect();
        QVERIFY(pixelsOf(*map, conv.adjusted(-1, 0, 1, 0), stripe, 30) >= 5); // the only node with an error of its own
        QCOMPARE(pixelsOf(*map, block.toAlignedRect().adjusted(1, 1, -1, -1), stripe, 30), 0);
        p.canvas().setZoom(3, {10, 10});
        QTest::mouseClick(map, Qt::LeftButton, {}, map->blockOf(kOutput).center().toPoint());
        const QPointF centre = p.canvas().mapToScene(p.canvas().viewport()->rect().center());
        QVERIFY(QLineF(centre, p.canvas().canvas().node(kOutput)->body().center()).length() < 40);
        p.action("minimap")->trigger();
        QVERIFY(!map->isVisible());
    }

    void menuActionsAct()
    {
        Program p;
        QVERIFY(p.settle());
        p.app->selection().select(kConv);
        p.canvas().setFocus();
        p.key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(p.document().graph().nodes().size(), std::size_t{4});
        p.key(Qt::Key_M);
        const engine::NodeId copy = *p.app->selection().nodes().begin();
        p.canvas().canvas().flush();
        QVERIFY(p.document().graph().find(copy)->muted);
        QVERIFY(p.canvas().canvas().node(copy)->face().isMuted);
        p.key(Qt::Key_M);
        QVERIFY(!p.document().graph().find(copy)->muted);
        QCOMPARE(p.document().undoStack().undoText(), QString("Unmute conv1_2"));
        p.key(Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(p.document().graph().nodes().size(), std::size_t{3});
        p.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(p.document().graph().nodes().size(), std::size_t{4});
        p.key(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(p.app->selection().nodes().size(), std::size_t{4});
        p.key(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(p.window().search()->isVisible());
        QTest::keyClicks(p.window().search()->field(), "arrange");
        QTest::keyClick(p.window().search()->field(), Qt::Key_Return);
        QCOMPARE(p.document().undoStack().undoText(), QString("Arrange nodes"));
    }

    void contextMenuOffersWhatFits()
    {
        Program p;
        const auto titles = [&](QPointF scene) {
            const QPoint at = p.inView(scene);
            QTest::mouseClick(p.canvas().viewport(), Qt::RightButton, {}, at);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, p.canvas().viewport()->mapToGlobal(at));
            QApplication::sendEvent(p.canvas().viewport(), &event);
            QStringList list;
            QWidget* menu = QApplication::activePopupWidget();
            for (QAction* a : menu ? menu->actions() : QList<QAction*>())
                if (!a->isSeparator())
                    list << a->objectName();
            if (menu)
                menu->close();
            return list;
        };
        QCOMPARE(titles(p.canvas().canvas().node(kOutput)->body().center()),
                 (QStringList{"cut", "copy", "duplicate", "delete", "mute", "fit-selection"}));
        QVERIFY(p.app->selection().nodes() == std::set<engine::NodeId>{kOutput});
        QCOMPARE(titles(p.canvas().canvas().edge({kConv, "input"})->wire().middle),
                 (QStringList{"insert-cast", "delete"}));
        p.app->selection().set({}, {{kConv, "input"}});
        p.canvas().setFocus();
        p.key(Qt::Key_C);
        QCOMPARE(p.document().graph().nodes().size(), std::size_t{4});
        QCOMPARE(p.document().undoStack().undoText(), QString("Insert cast between digits and conv1"));
        p.key(Qt::Key_Z, Qt::ControlModifier);
        const QPointF nowhere = p.canvas().mapToScene(40, 300);
        QCOMPARE(titles(nowhere), (QStringList{"add-node", "paste", "select-all", "layout", "fit"}));
        QVERIFY(p.app->selection().isEmpty());
    }

    void whatIsArrangedIsRemembered()
    {
        QTemporaryDir folder;
        const app::ApplicationOptions options{{}, folder.filePath("settings.ini"), folder.filePath("data")};
        {
            app::Application first(options);
            first.window().show();
            first.openFirst({});
            first.window().findChild<QAction*>("theme-light")->trigger();
            first.window().findChild<QAction*>("minimap")->trigger();
            first.window().findChild<QDockWidget*>("left")->hide();
            QVERIFY(first.window().close());
        }
        app::Application second(options);
        second.window().show();
        second.openFirst({});
        QVERIFY(second.theme().choice() == ui::ThemeChoice::Light);
        QVERIFY(!second.window().findChild<QDockWidget*>("left")->isVisible());
        QVERIFY(!second.window().canvas()->minimap()->isVisible());
        second.window().findChild<QAction*>("reset-layout")->trigger();
        QVERIFY(second.window().findChild<QDockWidget*>("left")->isVisible());
    }

    // The left dock folds to a rail whose buttons bring it back with their tab.
    void leftDockFoldsToARail()
    {
        Program p;
        auto* left = p.window().findChild<QDockWidget*>("left");
        auto* rail = p.window().findChild<QToolBar*>("rail");
        QVERIFY(left->isVisible() && !rail->isVisible());
        Program::click(p.window().findChild<QToolButton*>("rail-fold"));
        QVERIFY(!left->isVisible() && rail->isVisible());
        QCOMPARE(rail->width(), 44);
        Program::click(p.window().findChild<QToolButton*>("rail-lessons"));
        QVERIFY(left->isVisible() && !rail->isVisible());
        QVERIFY(p.window().findChild<ui::LessonsList*>()->isVisible());
        p.action("dock-bottom")->trigger();
        QVERIFY(!p.window().plots()->isVisible());
        p.action("dock-bottom")->trigger();
        QVERIFY(p.window().plots()->isVisible());
    }

    // A session that died left a copy: the next start offers it.
    void recoveryIsOffered()
    {
        QTemporaryDir folder;
        const app::ApplicationOptions options{{}, folder.filePath("settings.ini"), folder.filePath("data")};
        const QString left = folder.filePath("data/recovery");
        QDir().mkpath(left);
        const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        QVERIFY(QFile::copy(Program::lesson("four_combos"), left + '/' + id + ".mantissa"));
        app::Application app(options);
        app.window().show();
        app.openFirst({});
        app.window().offerRecovery();
        ui::NoticeBar* notice = app.window().notice();
        QVERIFY(notice->isVisible() && notice->kind() == ui::NoticeKind::Offer);
        QVERIFY2(notice->text().contains("an unsaved graph"), qPrintable(notice->text()));
        Program::click(notice->findChildren<QPushButton*>().value(0));
        QCOMPARE(QString::fromStdString(app.document().value().title), QString("Four combinations"));
        QVERIFY(app.window().isWindowModified());
        QVERIFY(!notice->isVisible());
        app.document().markSaved({});
    }

    void liveOffWaitsForRun()
    {
        Program p;
        QVERIFY(p.settle());
        p.window().bar()->setLive(false);
        p.key(Qt::Key_4, Qt::ControlModifier);
        QTest::qWait(100);
        QVERIFY(p.app->snapshots().isStale()); // nothing ran
        p.key(Qt::Key_F5);
        QVERIFY(p.settle());
        QVERIFY(p.app->snapshots().canvasRun()->combo == (Combo{DType::f64, DType::f64}));
    }
};

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
