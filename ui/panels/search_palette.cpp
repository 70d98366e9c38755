#include "ui/panels/search_palette.h"

#include "ui/panels/entry_list.h"
#include "ui/panels/floating.h"
#include "ui/panels/search_detail.h"
#include "ui/panels/search_parts.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"
#include "ui/style/paint.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kWidth = 740, kTop = 28, kHeadHeight = 48, kFootHeight = 34, kDetailWidth = 292, kBodyHeight = 342,
              kBodyLeast = 180;
constexpr double kRadius = 12;
constexpr int kPerGroup = 5;

} // namespace

SearchPalette::SearchPalette(const PanelContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    hide();
    setAccessibleName(tr("Search everything"));
    build();
    connect(m_field, &QLineEdit::textChanged, this, &SearchPalette::refill);
    connect(m_list, &QListWidget::currentRowChanged, this, &SearchPalette::showDetail);
    connect(m_list, &QListWidget::itemClicked, this, [this] { choose(Connect::No); });
    connect(&context.document, &GraphDocument::documentReset, this, &SearchPalette::dismiss);
    connect(&context.theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void SearchPalette::build()
{
    m_card = new QWidget(this);
    m_head = new QWidget(m_card);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(16, 0, 16, 0);
    head->setSpacing(10);
    m_searchIcon = new IconLabel(m_context.theme, QStringLiteral("search"), 20, Tone::Secondary, m_head);
    m_field = makeSearchField(tr("Search everything"), 15, m_head);
    m_scopeLabel = new TextLabel(m_context.theme, Tone::Tertiary, uiFont(12), {}, m_head);
    head->addWidget(m_searchIcon);
    head->addWidget(m_field, 1);
    head->addWidget(m_scopeLabel);
    head->addWidget(new KeyLabel(m_context.theme, tr("Tab"), m_head));
    m_list = new EntryList(m_context.theme, 34, m_card);
    m_list->setAccessibleName(tr("Results"));
    m_list->setFocusPolicy(Qt::NoFocus); // the field keeps the focus and hands the arrows on
    m_nothing = new TextLabel(m_context.theme, Tone::Secondary, uiFont(12), {}, m_card);
    m_nothing->setWordWrap(true);
    m_detail = new SearchDetail(m_context, m_card);
    m_foot = new KeyHints(m_context.theme, m_card);
    m_field->installEventFilter(this);
}

void SearchPalette::open(const QRect& area)
{
    setGeometry(area);
    m_all = allEntries(m_context, m_actions, m_lessons);
    m_scope.reset();
    m_field->clear();
    refill();
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
}

void SearchPalette::dismiss()
{
    if (!isVisible())
        return;
    hide();
    Q_EMIT dismissed();
}

QRect SearchPalette::cardRect() const
{
    const int width = std::min(kWidth, this->width() - 24);
    // Of one height whatever is found: the card does not jump while one types.
    const int body = std::clamp(height() - kTop - kHeadHeight - kFootHeight - 16, kBodyLeast, kBodyHeight);
    return {(this->width() - width) / 2, std::min(kTop, height() / 8), width, kHeadHeight + body + kFootHeight};
}

void SearchPalette::place()
{
    const QRect card = cardRect();
    m_card->setGeometry(card);
    const int body = card.height() - kHeadHeight - kFootHeight;
    const bool hasDetail = card.width() >= 560;
    const int listWidth = card.width() - (hasDetail ? kDetailWidth : 0);
    m_head->setGeometry(0, 0, card.width(), kHeadHeight);
    m_list->setGeometry(6, kHeadHeight + 4, listWidth - 12, body - 8);
    m_nothing->setGeometry(18, kHeadHeight + 12, listWidth - 36, 40);
    m_detail->setVisible(hasDetail);
    m_detail->setGeometry(listWidth + 1, kHeadHeight + 1, kDetailWidth - 2, body - 2);
    m_foot->setGeometry(0, card.height() - kFootHeight, card.width(), kFootHeight);
}

void SearchPalette::refill()
{
    m_found = foundEntries(m_all, m_field->text(), kPerGroup, m_scope);
    m_list->clearRows();
    for (std::size_t i = 0; i < m_found.size(); ++i) {
        const SearchEntry& entry = m_found[i];
        if (i == 0 || m_found[i - 1].group != entry.group)
            m_list->addGroup(searchGroupTitle(entry.group));
        EntryRow row;
        row.id = QString::number(i);
        row.title = entry.title;
        row.caption = entry.caption;
        row.icon = entry.icon;
        row.marked = entry.marked;
        row.keys = entry.keys;
        row.spoken = searchGroupTitle(entry.group) + QStringLiteral(": ") + entry.title +
                     (entry.caption.isEmpty() ? QString() : QStringLiteral(", ") + entry.caption);
        m_list->addRow(row);
    }
    m_list->selectFirst();
    m_scopeLabel->setText(m_scope ? searchGroupTitle(*m_scope) : tr("everything"));
    m_nothing->setText(tr("Nothing is called “%1”.").arg(m_field->text()));
    m_nothing->setVisible(m_found.empty());
    place();
    showDetail();
    update();
}

const SearchEntry* SearchPalette::current() const
{
    const EntryRow* row = m_list->currentEntry();
    const std::size_t index = row ? row->id.toULongLong() : m_found.size();
    return index < m_found.size() ? &m_found[index] : nullptr;
}

void SearchPalette::showDetail()
{
    const SearchEntry* entry = current();
    m_detail->show(entry);
    auto* hints = static_cast<KeyHints*>(m_foot);
    QList<KeyHint> keys{{tr("↑ ↓"), tr("move")}};
    if (entry && entry->group == SearchGroup::Ops) {
        keys << KeyHint{tr("Enter"), tr("add")};
        const QString name = nodeName(m_context.document.graph(), m_context.selection.current());
        if (!name.isEmpty())
            keys << KeyHint{tr("Shift Enter"), tr("add and connect to %1").arg(name)};
    } else if (entry) {
        keys << KeyHint{tr("Enter"), entry->group == SearchGroup::Nodes     ? tr("go to it")
                                     : entry->group == SearchGroup::Actions ? tr("do it")
                                                                            : tr("open the lesson")};
    }
    hints->setHints(keys, {tr("Esc"), tr("close")});
}

void SearchPalette::choose(Connect connect)
{
    const SearchEntry* entry = current();
    if (!entry)
        return;
    const SearchEntry chosen = *entry; // the slots below may open this again
    dismiss();
    switch (chosen.group) {
    case SearchGroup::Ops:
        if (connect == Connect::Yes && m_context.document.graph().find(m_context.selection.current()))
            Q_EMIT opConnectChosen(chosen.id, m_context.selection.current());
        else
            Q_EMIT opChosen(chosen.id);
        break;
    case SearchGroup::Nodes:
        Q_EMIT nodeChosen({chosen.id.toUInt()});
        break;
    case SearchGroup::Actions:
        Q_EMIT actionChosen(chosen.id);
        break;
    case SearchGroup::Lessons:
        Q_EMIT lessonChosen(chosen.id);
        break;
    }
}

void SearchPalette::cycleScope(int by)
{
    const int now = m_scope ? static_cast<int>(*m_scope) + 1 : 0;
    const int next = (now + by + kSearchGroupCount + 1) % (kSearchGroupCount + 1);
    m_scope = next == 0 ? std::nullopt : std::optional(static_cast<SearchGroup>(next - 1));
    refill();
}

bool SearchPalette::onKey(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        dismiss();
        return true;
    case Qt::Key_Tab:
        cycleScope(1);
        return true;
    case Qt::Key_Backtab:
        cycleScope(-1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(event->modifiers() & Qt::ShiftModifier ? Connect::Yes : Connect::No);
        return true;
    default:
        return m_list->onStepKey(event->key());
    }
}

bool SearchPalette::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_field && event->type() == QEvent::KeyPress && onKey(static_cast<QKeyEvent*>(event)))
        return true;
    return QWidget::eventFilter(object, event);
}

void SearchPalette::mousePressEvent(QMouseEvent* event)
{
    if (!m_card->geometry().contains(event->pos()))
        dismiss();
}

void SearchPalette::paintEvent(QPaintEvent*)
{
    const Theme& theme = m_context.theme.theme();
    QPainter painter(this);
    QColor scrim = theme.surface.canvas;
    scrim.setAlphaF(0.55f);
    painter.fillRect(rect(), scrim);
    const QRectF card = m_card->geometry();
    drawShadow(painter, card, theme.popupShadow, kRadius);
    paintSurface(painter, theme, card, kRadius);
    painter.fillRect(QRectF(card.left() + 1, card.top() + kHeadHeight, card.width() - 2, 1), theme.line.hairline);
    painter.fillRect(QRectF(card.left() + 1, card.bottom() - kFootHeight, card.width() - 2, 1), theme.line.hairline);
    if (m_detail->isVisibleTo(m_card))
        painter.fillRect(
            QRectF(card.right() - kDetailWidth, card.top() + kHeadHeight, 1, card.height() - kHeadHeight - kFootHeight),
            theme.line.hairline);
}

} // namespace ui
