// mantissa [FILE]: opens the window.
#include "app/application.h"

#include <QApplication>
#include <QCommandLineParser>

int main(int argc, char** argv)
{
    QApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QApplication qt(argc, argv);
    QApplication::setApplicationName("Mantissa");
    QApplication::setOrganizationName("Mantissa");
    QApplication::setApplicationVersion(MANTISSA_VERSION);
    QGuiApplication::setDesktopFileName("mantissa");
    QApplication::setWindowIcon(ui::applicationIcon());
    QCommandLineParser parser;
    parser.setApplicationDescription("See what each dtype of a neural network costs.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("file", "a .mantissa file; without one the last, at first the seed lesson", "[file]");
    parser.process(qt);
    app::Application application;
    application.window().show();
    application.openFirst(parser.positionalArguments().value(0));
    application.window().offerRecovery();
    return QApplication::exec();
}
