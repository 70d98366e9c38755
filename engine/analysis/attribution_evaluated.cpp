// Any other op: op(r, W), op(a, W), op(a, W~) and op(c(a), c(W~)) in double-double; each stage is the difference of
// two neighbours, and one whose operands are those of its neighbour bit for bit is not evaluated again.
#include "engine/analysis/stages.h"

#include "engine/model/convert.h"

#include <cstring>

namespace engine {

namespace {

bool allZero(const double* p, std::int64_t n)
{
    return std::all_of(p, p + n, [](double v) { return v == 0; });
}

bool sameBits(const DDTensor& a, const DDTensor& b)
{
    if (a.isNull() || b.isNull() || a.sharesWith(b))
        return a.isNull() == b.isNull();
    const std::int64_t n = a.elements();
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(double);
    if (n != b.elements() || std::memcmp(a.hi(), b.hi(), bytes) != 0)
        return false;
    if (a.hasLo() && b.hasLo())
        return std::memcmp(a.lo(), b.lo(), bytes) == 0;
    return (!a.hasLo() || allZero(a.lo(), n)) && (!b.hasLo() || allZero(b.lo(), n));
}

bool sameOperands(std::span<const DDTensor> a, std::span<const DDTensor> b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameBits);
}

} // namespace

const Params& storedParams(const AttributionInput& in)
{
    return in.storedParams ? *in.storedParams : in.params;
}

const Params& castParams(const AttributionInput& in)
{
    return in.castParams ? *in.castParams : storedParams(in);
}

Result<DDTensor> evaluate(const AttributionInput& in, const Params& params, std::span<const DDTensor> operands)
{
    if (in.exec.stopRequested())
        return stoppedAnalysis();
    if (!in.spec.reference)
        return Error{"no-reference", std::string(in.spec.name), "this op has no exact evaluation", {}};
    auto result = in.spec.reference({params, operands, in.exec});
    if (!result)
        return result.error();
    return std::move(result->value);
}

std::vector<DDTensor> widened(std::span<const Tensor> operands, const Exec& exec)
{
    std::vector<DDTensor> wide;
    for (const Tensor& t : operands)
        wide.push_back(t.isNull() ? DDTensor{} : widen(t, exec));
    return wide;
}

Status addEvaluatedStages(const AttributionInput& in, SignedStages& out)
{
    std::vector<DDTensor> before(in.reference.begin(), in.reference.end());
    const std::vector<DDTensor> arrived = widened(in.arrived, in.exec);
    std::vector<DDTensor> live = arrived;
    for (std::size_t p = 0; p < live.size(); ++p)
        if (!live[p].isNull() && isOwned(in, p))
            live[p] = before[p];
    DDTensor value = in.referenceOutput;
    const Params* paramsBefore = &in.params;
    const auto step = [&](Stage stage, const Params& params, const std::vector<DDTensor>& operands) -> Status {
        if (sameOperands(before, operands) && params.map() == paramsBefore->map())
            return success();
        auto next = evaluate(in, params, operands);
        if (!next)
            return next.error();
        out[stage] = difference(ElementReader(*next), ElementReader(value), in.after.shape(), in.exec);
        value = std::move(*next);
        before = operands;
        paramsBefore = &params;
        return success();
    };
    Status status = step(Stage::Inherited, in.params, live);
    if (status.ok())
        status = step(Stage::Storage, storedParams(in), arrived);
    if (status.ok())
        status = step(Stage::Cast, castParams(in), widened(in.cast, in.exec));
    if (status.ok())
        out[Stage::Arithmetic] = difference(ElementReader(in.before), ElementReader(value), in.after.shape(), in.exec);
    return status;
}

} // namespace engine
