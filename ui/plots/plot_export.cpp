// Figures and tables of a plot: PNG at twice the pixels, SVG, CSV. A figure carries its title, its subtitle and the
// version of the program.
#include "ui/plots/plot_paint.h"
#include "ui/plots/plot_widget.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSaveFile>
#include <QSvgGenerator>

namespace ui {

namespace {

constexpr int kHeader = 30, kFooter = 22, kRatio = 2;

QString version()
{
    return QStringLiteral("Mantissa " MANTISSA_VERSION);
}

engine::Status cannotWrite(const QString& path, const QString& reason)
{
    return engine::Error{"file-write", path.toStdString(), reason.toStdString(), "choose another folder or name"};
}

QString quoted(const QString& field)
{
    if (!field.contains(QLatin1Char(',')) && !field.contains(QLatin1Char('"')) && !field.contains(QLatin1Char('\n')))
        return field;
    return QLatin1Char('"') + QString(field).replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

QString line(const QStringList& fields)
{
    QStringList all;
    for (const QString& f : fields)
        all.append(quoted(f));
    return all.join(QLatin1Char(',')) + QLatin1Char('\n');
}

} // namespace

// Builds the plot anew in the figure's theme, paints it between header and footer, and builds it back.
void PlotWidget::paintFigure(QPainter& painter, const QSize& plot, const Theme& figure)
{
    const PlotHover hover = std::exchange(m_hover, {});
    ensureBuilt();
    m_figureTheme = &figure;
    finishMotion();
    rebuild(plot);
    finishMotion();
    const int header = paintsTitle() ? 0 : kHeader;
    painter.fillRect(QRect(0, 0, plot.width(), plot.height() + header + kFooter), figure.plot.background);
    if (!paintsTitle())
        drawTitle(painter, 14, 20);
    painter.save();
    painter.translate(0, header);
    paintAll(painter, plot);
    painter.restore();
    drawText(painter, {plot.width() - 14.0, plot.height() + header + kFooter - 8.0}, version(), uiFont(10),
             figure.text.tertiary, Qt::AlignRight);
    m_figureTheme = nullptr;
    m_hover = hover;
    rebuild(size());
    finishMotion();
    update();
}

engine::Status PlotWidget::exportPicture(const QString& path, const Theme& figure)
{
    const QSize plot = size().expandedTo({420, 240});
    const QSize whole = plot + QSize(0, kFooter + (paintsTitle() ? 0 : kHeader));
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return cannotWrite(path, file.errorString());
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        svg.setSize(whole);
        svg.setResolution(96);
        svg.setViewBox(QRect(QPoint(0, 0), whole));
        svg.setTitle(title());
        svg.setDescription(subtitle() + QStringLiteral(" · ") + version());
        {
            QPainter painter(&svg);
            paintFigure(painter, plot, figure);
        }
        return file.commit() ? engine::success() : cannotWrite(path, file.errorString());
    }
    QImage image(whole * kRatio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kRatio);
    image.setText(QStringLiteral("Title"), title());
    image.setText(QStringLiteral("Description"), subtitle());
    image.setText(QStringLiteral("Software"), version());
    {
        QPainter painter(&image);
        paintFigure(painter, plot, figure);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return cannotWrite(path, file.errorString());
    if (!image.save(&file, "PNG") || !file.commit())
        return cannotWrite(path, file.errorString());
    return engine::success();
}

engine::Status PlotWidget::exportTable(const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return cannotWrite(path, file.errorString());
    const PlotTable t = table();
    QString text = QStringLiteral("# %1\n# %2\n# %3\n").arg(title(), subtitle(), version()) + line(t.header);
    for (const QStringList& row : t.rows)
        text += line(row);
    file.write(text.toUtf8());
    return file.commit() ? engine::success() : cannotWrite(path, file.errorString());
}

engine::Status PlotWidget::exportTo(const QString& path, FigureTheme figure)
{
    ensureBuilt();
    if (!m_empty.title.isEmpty())
        return engine::Error{"nothing-to-export", title().toStdString(),
                             "the plot is empty: " + m_empty.title.toStdString(), m_empty.sentence.toStdString()};
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QStringLiteral("csv"))
        return exportTable(path);
    if (suffix != QStringLiteral("png") && suffix != QStringLiteral("svg"))
        return cannotWrite(path, QStringLiteral("a plot is exported as .png, .svg or .csv, not as .") + suffix);
    return exportPicture(path, figure == FigureTheme::Light ? lightTheme() : theme());
}

QMenu* PlotWidget::makeContextMenu()
{
    auto* menu = new QMenu(this);
    const auto add = [&](const QString& text, const QString& suffix) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QStringLiteral("export_") + suffix);
        action->setEnabled(blank().title.isEmpty());
        connect(action, &QAction::triggered, this, [this, suffix] {
            const QString path = QFileDialog::getSaveFileName(
                this, tr("Export the plot"), title() + QLatin1Char('.') + suffix, QStringLiteral("*.") + suffix);
            if (path.isEmpty())
                return;
            if (const engine::Status done = exportTo(path); !done)
                Q_EMIT exportFailed(QString::fromStdString(done.error().text()));
        });
    };
    add(tr("Export as PNG…"), QStringLiteral("png"));
    add(tr("Export as SVG…"), QStringLiteral("svg"));
    add(tr("Export the numbers as CSV…"), QStringLiteral("csv"));
    return menu;
}

} // namespace ui
