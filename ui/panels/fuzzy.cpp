#include "ui/panels/fuzzy.h"

#include <algorithm>
#include <vector>

namespace ui {

namespace {

constexpr int kImpossible = -1000000;
constexpr int kLetter = 10, kRun = 12, kWordStart = 9, kTextStart = 8, kSkip = 1;

bool startsWord(const QString& text, qsizetype i)
{
    if (i == 0)
        return true;
    const QChar before = text[i - 1], here = text[i];
    return !before.isLetterOrNumber() || (before.isLower() && here.isUpper()) || (before.isLetter() && here.isDigit());
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text)
{
    QString wanted = pattern.toLower();
    wanted.remove(u' ');
    if (wanted.isEmpty())
        return FuzzyMatch{};
    const QString in = text.toLower();
    const qsizetype n = wanted.size(), m = in.size();
    if (n > m || m > 400)
        return std::nullopt;
    // best[i][j]: score of the first i + 1 letters with the last of them at j; from[i][j]: place of the one before.
    const auto at = [m](qsizetype i, qsizetype j) { return static_cast<std::size_t>(i * m + j); };
    std::vector<int> best(static_cast<std::size_t>(n * m), kImpossible), from(best.size(), -1);
    for (qsizetype i = 0; i < n; ++i) {
        for (qsizetype j = i; j < m; ++j) {
            if (in[j] != wanted[i])
                continue;
            const int here = kLetter + (startsWord(text, j) ? kWordStart : 0) + (j == 0 ? kTextStart : 0);
            if (i == 0) {
                best[at(0, j)] = here - kSkip * static_cast<int>(std::min<qsizetype>(j, 10));
                continue;
            }
            for (qsizetype k = i - 1; k < j; ++k) {
                if (best[at(i - 1, k)] == kImpossible)
                    continue;
                const int gap = static_cast<int>(j - k - 1);
                const int score = best[at(i - 1, k)] + here + (gap == 0 ? kRun : -kSkip * gap);
                if (score > best[at(i, j)]) {
                    best[at(i, j)] = score;
                    from[at(i, j)] = static_cast<int>(k);
                }
            }
        }
    }
    FuzzyMatch match{kImpossible, {}};
    qsizetype last = -1;
    for (qsizetype j = 0; j < m; ++j) {
        if (best[at(n - 1, j)] > match.score) {
            match.score = best[at(n - 1, j)];
            last = j;
        }
    }
    if (last < 0)
        return std::nullopt;
    for (qsizetype i = n - 1, j = last; i >= 0; j = from[at(i, j)], --i)
        match.positions.prepend(static_cast<int>(j));
    match.score -= static_cast<int>(std::min<qsizetype>(m - n, 20)); // of two equal matches the shorter text
    return match;
}

} // namespace ui
