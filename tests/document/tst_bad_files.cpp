// Files that are cut short or altered anywhere, and array files that lie: each is refused by a clear error or read;
// nothing crashes and nothing is written.
#include "sample_files.h"

#include "engine/document/array_files.h"
#include "engine/document/document_file.h"

#include <QtTest/QtTest>

#include <random>

using namespace engine;
using namespace samples;

namespace {

struct Sample {
    const char* name;
    std::string bytes;
};

std::string smallModel()
{
    return R"({"mantissa": 1, "nodes": [{"id": 1, "name": "a", "op": "input", "params": {"shape": [2]}}, )"
           R"({"id": 2, "name": "b", "op": "relu"}], "edges": [{"from": [1, "output"], "to": [2, "input"]}], )"
           R"("tensors": {"w": {"file": "tensors/w.npy", "dtype": "uint8"}}})";
}

std::string smallDocument()
{
    return zipOf({{"model.json", smallModel()}, {"tensors/w.npy", npy("|u1", "(2,)", "\x01\x02"), true}});
}

std::vector<Sample> arraySamples()
{
    const std::string array = npy(">f4", "(2, 3)", gradient(6, 4, 1), true);
    const std::string index = idx(0x0C, {2, 3}, gradient(6, 4, 1));
    return {
        {"a.npy", array},
        {"a.npz", zipOf({{"x.npy", array}})},
        {"b.npz", zipOf({{"x.npy", array, true}})},
        {"a-ubyte", index},
        {"a.gz", deflated(index, 31)},
        {"a.png", png(5, 4, 8, 6, std::string(84, '\0'), pngChunk("gAMA", bigEndian<std::uint32_t>(45455)))},
        {"b.png", png(9, 2, 4, 3, std::string(12, '\0'), pngChunk("PLTE", gradient(48, 1, 1)))},
        {"a.jpg", jpeg(20, 18, gradient(20, 18, 3), {3, false, exifSegment(6, true)})},
        {"b.jpg", jpeg(9, 9, gradient(9, 9, 1), {1, true, exifSegment(8, false)})},
    };
}

// What every error owes its reader.
bool isClear(const Error& e, const std::string& name, const char* family)
{
    const bool hasCode = e.code.starts_with(family) || e.code == "image-decode";
    return hasCode && e.place.starts_with(name) && !e.message.empty() && !e.remedy.empty();
}

// Reads the row's bytes under the row's name: the error must begin as the row says.
void checkRefused()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, error);
    const auto array = readArrayBytes(asBytes(bytes.toStdString()), QTest::currentDataTag());
    QVERIFY(!array.ok());
    const QString got = QString::fromStdString(array.error().code + "|" + array.error().text());
    QVERIFY2(got.startsWith(error), qPrintable(got));
    QVERIFY(!array.error().remedy.empty());
}

} // namespace

class BadFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void truncatedEverywhere();
    void alteredAnywhere();
    void badNpy_data();
    void badNpy();
    void badImages_data();
    void badImages();
    void unreadablePaths();
};

void BadFilesTest::truncatedEverywhere()
{
    int count = 0;
    for (const Sample& s : arraySamples()) {
        QVERIFY2(readArrayBytes(asBytes(s.bytes), s.name).ok(), s.name);
        for (std::size_t n = 0; n < s.bytes.size(); ++n, ++count) {
            const std::string cut = s.bytes.substr(0, n);
            const auto array = readArrayBytes(asBytes(cut), s.name);
            QVERIFY2(!array.ok(), qPrintable(QString("%1 cut to %2 bytes").arg(s.name).arg(n)));
            QVERIFY2(isClear(array.error(), s.name, "array-"), array.error().text().c_str());
        }
    }
    const std::string document = smallDocument();
    QVERIFY(loadDocumentBytes(asBytes(document), "d").ok());
    for (std::size_t n = 0; n < document.size(); ++n, ++count) {
        const std::string cut = document.substr(0, n);
        const auto d = loadDocumentBytes(asBytes(cut), "d");
        QVERIFY2(!d.ok(), qPrintable(QString("cut to %1 bytes").arg(n)));
        QVERIFY2(d.error().code == "file-truncated", d.error().text().c_str());
    }
    qInfo("%d truncated files, each refused", count);
}

