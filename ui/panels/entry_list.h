// A list of rows in groups, as the palettes and the op dock show it: icon, title with underlined letters, quiet words,
// and at the right a keycap, words, or a coercion dot.
#pragma once

#include "ui/style/theme.h"

#include <QListWidget>

namespace ui {

struct EntryRow {
    QString id, title, caption, icon;
    QList<int> marked;           // letters of the title to underline
    QString keys;                // keycap at the right
    QString remark;              // words at the right
    std::optional<DotLevel> dot; // at the right
    bool isFaded = false;        // does not fit; cannot be chosen
    QString spoken;              // for a screen reader; empty: title and caption
    QString tip;
};

class EntryList : public QListWidget {
    Q_OBJECT

public:
    EntryList(ThemeManager& theme, int rowHeight, QWidget* parent);
    void clearRows();
    void addGroup(const QString& title);
    void addRow(const EntryRow& row);
    const EntryRow* rowAt(int listRow) const; // null: a group's title
    const EntryRow* currentEntry() const { return rowAt(currentRow()); }
    void selectFirst();      // the first that can be chosen
    void step(int by);       // over group titles; stops at the ends
    bool onStepKey(int key); // Up, Down and the page keys step; false: another key
    int contentHeight() const;
    void setMimeType(const QString& type); // rows can be dragged; the data is the id
    QSize sizeHint() const override { return {200, contentHeight()}; }

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    QMimeData* mimeData(const QList<QListWidgetItem*>& items) const override;
    QStringList mimeTypes() const override { return {m_mimeType}; }
    void keyPressEvent(QKeyEvent* event) override;

private:
    friend class EntryDelegate;
    ThemeManager& m_theme;
    int m_rowHeight;
    QString m_mimeType;
    QList<EntryRow> m_rows;
};

} // namespace ui
