// The composition root: makes the catalogue, the runner and the window's owners, and introduces them to one another.
#pragma once

#include "app/live_link.h"
#include "ui/window/main_window.h"

#include <memory>

namespace app {

struct ApplicationOptions {
    QString lessonFolder;   // empty: searched beside the program and in the source tree
    QString settingsFile;   // empty: the user's
    QString recoveryFolder; // empty: the user's
};

class Application {
public:
    explicit Application(const ApplicationOptions& options = {});
    ~Application();
    ui::MainWindow& window() { return *m_window; }
    ui::GraphDocument& document() { return *m_document; }
    ui::Selection& selection() { return *m_selection; }
    ui::SnapshotStore& snapshots() { return *m_snapshots; }
    ui::PlanStore& plans() { return *m_plans; }
    ui::ThemeManager& theme() { return *m_theme; }
    LiveLink& live() { return *m_live; }
    // The document at start: the named file, else the last one, else the seed lesson.
    void openFirst(const QString& path);

private:
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<ui::ThemeManager> m_theme;
    std::unique_ptr<ui::GraphDocument> m_document;
    std::unique_ptr<ui::Selection> m_selection;
    std::unique_ptr<ui::SnapshotStore> m_snapshots;
    std::unique_ptr<ui::PlanStore> m_plans;
    std::unique_ptr<ui::RecentFiles> m_recent;
    std::unique_ptr<ui::FileSession> m_files;
    std::unique_ptr<ui::RunController> m_controller;
    std::unique_ptr<LiveLink> m_live;
    QString m_lessonFolder;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace app
