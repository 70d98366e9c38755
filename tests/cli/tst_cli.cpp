// The command line as its users' scripts see it: exit codes, one JSON object on stdout, names that stay, messages that
// name the place. Every case runs the program.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

class CliTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exitCodes_data();
    void exitCodes();
    void reportHasTheContractsFields();
    void runsComeInTheOrderAsked();
    void aRefusedRunKeepsWhatCameBefore();
    void errorsAreJsonToo();
    void limitsNameTheMetric();
    void inputFilesReplaceValues();
    void dumpListsEveryFile();
    void explainShowsCastsOnly();
    void cataloguesComeFromTheRecords();
    void dialectCellsAgreeWithTheFixture();
    void checkStaysWithinItsBounds();
    void textFitsAHundredColumns();
    void seedLessonTellsTheFirstStory();
    void fourCombosRun();
    void identityLessonShowsTheLoss();

private:
    QTemporaryDir m_folder;
};

namespace {

const QString kLessons = QString(MANTISSA_SOURCE_DIR) + "/resources/lessons/";

struct Output {
    int code = -1;
    QByteArray out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

Output cli(const QStringList& arguments)
{
    QProcess p;
    p.start(MANTISSA_CLI, arguments);
    if (!p.waitForFinished(300000) || p.exitStatus() != QProcess::NormalExit)
        return {};
    return {p.exitCode(), p.readAllStandardOutput(), p.readAllStandardError()};
}

QJsonObject nodeNamed(const QJsonObject& run, const QString& name)
{
    for (const auto& n : run[u"nodes"].toArray())
        if (n[u"name"].toString() == name)
            return n.toObject();
    return {};
}

QJsonObject runAt(const Output& o, int index)
{
    return o.json()[u"runs"].toArray()[index].toObject();
}

} // namespace

void CliTest::exitCodes_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message"); // on stderr
    const QString four = kLessons + "four_combos.mantissa", seed = kLessons + "seed.mantissa";
    const QString raw = kLessons + "four_combos_raw_ops.mantissa";
    QTest::newRow("done") << QStringList{"run", four} << 0 << "";
    QTest::newRow("all combos") << QStringList{"run", four, "--combo", "all"} << 0 << "";
    QTest::newRow("help") << QStringList{"--help"} << 0 << "";
    QTest::newRow("version") << QStringList{"--version"} << 0 << "";
    QTest::newRow("no command") << QStringList{} << 2 << "subcommand is required";
    QTest::newRow("no model") << QStringList{"run"} << 2 << "model is required";
    QTest::newRow("unknown option") << QStringList{"run", four, "--colour"} << 2 << "--colour";
    QTest::newRow("combo words") << QStringList{"run", four, "--combo", "f32"} << 2 << "INPUT:WEIGHT";
    QTest::newRow("compute-only combo") << QStringList{"run", four, "--combo", "tf32:f32"} << 2 << "--combo tf32:f32";
    QTest::newRow("batch words") << QStringList{"run", four, "--batch", "3:3"} << 2 << "0 <= A < B";
    QTest::newRow("limit words") << QStringList{"run", four, "--max-error", "speed=1"} << 2 << "no metric \"speed\"";
    QTest::newRow("missing file") << QStringList{"run", "nowhere.mantissa"} << 1 << "nowhere.mantissa";
    QTest::newRow("not a model") << QStringList{"run", MANTISSA_CLI} << 1 << "mantissa-cli";
    QTest::newRow("unknown dialect") << QStringList{"run", four, "--dialect", "cobol"} << 1 << "cobol";
    QTest::newRow("gpu") << QStringList{"run", four, "--backend", "cuda"} << 1 << "backend \"cuda\"";
    QTest::newRow("unknown backend") << QStringList{"check", "--backend", "tpu"} << 1 << "use cpu or cuda";
    QTest::newRow("memory") << QStringList{"run", four, "--memory-limit", "100000"} << 1 << "100.0 kB";
    QTest::newRow("batch range") << QStringList{"run", four, "--batch", "30:40"} << 1 << "30:40";
    QTest::newRow("limit kept") << QStringList{"run", four, "--max-error", "rel_l2=1e-3"} << 0 << "";
    QTest::newRow("limit exceeded") << QStringList{"run", seed, "--max-error", "rel_l2=1e-12"} << 3 << "rel_l2";
    QTest::newRow("bits limit") << QStringList{"run", seed, "--max-error", "median_bits=50"} << 3 << "median_bits";
    QTest::newRow("no such input") << QStringList{"run", four, "--input", "nobody=x.npy"} << 1 << "nobody";
    QTest::newRow("not an input") << QStringList{"run", four, "--input", "conv1=x.npy"} << 1 << "not an input";
}

