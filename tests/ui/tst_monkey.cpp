// A monkey at the whole program: thousands of random mouse and key actions, seeded. After each the document is a valid
// one, the canvas mirrors it, and no result is newer than the document. At the end everything undone is the start, and
// saved and loaded it is itself. MANTISSA_MONKEY=SEED:ACTIONS asks for another walk.
#include "tests/ui/app_fixture.h"

#include "engine/document/edit.h"
#include "ui/panels/choice_popup.h"
#include "ui/panels/drop_search.h"
#include "ui/panels/number_field.h"
#include "ui/panels/precision_bar.h"
#include "ui/panels/refusal_card.h"
#include "ui/panels/search_palette.h"
#include "ui/panels/tool_field.h"
#include "ui/scene/minimap.h"

using namespace program;

namespace {

class Monkey {
public:
    Monkey(Program& program, quint32 seed) : p(program), random(seed) {}

    void act()
    {
        static constexpr std::array<void (Monkey::*)(), 27> kActs{
            &Monkey::press,      &Monkey::press,   &Monkey::press,   &Monkey::move,      &Monkey::move,
            &Monkey::move,       &Monkey::release, &Monkey::release, &Monkey::key,       &Monkey::key,
            &Monkey::wheel,      &Monkey::undo,    &Monkey::redo,    &Monkey::menu,      &Monkey::combo,
            &Monkey::choice,     &Monkey::search,  &Monkey::panel,   &Monkey::panelText, &Monkey::remedy,
            &Monkey::clipboard,  &Monkey::theme,   &Monkey::tabs,    &Monkey::minimap,   &Monkey::badge,
            &Monkey::dragNumber, &Monkey::save};
        last = static_cast<int>(random.bounded(static_cast<int>(kActs.size())));
        (this->*kActs[static_cast<std::size_t>(last)])();
        if (random.bounded(3) == 0)
            QCoreApplication::processEvents();
        closeMenus();
    }
    void letGo()
    {
        if (isDown)
            release();
        for (int i = 0; i < 3; ++i)
            p.key(Qt::Key_Escape);
        QCoreApplication::processEvents();
    }
    int last = 0;

private:
    bool isLucky(int oneIn) { return random.bounded(oneIn) == 0; }
    QWidget* viewport() { return p.canvas().viewport(); }
    template <class Map> auto any(const Map& map)
    {
        auto it = map.begin();
        std::advance(it, random.bounded(static_cast<int>(map.size())));
        return it;
    }
    QPoint anywhere() { return {random.bounded(viewport()->width()), random.bounded(viewport()->height())}; }
    // Something to grab: a port, a header, a dot, the middle of a wire.
    QPoint something()
    {
        p.canvas().canvas().flush();
        const auto& nodes = p.canvas().canvas().nodes();
        const auto& edges = p.canvas().canvas().edges();
        if (nodes.empty() || isLucky(5))
            return anywhere();
        const ui::NodeItem* node = any(nodes)->second;
        switch (random.bounded(5)) {
        case 0:
            return p.inView(node->outputAt());
        case 1:
            if (const auto& inputs = node->geometry().inputs; !inputs.empty())
                return p.inView(node->pos() +
                                inputs[static_cast<std::size_t>(random.bounded(static_cast<int>(inputs.size())))].at);
            [[fallthrough]];
        case 2:
            return p.inView(node->pos() + QPointF(60, 12));
        default:
            if (edges.empty())
                return anywhere();
            const ui::WirePath& wire = any(edges)->second->wire();
            return p.inView(isLucky(2) ? wire.dot : wire.middle);
        }
    }
    Qt::KeyboardModifiers modifiers()
    {
        return isLucky(6) ? Qt::ShiftModifier : isLucky(8) ? Qt::ControlModifier : Qt::NoModifier;
    }
    void press()
    {
        if (isDown)
            return move();
        QTest::mousePress(viewport(), Qt::LeftButton, modifiers(), something());
        isDown = true;
        if (!isLucky(3))
            move();
    }
    void move() { QTest::mouseMove(viewport(), isLucky(3) ? anywhere() : something()); }
    void release()
    {
        if (isDown)
            QTest::mouseRelease(viewport(), Qt::LeftButton, modifiers(), isLucky(2) ? anywhere() : something());
        isDown = false;
        if (p.window().dropPalette()->isVisible() && !isLucky(3)) {
            QTest::keyClicks(p.window().dropPalette()->findChild<QLineEdit*>(), isLucky(2) ? "re" : "");
            QTest::keyClick(p.window().dropPalette()->findChild<QLineEdit*>(), Qt::Key_Return);
        }
    }
    void key()
    {
        static constexpr std::array<Qt::Key, 16> kKeys{Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Up,   Qt::Key_Down,
                                                       Qt::Key_Return, Qt::Key_Escape, Qt::Key_Plus, Qt::Key_Minus,
                                                       Qt::Key_1,      Qt::Key_F,      Qt::Key_Home, Qt::Key_Delete,
                                                       Qt::Key_Space,  Qt::Key_A,      Qt::Key_L,    Qt::Key_M};
        const Qt::Key k = kKeys[static_cast<std::size_t>(random.bounded(static_cast<int>(kKeys.size())))];
        p.canvas().setFocus();
        const bool isShortcut = k == Qt::Key_A || k == Qt::Key_L;
        p.key(k, isShortcut ? Qt::ControlModifier : isLucky(4) ? Qt::ShiftModifier : Qt::NoModifier);
    }
    void wheel()
    {
        const QPoint at = anywhere();
        QWheelEvent event(at, viewport()->mapToGlobal(QPointF(at)), {}, {0, 120 * (random.bounded(3) - 1)},
                          Qt::NoButton, isLucky(2) ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(viewport(), &event);
    }
    void undo() { p.action("undo")->trigger(); }
    void redo() { p.action("redo")->trigger(); }
    void menu()
    {
        static const QStringList kIds{"duplicate", "delete", "mute",          "layout",      "fit",
                                      "minimap",   "search", "fit-selection", "lesson-card", "reset-layout"};
        p.action(kIds[random.bounded(static_cast<int>(kIds.size()))])->trigger();
    }
    void combo() { p.click(p.window().bar()->cell(random.bounded(4))); }
    void choice()
    {
        const auto fields = p.window().findChildren<ui::ToolField*>();
        ui::ToolField* field = fields[random.bounded(static_cast<int>(fields.size()))];
        p.click(field);
        if (ui::ChoicePopup* popup = field->popup()) {
            popup->list()->setCurrentRow(random.bounded(popup->list()->count()));
            QTest::keyClick(popup->list(), isLucky(4) ? Qt::Key_Escape : Qt::Key_Return);
        }
    }
    void search()
    {
        p.canvas().setFocus();
        p.key(Qt::Key_Tab);
        if (!p.window().search()->isVisible())
            return;
        static const QStringList kWords{"re", "conv", "in", "soft", "cast", "zzz", "d", "add"};
        QLineEdit* field = p.window().search()->field();
        QTest::keyClicks(field, kWords[random.bounded(static_cast<int>(kWords.size()))]);
        // Ops and nodes only: an action could open a dialog, a lesson would clear what is undone.
        const auto& found = p.window().search()->found();
        const bool isSafe = !found.empty() && (found.front().group == ui::SearchGroup::Ops ||
                                               found.front().group == ui::SearchGroup::Nodes);
        const bool isFull = p.document().graph().nodes().size() > 40;
        QTest::keyClick(field, isSafe && !isFull ? Qt::Key_Return : Qt::Key_Escape,
                        isLucky(2) ? Qt::ShiftModifier : Qt::NoModifier);
    }
    template <class Widget> Widget* anyIn(QWidget* parent)
    {
        QList<Widget*> shown;
        for (auto* w : parent->findChildren<Widget*>())
            if (w->isVisible() && w->isEnabled())
                shown << w;
        return shown.isEmpty() ? nullptr : shown[random.bounded(static_cast<int>(shown.size()))];
    }
    QWidget* rightDock() { return p.window().findChild<QDockWidget*>("right"); }
    void panel()
    {
        if (auto* box = anyIn<QComboBox>(rightDock()); box && box->count() > 0 && isLucky(2)) {
            const int row = random.bounded(box->count());
            box->setCurrentIndex(row);
            Q_EMIT box->activated(row);
        } else if (auto* check = anyIn<QCheckBox>(rightDock())) {
            p.click(check);
        }
    }
    void panelText()
    {
        auto* field = anyIn<QLineEdit>(rightDock());
        if (!field)
            return;
        static const QStringList kTexts{"3", "1", "0", "-1", "64", "2.5", "abc", "", "99999999999", "1e400"};
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, kTexts[random.bounded(static_cast<int>(kTexts.size()))]);
        QTest::keyClick(field, isLucky(4) ? Qt::Key_Escape : Qt::Key_Return);
    }
    void remedy()
    {
        QPushButton* button = nullptr;
        if (p.window().card()->isOpen() && isLucky(2))
            button = anyIn<QPushButton>(p.window().card());
        else if (p.window().refusalCard()->isOpen() && isLucky(2))
            button = anyIn<QPushButton>(p.window().refusalCard());
        else
            button = anyIn<QPushButton>(p.window().findings());
        if (button)
            p.click(button);
    }
    void clipboard()
    {
        p.canvas().setFocus();
        static const QStringList kIds{"copy", "cut", "paste"};
        const QString id = kIds[random.bounded(3)];
        if (id != "paste" || p.document().graph().nodes().size() < 40)
            p.action(id)->trigger();
    }
    void theme()
    {
        if (isLucky(6))
            p.action(isLucky(2) ? "theme-dark" : "theme-light")->trigger();
    }
    void tabs()
    {
        if (auto* bar = anyIn<QTabBar>(&p.window()))
            bar->setCurrentIndex(random.bounded(bar->count()));
    }
    void minimap()
    {
        ui::Minimap* map = p.canvas().minimap();
        if (map->isVisible())
            QTest::mouseClick(map, Qt::LeftButton, {}, {random.bounded(map->width()), random.bounded(map->height())});
    }
    void badge()
    {
        for (const auto& [id, node] : p.canvas().canvas().nodes())
            if (node->face().isRefused && isLucky(2)) {
                QTest::mouseClick(viewport(), Qt::LeftButton, {},
                                  p.inView(node->pos() + QPointF(node->body().width() - 20, 16)));
                return;
            }
    }
    void dragNumber()
    {
        auto* field = anyIn<ui::NumberField>(rightDock());
        if (!field)
            return;
        const QPoint at = field->rect().center();
        QTest::mousePress(field, Qt::LeftButton, {}, at);
        for (int i = 1; i < 6; ++i)
            QTest::mouseMove(field, at + QPoint(4 * i, 0));
        QTest::mouseRelease(field, Qt::LeftButton, {}, at + QPoint(24, 0));
    }
    // The same file again and again, as a user does.
    void save()
    {
        if (!isLucky(8))
            return;
        const auto saved = engine::saveDocument(p.document().value(), p.folder.filePath("now.mantissa").toStdString());
        if (!saved)
            qFatal("%s", saved.error().text().c_str());
    }
    void closeMenus()
    {
        while (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
    }

    Program& p;
    QRandomGenerator random;
    bool isDown = false;
};

} // namespace

class MonkeyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void walks_data()
    {
        QTest::addColumn<quint32>("seed");
        QTest::addColumn<int>("actions");
        const QStringList asked = qEnvironmentVariable("MANTISSA_MONKEY").split(':', Qt::SkipEmptyParts);
        if (asked.size() == 2) {
            QTest::newRow("asked") << asked[0].toUInt() << asked[1].toInt();
            return;
        }
#ifdef MANTISSA_SANITIZED
        constexpr int kActions = 5000;
#else
        constexpr int kActions = 600; // the sanitizers' build walks far
#endif
        QTest::newRow("1") << quint32{1} << kActions;
#ifndef MANTISSA_SANITIZED
        QTest::newRow("2") << quint32{2} << kActions;
#endif
    }
    void walks()
    {
        QFETCH(quint32, seed);
        QFETCH(int, actions);
        Program p;
        QVERIFY(p.settle());
        p.canvas().setMotion(ui::CanvasMotion::Instant);
        const engine::Document start = p.document().value();
        Monkey monkey(p, seed);
        for (int i = 0; i < actions; ++i) {
            monkey.act();
            const QString place = QString("seed %1, action %2, kind %3: ").arg(seed).arg(i).arg(monkey.last);
            const std::string broken = engine::brokenInvariant(p.document().value());
            QVERIFY2(broken.empty(), qPrintable(place + QString::fromStdString(broken)));
            const QString mirror = p.canvas().mirrorError();
            QVERIFY2(mirror.isEmpty(), qPrintable(place + mirror));
            const auto& results = p.app->snapshots().snapshot();
            QVERIFY2(!results || results->revision <= p.document().structureRevision(), qPrintable(place + "results"));
        }
        monkey.letGo();
        const QString path = p.folder.filePath("walk.mantissa");
        const engine::Document end = p.document().value();
        QVERIFY(engine::saveDocument(end, path.toStdString()).ok());
        const auto loaded = engine::loadDocument(path.toStdString());
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().text().c_str());
        QVERIFY(engine::equal(*loaded, end));
        const int steps = p.document().undoStack().index();
        QVERIFY(steps > actions / 50); // it did something
        while (p.document().undoStack().canUndo())
            p.document().undoStack().undo();
        QVERIFY(engine::equal(p.document().value(), start));
        QVERIFY(p.settle(60000));
        qInfo("%d steps, %zu nodes at the end", steps, end.graph.nodes().size());
    }
};

QTEST_MAIN(MonkeyTest)
#include "tst_monkey.moc"
