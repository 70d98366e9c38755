#include "ui/style/shape_text.h"

#include <QStringList>

namespace ui {

QString shapeText(const engine::Shape& shape)
{
    if (shape.rank() == 0)
        return QStringLiteral("scalar");
    QStringList parts;
    for (std::int64_t d : shape.dims())
        parts << (d < 0 ? QStringLiteral("?") : QString::number(d));
    return parts.join(QChar(0xd7));
}

} // namespace ui
