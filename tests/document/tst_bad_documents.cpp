// `.mantissa` files that are wrong or hostile: each kind of fault has its error, with code, place and numbers.
#include "sample_files.h"

#include "engine/document/array_files.h"
#include "engine/document/document_file.h"

#include <QtTest/QtTest>

using namespace engine;
using namespace samples;

namespace {

const std::string kInput = R"({"id": 1, "op": "input"})", kRelu = R"({"id": 2, "op": "relu"})";

void row(const char* name, const std::string& bytes, const char* error)
{
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(error);
}

// A zip of the row's JSON. The error must begin with "CODE|POINTER: message", or "CODE|>MEMBER: message".
void checkModel()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    QElapsedTimer timer;
    timer.start();
    const std::string bytes = modelZip(json.toStdString(), true);
    const auto d = loadDocumentBytes(asBytes(bytes), "d.mantissa");
    QVERIFY(!d.ok());
    const bool isMember = error.contains("|>");
    QString wanted = error;
    wanted.replace("|>", "|d.mantissa, ");
    if (!isMember)
        wanted.replace(wanted.contains("|:") ? "|" : "|",
                       wanted.contains("|:") ? "|d.mantissa, model.json" : "|d.mantissa, model.json, ");
    const QString got = QString::fromStdString(d.error().code + "|" + d.error().text());
    QVERIFY2(got.startsWith(wanted), qPrintable(got));
    QVERIFY(!d.error().remedy.empty());
    QVERIFY(timer.elapsed() < 5000);
}

void checkZip()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, error);
    const auto d = loadDocumentBytes(asBytes(bytes.toStdString()), "d");
    QVERIFY(!d.ok());
    const QString got = QString::fromStdString(d.error().code + "|" + d.error().text());
    QVERIFY2(got.startsWith(error), qPrintable(got));
    QVERIFY(!d.error().remedy.empty());
}

// A zip64 directory that claims any number of members.
std::string zip64Claiming(std::uint64_t count, std::uint64_t directorySize)
{
    const std::string model = modelZip(R"({"mantissa": 1})");
    std::string end = "PK\x06\x06" + littleEndian<std::uint64_t>(44) + littleEndian<std::uint16_t>(45) +
                      littleEndian<std::uint16_t>(45) + littleEndian<std::uint32_t>(0) +
                      littleEndian<std::uint32_t>(0) + littleEndian(count) + littleEndian(count) +
                      littleEndian(directorySize) + littleEndian<std::uint64_t>(0);
    end += "PK\x06\x07" + littleEndian<std::uint32_t>(0) + littleEndian(std::uint64_t{model.size() - 22}) +
           littleEndian<std::uint32_t>(1);
    return model.substr(0, model.size() - 22) + end + "PK\x05\x06" + std::string(4, '\0') + std::string(12, '\xff') +
           std::string(2, '\0');
}

} // namespace

class BadDocumentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void badJson_data();
    void badJson();
    void badNodes_data();
    void badNodes();
    void badRest_data();
    void badRest();
    void badZips_data();
    void badZips();
    void badSizes_data();
    void badSizes();
};

void BadDocumentsTest::badJson_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    row("newer", R"({"mantissa": 2, "nodes": 7})",
        "file-version|/mantissa: the file has format version 2, this program reads up to 1 (use a newer program)");
    row("no version", R"({"nodes": []})", "file-not-mantissa|/mantissa: the format's version is missing");
    row("version text", R"({"mantissa": "1"})", "file-not-mantissa|/mantissa: the format's version is missing");
    row("a list", "[1]", "file-not-mantissa|: the format's version is missing");
    row("syntax", "{\"mantissa\": 1,\n  \"title\" \"x\"}",
        "file-json|line 2, column 13: this is not JSON: syntax error");
    row("empty text", "", "file-json|line 1, column 1: this is not JSON: syntax error");
    row("no UTF-8", "{\"mantissa\": 1, \"title\": \"\xff\"}",
        "file-json|line 1, column 27: this is not JSON: syntax error while parsing value - invalid string: ill-formed "
        "UTF-8");
    row("lone surrogate", R"({"mantissa": 1, "title": "\ud800"})", "file-json|line 1, column 33: this is not JSON:");
    row("huge number", R"({"mantissa": 1, "x": 1e999})", "file-json|: this JSON cannot be read: number overflow");
    row("deep", R"({"mantissa": 1, "x": )" + std::string(1000000, '[') + std::string(1000000, ']') + "}",
        "file-json|: the JSON nests 1000001 levels deep, more than 64");
    row("twice", R"({"mantissa": 1, "x": {"a": [{"k": 1, "k": 2}]}})",
        "file-json|: the key \"k\" is twice in one object");
    row("title", R"({"mantissa": 1, "title": 3})", "file-field|/title: 3 is not a text (give a text)");
}

