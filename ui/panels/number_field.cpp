#include "ui/panels/number_field.h"

#include "ui/panels/words.h"

#include <QApplication>
#include <QKeyEvent>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kPixelsPerStep = 4;

} // namespace

NumberField::NumberField(Kind kind, double minimum, double maximum, QWidget* parent, Empty empty)
    : QLineEdit(parent), m_kind(kind), m_minimum(minimum), m_maximum(maximum), m_empty(empty)
{
    setFont(monoFont(12));
    setCursor(Qt::SizeHorCursor);
    setFocusPolicy(Qt::TabFocus); // the mouse focuses on release: a press may be a drag
    connect(this, &QLineEdit::returnPressed, this, &NumberField::commit);
}

QString NumberField::shown(double value) const
{
    return m_kind == Kind::Whole ? QString::number(static_cast<qint64>(value)) : plainNumber(value);
}

void NumberField::setNumber(std::optional<double> value)
{
    m_value = value;
    if (hasFocus() && isModified())
        return;
    const QString text = value ? shown(*value) : QString();
    if (text != this->text())
        setText(text);
    setRefused(false);
}

QString NumberField::rangeText() const
{
    const bool isOpen = m_maximum >= 1e9 && m_kind == Kind::Real;
    const auto bound = [this](double v) {
        return m_kind == Kind::Whole ? countText(static_cast<std::int64_t>(v)) : plainNumber(v);
    };
    if (m_kind == Kind::Whole)
        return tr("a whole number from %1 to %2").arg(bound(m_minimum), bound(m_maximum));
    if (isOpen)
        return m_minimum <= -1e9 ? tr("a number") : tr("a number from %1").arg(bound(m_minimum));
    return tr("a number from %1 to %2").arg(bound(m_minimum), bound(m_maximum));
}

void NumberField::setRefused(bool isRefused)
{
    if (m_isRefused == isRefused)
        return;
    m_isRefused = isRefused;
    setProperty("invalid", isRefused);
    style()->unpolish(this);
    style()->polish(this);
    if (!isRefused)
        Q_EMIT accepted();
}

void NumberField::commit()
{
    QString typed = text().trimmed();
    typed.remove(QChar(0x202f)).replace(QChar(0x2212), u'-');
    if (typed.isEmpty() && m_empty == Empty::Allowed) {
        setModified(false);
        setRefused(false);
        if (m_value) {
            m_value.reset();
            Q_EMIT chosen(std::nullopt);
        }
        return;
    }
    bool isNumber = false;
    const double value = typed.toDouble(&isNumber);
    const bool fits = isNumber && std::isfinite(value) && value >= m_minimum && value <= m_maximum &&
                      (m_kind == Kind::Real || value == std::floor(value));
    if (!fits) {
        setRefused(true);
        Q_EMIT refused(rangeText());
        return;
    }
    setModified(false);
    setRefused(false);
    setText(shown(value));
    if (m_value == value)
        return;
    m_value = value;
    Q_EMIT chosen(value);
}

double NumberField::stepped(double from, int steps) const
{
    if (m_kind == Kind::Whole)
        return std::clamp(from + steps, m_minimum, m_maximum);
    // One unit of the second significant digit, so that 0.001 and 1000 are both draggable; whole multiples of the
    // step, so that the text stays short.
    const double magnitude = std::abs(from) > 0 ? std::abs(from) : 1;
    const int exponent = static_cast<int>(std::floor(std::log10(magnitude))) - 1;
    const double scale = std::pow(10.0, std::abs(exponent));
    const double units = std::round(exponent < 0 ? from * scale : from / scale) + steps;
    return std::clamp(exponent < 0 ? units / scale : units * scale, m_minimum, m_maximum);
}

void NumberField::moveTo(double value)
{
    setText(shown(value));
    setRefused(false);
    if (m_value == value)
        return;
    m_value = value;
    Q_EMIT gestureMoved(value);
}

void NumberField::mousePressEvent(QMouseEvent* event)
{
    if (hasFocus() || event->button() != Qt::LeftButton || !m_value) {
        if (!hasFocus())
            setFocus(Qt::MouseFocusReason);
        QLineEdit::mousePressEvent(event);
        return;
    }
    m_press = Press::Waiting;
    m_pressedAt = event->pos();
    m_pressedValue = *m_value;
    event->accept();
}

void NumberField::mouseMoveEvent(QMouseEvent* event)
{
    if (m_press == Press::None) {
        QLineEdit::mouseMoveEvent(event);
        return;
    }
    const int distance = event->pos().x() - m_pressedAt.x();
    if (m_press == Press::Waiting) {
        if (std::abs(distance) < kPixelsPerStep)
            return;
        m_press = Press::Dragging;
        grabKeyboard(); // Escape takes the drag back
        Q_EMIT gestureStarted();
    }
    const int factor = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    moveTo(stepped(m_pressedValue, distance / kPixelsPerStep * factor));
}

void NumberField::mouseReleaseEvent(QMouseEvent* event)
{
    const Press press = std::exchange(m_press, Press::None);
    if (press == Press::None) {
        QLineEdit::mouseReleaseEvent(event);
    } else if (press == Press::Waiting) {
        setFocus(Qt::MouseFocusReason);
        selectAll();
    } else {
        releaseKeyboard();
        Q_EMIT gestureFinished();
    }
}

void NumberField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_press == Press::Dragging) {
        m_press = Press::None;
        releaseKeyboard();
        Q_EMIT gestureAbandoned();
        return;
    }
    if (event->key() == Qt::Key_Escape && (isModified() || m_isRefused)) {
        setModified(false);
        setText(m_value ? shown(*m_value) : QString());
        setRefused(false);
        selectAll();
        return;
    }
    const int direction = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    if (direction != 0 && m_press == Press::None && m_value && !isModified()) {
        if (!m_isStepping) {
            m_isStepping = true;
            Q_EMIT gestureStarted();
        }
        moveTo(stepped(*m_value, direction * (event->modifiers() & Qt::ShiftModifier ? 10 : 1)));
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void NumberField::keyReleaseEvent(QKeyEvent* event)
{
    if (m_isStepping && !event->isAutoRepeat() && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        m_isStepping = false;
        Q_EMIT gestureFinished();
        return;
    }
    QLineEdit::keyReleaseEvent(event);
}

void NumberField::focusInEvent(QFocusEvent* event)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::IBeamCursor);
    QLineEdit::focusInEvent(event);
}

void NumberField::focusOutEvent(QFocusEvent* event)
{
    if (std::exchange(m_isStepping, false))
        Q_EMIT gestureFinished();
    if (isModified())
        commit();
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::SizeHorCursor);
    QLineEdit::focusOutEvent(event);
}

} // namespace ui
