// Array files read right: every file of the shared formats folder against its expected numbers, and hand-made ones
// whose numbers are written out here.
#include "sample_files.h"

#include "engine/document/array_files.h"

#include <QtTest/QtTest>

#include <cmath>
#include <cstring>

using namespace engine;
using namespace samples;

namespace {

const QString kDatasets = QStringLiteral(MANTISSA_SOURCE_DIR "/../shared/datasets/");

std::string fileBytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string rawBytes(const SourceArray& a)
{
    return {reinterpret_cast<const char*>(a.data.raw()), static_cast<std::size_t>(a.data.bytes())};
}

struct Row {
    std::string file, expected, dtype, shape, compare;
};

std::vector<Row> formatRows()
{
    std::vector<Row> rows;
    const QStringList lines = QString::fromStdString(fileBytes(kDatasets + "formats/README.tsv")).split('\n');
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QStringList c = lines[i].split('\t');
        if (c.size() >= 5 && !c[0].endsWith(".csv") && !c[0].endsWith(".tsv"))
            rows.push_back(
                {c[0].toStdString(), c[1].toStdString(), c[2].toStdString(), c[3].toStdString(), c[4].toStdString()});
    }
    return rows;
}

std::string shapeText(const Shape& shape)
{
    std::string t;
    for (const std::int64_t d : shape.dims())
        t += (t.empty() ? "" : "x") + std::to_string(d);
    return t.empty() ? "scalar" : t;
}

// The expected file is a plain little-endian .npy 1.0: its numbers are its last bytes.
std::string expectedBytes(const Row& row, std::size_t size)
{
    const std::string bytes = fileBytes(kDatasets + "formats/" + QString::fromStdString(row.expected));
    return bytes.size() < size ? std::string() : bytes.substr(bytes.size() - size);
}

} // namespace

class ArrayFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharedFormats();
    void sharedDatasets();
    void npyHeaders();
    void npyFortranOrder();
    void npyBytesAreNumpys();
    void npzMembers();
    void pngLowDepth();
    void pngTransparency();
    void jpegOrientations();
    void contentBeforeEnding();
};

void ArrayFilesTest::sharedFormats()
{
    const std::vector<Row> rows = formatRows();
    if (rows.empty())
        QSKIP("../shared/datasets/formats is absent");
    int read = 0, refused = 0;
    for (const Row& row : rows) {
        const QString path = kDatasets + "formats/" + QString::fromStdString(row.file);
        const std::string member = row.compare.starts_with("member ") ? row.compare.substr(7) : std::string();
        const Result<SourceArray> array = readArray(path.toStdString(), member, Source::Channels::Keep);
        if (row.compare.starts_with("refuse") || row.file == "cmyk.jpg") {
            QVERIFY2(!array.ok(), row.file.c_str());
            QVERIFY2(array.error().code == (row.file == "cmyk.jpg" ? "image-decode" : "array-dtype"), row.file.c_str());
            QVERIFY(array.error().place.ends_with(row.file) && !array.error().remedy.empty());
            ++refused;
            continue;
        }
        QVERIFY2(array.ok(), array.ok() ? "" : array.error().text().c_str());
        QCOMPARE(dtypeName(array->dtype), std::string_view(row.dtype));
        QCOMPARE(shapeText(array->shape), row.shape);
        QVERIFY(array->data.dtype() == array->dtype && array->data.shape() == array->shape);
        std::string got = rawBytes(*array);
        const std::string wanted = expectedBytes(row, got.size());
        const int depth = row.file == "gray4.png" ? 4 : row.file == "gray1.png" ? 1 : 0;
        if (depth > 0) { // kept as k; the expected file is scaled to 255
            QCOMPARE(array->integerDepth, depth);
            for (char& c : got)
                c = static_cast<char>(static_cast<unsigned char>(c) * (255 / ((1 << depth) - 1)));
        }
        if (row.compare.starts_with("within")) {
            QCOMPARE(got.size(), wanted.size());
            for (std::size_t i = 0; i < got.size(); ++i)
                QVERIFY(std::abs(static_cast<unsigned char>(got[i]) - static_cast<unsigned char>(wanted[i])) <= 2);
        } else {
            QVERIFY2(got == wanted, row.file.c_str());
        }
        ++read;
    }
    qInfo("formats: %d files read, %d refused by name", read, refused);
    QCOMPARE(read + refused, static_cast<int>(rows.size()));
}

