// The words of undo steps, in one place: imperative, with the names of what they change. "Set filters of conv1 to 16",
// "Move 3 nodes", "Use float64 inputs and float32 weights".
#pragma once

#include "engine/document/document.h"

#include <QCoreApplication>
#include <QString>

namespace ui {

class EditNames {
    Q_DECLARE_TR_FUNCTIONS(EditNames)

public:
    static QString node(const engine::Document& document, engine::NodeId id);                // "conv1"
    static QString nodes(const engine::Document& document, const std::set<engine::NodeId>&); // "conv1", "3 nodes"
    static QString dtype(engine::DType dtype);                                               // "float64"
    static QString value(const engine::ParamValue& value); // "16", "[3, 3]", "same", "glorot_uniform, seed 7"

    static QString add(const QString& what) { return tr("Add %1").arg(what); }
    static QString remove(const QString& what) { return tr("Delete %1").arg(what); }
    static QString move(const QString& what) { return tr("Move %1").arg(what); }
    static QString paste(const QString& what) { return tr("Paste %1").arg(what); }
    static QString duplicate(const QString& what) { return tr("Duplicate %1").arg(what); }
    static QString cut(const QString& what) { return tr("Cut %1").arg(what); }
    static QString mute(const QString& what) { return tr("Mute %1").arg(what); }
    static QString unmute(const QString& what) { return tr("Unmute %1").arg(what); }
    static QString rename(const QString& from, const QString& to) { return tr("Rename %1 to %2").arg(from, to); }
    static QString connect(const QString& from, const QString& to) { return tr("Connect %1 to %2").arg(from, to); }
    static QString insert(const QString& what, const QString& from, const QString& to);
    static QString edge(const engine::Document& document, const engine::EdgeKey& edge); // "the edge from a to b"
    static QString setParam(const QString& node, const QString& param, const engine::ParamValue& value);
    static QString setSlot(const QString& node, engine::Slot slot, engine::SlotAsk ask);
    static QString setLayerDType(const QString& node, std::optional<engine::DType> dtype);
    static QString setFloatx(engine::DType dtype) { return tr("Set floatx to %1").arg(EditNames::dtype(dtype)); }
    static QString useCombo(engine::Combo combo);
    static QString useDialect(const QString& title) { return tr("Switch the dialect to %1").arg(title); }
    static QString useBackend(const QString& title) { return tr("Run on %1").arg(title); }
    static QString forbidCast(const QString& node, const QString& port);
    static QString allowCast(const QString& node, const QString& port);
};

} // namespace ui
