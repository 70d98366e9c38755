#include "app/application.h"

#include "engine/dialects/dialects.h"
#include "engine/document/document_file.h"
#include "engine/ops/ops.h"
#include "engine/run/backend.h"
#include "engine/run/local_runner.h"
#include "engine/run/plan_view.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

namespace app {

namespace {

QString findLessons(const QString& wished)
{
    const QString program = QCoreApplication::applicationDirPath();
    for (const QString& folder : {wished, program + "/../share/mantissa/lessons",
                                  program + "/../../../resources/lessons", QString(MANTISSA_LESSONS)})
        if (!folder.isEmpty() && QDir(folder).exists())
            return QDir(folder).canonicalPath();
    return {};
}

QList<ui::LessonInfo> lessonsIn(const QString& folder)
{
    QList<ui::LessonInfo> lessons;
    for (const QFileInfo& file : QDir(folder).entryInfoList({"*.mantissa"}, QDir::Files, QDir::Name))
        if (auto d = engine::loadDocument(file.absoluteFilePath().toStdString()))
            lessons.append(
                {file.absoluteFilePath(), QString::fromStdString(d->title), QString::fromStdString(d->about)});
    return lessons;
}

QString text(std::string_view s)
{
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QList<ui::DialectChoice> dialectChoices()
{
    QList<ui::DialectChoice> list;
    for (const engine::DialectSpec* d : engine::dialectCatalog().all())
        list.append({std::string(d->name), text(d->title), text(d->sentence)});
    return list;
}

QList<ui::BackendChoice> backendChoices(int threads)
{
    QList<ui::BackendChoice> list;
    for (const engine::BackendInfo& b : engine::listBackends(threads))
        list.append({b.name, QString::fromStdString(b.title), b.available, QString::fromStdString(b.reason),
                     QString::fromStdString(b.remedy)});
    return list;
}

QString dataFolder(const QString& wished)
{
    return wished.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) : wished;
}

} // namespace

Application::Application(const ApplicationOptions& options)
    : m_settings(options.settingsFile.isEmpty()
                     ? std::make_unique<QSettings>()
                     : std::make_unique<QSettings>(options.settingsFile, QSettings::IniFormat)),
      m_theme(std::make_unique<ui::ThemeManager>()), m_document(std::make_unique<ui::GraphDocument>()),
      m_selection(std::make_unique<ui::Selection>(*m_document)), m_snapshots(std::make_unique<ui::SnapshotStore>()),
      m_plans(std::make_unique<ui::PlanStore>()), m_recent(std::make_unique<ui::RecentFiles>(*m_settings)),
      m_files(
          std::make_unique<ui::FileSession>(*m_document, *m_recent, dataFolder(options.recoveryFolder) + "/recovery")),
      m_lessonFolder(findLessons(options.lessonFolder))
{
    auto runner = std::make_unique<engine::LocalRunner>(engine::opCatalog(), engine::dialectCatalog());
    const int threads = runner->machine().threads;
    m_controller = std::make_unique<ui::RunController>(std::move(runner), *m_snapshots);
    m_live = std::make_unique<LiveLink>(*m_document, *m_plans, *m_snapshots, *m_controller,
                                        engine::makePlanner(engine::opCatalog(), engine::dialectCatalog()));
    m_theme->choose(static_cast<ui::ThemeChoice>(m_settings->value("theme", 0).toInt()));
    m_window = std::make_unique<ui::MainWindow>(ui::WindowContext{
        *m_document, *m_selection, *m_snapshots, *m_plans, *m_theme, engine::opCatalog(), *m_files, *m_recent,
        *m_settings, dialectChoices(), backendChoices(threads), lessonsIn(m_lessonFolder),
        engine::makePlanner(engine::opCatalog(), engine::dialectCatalog()), QString(MANTISSA_VERSION)});
    QObject::connect(m_window.get(), &ui::MainWindow::liveChanged, m_live.get(), &LiveLink::setLive);
    QObject::connect(m_window.get(), &ui::MainWindow::runRequested, m_live.get(), &LiveLink::run);
    QObject::connect(m_window.get(), &ui::MainWindow::stopRequested, m_live.get(), &LiveLink::stop);
}

Application::~Application()
{
    m_window.reset();
    m_live.reset();
    m_controller.reset();
}

void Application::openFirst(const QString& path)
{
    const QString last = path.isEmpty() ? m_recent->paths().value(0) : path;
    if (!last.isEmpty()) {
        const engine::Status status = m_files->open(last);
        if (status)
            return;
        m_window->showError(status.error());
    }
    if (const engine::Status status = m_files->openCopy(m_lessonFolder + "/seed.mantissa"); !status)
        m_window->showError(status.error());
}

} // namespace app
