#include "ui/panels/drop_search.h"

#include "ui/panels/entry_list.h"
#include "ui/panels/floating.h"
#include "ui/panels/fuzzy.h"
#include "ui/panels/search_parts.h"
#include "ui/panels/words.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr int kWidth = 272, kHeadHeight = 38, kMostHeight = 320;
constexpr double kRadius = 10;

} // namespace

DropSearch::DropSearch(const PanelContext& context, engine::Planner planner, QWidget* parent)
    : QWidget(parent), m_context(context), m_planner(std::move(planner)),
      m_shadow(new FloatingShadow(context.theme, this, kRadius)), m_head(new QWidget(this)),
      m_field(makeSearchField(tr("Filter what fits"), 12, m_head)),
      m_from(new TextLabel(context.theme, Tone::Secondary, uiFont(12), tr("from"), m_head)),
      m_nothing(new TextLabel(context.theme, Tone::Secondary, uiFont(11), {}, this)),
      m_tag(new TagLabel(context.theme, engine::DType::f32, 11, m_head)), m_list(new EntryList(context.theme, 30, this))
{
    hide();
    setAccessibleName(tr("Ops that fit"));
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 0, 12, 0);
    head->setSpacing(8);
    head->addWidget(new IconLabel(context.theme, QStringLiteral("search"), 14, Tone::Tertiary, m_head));
    head->addWidget(m_field, 1);
    head->addWidget(m_from);
    head->addWidget(m_tag);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Ops"));
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &DropSearch::refill);
    connect(m_list, &QListWidget::itemClicked, this, &DropSearch::choose);
    connect(&context.document, &GraphDocument::documentReset, this, &DropSearch::dismiss);
    connect(&context.theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void DropSearch::open(const QPoint& at, const DroppedWire& wire)
{
    m_wire = wire;
    m_at = at;
    m_fits = dropFits(m_context, wire, m_planner);
    const engine::NodeView* view = m_context.plans.node(wire.node);
    const bool isOutput = wire.end == DroppedWire::End::Output;
    const bool isKnown = isOutput && view && view->dtype;
    m_from->setText(isOutput ? tr("from") : tr("into %1").arg(text(wire.port)));
    m_tag->setVisible(isKnown);
    m_from->setVisible(isKnown || !isOutput);
    if (isKnown)
        m_tag->setDType(*view->dtype);
    m_field->clear();
    refill();
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
    qApp->installEventFilter(this); // a press beside it closes
}

void DropSearch::dismiss()
{
    if (!isVisible())
        return;
    hide();
    Q_EMIT dismissed();
}

void DropSearch::hideEvent(QHideEvent* event)
{
    qApp->removeEventFilter(this);
    QWidget::hideEvent(event);
}

void DropSearch::refill()
{
    m_list->clearRows();
    std::vector<std::pair<const DropFit*, FuzzyMatch>> found;
    for (const DropFit& fit : m_fits)
        if (const std::optional<FuzzyMatch> match = fuzzyMatch(m_field->text(), fit.title))
            found.emplace_back(&fit, *match);
    if (!m_field->text().isEmpty())
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.first->fits != b.first->fits ? a.first->fits : a.second.score > b.second.score;
        });
    for (const auto& [fit, match] : found) {
        EntryRow row;
        row.id = fit->id;
        row.title = fit->title;
        row.icon = iconOfOp(QString::fromStdString(fit->op));
        row.marked = match.positions;
        row.remark = fit->dot ? QString() : fit->remark;
        row.dot = fit->dot;
        row.isFaded = !fit->fits;
        row.tip = fit->remark;
        const QString loss =
            fit->dot == DotLevel::Exact ? tr("a cast that loses nothing") : tr("a cast that loses bits");
        row.spoken = fit->title + QStringLiteral(", ") + (fit->dot ? loss : fit->remark);
        m_list->addRow(row);
    }
    m_list->selectFirst();
    m_nothing->setText(tr("Nothing that fits is called “%1”.").arg(m_field->text()));
    m_nothing->setVisible(found.empty());
    place();
}

void DropSearch::place()
{
    const int body = std::clamp(m_list->contentHeight() + 8, 48, kMostHeight);
    setFixedSize(kWidth, kHeadHeight + body);
    m_head->setGeometry(0, 0, kWidth, kHeadHeight);
    m_list->setGeometry(6, kHeadHeight + 4, kWidth - 12, body - 8);
    m_nothing->setGeometry(16, kHeadHeight + 8, kWidth - 32, 32);
    QPoint at = m_at;
    if (const QWidget* parent = parentWidget()) {
        at.setX(std::clamp(at.x(), 8, std::max(8, parent->width() - width() - 8)));
        at.setY(std::clamp(at.y(), 8, std::max(8, parent->height() - height() - 8)));
    }
    move(at);
    update();
}

void DropSearch::choose()
{
    const EntryRow* row = m_list->currentEntry();
    if (!row || row->isFaded)
        return;
    const auto it = std::find_if(m_fits.begin(), m_fits.end(), [&](const DropFit& f) { return f.id == row->id; });
    if (it == m_fits.end())
        return;
    const DropFit chosen = *it; // the slots may open this again
    dismiss();
    Q_EMIT opChosen(QString::fromStdString(chosen.op), chosen.params, QString::fromStdString(chosen.port));
}

bool DropSearch::onKey(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        dismiss();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose();
        return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return true; // the wire waits for an answer
    default:
        return m_list->onStepKey(event->key());
    }
}

bool DropSearch::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_field && event->type() == QEvent::KeyPress)
        return onKey(static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::MouseButtonPress) {
        const auto* widget = qobject_cast<QWidget*>(object);
        if (widget && widget != this && !isAncestorOf(widget))
            dismiss();
    }
    return QWidget::eventFilter(object, event);
}

void DropSearch::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_context.theme.theme();
    QPainter painter(this);
    paintSurface(painter, theme, rect(), kRadius);
    painter.fillRect(QRectF(1, kHeadHeight, width() - 2, 1), theme.line.hairline);
}

} // namespace ui
