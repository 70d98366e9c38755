// The pictures of the program: the states of the look's pictures in the real window, driven by mouse and keys. Writes
// NAME_dark.png and NAME_light.png into the folder that MANTISSA_SHOTS names; ./dev.sh shots runs it at 1x and 2x.
#include "tests/ui/app_fixture.h"

#include "ui/document/remedies.h"
#include "ui/panels/choice_popup.h"
#include "ui/panels/lesson_card.h"
#include "ui/panels/number_field.h"
#include "ui/panels/precision_bar.h"
#include "ui/panels/refusal_card.h"
#include "ui/panels/tool_field.h"

using namespace program;
using engine::Combo;
using engine::DType;

namespace {

class Photographer {
public:
    explicit Photographer(ui::ThemeChoice theme) : m_suffix(theme == ui::ThemeChoice::Dark ? "_dark" : "_light")
    {
        m_program.app->theme().choose(theme);
    }

    void takeAll()
    {
        seed();
        refused();
        search();
        drop();
        controls();
        anatomy();
        lenet();
        states();
    }

private:
    void take(const QString& name)
    {
        QTest::qWait(450); // motion ends
        const QString folder = qEnvironmentVariable("MANTISSA_SHOTS", ".");
        const QPixmap whole = m_program.window().screen()->grabWindow(
            0, m_program.window().x(), m_program.window().y(), m_program.window().width(), m_program.window().height());
        if (!whole.save(folder + '/' + name + m_suffix + ".png"))
            qFatal("cannot write %s into %s", qPrintable(name), qPrintable(folder));
    }
    void open(const QString& lesson)
    {
        m_program.document().undoStack().clear();
        if (!m_program.window().openLesson(Program::lesson(lesson)) || !m_program.settle())
            qFatal("%s does not run", qPrintable(lesson));
        QTest::qWait(400);
    }
    void set(const std::string& dialect, Combo combo)
    {
        engine::RunSettings s = m_program.settings();
        s.dialect = dialect;
        s.combo = combo;
        (void)m_program.document().apply(engine::SetSettings{s}, "Settings");
        m_program.settle();
    }
    ui::GraphView& canvas() { return m_program.canvas(); }
    ui::MainWindow& window() { return m_program.window(); }
    void rest(QPointF scene) // the pointer
    {
        QTest::mouseMove(canvas().viewport(), m_program.inView(scene));
        QTest::qWait(500);
    }
    void away() { QTest::mouseMove(canvas().viewport(), {20, 20}); }

