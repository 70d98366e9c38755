// The view itself: scrolling, zooming, painting.
#include "ui/scene/graph_view.h"

#include "ui/scene/canvas_accessible.h"
#include "ui/scene/legend.h"
#include "ui/scene/minimap.h"

#include <QApplication>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>

#include <cmath>
#include <limits>

namespace ui {

namespace {

constexpr int kSharpenMs = 120, kFlightMs = 220, kSharpenPerFrame = 12, kNamesPerFrame = 250;
constexpr double kFitMargin = 32, kSmallNames = 0.6, kOverlayGap = 24, kLeastFitHeight = 160, kCardRoom = 48;

} // namespace

GraphView::GraphView(const SceneContext& context, QWidget* parent)
    : QGraphicsView(parent), m_scene(new GraphScene(context, this)), m_legend(nullptr), m_minimap(nullptr)
{
    installCanvasAccessibility();
    setScene(m_scene);
    setAccessibleName(tr("Canvas"));
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(NoAnchor);
    setResizeAnchor(NoAnchor);
    setViewportUpdateMode(FullViewportUpdate);
    setOptimizationFlags(DontSavePainterState | DontAdjustForAntialiasing);
    setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing | QPainter::SmoothPixmapTransform);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setAcceptDrops(true);
    m_legend = new Legend(*m_scene, viewport());
    m_minimap = new Minimap(*m_scene, viewport());
    connect(m_minimap, &Minimap::centreAsked, this, [this](const QPointF& centre) {
        m_flight.stop();
        jump(centre, m_zoom);
    });
    connect(this, &GraphView::viewMoved, m_minimap,
            [this] { m_minimap->setView(mapToScene(viewport()->rect()).boundingRect()); });
    m_sharpen.setSingleShot(true);
    m_sharpen.setInterval(kSharpenMs);
    connect(&m_sharpen, &QTimer::timeout, this, [this] {
        m_scene->paintContext().sharpness = Sharpness::Exact;
        viewport()->update();
    });
    m_flight.setDuration(kFlightMs);
    m_flight.setEasingCurve(QEasingCurve::OutCubic);
    connect(m_scene, &GraphScene::mirrored, viewport(), qOverload<>(&QWidget::update));
    connect(&context.themes, &ThemeManager::changed, viewport(), qOverload<>(&QWidget::update));
    connect(&context.document, &GraphDocument::documentReset, this, [this] {
        m_drag.reset();
        m_press.reset();
        m_scene->setBand({});
        endDropSearch();
    });
    jump({}, 1);
}

GraphView::~GraphView()
{
    // Items look at the scene while they go; the legend and the minimap look at the scene too.
    m_drag.reset();
    delete m_minimap;
    delete m_legend;
}

void GraphView::setMotion(CanvasMotion motion)
{
    m_scene->setMotion(motion);
}

QRect GraphView::globalRect(const QRectF& sceneRect) const
{
    const QRect inView = mapFromScene(sceneRect).boundingRect();
    return {viewport()->mapToGlobal(inView.topLeft()), inView.size()};
}

void GraphView::scrollBy(QPoint delta)
{
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y());
}

void GraphView::applyZoom(double zoom)
{
    m_zoom = std::isfinite(zoom) ? std::clamp(zoom, kLeastZoom, kMostZoom) : 1;
    setTransform(QTransform::fromScale(m_zoom, m_zoom));
}

void GraphView::setZoom(double zoom, QPointF viewAnchor)
{
    m_flight.stop();
    const QPointF under = mapToScene(QPoint()) + viewAnchor / m_zoom;
    const double before = m_zoom;
    applyZoom(zoom);
    const QPointF now = (under - mapToScene(QPoint())) * m_zoom;
    scrollBy((viewAnchor - now).toPoint());
    if (m_zoom == before)
        return;
    if (m_scene->motion() == CanvasMotion::Animated) {
        m_scene->paintContext().sharpness = Sharpness::Bucket;
        m_sharpen.start();
    }
    hover(m_pointer);
    Q_EMIT zoomChanged(m_zoom);
    Q_EMIT viewMoved();
}

void GraphView::zoomBy(double factor)
{
    setZoom(m_zoom * factor, QRectF(viewport()->rect()).center());
}

