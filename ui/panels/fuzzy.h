// Fuzzy matching: the letters of a pattern in order within a text. Starts of words and unbroken runs score higher.
// Pure.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace ui {

struct FuzzyMatch {
    int score = 0;        // higher is better
    QList<int> positions; // of the matched letters in the text, ascending
};
// Case and spaces in the pattern do not count; an empty pattern matches everything with no letters.
std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text);

} // namespace ui
