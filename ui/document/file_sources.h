// Files that sources name relative to the document's folder, when the document moves to another one.
#pragma once

#include "ui/document/graph_edits.h"

namespace ui {

// Nothing where no source has to change. Paths are those of the document's file, before and after; an empty one has no
// folder.
std::optional<NamedEdit> rebasedSources(const engine::Document& document, const QString& from, const QString& to);

} // namespace ui
