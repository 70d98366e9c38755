// `.mantissa` files: the canonical text, round trips to the byte, unknown things kept and a
// file from a NumPy script.
#include "full_document.h"
#include "sample_files.h"

#include "engine/document/array_files.h"
#include "engine/document/document_file.h"

#include <QtTest/QtTest>

#include <cmath>

using namespace engine;
using namespace samples;

namespace {

struct Entry {
    std::string name, data;
};

// Local headers of stored entries, read by the zip format; any other method or date gives nothing.
std::vector<Entry> storedEntries(const std::string& zip)
{
    const auto number = [&](std::size_t at, std::size_t size) {
        std::size_t v = 0;
        for (std::size_t i = size; i-- > 0;)
            v = v << 8 | static_cast<unsigned char>(zip[at + i]);
        return v;
    };
    std::vector<Entry> entries;
    for (std::size_t at = 0; zip.compare(at, 4, "PK\3\4") == 0;) {
        if (number(at + 8, 2) != 0 || number(at + 10, 2) != 0 || number(at + 12, 2) != 0x21)
            return {};
        const std::size_t size = number(at + 22, 4), name = number(at + 26, 2), extra = number(at + 28, 2);
        entries.push_back({zip.substr(at + 30, name), zip.substr(at + 30 + name + extra, size)});
        at += 30 + name + extra + size;
    }
    return entries;
}

Result<Document> loadText(const std::string& bytes)
{
    return loadDocumentBytes(asBytes(bytes), "t.mantissa");
}

} // namespace

class DocumentFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void canonicalText();
    void roundTrip();
    void unknownThingsSurvive();
    void foreignZipAndText();
    void scriptsFile();
    void sourcesResolve();
};

void DocumentFileTest::canonicalText()
{
    const auto bytes = documentBytes(fullDocument());
    QVERIFY2(bytes.ok(), bytes.ok() ? "" : bytes.error().text().c_str());
    const std::vector<Entry> entries = storedEntries(textOf(*bytes));
    QCOMPARE(entries.size(), std::size_t{4});
    // Written by hand from docs/file-format.md.
    const std::string wanted = fileText(MANTISSA_SOURCE_DIR "/tests/document/full_document.json");
    QCOMPARE(QString::fromStdString(entries[0].data), QString::fromStdString(wanted));
    QCOMPARE(entries[0].name, std::string("model.json"));
    QCOMPARE(entries[1].name, std::string("tensors/a.npy"));
    QCOMPARE(entries[2].name, std::string("tensors/conv1/kernel.npy"));
    QVERIFY(entries[2].data.find("'<u2'") != std::string::npos);
    const auto empty = documentBytes(Document{});
    QVERIFY(empty.ok());
    QCOMPARE(storedEntries(textOf(*empty)).at(0).data,
             std::string("{\n  \"mantissa\": 1,\n  \"settings\": {\"dialect\": \"explicit\", \"combo\": {\"input\": "
                         "\"float32\", \"weight\": \"float32\"}, \"floatx\": \"float32\", \"backend\": \"cpu\"}\n}\n"));
}

void DocumentFileTest::roundTrip()
{
    for (const Document& d : {fullDocument(), Document{}}) {
        const auto first = documentBytes(d);
        QVERIFY(first.ok());
        const auto loaded = loadDocumentBytes(*first, "t.mantissa");
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().text().c_str());
        const auto second = documentBytes(*loaded);
        QVERIFY(second.ok());
        QVERIFY(*first == *second);
        const auto again = loadDocumentBytes(*second, "t.mantissa");
        QVERIFY(again.ok() && equal(*loaded, *again));
    }
    // Canonical spelling of what is kept as text; all else is equal at once.
    Document d = fullDocument();
    d.settings.extra["future"] = R"({"a": null, "b": [1, 2]})";
    Node conv = *d.graph.find(NodeId{1});
    conv.extra = R"({"color": "red", "z": {"deep": [true]}})";
    (void)d.graph.replaceNode(conv);
    d.extra = R"({"author": {"age": 3, "name": "x"}, "zeta": 1.5})";
    const auto loaded = loadDocumentBytes(*documentBytes(d), "t.mantissa");
    QVERIFY(loaded.ok() && equal(d, *loaded));
    QVERIFY(loaded->tensors.at("conv1/kernel").data.dtype() == DType::bf16);
    Document other = *loaded;
    other.tensors["a"] = arrayOf(DType::u8, Shape{5}, 99);
    other.tensors["a"].integerDepth = 4;
    QVERIFY(!equal(other, *loaded));
    // A frame may still name a node that is gone; a file never does.
    (void)d.graph.removeNode(NodeId{3});
    const auto withoutInput = loadDocumentBytes(*documentBytes(d), "t.mantissa");
    QVERIFY(withoutInput.ok());
    QCOMPARE(withoutInput->layout.frames[0].nodes, std::vector<NodeId>{NodeId{1}});
}