void BadDocumentsTest::badJson()
{
    checkModel();
}

void BadDocumentsTest::badNodes_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    row("nodes", R"({"mantissa": 1, "nodes": {}})", "file-field|/nodes: {} is not a list");
    row("node", withNodes("7"), "file-field|/nodes/0: 7 is not an object");
    row("id 0", withNodes(R"({"id": 0, "op": "x"})"), "file-field|/nodes/0/id: 0 is not an id from 1 to 2147483647");
    row("id large", withNodes(R"({"id": 4294967297, "op": "x"})"), "file-field|/nodes/0/id: 4294967297 is not an id");
    row("id real", withNodes(R"({"id": 1.0, "op": "x"})"), "file-field|/nodes/0/id: 1.0 is not an id");
    row("no id", withNodes(R"({"op": "x"})"),
        "file-field|/nodes/0/id: this is missing (give an id from 1 to 2147483647)");
    row("id twice", withNodes(kInput + "," + kInput), "file-field|/nodes/1/id: id 1 belongs to \"input_1\" already");
    row("no op", withNodes(R"({"id": 1})"), "file-field|/nodes/0/op: this is missing");
    row("params", withNodes(R"({"id": 1, "op": "x", "params": [1]})"),
        "file-field|/nodes/0/params: [1] is not an object");
    row("slot name", withNodes(R"({"id": 1, "op": "x", "slots": {"out/put": "f32"}})"),
        "file-field|/nodes/0/slots/out~1put: this key is unknown here");
    row("slot dtype", withNodes(R"({"id": 1, "op": "x", "slots": {"output": "float31"}})"),
        "file-field|/nodes/0/slots/output: \"float31\" is not a dtype such as \"float32\"");
    row("slot widest", withNodes(R"({"id": 1, "op": "x", "slots": {"output": "widest"}})"),
        "file-field|/nodes/0/slots/output: \"widest\" is not a dtype");
    row("slot tf32", withNodes(R"({"id": 1, "op": "x", "slots": {"input": "tf32"}})"),
        "file-field|/nodes/0/slots/input: tf32 is a way to compute, not to store");
    row("layer dtype", withNodes(R"({"id": 1, "op": "x", "layer_dtype": 4})"),
        "file-field|/nodes/0/layer_dtype: 4 is not a dtype");
    row("forbid_cast", withNodes(R"({"id": 1, "op": "x", "forbid_cast": [1]})"),
        "file-field|/nodes/0/forbid_cast: 1 is not a port");
    row("muted", withNodes(R"({"id": 1, "op": "x", "muted": 1})"), "file-field|/nodes/0/muted: 1 is not true or false");
    row("at", withNodes(R"({"id": 1, "op": "x", "at": [1, "2"]})"), "file-field|/nodes/0/at/1: \"2\" is not a number");
}

void BadDocumentsTest::badNodes()
{
    checkModel();
}

