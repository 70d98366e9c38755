// The dialect records: what each framework does when dtypes meet, as data. Adding a dialect is adding a record
// here. Evidence: reference/dtype-semantics sections 3 to 6 and the cells of dialects.json.
#include "engine/dialects/dialects.h"

#include <array>

namespace engine {
namespace {

constexpr DialectSpec kExplicit{
    .name = "explicit",
    .title = "Explicit",
    .versions = "Mantissa",
    .sentence = "Nothing is cast unless a Cast node or a slot asks; operands whose dtypes differ are refused, "
                "as TensorFlow's raw ops and ONNX refuse them.",
    .evidence = "A definition; it accepts and refuses exactly what TensorFlow 1.14 to 2.21 does in its raw ops.",
    .behaviour = Behaviour::Explicit,
};

constexpr DialectSpec kPromote{
    .name = "promote",
    .title = "Promote",
    .versions = "NumPy 1.24 to 2.5",
    .sentence = "Operands whose dtypes differ are all cast to the narrowest dtype that holds every one of them; "
                "0-d operands count like any other.",
    .evidence = "NumPy 1.24.2, 1.26.4 and 2.5.5, float32 and float64 in every combination of four ops.",
    .behaviour = Behaviour::Promote,
};

constexpr std::array kTfFloats{DType::f64, DType::f32, DType::f16};
constexpr std::array<DialectError, 2> kTfErrors{{
    {"matmul", "eager",
     "cannot compute MatMul as input #1(zero-based) was expected to be a {input:tf} tensor but is a {weight:tf} tensor "
     "[Op:MatMul]",
     kTfFloats},
    {"matmul", "graph / tf.function tracing",
     "Input 'b' of 'MatMul' Op has type {weight} that does not match type {input} of argument 'a'.", kTfFloats},
}};
// tf.matmul, TensorFlow 1.14 to 2.21.
constexpr std::array<AcceptedPair, 1> kTfPairs{{{"matmul", DType::bf16, DType::f32, DType::f32}}};
// Dense.call casts its input by itself, integers included.
constexpr std::array<std::string_view, 1> kDense{"dense"};

constexpr DialectSpec kKerasTf26{
    .name = "keras_tf26",
    .title = "tf.keras, silent",
    .versions = "TensorFlow 2.4 to 2.15, tf_keras 2.15 and later",
    .sentence = "A layer casts every floating input that differs to its own dtype, without a word; raw ops refuse "
                "operands whose dtypes differ.",
    .evidence = "TensorFlow 2.4.4, 2.5.3, 2.6.5 and 2.15.1, tf_keras 2.21.0 with TensorFlow 2.21.0: 20 cells.",
    .behaviour = Behaviour::CastToLayer,
    .errors = kTfErrors,
    .acceptedPairs = kTfPairs,
    .castsIntegers = kDense,
};

} // namespace

const DialectCatalog& dialectCatalog()
{
    static constexpr std::array<const DialectSpec*, 3> kSpecs{&kExplicit, &kPromote, &kKerasTf26};
    static const DialectCatalog catalog{kSpecs};
    return catalog;
}

} // namespace engine
