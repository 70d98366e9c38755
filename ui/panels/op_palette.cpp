#include "ui/panels/op_palette.h"

#include "ui/panels/entry_list.h"
#include "ui/panels/fuzzy.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

QString categoryTitle(std::string_view category)
{
    return humanName(category);
}

OpPalette::OpPalette(const PanelContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_filter(new QLineEdit(this)),
      m_list(new EntryList(context.theme, 26, this)),
      m_nothing(new TextLabel(context.theme, Tone::Secondary, uiFont(11), {}, this))
{
    setAccessibleName(tr("Ops"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(4);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 0, 12, 0);
    top->addWidget(m_filter);
    column->addLayout(top);
    m_nothing->setContentsMargins(12, 8, 12, 0);
    m_nothing->setWordWrap(true);
    column->addWidget(m_nothing);
    column->addWidget(m_list, 1);
    m_filter->setPlaceholderText(tr("Filter ops"));
    m_filter->setAccessibleName(tr("Filter ops"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFont(uiFont(12));
    m_filter->setFixedHeight(28);
    QAction* search = m_filter->addAction(QIcon(), QLineEdit::LeadingPosition);
    const auto setIcon = [this, search] { search->setIcon(icon(QStringLiteral("search"), m_context.theme.theme())); };
    setIcon();
    connect(&context.theme, &ThemeManager::changed, this, setIcon);
    m_filter->installEventFilter(this);
    m_list->setAccessibleName(tr("Ops"));
    m_list->setMimeType(QLatin1String(kOpMimeType));
    connect(m_filter, &QLineEdit::textChanged, this, &OpPalette::refill);
    connect(m_list, &EntryList::chosen, this, &OpPalette::opActivated);
    connect(m_list, &QListWidget::itemDoubleClicked, this, [this](QListWidgetItem* item) {
        if (const EntryRow* row = m_list->rowAt(m_list->row(item)))
            Q_EMIT opActivated(row->id);
    });
    connect(&context.theme, &ThemeManager::changed, this, qOverload<>(&QWidget::update));
    refill();
}

void OpPalette::refill()
{
    const QString pattern = m_filter->text();
    m_list->clearRows();
    // Categories in the order in which the catalogue first names them.
    std::vector<std::string_view> categories;
    for (const engine::OpSpec* spec : m_context.ops.all())
        if (std::find(categories.begin(), categories.end(), spec->category) == categories.end())
            categories.push_back(spec->category);
    for (std::string_view category : categories) {
        bool isNew = true;
        for (const engine::OpSpec* spec : m_context.ops.all()) {
            const QString name = text(spec->name);
            const std::optional<FuzzyMatch> match =
                spec->category == category ? fuzzyMatch(pattern, name) : std::nullopt;
            if (!match)
                continue;
            if (std::exchange(isNew, false))
                m_list->addGroup(categoryTitle(category));
            EntryRow row;
            row.id = row.title = name;
            row.icon = iconOfOp(name);
            row.marked = match->positions;
            row.tip = text(spec->summary);
            row.spoken = name + QStringLiteral(", ") + text(spec->summary);
            m_list->addRow(row);
        }
    }
    if (!pattern.isEmpty())
        m_list->selectFirst();
    m_nothing->setText(tr("No op is called “%1”.").arg(pattern));
    m_nothing->setVisible(m_list->count() == 0);
}

bool OpPalette::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_filter && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const EntryRow* row = m_list->currentEntry();
        if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up) {
            m_list->step(key->key() == Qt::Key_Down ? 1 : -1);
            return true;
        }
        if (row && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            Q_EMIT opActivated(row->id);
            return true;
        }
        if (key->key() == Qt::Key_Escape && !m_filter->text().isEmpty()) {
            m_filter->clear();
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

void OpPalette::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), m_context.theme.theme().surface.panel);
}

} // namespace ui
