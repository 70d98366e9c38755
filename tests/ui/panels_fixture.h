// What the tests of the panels share: a document with the seed lesson, its plan and its runs by the real engine, and a
// theme. Results cross as they do in the program: through the stores.
#pragma once

#include <QtTest>
#include <QtWidgets>

#include "engine/dialects/dialects.h"
#include "engine/document/document_file.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "engine/run/plan_view.h"
#include "ui/panels/panel_context.h"

namespace panels {

inline constexpr engine::NodeId kInput{1}, kConv{2}, kOutput{3}; // of the seed lesson

struct Fixture {
    ui::GraphDocument document;
    ui::Selection selection{document};
    ui::SnapshotStore snapshots;
    ui::PlanStore plans;
    ui::ThemeManager theme;
    engine::Planner planner = engine::makePlanner(engine::opCatalog(), engine::dialectCatalog());
    ui::PanelContext context{document, selection, snapshots, plans, theme, engine::opCatalog()};

    Fixture()
    {
        ui::loadFonts();
        theme.choose(ui::ThemeChoice::Light);
        QObject::connect(&document, &ui::GraphDocument::structureChanged, &document, [this] { plan(); });
        QObject::connect(&document, &ui::GraphDocument::documentReset, &document, [this] { plan(); });
    }

    void openLesson(const std::string& name = "seed")
    {
        const std::string path = MANTISSA_SOURCE_DIR "/resources/lessons/" + name + ".mantissa";
        engine::Result<engine::Document> loaded = engine::loadDocument(path);
        if (!loaded)
            qFatal("%s", loaded.error().text().c_str());
        document.replace(std::move(*loaded), {});
    }

    engine::RunRequest request() const
    {
        const engine::Document& d = document.value();
        engine::RunRequest r;
        r.revision = document.structureRevision();
        r.graph = d.graph;
        r.arrays = engine::resolveArrays(d, {}).arrays;
        r.floatx = d.settings.floatx;
        r.backend = d.settings.backend;
        r.configurations.push_back({d.settings.dialect, d.settings.combo});
        for (const engine::Combo& combo : engine::kFourCombos)
            if (!(combo == d.settings.combo))
                r.configurations.push_back({d.settings.dialect, combo});
        r.batch = {0, 4};
        return r;
    }

    void plan()
    {
        snapshots.setWanted(document.structureRevision());
        const engine::RunRequest r = request();
        plans.set(planner(r, r.configurations.front()));
    }

    void run()
    {
        static engine::LocalRunner runner(engine::opCatalog(), engine::dialectCatalog(), {.threads = 2});
        auto snapshot = runner.run(request(), {});
        if (!snapshot)
            qFatal("%s", snapshot.error().text().c_str());
        QSignalSpy changed(&snapshots, &ui::SnapshotStore::changed);
        snapshots.put(*snapshot);
        for (int i = 0; changed.isEmpty() && i < 100; ++i)
            QTest::qWait(10);
        QTest::qWait(ui::SnapshotStore::kAnnounceMs + 5);
    }

    const engine::Node& node(engine::NodeId id) const { return *document.graph().find(id); }
    int steps() { return document.undoStack().index(); }
    QString lastStep() { return document.undoStack().undoText(); }
};

// Shown, in front, and with the focus.
inline bool present(QWidget& widget, QSize size)
{
    widget.resize(size);
    widget.show();
    widget.activateWindow();
    return QTest::qWaitForWindowExposed(&widget);
}

// Pixels of this colour, exactly, in what the widget paints.
inline int pixelsOf(QWidget& widget, const QColor& color)
{
    const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == color.rgb();
    return count;
}

// With MANTISSA_SHEET_DIR set, keeps a picture of the widget.
inline void keep(QWidget& widget, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("MANTISSA_SHEET_DIR"); !folder.isEmpty())
        widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

} // namespace panels
