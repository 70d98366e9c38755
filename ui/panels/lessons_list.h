// The left dock's Lessons: a card for each, with its title and the question it asks.
#pragma once

#include "ui/panels/search_entry.h"

#include <QListWidget>

namespace ui {

class LessonsList : public QWidget {
    Q_OBJECT

public:
    explicit LessonsList(ThemeManager& theme, QWidget* parent = nullptr);
    void setLessons(const QList<LessonInfo>& lessons);
    QListWidget* list() const { return m_list; }

Q_SIGNALS:
    void lessonActivated(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    ThemeManager& m_theme;
    QListWidget* m_list;
};

} // namespace ui
