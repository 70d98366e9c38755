// Files and the clipboard: what the menu entries do, with the one question that may be asked (unsaved changes).
#include "ui/document/clipboard_codec.h"
#include "ui/scene/graph_view.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QMessageBox>

namespace ui {

bool MainWindow::mayDiscard()
{
    if (!m_context.document.isEdited())
        return true;
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
                    tr("Save the changes to %1?").arg(m_context.files.displayName()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return save();
    case QMessageBox::Discard:
        return true;
    default:
        return false;
    }
}

bool MainWindow::openFile(const QString& path)
{
    if (!mayDiscard())
        return false;
    const engine::Status status = m_context.files.open(path);
    if (!status)
        showError(status.error());
    if (!status && !QFile::exists(path))
        m_context.recent.remove(path); // nothing to come back to
    return status.ok();
}

bool MainWindow::openLesson(const QString& path)
{
    if (!mayDiscard())
        return false;
    const engine::Status status = m_context.files.openCopy(path);
    if (!status)
        showError(status.error());
    return status.ok();
}

bool MainWindow::save()
{
    if (m_context.document.path().isEmpty())
        return saveAs();
    const engine::Status status = m_context.files.save();
    if (!status)
        showError(status.error());
    return status.ok();
}

bool MainWindow::saveAs()
{
    // The suffix is the dialog's to add, so that its question about a file that is there asks for the right one.
    const QFileInfo now(m_context.document.path());
    QFileDialog dialog(this, tr("Save as"), m_context.document.path().isEmpty() ? QString() : now.absolutePath(),
                       tr("Mantissa files (*.mantissa)"));
    if (!m_context.document.path().isEmpty())
        dialog.selectFile(now.fileName());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix("mantissa");
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return false;
    const engine::Status status = m_context.files.saveAs(dialog.selectedFiles().front());
    if (!status)
        showError(status.error());
    return status.ok();
}

bool MainWindow::copySelection()
{
    if (m_context.selection.nodes().empty())
        return false;
    auto mime = mimeOfNodes(m_context.document.value(), m_context.selection.nodes());
    if (mime)
        QApplication::clipboard()->setMimeData(mime->release());
    else
        showError(mime.error());
    return mime.ok();
}

void MainWindow::cutSelection()
{
    if (!copySelection())
        return;
    const NamedEdit cut = cutEdit(m_context.document.value(), m_context.selection.nodes());
    if (const auto status = m_context.document.apply(cut.edit, cut.name); !status)
        showError(status.error());
}

void MainWindow::pasteClipboard()
{
    const QMimeData* mime = QApplication::clipboard()->mimeData();
    if (!mime || !holdsNodes(*mime))
        return;
    const auto part = nodesOfMime(*mime);
    if (!part)
        return showError(part.error());
    const Pasting p = pasteEdit(m_context.document.value(), *part, m_canvas->pastePoint(*part));
    if (const auto status = m_context.document.apply(p.step.edit, p.step.name); !status)
        return showError(status.error());
    m_context.selection.set(p.nodes);
}

} // namespace ui