void CliTest::exitCodes()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, message);
    const Output o = cli(arguments);
    QCOMPARE(o.code, code);
    QVERIFY2(QString::fromUtf8(o.err).contains(message), o.err);
    if (code != 0)
        QVERIFY(!o.err.isEmpty());
}

void CliTest::reportHasTheContractsFields()
{
    const Output o = cli({"run", kLessons + "seed.mantissa", "--json"});
    QCOMPARE(o.code, 0);
    const QJsonObject j = o.json();
    QCOMPARE(j[u"model"][u"file"].toString(), QString("seed.mantissa"));
    QCOMPARE(j[u"reference"][u"kind"].toString(), QString("double-double"));
    for (const char* key : {"backend", "isa", "fma", "threads"})
        QVERIFY2(j[u"machine"].toObject().contains(key), key);
    const QJsonObject run = runAt(o, 0);
    QCOMPARE(run[u"combo"][u"input"].toString(), QString("float64"));
    QCOMPARE(run[u"combo"][u"weight"].toString(), QString("float32"));
    QCOMPARE(run[u"dialect"].toString(), QString("keras_tf26"));
    QVERIFY(run[u"ok"].toBool() && run.contains("time_ms") && run[u"top1"].isNull());
    const QJsonObject conv = nodeNamed(run, "conv1");
    for (const char* key : {"id", "name", "op", "shape", "slots", "effective_bits", "value_bits", "kernel", "time_ms",
                            "reused", "bytes", "casts", "stored", "error", "stages", "local", "bound"})
        QVERIFY2(conv.contains(key), key);
    for (const char* slot : {"input", "weight", "compute", "accumulate", "output"})
        QCOMPARE(conv[u"slots"][QLatin1String(slot)][u"ran"].toString(), QString("float32"));
    const QString metrics =
        "max_abs mean_abs rmse rel_l2 sqnr_db max_rel mean_rel max_ulp mean_ulp min_bits p01_bits median_bits elements "
        "zero_ref zero_ref_wrong condition nan inf overflow underflow subnormal first_bad ulp_histogram";
    for (const QString& key : metrics.split(' '))
        QVERIFY2(conv[u"error"].toObject().contains(key), qPrintable(key));
    for (const char* stage : {"inherited", "storage", "cast", "arithmetic", "output"})
        QVERIFY2(conv[u"stages"][QLatin1String(stage)].toObject().contains("share"), stage);
    QCOMPARE(conv[u"bound"][u"formula"].toString(), QString("n*u*sum|ab| + n*eta/2"));
    QCOMPARE(conv[u"bound"][u"n"].toInt(), 10);
    QVERIFY(conv[u"bound"][u"max_ratio"].toDouble() <= 1);
    qint64 counted = 0;
    for (const auto& c : conv[u"error"][u"ulp_histogram"][u"counts"].toArray())
        counted += c.toInteger();
    QCOMPARE(counted + conv[u"error"][u"zero_ref"].toInteger(), conv[u"error"][u"elements"].toInteger());
}

void CliTest::runsComeInTheOrderAsked()
{
    const Output o = cli({"run", kLessons + "four_combos.mantissa", "--json", "--dialect", "promote", "--dialect",
                          "explicit", "--combo", "f16:f16", "--combo", "float64:bf16"});
    QCOMPARE(o.code, 0);
    QStringList order;
    for (const auto& r : o.json()[u"runs"].toArray())
        order << r[u"dialect"].toString() + " " + r[u"combo"][u"input"].toString() + ":" +
                     r[u"combo"][u"weight"].toString();
    QCOMPARE(order, (QStringList{"promote float16:float16", "promote float64:bfloat16", "explicit float16:float16",
                                 "explicit float64:bfloat16"}));
}

