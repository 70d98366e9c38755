#include "ui/plots/error_axis.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kRoom = 0.5;       // decades, for the markers
constexpr double kMostDecades = 26; // what lies lower is drawn as an arrow head at the edge

QString decadeLabel(int decade)
{
    if (decade == 0)
        return QStringLiteral("1");
    return QStringLiteral("1e") + (decade < 0 ? QStringLiteral("−") : QString()) + QString::number(std::abs(decade));
}

double niceStep(double span)
{
    const double rough = span / 4, power = std::pow(10, std::floor(std::log10(rough)));
    for (double f : {1.0, 2.0, 2.5, 5.0})
        if (f * power >= rough)
            return f * power;
    return 10 * power;
}

} // namespace

std::vector<AxisTick> decadeTicks(double low, double high)
{
    const int first = static_cast<int>(std::ceil(low - 1e-9)), last = static_cast<int>(std::floor(high + 1e-9));
    const int step = last - first + 1 < 6 ? 1 : 4;
    std::vector<AxisTick> ticks;
    for (int d = first; d <= last; ++d)
        if (d % step == 0)
            ticks.push_back({static_cast<double>(d), decadeLabel(d)});
    return ticks;
}

ErrorAxis makeErrorAxis(AxisKind kind, const std::vector<const SeriesPoint*>& points, const QRectF& whole)
{
    ErrorAxis axis;
    axis.kind = kind;
    std::optional<double> least, most;
    for (const SeriesPoint* p : points) {
        axis.hasExact = axis.hasExact || p->kind == PointKind::Exact;
        axis.hasNotFinite = axis.hasNotFinite || p->kind == PointKind::NotFinite;
        if (p->kind != PointKind::Value || (kind == AxisKind::Log && !(p->value > 0)))
            continue;
        const double v = axis.toAxis(p->value);
        least = std::min(least.value_or(v), v);
        most = std::max(most.value_or(v), v);
    }
    if (kind == AxisKind::Log) {
        axis.high = most ? std::ceil(*most + kRoom) : 0;
        axis.low = least ? std::max(std::floor(*least - kRoom), axis.high - kMostDecades) : -16;
        axis.ticks = decadeTicks(axis.low, axis.high);
    } else {
        const double step = niceStep(std::max(most.value_or(1), 1e-12));
        axis.low = 0;
        axis.high = std::ceil(most.value_or(1) / step + 0.05) * step;
        for (int i = 0; i * step <= axis.high + step / 2; ++i)
            axis.ticks.push_back({i * step, shortNumber(i * step, 3)});
    }
    axis.area = whole;
    if (axis.hasNotFinite) {
        axis.notFiniteBand = QRectF(whole.left(), whole.top(), whole.width(), kBandHeight);
        axis.area.setTop(whole.top() + kBandHeight + kBandGap);
    }
    if (axis.hasExact) {
        axis.exactBand = QRectF(whole.left(), whole.bottom() - kBandHeight, whole.width(), kBandHeight);
        axis.area.setBottom(whole.bottom() - kBandHeight - kBandGap);
    }
    return axis;
}

double ErrorAxis::toAxis(double value) const
{
    return kind == AxisKind::Log ? std::log10(value) : value;
}

int ErrorAxis::outside(const SeriesPoint& point) const
{
    if (point.kind != PointKind::Value)
        return 0;
    const double v = toAxis(point.value);
    return v < low ? -1 : v > high ? 1 : 0;
}

double ErrorAxis::y(const SeriesPoint& point) const
{
    if (point.kind == PointKind::Exact)
        return exactBand.center().y();
    if (point.kind == PointKind::NotFinite)
        return notFiniteBand.center().y();
    const double v = point.kind == PointKind::Value ? std::clamp(toAxis(point.value), low, high) : low;
    return area.bottom() - (v - low) / (high - low) * area.height();
}

} // namespace ui
