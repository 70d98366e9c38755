#include "ui/panels/words.h"

#include "engine/model/number_text.h"

#include <cmath>

namespace ui {

namespace {

constexpr QChar kThinSpace{0x202f};

} // namespace

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString dtypeWord(engine::DType dtype)
{
    return text(engine::dtypeName(dtype));
}

QString countText(std::int64_t count)
{
    QString digits = QString::number(count);
    const qsizetype first = count < 0 ? 1 : 0;
    if (digits.size() - first > 4)
        for (qsizetype i = digits.size() - 3; i > first; i -= 3)
            digits.insert(i, kThinSpace);
    return digits.replace(u'-', QChar(0x2212));
}

QString percentText(double share)
{
    const double percent = 100 * share;
    if (percent != 0 && std::abs(percent) < 0.05)
        return QStringLiteral("< 0.1 %");
    if (percent < 100 && percent > 99.95) // not all of them: never "100 %"
        return QStringLiteral("> 99.9 %");
    const bool isWhole = percent == std::round(percent);
    return QString::number(percent, 'f', isWhole ? 0 : 1) + QStringLiteral(" %");
}

QString bytesText(std::int64_t bytes)
{
    if (bytes < 1000)
        return QString::number(bytes) + QStringLiteral(" bytes");
    double value = static_cast<double>(bytes) / 1000;
    int unit = 0;
    constexpr const char* kUnits[]{"kB", "MB", "GB", "TB"};
    while (value >= 999.5 && unit < 3) {
        value /= 1000;
        ++unit;
    }
    return QString::number(value, 'f', value < 100 ? 1 : 0) + u' ' + QLatin1String(kUnits[unit]);
}

QString millisecondsText(double milliseconds)
{
    if (milliseconds >= 10000)
        return QString::number(milliseconds / 1000, 'f', 1) + QStringLiteral(" s");
    const int decimals = milliseconds < 0.1 ? 3 : milliseconds < 1 ? 2 : milliseconds < 100 ? 1 : 0;
    return QString::number(milliseconds, 'f', decimals) + QStringLiteral(" ms");
}

QString humanName(std::string_view identifier)
{
    QString words = text(identifier).replace(u'_', u' ');
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words;
}

QString firstSentence(const QString& text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool ends = text[i] == u'.' || text[i] == u'?' || text[i] == QChar(0x3002);
        if (ends && (i + 1 == text.size() || text[i + 1].isSpace() || text[i] == QChar(0x3002)))
            return text.left(i + 1);
    }
    return text;
}

QString plainNumber(double value)
{
    return text(engine::numberText(value));
}

QString nodeName(const engine::Graph& graph, engine::NodeId id)
{
    const engine::Node* node = graph.find(id);
    return node ? text(node->name) : QString();
}

} // namespace ui
