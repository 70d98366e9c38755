#include "ui/window/help_window.h"

#include "ui/style/theme.h"

#include <QFile>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace ui {

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent), m_page(new QTextBrowser(this))
{
    setWindowTitle(tr("Mantissa: keys, gestures, plots"));
    resize(720, 640);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_page);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->document()->setDocumentMargin(24);
    m_page->setFont(uiFont(13));
    loadResources();
    QFile file(QStringLiteral(":/mantissa/help/window.md"));
    if (file.open(QIODevice::ReadOnly))
        m_page->setMarkdown(QString::fromUtf8(file.readAll()));
}

QString HelpWindow::text() const
{
    return m_page->toPlainText();
}

} // namespace ui
