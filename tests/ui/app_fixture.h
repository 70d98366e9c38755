// What the tests of the whole program share: the real application with settings and recovery of its own, its window
// driven by mouse and key events, and waits for what the program does by itself.
#pragma once

#include <QtTest>
#include <QtWidgets>

#include "app/application.h"
#include "engine/document/document_file.h"
#include "ui/panels/cast_card.h"
#include "ui/panels/combo_cell.h"
#include "ui/panels/findings_panel.h"
#include "ui/plots/plot_panel.h"
#include "ui/scene/graph_view.h"
#include "ui/window/notice_bar.h"

namespace program {

inline constexpr engine::NodeId kInput{1}, kConv{2}, kOutput{3}; // of the seed lesson

struct Program {
    QTemporaryDir folder;
    std::unique_ptr<app::Application> app;

    explicit Program(const QString& first = {}, QSize size = {1440, 900})
    {
        app = std::make_unique<app::Application>(
            app::ApplicationOptions{{}, folder.filePath("settings.ini"), folder.filePath("data")});
        window().resize(size);
        app->theme().choose(ui::ThemeChoice::Dark);
        window().show();
        QApplication::setActiveWindow(&window());
        app->openFirst(first);
        QCoreApplication::processEvents();
    }
    ~Program() { app->document().markSaved(app->document().path()); } // no question at the end

    ui::MainWindow& window() { return app->window(); }
    ui::GraphDocument& document() { return app->document(); }
    ui::GraphView& canvas() { return *window().canvas(); }
    const engine::RunSettings& settings() { return document().value().settings; }

    static QString lesson(const QString& name)
    {
        return MANTISSA_SOURCE_DIR "/resources/lessons/" + name + ".mantissa";
    }

    // Everything of the document's current revision is there: all runs and their stages.
    bool isSettled()
    {
        const auto& s = app->snapshots().snapshot();
        return s && !app->snapshots().isStale() && !app->snapshots().isRunning() && !s->partial;
    }
    bool settle(int ms = 30000)
    {
        return QTest::qWaitFor([this] { return isSettled(); }, ms);
    }

    // A press of the left button where a widget is.
    static void click(QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton, {}, widget->rect().center()); }
    QPoint inView(QPointF scene) { return canvas().mapFromScene(scene); }
    void clickCanvas(QPointF scene) { QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, inView(scene)); }
    // A key on what has the focus. The offscreen platform does not make the window active again after a popup.
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QApplication::setActiveWindow(&window());
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window(), key, modifiers);
    }
    QAction* action(const QString& id)
    {
        auto* found = window().findChild<QAction*>(id);
        if (!found)
            qFatal("no action %s", qPrintable(id));
        return found;
    }
    double relL2(const engine::Combo& combo, engine::NodeId id)
    {
        const engine::RunResult* run = app->snapshots().runOf(combo);
        if (run)
            for (const engine::NodeResult& n : run->nodes)
                if (n.id == id && n.error)
                    return n.error->relL2.value_or(-1);
        return -1;
    }
    // Keeps a picture of the window where MANTISSA_SHOTS names a folder.
    void keep(const QString& name)
    {
        if (const QString shots = qEnvironmentVariable("MANTISSA_SHOTS"); !shots.isEmpty()) {
            QTest::qWait(400); // motion ends
            window().grab().save(shots + QLatin1Char('/') + name + QStringLiteral(".png"));
        }
    }
};

// Does something with the next dialog of this kind, when it is there: for what opens one and waits.
template <class Dialog> class WithDialog : public QObject {
public:
    explicit WithDialog(std::function<void(Dialog&)> act)
    {
        connect(&m_timer, &QTimer::timeout, this, [this, act = std::move(act)] {
            auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
            if (!dialog || !dialog->isVisible())
                return;
            m_timer.stop();
            wasThere = true;
            act(*dialog);
        });
        m_timer.start(5);
    }
    bool wasThere = false;

private:
    QTimer m_timer;
};

// Types a path into the next file dialog and accepts it.
inline auto namedFile(const QString& path)
{
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    return std::make_unique<WithDialog<QFileDialog>>([path](QFileDialog& dialog) {
        dialog.setDirectory(QFileInfo(path).absolutePath());
        dialog.selectFile(QFileInfo(path).fileName());
        QMetaObject::invokeMethod(&dialog, "accept");
    });
}

// Pixels of this colour in a part of a widget: exactly, or with each channel off by at most `slack` (thin lines are
// smoothed).
inline int pixelsOf(QWidget& widget, const QRect& area, const QColor& color, int slack = 0)
{
    const QImage image = widget.grab(area).toImage().convertToFormat(QImage::Format_RGB32);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (const QColor c = image.pixelColor(x, y); std::abs(c.red() - color.red()) <= slack &&
                                                         std::abs(c.green() - color.green()) <= slack &&
                                                         std::abs(c.blue() - color.blue()) <= slack)
                ++count;
    return count;
}

} // namespace program
