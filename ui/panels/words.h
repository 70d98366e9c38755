// Numbers, dtypes and places as people read them: narrow spaces, units, full dtype names. Pure functions.
#pragma once

#include "engine/model/snapshot.h"
#include "ui/style/theme.h"

#include <QString>

namespace ui {

QString text(std::string_view utf8);
QString dtypeWord(engine::DType dtype);         // "float64"
QString countText(std::int64_t count);          // "11 649"
QString percentText(double share);              // 0.464 -> "46.4 %", 1 -> "100 %"
QString bytesText(std::int64_t bytes);          // "2.8 MB"
QString millisecondsText(double milliseconds);  // "3.1 ms"
QString humanName(std::string_view identifier); // "kernel_size" -> "Kernel size"
QString firstSentence(const QString& text);     // up to the first full stop or question mark, with it
QString plainNumber(double value);              // shortest decimal text, as in the file
QString nodeName(const engine::Graph& graph, engine::NodeId id);

} // namespace ui
