// matmul: the matrix product of two tensors, with NumPy's broadcasting of the dimensions before the last two.
#include "engine/ops/contraction.h"
#include "engine/ops/ops.h"

namespace engine {

namespace {

constexpr PortSpec kPorts[]{
    {.name = "input", .role = PortRole::Activation, .sentence = "The left matrices: [..., rows, depth]."},
    {.name = "other",
     .role = PortRole::Second,
     .sentence = "The right matrices: [..., depth, columns]; its cast is asked by the weight slot."},
};

struct Product {
    MatmulShape matrix; // of one entry of the batch, or of all
    Shape output, batch, batchX, batchW;
    // Element offsets of the operands of batch entry b.
    std::int64_t offset(std::int64_t b, const Shape& operandBatch, std::int64_t matrixSize) const
    {
        std::int64_t at = 0, scale = 1;
        for (int i = batch.rank() - 1, k = operandBatch.rank() - 1; k >= 0; --i, --k) {
            at += operandBatch[k] == 1 ? 0 : b % batch[i] * scale;
            scale *= operandBatch[k];
            b /= batch[i];
        }
        return at * matrixSize;
    }
    std::int64_t offsetX(std::int64_t b) const { return offset(b, batchX, matrix.rows * matrix.depth); }
    std::int64_t offsetW(std::int64_t b) const { return offset(b, batchW, matrix.depth * matrix.columns); }
    std::int64_t offsetY(std::int64_t b) const { return b * matrix.rows * matrix.columns; }
};

Shape leading(const Shape& s)
{
    return Shape(std::vector<std::int64_t>(s.dims().begin(), s.dims().end() - 2));
}

Result<Product> productOf(const Shape& a, const Shape& b)
{
    for (const Shape* s : {&a, &b})
        if (s->rank() < 2)
            return Error{"shape-rank",
                         {},
                         "shapes " + a.text() + " and " + b.text() + ": a matrix product needs 2 dimensions or more, " +
                             s->text() + " has " + std::to_string(s->rank()),
                         "reshape it to a matrix"};
    if (a.last() != b[b.rank() - 2])
        return Error{"shape-mismatch",
                     {},
                     "shapes " + a.text() + " and " + b.text() + ": the left has " + std::to_string(a.last()) +
                         " columns, the right " + std::to_string(b[b.rank() - 2]) + " rows",
                     "make them equal"};
    Product p;
    p.batchX = leading(a);
    p.batchW = leading(b);
    const Result<Shape> batch = broadcast(p.batchX, p.batchW);
    if (!batch)
        return batch.error();
    p.batch = *batch;
    p.matrix.rows = a[a.rank() - 2];
    p.matrix.depth = a.last();
    p.matrix.columns = b.last();
    std::vector<std::int64_t> dims = p.batch.dims();
    dims.push_back(p.matrix.rows);
    dims.push_back(p.matrix.columns);
    p.output = Shape(std::move(dims));
    const Result<std::int64_t> count = checkedElements(p.output);
    return count ? Result<Product>(std::move(p)) : count.error();
}

// Matrices on the left that share one on the right are rows of one product.
std::int64_t mergedBatch(Product& p)
{
    const std::int64_t batch = p.batch.elements();
    if (p.batchW.elements() != 1)
        return batch;
    p.matrix.rows *= batch;
    return batch == 0 ? 0 : 1;
}

Result<Shape> inferShape(const Params&, std::span<const std::optional<Shape>> operands)
{
    const Result<Shape> a = operandShape(operands, 0, "input"), b = operandShape(operands, 1, "other");
    if (!a || !b)
        return a ? b : a;
    const Result<Product> p = productOf(*a, *b);
    return p ? Result<Shape>(p->output) : p.error();
}

Result<Tensor> run(const Tensor& x, const Tensor& w, ComputePair pair, const Exec& exec)
{
    Result<Product> p = productOf(x.shape(), w.shape());
    if (!p)
        return p.error();
    const std::int64_t batch = mergedBatch(*p);
    const std::int64_t operandBytes = facts(pair.multiply).bytes, resultBytes = facts(pair.accumulate).bytes;
    return contraction::compute("matmul", pair, p->output, [&](void* y) {
        for (std::int64_t b = 0; b < batch; ++b)
            if (!matmulPlain(p->matrix, pair, x.raw() + p->offsetX(b) * operandBytes,
                             w.raw() + p->offsetW(b) * operandBytes, nullptr,
                             static_cast<std::byte*>(y) + p->offsetY(b) * resultBytes, exec))
                return false;
        return true;
    });
}

Result<Tensor> cpu(const KernelArgs& args)
{
    return run(args.operands[0], args.operands[1], args.pair, args.exec);
}

Result<Tensor> contract64(const Contract64Args& args)
{
    return run(args.input, args.weight, {DType::f64, DType::f64}, args.exec);
}

Result<ReferenceResult> reference(const ReferenceArgs& args)
{
    const DDTensor &x = args.operands[0], &w = args.operands[1];
    Result<Product> p = productOf(x.shape(), w.shape());
    if (!p)
        return p.error();
    const std::int64_t batch = mergedBatch(*p);
    return contraction::computeDD("matmul", p->output, [&](DDOut y) {
        DDStatus all{true, Limited::No};
        for (std::int64_t b = 0; b < batch && all.finished; ++b) {
            const std::int64_t to = p->offsetY(b);
            const DDStatus one =
                matmulDD(p->matrix, contraction::span(x, p->offsetX(b)), contraction::span(w, p->offsetW(b)), {},
                         {y.hi + to, y.lo + to, y.magnitudes + to}, args.exec);
            all.finished = one.finished;
            all.limited = one.limited == Limited::Yes ? Limited::Yes : all.limited;
        }
        return all;
    });
}

std::string kernelName(const Params&, ComputePair, Isa isa)
{
    return contraction::plainName("matmul", isa);
}

std::int64_t reductionLength(const Params&, std::span<const std::optional<Shape>> operands)
{
    return operands.empty() || !operands[0] || operands[0]->rank() == 0 ? 0 : operands[0]->last();
}

std::vector<OpExample> examples()
{
    return {{"a matrix times a matrix", "{}", {{2, 2}, {2, 2}}, {{1, 2, 3, 4}, {5, 6, 7, 8}}, {19, 22, 43, 50}},
            {"one row meets two matrices", "{}", {{1, 2}, {2, 2, 1}}, {{1, 10}, {1, 2, 3, 4}}, {21, 43}}};
}

} // namespace

constinit const OpSpec op_matmul{
    .name = "matmul",
    .title = "MatMul",
    .category = "layers",
    .summary = "The matrix product of two tensors; dimensions before the last two broadcast.",
    .doc = R"(`y[..., i, k] = sum of input[..., i, j] * other[..., j, k]`, the sum over j in order, one accumulator per
output. Broadcasting is NumPy's, as in `tf.matmul` and ONNX MatMul. ONNX and NumPy also take vectors of one dimension;
here both operands have two or more: reshape them. In Keras' sense it is a raw op and has no layer dtype.)",
    .role = OpRole::Contraction,
    .isLayer = false,
    .ports = kPorts,
    .slots = kAllSlots,
    .pairs = PairSet::Contraction,
    .inferShape = inferShape,
    .reference = reference,
    .cpu = cpu,
    .kernelName = kernelName,
    .contract64 = contract64,
    .reductionLength = reductionLength,
    .examples = examples,
};

} // namespace engine
