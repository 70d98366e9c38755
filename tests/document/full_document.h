// A document with something in every field; its canonical text is full_document.json.
#pragma once

// First, as moc cannot read <compare> before another standard header.
#include <string>

#include "engine/document/document_file.h"

#include <QFile>

namespace samples {

using namespace engine;

inline std::string textOf(const std::vector<std::byte>& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string fileText(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

inline SourceArray arrayOf(DType dtype, Shape shape, unsigned seed)
{
    SourceArray a{dtype, shape, Tensor::allocate(dtype, shape), 0};
    for (std::int64_t i = 0; i < a.data.bytes(); ++i)
        a.data.mutableData<std::uint8_t>()[i] = static_cast<std::uint8_t>((seed + static_cast<unsigned>(i) * 73) % 251);
    if (dtype == DType::u8)
        a.integerDepth = 8;
    return a;
}

inline Node node(std::uint32_t id, std::string name, std::string op, ParamMap params = {})
{
    Node n;
    n.id = NodeId{id};
    n.name = std::move(name);
    n.op = std::move(op);
    n.params = std::move(params);
    return n;
}

// Something in every field.
inline Document fullDocument()
{
    Document d;
    d.title = "a \"full\" document";
    d.about = "line one\nline two, \xc3\xa9";
    d.settings.dialect = "keras_tf26";
    d.settings.combo = {DType::f64, DType::f32};
    d.settings.floatx = DType::f16;
    d.settings.extra["future"] = R"({"b": [1, 2], "a": null})";
    Source file;
    file.kind = Source::Kind::File;
    file.name = "digits.npz";
    file.member = "x";
    file.scale = Source::Scale::Unit;
    file.channels = Source::Channels::Keep;
    Source tensor;
    tensor.kind = Source::Kind::Tensor;
    tensor.name = "conv1/kernel";
    Source glorot;
    glorot.generator = "glorot_uniform";
    glorot.seed = 18446744073709551615u;
    (void)d.graph.addNode(node(3, "x", "input", {{"shape", IntList{1, -1, 28, 28}}, {"value", file}}));
    Node conv = node(1, "conv1", "conv2d",
                     {{"use_bias", true},
                      {"alpha", 1.0},
                      {"filters", std::int64_t{32}},
                      {"padding", std::string("same")},
                      {"weight", tensor},
                      {"bias", glorot},
                      {"strides", IntList{}},
                      {"tiny", 5e-324}});
    conv.slots[static_cast<std::size_t>(Slot::Compute)].kind = SlotAsk::Kind::Widest;
    conv.slots[static_cast<std::size_t>(Slot::Output)] = SlotAsk::fixed(DType::e4m3fn);
    conv.layerDtype = DType::bf16;
    conv.forbidCast = {"weight", "input"};
    conv.muted = true;
    conv.extra = R"({"z": {"deep": [true]}, "color": "red"})";
    (void)d.graph.addNode(conv);
    (void)d.graph.addEdge({NodeId{3}, "output", NodeId{1}, "input"});
    d.layout.positions = {{NodeId{1}, {10, -20.5}}, {NodeId{3}, {0, 0}}};
    d.layout.reroutes[{NodeId{1}, "input"}] = {{1, 2}, {0.1, 4}};
    d.layout.frames = {{7, "frame", "#ff0000", {0, 1}, {200, 100}, {NodeId{3}, NodeId{1}}}};
    d.layout.comments = {{9, "note", {1, 2}, {3, 4}}, {2, "", {0, 0}, {0, 0}}};
    d.tensors["conv1/kernel"] = arrayOf(DType::bf16, Shape{2, 3}, 1);
    d.tensors["a"] = arrayOf(DType::u8, Shape{5}, 2);
    d.tensors["a"].integerDepth = 4;
    d.tensors["odd"] = arrayOf(DType::u8, Shape{}, 3);
    d.tensorDTypes["odd"] = "float4_e2m1";
    d.extra = R"({"zeta": 1.5, "author": {"name": "x", "age": 3}})";
    return d;
}

} // namespace samples