void BadFilesTest::alteredAnywhere()
{
    std::mt19937 random(20240229);
    const auto altered = [&random](std::string bytes) {
        for (unsigned i = 0, n = 1 + random() % 4; i < n; ++i) {
            const std::size_t at = random() % bytes.size();
            switch (random() % 4) {
            case 0:
                bytes[at] = static_cast<char>(random());
                break;
            case 1:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
                break;
            case 2:
                bytes.insert(at, 1, static_cast<char>(random()));
                break;
            default:
                bytes.erase(at, 1 + random() % 3);
                bytes += bytes.empty() ? "x" : "";
            }
        }
        return bytes;
    };
    int valid = 0, refused = 0;
    for (const Sample& s : arraySamples())
        for (int i = 0; i < 2000; ++i) {
            const std::string bytes = altered(s.bytes);
            const auto array = readArrayBytes(asBytes(bytes), s.name);
            if (array.ok())
                QCOMPARE(array->data.elements(), array->shape.elements());
            else
                QVERIFY2(isClear(array.error(), s.name, "array-"), array.error().text().c_str());
            ++(array.ok() ? valid : refused);
        }
    // The JSON alone too: inside the zip the checksum would catch nearly all of it.
    for (int i = 0; i < 4000; ++i) {
        const std::string bytes =
            i % 2 == 0
                ? altered(smallDocument())
                : zipOf({{"model.json", altered(smallModel())}, {"tensors/w.npy", npy("|u1", "(2,)", "\x01\x02")}});
        const auto d = loadDocumentBytes(asBytes(bytes), "d");
        if (d.ok()) {
            const auto again = documentBytes(*d);
            QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
            QVERIFY(equal(*loadDocumentBytes(*again, "d"), *d));
        } else {
            QVERIFY2(isClear(d.error(), "d", "file-"), d.error().text().c_str());
        }
        ++(d.ok() ? valid : refused);
    }
    qInfo("%d altered files refused, %d still valid", refused, valid);
}

void BadFilesTest::badNpy_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& bytes, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(error);
    };
    const auto header = [](const std::string& text) { return npyWithHeader(text, "12345678"); };
    row("a.npy", npy("<f8", "(2,)", "12345678"),
        "array-truncated|a.npy: shape [2] of float64 needs 16 bytes, the file has 8 (");
    row("b.npy", npy("<f4", "(1,)", "12345678"),
        "array-header|b.npy: shape [1] of float32 needs 4 bytes, the file has more: 8 (");
    row("c.npy", npy("<c8", "(1,)", "12345678"), "array-dtype|c.npy: dtype '<c8' is complex (");
    row("d.npy", npy("<f16", "()", "1234567812345678"), "array-dtype|d.npy: dtype '<f16' is a long double");
    row("e.npy", npy("|O", "()", "x"),
        "array-dtype|e.npy: dtype '|O' holds Python objects (a pickle), which are never");
    row("f.npy", npy("<V2", "(4,)", "12345678"), "array-dtype|f.npy: dtype '<V2' is raw bytes without a type");
    row("g.npy", npy("<U2", "(1,)", "12345678"), "array-dtype|g.npy: dtype '<U2' is text (");
    row("h.npy", npy("<M8[s]", "(1,)", "12345678"), "array-dtype|h.npy: dtype '<M8[s]' is dates or durations (");
    row("i.npy", header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
        "array-dtype|i.npy: the elements are records (a structured dtype) (");
    row("j.npy", npy("<f8", "(1, 1, 1, 1, 1, 1, 1, 1, 1)", "12345678"),
        "array-header|j.npy, byte 86: the .npy header is damaged: the shape has more than 8 dimensions");
    row("k.npy", npy("<f8", "(1099511627777,)", "12345678"),
        "array-header|k.npy, byte 74: the .npy header is damaged: a dimension is larger than 2^40");
    row("l.npy", npy("|u1", "(1099511627776, 1099511627776)", "1"),
        "array-limit|l.npy: shape [1099511627776, 1099511627776] has more than 2^40 elements");
    row("m.npy", npy("<f8", "(-1,)", "12345678"),
        "array-header|m.npy, byte 61: the .npy header is damaged: a dimension");
    row("n.npy", header("{'descr': '<f8', 'shape': (1,), 'shape': (1,)}"),
        "array-header|n.npy, byte 49: the .npy header is damaged: the key 'shape' is there twice");
    row("o.npy", header("{'descr': '<f8', 'shape': (1,)}"),
        "array-header|o.npy, byte 41: the .npy header is damaged: descr, fortran_order and shape are not all there");
    row("p.npy", header("__import__('os').system('true')"),
        "array-header|p.npy, byte 10: the .npy header is damaged: '{' is missing");
    row("q.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} + 1"),
        "array-header|q.npy, byte 66: the .npy header is damaged: there is text after the dictionary");
    row("r.npy", npyWithHeader({}, {}, 4), "array-header|r.npy, byte 6: .npy version 4.0 is unknown");
    row("s.npy", std::string("\x93NUMPY\2\0\xff\xff\xff\x7f{", 13),
        "array-limit|s.npy, byte 8: the .npy header claims 2147483647 bytes, more than 65536");
}