void CliTest::aRefusedRunKeepsWhatCameBefore()
{
    // tf.keras' seed under explicit: float64 meets float32.
    const Output o = cli({"run", kLessons + "seed.mantissa", "--dialect", "explicit", "--json"});
    QCOMPARE(o.code, 1);
    const QJsonObject run = runAt(o, 0);
    QVERIFY(!run[u"ok"].toBool());
    QCOMPARE(run[u"nodes"].toArray().size(), 1);
    QCOMPARE(run[u"findings"][0][u"rule"].toString(), QString("explicit/mismatch"));
    QVERIFY(run[u"findings"][0][u"remedies"].toArray().contains("compute-widest"));
    QVERIFY(o.json()[u"error"][u"place"].toString().contains("conv1"));
    QVERIFY(o.err.contains("conv1") && o.err.contains("compute-widest"));
    // With all dialects, one that runs is enough; with a limit, a refusal exceeds it.
    QCOMPARE(cli({"run", kLessons + "seed.mantissa", "--dialect", "all"}).code, 0);
    QCOMPARE(cli({"run", kLessons + "seed.mantissa", "--dialect", "explicit", "--max-error", "rel_l2=1"}).code, 3);
}

void CliTest::errorsAreJsonToo()
{
    const Output o = cli({"run", "nowhere.mantissa", "--json"});
    QCOMPARE(o.code, 1);
    for (const char* key : {"code", "place", "message", "remedy"})
        QVERIFY2(o.json()[u"error"].toObject().contains(key), key);
    QVERIFY(o.json()[u"error"][u"place"].toString().contains("nowhere.mantissa"));
}

void CliTest::limitsNameTheMetric()
{
    const Output o = cli({"run", kLessons + "seed.mantissa", "--max-error", "max_ulp=1", "--max-error", "nan=0"});
    QCOMPARE(o.code, 3);
    QVERIFY(o.err.contains("max_ulp") && !o.err.contains("nan of"));
}

void CliTest::inputFilesReplaceValues()
{
    // 2 x 28 x 28 x 1 zeros as .npy, written by hand.
    QByteArray header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 28, 28, 1), }";
    header += QByteArray(127 - 10 - header.size(), ' ') + "\n";
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes.append(char(header.size())).append('\0').append(header).append(QByteArray(2 * 28 * 28 * 8, '\0'));
    QFile f(m_folder.filePath("zeros.npy"));
    QVERIFY(f.open(QIODevice::WriteOnly) && f.write(bytes) == bytes.size());
    f.close();
    const Output o = cli({"run", kLessons + "seed.mantissa", "--input", "digits=" + f.fileName(), "--json"});
    QVERIFY2(o.code == 0, o.err);
    const QJsonObject conv = nodeNamed(runAt(o, 0), "conv1");
    QCOMPARE(conv[u"shape"].toArray(), (QJsonArray{2, 26, 26, 32}));
    QCOMPARE(conv[u"error"][u"zero_ref"].toInt(), 2 * 26 * 26 * 32);
    QVERIFY(cli({"run", kLessons + "seed.mantissa", "--input", "1=none.npy"}).err.contains("none.npy"));
}

