// Contact sheet of everything ui/style draws, in both themes at 1x and 2x, and of the widgets under the stylesheet.
// Set MANTISSA_SHEET_DIR to keep the pictures. What is asserted here is only that each cell is drawn and that no two
// levels, dtypes, stages or states look alike; tst_theme and tst_paint measure.
#include <QtWidgets>

#include <QtTest>

#include "ui/style/paint.h"
#include "ui/style/theme.h"
#include "ui/style/tokens_table.h"

using namespace ui;

class StyleSheet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void marks_data();
    void marks();
    void widgets_data();
    void widgets();
};

namespace {

constexpr int kWidth = 1100, kHeight = 660;

void keep(const QImage& image, const QString& name)
{
    const QString folder = qEnvironmentVariable("MANTISSA_SHEET_DIR");
    if (!folder.isEmpty())
        QVERIFY(image.save(folder + "/" + name + ".png"));
}

void addThemes()
{
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<int>("ratio");
    for (bool isDark : {true, false})
        for (int ratio : {1, 2})
            QTest::addRow("%s_%dx", isDark ? "dark" : "light", ratio) << isDark << ratio;
}

struct Sheet {
    QPainter& p;
    const Theme& t;
    double ratio;
    QList<QRect> cells; // parts that must differ from one another

    void text(double x, double y, const QString& words, const QFont& font, const QColor& color)
    {
        p.setFont(font);
        p.setPen(color);
        p.drawText(QPointF(x, y), words);
    }
    void heading(double x, double y, const QString& words)
    {
        text(x, y, words, uiFont(15, Weight::SemiBold), t.text.primary);
    }
    void caption(double x, double y, const QString& words) { text(x, y, words, uiFont(11), t.text.secondary); }
};

QPainterPath straight(double x, double y, double length)
{
    QPainterPath path(QPointF(x, y));
    path.lineTo(x + length, y);
    return path;
}

// As in the anatomy of a node, but for its text: body, header, slots and footer.
void drawNode(Sheet& s, QPointF at, bool isSelected, std::optional<double> local, std::optional<double> total)
{
    const QRectF body(at, QSizeF(240, 130));
    drawNodeShadow(s.p, body, s.t, isSelected);
    s.p.setPen(QPen(s.t.line.node, 1));
    s.p.setBrush(s.t.surface.node);
    s.p.drawRoundedRect(body, tokens::radius::kNode, tokens::radius::kNode);
    if (isSelected) {
        s.p.setPen(QPen(s.t.selection.ring, 2));
        s.p.setBrush(Qt::NoBrush);
        s.p.drawRoundedRect(body.adjusted(-2.5, -2.5, 2.5, 2.5), 10.5, 10.5);
    }
    s.p.drawPixmap(at + QPointF(12, 8), iconPixmap("conv2d", 16, s.t.text.primary, s.ratio));
    s.text(at.x() + 36, at.y() + 20.5, "conv2d_1", uiFont(13, Weight::SemiBold), s.t.text.primary);
    drawHealthPill(s.p, QRectF(at.x() + 184, at.y() + 12, 44, 8), {30, 0, 70, 0, 0}, s.t);
    s.caption(at.x() + 12, at.y() + 44, QString::fromUtf8("5×5 · 16 · relu"));
    s.p.setPen(QPen(s.t.line.hairline, 1));
    for (double y : {54.5, 106.5})
        s.p.drawLine(at + QPointF(0.5, y), at + QPointF(239.5, y));
    using engine::DType;
    const DType ran[] = {DType::bf16, DType::bf16, DType::f64, DType::f32, DType::i64};
    const char* const names[] = {"in", "w", "×", "Σ", "out"};
    for (int i = 0; i < 5; ++i) {
        const double x = at.x() + 12 + 43.2 * i;
        s.text(x, at.y() + 68, QString::fromUtf8(names[i]), uiFont(10, Weight::Medium), s.t.text.tertiary);
        if (i < 2) {
            s.text(x, at.y() + 82, "f32", monoFont(10), s.t.text.tertiary);
            drawSlotArrow(s.p, QPointF(x + 24, at.y() + 78), i == 0, i == 0 ? s.t.loss.key : s.t.text.secondary);
        }
        drawTag(s.p, QPointF(x, at.y() + 97), ran[i], s.t);
    }
    drawErrorBar(s.p, QRectF(at.x() + 12, at.y() + 116, 152, 4), local, total, s.t);
    s.text(at.x() + 190, at.y() + 122, QString::fromUtf8("2.1e−3"), monoFont(11), s.t.text.primary);
    const QColor wire = s.t.dtype(DType::bf16).line;
    drawPort(s.p, at + QPointF(0, 26), PortLook::Connected, wire, s.t);
    drawPort(s.p, at + QPointF(240, 26), isSelected ? PortLook::Missing : PortLook::Optional, wire, s.t);
}

void drawWires(Sheet& s)
{
    s.heading(30, 230, "Wires");
    for (int i = 0; i < engine::kDTypeCount; ++i) {
        const auto d = static_cast<engine::DType>(i);
        const double x = 30 + 250 * (i / 8), y = 254 + 26 * (i % 8);
        drawWire(s.p, straight(x, y, 88), d, s.t);
        drawTag(s.p, QPointF(x + 100, y + 4), d, s.t, 12);
        s.caption(x + 144, y + 4, QString::fromLatin1(engine::dtypeName(d).data()));
        if (d != engine::DType::tf32) // the wire of float32
            s.cells << QRect(static_cast<int>(x), static_cast<int>(y) - 8, 90, 16);
    }
    s.heading(30, 484, "The label is not the value");
    using engine::DType;
    const QList<QPair<DType, int>> pipes{{DType::f64, 53}, {DType::f64, 24}, {DType::f32, 8}, {DType::f16, 4}};
    for (int i = 0; i < pipes.size(); ++i) {
        const auto [d, bits] = pipes[i];
        const double y = 508 + 26 * i;
        drawWire(s.p, straight(30, y, 150), d, s.t, {.effectiveBits = bits});
        s.text(192, y + 4, wireTag(d, bits), monoFont(12), s.t.dtype(d).text);
    }
    drawWire(s.p, straight(280, 508, 110), DType::f32, s.t, {.isHovered = true});
    drawWire(s.p, straight(280, 534, 110), DType::f64, s.t, {.isSelected = true});
    drawWire(s.p, straight(280, 560, 110), DType::f64, s.t, {.effectiveBits = 24, .isSelected = true});
    QPainterPath curve(QPointF(280, 590));
    curve.cubicTo(340, 590, 340, 620, 400, 620);
    curve.lineTo(430, 620);
    drawWire(s.p, curve, DType::i32, s.t);
}

void drawDots(Sheet& s)
{
    s.heading(560, 40, "Coercion dots");
    const char* const names[] = {"exact", "small", "medium", "large", "overflow"};
    using engine::DType;
    const QPair<DType, DType> casts[] = {{DType::f32, DType::f64},
                                         {DType::f64, DType::f32},
                                         {DType::f32, DType::bf16},
                                         {DType::f32, DType::e4m3fn},
                                         {DType::f32, DType::f16}};
    for (int i = 0; i < 5; ++i) {
        const double y = 70 + 34 * i;
        drawWire(s.p, straight(560, y, 84), casts[i].first, s.t);
        drawWire(s.p, straight(644, y, 32), casts[i].second, s.t);
        drawPort(s.p, QPointF(676, y), PortLook::Connected, s.t.dtype(casts[i].second).line, s.t);
        drawDot(s.p, QPointF(644, y), static_cast<DotLevel>(i), s.t);
        s.caption(694, y + 4, names[i]);
        drawDot(s.p, QPointF(800 + 62 * i, 110 + (i % 2) * 60), static_cast<DotLevel>(i), s.t, {}, 2.6);
        s.cells << QRect(628, static_cast<int>(y) - 16, 32, 32);
    }
}

void drawBars(Sheet& s)
{
    s.heading(560, 260, "Stages, health, errors, status");
    const char* const stages[] = {"inherited", "storage", "cast", "arithmetic", "output"};
    s.p.fillRect(QRectF(560, 272, 500, 70), s.t.plot.background);
    for (int i = 0; i < 5; ++i) {
        const auto stage = static_cast<engine::Stage>(i);
        drawStage(s.p, QRectF(570 + 96 * i, 280, 10, 10), stage, s.t, 2);
        s.caption(585 + 96 * i, 289, stages[i]);
        drawStage(s.p, QRectF(570 + 90 * i, 304, 86, 20), stage, s.t, 2);
        s.cells << QRect(570 + 90 * i, 304, 86, 20);
    }
    const engine::Health healths[] = {{100, 0, 0, 0, 0}, {60, 0, 40, 0, 0}, {1000, 1, 0, 0, 0},
                                      {90, 5, 5, 1, 0},  {80, 5, 0, 0, 40}, {}};
    for (int i = 0; i < 6; ++i) {
        drawHealthPill(s.p, QRectF(570 + 60 * i, 360, 44, 8), healths[i], s.t);
        s.cells << QRect(570 + 60 * i, 360, 44, 8);
    }
    const QPair<std::optional<double>, std::optional<double>> errors[] = {
        {1e-16, 1e-14}, {8.3e-8, 3e-6}, {2.1e-3, 0.01}, {0.0, 1e-7}, {0.0, 0.0}, {std::nullopt, std::nullopt}, {2, 2}};
    for (int i = 0; i < 7; ++i)
        drawErrorBar(s.p, QRectF(570 + 170 * (i / 4), 390 + 18 * (i % 4), 152, 4), errors[i].first, errors[i].second,
                     s.t);
    for (int i = 0; i < 4; ++i) {
        s.p.drawPixmap(QPointF(930 + 28 * i, 392), statusIcon(static_cast<Status>(i), 16, s.t, s.ratio));
        s.p.drawPixmap(QPointF(930 + 28 * i, 420), statusIcon(static_cast<Status>(i), 20, s.t, s.ratio));
    }
    s.p.setPen(Qt::NoPen);
    s.p.setBrush(s.t.surface.node);
    s.p.drawRoundedRect(QRectF(930, 356, 120, 26), 8, 8);
    s.p.setBrush(mutedBrush(s.t, s.ratio));
    s.p.drawRoundedRect(QRectF(930, 356, 120, 26), 8, 8);
    for (int i = 0; i <= 170; ++i)
        s.p.fillRect(QRectF(570 + 2 * i, 468, 2, 8), s.t.lossAt(std::pow(10, -17 + i / 10.0)));
    s.caption(920, 476, elideMiddle("a_very_long_node_name_in_the_middle", uiFont(11), 120));
}

void drawIcons(Sheet& s)
{
    QDir icons(":/mantissa/icons");
    const QStringList names = icons.entryList({"*.svg"}, QDir::Files, QDir::Name);
    for (int i = 0; i < names.size(); ++i)
        s.p.drawPixmap(QPointF(560 + 25 * (i % 21), 494 + 25 * (i / 21)),
                       iconPixmap(QString(names[i]).chopped(4), 16, s.t.text.primary, s.ratio));
    s.p.drawPixmap(QRectF(560, 580, 64, 64), applicationIcon().pixmap(QSize(64, 64), s.ratio), {});
    s.p.drawPixmap(QRectF(640, 596, 32, 32), applicationIcon().pixmap(QSize(32, 32), s.ratio), {});
    for (const auto& [mode, x] :
         {qMakePair(QIcon::Normal, 690), qMakePair(QIcon::Active, 720), qMakePair(QIcon::Disabled, 750)})
        icon("conv2d", s.t).paint(&s.p, QRect(x, 600, 20, 20), Qt::AlignCenter, mode);
    s.text(790, 616, QString::fromUtf8("0.123456789 1e−17 -> !="), monoFont(12), s.t.text.primary);
    for (int i = 0; i < 3; ++i)
        s.text(790 + 90 * i, 640, "Weight " + QString::number(400 + 100 * i), uiFont(13, static_cast<Weight>(i)),
               s.t.text.primary);
}

} // namespace