void BadFilesTest::badImages_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& bytes, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(error);
    };
    row("a.idx", idx(0x0E, {0xffffffff, 0xffffffff}, {}),
        "array-limit|a.idx: shape [4294967295, 4294967295] has more than 2^40 elements");
    row("b.idx", idx(0x08, {3}, "12"), "array-truncated|b.idx: shape [3] of uint8 needs 3 bytes, the file has 2");
    row("c.idx", idx(0x0A, {3}, "123"), "array-header|c.idx, byte 0: this is no IDX header");
    row("a.gz", deflated(idx(0x0E, {1u << 30}, {}), 31),
        "array-limit|a.gz: shape [1073741824] of float64 takes 8589934592 bytes, more than the");
    std::string gz = deflated(idx(0x08, {2}, "12"), 31);
    gz[gz.size() - 8] = static_cast<char>(gz[gz.size() - 8] ^ 1);
    row("b.gz", gz, "array-truncated|b.gz, byte");
    row("a.png", png(60000, 60000, 8, 0, {}),
        "array-limit|a.png: shape [60000, 60000] of uint8 takes 3600000000 bytes, more than the");
    row("b.png", png(0, 1, 8, 0, {}), "image-decode|b.png, byte 33: the PNG cannot be decoded: Invalid IHDR data");
    row("c.png", png(1, 1, 8, 3, std::string(2, '\0')), "image-decode|c.png, byte");
    row("d.png", png(4, 4, 8, 0, "\1\2"), "image-decode|d.png, byte");
    row("a.jpg", jpeg(8, 8, gradient(8, 8, 4), {4, false, {}, JCS_CMYK}),
        "image-decode|a.jpg: the JPEG is CMYK: its four");
    row("b.jpg", std::string("\xff\xd8\xff\xd9"), "image-decode|b.jpg, byte");
    std::string wide = jpeg(8, 8, gradient(8, 8, 1), {});
    wide.replace(wide.find("\xff\xc0") + 5, 4, "\xff\xdc\xff\xdc");
    row("c.jpg", wide, "array-limit|c.jpg: shape [65500, 65500] of uint8 takes 4290250000 bytes, more than the");
    row("a.npz", zipOf({{"x.npy", npy("<f8", "(1,)", "12345678"), false, {}, 1u}}),
        "array-truncated|a.npz, x.npy: the member's");
    row("b.npz", zipOf({{"x.npy", "a"}, {"x.npy", "b"}}), "array-member|b.npz: member \"x.npy\" is there twice");
    row("c.npz", zipOf({{"x.npy", npy("|O", "()", "x")}}), "array-dtype|c.npz, member x.npy: dtype '|O' holds Python");
}

void BadFilesTest::badNpy()
{
    checkRefused();
}

void BadFilesTest::badImages()
{
    checkRefused();
}

void BadFilesTest::unreadablePaths()
{
    QTemporaryDir dir;
    const std::string base = dir.path().toStdString(), huge = base + "/huge.mantissa";
    QCOMPARE(loadDocument(base + "/none").error().text(),
             base + "/none: the file cannot be opened: No such file or directory (check the path and its rights)");
    QCOMPARE(loadDocument(base + "/none").error().code, std::string("file-open"));
    QCOMPARE(readArray(base + "/none").error().code, std::string("array-open"));
    QCOMPARE(loadDocument(base).error().message, std::string("this is not a regular file"));
    QCOMPARE(readArray("/dev/zero").error().message, std::string("this is not a regular file"));
    QFile file(QString::fromStdString(huge));
    QVERIFY(file.open(QIODevice::WriteOnly));
    if (!file.resize(qint64{1} << 40))
        QSKIP("the file system has no sparse files");
    QCOMPARE(loadDocument(huge).error().text(),
             huge + ": the file has 1099511627776 bytes, more than 17179869184 (split it)");
    QCOMPARE(readArray(huge).error().code, std::string("array-limit"));
    QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1);
}

QTEST_GUILESS_MAIN(BadFilesTest)
#include "tst_bad_files.moc"
