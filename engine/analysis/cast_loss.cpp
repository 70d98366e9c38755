// What a conversion did to a tensor, operand casts and storage alike: before -> after, element by element, against
// the exact value before. ULP of the dtype after. Bits kept: the smallest over what changed; a value that became
// infinite or NaN keeps none.
#include "engine/analysis/analysis.h"

#include "engine/analysis/element_reader.h"
#include "engine/analysis/ulp.h"

#include <algorithm>

namespace engine {

namespace {

struct Loss {
    std::int64_t elements = 0, qualified = 0, changed = 0;
    std::int64_t newInf = 0, newZero = 0, newSubnormal = 0, newNan = 0;
    double maxUlp = 0, maxRel = 0;

    void add(const Loss& o)
    {
        elements += o.elements, qualified += o.qualified, changed += o.changed;
        newInf += o.newInf, newZero += o.newZero, newSubnormal += o.newSubnormal, newNan += o.newNan;
        maxUlp = std::max(maxUlp, o.maxUlp), maxRel = std::max(maxRel, o.maxRel);
    }
    double share() const { return elements == 0 ? 0 : static_cast<double>(changed) / static_cast<double>(elements); }
    std::optional<double> ulp(const UlpScale& scale) const
    {
        return qualified > 0 && scale.isFloat ? std::optional(maxUlp) : std::nullopt;
    }
};

struct Real {
    double hi = 0, lo = 0;
};

// `beforeNormal`: smallest normal of the dtype before, 0 where it had none (a real number is never subnormal).
void addElement(Loss& loss, Real before, Real after, double beforeNormal, const UlpScale& scale)
{
    const double magnitude = std::fabs(before.hi);
    const bool unchanged =
        (before.hi == after.hi && before.lo == after.lo) || (std::isnan(before.hi) && std::isnan(after.hi));
    loss.changed += !unchanged;
    loss.newNan += std::isnan(after.hi) && !std::isnan(before.hi);
    loss.newInf += std::isinf(after.hi) && std::isfinite(before.hi);
    loss.newZero += after.hi == 0 && before.hi != 0 && !std::isnan(before.hi);
    const bool isSubnormal = after.hi != 0 && std::fabs(after.hi) < scale.minNormal;
    loss.newSubnormal += isSubnormal && !(magnitude < beforeNormal);
    if (!std::isfinite(before.hi) || !std::isfinite(after.hi) || before.hi == 0)
        return;
    ++loss.qualified;
    if (unchanged)
        return;
    const double error = std::fabs(((after.hi - before.hi) - before.lo) + after.lo);
    loss.maxRel = std::max(loss.maxRel, error / magnitude);
    if (scale.isFloat) {
        const Lanes binade = binadeOf(bothLanes(before.hi), bothLanes(before.lo), bothLanes(scale.smallestBinade),
                                      bothLanes(scale.largestBinade));
        loss.maxUlp = std::max(loss.maxUlp, error / binade[0] * scale.perBinade);
    }
}

Loss lossOf(const ElementReader& before, double beforeNormal, const Tensor& after, const Exec& exec)
{
    const ElementReader afterReader(after);
    const UlpScale scale(after.dtype());
    std::vector<Loss> partials(static_cast<std::size_t>(chunkCount(after.elements())));
    forChunks(exec, after.elements(), [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        RealRoom beforeRoom, afterRoom;
        Loss loss;
        loss.elements = end - begin;
        forBlocks(begin, end, [&](std::int64_t first, int n) {
            const RealSpan b = before.read(first, n, beforeRoom), a = afterReader.read(first, n, afterRoom);
            for (int i = 0; i < n; ++i)
                addElement(loss, {b.hi[i], b.lo ? b.lo[i] : 0}, {a.hi[i], a.lo ? a.lo[i] : 0}, beforeNormal, scale);
        });
        partials[static_cast<std::size_t>(chunk)] = loss;
    });
    Loss all;
    for (const Loss& loss : partials)
        all.add(loss);
    return all;
}

} // namespace

CastReport measureCast(const Tensor& before, const Tensor& after, const Exec& exec)
{
    CastReport report;
    if (before.isNull() || after.isNull() || before.elements() != after.elements())
        return report;
    report.from = before.dtype();
    report.to = after.dtype();
    const UlpScale scale(after.dtype());
    const Loss loss = lossOf(ElementReader(before), facts(before.dtype()).minNormal, after, exec);
    report.changed = loss.share();
    report.maxUlp = loss.ulp(scale);
    if (loss.qualified > 0)
        report.maxRel = loss.maxRel;
    if (loss.changed > 0 && scale.isFloat) {
        const bool lost = loss.newInf + loss.newNan > 0;
        report.bitsKept = lost ? 0 : correctBits(loss.maxRel, scale.bits);
    }
    report.newInf = loss.newInf, report.newZero = loss.newZero;
    report.newSubnormal = loss.newSubnormal, report.newNan = loss.newNan;
    return report;
}

StoredReport measureStored(const DDTensor& source, const Tensor& stored, const Exec& exec)
{
    StoredReport report;
    if (source.isNull() || stored.isNull() || source.elements() != stored.elements())
        return report;
    report.to = stored.dtype();
    const Loss loss = lossOf(ElementReader(source), 0, stored, exec);
    report.changed = loss.share();
    report.maxUlp = loss.ulp(UlpScale(stored.dtype()));
    report.newInf = loss.newInf, report.newZero = loss.newZero;
    report.newSubnormal = loss.newSubnormal, report.newNan = loss.newNan;
    return report;
}

} // namespace engine
