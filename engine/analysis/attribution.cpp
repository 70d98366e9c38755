// Which step of a node made which part of its error (design 3.6): chooses how the signed stages are found, then
// their figures. share = sum e_s e / sum e^2, over the elements where every stage is finite.
#include "engine/analysis/stages.h"

#include "engine/analysis/sums.h"

#include <new>

namespace engine {

namespace {

// The value leaves as it came: flatten, reshape, dropout, output, muted.
bool onlyMoves(const AttributionInput& in)
{
    const bool moves = in.passesThrough || in.spec.role == OpRole::Move || in.spec.role == OpRole::Output;
    return moves && !in.arrived.empty() && in.arrived[0].elements() == in.after.elements();
}

void addMoveStages(const AttributionInput& in, SignedStages& out)
{
    const Shape& shape = in.after.shape();
    out[Stage::Inherited] = difference(ElementReader(in.arrived[0]), ElementReader(in.reference[0]), shape, in.exec);
    out[Stage::Cast] = difference(in.cast[0], in.arrived[0], shape, in.exec);
    out[Stage::Arithmetic] = difference(in.before, in.cast[0], shape, in.exec);
}

// A float cast is the identity in the reference; to integers and bool it is what the reference says.
Status addCastStages(const AttributionInput& in, SignedStages& out)
{
    const Shape& shape = in.after.shape();
    if (isFloat(in.after.dtype())) {
        out[Stage::Inherited] =
            difference(ElementReader(in.arrived[0]), ElementReader(in.reference[0]), shape, in.exec);
    } else {
        const auto live = evaluate(in, in.params, widened(in.arrived, in.exec));
        if (!live)
            return live.error();
        out[Stage::Inherited] = difference(ElementReader(*live), ElementReader(in.referenceOutput), shape, in.exec);
    }
    out[Stage::Output] = {};
    out[Stage::Cast] = out.total;
    addTo(out[Stage::Cast], out[Stage::Inherited], -1, in.exec);
    return success();
}

Result<SignedStages> signedStages(const AttributionInput& in)
{
    const Shape& shape = in.after.shape();
    SignedStages out;
    out.total = difference(ElementReader(in.after), ElementReader(in.referenceOutput), shape, in.exec);
    out[Stage::Output] = difference(in.after, in.before, shape, in.exec);
    Status status = success();
    if (in.isSource) {
        out[Stage::Storage] = out.total;
        addTo(out[Stage::Storage], out[Stage::Output], -1, in.exec);
    } else if (in.isCastNode && !in.passesThrough) {
        status = addCastStages(in, out);
    } else if (onlyMoves(in)) {
        addMoveStages(in, out);
    } else if (in.spec.contract64) {
        status = addLinearStages(in, out);
    } else {
        status = addEvaluatedStages(in, out);
    }
    if (!status)
        return status.error();
    if (in.exec.stopRequested())
        return stoppedAnalysis();
    return out;
}

// Sums over one chunk, of values times a power of two near the inverse of the largest: squares stay in range.
struct StageSums {
    std::int64_t excluded = 0;
    std::array<CompensatedSum, kStageCount> squares, products;
    CompensatedSum totalSquares, localSquares;
    double localMax = 0;

    void add(const StageSums& o)
    {
        excluded += o.excluded;
        for (std::size_t s = 0; s < squares.size(); ++s)
            squares[s].add(o.squares[s]), products[s].add(o.products[s]);
        totalSquares.add(o.totalSquares), localSquares.add(o.localSquares);
        localMax = std::max(localMax, o.localMax);
    }
};

class StageFigurePass {
public:
    StageFigurePass(const SignedStages& stages, std::int64_t elements) : m_stages(stages), m_elements(elements) {}

    Attribution figures(const Exec& exec)
    {
        findScale(exec);
        std::vector<StageSums> partials(static_cast<std::size_t>(chunkCount(m_elements)));
        forChunks(exec, m_elements, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
            StageSums sums;
            forBlocks(begin, end, [&](std::int64_t first, int n) { block(sums, first, n); });
            partials[static_cast<std::size_t>(chunk)] = sums;
        });
        StageSums all;
        for (const StageSums& p : partials)
            all.add(p);
        return attribution(all);
    }

private:
    // Element i of a stage; -1: of the total.
    double at(int stage, std::int64_t i) const
    {
        const Tensor& t = stage < 0 ? m_stages.total : m_stages.stage[static_cast<std::size_t>(stage)];
        return t.isNull() ? 0 : t.data<double>()[i];
    }
    bool included(std::int64_t i) const
    {
        bool finite = true;
        for (int s = -1; s < kStageCount; ++s)
            finite &= std::isfinite(at(s, i));
        return finite;
    }
    void findScale(const Exec& exec)
    {
        std::vector<double> largest(static_cast<std::size_t>(chunkCount(m_elements)));
        forChunks(exec, m_elements, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
            double& m = largest[static_cast<std::size_t>(chunk)];
            for (std::int64_t i = begin; i < end; ++i) {
                if (!included(i))
                    continue;
                for (int s = -1; s < kStageCount; ++s)
                    m = std::max(m, std::fabs(at(s, i)));
            }
        });
        double m = 0;
        for (double v : largest)
            m = std::max(m, v);
        m_exponent = m == 0 ? 0 : std::clamp(std::ilogb(m), -1000, 1000);
    }
    void block(StageSums& sums, std::int64_t first, int n) const;
    Attribution attribution(const StageSums& sums) const;

