// Apply, verify, announce; undo and redo go the same way.
#include "ui/document/graph_document.h"

#include "ui/document/changes.h"
#include "ui/document/edit_command.h"

#include <QScopedValueRollback>

#include <cassert>

namespace ui {

GraphDocument::GraphDocument(QObject* parent) : QObject(parent)
{
    connect(&m_undo, &QUndoStack::cleanChanged, this, [this](bool isClean) { Q_EMIT editedChanged(!isClean); });
}

engine::Status GraphDocument::apply(const engine::Edit& edit, const QString& name, Gesture gesture)
{
    assert(!m_isApplying && "a handler of the document's signals may not change it");
    if (m_isApplying)
        return engine::Error{"re-entry", "the document", "it is being changed by another edit", "try again"};
    const QScopedValueRollback guard(m_isApplying, true);
    const engine::Result<engine::Edit> inverse = applyNow(edit);
    if (!inverse)
        return inverse.error();
    const Changes changes = changesOf(*inverse, m_document);
    if (changes.isEmpty())
        return engine::success();
    count(changes);
    m_undo.push(new EditCommand(*this, edit, *inverse, name, gesture));
    announce(changes);
    return engine::success();
}

void GraphDocument::abandon(Gesture gesture)
{
    if (gesture == 0)
        return;
    const QScopedValueRollback guard(m_abandoned, gesture);
    while (m_undo.index() > 0 && m_undo.command(m_undo.index() - 1)->id() == gesture)
        m_undo.undo();
}

void GraphDocument::replace(engine::Document document, const QString& path)
{
    assert(!m_isApplying && engine::brokenInvariant(document).empty());
    const bool isOtherPath = path != m_path;
    {
        const QScopedValueRollback guard(m_isApplying, true);
        m_document = std::move(document);
        m_path = path;
        ++m_structureRevision;
        ++m_layoutRevision;
        m_undo.clear();
        Q_EMIT documentReset();
    }
    if (isOtherPath)
        Q_EMIT pathChanged();
}

void GraphDocument::markSaved(const QString& path)
{
    const bool isOtherPath = path != m_path;
    m_path = path;
    m_undo.setClean();
    if (isOtherPath)
        Q_EMIT pathChanged();
}

engine::Result<engine::Edit> GraphDocument::applyNow(const engine::Edit& edit)
{
    engine::Result<engine::Edit> inverse = engine::applyEdit(m_document, edit);
    assert(engine::brokenInvariant(m_document).empty());
    return inverse;
}

void GraphDocument::replay(const engine::Edit& edit)
{
    assert(!m_isApplying && "a handler of the document's signals may not change it");
    const QScopedValueRollback guard(m_isApplying, true);
    const engine::Result<engine::Edit> inverse = applyNow(edit);
    assert(inverse.ok());
    if (!inverse)
        return;
    const Changes changes = changesOf(*inverse, m_document);
    count(changes);
    announce(changes);
}

void GraphDocument::count(const Changes& changes)
{
    m_structureRevision += changes.isStructural() ? 1u : 0u;
    m_layoutRevision += changes.isLayout() ? 1u : 0u;
}

// What goes is announced first, then what comes, then what changed.
void GraphDocument::announce(const Changes& changes)
{
    for (const engine::EdgeKey& edge : changes.edgesRemoved)
        Q_EMIT edgeRemoved(edge);
    for (const engine::NodeId id : changes.nodesRemoved)
        Q_EMIT nodeRemoved(id);
    for (const engine::NodeId id : changes.nodesAdded)
        Q_EMIT nodeAdded(id);
    for (const engine::NodeId id : changes.nodesChanged)
        Q_EMIT nodeChanged(id);
    for (const engine::EdgeKey& edge : changes.edgesAdded)
        Q_EMIT edgeAdded(edge);
    for (const engine::EdgeKey& edge : changes.reroutes)
        Q_EMIT reroutesChanged(edge);
    if (changes.moved)
        Q_EMIT nodesMoved();
    if (changes.frames)
        Q_EMIT framesChanged();
    if (changes.comments)
        Q_EMIT commentsChanged();
    if (changes.settings)
        Q_EMIT settingsChanged();
    if (changes.title)
        Q_EMIT titleChanged();
    if (changes.isStructural())
        Q_EMIT structureChanged();
}

} // namespace ui