    void seed()
    {
        open("seed");
        window().plots()->showPage(window().plots()->distribution());
        rest(canvas().canvas().edge({kConv, "input"})->wire().dot);
        take("a_seed");
        away();
        window().card()->dismiss();
        window().plots()->showPage(window().plots()->byLayer());
        take("by_layer");
        window().plots()->showPage(window().plots()->stages());
    }
    void refused()
    {
        open("seed");
        set("explicit", {DType::f64, DType::f32});
        QTest::keyClick(&canvas(), Qt::Key_Return); // on the selected node
        const ui::NodeItem* node = canvas().canvas().node(kConv);
        window().plots()->showPage(window().findings());
        window().refusalCard()->open(kConv, canvas().globalRect(node->body()), canvas().globalRect(node->body()));
        take("a0_refused");
        window().refusalCard()->dismiss();
    }
    void search()
    {
        open("seed");
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Tab);
        QTest::qWait(100);
        QTest::keyClicks(QApplication::focusWidget(), "con");
        take("e1_search");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    }
    void drop()
    {
        open("seed");
        const QPoint from = m_program.inView(canvas().canvas().portAt({kInput, ui::kOutputPort}));
        QTest::mousePress(canvas().viewport(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 10; ++i)
            QTest::mouseMove(canvas().viewport(), from + QPoint(16 * i, 12 * i));
        take("e2_pull");
        QTest::mouseRelease(canvas().viewport(), Qt::LeftButton, {}, from + QPoint(160, 120));
        take("e2_drop");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    }
    void controls()
    {
        open("seed");
        for (ui::ToolField* field : window().findChildren<ui::ToolField*>()) {
            Program::click(field);
            take("i_controls_" + field->accessibleName().section(':', 0, 0).toLower());
            field->popup()->close();
        }
        QMenu* pairs = window().bar()->pairMenu();
        pairs->popup(window().bar()->mapToGlobal(QPoint(560, 50)));
        take("i_controls_pairs");
        pairs->close();
        m_program.app->selection().clear();
        take("i_controls_empty");
        QTest::mouseMove(window().bar()->cell(3), {20, 10});
        QMenu* view = window().menuBar()->actions().value(2)->menu();
        view->popup(window().mapToGlobal(QPoint(100, 28)));
        take("i_controls_menu");
        view->close();
        window().showError({"file-read", "digits.mantissa", "the zip ends in the middle of tensors/digits.npy",
                            "copy the file again, or open another"});
        take("i_controls_notice");
        window().notice()->dismiss();
        Program::click(window().findChild<QToolButton*>("rail-fold"));
        take("i_controls_rail");
        Program::click(window().findChild<QToolButton*>("rail-ops"));
        m_program.app->selection().select(kConv);
        QTest::qWait(100);
        const QPointer filters = window().findChild<QDockWidget*>("right")->findChild<ui::NumberField*>();
        filters->setFocus();
        filters->selectAll();
        QTest::keyClicks(filters, "0");
        QTest::keyClick(filters, Qt::Key_Return);
        take("i_controls_invalid");
        if (filters)
            QTest::keyClick(filters, Qt::Key_Escape);
    }
    void anatomy()
    {
        open("seed");
        const QRectF body = canvas().canvas().node(kConv)->body();
        window().lessonCard()->open(false);
        for (const char* dock : {"left", "right", "bottom"})
            window().findChild<QDockWidget*>(dock)->hide();
        m_program.action("minimap")->trigger();
        QTest::qWait(100);
        canvas().setZoom(4, canvas().viewport()->rect().center());
        canvas().centerOn(body.center());
        take("c1_anatomy");
        m_program.action("minimap")->trigger();
        m_program.action("reset-layout")->trigger();
        QTest::qWait(200);
    }
    void lenet()
    {
        open("lenet_digits");
        set("keras_tf26", {DType::f64, DType::f32});
        window().lessonCard()->open(false);
        canvas().autoLayout();
        QTest::qWait(400);
        canvas().zoomToFit();
        window().plots()->showPage(window().plots()->byLayer());
        take("k_qt_lenet");
    }
    // Layers of their own dtypes, one muted, at each level of detail.
    void states()
    {
        const std::array<const char*, 5> dtypes{"float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float64"};
        std::size_t next = 0;
        engine::NodeId middle;
        for (const engine::NodeId id : m_program.document().graph().topologicalOrder()) {
            engine::Node node = *m_program.document().graph().find(id);
            const bool isLayer = node.op == "conv2d" || node.op == "dense" || node.op == "relu";
            if (!isLayer && node.op != "max_pooling2d" && node.op != "average_pooling2d")
                continue;
            node.slots = {};
            node.layerDtype = engine::dtypeFromName(dtypes[next / 2 % dtypes.size()]);
            node.muted = next == 4;
            if (++next == 3)
                middle = id;
            if (const auto status = m_program.document().apply(engine::ReplaceNode{node}, "Layer dtype"); !status)
                qFatal("%s", status.error().text().c_str());
        }
        m_program.settle();
        window().lessonCard()->open(false);
        canvas().zoomToFit();
        take("c2_states");
        for (const auto& [zoom, name] : {std::pair{1.0, "100"}, {0.5, "50"}, {0.25, "25"}, {0.1, "10"}}) {
            canvas().setZoom(zoom, canvas().viewport()->rect().center());
            canvas().centerOn(canvas().canvas().node(middle)->body().center());
            take(QString("c2_states_%1").arg(name));
        }
    }

    Program m_program;
    QString m_suffix;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication qt(argc, argv);
    QApplication::setApplicationName("Mantissa");
    for (const ui::ThemeChoice theme : {ui::ThemeChoice::Dark, ui::ThemeChoice::Light})
        Photographer(theme).takeAll();
    return 0;
}