    const SignedStages& m_stages;
    std::int64_t m_elements;
    int m_exponent = 0;
};

void StageFigurePass::block(StageSums& sums, std::int64_t first, int n) const
{
    const double scale = std::ldexp(1.0, -m_exponent);
    double total[kBlock], local[kBlock], stage[kBlock];
    bool in[kBlock];
    for (int i = 0; i < padded(n); ++i) {
        in[i] = i < n && included(first + i);
        total[i] = in[i] ? at(-1, first + i) * scale : 0;
        // Before scaling: exact wherever the difference of two float64 is.
        const double e = in[i] ? at(-1, first + i) - at(static_cast<int>(Stage::Inherited), first + i) : 0;
        sums.localMax = std::max(sums.localMax, std::fabs(e));
        local[i] = e * scale;
        sums.excluded += i < n && !in[i];
    }
    sums.totalSquares.add(laneSum(n, [&](int i) { return total[i] * total[i]; }));
    sums.localSquares.add(laneSum(n, [&](int i) { return local[i] * local[i]; }));
    for (int s = 0; s < kStageCount; ++s) {
        const std::size_t k = static_cast<std::size_t>(s);
        if (m_stages.stage[k].isNull())
            continue;
        for (int i = 0; i < padded(n); ++i)
            stage[i] = in[i] ? at(s, first + i) * scale : 0;
        sums.squares[k].add(laneSum(n, [&](int i) { return stage[i] * stage[i]; }));
        sums.products[k].add(laneSum(n, [&](int i) { return stage[i] * total[i]; }));
    }
}

Attribution StageFigurePass::attribution(const StageSums& sums) const
{
    Attribution a;
    a.excluded = sums.excluded;
    a.localMaxAbs = sums.localMax;
    const std::int64_t count = m_elements - sums.excluded;
    if (count == 0)
        return a;
    a.localRmse = rootMean({sums.localSquares.value(), 2 * m_exponent}, count);
    const double totalSquares = sums.totalSquares.value();
    for (std::size_t s = 0; s < a.stages.size(); ++s) {
        a.stages[s].rmse = rootMean({sums.squares[s].value(), 2 * m_exponent}, count);
        if (totalSquares > 0)
            a.stages[s].share = sums.products[s].value() / totalSquares;
    }
    return a;
}

// Zero stages share one tensor of zeros.
void keepStages(const SignedStages& stages, const Shape& shape, Attribution& out)
{
    Tensor zero;
    for (std::size_t s = 0; s < stages.stage.size(); ++s) {
        if (stages.stage[s].isNull() && zero.isNull()) {
            zero = Tensor::allocate(DType::f64, shape);
            std::fill_n(zero.mutableData<double>(), zero.elements(), 0.0);
        }
        out.signedStages[s] = stages.stage[s].isNull() ? zero : stages.stage[s];
    }
}

Result<AttributionOutput> attributeNode(const AttributionInput& input)
{
    const auto stages = signedStages(input);
    if (!stages)
        return stages.error();
    AttributionOutput out;
    out.stages = StageFigurePass(*stages, input.after.elements()).figures(input.exec);
    if (input.keep)
        keepStages(*stages, input.after.shape(), out.stages);
    auto bound = boundOf(input, *stages);
    if (!bound)
        return bound.error();
    out.bound = std::move(*bound);
    if (input.exec.stopRequested())
        return stoppedAnalysis();
    return out;
}

} // namespace

Result<AttributionOutput> attribute(const AttributionInput& input)
{
    try {
        return attributeNode(input);
    } catch (const std::bad_alloc&) {
        return Error{"memory", std::string(input.spec.name), "not enough memory to attribute the errors of this node",
                     "make the batch smaller, or run without stages"};
    }
}

} // namespace engine
