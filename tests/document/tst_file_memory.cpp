// What reading costs: files made to unpack into far more than they are need no more memory than 4 x the file + 64 MB,
// and little time.
#include "sample_files.h"

#include "engine/document/array_files.h"
#include "engine/document/document_file.h"

#include <QtTest/QtTest>

#include <cstring>
#include <functional>
#include <malloc.h>

using namespace engine;
using namespace samples;

namespace {

std::size_t statusKilobytes(const char* key)
{
    QFile file("/proc/self/status");
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QString text = file.readAll();
    const qsizetype at = text.indexOf(key);
    return text.mid(at + static_cast<qsizetype>(std::strlen(key)), 20).trimmed().section(' ', 0, 0).toULongLong();
}

// By how much the resident memory rose at most; nothing where the system does not say.
std::optional<std::size_t> peakBytes(const std::function<void()>& work)
{
    malloc_trim(0);
    QFile reset("/proc/self/clear_refs");
    if (!reset.open(QIODevice::WriteOnly) || reset.write("5") != 1)
        return std::nullopt;
    reset.close();
    const std::size_t before = statusKilobytes("VmRSS:");
    work();
    const std::size_t peak = statusKilobytes("VmHWM:");
    return before == 0 || peak == 0 ? std::nullopt : std::optional((peak - std::min(peak, before)) * 1024);
}

} // namespace

class FileMemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void memoryIsBounded_data();
    void memoryIsBounded();
};

void FileMemoryTest::memoryIsBounded_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes);
    };
    const auto list = [](const std::string& piece, std::size_t count, bool isDeflated) {
        return modelZip(R"({"mantissa": 1, "x": [)" + repeated(piece + ",", count) + "0]}", isDeflated);
    };
    for (const bool isDeflated : {false, true}) {
        const char* tail = isDeflated ? " deflated" : "";
        row((std::string("zeros") + tail).c_str(), list("0", 240000, isDeflated));
        row((std::string("more zeros") + tail).c_str(), list("0", 4000000, isDeflated));
        row((std::string("lists") + tail).c_str(), list("[]", 170000, isDeflated));
        row((std::string("objects") + tail).c_str(), list(R"({"a":0})", 80000, isDeflated));
        row((std::string("texts") + tail).c_str(), list(R"("0123456789abcdefghij")", 200000, isDeflated));
        std::string nodes;
        for (int i = 1; i <= 20000; ++i)
            nodes += (i > 1 ? R"(,{"id":)" : R"({"id":)") + std::to_string(i) + R"(,"op":"x","params":{"a":[0,0]}})";
        row((std::string("nodes") + tail).c_str(), modelZip(withNodes(nodes), isDeflated));
        row((std::string("values") + tail).c_str(),
            modelZip(
                withNodes(R"({"id":1,"op":"input","params":{"value":{"values":[)" + repeated("0,", 100000) + "0]}}}"),
                isDeflated));
        row((std::string("tensor") + tail).c_str(),
            zipOf({{"model.json", R"({"mantissa":1,"tensors":{"w":{"file":"tensors/w.npy","dtype":"u8"}}})"},
                   {"tensors/w.npy", npy("|u1", "(7000, 7000)", std::string(49000000, '\1'), true), isDeflated}}));
    }
    row("gzip", deflated(idx(0x08, {57000000}, std::string(57000000, '\1')), 31));
    row("npz", zipOf({{"x.npy", npy("|u1", "(7000, 8000)", std::string(56000000, '\1')), true}}));
    row("png", png(7600, 7600, 8, 0, repeated(std::string("\0", 1) + std::string(7600, '\1'), 7600)));
    row("png alpha", png(3700, 3700, 8, 6, repeated(std::string("\0", 1) + std::string(14800, '\1'), 3700)));
    row("png text chunk", png(1, 1, 8, 0, std::string(2, '\0'),
                              pngChunk("zTXt", std::string("a\0\0", 3) + deflated(std::string(100000000, ' '), 15))));
    row("jpeg", jpeg(4300, 4300, gradient(4300, 4300, 3), {3, false, exifSegment(6, true)}));
    row("progressive jpeg", jpeg(4000, 4000, std::string(48000000, '\x40'), {3, true, exifSegment(6, true)}));
    row("many members", [] {
        std::vector<ZipMember> members;
        for (int i = 0; i < 19999; ++i)
            members.push_back({std::to_string(i), ""});
        return zipOf(members);
    }());
}

void FileMemoryTest::memoryIsBounded()
{
#ifdef MANTISSA_SANITIZED
    QSKIP("sanitizers keep memory of their own");
#endif
    QFETCH(QByteArray, bytes);
    const std::span file(reinterpret_cast<const std::byte*>(bytes.constData()), static_cast<std::size_t>(bytes.size()));
    QElapsedTimer timer;
    timer.start();
    bool isRead = false;
    const auto peak = peakBytes([&] {
        isRead = readArrayBytes(file, "a").ok();
        malloc_trim(0);
        isRead = loadDocumentBytes(file, "d").ok() || isRead;
    });
    if (!peak)
        QSKIP("the system does not tell the peak of the resident memory");
    // The file itself, held by this test, is one of the four.
    const std::size_t limit = 3 * file.size() + (std::size_t{64} << 20);
    qInfo("file %lld KB, %s, peak %zu KB of %zu KB, %lld ms", bytes.size() / 1024, isRead ? "read" : "refused",
          *peak / 1024, limit / 1024, timer.elapsed());
    QVERIFY(*peak <= limit);
    QVERIFY(timer.elapsed() < 5000);
}

QTEST_GUILESS_MAIN(FileMemoryTest)
#include "tst_file_memory.moc"
