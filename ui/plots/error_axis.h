// The vertical axis of an error plot: decades or a plain scale, with bands of their own for exact zeros below and for
// what is not finite above, each behind a gap of 6 px. Pure geometry.
#pragma once

#include "ui/live/error_series.h"

#include <QRectF>

#include <vector>

namespace ui {

enum class AxisKind : std::uint8_t { Log, Linear };

struct AxisTick {
    double at = 0; // axis units: log10 on a log axis
    QString label;
};

struct ErrorAxis {
    AxisKind kind = AxisKind::Log;
    double low = 0, high = 1; // axis units
    std::vector<AxisTick> ticks;
    bool hasExact = false, hasNotFinite = false;
    QRectF area; // of finite values
    QRectF exactBand, notFiniteBand;

    double toAxis(double value) const;
    // Where a point goes: its place in the area, at an edge (see `outside`), or in a band.
    double y(const SeriesPoint& point) const;
    // -1: below the area, 1: above it.
    int outside(const SeriesPoint& point) const;
};

inline constexpr double kBandGap = 6, kBandHeight = 16;

// Ranges and ticks from all points; the bands are cut from `whole`. Decades that are multiples of 4, every one if
// fewer than 6.
ErrorAxis makeErrorAxis(AxisKind kind, const std::vector<const SeriesPoint*>& points, const QRectF& whole);
std::vector<AxisTick> decadeTicks(double low, double high);

} // namespace ui
