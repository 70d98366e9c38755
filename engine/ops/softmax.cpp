// softmax along one axis: subtract the maximum, exp, sequential sum, division, each rounded to the accumulate dtype.
#include "engine/kernels/functions.h"
#include "engine/ops/ops.h"
#include "engine/ops/pointwise.h"

namespace engine {

namespace {

// Rows are the lines along the axis: element k of row r is at (r / inner) * length * inner + r % inner + k * inner.
struct Rows {
    std::int64_t count = 0, length = 0, inner = 1;
    std::int64_t start(std::int64_t row) const { return row / inner * length * inner + row % inner; }
};

Rows rowsOf(const Params& params, const Shape& shape)
{
    const int a = *pointwise::checkedAxis(params, shape);
    Rows rows{1, shape[a], 1};
    for (int i = 0; i < shape.rank(); ++i)
        if (i != a)
            rows.count *= shape[i];
    for (int i = a + 1; i < shape.rank(); ++i)
        rows.inner *= shape[i];
    return rows;
}

// body(first, last) over the rows, so many at a time that a task has about kChunk elements.
template <class Body> bool forRows(const Rows& rows, const Exec& exec, const Body& body)
{
    if (rows.length == 0)
        return true;
    const std::int64_t step = std::max<std::int64_t>(1, pointwise::kChunk / rows.length);
    return exec.parallelFor((rows.count + step - 1) / step,
                            [&](std::int64_t task) { body(task * step, std::min(rows.count, (task + 1) * step)); });
}

// Float64 holds twice the digits of A and two more (A = float64 apart), so rounding a float64 sum, difference or
// quotient to A equals rounding the exact one: Figueroa, "When is double rounding innocuous?", SIGNUM 30(3), 1995.
template <class A, class T> void softmaxRow(const T* x, A* y, std::int64_t length, std::int64_t stride)
{
    using pointwise::load, pointwise::store, pointwise::roundTo;
    double maximum = load(x[0]);
    for (std::int64_t k = 1; k < length; ++k)
        maximum = std::max(maximum, load(x[k * stride]));
    double sum = 0;
    for (std::int64_t k = 0; k < length; ++k) {
        // NaN reaches every output through the sum; a row of -Inf gives NaN through the difference.
        const A e = store<A>(expStable(roundTo<A>(load(x[k * stride]) - maximum)));
        y[k * stride] = e;
        sum = roundTo<A>(sum + load(e));
    }
    for (std::int64_t k = 0; k < length; ++k)
        y[k * stride] = store<A>(load(y[k * stride]) / sum);
}

Result<Tensor> softmaxCpu(const KernelArgs& args)
{
    return pointwise::withMemory<Tensor>("softmax", [&]() -> Result<Tensor> {
        const Tensor& input = args.operands[0];
        const Rows rows = rowsOf(args.params, input.shape());
        Tensor output = Tensor::allocate(storageOf(args.pair.accumulate), input.shape());
        bool finished = true;
        pointwise::withFloat(args.pair.multiply, [&]<class T>(T) {
            pointwise::withFloat(args.pair.accumulate, [&]<class A>(A) {
                const T* x = input.data<T>();
                A* y = output.mutableData<A>();
                finished = forRows(rows, args.exec, [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t r = first; r < last; ++r)
                        softmaxRow(x + rows.start(r), y + rows.start(r), rows.length, rows.inner);
                });
            });
        });
        return finished ? Result<Tensor>(output) : stoppedError();
    });
}

Result<ReferenceResult> softmaxReference(const ReferenceArgs& args)
{
    return pointwise::withMemory<ReferenceResult>("softmax", [&]() -> Result<ReferenceResult> {
        const DDTensor& input = args.operands[0];
        const Rows rows = rowsOf(args.params, input.shape());
        ReferenceResult result;
        result.value = DDTensor::allocate(input.shape(), DDTensor::Lo::Present);
        double* hi = result.value.mutableHi();
        double* lo = result.value.mutableLo();
        std::atomic<bool> limited = false;
        const bool finished = forRows(rows, args.exec, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t r = first; r < last; ++r) {
                const std::int64_t at = rows.start(r);
                softmaxDD({input.hi() + at, input.hasLo() ? input.lo() + at : nullptr, hi + at, lo + at, rows.length,
                           rows.inner});
                for (std::int64_t k = 0; k < rows.length; ++k)
                    if (std::fabs(hi[at + k * rows.inner]) < pointwise::kLimit &&
                        std::isfinite(input.hi()[at + k * rows.inner]))
                        limited = true;
            }
        });
        if (!finished)
            return stoppedError();
        result.value.limited = limited;
        return result;
    });
}

Result<Shape> softmaxShape(const Params& params, std::span<const std::optional<Shape>> operands)
{
    Result<Shape> shape = pointwise::sameShape(params, operands);
    if (!shape)
        return shape;
    const Result<int> axis = pointwise::checkedAxis(params, *shape);
    return axis ? shape : axis.error();
}

constexpr std::array<ParamSpec, 1> kParams{{{
    .name = "axis",
    .kind = ParamKind::Int,
    .sentence = "The dimension whose values become shares of one; negative counts from the end.",
    .minimum = -kMaxRank,
    .maximum = kMaxRank - 1,
    .defaultText = "-1",
}}};

} // namespace

constinit const OpSpec op_softmax{
    .name = "softmax",
    .title = "Softmax",
    .category = "activations",
    .summary = "Exponentials along one axis, divided by their sum.",
    .doc = R"(`exp(x - max) / sum(exp(x - max))`. The difference, the exponential, the sum (sequential, in the order of
the axis) and the division are each rounded to the accumulate dtype. A NaN, a +infinity, or nothing but -infinity in a
row makes the whole row NaN. Keras and ONNX (opset 13 on) agree: one axis, the last by default. Before opset 13, ONNX
flattens the input to two dimensions at `axis` first: put a `flatten` in front for that.)",
    .role = OpRole::Reduction,
    .ports = pointwise::kPorts,
    .slots = pointwise::kSlots | slotBit(Slot::Accumulate),
    .pairs = PairSet::Reduction,
    .params = kParams,
    .inferShape = softmaxShape,
    .reference = softmaxReference,
    .cpu = softmaxCpu,
    .kernelName = [](const Params&, ComputePair, Isa isa) { return pointwise::plainName("softmax", isa); },
    .examples = []() -> std::vector<OpExample> {
        return {{"shares of one",
                 "{}",
                 {{2, 3}},
                 {{1, 2, 3, 5, 5, -1e9}},
                 {0.09003057317038046, 0.24472847105479764, 0.6652409557748219, 0.5, 0.5, 0}}};
    },
};

} // namespace engine