void GraphView::jump(QPointF sceneCentre, double zoom)
{
    const double before = m_zoom;
    applyZoom(zoom);
    centerOn(sceneCentre);
    if (m_zoom != before)
        Q_EMIT zoomChanged(m_zoom);
    Q_EMIT viewMoved();
}

void GraphView::zoomToFit()
{
    m_scene->flush();
    flyTo(m_scene->nodesRect({}));
}

void GraphView::zoomToSelection()
{
    m_scene->flush();
    flyTo(m_scene->nodesRect(m_scene->context().selection.nodes()));
}

// Of the viewport, what nothing floats over: below a card at the top, above the legend and the minimap. A small canvas
// is used whole.
QRectF GraphView::fitArea() const
{
    const QRectF all = viewport()->rect();
    QRectF area = all.adjusted(kFitMargin, kFitMargin, -kFitMargin, -kFitMargin);
    double bottom = all.bottom();
    if (m_minimap->isVisible())
        bottom = std::min<double>(bottom, m_minimap->geometry().top());
    if (m_legend->isVisible())
        bottom = std::min<double>(bottom, m_legend->geometry().top());
    QRectF free = area;
    free.setTop(std::max(area.top(), m_reservedTop + kOverlayGap));
    free.setBottom(std::min(area.bottom(), bottom - kOverlayGap));
    if (free.height() >= kLeastFitHeight)
        area = free;
    return {area.topLeft(), QSizeF(std::max(1.0, area.width()), std::max(1.0, area.height()))};
}

void GraphView::placeOverlays()
{
    m_legend->place();
    m_minimap->place();
    m_minimap->setView(mapToScene(viewport()->rect()).boundingRect());
}

void GraphView::flyTo(QRectF rect)
{
    m_flight.stop();
    m_flight.disconnect(this);
    if (rect.isEmpty())
        return jump({}, 1);
    const QRectF area = fitArea();
    const double zoom =
        std::clamp(std::min({area.width() / rect.width(), area.height() / rect.height(), 1.0}), kLeastZoom, kMostZoom);
    // A little low where there is room: cards open above their node.
    const double slack = std::max(0.0, area.height() - rect.height() * zoom);
    const QPointF middle = area.center() + QPointF(0, std::min(slack / 2, kCardRoom));
    const QPointF centre = rect.center() + (QRectF(viewport()->rect()).center() - middle) / zoom;
    const bool isInstant = m_scene->motion() == CanvasMotion::Instant || !isVisible() ||
                           style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
    if (isInstant)
        return jump(centre, zoom);
    const QPointF from = mapToScene(viewport()->rect().center()), to = centre;
    const double fromZoom = m_zoom;
    m_flight.setStartValue(0.0);
    m_flight.setEndValue(1.0);
    connect(&m_flight, &QVariantAnimation::valueChanged, this, [=, this](const QVariant& value) {
        const double t = value.toDouble();
        m_scene->paintContext().sharpness = t < 1 ? Sharpness::Bucket : Sharpness::Exact;
        jump(from + t * (to - from), fromZoom * std::pow(zoom / fromZoom, t));
    });
    m_flight.start();
}

void GraphView::paintEvent(QPaintEvent* event)
{
    m_scene->flush();
    PaintContext& context = m_scene->paintContext();
    context.zoom = m_zoom;
    context.wasLeftBlurred = false;
    const bool isInstant = m_scene->motion() == CanvasMotion::Instant;
    context.sharpenLeft = isInstant ? std::numeric_limits<int>::max() : kSharpenPerFrame;
    context.namesLeft = isInstant ? std::numeric_limits<int>::max() : kNamesPerFrame;
    QGraphicsView::paintEvent(event);
    if (context.wasLeftBlurred && (context.sharpness == Sharpness::Exact || m_zoom < kSmallNames))
        QTimer::singleShot(0, viewport(), qOverload<>(&QWidget::update));
}

void GraphView::drawBackground(QPainter* painter, const QRectF&)
{
    const QTransform world = painter->worldTransform();
    painter->setWorldTransform(QTransform());
    m_ground.paint(*painter, viewport()->size(), world.map(QPointF()), m_zoom, m_scene->context().theme());
    painter->setWorldTransform(world);
}

void GraphView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    placeOverlays();
}

void GraphView::scrollContentsBy(int dx, int dy)
{
    QGraphicsView::scrollContentsBy(dx, dy);
    Q_EMIT viewMoved();
}

} // namespace ui
