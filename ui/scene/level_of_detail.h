// What is drawn at which zoom. Look, section 6.
#pragma once

#include <algorithm>

namespace ui {

enum class Detail { Full, Middle, Low, Block };

inline Detail detailAt(double zoom)
{
    return zoom >= 0.6 ? Detail::Full : zoom >= 0.35 ? Detail::Middle : zoom >= 0.15 ? Detail::Low : Detail::Block;
}

// Device-independent pixels per look pixel. Dots grow with the zoom and never shrink, so that the canvas, zoomed out,
// is a map of losses; ports and wires shrink a little.
inline double dotScale(double zoom)
{
    return zoom >= 1 ? zoom : 1;
}

inline double portScale(double zoom)
{
    return zoom >= 1 ? zoom : std::max(zoom, 0.8);
}

inline double wireScale(double zoom)
{
    return zoom >= 1 ? zoom : zoom >= 0.35 ? std::max(zoom, 0.75) : 0.6;
}

} // namespace ui
