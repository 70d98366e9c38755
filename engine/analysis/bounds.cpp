// The a-priori bound n u sum|c(a) c(W~)| + n eta / 2 of a contraction (design 3.6) against its arithmetic stage.
//
// The stage is a remainder of float64 numbers: it carries noise of about n 2^-53 times what the other stages
// contract, and where the operands that the kernel got have collapsed (all zero, while the reference's are not) the
// bound is far below that noise. So where the remainder exceeds the bound anywhere, the ratio is taken from the
// stage evaluated directly, kernel result - op(c(a), c(W~)) in double-double, whose noise is 2^-90 sum|c(a) c(W~)|.
#include "engine/analysis/stages.h"

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
    const auto bias = magnitudeOf(in.cast[static_cast<std::size_t>(port)], in.exec);
    if (!bias)
        return bias;
    addBias(*sums, *bias, sums->shape(), in.params, in.exec);
    return sums;
}

// Largest |error| over its own bound, and the largest bound, where both are finite. A null error is zero.
struct Comparison {
    double maxRatio = 0, maxBound = 0;
};
Comparison compare(const Tensor& error, const Tensor& bounds)
{
    Comparison c;
    for (std::int64_t i = 0; i < bounds.elements(); ++i) {
        const double e = error.isNull() ? 0 : std::fabs(error.data<double>()[i]), b = bounds.data<double>()[i];
        if (!std::isfinite(e) || !std::isfinite(b))
            continue;
        c.maxBound = std::max(c.maxBound, b);
        c.maxRatio = std::max(c.maxRatio, e == 0 ? 0 : e / b);
    }
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
    report.maxAbs = c.maxBound;
    report.maxRatio = c.maxRatio;
    if (in.keep)
        report.perElement = bounds;
    return std::optional<BoundReport>(std::move(report));
}

} // namespace engine
