// A two-line field of the toolbar: caption and current value; a press opens the list of choices.
#pragma once

#include "ui/panels/choice_popup.h"

#include <QAbstractButton>
#include <QPointer>

namespace ui {

class ToolField : public QAbstractButton {
    Q_OBJECT

public:
    ToolField(ThemeManager& theme, const QString& caption, QWidget* parent = nullptr);
    void setChoices(QList<Choice> choices);
    void setCurrent(const QString& id); // an unknown id is shown as it is
    const QString& current() const { return m_current; }
    QString valueText() const;
    ChoicePopup* openPopup();
    ChoicePopup* popup() const { return m_popup; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {96, 40}; }

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const Choice* find(const QString& id) const;
    ThemeManager& m_theme;
    QString m_caption, m_current;
    QList<Choice> m_choices;
    QPointer<ChoicePopup> m_popup;
};

} // namespace ui
