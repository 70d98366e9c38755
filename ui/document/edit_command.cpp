// One step of undo. It touches nothing but the document.
#include "ui/document/edit_command.h"

#include "ui/document/merge_edits.h"

namespace ui {

EditCommand::EditCommand(GraphDocument& document, engine::Edit edit, engine::Edit inverse, const QString& name,
                         Gesture gesture)
    : QUndoCommand(name), m_document(document), m_edit(std::move(edit)), m_inverse(std::move(inverse)),
      m_gesture(gesture)
{
}

void EditCommand::undo()
{
    m_document.replay(m_inverse);
    m_isDone = false;
    if (m_gesture != 0 && m_document.m_abandoned == m_gesture)
        setObsolete(true); // the stack drops it
}

void EditCommand::redo()
{
    if (!m_isDone)
        m_document.replay(m_edit);
    m_isDone = true;
}

bool EditCommand::mergeWith(const QUndoCommand* later)
{
    const auto* other = dynamic_cast<const EditCommand*>(later);
    if (!other)
        return false;
    mergeEdits(m_edit, m_inverse, other->m_edit, other->m_inverse);
    setText(other->text());
    setObsolete(isSameEdit(m_edit, m_inverse));
    return true;
}

} // namespace ui