void StyleSheet::marks_data()
{
    addThemes();
}

void StyleSheet::marks()
{
    QFETCH(bool, isDark);
    QFETCH(int, ratio);
    const Theme& theme = isDark ? darkTheme() : lightTheme();
    loadFonts();
    QImage image(kWidth * ratio, kHeight * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.surface.canvas);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    Sheet sheet{painter, theme, static_cast<double>(ratio), {}};
    sheet.heading(30, 30, "Nodes");
    drawNode(sheet, QPointF(30, 50), false, 2.1e-3, 0.01);
    drawNode(sheet, QPointF(296, 50), true, 0.0, 3e-8);
    drawWires(sheet);
    drawDots(sheet);
    drawBars(sheet);
    drawIcons(sheet);
    painter.end();
    keep(image, QString("marks_") + QTest::currentDataTag());
    QSet<QByteArray> seen;
    for (const QRect& cell : sheet.cells) {
        QImage part = image.copy(QRect(cell.topLeft() * ratio, cell.size() * ratio));
        part.setDevicePixelRatio(1);
        const QByteArray bytes(reinterpret_cast<const char*>(part.constBits()), part.sizeInBytes());
        QVERIFY2(!seen.contains(bytes), qPrintable(QString("a twin at %1, %2").arg(cell.x()).arg(cell.y())));
        seen.insert(bytes);
    }
}