void DocumentFileTest::unknownThingsSurvive()
{
    const std::string line = R"({"id": 5, "name": "q", "op": "quantum_gate", "params": {"a": {"x": [1, "two", 3.5]}, )"
                             R"("b": null, "c": [1.5, 2.0], "d": 18446744073709551615, "e": "inf", "f": [], )"
                             R"("g": {"tensor": "t", "scale": "unit"}, "h": -7}, "future": {"k": [[]]}})";
    const std::string text = "{\n  \"mantissa\": 1,\n  \"settings\": {\"dialect\": \"d\", \"combo\": {\"input\": "
                             "\"float32\", \"weight\": \"float32\"}, \"floatx\": \"float32\", \"backend\": \"b\"},\n"
                             "  \"nodes\": [\n    " +
                             line + "\n  ],\n  \"xyz\": [{\"a\": 1e+300}]\n}\n";
    const auto loaded = loadText(zipOf({{"model.json", text}}));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().text().c_str());
    QCOMPARE(storedEntries(textOf(*documentBytes(*loaded))).at(0).data, text);
    const Node& n = *loaded->graph.find(NodeId{5});
    // What no parameter can be is there as its text, so that a known op refuses it by kind.
    QCOMPARE(std::get<std::string>(n.params.at("c")), std::string("[1.5, 2.0]"));
    QCOMPARE(std::get<IntList>(n.params.at("f")), IntList{});
    QVERIFY(std::isinf(std::get<double>(n.params.at("e"))));
    QCOMPARE(std::get<Source>(n.params.at("g")).name, std::string("t"));
    // An edited one is written as edited, a removed one is gone.
    Document edited = *loaded;
    Node m = n;
    m.params["c"] = IntList{4};
    m.params.erase("a");
    (void)edited.graph.replaceNode(m);
    const std::string after = storedEntries(textOf(*documentBytes(edited))).at(0).data;
    QVERIFY(after.find("\"params\": {\"b\": null, \"c\": [4], \"d\"") != std::string::npos);
}

void DocumentFileTest::foreignZipAndText()
{
    // Deflated, folders, entries in another order, keys in another order, nulls, short dtype names, a byte order mark.
    const std::string json =
        "\xef\xbb\xbf{\"tensors\":{\"w\":{\"dtype\":\"f16\",\"file\":\"tensors/other.npy\"}},\"edges\":"
        "[{\"to\":[2,\"input\"],\"from\":[9,\"output\"]}],\"nodes\":[{\"op\":\"relu\",\"id\":2,\"at\":"
        "null},{\"id\":9,\"op\":\"input\",\"params\":{\"value\":{\"values\":[1]}}}],\"mantissa\":1}";
    const std::string file = zipOf({{"tensors/", ""},
                                    {"tensors/other.npy", npy(">f2", "(1, 2)", std::string("\x3c\0\xc0\0", 4)), true},
                                    {"model.json", json, true}});
    const auto d = loadText(file);
    QVERIFY2(d.ok(), d.ok() ? "" : d.error().text().c_str());
    QCOMPARE(d->graph.nodes().size(), std::size_t{2});
    QCOMPARE(d->graph.find(NodeId{2})->name, std::string("relu_2"));
    QCOMPARE(d->graph.edges().size(), std::size_t{1});
    QVERIFY(d->layout.positions.empty());
    const SourceArray& w = d->tensors.at("w");
    QCOMPARE(w.dtype, DType::f16);
    QCOMPARE(w.data.data<std::uint16_t>()[0], 0x3c00); // 1
    QCOMPARE(w.data.data<std::uint16_t>()[1], 0xc000); // -2
    const auto again = loadDocumentBytes(*documentBytes(*d), "t.mantissa");
    QVERIFY(again.ok() && equal(*d, *again));
}

