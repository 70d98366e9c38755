// What the tests of the open document share: a small chain of nodes, and a document's signals as words.
#pragma once

#include <QtTest/QtTest>

#include "tests/document/full_document.h"
#include "ui/document/graph_document.h"

namespace samples {

using namespace ui;

inline const NodeId a{1}, b{2}, c{3};

// a -> b -> c, all placed, b in a frame, a reroute point before b.
inline Document chain()
{
    Document d;
    for (const std::uint32_t id : {1u, 2u, 3u}) {
        (void)d.graph.addNode(samples::node(id, std::string(1, static_cast<char>('a' + id - 1)), "relu"));
        d.layout.positions[NodeId{id}] = {100.0 * id, 5};
    }
    (void)d.graph.addEdge({a, "output", b, "input"});
    (void)d.graph.addEdge({b, "output", c, "input"});
    d.layout.reroutes[{b, "input"}] = {{1, 2}};
    d.layout.frames = {{1, "f", "", {}, {}, {b}}};
    return d;
}

// Every signal of a document as a word, in order.
class Log : public QObject {
public:
    explicit Log(GraphDocument& d)
    {
        const auto id = [this](const char* word) {
            return [this, word](NodeId n) { words << QString("%1 %2").arg(word).arg(n.value); };
        };
        const auto edge = [this](const char* word) {
            return [this, word](const EdgeKey& e) {
                words << QString("%1 %2.%3").arg(word).arg(e.to.value).arg(QString::fromStdString(e.toPort));
            };
        };
        const auto plain = [this](const char* word) { return [this, word] { words << word; }; };
        connect(&d, &GraphDocument::nodeAdded, this, id("+node"));
        connect(&d, &GraphDocument::nodeRemoved, this, id("-node"));
        connect(&d, &GraphDocument::nodeChanged, this, id("node"));
        connect(&d, &GraphDocument::edgeAdded, this, edge("+edge"));
        connect(&d, &GraphDocument::edgeRemoved, this, edge("-edge"));
        connect(&d, &GraphDocument::reroutesChanged, this, edge("reroutes"));
        connect(&d, &GraphDocument::nodesMoved, this, plain("moved"));
        connect(&d, &GraphDocument::framesChanged, this, plain("frames"));
        connect(&d, &GraphDocument::commentsChanged, this, plain("comments"));
        connect(&d, &GraphDocument::settingsChanged, this, plain("settings"));
        connect(&d, &GraphDocument::titleChanged, this, plain("title"));
        connect(&d, &GraphDocument::structureChanged, this, plain("structure"));
        connect(&d, &GraphDocument::documentReset, this, plain("reset"));
        connect(&d, &GraphDocument::pathChanged, this, plain("path"));
        connect(&d, &GraphDocument::editedChanged, this,
                [this](bool isEdited) { words << (isEdited ? "edited" : "clean"); });
    }
    QString take() { return std::exchange(words, {}).join(", "); }
    QStringList words;
};

inline Node renamed(const GraphDocument& d, NodeId id, const std::string& name)
{
    Node n = *d.graph().find(id);
    n.name = name;
    return n;
}

} // namespace samples
