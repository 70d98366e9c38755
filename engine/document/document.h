// The document: graph, run settings, layout and tensors, one value. Owned by whoever edits it; the file
// is its whole truth. Nothing here knows Qt.
#pragma once

#include "engine/model/graph.h"
#include "engine/model/runner.h"

namespace engine {

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Frame {
    std::uint32_t id = 0;
    std::string title, color;
    Point topLeft, size;
    std::vector<NodeId> nodes;
    bool operator==(const Frame&) const = default;
};

struct Comment {
    std::uint32_t id = 0;
    std::string text;
    Point topLeft, size;
    bool operator==(const Comment&) const = default;
};

struct EdgeKey {
    NodeId to;
    std::string toPort;
    auto operator<=>(const EdgeKey&) const = default;
};

struct Layout {
    std::map<NodeId, Point> positions;
    std::map<EdgeKey, std::vector<Point>> reroutes;
    std::vector<Frame> frames;
    std::vector<Comment> comments;
    bool operator==(const Layout&) const = default;
};

struct Document {
    std::string title;
    std::string about; // what this file shows, shown by the lesson gallery; may be empty
    Graph graph;
    Layout layout;
    RunSettings settings;
    ArrayTable tensors;                                           // members of tensors/, by plain name ("conv1/kernel")
    std::map<std::string, std::string, std::less<>> tensorDTypes; // unused names of unknown dtypes, kept verbatim
    std::string extra; // unknown top-level fields, canonical JSON object text or empty
};

bool equal(const Document& a, const Document& b); // tensors by bytes

// Loads every array that the graph's sources name: tensors/ members and files (paths relative to baseDir,
// absolute ones as they are). Missing or damaged ones are findings at their node, with rule "source".
// Keys are Source::arrayKey().
struct ResolvedArrays {
    ArrayTable arrays;
    std::vector<Finding> findings;
};
ResolvedArrays resolveArrays(const Document& document, const std::string& baseDir);

} // namespace engine
