#include "engine/report/text_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace engine {

namespace {

std::string cut(const std::string& text, int width)
{
    if (displayWidth(text) <= width)
        return text;
    std::string out;
    int used = 0;
    for (std::size_t i = 0; i < text.size() && used < width - 2;) {
        std::size_t next = i + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80)
            ++next;
        out.append(text, i, next - i);
        i = next;
        ++used;
    }
    return out + "..";
}

std::string padded(const std::string& text, int width, Align align)
{
    const auto gap = static_cast<std::size_t>(std::max(0, width - displayWidth(text)));
    return align == Align::Left ? text + std::string(gap, ' ') : std::string(gap, ' ') + text;
}

} // namespace

std::string printable(std::string_view utf8)
{
    std::string out;
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        // C1 controls are U+0080 to U+009F: C2 80 to C2 9F.
        const bool isC1 = byte == 0xC2 && i + 1 < utf8.size() && static_cast<unsigned char>(utf8[i + 1]) < 0xA0;
        if (byte >= 0x20 && byte != 0x7F && !isC1) {
            out += utf8[i];
            continue;
        }
        char text[8];
        std::snprintf(text, sizeof text, "\\x%02x", isC1 ? static_cast<unsigned char>(utf8[++i]) : byte);
        out += text;
    }
    return out;
}

void TextTable::add(std::vector<std::string> row)
{
    for (std::string& cell : row)
        cell = printable(cell);
    m_rows.push_back(std::move(row));
}

int displayWidth(std::string_view utf8)
{
    return static_cast<int>(
        std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string TextTable::text(int indent) const
{
    std::vector<int> widths(m_alignment.size(), 0);
    for (const auto& row : m_rows)
        for (std::size_t c = 0; c < row.size(); ++c)
            widths[c] = std::max(widths[c], displayWidth(row[c]));
    const auto total = [&] {
        int sum = indent - 2;
        for (int w : widths)
            sum += w + 2;
        return sum;
    };
    while (total() > kTextWidth) {
        std::size_t widest = widths.size();
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (m_alignment[c] == Align::Left && (widest == widths.size() || widths[c] > widths[widest]))
                widest = c;
        if (widest == widths.size() || widths[widest] <= 8)
            break;
        --widths[widest];
    }
    std::string out;
    for (const auto& row : m_rows) {
        std::string line(static_cast<std::size_t>(indent), ' ');
        for (std::size_t c = 0; c < row.size(); ++c)
            line += (c ? "  " : "") + padded(cut(row[c], widths[c]), widths[c], m_alignment[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string wrap(std::string_view raw, int indent, int hanging)
{
    const std::string clean = printable(raw);
    const std::string_view text = clean;
    std::string out, line(static_cast<std::size_t>(indent), ' ');
    bool isEmpty = true;
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = text.find_first_of(" \n", at);
        end = end == std::string_view::npos ? text.size() : end;
        const std::string_view word = text.substr(at, end - at);
        at = end + 1;
        if (word.empty())
            continue;
        if (!isEmpty && displayWidth(line) + 1 + displayWidth(word) > kTextWidth) {
            out += line + "\n";
            line.assign(static_cast<std::size_t>(hanging), ' ');
            isEmpty = true;
        }
        line += (isEmpty ? "" : " ") + std::string(word);
        isEmpty = false;
    }
    return out + line + "\n";
}

std::string shortNumber(double value, int digits)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    if (value == 0)
        return "0";
    char text[48];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}

} // namespace engine
