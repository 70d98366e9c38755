// Relative names only: an absolute one is true from everywhere.
#include "ui/document/file_sources.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace ui {

using namespace engine;

std::optional<NamedEdit> rebasedSources(const Document& document, const QString& from, const QString& to)
{
    const QDir oldFolder = QFileInfo(from).absoluteDir(), newFolder = QFileInfo(to).absoluteDir();
    if (from.isEmpty() || to.isEmpty() || oldFolder == newFolder)
        return std::nullopt;
    EditList list;
    for (const auto& [id, node] : document.graph.nodes()) {
        Node changed = node;
        for (auto& [param, value] : changed.params) {
            auto* source = std::get_if<Source>(&value);
            if (!source || source->kind != Source::Kind::File || source->name.empty())
                continue;
            const QString name = QString::fromStdString(source->name);
            if (QDir::isRelativePath(name))
                source->name = newFolder.relativeFilePath(oldFolder.absoluteFilePath(name)).toStdString();
        }
        if (changed != node)
            list.edits.push_back(ReplaceNode{std::move(changed)});
    }
    if (list.edits.empty())
        return std::nullopt;
    return NamedEdit{
        std::move(list),
        QCoreApplication::translate("FileSources", "Name files from the folder %1").arg(newFolder.dirName())};
}

} // namespace ui
