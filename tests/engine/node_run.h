// One node of one run, worked through as the runner would: what the tests of the attribution feed it.
#pragma once

#include "analysis_tools.h"
#include "engine/analysis/analysis.h"
#include "engine/model/convert.h"
#include "engine/ops/ops.h"
#include "tests/support/op_harness.h"

#include <random>

namespace support {

using namespace engine;

inline const SerialExec kExec;
using Quad = __float128;

inline Quad quadAt(const DDTensor& t, std::int64_t i)
{
    return static_cast<Quad>(t.hi()[i]) + (t.hasLo() ? t.lo()[i] : 0);
}
inline Quad quadAt(const Tensor& t, std::int64_t i)
{
    return elementAsDouble(t, i);
}
inline double magnitude(Quad q)
{
    return std::abs(static_cast<double>(q));
}

// One node of one run, worked through as the runner would.
struct NodeRun {
    const OpSpec& spec;
    Params params;
    std::vector<DDTensor> reference;
    std::vector<Tensor> arrived, cast;
    ComputePair pair;
    Tensor before, after;
    DDTensor output;
    std::int64_t n = 0;

    AttributionInput input(bool keep = true) const
    {
        return {.spec = spec,
                .params = params,
                .reference = reference,
                .arrived = arrived,
                .cast = cast,
                .before = before,
                .after = after,
                .referenceOutput = output,
                .pair = pair,
                .reductionLength = n,
                .exec = kExec,
                .keep = keep};
    }
};

inline NodeRun runNode(const OpSpec& spec, const Params& params, std::vector<DDTensor> reference,
                       std::vector<Tensor> arrived, ComputePair pair, DType out)
{
    NodeRun run{spec, params, std::move(reference), std::move(arrived), {}, pair, {}, {}, {}, 0};
    std::vector<std::optional<Shape>> shapes;
    for (const Tensor& t : run.arrived) {
        run.cast.push_back(t.dtype() == pair.multiply ? t : convert(t, pair.multiply, kExec));
        shapes.push_back(t.shape());
    }
    run.before = *spec.cpu({params, run.cast, pair, kExec});
    run.after = run.before.dtype() == out ? run.before : convert(run.before, out, kExec);
    run.output = spec.reference({params, run.reference, kExec})->value;
    run.n = spec.reductionLength ? spec.reductionLength(params, shapes) : 0;
    return run;
}

inline DDTensor randomReal(const Shape& shape, std::mt19937_64& random, double scale = 1)
{
    DDTensor t = DDTensor::allocate(shape, DDTensor::Lo::Present);
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < t.elements(); ++i) {
        t.mutableHi()[i] = normal(random) * scale;
        t.mutableLo()[i] = t.hi()[i] * 0x1p-56 * normal(random) / 4;
    }
    return t;
}
// What arrives: the reference with an error of its own, in a dtype.
inline Tensor arrivedAs(const DDTensor& r, DType dtype, double relative, std::mt19937_64& random)
{
    DDTensor noisy = DDTensor::allocate(r.shape(), DDTensor::Lo::Absent);
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < r.elements(); ++i)
        noisy.mutableHi()[i] = r.hi()[i] * (1 + relative * normal(random));
    return convertSource(noisy, dtype, kExec);
}

inline Params paramsFor(const OpSpec& spec, std::string_view object)
{
    return *paramsOf(spec, object);
}

struct Configuration {
    DType input, weight, out;
    ComputePair pair;
};
inline const Configuration kConfigurations[]{
    {DType::f32, DType::f32, DType::f32, {DType::f32, DType::f32}},
    {DType::f64, DType::f32, DType::f32, {DType::f32, DType::f32}},
    {DType::f32, DType::f64, DType::f64, {DType::f64, DType::f64}},
    {DType::f64, DType::f64, DType::f64, {DType::f64, DType::f64}},
    {DType::f32, DType::f16, DType::f16, {DType::f16, DType::f32}},
    {DType::bf16, DType::bf16, DType::bf16, {DType::bf16, DType::f32}},
    {DType::f16, DType::f16, DType::f16, {DType::f16, DType::f16}},
    // Both operands narrow at the node.
    {DType::f64, DType::f64, DType::f32, {DType::f32, DType::f32}},
    {DType::f32, DType::f32, DType::bf16, {DType::bf16, DType::f32}},
};

// dense 3 x 20 -> 5 for the special cases.
inline NodeRun denseRun(const Configuration& c, unsigned seed, double weightScale = 1)
{
    std::mt19937_64 random(seed);
    const DDTensor x = randomReal({3, 20}, random), w = randomReal({20, 5}, random, weightScale),
                   b = randomReal({5}, random, weightScale);
    const std::vector<Tensor> arrived{arrivedAs(x, c.input, 1e-6, random), convertSource(w, c.weight, kExec),
                                      convertSource(b, c.weight, kExec)};
    return runNode(op_dense, paramsFor(op_dense, R"({"units": 5})"), {x, w, b}, arrived, c.pair, c.out);
}

} // namespace support