void BadDocumentsTest::badRest_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    const auto edges = [](const std::string& list) {
        return withNodes(kInput + "," + kRelu, R"(, "edges": [)" + list + "]");
    };
    const std::string edge = R"({"from": [1, "output"], "to": [2, "input"]})";
    row("combo", R"({"mantissa": 1, "settings": {"combo": {"input": "tf32"}}})",
        "file-field|/settings/combo/input: tf32 is");
    row("floatx", R"({"mantissa": 1, "settings": {"floatx": "int8"}})",
        "file-field|/settings/floatx: int8 is not a float");
    row("dangling", edges(R"({"from": [1, "output"], "to": [3, "input"]})"),
        "file-field|/edges/0/to: there is no node 3");
    row("edge form", edges(R"({"from": [1], "to": [2, "input"]})"),
        "file-field|/edges/0/from: an end of an edge is missing");
    row("edge key", edges(R"({"from": [1, "o"], "to": [2, "i"], "w": 1})"),
        "file-field|/edges/0/w: this key is unknown here");
    row("port twice", edges(edge + "," + edge),
        "file-field|/edges/1/to: port \"input\" of node 2 has the edge 0 of this list");
    row("self", edges(R"({"from": [2, "output"], "to": [2, "input"]})"),
        "file-field|/edges/0: the edges form a cycle of nodes: 2 -> 2 (remove one of these edges)");
    row("cycle",
        withNodes(kInput + "," + kRelu + R"(,{"id": 3, "op": "add"},{"id": 4, "op": "output"})",
                  R"(, "edges": [{"from": [3, "o"], "to": [2, "input"]}, {"from": [2, "o"], "to": [3, "input"]},)"
                  R"({"from": [1, "o"], "to": [3, "other"]}, {"from": [3, "o"], "to": [4, "input"]}])"),
        "file-field|/edges/0: the edges form a cycle of nodes: 2 -> 3 -> 2 (");
    row("many nodes", withNodes(kInput + repeated("," + kInput, 20000)),
        "file-limit|/nodes: there are 20001 nodes (at most 20000");
    row("frame", R"({"mantissa": 1, "frames": [{"id": 1, "nodes": [5]}]})",
        "file-field|/frames/0/nodes: there is no node 5");
    row("frame twice", R"({"mantissa": 1, "frames": [{"id": 1}, {"id": 1}]})",
        "file-field|/frames/1/id: id 1 is used twice");
    row("comment", R"({"mantissa": 1, "comments": [{"id": 1, "size": 3}]})",
        "file-field|/comments/0/size: 3 is not a list of");
    row("tensor name", R"({"mantissa": 1, "tensors": {"../x": {"file": "tensors/x.npy", "dtype": "f4"}}})",
        "file-field|/tensors/..~1x: this name cannot be a member of a zip");
    row("tensor tf32", R"({"mantissa": 1, "tensors": {"x": {"file": "tensors/x.npy", "dtype": "tf32"}}})",
        "file-field|/tensors/x/dtype: tf32 is a way to compute");
    row("tensor depth", R"({"mantissa": 1, "tensors": {"x": {"file": "tensors/x.npy", "dtype": "u8", "depth": 9}}})",
        "file-field|/tensors/x/depth: 9 is no number of bits of that dtype");
    row("tensor gone", R"({"mantissa": 1, "tensors": {"x": {"file": "tensors/x.npy", "dtype": "float32"}}})",
        "file-tensor|>tensors/x.npy: tensor \"x\" names this member, which is not there");
}

void BadDocumentsTest::badRest()
{
    checkModel();
}

