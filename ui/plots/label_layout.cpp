#include "ui/plots/label_layout.h"

#include <QTransform>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace ui {

namespace {

constexpr double kGap = 6; // between level labels
const double kSin = std::sin(-kLabelAngle * std::numbers::pi / 180);
const double kCos = std::cos(-kLabelAngle * std::numbers::pi / 180);

QString shortened(const QString& text, double width, const TextMeasure& measure)
{
    if (measure(text) <= width)
        return text;
    for (qsizetype keep = text.size() - 1; keep >= 2; --keep) {
        const QString s = text.left((keep + 1) / 2) + QChar(0x2026) + text.right(keep / 2);
        if (measure(s) <= width)
            return s;
    }
    return {};
}

// Every step-th column, and `keep` in place of those within its step.
QList<qsizetype> thinned(qsizetype count, qsizetype step, qsizetype keep)
{
    QList<qsizetype> columns;
    for (qsizetype i = 0; i < count; i += step)
        if (keep < 0 || i == keep || std::abs(i - keep) >= step)
            columns.append(i);
    if (keep >= 0 && keep < count && !columns.contains(keep))
        columns.insert(std::lower_bound(columns.begin(), columns.end(), keep), keep);
    return columns;
}

} // namespace

CategoryLabels layoutCategories(const QStringList& names, const CategoryPlace& place, const TextMeasure& measure)
{
    CategoryLabels out;
    if (names.isEmpty())
        return out;
    QList<double> widths;
    for (const QString& n : names)
        widths.append(measure(n));
    const auto x = [&](qsizetype i) { return place.left + place.spacing * static_cast<double>(i); };
    bool fitsLevel = true;
    for (qsizetype i = 0; i < names.size() && fitsLevel; ++i) {
        fitsLevel = x(i) - widths[i] / 2 >= place.edge && x(i) + widths[i] / 2 <= place.rightEdge;
        if (i > 0)
            fitsLevel = fitsLevel && (widths[i] + widths[i - 1]) / 2 + kGap <= place.spacing;
    }
    if (fitsLevel) {
        out.height = kLabelLine + 4;
        for (qsizetype i = 0; i < names.size(); ++i)
            out.labels.append({i, names[i], {x(i), place.top + kLabelLine + 1}});
        return out;
    }
    out.isTurned = true;
    // Parallel labels of one slope are apart when their lines are: spacing x sin(38) >= a line.
    const double needed = (kLabelLine + 1) / kSin;
    const auto step = static_cast<qsizetype>(std::max(1.0, std::ceil(needed / place.spacing)));
    const double byHeight = (place.maxHeight - kLabelLine - 4) / kSin;
    double longest = 0;
    for (qsizetype i : thinned(names.size(), step, place.keep)) {
        const QPointF at(x(i) + 3, place.top + kLabelLine);
        const double room = std::min(byHeight, (at.x() - place.edge - kLabelLine * kSin) / kCos);
        const QString text = shortened(names[i], room, measure);
        if (text.isEmpty())
            continue;
        longest = std::max(longest, measure(text));
        out.labels.append({i, text, at});
    }
    out.height = std::min(place.maxHeight, longest * kSin + kLabelLine + 4);
    return out;
}

QPolygonF labelOutline(const CategoryLabel& label, bool isTurned, double width)
{
    QTransform t;
    t.translate(label.at.x(), label.at.y());
    if (isTurned)
        t.rotate(kLabelAngle);
    const double left = isTurned ? -width : -width / 2;
    return t.map(QPolygonF(QRectF(left, -kLabelLine * 0.78, width, kLabelLine)));
}

QList<double> moveApart(const QList<double>& wanted, double gap, double low, double high)
{
    const qsizetype n = wanted.size();
    if (n == 0)
        return {};
    QList<qsizetype> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](qsizetype a, qsizetype b) { return wanted[a] < wanted[b]; });
    if (n > 1 && high - low < gap * static_cast<double>(n - 1))
        gap = std::max(0.0, (high - low) / static_cast<double>(n - 1));
    // Pool adjacent violators: z_k = y_k - k gap must not fall; each pool sits at its mean.
    struct Pool {
        double sum;
        double count;
    };
    QList<Pool> pools;
    for (qsizetype k = 0; k < n; ++k) {
        pools.append({wanted[order[k]] - static_cast<double>(k) * gap, 1});
        while (pools.size() > 1 &&
               pools[pools.size() - 2].sum / pools[pools.size() - 2].count > pools.last().sum / pools.last().count) {
            const Pool last = pools.takeLast();
            pools.last().sum += last.sum;
            pools.last().count += last.count;
        }
    }
    QList<double> placed(n);
    qsizetype k = 0;
    const double top = high - gap * static_cast<double>(n - 1);
    for (const Pool& p : pools)
        for (double i = 0; i < p.count; ++i, ++k)
            placed[order[k]] = std::clamp(p.sum / p.count, low, std::max(low, top)) + static_cast<double>(k) * gap;
    return placed;
}

} // namespace ui
