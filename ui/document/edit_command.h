// The one undo command: an edit, its inverse and a name. Steps of the same gesture merge.
#pragma once

#include "ui/document/graph_document.h"

#include <QUndoCommand>

namespace ui {

class EditCommand : public QUndoCommand {
public:
    EditCommand(GraphDocument& document, engine::Edit edit, engine::Edit inverse, const QString& name, Gesture gesture);
    void undo() override;
    void redo() override; // the first, by the stack's push, does nothing: the edit is applied already
    int id() const override { return m_gesture == 0 ? -1 : m_gesture; }
    bool mergeWith(const QUndoCommand* later) override;

private:
    GraphDocument& m_document;
    engine::Edit m_edit, m_inverse;
    Gesture m_gesture;
    bool m_isDone = true;
};

} // namespace ui