void BadDocumentsTest::badZips_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("error");
    const std::string model = R"({"mantissa": 1})";
    const std::string array = npy("|u1", "(1,)", "x");
    const auto tensor = [](const char* dtype) {
        return std::string(R"({"mantissa": 1, "tensors": {"w": {"file": "tensors/w.npy", "dtype": ")") + dtype +
               "\"}}}";
    };
    row("empty", {}, "file-truncated|d: the file is empty");
    row("text", "hello", "file-not-mantissa|d: this is no zip file");
    row("array", array, "file-not-mantissa|d: this is no zip file");
    row("no model", zipOf({{"tensors/w.npy", array}}), "file-not-mantissa|d: the zip has no model.json");
    row("climbing", zipOf({{"model.json", model}, {"tensors/../../x.npy", array}}),
        "file-not-mantissa|d, tensors/../../x.npy: a member's name leaves its folder");
    row("absolute", zipOf({{"/etc/x.npy", array}}),
        "file-not-mantissa|d, /etc/x.npy: a member's name leaves its folder");
    row("backslash", zipOf({{"tensors\\x.npy", array}}), "file-not-mantissa|d, tensors\\x.npy: a member's name leaves");
    row("stranger", zipOf({{"model.json", model}, {"run.sh", "x"}}),
        "file-not-mantissa|d, run.sh: this member is not part");
    row("twice", zipOf({{"model.json", model}, {"model.json", model}}),
        "file-not-mantissa|d: member \"model.json\" is there twice");
    row("unnamed tensor", zipOf({{"model.json", model}, {"tensors/w.npy", array}}),
        "file-tensor|d, tensors/w.npy: no tensor of model.json names this member");
    row("other dtype", zipOf({{"model.json", tensor("float32")}, {"tensors/w.npy", array}}),
        "file-tensor|d, tensors/w.npy: model.json says float32, the .npy file holds uint8");
    row("bits of the wrong size", zipOf({{"model.json", tensor("bfloat16")}, {"tensors/w.npy", array}}),
        "file-tensor|d, tensors/w.npy: model.json says bfloat16, the .npy file holds uint8");
    row("bad npy", zipOf({{"model.json", tensor("uint8")}, {"tensors/w.npy", npy("|O", "()", "x")}}),
        "file-tensor|d, tensors/w.npy: dtype '|O' holds Python objects");
    row("two tensors, one member",
        zipOf({{"model.json", R"({"mantissa": 1, "tensors": {"v": {"file": "tensors/w.npy", "dtype": "uint8"},)"
                              R"("w": {"file": "tensors/w.npy", "dtype": "uint8"}}})"},
               {"tensors/w.npy", array}}),
        "file-tensor|d, tensors/w.npy: two tensors name this member");
}

void BadDocumentsTest::badZips()
{
    checkZip();
}

void BadDocumentsTest::badSizes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("error");
    const std::string model = R"({"mantissa": 1})";
    row("checksum", zipOf({{"model.json", model, false, {}, 7u}}),
        "file-truncated|d, model.json: the member's bytes are not");
    row("larger than claimed", zipOf({{"model.json", model + std::string(100000, ' '), true, 20u}}),
        "file-truncated|d, model.json");
    row("smaller than claimed", zipOf({{"model.json", model, true, 2000u}}),
        "file-truncated|d, model.json: the member's bytes");
    row("stored and larger", zipOf({{"model.json", model, false, 2000u}}), "file-truncated|d");
    row("encrypted", zipOf({{"model.json", model, false, {}, {}, 0xffff, 0x0801}}),
        "file-not-mantissa|d: member \"model.json\" is encrypted");
    row("bzip2", zipOf({{"model.json", model, false, {}, {}, 12}}),
        "file-not-mantissa|d: member \"model.json\" has compression method 12");
    row("bomb", zipOf({{"model.json", model}, {"tensors/w.npy", std::string(100000000, '\0'), true}}),
        "file-limit|d, tensors/w.npy: the members unpack to more than");
    row("claimed bomb", zipOf({{"model.json", model, true, 0xfffffff0u}}),
        "file-limit|d, model.json: the members unpack to more");
    row(
        "many members",
        [] {
            std::vector<ZipMember> members;
            for (int i = 0; i < 20001; ++i)
                members.push_back({"tensors/" + std::to_string(i) + ".npy", ""});
            return zipOf(members);
        }(),
        "file-limit|d: the zip has more than 20000 members");
    row("zip64 count", zip64Claiming(std::uint64_t{1} << 40, 46), "file-truncated|d: the zip of");
    row("zip64 size", zip64Claiming(std::uint64_t{1} << 32, std::uint64_t{1} << 46), "file-truncated|d: the zip of");
}

void BadDocumentsTest::badSizes()
{
    checkZip();
}

QTEST_GUILESS_MAIN(BadDocumentsTest)
#include "tst_bad_documents.moc"
