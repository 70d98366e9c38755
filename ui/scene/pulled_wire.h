// A wire in the user's hand: which port it hangs on, where its loose end is, and which ports it may go to. Drawn by the
// marks item, moved by a drag.
#pragma once

#include "engine/document/document.h"

#include <QPointF>
#include <QString>

#include <map>
#include <optional>

namespace ui {

struct PortKey {
    engine::NodeId node;
    std::string port; // kOutputPort: the output
    auto operator<=>(const PortKey&) const = default;
};

struct PulledWire {
    PortKey anchor;
    bool isFromOutput = true;
    QPointF fixedEnd, looseEnd;
    std::optional<engine::EdgeKey> taken; // the edge whose end was taken
    std::optional<PortKey> target;        // attracts the loose end
    std::map<PortKey, QString> fits;      // every port of the other kind: why not, or empty where it fits
    bool isFit(const PortKey& key) const
    {
        const auto it = fits.find(key);
        return it != fits.end() && it->second.isEmpty();
    }
};

} // namespace ui
