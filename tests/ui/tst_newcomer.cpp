// The walk of a newcomer through the real program, with mouse and keys: the seed lesson's silent cast, the dialect that
// forbids it, the remedy, all four combos, undo, save, reopen. What the window shows is compared with what mantissa-cli
// prints. With MANTISSA_SHOTS set, keeps a picture of every step.
#include "tests/ui/app_fixture.h"

#include "ui/panels/choice_popup.h"
#include "ui/panels/node_numbers.h"
#include "ui/panels/tool_field.h"

#include <nlohmann/json.hpp>

using namespace program;
using engine::Combo;
using engine::DType;

namespace {

constexpr Combo kSeedCombo{DType::f64, DType::f32};

// rel_l2 of a node by what the command line prints for a file; -1: no such run.
class Printed {
public:
    explicit Printed(const QString& file)
    {
        QProcess cli;
        cli.start(MANTISSA_CLI, {"run", file, "--combo", "all", "--json"});
        if (!cli.waitForFinished(60000))
            qFatal("mantissa-cli did not end");
        m_report = nlohmann::json::parse(cli.readAllStandardOutput().toStdString());
    }
    double relL2(const Combo& combo, const std::string& node) const
    {
        const std::string wanted =
            std::string(engine::dtypeName(combo.input)) + ":" + std::string(engine::dtypeName(combo.weight));
        for (const auto& run : m_report["runs"])
            if (comboName(run["combo"]) == wanted)
                for (const auto& n : run["nodes"])
                    if (n["name"] == node && !n["error"].is_null())
                        return n["error"]["rel_l2"].get<double>();
        return -1;
    }

private:
    static std::string comboName(const nlohmann::json& combo)
    {
        if (combo.is_string())
            return combo.get<std::string>();
        return combo.at("input").get<std::string>() + ":" + combo.at("weight").get<std::string>();
    }
    nlohmann::json m_report;
};

ui::ToolField* field(ui::MainWindow& window, const QString& caption)
{
    for (auto* f : window.findChildren<ui::ToolField*>())
        if (f->accessibleName().contains(caption))
            return f;
    qFatal("no field %s", qPrintable(caption));
}

void choose(ui::MainWindow& window, const QString& caption, const QString& title)
{
    ui::ToolField* f = field(window, caption);
    Program::click(f);
    QListWidget* list = f->popup()->list();
    for (int row = 0; row < list->count(); ++row)
        if (list->item(row)->data(Qt::AccessibleTextRole).toString().startsWith(title) ||
            list->item(row)->text().startsWith(title)) {
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
            return;
        }
    qFatal("no choice %s", qPrintable(title));
}

QPushButton* remedyButton(ui::FindingsPanel& panel, const QString& title)
{
    for (ui::FindingRow* row : panel.rows())
        for (QPushButton* b : row->remedyButtons())
            if (b->text().contains(title))
                return b;
    return nullptr;
}

} // namespace

class NewcomerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_program = std::make_unique<Program>();
        QVERIFY(m_program->settle());
    }
    void cleanupTestCase() { m_program.reset(); }

    // First start: the seed lesson under tf.keras, input float64, weights float32.
    void seedOpens()
    {
        Program& p = *m_program;
        QCOMPARE(p.settings().dialect, std::string("keras_tf26"));
        QVERIFY(p.settings().combo == kSeedCombo);
        QVERIFY(p.window().windowTitle().contains("Is it float64?"));
        QVERIFY(!p.window().isWindowModified());
        QVERIFY2(p.canvas().mirrorError().isEmpty(), qPrintable(p.canvas().mirrorError()));
        m_start = p.document().value();
        p.keep("1_seed");
    }

    // The dot is filled, of the smallest loss, where the wire changes from float64 to float32.
    void dotIsFilled()
    {
        Program& p = *m_program;
        const ui::EdgeItem* edge = p.canvas().canvas().edge({kConv, "input"});
        QVERIFY(edge && edge->cast());
        QVERIFY(edge->cast()->from == DType::f64 && edge->cast()->to == DType::f32);
        QVERIFY(edge->cast()->level == ui::DotLevel::Small);
        const QPoint dot = p.inView(edge->wire().dot);
        const QColor rose = ui::darkTheme().loss.key;
        QVERIFY(pixelsOf(*p.canvas().viewport(), QRect(dot - QPoint(4, 4), QSize(9, 9)), rose) > 40);
        const QColor before = ui::darkTheme().dtype(DType::f64).line, after = ui::darkTheme().dtype(DType::f32).line;
        QVERIFY(pixelsOf(*p.canvas().viewport(), QRect(dot - QPoint(30, 4), QSize(20, 9)), before, 40) > 5);
        QVERIFY(pixelsOf(*p.canvas().viewport(), QRect(dot + QPoint(9, -4), QSize(12, 9)), after, 40) > 5);
    }

    // Its card opens where the pointer rests. 2720 of 25088 is counted by NumPy:
    // the pixels k/255 that float32 does not hold.
    void cardTellsWho()
    {
        Program& p = *m_program;
        const ui::EdgeItem* edge = p.canvas().canvas().edge({kConv, "input"});
        QTest::mouseMove(p.canvas().viewport(), p.inView(edge->wire().dot));
        QTRY_VERIFY(p.window().card()->isOpen());
        const ui::CastFacts& facts = p.window().card()->facts();
        QString counted = facts.changed;
        QVERIFY2(counted.remove(QChar(0x202f)).remove(u' ').contains("2720/25088"), qPrintable(facts.changed));
        QVERIFY2(facts.changed.startsWith("10.8"), qPrintable(facts.changed));
        QCOMPARE(facts.kept, QString("24 of 53 significand bits kept"));
        QCOMPARE(facts.lost, QString("29 bits lost"));
        QVERIFY2(facts.decided.contains("float32"), qPrintable(facts.decided));
        const QRect body = p.canvas().globalRect(p.canvas().canvas().node(kConv)->body());
        const QRect card(p.window().card()->mapToGlobal(QPoint()), p.window().card()->size());
        QVERIFY(!card.intersects(body)); // the node it explains stays seen
        p.keep("2_card");
        QTest::keyClick(p.window().card(), Qt::Key_Escape);
        QTRY_VERIFY(!p.window().card()->isOpen());
    }

    // Cells, plots and panel show the numbers that the command line prints.
    void numbersAreTheOnesPrinted()
    {
        Program& p = *m_program;
        const Printed printed(Program::lesson("seed"));
        for (int i = 0; i < 4; ++i) {
            const Combo combo = engine::kFourCombos[static_cast<std::size_t>(i)];
            const double shown = p.relL2(combo, kOutput), cli = printed.relL2(combo, "output");
            QVERIFY(cli > 0);
            QVERIFY2(shown == cli,
                     qPrintable(QString("%1: %2 against %3").arg(i).arg(shown, 0, 'g', 17).arg(cli, 0, 'g', 17)));
            // Two significant digits, as the toolbar writes them.
            const int exponent = static_cast<int>(std::floor(std::log10(cli)));
            const QString digits = QString::number(cli / std::pow(10.0, exponent), 'f', 1);
            const QString text = p.window().bar()->cell(i)->state().text;
            QVERIFY2(text.startsWith(digits), qPrintable(text + " for " + digits));
        }
        QVERIFY(p.relL2({DType::f64, DType::f64}, kOutput) < 1e-15); // what pressing f64 x f64 would give
    }

    void plotsShowTheFour()
    {
        Program& p = *m_program;
        const ui::MatrixData& data = p.window().plots()->matrix()->data();
        QCOMPARE(data.cells.size(), 4);
        for (const ui::MatrixCell& cell : data.cells)
            QVERIFY(cell.value.has_value());
    }

    // explicit casts nothing by itself: conv1 is refused, and so are its two combos with unequal dtypes.
    void explicitRefuses()
    {
        Program& p = *m_program;
        choose(p.window(), "Dialect", "Explicit");
        QCOMPARE(p.settings().dialect, std::string("explicit"));
        QVERIFY(p.settle());
        QVERIFY(p.window().findings()->errorCount() >= 1);
        QVERIFY(p.window().bar()->cell(2)->state().kind == ui::ComboStateKind::Refused);
        QVERIFY(p.window().bar()->cell(0)->state().kind == ui::ComboStateKind::Value);
        QCOMPARE(p.canvas().canvas().node(kConv)->face().isRefused, true);
        QCOMPARE(p.canvas().canvas().node(kOutput)->face().isBlocked, true);
        p.keep("3_refused");
    }

    void widestRunsAll()
    {
        Program& p = *m_program;
        p.window().plots()->showPage(p.window().findings());
        QPushButton* widest = remedyButton(*p.window().findings(), "widest");
        QVERIFY(widest);
        p.click(widest);
        QVERIFY(p.settle());
        for (int i = 0; i < 4; ++i)
            QVERIFY2(p.window().bar()->cell(i)->state().kind == ui::ComboStateKind::Value,
                     qPrintable(QString::number(i)));
        QCOMPARE(p.window().findings()->errorCount(), 0);
        // float64 input, float32 weights, computed in float64: what is left is the stored weights' 2^-25 or so.
        const double mixed = p.relL2(kSeedCombo, kConv);
        QVERIFY(mixed > 1e-9 && mixed < 6e-8);
        p.keep("4_widest");
    }

    void undoTwice()
    {
        Program& p = *m_program;
        p.key(Qt::Key_Z, Qt::ControlModifier);
        p.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(engine::equal(p.document().value(), m_start));
        QVERIFY(!p.window().isWindowModified());
        QVERIFY(p.settle());
        QVERIFY(p.window().bar()->cell(2)->state().kind == ui::ComboStateKind::Value);
        p.keep("5_undone");
    }

    // Save asks where, as a lesson has no file of its own; what was saved opens as what it was.
    void saveAndReopen()
    {
        Program& p = *m_program;
        const QString path = p.folder.filePath("mine.mantissa");
        const auto answer = namedFile(path);
        p.key(Qt::Key_S, Qt::ControlModifier);
        QVERIFY(QFile::exists(path));
        QCOMPARE(p.document().path(), path);
        p.key(Qt::Key_4, Qt::ControlModifier); // float64 x float64
        QVERIFY(p.settings().combo == (Combo{DType::f64, DType::f64}));
        QVERIFY(p.window().isWindowModified());
        p.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(p.window().openFile(path));
        QVERIFY(engine::equal(p.document().value(), m_start));
        QVERIFY(p.settle());
        p.keep("6_reopened");
    }

private:
    std::unique_ptr<Program> m_program;
    engine::Document m_start;
};

QTEST_MAIN(NewcomerTest)
#include "tst_newcomer.moc"
