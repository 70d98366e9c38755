#include "ui/panels/source_editor.h"

#include "ui/panels/number_field.h"
#include "ui/panels/param_list_editor.h"
#include "ui/panels/words.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QToolButton>

namespace ui {

namespace {

using Kind = engine::Source::Kind;

// The arguments that a generator takes, in words; an empty word: it has none.
struct GeneratorWords {
    std::string_view generator;
    const char* a;
    const char* b;
    bool hasSeed;
};
constexpr GeneratorWords kWords[]{
    {"zeros", "", "", false},
    {"ones", "", "", false},
    {"ramp", "", "", false},
    {"constant", QT_TRANSLATE_NOOP("ui::SourceEditor", "Value"), "", false},
    {"uniform", QT_TRANSLATE_NOOP("ui::SourceEditor", "Low"), QT_TRANSLATE_NOOP("ui::SourceEditor", "High"), true},
    {"normal", QT_TRANSLATE_NOOP("ui::SourceEditor", "Mean"), QT_TRANSLATE_NOOP("ui::SourceEditor", "Deviation"), true},
};

GeneratorWords wordsOf(std::string_view generator)
{
    for (const GeneratorWords& w : kWords)
        if (w.generator == generator)
            return w;
    return {generator, "", "", true};
}

constexpr double kLargestSeed = 9007199254740992; // 2^53: what a float64 counts to exactly
constexpr double kAnyReal = 1e308;

} // namespace

SourceEditor::SourceEditor(const engine::ParamSpec& spec, const ParamEditorContext& context, QWidget* parent)
    : ParamEditor(parent), m_label(paramLabel(spec)), m_context(context), m_form(new QFormLayout(this)),
      m_kind(makeChoiceBox(this))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setVerticalSpacing(4);
    m_form->setHorizontalSpacing(8);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_kind->setAccessibleName(tr("%1, from").arg(m_label));
    m_kind->addItem(tr("initialiser"), static_cast<int>(Kind::Generator));
    m_kind->addItem(tr("values"), static_cast<int>(Kind::Values));
    m_kind->addItem(tr("tensor"), static_cast<int>(Kind::Tensor));
    m_kind->addItem(tr("file"), static_cast<int>(Kind::File));
    m_form->addRow(m_kind);
    setFocusProxy(m_kind);
    buildGenerator();
    buildArrays();
    connect(m_kind, &QComboBox::activated, this,
            [this](int index) { setKind(static_cast<Kind>(m_kind->itemData(index).toInt())); });
    m_chooseFile = [this] {
        return QFileDialog::getOpenFileName(
            window(), tr("Take values from a file"), m_context.baseDirectory,
            tr("Arrays and images (*.npy *.npz *.idx* *ubyte* *.gz *.png *.jpg *.jpeg)"));
    };
}

void SourceEditor::buildGenerator()
{
    m_generator = makeChoiceBox(this);
    m_generator->setAccessibleName(tr("%1, initialiser").arg(m_label));
    for (std::string_view name : engine::initializerNames())
        m_generator->addItem(text(name));
    m_form->addRow(m_generator);
    connect(m_generator, &QComboBox::textActivated, this, [this](const QString& name) {
        choose([&](engine::Source& s) {
            s.generator = name.toStdString();
            const GeneratorWords words = wordsOf(s.generator);
            if (!*words.a) // arguments of another initialiser mean nothing here
                s.a.reset();
            if (!*words.b)
                s.b.reset();
        });
    });
    m_seed = new NumberField(NumberField::Kind::Whole, 0, kLargestSeed, this);
    m_seed->setAccessibleName(tr("%1, seed").arg(m_label));
    m_form->addRow(tr("Seed"), m_seed);
    adopt(m_seed, tr("Seed"), [this](std::optional<double> v) {
        return with([&](engine::Source& s) { s.seed = static_cast<std::uint64_t>(*v); });
    });
    const auto argument = [this](std::optional<double> engine::Source::*member) {
        auto* field = new NumberField(NumberField::Kind::Real, -kAnyReal, kAnyReal, this, NumberField::Empty::Allowed);
        field->setPlaceholderText(tr("default"));
        m_form->addRow(QString(), field);
        adopt(field, m_label,
              [this, member](std::optional<double> v) { return with([&](engine::Source& s) { s.*member = v; }); });
        return field;
    };
    m_a = argument(&engine::Source::a);
    m_b = argument(&engine::Source::b);
}

