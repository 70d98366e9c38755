// Records for the tests alone: the dialects of the reference table that are not shipped yet, and the four ops of
// that table with nothing but what a dialect looks at.
#pragma once

#include "engine/model/dialect.h"

#include <array>

namespace engine::testing {

constexpr PortSpec port(std::string_view name, PortRole role, std::string_view source = {})
{
    return {name, role, {}, source};
}
inline constexpr std::array kLayerPorts{port("input", PortRole::Activation), port("weight", PortRole::Weight, "weight"),
                                        port("bias", PortRole::Bias, "bias")};
inline constexpr std::array kPairPorts{port("input", PortRole::Activation), port("other", PortRole::Second)};

constexpr OpSpec opRecord(std::string_view name, OpRole role, bool isLayer, std::span<const PortSpec> ports)
{
    OpSpec spec;
    spec.name = name;
    spec.role = role;
    spec.isLayer = isLayer;
    spec.ports = ports;
    spec.pairs = PairSet::Contraction;
    if (role == OpRole::Elementwise) {
        spec.pairs = PairSet::Pointwise;
        spec.slots = slotBit(Slot::Input) | slotBit(Slot::Weight) | slotBit(Slot::Compute) | slotBit(Slot::Output);
    }
    return spec;
}
inline constexpr OpSpec kConv2d = opRecord("conv2d", OpRole::Contraction, true, kLayerPorts);
inline constexpr OpSpec kDense = opRecord("dense", OpRole::Contraction, true, kLayerPorts);
inline constexpr OpSpec kMatmul = opRecord("matmul", OpRole::Contraction, false, kPairPorts);
inline constexpr OpSpec kAdd = opRecord("add", OpRole::Elementwise, true, kPairPorts);

using enum Behaviour;

inline constexpr std::array<DialectError, 6> kTfStrictErrors{{
    {"conv2d", "eager",
     "cannot compute Conv2D as input #1(zero-based) was expected to be a {input:tf} tensor but is a {weight:tf} tensor "
     "[Op:Conv2D]"},
    {"dense", "graph", "Input 'b' of 'MatMul' Op has type {weight} that does not match type {input} of argument 'a'."},
    {"add", "graph", "Input 'y' of 'AddV2' Op has type {weight} that does not match type {input} of argument 'x'."},
    {"matmul", "eager",
     "cannot compute MatMul as input #1(zero-based) was expected to be a {input:tf} tensor but is a {weight:tf} tensor "
     "[Op:MatMul]"},
    {"matmul", "graph", "Input 'b' of 'MatMul' Op has type {weight} that does not match type {input} of argument 'a'."},
    {"conv2d", "graph",
     "Input 'filter' of 'Conv2D' Op has type {weight} that does not match type {input} of argument 'input'."},
}};
inline constexpr std::array<DialectError, 3> kTorchErrors{{
    {"conv2d", "bias given", "Input type ({input:meta}) and bias type ({weight:meta}) should be the same"},
    {"dense", "2.x", "mat1 and mat2 must have the same dtype, but got {input:torch} and {weight:torch}"},
    {"matmul", "2.x", "expected m1 and m2 to have the same dtype, but got: {input:meta} != {weight:meta}"},
}};
inline constexpr std::array<DialectError, 4> kOnnxErrors{{
    {"conv2d", "load",
     "Type Error: Type parameter (T) of Optype (Conv) bound to different types (tensor({input:onnx}) and "
     "tensor({weight:onnx}) in node ()."},
    {"dense", "checker", "[ShapeInferenceError] (op_type:Gemm): B has inconsistent type tensor({weight:onnx})"},
    {"add", "checker", "[ShapeInferenceError] (op_type:Add): B has inconsistent type tensor({weight:onnx})"},
    {"matmul", "checker", "[ShapeInferenceError] (op_type:MatMul): B has inconsistent type tensor({weight:onnx})"},
}};
inline constexpr std::array<DialectError, 1> kJaxErrors{
    {{"conv2d", "always",
      "lax.conv_general_dilated requires arguments to have the same dtypes, got {input}, {weight}."}}};

inline constexpr std::string_view kTf20Warning =
    "Layer {layer} is casting an input tensor from dtype {from} to the layer's dtype of {to}";
inline constexpr std::string_view kJaxWarning = "Explicitly requested dtype float64 requested in astype is not "
                                                "available, and will be truncated to dtype float32.";
inline constexpr std::array<OpBehaviour, 1> kDenseCasts{{{"dense", CastToLayer}}};
inline constexpr std::array<OpBehaviour, 1> kConvStrict{{{"conv2d", Error}}};
inline constexpr std::array<Demotion, 4> kPre312{{{"dense", true, DemotedBias::Narrowed},
                                                  {"matmul", true, DemotedBias::Fused},
                                                  {"add", true, DemotedBias::Fused},
                                                  {"conv2d", false, DemotedBias::Narrowed}}};
inline constexpr std::array<Demotion, 2> kKeras3Torch{
    {{"dense", true, DemotedBias::WidensResult}, {"matmul", true, DemotedBias::Fused}}};

inline constexpr std::array<DialectSpec, 13> kOtherDialects{{
    {.name = "tf_strict", .title = "TensorFlow", .behaviour = Error, .errors = kTfStrictErrors},
    {.name = "tf1_layers",
     .title = "tf.layers",
     .behaviour = Error,
     .errors = kTfStrictErrors,
     .opBehaviours = kDenseCasts},
    {.name = "keras_tf20",
     .title = "tf.keras, warning",
     .behaviour = CastToLayer,
     .warnWhen = WarnWhen::DefaultedLayer,
     .warningText = kTf20Warning,
     .errors = kTfStrictErrors},
    {.name = "keras3_tf", .title = "Keras 3", .behaviour = CastToLayer, .rawBehaviour = Promote},
    {.name = "keras3_tf_pre312",
     .title = "Keras 3, development",
     .behaviour = CastToLayer,
     .rawBehaviour = Promote,
     .demotions = kPre312},
    {.name = "keras3_torch",
     .title = "Keras 3 on PyTorch",
     .behaviour = CastToLayer,
     .rawBehaviour = Promote,
     .demotions = kKeras3Torch},
    {.name = "keras3_jax",
     .title = "Keras 3 on JAX",
     .behaviour = Canonicalize,
     .warnWhen = WarnWhen::NamedFloat64,
     .warningText = kJaxWarning,
     .rawBehaviour = Promote,
     .afterCanonicalize = CastToLayer},
    {.name = "torch_strict",
     .title = "PyTorch",
     .behaviour = Promote,
     .contractionBehaviour = Error,
     .errors = kTorchErrors},
    {.name = "torch_autocast_fp16",
     .title = "PyTorch autocast",
     .behaviour = AutocastList,
     .autocast = DType::f16,
     .errors = kTorchErrors},
    {.name = "torch_autocast_bf16",
     .title = "PyTorch autocast",
     .behaviour = AutocastList,
     .autocast = DType::bf16,
     .errors = kTorchErrors},
    {.name = "jax_x64_off",
     .title = "JAX",
     .behaviour = Canonicalize,
     .errors = kJaxErrors,
     .opBehaviours = kConvStrict},
    {.name = "jax_x64_on",
     .title = "JAX, 64-bit",
     .behaviour = Promote,
     .errors = kJaxErrors,
     .opBehaviours = kConvStrict},
    {.name = "onnx_strict", .title = "ONNX", .behaviour = Error, .errors = kOnnxErrors},
}};
inline constexpr DialectSpec kNumpy{.name = "numpy", .title = "NumPy", .behaviour = Promote};

} // namespace engine::testing
