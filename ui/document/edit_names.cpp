// Sentences without a full stop, dtype names in full.
#include "ui/document/edit_names.h"

namespace ui {

using namespace engine;

namespace {

QString textOf(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace

QString EditNames::node(const Document& document, NodeId id)
{
    const Node* found = document.graph.find(id);
    return found ? textOf(found->name) : tr("node %1").arg(id.value);
}

QString EditNames::nodes(const Document& document, const std::set<NodeId>& ids)
{
    return ids.size() == 1 ? node(document, *ids.begin()) : tr("%n nodes", "", static_cast<int>(ids.size()));
}

QString EditNames::dtype(DType dtype)
{
    return textOf(dtypeName(dtype));
}

QString EditNames::value(const ParamValue& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return textOf(*text);
    const auto* source = std::get_if<Source>(&value);
    if (!source)
        return textOf(paramToJson(value));
    switch (source->kind) {
    case Source::Kind::Generator:
        return source->seed == 0 ? textOf(source->generator)
                                 : tr("%1, seed %2").arg(textOf(source->generator)).arg(source->seed);
    case Source::Kind::Values:
        return tr("%n values", "", static_cast<int>(source->values.size()));
    case Source::Kind::Tensor:
        return tr("the tensor %1").arg(textOf(source->name));
    case Source::Kind::File:
        return tr("the file %1").arg(textOf(source->name));
    }
    return {};
}

QString EditNames::insert(const QString& what, const QString& from, const QString& to)
{
    return tr("Insert %1 between %2 and %3").arg(what, from, to);
}

QString EditNames::edge(const Document& document, const EdgeKey& key)
{
    const Edge* found = document.graph.edgeInto(key.to, key.toPort);
    if (!found)
        return tr("the edge into %1").arg(node(document, key.to));
    return tr("the edge from %1 to %2").arg(node(document, found->from), node(document, key.to));
}

QString EditNames::setParam(const QString& node, const QString& param, const ParamValue& value)
{
    return tr("Set %1 of %2 to %3").arg(param, node, EditNames::value(value));
}

QString EditNames::setSlot(const QString& node, Slot slot, SlotAsk ask)
{
    const QString name = textOf(slotName(slot));
    const std::optional<std::string> asked = ask.text();
    return asked ? tr("Set the %1 slot of %2 to %3").arg(name, node, textOf(*asked))
                 : tr("Clear the %1 slot of %2").arg(name, node);
}

QString EditNames::setLayerDType(const QString& node, std::optional<DType> dtype)
{
    return dtype ? tr("Set the layer dtype of %1 to %2").arg(node, EditNames::dtype(*dtype))
                 : tr("Clear the layer dtype of %1").arg(node);
}

QString EditNames::useCombo(Combo combo)
{
    return tr("Use %1 inputs and %2 weights").arg(dtype(combo.input), dtype(combo.weight));
}

QString EditNames::forbidCast(const QString& node, const QString& port)
{
    return tr("Forbid casts of the %1 of %2").arg(port, node);
}

QString EditNames::allowCast(const QString& node, const QString& port)
{
    return tr("Allow casts of the %1 of %2").arg(port, node);
}

} // namespace ui
