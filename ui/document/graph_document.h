// The one owner of the open document. Everything else reads it, listens to it, and asks it to change through
// apply(); every change is one undo step with a readable name. GUI thread only.
#pragma once

// Qt first, as moc cannot read <concepts> before another standard header.
#include <QObject>
#include <QString>
#include <QUndoStack>

#include "engine/document/edit.h"

namespace ui {

struct Changes;

// Consecutive applies with the same gesture merge into one undo step; 0 never merges.
using Gesture = int;

class GraphDocument : public QObject {
    Q_OBJECT

public:
    explicit GraphDocument(QObject* parent = nullptr);
    const engine::Document& value() const { return m_document; }
    const engine::Graph& graph() const { return m_document.graph; }
    const engine::Layout& layout() const { return m_document.layout; }
    QUndoStack& undoStack() { return m_undo; }
    Gesture newGesture() { return ++m_lastGesture; }

    // Applies, pushes one undo step named `name` (imperative: "Connect input to conv2d"), announces. An error
    // changes nothing; an edit that changes nothing succeeds without a step or a signal. A gesture that ends where it
    // began leaves no step. Not to be called from a handler of these signals.
    engine::Status apply(const engine::Edit& edit, const QString& name, Gesture gesture = 0);
    // Applies the inverse of the gesture's step and drops it (Escape during a drag).
    void abandon(Gesture gesture);

    // Replaces the whole document (new, open): clears undo, announces reset().
    void replace(engine::Document document, const QString& path);
    const QString& path() const { return m_path; } // empty: never saved
    bool isEdited() const { return !m_undo.isClean(); }
    void markSaved(const QString& path);

    std::uint64_t structureRevision() const { return m_structureRevision; } // results depend on it
    std::uint64_t layoutRevision() const { return m_layoutRevision; }

Q_SIGNALS: // past tense, after the fact, by id
    void nodeAdded(engine::NodeId id);
    void nodeRemoved(engine::NodeId id);
    void nodeChanged(engine::NodeId id);
    void nodesMoved();
    void edgeAdded(engine::EdgeKey edge);
    void edgeRemoved(engine::EdgeKey edge);
    void reroutesChanged(engine::EdgeKey edge);
    void framesChanged();
    void commentsChanged();
    void settingsChanged();
    void titleChanged();
    void structureChanged(); // once per apply, undo or redo that affects results
    void documentReset();
    void editedChanged(bool isEdited);
    void pathChanged();

private:
    friend class EditCommand;
    engine::Result<engine::Edit> applyNow(const engine::Edit& edit);
    void replay(const engine::Edit& edit); // undo and redo
    void count(const Changes& changes);
    void announce(const Changes& changes);

    engine::Document m_document;
    QUndoStack m_undo;
    QString m_path;
    Gesture m_lastGesture = 0, m_abandoned = 0;
    std::uint64_t m_structureRevision = 1, m_layoutRevision = 1;
    bool m_isApplying = false;
};

} // namespace ui
