#include "ui/panels/node_edits.h"

namespace ui {

engine::Status NodeEdits::change(engine::NodeId id, const Change& change, const QString& name)
{
    const engine::Node* node = m_document.graph().find(id);
    if (!node)
        return engine::success();
    engine::Node edited = *node;
    change(edited);
    if (edited == *node)
        return engine::success();
    const engine::Status status = m_document.apply(engine::ReplaceNode{std::move(edited)}, name, m_gesture);
    m_hasStep |= m_gesture != 0 && status.ok();
    return status;
}

void NodeEdits::beginGesture()
{
    m_gesture = m_document.newGesture();
    m_hasStep = false;
}

void NodeEdits::abandonGesture()
{
    if (m_gesture != 0 && m_hasStep)
        m_document.abandon(m_gesture);
    m_gesture = 0;
}

} // namespace ui
