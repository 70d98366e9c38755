// A number that is typed, stepped with the arrow keys, or dragged sideways. Values out of range are refused in words
// and never leave the field; what is dragged stays within the range.
#pragma once

#include <QLineEdit>

#include <optional>

namespace ui {

class NumberField : public QLineEdit {
    Q_OBJECT

public:
    enum class Kind : std::uint8_t { Whole, Real };
    enum class Empty : std::uint8_t { Refused, Allowed }; // Allowed: an empty field means "not given"
    NumberField(Kind kind, double minimum, double maximum, QWidget* parent = nullptr, Empty empty = Empty::Refused);
    void setNumber(std::optional<double> value); // leaves a field alone that is being typed in
    std::optional<double> number() const { return m_value; }
    QString rangeText() const; // "a whole number from 1 to 65 536"
    bool isRefused() const { return m_isRefused; }

Q_SIGNALS:
    void chosen(std::optional<double> value); // typed and committed
    void gestureStarted();
    void gestureMoved(double value);
    void gestureFinished();
    void gestureAbandoned();
    void refused(const QString& range);
    void accepted();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void commit();
    void setRefused(bool isRefused);
    void moveTo(double value);
    double stepped(double from, int steps) const;
    QString shown(double value) const;

    Kind m_kind;
    double m_minimum, m_maximum;
    Empty m_empty;
    std::optional<double> m_value;
    bool m_isRefused = false;
    enum class Press : std::uint8_t { None, Waiting, Dragging } m_press = Press::None;
    bool m_isStepping = false; // an arrow key is held
    QPoint m_pressedAt;
    double m_pressedValue = 0;
};

} // namespace ui