void CliTest::dumpListsEveryFile()
{
    const QString folder = m_folder.filePath("dump");
    const Output o = cli({"run", kLessons + "seed.mantissa", "--dump", folder, "--json"});
    QVERIFY2(o.code == 0, o.err);
    QFile f(folder + "/dump.json");
    QVERIFY(f.open(QIODevice::ReadOnly));
    const QJsonObject dump = QJsonDocument::fromJson(f.readAll()).object();
    QSet<QString> listed;
    for (const auto& file : dump[u"files"].toArray())
        listed << file[u"file"].toString();
    QSet<QString> found;
    QDirIterator it(folder, {"*.npy"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext())
        found << QDir(folder).relativeFilePath(it.next());
    QCOMPARE(listed, found);
    const QString run = "float64-float32-keras_tf26/";
    for (const char* name : {"source/1.output", "source/2.weight", "source/2.bias", "reference/2.hi", "reference/2.lo"})
        QVERIFY2(listed.contains(QString(name) + ".npy"), name);
    for (const char* part : {"", ".input.cast", ".inherited", ".storage", ".cast", ".arithmetic", ".output"})
        QVERIFY2(listed.contains(run + "2" + part + ".npy"), part);
    QCOMPARE(dump[u"nodes"][1][u"parameters"][u"kernel_size"].toArray(), (QJsonArray{3, 3}));
    QCOMPARE(cli({"run", kLessons + "seed.mantissa", "--dump", "/proc/nowhere"}).code, 1);
}

void CliTest::explainShowsCastsOnly()
{
    const Output o = cli({"explain", kLessons + "seed.mantissa", "--json"});
    QCOMPARE(o.code, 0);
    const QJsonObject run = runAt(o, 0);
    QVERIFY(!run.contains("nodes"));
    QCOMPARE(run[u"casts"].toArray().size(), 1);
    const QJsonObject cast = run[u"casts"][0].toObject();
    QCOMPARE(cast[u"name"].toString(), QString("conv1"));
    QCOMPARE(cast[u"rule"].toString(), QString("keras_tf26/cast-to-layer"));
    QVERIFY(cast[u"implicit"].toBool() && !cast[u"sentence"].toString().isEmpty());
    QCOMPARE(run[u"stored"].toArray().size(), 3); // images, kernel, bias
}

void CliTest::cataloguesComeFromTheRecords()
{
    const Output ops = cli({"ops", "--json"});
    QCOMPARE(ops.code, 0);
    QSet<QString> names;
    for (const auto& op : ops.json()[u"ops"].toArray())
        names << op[u"name"].toString();
    const QString expected =
        "input weights identity conv2d dense matmul bias_add add relu leaky_relu relu6 elu selu gelu "
        "sigmoid tanh softplus softmax max_pooling2d average_pooling2d batch_normalization flatten reshape dropout "
        "cast output";
    for (const QString& name : expected.split(' '))
        QVERIFY2(names.contains(name), qPrintable(name));
    QSet<QString> dialects;
    const QJsonObject listed = cli({"dialects", "--json"}).json();
    for (const auto& d : listed[u"dialects"].toArray())
        dialects << d[u"name"].toString();
    QCOMPARE(dialects, (QSet<QString>{"explicit", "promote", "keras_tf26"}));
}

void CliTest::dialectCellsAgreeWithTheFixture()
{
    QFile f(QString(MANTISSA_SOURCE_DIR) + "/../shared/reference/dialects.json");
    if (!f.open(QIODevice::ReadOnly))
        QSKIP("../shared/reference/dialects.json is not here");
    QMap<QString, QJsonObject> ours;
    const auto key = [](const QJsonObject& c) {
        return QStringList{c[u"dialect"].toString(), c[u"op"].toString(), c[u"variant"].toString(),
                           c[u"input_dtype"].toString(), c[u"weight_dtype"].toString()}
            .join('/');
    };
    const QJsonObject printed = cli({"dialects", "--json"}).json();
    for (const auto& c : printed[u"cells"].toArray())
        ours[key(c.toObject())] = c.toObject();
    int compared = 0;
    const QJsonObject fixture = QJsonDocument::fromJson(f.readAll()).object();
    for (const auto& value : fixture[u"cells"].toArray()) {
        const QJsonObject cell = value.toObject();
        if (cell[u"dialect"].toString() != "keras_tf26")
            continue;
        const QString k = key(cell);
        QVERIFY2(ours.contains(k), qPrintable(k));
        for (const char* field :
             {"outcome", "output_dtype", "compute_dtype", "effective_significand_bits", "lossy_operands", "warned"})
            QVERIFY2(ours[k][field] == cell[field], qPrintable(k + " " + field));
        const QJsonArray a = ours[k][u"casts"].toArray(), b = cell[u"casts"].toArray();
        QVERIFY2(a.size() == b.size(), qPrintable(k));
        for (int i = 0; i < a.size(); ++i)
            for (const char* field : {"operand", "from", "to", "exact"})
                QVERIFY2(a[i][QLatin1String(field)] == b[i][QLatin1String(field)], qPrintable(k + " cast " + field));
        ++compared;
    }
    QCOMPARE(compared, 20);
}

void CliTest::checkStaysWithinItsBounds()
{
    const Output o = cli({"check", "--json"});
    QMap<QString, int> rows;
    double worst = 0;
    for (const auto& value : o.json()[u"rows"].toArray()) {
        const QJsonObject row = value.toObject();
        QVERIFY2(row[u"ok"].toBool(), qPrintable(QJsonDocument(row).toJson()));
        QVERIFY(row[u"max_ratio"].isDouble() && row[u"reason"].isNull());
        worst = std::max(worst, row[u"max_ratio"].toDouble());
        ++rows[row[u"op"].toString()];
    }
    QCOMPARE(o.code, 0);
    QVERIFY(worst <= 1);
    QCOMPARE(rows.size(), 24);              // all but input and weights
    QCOMPARE(rows["conv2d"], 4 * (11 + 4)); // pairs and mixed storage
    QCOMPARE(rows["softmax"], 4 * 10);      // no tf32
    QCOMPARE(rows["gelu"], 4 * 6);
}

void CliTest::textFitsAHundredColumns()
{
    const QStringList lenet{kLessons + "lenet_digits.mantissa", "--combo", "all", "--batch", "0:2"};
    for (const QStringList& arguments :
         {QStringList{"run"} + lenet, QStringList{"explain"} + lenet, QStringList{"ops"}, QStringList{"dialects"}}) {
        const Output o = cli(arguments);
        QCOMPARE(o.code, 0);
        QVERIFY(o.out.size() > 300);
        for (const QString& line : QString::fromUtf8(o.out).split('\n'))
            QVERIFY2(line.size() <= 100, qPrintable(line));
    }
}

void CliTest::seedLessonTellsTheFirstStory()
{
    const Output o = cli({"run", kLessons + "seed.mantissa", "--json"});
    const QJsonObject conv = nodeNamed(runAt(o, 0), "conv1");
    QCOMPARE(conv[u"effective_bits"].toInt(), 24);
    const QJsonObject cast = conv[u"casts"][0].toObject();
    QCOMPARE(cast[u"from"].toString(), QString("float64"));
    QCOMPARE(cast[u"to"].toString(), QString("float32"));
    // Multiples of 1/255: 0 and 1 (and their powers of two) are exact, black pixels are most.
    QVERIFY(cast[u"changed"].toDouble() > 0.05 && cast[u"changed"].toDouble() < 0.2);
    QVERIFY(cast[u"max_ulp"].toDouble() <= 0.5);
    QVERIFY(conv[u"stages"][u"cast"][u"share"].toDouble() > 0);
}

void CliTest::fourCombosRun()
{
    QList<double> highLevel, lowLevel;
    for (auto [file, node, into] : {std::tuple{"four_combos.mantissa", "conv1", &highLevel},
                                    std::tuple{"four_combos_raw_ops.mantissa", "bias_add", &lowLevel}}) {
        const Output o = cli({"run", kLessons + file, "--combo", "all", "--json"});
        QVERIFY2(o.code == 0, o.err);
        QCOMPARE(o.json()[u"runs"].toArray().size(), 4);
        for (int i = 0; i < 4; ++i) {
            QVERIFY(runAt(o, i)[u"ok"].toBool());
            *into << nodeNamed(runAt(o, i), node)[u"error"][u"rel_l2"].toDouble();
        }
    }
    // Zero bias: both routes compute the same numbers.
    QCOMPARE(highLevel, lowLevel);
    // f32/f32 worst; the mixed two are better by their arithmetic only, the wide one by everything.
    QVERIFY(highLevel[0] > highLevel[1] && highLevel[0] > highLevel[2]);
    QVERIFY(highLevel[1] > 1e-9 && highLevel[2] > 1e-9);
    QVERIFY(highLevel[3] < 1e-15);
}

void CliTest::identityLessonShowsTheLoss()
{
    QVERIFY2(cli({"run", kLessons + "identity_narrowed.mantissa"}).code == 0, "identity_narrowed");
    const Output narrowed = cli({"run", kLessons + "identity_narrowed.mantissa", "--json"});
    QList<double> losses;
    for (const auto& n : runAt(narrowed, 0)[u"nodes"].toArray())
        if (n[u"op"].toString() == "identity")
            losses << n[u"error"][u"max_abs"].toDouble();
    std::sort(losses.begin(), losses.end());
    QCOMPARE(losses.size(), 2);
    QVERIFY(losses[0] == 0.0);                                  // 1.0
    QVERIFY(losses[1] == 0x1.99999ap-4 - 0x1.999999999999ap-4); // 0.1: 1.49e-9
    for (const char* cure : {"identity_cure_floatx.mantissa", "identity_cure_layer_dtype.mantissa"}) {
        const Output o = cli({"run", kLessons + cure, "--json"});
        QVERIFY2(o.code == 0, o.err);
        for (const auto& n : runAt(o, 0)[u"nodes"].toArray())
            QVERIFY2(n[u"error"][u"max_abs"].toDouble() == 0.0, cure);
    }
}

QTEST_GUILESS_MAIN(CliTest)
#include "tst_cli.moc"
