// Changes of one node as edits: a press is one undo step, a drag is one undo step however often it moves, Escape takes
// it back. Nothing here holds a copy of the node; each change reads the document's.
#pragma once

#include "ui/document/graph_document.h"

#include <functional>

namespace ui {

class NodeEdits {
public:
    explicit NodeEdits(GraphDocument& document) : m_document(document) {}
    using Change = std::function<void(engine::Node&)>;
    // Does nothing where the change leaves the node equal. An error has changed nothing.
    engine::Status change(engine::NodeId id, const Change& change, const QString& name);
    void beginGesture();
    void finishGesture() { m_gesture = 0; }
    void abandonGesture();
    bool isInGesture() const { return m_gesture != 0; }

private:
    GraphDocument& m_document;
    Gesture m_gesture = 0;
    bool m_hasStep = false; // the gesture has pushed its step
};

} // namespace ui
