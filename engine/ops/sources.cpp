// input and weights: where values enter the graph. They have no kernel: the runner makes their values from the
// source (generator, written values, array) and rounds them once to the storage dtype.
#include "engine/ops/ops.h"

namespace engine {

namespace {

constexpr ParamSpec kInputParams[]{
    {.name = "shape",
     .kind = ParamKind::IntList,
     .sentence = "Size of each dimension; -1 takes it from the array.",
     .minimum = -1,
     .maximum = static_cast<double>(kMaxElements),
     .maxLength = kMaxRank,
     .defaultText = "[1]"},
    {.name = "value",
     .kind = ParamKind::Source,
     .sentence = "Where the real numbers come from: a generator, written values, a tensor of the document or a file.",
     .defaultText = R"({"init": "zeros"})"},
};

constexpr ParamSpec kWeightsParams[]{
    {.name = "shape",
     .kind = ParamKind::IntList,
     .sentence =
         "Size of each dimension; -1 takes it from the array. The last two are inputs and outputs for the fans.",
     .minimum = -1,
     .maximum = static_cast<double>(kMaxElements),
     .maxLength = kMaxRank,
     .defaultText = "[1]"},
    {.name = "value",
     .kind = ParamKind::Source,
     .sentence =
         "Where the real numbers come from: an initialiser, written values, a tensor of the document or a file.",
     .defaultText = R"({"init": "glorot_uniform"})"},
};

// A -1 is resolved from the array by whoever knows it, before this rule is asked.
Result<Shape> inferShape(const Params& params, std::span<const std::optional<Shape>>)
{
    const Shape shape(params.list("shape"));
    for (std::int64_t d : shape.dims())
        if (d < 0)
            return Error{"shape-unresolved",
                         {},
                         "shape " + shape.text() + " leaves a dimension to an array, and there is none",
                         "write the size, or take the values from a tensor or a file"};
    const Result<std::int64_t> count = checkedElements(shape);
    if (!count)
        return count.error();
    return shape;
}

} // namespace

constinit const OpSpec op_input{
    .name = "input",
    .title = "Input",
    .category = "sources",
    .summary = "Real numbers that enter the graph, rounded once to the input storage dtype.",
    .doc =
        R"(The values are real numbers until they are stored: choosing a dtype rounds them, it never draws other ones.
The combo gives the storage dtype; the node's own `input` slot overrides it. `shape` [] is a single number.
As `InputLayer` in Keras and a graph input in ONNX, with the batch as the first dimension.)",
    .role = OpRole::Source,
    .isLayer = false,
    .slots = slotBit(Slot::Input),
    .pairs = PairSet::Any,
    .params = kInputParams,
    .inferShape = inferShape,
};

constinit const OpSpec op_weights{
    .name = "weights",
    .title = "Weights",
    .category = "sources",
    .summary = "A tensor of weights of its own, to be wired to a weight, bias or second port.",
    .doc = R"(The low-level route: a layer whose weight port is wired takes this tensor instead of its own.
The combo gives the storage dtype; the node's own `weight` slot overrides it. Fans of the initialisers come from the
shape: [inputs, outputs], or for more dimensions the last two times the product of those before, as in Keras.
As `tf.Variable`, and an initializer in ONNX.)",
    .role = OpRole::Source,
    .isLayer = false,
    .slots = slotBit(Slot::Weight),
    .pairs = PairSet::Any,
    .params = kWeightsParams,
    .inferShape = inferShape,
};

} // namespace engine