void SourceEditor::buildArrays()
{
    m_values = new QLineEdit(this);
    m_values->setFont(monoFont(12));
    m_values->setPlaceholderText(tr("1, 2.5, −3e−4"));
    m_values->setAccessibleName(tr("%1, values").arg(m_label));
    m_values->setToolTip(tr("Numbers in row-major order; one number fills the shape."));
    m_form->addRow(m_values);
    connect(m_values, &QLineEdit::editingFinished, this, &SourceEditor::commitValues);

    m_tensor = makeChoiceBox(this);
    m_tensor->setAccessibleName(tr("%1, tensor").arg(m_label));
    m_form->addRow(m_tensor);
    connect(m_tensor, &QComboBox::textActivated, this,
            [this](const QString& name) { choose([&](engine::Source& s) { s.name = name.toStdString(); }); });

    m_file = new QWidget(this);
    auto* row = new QHBoxLayout(m_file);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_path = new QLineEdit(m_file);
    m_path->setAccessibleName(tr("%1, file").arg(m_label));
    m_path->setPlaceholderText(tr("path"));
    m_fileButton = new QToolButton(m_file);
    m_fileButton->setText(QStringLiteral("…"));
    m_fileButton->setAccessibleName(tr("Choose a file"));
    m_fileButton->setToolTip(tr("Choose a file"));
    m_fileButton->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(m_path);
    row->addWidget(m_fileButton);
    m_form->addRow(m_file);
    connect(m_path, &QLineEdit::editingFinished, this, [this] {
        if (m_path->isModified())
            commitPath(m_path->text());
    });
    connect(m_fileButton, &QToolButton::clicked, this, [this] {
        if (const QString path = m_chooseFile(); !path.isEmpty())
            commitPath(path);
    });
    m_member = new QLineEdit(this);
    m_member->setAccessibleName(tr("%1, member").arg(m_label));
    m_form->addRow(tr("Member"), m_member);
    connect(m_member, &QLineEdit::editingFinished, this, [this] {
        if (m_member->isModified())
            choose([&](engine::Source& s) { s.member = m_member->text().toStdString(); });
        m_member->setModified(false);
    });

    buildReading();
}

void SourceEditor::buildReading()
{
    m_scale = makeChoiceBox(this);
    m_scale->setAccessibleName(tr("%1, integers").arg(m_label));
    m_scale->addItems({tr("as they are"), tr("unit: 0 to 1")});
    m_scale->setToolTip(tr("Unit: an integer k becomes k / (2^depth − 1), in one float64 division."));
    m_form->addRow(tr("Integers"), m_scale);
    connect(m_scale, &QComboBox::activated, this, [this](int index) {
        choose([&](engine::Source& s) {
            s.scale = index == 1 ? engine::Source::Scale::Unit : engine::Source::Scale::Raw;
        });
    });
    m_channels = makeChoiceBox(this);
    m_channels->setAccessibleName(tr("%1, alpha").arg(m_label));
    m_channels->addItems({tr("dropped"), tr("kept")});
    m_form->addRow(tr("Alpha"), m_channels);
    connect(m_channels, &QComboBox::activated, this, [this](int index) {
        choose([&](engine::Source& s) {
            s.channels = index == 1 ? engine::Source::Channels::Keep : engine::Source::Channels::Drop;
        });
    });
}

engine::ParamValue SourceEditor::with(const std::function<void(engine::Source&)>& change) const
{
    engine::Source source = m_value;
    change(source);
    return source;
}

void SourceEditor::setKind(Kind kind)
{
    choose([&](engine::Source& s) {
        s.kind = kind;
        if (kind == Kind::Values && s.values.empty())
            s.values = {0};
        if (kind == Kind::Tensor && !m_context.tensors.contains(QString::fromStdString(s.name)))
            s.name = m_context.tensors.isEmpty() ? std::string() : m_context.tensors.front().toStdString();
    });
}

