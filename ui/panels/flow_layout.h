// Items in a row that goes on in the next line where the width ends: buttons that must never be cut.
#pragma once

#include <QLayout>

namespace ui {

class FlowLayout : public QLayout {
public:
    FlowLayout(int horizontalGap, int verticalGap);
    ~FlowLayout() override;
    void addItem(QLayoutItem* item) override { m_items << item; }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override { return minimumSize(); }
    void setGeometry(const QRect& rect) override;

private:
    enum class Act : std::uint8_t { Measure, Place };
    int arrange(const QRect& rect, Act act) const;
    QList<QLayoutItem*> m_items;
    int m_horizontalGap, m_verticalGap;
};

} // namespace ui