void DocumentFileTest::scriptsFile()
{
    QTemporaryDir dir;
    const QString path = dir.filePath("script.mantissa");
    QProcess python;
    python.start(MANTISSA_PYTHON, {"-c", "import numpy"});
    if (!python.waitForFinished(60000) || python.exitCode() != 0)
        QSKIP("this Python has no NumPy");
    python.start(MANTISSA_PYTHON, {MANTISSA_SOURCE_DIR "/tests/document/write_mantissa.py", path});
    QVERIFY(python.waitForFinished(60000));
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    const auto d = loadDocument(path.toStdString());
    QVERIFY2(d.ok(), d.ok() ? "" : d.error().text().c_str());
    QCOMPARE(d->title, std::string("written by a script"));
    QCOMPARE(d->settings.combo, (Combo{DType::f32, DType::f64}));
    QCOMPARE(d->graph.nodes().size(), std::size_t{5});
    QCOMPARE(d->graph.edges().size(), std::size_t{4});
    QCOMPARE(d->graph.edgeInto(NodeId{4}, "input")->from, NodeId{3});
    const Node& conv = *d->graph.find(NodeId{2});
    QCOMPARE(conv.op, std::string("conv2d"));
    QCOMPARE(std::get<IntList>(conv.params.at("kernel_size")), (IntList{3, 3}));
    QCOMPARE(std::get<std::int64_t>(conv.params.at("filters")), 2);
    QCOMPARE(conv.slot(Slot::Compute).kind, SlotAsk::Kind::Widest);
    const ResolvedArrays resolved = resolveArrays(*d, dir.path().toStdString());
    QCOMPARE(resolved.findings.size(), std::size_t{0});
    QCOMPARE(resolved.arrays.size(), std::size_t{4});
    const SourceArray& kernel = resolved.arrays.at(std::get<Source>(conv.params.at("weight")).arrayKey());
    QCOMPARE(kernel.shape, (Shape{3, 3, 1, 2}));
    for (int i = 0; i < 18; ++i)
        QCOMPARE(kernel.data.data<float>()[i], static_cast<float>(i) / 16);
    const SourceArray& bias = d->tensors.at("dense1/bias");
    QCOMPARE(bias.dtype, DType::bf16);
    QCOMPARE(bias.data.data<std::uint16_t>()[0], 0x3fc0); // 1.5
    QCOMPARE(bias.data.data<std::uint16_t>()[1], 0xc000); // -2
    QCOMPARE(d->tensors.at("dense1/kernel").data.data<double>()[23], 1.0);
    const auto bytes = documentBytes(*d);
    QVERIFY(bytes.ok());
    QVERIFY(*documentBytes(*loadDocumentBytes(*bytes, "t")) == *bytes);
}

void DocumentFileTest::sourcesResolve()
{
    QTemporaryDir dir;
    const std::string base = dir.path().toStdString();
    const std::string bad = npy("|O", "(1,)", "x");
    QVERIFY(writeFileAtomically(base + "/x.npy", asBytes(npy("|u1", "(2,)", "\x01\x02"))).ok());
    QVERIFY(writeFileAtomically(base + "/bad.npy", asBytes(bad)).ok());
    const auto file = [](const std::string& name) {
        Source s;
        s.kind = Source::Kind::File;
        s.name = name;
        return s;
    };
    Source tensor;
    tensor.kind = Source::Kind::Tensor;
    tensor.name = "gone";
    Document d;
    (void)d.graph.addNode(node(1, "a", "input", {{"value", file("x.npy")}}));
    (void)d.graph.addNode(node(2, "b", "input", {{"value", file(base + "/x.npy")}}));
    (void)d.graph.addNode(node(3, "c", "input", {{"value", file("bad.npy")}}));
    (void)d.graph.addNode(node(4, "d", "dense", {{"weight", file("absent.npy")}, {"bias", tensor}}));
    (void)d.graph.addNode(node(5, "e", "dense", {{"weight", file("absent.npy")}}));
    ResolvedArrays r = resolveArrays(d, base);
    QCOMPARE(r.arrays.size(), std::size_t{2});
    QCOMPARE(r.arrays.at(file("x.npy").arrayKey()).shape, Shape{2});
    QCOMPARE(r.findings.size(), std::size_t{4});
    for (const Finding& f : r.findings)
        QVERIFY(f.rule == "source" && f.severity == Severity::Error && !f.remedies.empty());
    QCOMPARE(r.findings[0].node, NodeId{3});
    QVERIFY(r.findings[0].message.starts_with("node 3 \"c\", parameter value: " + base +
                                              "/bad.npy: dtype '|O' holds Python"));
    QCOMPARE(r.findings[1].message,
             std::string("node 4 \"d\", parameter bias: the document has no tensor \"gone\" (name "
                         "one of its tensors, or use an initialiser)"));
    QVERIFY(r.findings[2].message.find("absent.npy: the file cannot be opened: No such file") != std::string::npos);
    QCOMPARE(r.findings[3].node, NodeId{5});
    // A wired port does not use its own source.
    (void)d.graph.addEdge({NodeId{1}, "output", NodeId{5}, "weight"});
    QCOMPARE(resolveArrays(d, base).findings.size(), std::size_t{3});
}

QTEST_GUILESS_MAIN(DocumentFileTest)
#include "tst_document_file.moc"
