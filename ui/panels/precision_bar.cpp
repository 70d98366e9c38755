#include "ui/panels/precision_bar.h"

#include "ui/document/edit_names.h"
#include "ui/panels/bar_buttons.h"
#include "ui/panels/combo_cell.h"
#include "ui/panels/tool_field.h"
#include "ui/panels/widget_kit.h"
#include "ui/panels/words.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>

#include <algorithm>

namespace ui {

namespace {

constexpr std::array<Metric, 7> kMetrics{Metric::RelL2,   Metric::MaxAbs, Metric::Rmse,      Metric::MaxUlp,
                                         Metric::MeanUlp, Metric::MaxRel, Metric::MedianBits};

QString comboWords(const engine::Combo& combo)
{
    return dtypeWord(combo.input) + QStringLiteral(" × ") + dtypeWord(combo.weight);
}

class VerticalRule : public QWidget {
public:
    explicit VerticalRule(ThemeManager& theme, QWidget* parent) : QWidget(parent)
    {
        setFixedSize(1, 32);
        setAutoFillBackground(true);
        const auto apply = [this, &theme] {
            QPalette colors = palette();
            colors.setColor(QPalette::Window, theme.theme().line.hairline);
            setPalette(colors);
        };
        apply();
        connect(&theme, &ThemeManager::changed, this, apply);
    }
};

} // namespace

PrecisionBar::PrecisionBar(const PanelContext& context, QList<DialectChoice> dialects, QList<BackendChoice> backends,
                           QWidget* parent)
    : QWidget(parent), m_context(context), m_dialects(std::move(dialects)), m_backends(std::move(backends))
{
    setFixedHeight(56);
    setAccessibleName(tr("Precision"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(12);
    buildHistory(row);
    addSeparator(row);
    buildRun(row);
    addSeparator(row);
    buildCombos(row);
    addSeparator(row);
    buildFields(row);
    row->addStretch(1);
    m_search = new SearchButton(context.theme, this);
    row->addWidget(m_search, 2);
    connect(m_search, &QAbstractButton::clicked, this, &PrecisionBar::searchRequested);

    connect(&m_context.document, &GraphDocument::settingsChanged, this, &PrecisionBar::refresh);
    connect(&m_context.document, &GraphDocument::documentReset, this, &PrecisionBar::refresh);
    connect(&m_context.snapshots, &SnapshotStore::changed, this, &PrecisionBar::refresh);
    connect(&m_context.snapshots, &SnapshotStore::runningChanged, this, &PrecisionBar::refresh);
    connect(&m_context.plans, &PlanStore::changed, this, &PrecisionBar::refresh);
    connect(&m_context.theme, &ThemeManager::changed, this, &PrecisionBar::refreshIcons);
    refresh();
    refreshIcons();
    refreshHistory();
}

QToolButton* PrecisionBar::iconButton(const QString& icon, const QString& name)
{
    auto* button = new QToolButton(this);
    button->setProperty("icon-name", icon);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFixedSize(32, 32);
    button->setIconSize({20, 20});
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void PrecisionBar::addSeparator(QBoxLayout* row)
{
    row->addWidget(new VerticalRule(m_context.theme, this));
}

void PrecisionBar::buildHistory(QBoxLayout* row)
{
    m_undo = iconButton(QStringLiteral("undo"), tr("Undo"));
    m_redo = iconButton(QStringLiteral("redo"), tr("Redo"));
    auto* group = new QHBoxLayout;
    group->setSpacing(2);
    group->addWidget(m_undo);
    group->addWidget(m_redo);
    row->addLayout(group);
    QUndoStack& stack = m_context.document.undoStack();
    connect(m_undo, &QToolButton::clicked, &stack, &QUndoStack::undo);
    connect(m_redo, &QToolButton::clicked, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::indexChanged, this, &PrecisionBar::refreshHistory);
    connect(&stack, &QUndoStack::canUndoChanged, this, &PrecisionBar::refreshHistory);
    connect(&stack, &QUndoStack::canRedoChanged, this, &PrecisionBar::refreshHistory);
}

void PrecisionBar::buildRun(QBoxLayout* row)
{
    m_live = new LiveButton(m_context.theme, this);
    m_live->setChecked(m_isLive);
    m_run = iconButton(QStringLiteral("run"), tr("Run"));
    auto* group = new QHBoxLayout;
    group->setSpacing(4);
    group->addWidget(m_live);
    group->addWidget(m_run);
    row->addLayout(group);
    connect(m_live, &QAbstractButton::toggled, this, &PrecisionBar::setLive);
    connect(m_run, &QToolButton::clicked, this, [this] {
        if (m_context.snapshots.isRunning())
            Q_EMIT stopRequested();
        else
            Q_EMIT runRequested();
    });
}

void PrecisionBar::buildCombos(QBoxLayout* row)
{
    auto* caption =
        new TextLabel(m_context.theme, Tone::Tertiary, uiFont(10, Weight::Medium), tr("input\n× weight"), this);
    caption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* grid = new QGridLayout;
    grid->setSpacing(3);
    grid->setContentsMargins(0, 5, 0, 6); // 2 × 21 + 3 in the middle of 56
    for (int i = 0; i < 4; ++i) {
        auto* cell = new ComboCell(m_context.theme, this);
        const engine::Combo combo = engine::kFourCombos[static_cast<std::size_t>(i)];
        cell->setCombo(combo);
        grid->addWidget(cell, i / 2, i % 2);
        connect(cell, &QAbstractButton::clicked, this, [this, combo] { chooseCombo(combo); });
        auto* shortcut = new QShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), this);
        connect(shortcut, &QShortcut::activated, this, [this, combo] { chooseCombo(combo); });
        m_cells[static_cast<std::size_t>(i)] = cell;
    }
    m_other = new ComboCell(m_context.theme, this);
    m_other->hide();
    connect(m_other, &QAbstractButton::clicked, this, [this] { chooseCombo(m_other->combo()); });
    m_more = iconButton(QStringLiteral("chevron_down"), tr("Any other pair of dtypes"));
    m_more->setFixedSize(22, 32);
    m_more->setIconSize({14, 14});
    m_more->setStyleSheet(QStringLiteral("QToolButton, QToolButton:focus { padding: 0; }"));
    connect(m_more, &QToolButton::clicked, this,
            [this] { pairMenu()->popup(m_more->mapToGlobal(QPoint(0, m_more->height()))); });
    auto* group = new QHBoxLayout;
    group->setSpacing(8);
    group->addWidget(caption);
    group->addLayout(grid);
    group->addWidget(m_other);
    group->addWidget(m_more);
    row->addLayout(group);
}

void PrecisionBar::buildFields(QBoxLayout* row)
{
    m_dialectField = new ToolField(m_context.theme, tr("Dialect"), this);
    m_backendField = new ToolField(m_context.theme, tr("Backend"), this);
    m_metricField = new ToolField(m_context.theme, tr("Metric"), this);
    QList<Choice> choices;
    for (const DialectChoice& d : m_dialects)
        choices << Choice{QString::fromStdString(d.name), d.title, d.sentence, true, {}, {}};
    m_dialectField->setChoices(choices);
    choices.clear();
    for (const BackendChoice& b : m_backends)
        choices << Choice{QString::fromStdString(b.name), b.title, {}, b.isAvailable, b.reason, b.remedy};
    m_backendField->setChoices(choices);
    choices.clear();
    for (Metric metric : kMetrics)
        choices << Choice{
            QString::number(static_cast<int>(metric)), metricTitle(metric), metricUnit(metric), true, {}, {}};
    m_metricField->setChoices(choices);
    for (ToolField* field : {m_dialectField, m_backendField, m_metricField})
        row->addWidget(field);
    connect(m_dialectField, &ToolField::chosen, this, [this](const QString& id) {
        engine::RunSettings settings = m_context.document.value().settings;
        settings.dialect = id.toStdString();
        m_dialectField->setCurrent(id);
        chooseSettings(settings, tr("Switch the dialect to %1").arg(m_dialectField->valueText()));
    });
    connect(m_backendField, &ToolField::chosen, this, [this](const QString& id) {
        engine::RunSettings settings = m_context.document.value().settings;
        settings.backend = id.toStdString();
        m_backendField->setCurrent(id);
        chooseSettings(settings, tr("Run on %1").arg(m_backendField->valueText()));
    });
    connect(m_metricField, &ToolField::chosen, this, [this](const QString& id) { setMetric(Metric(id.toInt())); });
}

QMenu* PrecisionBar::pairMenu()
{
    if (!m_pairMenu)
        m_pairMenu = new QMenu(tr("Any other pair of dtypes"), this);
    m_pairMenu->clear();
    QMenu* integers = nullptr;
    for (const engine::DTypeFacts& dtype : engine::allDTypes()) {
        if (!dtype.isStorage)
            continue;
        if (engine::isFloat(dtype.dtype)) {
            addPairs(m_pairMenu, dtype.dtype);
            continue;
        }
        if (!integers) {
            m_pairMenu->addSeparator();
            integers = m_pairMenu->addMenu(tr("Integer or bool input"));
        }
        addPairs(integers, dtype.dtype);
    }
    return m_pairMenu;
}

void PrecisionBar::addPairs(QMenu* menu, engine::DType input)
{
    QMenu* weights = menu->addMenu(tr("Input %1").arg(dtypeWord(input)));
    const engine::Combo current = m_context.document.value().settings.combo;
    for (const engine::DTypeFacts& dtype : engine::allDTypes()) {
        if (!dtype.isStorage)
            continue;
        const engine::Combo combo{input, dtype.dtype};
        QAction* action = weights->addAction(tr("weights %1").arg(dtypeWord(dtype.dtype)));
        action->setCheckable(true);
        action->setChecked(combo == current);
        action->setData(QString::fromStdString(combo.text()));
        connect(action, &QAction::triggered, this, [this, combo] { chooseCombo(combo); });
    }
}

void PrecisionBar::chooseCombo(const engine::Combo& combo)
{
    engine::RunSettings settings = m_context.document.value().settings;
    settings.combo = combo;
    chooseSettings(settings, EditNames::useCombo(combo));
}

void PrecisionBar::chooseSettings(const engine::RunSettings& settings, const QString& name)
{
    // An unchanged choice is no step to undo. Settings of one field each cannot be refused by the document.
    if (!(settings == m_context.document.value().settings))
        (void)m_context.document.apply(engine::SetSettings{settings}, name);
    refresh();
}

void PrecisionBar::setLive(bool isLive)
{
    if (m_isLive == isLive)
        return;
    m_isLive = isLive;
    m_live->setChecked(isLive);
    refreshRun();
    Q_EMIT liveChanged(isLive);
}

void PrecisionBar::setMetric(Metric metric)
{
    const bool isNew = metric != m_metric;
    m_metric = metric;
    refresh();
    if (isNew)
        Q_EMIT metricChanged(metric);
}

void PrecisionBar::refresh()
{
    const engine::RunSettings& settings = m_context.document.value().settings;
    const auto show = [&](ComboCell* cell, const QString& keys) {
        cell->setState(comboState(m_context.snapshots, m_context.plans, settings, cell->combo(), m_metric),
                       metricTitle(m_metric), keys);
        cell->setChecked(cell->combo() == settings.combo);
    };
    for (int i = 0; i < 4; ++i)
        show(cell(i), QStringLiteral("Ctrl+%1").arg(i + 1));
    const bool isOther =
        std::find(engine::kFourCombos.begin(), engine::kFourCombos.end(), settings.combo) == engine::kFourCombos.end();
    m_other->setVisible(isOther);
    if (isOther) {
        m_other->setCombo(settings.combo);
        show(m_other, {});
    }
    m_more->setToolTip(tr("Any other pair of dtypes. Now %1.").arg(comboWords(settings.combo)));
    m_dialectField->setCurrent(QString::fromStdString(settings.dialect));
    m_backendField->setCurrent(QString::fromStdString(settings.backend));
    m_metricField->setCurrent(QString::number(static_cast<int>(m_metric)));
    refreshRun();
}

void PrecisionBar::refreshRun()
{
    const bool isRunning = m_context.snapshots.isRunning();
    const QString name = isRunning ? tr("Stop") : tr("Run");
    m_run->setAccessibleName(name);
    m_run->setToolTip(isRunning  ? tr("Stop the run")
                      : m_isLive ? tr("Run: live runs every edit by itself")
                                 : tr("Run the graph as it is now"));
    const auto& results = m_context.snapshots.snapshot();
    const bool isWhole = !m_context.snapshots.isStale() && !results->partial;
    m_run->setEnabled(isRunning || !m_isLive || !isWhole); // a run that was stopped can be taken up
    const QString icon = isRunning ? QStringLiteral("stop") : QStringLiteral("run");
    if (m_run->property("icon-name").toString() != icon) {
        m_run->setProperty("icon-name", icon);
        refreshIcons();
    }
}

void PrecisionBar::refreshIcons()
{
    for (QToolButton* button : {m_undo, m_redo, m_run, m_more})
        button->setIcon(icon(button->property("icon-name").toString(), m_context.theme.theme()));
}

void PrecisionBar::refreshHistory()
{
    const QUndoStack& stack = m_context.document.undoStack();
    m_undo->setEnabled(stack.canUndo());
    m_redo->setEnabled(stack.canRedo());
    m_undo->setToolTip(stack.canUndo() ? tr("Undo: %1 (Ctrl+Z)").arg(stack.undoText()) : tr("Nothing to undo"));
    m_redo->setToolTip(stack.canRedo() ? tr("Redo: %1 (Ctrl+Shift+Z)").arg(stack.redoText()) : tr("Nothing to redo"));
}

} // namespace ui