void ArrayFilesTest::sharedDatasets()
{
    if (!QFile::exists(kDatasets + "README.tsv"))
        QSKIP("../shared/datasets is absent");
    const std::string base = kDatasets.toStdString();
    const auto images = readArray(base + "fashion-mnist/t10k-first200-images-idx3-ubyte");
    const auto zipped = readArray(base + "fashion-mnist/t10k-first200-images-idx3-ubyte.gz");
    QVERIFY(images.ok() && zipped.ok());
    QCOMPARE(images->shape, (Shape{200, 28, 28}));
    QCOMPARE(images->integerDepth, 8);
    QVERIFY(rawBytes(*images) == rawBytes(*zipped));
    const auto labels = readArray(base + "fashion-mnist/t10k-labels-idx1-ubyte.gz");
    QVERIFY(labels.ok() && labels->shape == Shape{10000});
    // Fashion-MNIST's test labels are balanced: 1000 of each class.
    for (char digit = 0; digit < 10; ++digit) {
        const std::string all = rawBytes(*labels);
        QCOMPARE(std::count(all.begin(), all.end(), digit), 1000);
    }
    const auto digits = readArray(base + "digits-opencv/digits.png");
    QVERIFY(digits.ok());
    QCOMPARE(digits->shape, (Shape{1000, 2000}));
    const auto flower = readArray(base + "flower.jpg");
    QVERIFY(flower.ok());
    QCOMPARE(flower->shape, (Shape{427, 640, 3}));
}

void ArrayFilesTest::npyHeaders()
{
    const std::string data = littleEndian<std::uint16_t>(0x0102) + littleEndian<std::uint16_t>(0xfffe);
    // Keys in any order, either quote, no trailing comma, spaces, Python 2's long integers, no final newline.
    for (const char* header : {"{\"shape\": (2,), \"descr\": \"<u2\", \"fortran_order\": False}",
                               "{'descr':'<u2','shape':(2L,),'fortran_order':True}",
                               "  {'descr': '=u2', 'fortran_order': False, 'shape': (2,), }   \n"})
        for (const char major : {'\1', '\2', '\3'}) {
            const auto array = readNpy(asBytes(npyWithHeader(header, data, major)), "a.npy");
            QVERIFY2(array.ok(), array.ok() ? "" : array.error().text().c_str());
            QCOMPARE(array->shape, Shape{2});
            QCOMPARE(array->data.data<std::uint16_t>()[0], 0x0102);
            QCOMPARE(array->data.data<std::uint16_t>()[1], 0xfffe);
            QCOMPARE(array->integerDepth, 16);
        }
    const auto swapped = readNpy(asBytes(npy(">i4", "(1, 2)", bigEndian(-5) + bigEndian(70000))), "a.npy");
    QVERIFY(swapped.ok() && swapped->dtype == DType::i32 && swapped->integerDepth == 0);
    QCOMPARE(swapped->data.data<std::int32_t>()[0], -5);
    QCOMPARE(swapped->data.data<std::int32_t>()[1], 70000);
    const auto bools = readNpy(asBytes(npy("|b1", "(3,)", std::string("\0\2\1", 3))), "a.npy");
    QVERIFY(bools.ok());
    QCOMPARE(rawBytes(*bools), std::string("\0\1\1", 3));
}

void ArrayFilesTest::npyFortranOrder()
{
    // Stored first axis fastest: element (i, j, k) of shape (2, 3, 4) is byte i + 2 j + 6 k.
    std::string data;
    for (char i = 0; i < 24; ++i)
        data += i;
    const auto array = readNpy(asBytes(npy("|u1", "(2, 3, 4)", data, true)), "a.npy");
    QVERIFY(array.ok());
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 4; ++k)
                QCOMPARE(array->data.data<std::uint8_t>()[(i * 3 + j) * 4 + k], i + 2 * j + 6 * k);
    const auto empty = readNpy(asBytes(npy("<f8", "(2, 0, 3)", {}, true)), "a.npy");
    QVERIFY(empty.ok() && empty->shape == (Shape{2, 0, 3}));
}

void ArrayFilesTest::npyBytesAreNumpys()
{
    // What numpy.save writes for arange(3, dtype="<f4"), byte for byte.
    Tensor t = Tensor::allocate(DType::f32, Shape{3});
    for (int i = 0; i < 3; ++i)
        t.mutableData<float>()[i] = static_cast<float>(i);
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
    header += std::string(118 - header.size() - 1, ' ') + "\n";
    const std::string wanted =
        npyWithHeader(header, littleEndian(0) + littleEndian(0x3f800000) + littleEndian(0x40000000));
    const std::vector<std::byte> bytes = npyBytes(t);
    QVERIFY(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == wanted);
    for (const auto& [dtype, descr] :
         {std::pair{DType::bf16, "'<u2'"}, {DType::e4m3fn, "'|u1'"}, {DType::boolean, "'|b1'"}}) {
        const std::vector<std::byte> other = npyBytes(Tensor::allocate(dtype, Shape{}));
        const std::string text(reinterpret_cast<const char*>(other.data()), other.size());
        QVERIFY(text.find(descr) != std::string::npos && text.find("'shape': ()") != std::string::npos);
        QCOMPARE(text.size(), std::size_t{128} + static_cast<std::size_t>(facts(dtype).bytes));
    }
}

