#include "ui/plots/plot_panel.h"

#include <QDataStream>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>

namespace ui {

namespace {

constexpr int kTabHeight = 33; // with the hairline, on which the chosen tab's underline lies

// A layout asks the bar for its size when it is made and empty.
class Tabs : public QTabBar {
public:
    using QTabBar::QTabBar;

protected:
    void tabLayoutChange() override { updateGeometry(); }
};

class TabRow : public QWidget {
public:
    explicit TabRow(ThemeManager& themes) : m_themes(themes) { setFixedHeight(kTabHeight); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), m_themes.theme().surface.panel);
        painter.fillRect(QRect(0, height() - 1, width(), 1), m_themes.theme().line.hairline);
    }

private:
    ThemeManager& m_themes;
};

// Widths of the three groups in the mock-ups.
const QList<int> kWidths{440, 440, 560};

QPixmap badgePixmap(int count, Badge badge, const Theme& t, double ratio)
{
    const QString text = QString::number(count);
    const QFont font = uiFont(10, Weight::SemiBold);
    const int width = std::max(16, QFontMetrics(font).horizontalAdvance(text) + 8);
    QPixmap pixmap(QSize(width, 16) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(badge == Badge::Error     ? t.status.errorBackground
                     : badge == Badge::Warning ? t.status.warningBackground
                                               : t.surface.raised);
    painter.drawRoundedRect(QRectF(0, 0, width, 16), 8, 8);
    painter.setFont(font);
    painter.setPen(badge == Badge::Error     ? t.status.error
                   : badge == Badge::Warning ? t.status.warning
                                             : t.text.secondary);
    painter.drawText(QRectF(0, 0, width, 16), Qt::AlignCenter, text);
    return pixmap;
}

} // namespace

TabGroup::TabGroup(ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_themes(themes), m_tabs(new Tabs), m_caption(new QLabel), m_stack(new QStackedWidget)
{
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setStyleSheet(QStringLiteral("QTabBar { background: transparent; }"));
    m_caption->setFont(uiFont(11));
    m_caption->setObjectName(QStringLiteral("caption"));
    // A caption gives way to the tabs.
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_caption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* row = new TabRow(themes);
    auto* rowLayout = new QHBoxLayout(row);
    rowLayout->setContentsMargins(6, 0, 16, 0);
    rowLayout->addWidget(m_tabs);
    rowLayout->addWidget(m_caption, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(row);
    layout->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int i) {
        m_stack->setCurrentIndex(i);
        updateCaption();
    });
    connect(&themes, &ThemeManager::changed, this, &TabGroup::updateColors);
    updateColors();
}

void TabGroup::updateColors()
{
    QPalette p = m_caption->palette();
    p.setColor(QPalette::WindowText, m_themes.theme().text.tertiary);
    m_caption->setPalette(p);
    for (int i = 0; i < m_badges.size(); ++i)
        updateBadge(i);
}

int TabGroup::addPage(const QString& title, QWidget* page)
{
    m_stack->addWidget(page);
    if (const auto* plot = qobject_cast<PlotWidget*>(page))
        connect(plot, &PlotWidget::captionChanged, this, &TabGroup::updateCaption);
    page->setWindowTitle(title);
    m_badges.append(Mark());
    return m_tabs->addTab(title);
}

int TabGroup::indexOf(const QWidget* page) const
{
    return m_stack->indexOf(page);
}

void TabGroup::show(const QWidget* page)
{
    if (const int i = indexOf(page); i >= 0)
        m_tabs->setCurrentIndex(i);
}

void TabGroup::setBadge(const QWidget* page, int count, Badge badge)
{
    const int i = indexOf(page);
    if (i < 0)
        return;
    m_badges[i] = {count, badge};
    updateBadge(i);
}

void TabGroup::updateBadge(int page)
{
    const Mark& mark = m_badges[page];
    m_tabs->setTabToolTip(page,
                          mark.count == 0 ? QString() : m_tabs->tabText(page) + QStringLiteral(": %1").arg(mark.count));
    auto* label = qobject_cast<QLabel*>(m_tabs->tabButton(page, QTabBar::RightSide));
    if (mark.count == 0) {
        m_tabs->setTabButton(page, QTabBar::RightSide, nullptr);
        delete label;
        return;
    }
    const bool isNew = !label;
    if (isNew)
        label = new QLabel;
    label->setPixmap(badgePixmap(mark.count, mark.badge, m_themes.theme(), devicePixelRatioF()));
    label->setFixedSize(label->pixmap().deviceIndependentSize().toSize());
    if (isNew)
        m_tabs->setTabButton(page, QTabBar::RightSide, label);
}

void TabGroup::updateCaption()
{
    const auto* plot = qobject_cast<PlotWidget*>(m_stack->currentWidget());
    m_caption->setText(plot && !plot->explainsItself() ? plot->subtitle() : QString());
}

PlotPanel::PlotPanel(Selection& selection, SnapshotStore& store, ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_splitter(new QSplitter), m_matrix(new MatrixPlot(selection, store, themes)),
      m_byLayer(new ByLayerPlot(selection, store, themes)), m_stages(new StagesPlot(selection, store, themes)),
      m_distribution(new DistributionPlot(selection, store, themes))
{
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    for (TabGroup*& g : m_groups) {
        g = new TabGroup(themes);
        m_splitter->addWidget(g);
    }
    addPage(Left, tr("Matrix"), m_matrix);
    addPage(Middle, tr("By layer"), m_byLayer);
    addPage(Middle, tr("Stages"), m_stages);
    addPage(Right, tr("Distribution"), m_distribution);
    connect(m_matrix, &MatrixPlot::remedyRequested, this, &PlotPanel::remedyRequested);
    connect(m_matrix, &MatrixPlot::comboClicked, this, &PlotPanel::comboClicked);
    connect(m_stages, &StagesPlot::comboClicked, this, &PlotPanel::comboClicked);
    for (PlotWidget* p : plots())
        connect(p, &PlotWidget::exportFailed, this, &PlotPanel::exportFailed);
    setAccessibleName(tr("Plots"));
    resetState();
}

void PlotPanel::setMetric(Metric metric)
{
    for (PlotWidget* p : plots())
        p->setMetric(metric);
}

void PlotPanel::setMotion(Motion motion)
{
    for (PlotWidget* p : plots())
        p->setMotion(motion);
}

void PlotPanel::showPage(const QWidget* page)
{
    for (TabGroup* g : m_groups)
        g->show(page);
}

void PlotPanel::setBadge(const QWidget* page, int count, Badge badge)
{
    for (TabGroup* g : m_groups)
        g->setBadge(page, count, badge);
}

QByteArray PlotPanel::saveState() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << m_splitter->saveState();
    for (const TabGroup* g : m_groups)
        out << qint32(g->tabs()->currentIndex());
    return bytes;
}

void PlotPanel::restoreState(const QByteArray& state)
{
    QDataStream in(state);
    QByteArray splitter;
    in >> splitter;
    if (in.status() != QDataStream::Ok || !m_splitter->restoreState(splitter))
        return;
    for (TabGroup* g : m_groups) {
        qint32 current = 0;
        in >> current;
        if (in.status() == QDataStream::Ok && current >= 0 && current < g->tabs()->count())
            g->tabs()->setCurrentIndex(current);
    }
}

void PlotPanel::resetState()
{
    m_splitter->setSizes(kWidths);
    for (int i = 0; i < m_splitter->count(); ++i)
        m_splitter->setStretchFactor(i, kWidths[i]);
    showPage(m_matrix);
    showPage(m_stages);
    showPage(m_distribution);
}

} // namespace ui