void SourceEditor::commitValues()
{
    if (!m_values->isModified())
        return;
    QString typed = m_values->text();
    typed.replace(QChar(0x2212), u'-');
    std::vector<double> numbers;
    for (const QString& part : typed.split(QRegularExpression(QStringLiteral("[,;\\s]+")), Qt::SkipEmptyParts)) {
        bool isNumber = false;
        numbers.push_back(part.toDouble(&isNumber));
        if (!isNumber) {
            Q_EMIT refused(tr("%1: “%2” is no number").arg(m_label, part));
            return;
        }
    }
    if (numbers.empty()) {
        Q_EMIT refused(tr("%1: at least one number").arg(m_label));
        return;
    }
    m_values->setModified(false);
    Q_EMIT accepted();
    choose([&](engine::Source& s) { s.values = numbers; });
}

void SourceEditor::commitPath(const QString& path)
{
    m_path->setModified(false);
    QString stored = path;
    // A file beside the document travels with it.
    if (!m_context.baseDirectory.isEmpty() && QDir::isAbsolutePath(path)) {
        const QString relative = QDir(m_context.baseDirectory).relativeFilePath(path);
        if (!relative.startsWith(QStringLiteral("..")))
            stored = relative;
    }
    choose([&](engine::Source& s) { s.name = stored.toStdString(); });
}

void SourceEditor::show(const engine::ParamValue& value)
{
    m_value = std::get<engine::Source>(value);
    refresh();
}

void SourceEditor::refresh()
{
    const engine::Source& s = m_value;
    const auto setRow = [this](QWidget* field, bool isShown, const QString& label = {}) {
        field->setVisible(isShown);
        if (auto* caption = qobject_cast<QLabel*>(m_form->labelForField(field))) {
            if (!label.isEmpty())
                caption->setText(label);
            caption->setVisible(isShown);
        }
    };
    const auto setText = [](QLineEdit* field, const QString& text) {
        if (!(field->hasFocus() && field->isModified()) && field->text() != text)
            field->setText(text);
    };
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(s.kind)));
    const bool isGenerator = s.kind == Kind::Generator;
    const GeneratorWords words = wordsOf(s.generator);
    setRow(m_generator, isGenerator);
    setRow(m_seed, isGenerator && words.hasSeed);
    setRow(m_a, isGenerator && *words.a, tr(words.a));
    setRow(m_b, isGenerator && *words.b, tr(words.b));
    m_a->setAccessibleName(m_label + QStringLiteral(", ") + tr(words.a));
    m_b->setAccessibleName(m_label + QStringLiteral(", ") + tr(words.b));
    m_generator->setCurrentText(QString::fromStdString(s.generator));
    m_seed->setNumber(static_cast<double>(s.seed));
    m_a->setNumber(s.a);
    m_b->setNumber(s.b);
    setRow(m_values, s.kind == Kind::Values);
    QStringList numbers;
    for (double v : s.values)
        numbers << plainNumber(v);
    setText(m_values, numbers.join(QStringLiteral(", ")));
    setRow(m_tensor, s.kind == Kind::Tensor);
    m_tensor->clear();
    m_tensor->addItems(m_context.tensors);
    const QString name = QString::fromStdString(s.name);
    if (!name.isEmpty() && !m_context.tensors.contains(name))
        m_tensor->addItem(name); // named, but not in the document: a finding says so
    m_tensor->setCurrentText(name);
    const bool isFile = s.kind == Kind::File, isArray = isFile || s.kind == Kind::Tensor;
    setRow(m_file, isFile);
    setText(m_path, name);
    m_path->setToolTip(name);
    setRow(m_member, isFile && name.endsWith(QStringLiteral(".npz")));
    setText(m_member, QString::fromStdString(s.member));
    setRow(m_scale, isArray);
    m_scale->setCurrentIndex(s.scale == engine::Source::Scale::Unit ? 1 : 0);
    const bool isImage = name.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive);
    setRow(m_channels, isFile && isImage);
    m_channels->setCurrentIndex(s.channels == engine::Source::Channels::Keep ? 1 : 0);
}

} // namespace ui