void ArrayFilesTest::npzMembers()
{
    const std::string a = npy("|u1", "(1,)", "\x05"), b = npy("|u1", "(1,)", "\x07");
    const std::string npz = zipOf({{"a.npy", a}, {"group/weight:0.npy", b, true}});
    for (const auto& [member, value] :
         {std::pair{"a", 5}, {"a.npy", 5}, {"group/weight:0", 7}, {"group/weight:0.npy", 7}}) {
        const auto array = readArrayBytes(asBytes(npz), "x.npz", member);
        QVERIFY2(array.ok(), array.ok() ? "" : array.error().text().c_str());
        QCOMPARE(array->data.data<std::uint8_t>()[0], value);
    }
    const auto unnamed = readArrayBytes(asBytes(npz), "x.npz");
    QCOMPARE(unnamed.error().text(),
             std::string("x.npz: the file holds 2 arrays and none is named (name one of a, group/weight:0)"));
    const auto unknown = readArrayBytes(asBytes(npz), "x.npz", "c");
    QCOMPARE(unknown.error().text(), std::string("x.npz: there is no member \"c\" (name one of a, group/weight:0)"));
    QCOMPARE(unknown.error().code, std::string("array-member"));
    QVERIFY(readArrayBytes(asBytes(zipOf({{"only.npy", a}})), "x.npz").ok());
    QCOMPARE(readArrayBytes(asBytes(a), "a.npy", "m").error().code, std::string("array-member"));
}

void ArrayFilesTest::pngLowDepth()
{
    // 2-bit grey, 5 pixels: 0 1 2 3 1 -> 00 01 10 11, 01 ......
    const auto grey = readArrayBytes(asBytes(png(5, 1, 2, 0, std::string("\0\x1b\x40", 3))), "g.png");
    QVERIFY(grey.ok());
    QCOMPARE(grey->shape, (Shape{1, 5}));
    QCOMPARE(grey->integerDepth, 2);
    QCOMPARE(rawBytes(*grey), std::string("\0\1\2\3\1", 5));
    // 16 bits: high byte first in the file.
    const auto deep = readArrayBytes(asBytes(png(2, 1, 16, 0, std::string("\0\x12\x34\xff\xfe", 5))), "g.png");
    QVERIFY(deep.ok() && deep->integerDepth == 16);
    QCOMPARE(deep->data.data<std::uint16_t>()[0], 0x1234);
    QCOMPARE(deep->data.data<std::uint16_t>()[1], 0xfffe);
    // A 1-bit palette of two colours; gamma changes nothing.
    const std::string palette =
        pngChunk("gAMA", bigEndian<std::uint32_t>(100000)) + pngChunk("PLTE", "\x0a\x14\x1e\x28\x32\x3c");
    const auto colour = readArrayBytes(asBytes(png(2, 1, 1, 3, std::string("\0\x40", 2), palette)), "p.png");
    QVERIFY(colour.ok());
    QCOMPARE(colour->shape, (Shape{1, 2, 3}));
    QCOMPARE(rawBytes(*colour), std::string("\x0a\x14\x1e\x28\x32\x3c"));
}

