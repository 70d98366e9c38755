// The legend over the canvas, bottom left: only the dtypes and dot levels that are there. A click on its title folds
// it.
#pragma once

#include "ui/scene/graph_scene.h"

#include <QWidget>

namespace ui {

class Legend : public QWidget {
    Q_OBJECT

public:
    Legend(GraphScene& scene, QWidget* parent);
    const std::vector<engine::DType>& dtypes() const { return m_dtypes; }
    const std::vector<DotLevel>& levels() const { return m_levels; }
    bool isFolded() const { return m_isFolded; }
    void fold(bool isFolded);
    void place(); // in the parent's bottom-left corner
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void read();
    double dotsWidth() const;
    GraphScene& m_scene;
    std::vector<engine::DType> m_dtypes;
    std::vector<DotLevel> m_levels;
    bool m_isFolded = false;
};

} // namespace ui
