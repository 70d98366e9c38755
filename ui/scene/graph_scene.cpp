#include "ui/scene/graph_scene.h"

#include "ui/scene/auto_layout.h"

#include <QApplication>
#include <QStyle>

#include <cmath>

namespace ui {

namespace {

constexpr int kBarMs = 140, kGlideMs = 220, kPulseMs = 320;
constexpr double kFar = 1e6, kRoom = 1e5;

} // namespace

QPointF canvasPoint(const engine::Point& at)
{
    return {std::clamp(at.x, -kFar, kFar), std::clamp(at.y, -kFar, kFar)};
}

GraphScene::GraphScene(const SceneContext& context, QObject* parent) : QGraphicsScene(parent), m_paint{context}
{
    setItemIndexMethod(NoIndex);
    setSceneRect(-kRoom, -kRoom, 2 * kRoom, 2 * kRoom); // grows with the nodes
    m_marks = new MarksItem(m_paint, *this);
    addItem(m_marks);
    connectSources();
    const auto prepare = [this](QVariantAnimation& animation, int duration, void (GraphScene::*step)(double)) {
        animation.setDuration(duration);
        animation.setStartValue(0.0);
        animation.setEndValue(1.0);
        animation.setEasingCurve(QEasingCurve::OutCubic);
        connect(&animation, &QVariantAnimation::valueChanged, this,
                [this, step](const QVariant& value) { (this->*step)(value.toDouble()); });
    };
    prepare(m_bars, kBarMs, &GraphScene::onBarStep);
    prepare(m_glide, kGlideMs, &GraphScene::onGlideStep);
    prepare(m_pulse, kPulseMs, &GraphScene::onPulseStep);
    mark(Structure | Content | Positions | SelectionDirt);
    flush();
}

GraphScene::~GraphScene()
{
    for (QVariantAnimation* animation : {&m_bars, &m_glide, &m_pulse})
        animation->disconnect(this);
}

void GraphScene::connectSources()
{
    const SceneContext& s = m_paint.scene;
    const auto on = [this](auto* sender, auto signal, unsigned dirt) {
        connect(sender, signal, this, [this, dirt] { mark(dirt); });
    };
    on(&s.document, &GraphDocument::nodeAdded, Structure | Content | Positions);
    on(&s.document, &GraphDocument::nodeRemoved, Structure | Content | Positions);
    on(&s.document, &GraphDocument::edgeAdded, Structure | Content | Positions);
    on(&s.document, &GraphDocument::edgeRemoved, Structure | Content | Positions);
    on(&s.document, &GraphDocument::nodeChanged, Content);
    on(&s.document, &GraphDocument::nodesMoved, Positions);
    on(&s.document, &GraphDocument::documentReset, Structure | Content | Positions | SelectionDirt);
    connect(&s.document, &GraphDocument::reroutesChanged, this, [this](const engine::EdgeKey& key) {
        m_moved.insert(key.to);
        mark(Positions);
    });
    on(&s.plans, &PlanStore::changed, Content);
    on(&s.results, &SnapshotStore::changed, Content);
    on(&s.results, &SnapshotStore::runningChanged, Running);
    on(&s.selection, &Selection::selectionChanged, SelectionDirt);
    connect(&s.themes, &ThemeManager::changed, this, &GraphScene::onTheme);
}

void GraphScene::mark(unsigned dirt)
{
    m_dirt |= dirt;
    if (m_isFlushQueued)
        return;
    m_isFlushQueued = true;
    QMetaObject::invokeMethod(this, &GraphScene::flush, Qt::QueuedConnection);
}

void GraphScene::flush()
{
    m_isFlushQueued = false;
    const unsigned dirt = std::exchange(m_dirt, 0);
    if (dirt == 0)
        return;
    if (dirt & Structure)
        syncItems();
    if (dirt & (Structure | Content))
        readNodes();
    if (dirt & (Structure | Content | Positions))
        readPositions();
    if (dirt & (Structure | Content | Positions))
        readEdges();
    if (dirt & (Structure | SelectionDirt))
        readSelection();
    if (dirt & (Content | Running))
        readRunning();
    if (dirt & Structure)
        dropDangling();
    m_moved.clear();
    m_marks->update();
    Q_EMIT mirrored();
}

void GraphScene::syncItems()
{
    const engine::Graph& graph = m_paint.scene.graph();
    m_paint.waits = waitsFor(m_paint.scene);
    std::erase_if(m_nodes, [&](const auto& entry) {
        const bool isGone = !graph.find(entry.first);
        if (isGone)
            delete entry.second;
        return isGone;
    });
    for (const auto& [id, node] : graph.nodes())
        if (!m_nodes.contains(id)) {
            auto* item = new NodeItem(m_paint, id);
            addItem(item);
            m_nodes[id] = item;
            m_moved.insert(id);
        }
    std::erase_if(m_edges, [&](const auto& entry) {
        const engine::Edge* edge = graph.edgeInto(entry.first.to, entry.first.toPort);
        // An edge from elsewhere into the same port is another edge.
        const bool isGone = !edge || edge->from != entry.second->from();
        if (isGone)
            delete entry.second;
        return isGone;
    });
    for (const engine::Edge& edge : graph.edges()) {
        const engine::EdgeKey key{edge.to, edge.toPort};
        if (m_edges.contains(key))
            continue;
        auto* item = new EdgeItem(m_paint, key);
        addItem(item);
        m_edges[key] = item;
        m_moved.insert(edge.to);
    }
}

void GraphScene::readNodes()
{
    m_paint.waits = waitsFor(m_paint.scene);
    bool isMoving = false;
    for (const auto& [id, item] : m_nodes) {
        if (item->read())
            m_moved.insert(id);
        isMoving = isMoving || !(barFigures(item->face()) == item->bar);
        item->barFrom = item->bar;
    }
    // Another dtype or cast shows on every edge.
    for (const auto& [id, item] : m_nodes)
        m_moved.insert(id);
    if (isMoving)
        startMotion(m_bars);
}

void GraphScene::readPositions()
{
    const auto& positions = m_paint.scene.document.layout().positions;
    std::map<engine::NodeId, engine::Point> unplaced;
    if (positions.size() < m_nodes.size()) {
        std::map<engine::NodeId, QSizeF> sizes;
        for (const auto& [id, item] : m_nodes)
            sizes[id] = item->geometry().size;
        unplaced = layeredLayout(m_paint.scene.graph(), sizes).positions;
    }
    if (m_isGlideNext)
        m_gliding.clear();
    for (const auto& [id, item] : m_nodes) {
        const auto it = positions.find(id);
        const QPointF at = canvasPoint(it != positions.end() ? it->second : unplaced[id]);
        if (m_isGlideNext && item->pos() != at)
            m_gliding[id] = {item->pos(), at};
        const auto gliding = m_gliding.find(id);
        if (gliding != m_gliding.end() && gliding->second.second == at)
            continue;
        m_gliding.erase(id);
        if (item->pos() == at)
            continue;
        item->setPos(at);
        m_moved.insert(id);
    }
    if (std::exchange(m_isGlideNext, false) && !m_gliding.empty())
        startMotion(m_glide);
    fitSceneRect();
}

void GraphScene::readEdges()
{
    bool isPulsing = false;
    const engine::Graph& graph = m_paint.scene.graph();
    for (const auto& [key, item] : m_edges) {
        const engine::Edge* edge = graph.edgeInto(key.to, key.toPort);
        if (!edge || (!m_moved.contains(edge->from) && !m_moved.contains(edge->to)))
            continue;
        const double before = item->radius;
        const bool isOther = item->read(*m_nodes.at(edge->from), *m_nodes.at(edge->to));
        item->radius = item->cast() ? dotRadius(item->cast()->level) : 0;
        if (isOther && before > 0 && m_motion == CanvasMotion::Animated) {
            item->radiusFrom = before;
            item->isPulsing = isPulsing = true;
        }
    }
    if (isPulsing)
        startMotion(m_pulse);
}

void GraphScene::readSelection()
{
    const Selection& selection = m_paint.scene.selection;
    for (const auto& [id, item] : m_nodes) {
        const bool isRinged = selection.nodes().contains(id);
        if (isRinged != item->isRinged) {
            item->isRinged = isRinged;
            item->setZValue(isRinged ? 2 : 1);
            item->update();
        }
    }
    for (const auto& [key, item] : m_edges) {
        const bool isRinged = selection.edges().contains(key);
        if (isRinged != item->isRinged) {
            item->isRinged = isRinged;
            item->setZValue(isRinged ? 0.5 : 0);
            item->update();
        }
    }
}

void GraphScene::readRunning()
{
    for (const auto& [id, item] : m_nodes)
        item->readRunning();
}

// Grows and never shrinks: a view that scrolls must not jump because a node went.
void GraphScene::fitSceneRect()
{
    const QRectF wanted = nodesRect({}).adjusted(-kRoom, -kRoom, kRoom, kRoom);
    if (!sceneRect().contains(nodesRect({}).adjusted(-kRoom / 2, -kRoom / 2, kRoom / 2, kRoom / 2)))
        setSceneRect(sceneRect().united(wanted));
}

QRectF GraphScene::nodesRect(const std::set<engine::NodeId>& ids) const
{
    QRectF rect;
    for (const auto& [id, item] : m_nodes)
        if (ids.empty() || ids.contains(id))
            rect = rect.united(item->body());
    return rect;
}

// Nothing may look at what is gone.
void GraphScene::dropDangling()
{
    const auto isGone = [this](const Hit& hit) {
        return (hit.node && !m_nodes.contains(hit.node)) || (hit.edge.to && !m_edges.contains(hit.edge));
    };
    if (isGone(m_hovered))
        setHovered({});
    if (isGone(m_focused))
        setFocused(m_nodes.contains(m_focused.node) ? Hit{Hit::Kind::Node, m_focused.node, {}, {}, 0} : Hit{});
    if (m_pulled &&
        (!m_nodes.contains(m_pulled->anchor.node) || (m_pulled->taken && !m_edges.contains(*m_pulled->taken))))
        setPulled({});
}

void GraphScene::startMotion(QVariantAnimation& animation)
{
    const QStyle* style = QApplication::style();
    const bool isInstant =
        m_motion == CanvasMotion::Instant || (style && style->styleHint(QStyle::SH_Widget_Animation_Duration) == 0);
    animation.stop();
    animation.setCurrentTime(isInstant ? animation.duration() : 0);
    if (!isInstant)
        animation.start();
    else if (&animation == &m_bars)
        onBarStep(1);
    else if (&animation == &m_glide)
        onGlideStep(1);
    else
        onPulseStep(1);
}

void GraphScene::finishMotion()
{
    for (QVariantAnimation* animation : {&m_bars, &m_glide, &m_pulse})
        if (animation->state() == QAbstractAnimation::Running)
            animation->setCurrentTime(animation->duration());
}

void GraphScene::onBarStep(double t)
{
    for (const auto& [id, item] : m_nodes) {
        const BarFigures to = barFigures(item->face());
        const BarFigures bar{item->barFrom.local + t * (to.local - item->barFrom.local),
                             item->barFrom.total + t * (to.total - item->barFrom.total)};
        if (bar == item->bar)
            continue;
        item->bar = t >= 1 ? to : bar;
        item->update();
    }
}

void GraphScene::onGlideStep(double t)
{
    for (const auto& [id, way] : m_gliding)
        if (const auto it = m_nodes.find(id); it != m_nodes.end()) {
            it->second->setPos(t >= 1 ? way.second : way.first + t * (way.second - way.first));
            m_moved.insert(id);
        }
    if (t >= 1)
        m_gliding.clear();
    readEdges();
    m_moved.clear();
    m_marks->update();
}

void GraphScene::onPulseStep(double t)
{
    for (const auto& [key, item] : m_edges)
        if (item->isPulsing && item->cast()) {
            const double to = dotRadius(item->cast()->level);
            item->radius = item->radiusFrom + t * (to - item->radiusFrom);
            item->isPulsing = t < 1;
        }
    m_marks->update();
}

void GraphScene::onTheme()
{
    m_paint.pixmaps.clear();
    update();
}

} // namespace ui
