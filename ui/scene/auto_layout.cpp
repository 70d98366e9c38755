#include "ui/scene/auto_layout.h"

#include "ui/scene/node_geometry.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kGrid = 24, kColumnGap = 96, kRowGap = 24, kLane = 24;
constexpr int kSweeps = 4;

// A node, or a bend of an edge that skips this column.
struct Place {
    engine::NodeId node; // 0: a bend
    int column = 0;
    double height = kLane, width = 0;
    double order = 0, y = 0;
    std::vector<std::size_t> before, after;
};

class Layers {
public:
    Layers(const engine::Graph& graph, const std::map<engine::NodeId, QSizeF>& sizes) : m_graph(graph)
    {
        addNodes(sizes);
        for (const engine::Edge& edge : graph.edges())
            addEdge(edge);
        m_columns.resize(static_cast<std::size_t>(m_depth + 1));
        for (std::size_t i = 0; i < m_places.size(); ++i)
            m_columns[static_cast<std::size_t>(m_places[i].column)].push_back(i);
        sortColumns();
        placeRows();
    }
    LayoutPlan plan(engine::Point origin) const;

private:
    void addNodes(const std::map<engine::NodeId, QSizeF>& sizes);
    void addEdge(const engine::Edge& edge);
    void sortColumns();
    void placeRows();
    void join(std::size_t a, std::size_t b)
    {
        m_places[a].after.push_back(b);
        m_places[b].before.push_back(a);
    }

    const engine::Graph& m_graph;
    std::vector<Place> m_places;
    std::map<engine::NodeId, std::size_t> m_of;
    std::map<engine::EdgeKey, std::vector<std::size_t>> m_bends;
    std::vector<std::vector<std::size_t>> m_columns;
    int m_depth = 0;
};

void Layers::addNodes(const std::map<engine::NodeId, QSizeF>& sizes)
{
    const std::vector<engine::NodeId> order = m_graph.topologicalOrder();
    std::multimap<engine::NodeId, engine::NodeId> consumers, producers;
    for (const engine::Edge& e : m_graph.edges()) {
        consumers.emplace(e.from, e.to);
        producers.emplace(e.to, e.from);
    }
    std::map<engine::NodeId, int> column;
    for (const engine::NodeId id : order) {
        const auto [first, last] = producers.equal_range(id);
        for (auto it = first; it != last; ++it)
            column[id] = std::max(column[id], column[it->second] + 1);
        m_depth = std::max(m_depth, column[id]);
    }
    for (const engine::NodeId id : order) {
        // What takes nothing stands next to the first that takes it.
        if (!producers.contains(id) && consumers.contains(id)) {
            int nearest = m_depth + 1;
            const auto [first, last] = consumers.equal_range(id);
            for (auto it = first; it != last; ++it)
                nearest = std::min(nearest, column[it->second]);
            column[id] = nearest - 1;
        }
        Place place;
        place.node = id;
        place.column = column[id];
        if (const auto it = sizes.find(id); it != sizes.end()) {
            place.width = it->second.width();
            place.height = it->second.height();
        }
        m_of[id] = m_places.size();
        m_places.push_back(std::move(place));
    }
}

void Layers::addEdge(const engine::Edge& edge)
{
    std::size_t last = m_of[edge.from];
    const std::size_t end = m_of[edge.to];
    for (int c = m_places[last].column + 1; c < m_places[end].column; ++c) {
        Place bend;
        bend.column = c;
        m_places.push_back(bend);
        join(last, m_places.size() - 1);
        last = m_places.size() - 1;
        m_bends[{edge.to, edge.toPort}].push_back(last);
    }
    join(last, end);
}

// Barycentres, to and fro.
void Layers::sortColumns()
{
    for (auto& column : m_columns)
        for (std::size_t i = 0; i < column.size(); ++i)
            m_places[column[i]].order = static_cast<double>(i);
    const auto sweep = [&](std::vector<std::size_t>& column, auto neighbours) {
        std::vector<double> mean(m_places.size());
        for (const std::size_t i : column) {
            const std::vector<std::size_t>& others = neighbours(m_places[i]);
            double sum = 0;
            for (const std::size_t o : others)
                sum += m_places[o].order;
            mean[i] = others.empty() ? m_places[i].order : sum / static_cast<double>(others.size());
        }
        std::stable_sort(column.begin(), column.end(), [&](std::size_t a, std::size_t b) { return mean[a] < mean[b]; });
        for (std::size_t i = 0; i < column.size(); ++i)
            m_places[column[i]].order = static_cast<double>(i);
    };
    for (int pass = 0; pass < kSweeps; ++pass) {
        for (std::size_t c = 1; c < m_columns.size(); ++c)
            sweep(
                m_columns[c], [](const Place& p) -> const auto& { return p.before; });
        for (std::size_t c = m_columns.size(); c-- > 1;)
            sweep(
                m_columns[c - 1], [](const Place& p) -> const auto& { return p.after; });
    }
}

// Each beside its first producer, so that chains run straight; then apart from the one above.
void Layers::placeRows()
{
    for (const auto& column : m_columns) {
        double next = -1e9;
        for (const std::size_t i : column) {
            Place& place = m_places[i];
            double wish = next < -1e8 ? 0 : next;
            if (!place.before.empty()) {
                const Place& first = m_places[place.before.front()];
                const double port = first.node ? node_size::kPortY : kLane / 2;
                wish = first.y + port - (place.node ? node_size::kPortY : kLane / 2);
            }
            place.y = std::max(next, std::ceil(wish / ThemeManager::kGrid) * ThemeManager::kGrid);
            next = place.y + std::ceil((place.height + kRowGap) / ThemeManager::kGrid) * ThemeManager::kGrid;
        }
    }
}

LayoutPlan Layers::plan(engine::Point origin) const
{
    LayoutPlan result;
    double x = std::round(origin.x / kGrid) * kGrid, top = 0;
    std::vector<double> middle;
    for (const Place& p : m_places)
        top = std::min(top, p.y);
    const double shift = std::round((origin.y - top) / ThemeManager::kGrid) * ThemeManager::kGrid;
    for (const auto& column : m_columns) {
        double width = 0;
        for (const std::size_t i : column) {
            width = std::max(width, m_places[i].width);
            if (m_places[i].node)
                result.positions[m_places[i].node] = {x, m_places[i].y + shift};
        }
        middle.push_back(x + width / 2);
        x += std::ceil((width + kColumnGap) / kGrid) * kGrid;
    }
    for (const auto& [key, bends] : m_bends)
        for (const std::size_t i : bends)
            result.reroutes[key].push_back(
                {middle[static_cast<std::size_t>(m_places[i].column)], m_places[i].y + shift + kLane / 2});
    return result;
}

} // namespace

LayoutPlan layeredLayout(const engine::Graph& graph, const std::map<engine::NodeId, QSizeF>& sizes,
                         engine::Point origin)
{
    return graph.nodes().empty() ? LayoutPlan{} : Layers(graph, sizes).plan(origin);
}

} // namespace ui
