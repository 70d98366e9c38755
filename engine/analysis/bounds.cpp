// The a-priori bound n u sum|c(a) c(W~)| + n eta / 2 of a contraction (design 3.6) against its arithmetic stage.
//
// The stage is a remainder of float64 numbers: it carries noise of about n 2^-53 times what the other stages
// contract, and where the operands that the kernel got have collapsed (all zero, while the reference's are not) the
// bound is far below that noise. So where the remainder exceeds the bound anywhere, the ratio is taken from the
// stage evaluated directly, kernel result - op(c(a), c(W~)) in double-double, whose noise is 2^-90 sum|c(a) c(W~)|.
#include "engine/analysis/stages.h"
#include "engine/analysis/sums.h"

#include <cmath>

namespace engine {

namespace {

Result<Tensor> magnitudeOf(const Tensor& t, const Exec& exec)
{
    const auto wide = asFloat64(t, exec);
    if (!wide)
        return wide.error();
    Tensor out = Tensor::allocate(DType::f64, t.shape());
    std::transform(wide->data<double>(), wide->data<double>() + t.elements(), out.mutableData<double>(),
                   [](double v) { return std::fabs(v); });
    return out;
}

// sum |c(a) c(W~)| + |c(bias)|
Result<Tensor> magnitudes(const AttributionInput& in)
{
    const auto x = magnitudeOf(in.cast[0], in.exec), w = magnitudeOf(in.cast[1], in.exec);
    if (!x || !w)
        return x ? w : x;
    auto sums = in.spec.contract64({in.params, *x, *w, in.exec});
    const int port = biasPort(in.spec);
    if (!sums || port < 0 || in.cast[static_cast<std::size_t>(port)].isNull())
        return sums;
    auto bias = magnitudeOf(in.cast[static_cast<std::size_t>(port)], in.exec);
    if (!bias)
        return bias;
    addBias(*sums, *bias, sums->shape(), in.params, in.exec);
    return sums;
}

// |error| against its own bound where both are finite. A null error is zero.
struct Comparison {
    std::int64_t compared = 0;
    double maxRatio = 0, maxBound = 0, maxError = 0;
    SquareSum boundSquares;
};
Comparison compare(const Tensor& error, const Tensor& bounds)
{
    Comparison c;
    forBlocks(0, bounds.elements(), [&](std::int64_t first, int n) {
        double used[kBlock] = {}, largest = 0;
        for (int i = 0; i < n; ++i) {
            const double e = error.isNull() ? 0 : std::fabs(error.data<double>()[first + i]);
            const double b = bounds.data<double>()[first + i];
            if (!std::isfinite(e) || !std::isfinite(b))
                continue;
            ++c.compared;
            used[i] = b;
            largest = std::max(largest, b);
            c.maxError = std::max(c.maxError, e);
            c.maxRatio = std::max(c.maxRatio, e == 0 ? 0 : e / b);
        }
        c.maxBound = std::max(c.maxBound, largest);
        c.boundSquares.addBlock(n, used, largest);
    });
    return c;
}

} // namespace

Result<std::optional<BoundReport>> boundOf(const AttributionInput& in, const SignedStages& stages)
{
    if (in.reductionLength <= 0 || !in.spec.contract64 || in.passesThrough)
        return std::optional<BoundReport>{};
    auto sums = magnitudes(in);
    if (!sums)
        return sums.error();
    BoundReport report;
    report.n = in.reductionLength;
    report.u = unitRoundoff(in.pair.accumulate);
    report.eta = facts(in.pair.accumulate).minSubnormal;
    const double n = static_cast<double>(report.n), slope = n * report.u, floor = n * report.eta / 2;
    Tensor bounds = Tensor::allocate(DType::f64, sums->shape());
    std::transform(sums->data<double>(), sums->data<double>() + sums->elements(), bounds.mutableData<double>(),
                   [&](double s) { return slope * s + floor; });
    Comparison c = compare(stages[Stage::Arithmetic], bounds);
    if (c.maxRatio > 1) {
        const auto exact = evaluate(in, castParams(in), widened(in.cast, in.exec));
        if (!exact)
            return exact.error();
        c = compare(difference(ElementReader(in.before), ElementReader(*exact), bounds.shape(), in.exec), bounds);
    }
    if (c.compared == 0) // every element overflowed: nothing was measured
        return std::optional<BoundReport>{};
    report.maxAbs = c.maxBound;
    report.maxRatio = c.maxRatio;
    report.maxArithmetic = c.maxError;
    report.rms = rootMean(c.boundSquares.total(), c.compared);
    if (in.keep)
        report.perElement = bounds;
    return std::optional<BoundReport>(std::move(report));
}

} // namespace engine
