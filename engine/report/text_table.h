// Tables and paragraphs for people, at most 100 columns wide.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engine {

inline constexpr int kTextWidth = 100;

enum class Align : unsigned char { Left, Right };

class TextTable {
public:
    explicit TextTable(std::vector<Align> alignment) : m_alignment(std::move(alignment)) {}
    void add(std::vector<std::string> row);             // cells are made printable
    bool isEmpty() const { return m_rows.size() <= 1; } // the first row is the header
    // Columns as wide as their widest cell; the widest left-aligned column gives way until the line fits.
    std::string text(int indent) const;

private:
    std::vector<Align> m_alignment;
    std::vector<std::vector<std::string>> m_rows;
};

// Control characters, which a file may put into names, as "\\x1b": they never reach a terminal.
std::string printable(std::string_view utf8);
int displayWidth(std::string_view utf8); // code points
std::string wrap(std::string_view text, int indent, int hanging);
std::string shortNumber(double value, int digits = 3); // "6.48e-08", "0", "12.5"

} // namespace engine