void ArrayFilesTest::pngTransparency()
{
    const auto both = [](const std::string& file) {
        return std::pair(readArrayBytes(asBytes(file), "t.png"),
                         readArrayBytes(asBytes(file), "t.png", {}, Source::Channels::Keep));
    };
    // Grey and alpha.
    const auto [dropped, kept] = both(png(1, 2, 8, 4, std::string("\0\x0a\xff\0\x14\x80", 6)));
    QVERIFY(dropped.ok() && kept.ok());
    QCOMPARE(dropped->shape, (Shape{2, 1}));
    QCOMPARE(rawBytes(*dropped), std::string("\x0a\x14"));
    QCOMPARE(kept->shape, (Shape{2, 1, 2}));
    QCOMPARE(rawBytes(*kept), std::string("\x0a\xff\x14\x80"));
    // 4-bit grey with a transparent value 3: as stored when alpha is dropped, k * 17 in 8 bits when it is kept.
    const auto [low, lowKept] =
        both(png(2, 1, 4, 0, std::string("\0\x3f", 2), pngChunk("tRNS", std::string("\0\3", 2))));
    QVERIFY(low.ok() && lowKept.ok());
    QCOMPARE(low->integerDepth, 4);
    QCOMPARE(rawBytes(*low), std::string("\x03\x0f"));
    QCOMPARE(lowKept->integerDepth, 8);
    QCOMPARE(rawBytes(*lowKept), std::string("\x33\0\xff\xff", 4));
    // RGB with a transparent colour, and a palette with alpha.
    const auto [rgb, rgbKept] =
        both(png(1, 1, 8, 2, std::string("\0\1\2\3", 4), pngChunk("tRNS", std::string("\0\1\0\2\0\3", 6))));
    QVERIFY(rgb.ok() && rgbKept.ok());
    QCOMPARE(rawBytes(*rgb), std::string("\1\2\3"));
    QCOMPARE(rawBytes(*rgbKept), std::string("\1\2\3\0", 4));
    const auto [pal, palKept] =
        both(png(1, 1, 8, 3, std::string("\0\0", 2), pngChunk("PLTE", "\x0a\x14\x1e") + pngChunk("tRNS", "\x50")));
    QVERIFY(pal.ok() && palKept.ok());
    QCOMPARE(rawBytes(*pal), std::string("\x0a\x14\x1e"));
    QCOMPARE(rawBytes(*palKept), std::string("\x0a\x14\x1e\x50"));
}

// EXIF 2.3 says for each orientation which visual side the stored row 0 and column 0 lie on.
void ArrayFilesTest::jpegOrientations()
{
    static constexpr std::pair<char, char> kSides[] = {{'t', 'l'}, {'t', 'r'}, {'b', 'r'}, {'b', 'l'},
                                                       {'l', 't'}, {'r', 't'}, {'r', 'b'}, {'l', 'b'}};
    const std::int64_t h = 5, w = 7;
    for (const int channels : {1, 3})
        for (const bool isProgressive : {false, true}) {
            const std::string pixels = gradient(7, 5, static_cast<unsigned>(channels));
            const auto plain = readArrayBytes(asBytes(jpeg(7, 5, pixels, {channels, isProgressive})), "a.jpg");
            QVERIFY(plain.ok());
            QCOMPARE(plain->shape, channels == 1 ? Shape({h, w}) : Shape({h, w, 3}));
            for (int orientation = 1; orientation <= 8; ++orientation) {
                const std::string exif = exifSegment(orientation, orientation % 2 == 0);
                const auto turned =
                    readArrayBytes(asBytes(jpeg(7, 5, pixels, {channels, isProgressive, exif})), "a.jpg");
                QVERIFY(turned.ok());
                const auto [rowSide, columnSide] = kSides[orientation - 1];
                const bool isSideways = rowSide == 'l' || rowSide == 'r';
                const std::int64_t columns = isSideways ? h : w, rows = isSideways ? w : h;
                QCOMPARE(turned->shape[0], rows);
                QCOMPARE(turned->shape[1], columns);
                for (std::int64_t r = 0; r < h; ++r)
                    for (std::int64_t c = 0; c < w; ++c) {
                        std::int64_t x = 0, y = 0;
                        for (const auto& [side, distance] : {std::pair{rowSide, r}, {columnSide, c}})
                            (side == 't' || side == 'b' ? y : x) = side == 't' || side == 'l' ? distance
                                                                   : side == 'b'              ? rows - 1 - distance
                                                                                              : columns - 1 - distance;
                        for (std::int64_t k = 0; k < channels; ++k)
                            QCOMPARE(turned->data.data<std::uint8_t>()[(y * columns + x) * channels + k],
                                     plain->data.data<std::uint8_t>()[(r * w + c) * channels + k]);
                    }
            }
        }
}

void ArrayFilesTest::contentBeforeEnding()
{
    // A PNG called .npy is a PNG; an .npy with the beginning gone is a bad .npy.
    QVERIFY(readArrayBytes(asBytes(png(1, 1, 8, 0, std::string("\0\5", 2))), "wrong.npy").ok());
    QCOMPARE(readArrayBytes(asBytes(std::string("\x93NU")), "cut.npy").error().code, std::string("array-truncated"));
    QCOMPARE(readArrayBytes(asBytes(std::string("hello world")), "a.txt").error().code, std::string("array-header"));
    QCOMPARE(readArrayBytes({}, "a.bin").error().text(),
             std::string("a.bin: the file is empty (copy or write the file again)"));
}

QTEST_GUILESS_MAIN(ArrayFilesTest)
#include "tst_array_files.moc"