void StyleSheet::widgets_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::newRow("dark") << true;
    QTest::newRow("light") << false;
}

void StyleSheet::widgets()
{
    QFETCH(bool, isDark);
    ThemeManager manager;
    manager.choose(isDark ? ThemeChoice::Dark : ThemeChoice::Light);
    const Theme& theme = manager.theme();
    QMainWindow window;
    window.resize(1100, 640);
    window.menuBar()->addMenu("File");
    window.menuBar()->addMenu("Edit");
    QToolBar* bar = window.addToolBar("Main");
    bar->setIconSize(QSize(20, 20));
    for (const char* name : {"undo", "redo", "live", "run"}) {
        QAction* action = bar->addAction(icon(name, theme), name);
        action->setCheckable(qstrcmp(name, "live") == 0);
        action->setChecked(action->isCheckable());
        action->setEnabled(qstrcmp(name, "redo") != 0);
    }
    auto* list = new QListWidget;
    for (const char* op : {"conv2d", "dense", "relu", "softmax", "flatten", "cast", "identity", "bias_add"})
        list->addItem(new QListWidgetItem(icon(iconOfOp(op), theme), op));
    list->setCurrentRow(1);
    auto* ops = new QDockWidget("Ops");
    ops->setWidget(list);
    window.addDockWidget(Qt::LeftDockWidgetArea, ops);
    auto* form = new QWidget;
    auto* layout = new QFormLayout(form);
    layout->addRow("Filters", new QLineEdit("32"));
    auto* wrong = new QLineEdit("0");
    wrong->setProperty("invalid", true);
    layout->addRow("Kernel", wrong);
    auto* combo = new QComboBox;
    combo->addItem("valid");
    layout->addRow("Padding", combo);
    auto* check = new QCheckBox("Show the a-priori bound");
    check->setChecked(true);
    layout->addRow(check);
    layout->addRow(new QCheckBox("Log axis"));
    auto* primary = new QPushButton("Accumulate in float32");
    primary->setProperty("look", "primary");
    auto* quiet = new QPushButton("Accept");
    quiet->setProperty("look", "quiet");
    auto* off = new QPushButton("Disabled");
    off->setEnabled(false);
    for (QPushButton* b : {primary, new QPushButton("Make it a Cast node"), quiet, off})
        layout->addRow(b);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(60);
    layout->addRow("Opacity", slider);
    auto* progress = new QProgressBar;
    progress->setValue(60);
    layout->addRow("Run", progress);
    auto* tabs = new QTabWidget;
    tabs->addTab(form, "Node");
    tabs->addTab(new QWidget, "Tensor");
    auto* node = new QDockWidget("Node");
    node->setWidget(tabs);
    window.addDockWidget(Qt::RightDockWidgetArea, node);
    auto* table = new QTableWidget(6, 3);
    table->setHorizontalHeaderLabels({"Tensor", "in the file", "lost"});
    table->verticalHeader()->hide();
    for (int i = 0; i < 6; ++i)
        table->setItem(i, 0, new QTableWidgetItem(QString("conv%1.weight").arg(i)));
    window.setCentralWidget(table);
    window.statusBar()->showMessage("4 nodes");
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const QImage image = window.grab().toImage();
    keep(image, QString("widgets_%1_%2x").arg(isDark ? "dark" : "light").arg(image.devicePixelRatio()));
    QCOMPARE(image.pixelColor(image.width() - 3, 3), theme.surface.window);
}

QTEST_MAIN(StyleSheet)
#include "tst_style_sheet.moc"
