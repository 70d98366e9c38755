#include "engine/run/check.h"

#include "engine/model/convert.h"
#include "engine/model/double_double.h"
#include "engine/model/generators.h"
#include "engine/run/scalar_weights.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace engine {

namespace {

struct Operands {
    std::vector<Tensor> cast;    // what the kernel gets
    std::vector<DDTensor> exact; // the same values
    std::vector<std::optional<Shape>> shapes;
};

struct Case {
    const OpSpec& spec;
    Params params;
    CheckCase origin;
    std::vector<DDTensor> sources; // per port, null where absent
};

Result<Params> paramsOf(const OpSpec& spec, const std::string& text)
{
    ParamMap map;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    for (const auto& [name, value] : json.items()) {
        const auto it =
            std::find_if(spec.params.begin(), spec.params.end(), [&](const ParamSpec& p) { return p.name == name; });
        if (it == spec.params.end())
            return Error{"check-param", std::string(spec.name), "there is no parameter \"" + name + "\"", {}};
        auto parsed = paramFromJson(it->kind, value.dump(), spec.name);
        if (!parsed)
            return parsed.error();
        map[name] = std::move(*parsed);
    }
    return Params::check(spec.params, map, spec.name);
}

// Seeded operands in (-1, 1); statistics in (0, 1) so that a variance is one.
Result<Case> makeCase(const OpSpec& spec, const CheckCase& origin, const Exec& exec)
{
    auto params = paramsOf(spec, origin.params);
    if (!params)
        return params.error();
    Case c{spec, std::move(*params), origin, {}};
    std::size_t activation = 0;
    for (std::size_t p = 0; p < spec.ports.size(); ++p) {
        const int port = static_cast<int>(p);
        const PortSpec& ps = spec.ports[p];
        if (spec.portPresent && !spec.portPresent(c.params, port)) {
            c.sources.emplace_back();
            continue;
        }
        const bool isActivation = ps.role == PortRole::Activation || ps.role == PortRole::Second;
        Result<Shape> shape = isActivation && activation < origin.activations.size()
                                  ? Result<Shape>(origin.activations[activation++])
                              : spec.weightShape ? spec.weightShape(c.params, origin.activations, port)
                                                 : Result<Shape>(Error{"check-shape", {}, "no shape for the port", {}});
        if (!shape)
            return shape.error();
        Source source;
        source.generator = "uniform";
        source.seed = 17 + p;
        source.a = ps.role == PortRole::Statistic ? 0.125 : -1.0;
        source.b = 1.0;
        auto values = generate(source, *shape, exec);
        if (!values)
            return values.error();
        c.sources.push_back(std::move(*values));
    }
    return c;
}

Operands operandsIn(const Case& c, DType activation, DType weight, DType multiply, const Exec& exec)
{
    Operands o;
    for (std::size_t p = 0; p < c.sources.size(); ++p) {
        if (c.sources[p].isNull()) {
            o.cast.emplace_back();
            o.exact.emplace_back();
            o.shapes.emplace_back();
            continue;
        }
        const bool isActivation = c.spec.ports[p].role == PortRole::Activation;
        Tensor stored = convertSource(c.sources[p], isActivation ? activation : weight, exec);
        o.cast.push_back(convert(stored, multiply, exec));
        o.exact.push_back(widen(o.cast.back(), exec));
        o.shapes.emplace_back(c.sources[p].shape());
    }
    return o;
}

// The bound of one op's arithmetic, element by element; empty bounds: the result must be exact.
struct Bounds {
    std::string kind;
    std::vector<double> perElement;
};

double ulpOf(double magnitude, DType dtype)
{
    const DTypeFacts& f = facts(dtype);
    const int exponent =
        magnitude == 0 ? f.minExponent : std::clamp(std::ilogb(magnitude), f.minExponent, f.maxExponent);
    return std::ldexp(1.0, exponent - f.fractionBits);
}

// |x - mu| |s| + |beta| of a normalisation: the reference without its last operand (offset), and the difference.
std::vector<double> normalisationScale(const Case& c, const Params& params, const Operands& o, const DDTensor& r,
                                       const Exec& exec)
{
    std::vector<DDTensor> operands = o.exact;
    for (std::size_t p = 0; p < operands.size(); ++p)
        if (c.spec.ports[p].name == "offset" && !operands[p].isNull()) {
            operands[p] = DDTensor::allocate(operands[p].shape(), DDTensor::Lo::Absent);
            std::fill_n(operands[p].mutableHi(), operands[p].elements(), 0.0);
        }
    std::vector<double> scale(static_cast<std::size_t>(r.elements()));
    const auto without = c.spec.reference({params, operands, exec});
    for (std::size_t i = 0; i < scale.size(); ++i) {
        const double product = without ? without->value.hi()[i] : r.hi()[i];
        scale[i] = std::abs(product) + std::abs(r.hi()[i] - product);
    }
    return scale;
}

// Average pooling: the same op of the absolute values.
std::vector<double> magnitudeOfAverage(const Case& c, const Operands& o, const DDTensor& r, const Exec& exec)
{
    DDTensor x = DDTensor::allocate(o.exact[0].shape(), DDTensor::Lo::Absent);
    for (std::int64_t i = 0; i < x.elements(); ++i)
        x.mutableHi()[i] = std::abs(o.exact[0].hi()[i]);
    const auto absolute = c.spec.reference({c.params, std::vector{x}, exec});
    return absolute ? std::vector<double>(absolute->value.hi(), absolute->value.hi() + r.elements())
                    : std::vector<double>(static_cast<std::size_t>(r.elements()), 0.0);
}

Bounds boundsOf(const Case& c, const Params& params, const Operands& o, ComputePair pair, const ReferenceResult& r,
                const Exec& exec)
{
    const auto count = static_cast<std::size_t>(r.value.elements());
    const DType result = storageOf(pair.accumulate);
    const double u = unitRoundoff(pair.accumulate), eta = facts(pair.accumulate).minSubnormal;
    Bounds b;
    b.perElement.resize(count);
    const auto each = [&](auto f) {
        for (std::size_t i = 0; i < count; ++i)
            b.perElement[i] = f(i);
    };
    if (c.spec.reductionLength) {
        const auto n = static_cast<double>(c.spec.reductionLength(c.params, o.shapes));
        b.kind = "n*u*sum|ab| + n*eta/2";
        each([&](std::size_t i) { return n * u * r.magnitudes.data<double>()[i] + n * eta / 2; });
    } else if (c.spec.carriesBits) {
        b.kind = "exact";
        b.perElement.clear();
    } else if (c.spec.role == OpRole::Elementwise) {
        b.kind = "1/2 ulp";
        each([&](std::size_t i) { return 0.5 * ulpOf(r.value.hi()[i], result); });
    } else if (c.spec.role == OpRole::Activation) {
        // Functions: 4 ulp in float64; narrower dtypes round a float64 value once.
        const double ulps = result == DType::f64 ? 4.0 : 0.5 + 0x1p-20;
        b.kind = result == DType::f64 ? "4 ulp" : "1/2 ulp + 2^-20";
        each([&](std::size_t i) { return ulps * ulpOf(r.value.hi()[i], result); });
    } else if (c.spec.name == "softmax") {
        // Each of n terms: u |x - max| from the subtraction (|x - max| <= 2), 2u from exp; then n - 1 sums and a
        // division.
        const double n = static_cast<double>(o.shapes[0]->last());
        b.kind = "(2*(2 + 2) + n)*u relative";
        each([&](std::size_t i) { return (8 + n) * u * std::abs(r.value.hi()[i]) * (1 + 64 * n * u) + n * eta; });
    } else if (c.spec.name == "batch_normalization") {
        // Subtraction, sum, root, quotient, product, sum: one rounding each, the root's halved; the rest is slack of
        // u^2.
        const auto scale = normalisationScale(c, params, o, r.value, exec);
        b.kind = "7*u*(|x - mean| |scale| + |offset|)";
        each([&](std::size_t i) { return 7 * u * scale[i] + 4 * eta; });
    } else {
        // Average pooling: at most six entries of a 3 x 2 window, five sums and a division.
        const auto scale = magnitudeOfAverage(c, o, r.value, exec);
        b.kind = "6*u*mean|x|";
        each([&](std::size_t i) { return 6 * u * scale[i] + 6 * eta; });
    }
    return b;
}

double largestRatio(const Tensor& y, const DDTensor& r, const Bounds& bounds)
{
    double worst = 0;
    for (std::int64_t i = 0; i < r.elements(); ++i) {
        const double v = elementAsDouble(y, i), hi = r.hi()[i], lo = r.hasLo() ? r.lo()[i] : 0;
        if (std::isnan(v) && std::isnan(hi))
            continue;
        const double error = std::abs((v - hi) - lo);
        const double bound = bounds.perElement.empty() ? 0 : bounds.perElement[static_cast<std::size_t>(i)];
        const double ratio = v == hi && lo == 0 ? 0 : bound > 0 ? error / bound : error == 0 ? 0 : HUGE_VAL;
        worst = std::isnan(ratio) ? HUGE_VAL : std::max(worst, ratio);
    }
    return worst;
}

CheckRow runRow(const Case& c, ComputePair pair, DType activation, DType weight, const Exec& exec)
{
    CheckRow row;
    row.op = c.spec.name;
    row.backend = "cpu";
    row.pair = activation == weight ? pair.text()
                                    : std::string(dtypeName(activation)) + " x " + std::string(dtypeName(weight));
    row.parameters = c.origin.params;
    for (const Shape& s : c.origin.activations)
        row.shape += (row.shape.empty() ? "" : " x ") + s.text();
    const Operands o = operandsIn(c, activation, weight, pair.multiply, exec);
    // The kernel gets rounded scalar weights as it gets rounded tensors; the reference judges its arithmetic only.
    const Params params = roundScalarWeights(c.spec, c.params, pair.multiply);
    const auto reference = c.spec.reference({params, o.exact, exec});
    if (!reference) {
        row.reason = reference.error().message;
        return row;
    }
    Result<Tensor> y = Error{};
    {
        const ScopedPoison poison;
        y = c.spec.cpu({params, o.cast, pair, exec});
    }
    if (!y || exec.stopRequested()) {
        row.reason = y ? "stopped" : y.error().message;
        return row;
    }
    const Bounds bounds = boundsOf(c, params, o, pair, *reference, exec);
    row.boundKind = bounds.kind;
    row.maxRatio = largestRatio(*y, reference->value, bounds);
    row.ok = *row.maxRatio <= 1;
    if (!row.ok)
        row.reason = "an error above its bound";
    return row;
}

std::vector<ComputePair> pairsOf(const OpSpec& spec)
{
    std::vector<ComputePair> pairs;
    if (spec.pairs == PairSet::Contraction || spec.pairs == PairSet::Reduction) {
        for (const ComputePair& p : computePairs())
            if (pairAllowed(spec.pairs, p))
                pairs.push_back(p);
        return pairs;
    }
    for (const DTypeFacts& f : allDTypes())
        if (f.kind == DTypeKind::Float && f.isStorage && pairAllowed(spec.pairs, {f.dtype, f.dtype}))
            pairs.push_back({f.dtype, f.dtype});
    return pairs;
}

constexpr std::pair<DType, DType> kMixed[] = {
    {DType::f32, DType::f64}, {DType::f64, DType::f32}, {DType::f16, DType::f32}, {DType::f32, DType::bf16}};

// False where it was stopped.
bool runCase(const Case& c, const Exec& exec, const std::function<void(CheckRow)>& add)
{
    // clang's analyzer loses the reference that Case holds on its way through the std::variant of Result.
    // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
    for (const ComputePair& pair : pairsOf(c.spec)) {
        if (exec.stopRequested())
            return false;
        const DType storage = storageOf(pair.multiply);
        add(runRow(c, pair, storage, storage, exec));
    }
    if (c.spec.role == OpRole::Contraction)
        for (const auto& [activation, weight] : kMixed) {
            const DType wide = *promote(activation, weight);
            add(runRow(c, {wide, defaultAccumulate(wide)}, activation, weight, exec));
        }
    return true;
}

} // namespace

std::vector<CheckRow> checkAll(const OpCatalog& ops, const Exec& exec,
                               const std::function<void(const CheckRow&)>& onRow)
{
    std::vector<CheckRow> rows;
    const auto add = [&](CheckRow row) {
        rows.push_back(std::move(row));
        if (onRow)
            onRow(rows.back());
    };
    for (const OpSpec* spec : ops.all()) {
        if (!spec->cpu || !spec->reference)
            continue;
        for (const CheckCase& origin : checkCases(*spec)) {
            auto c = makeCase(*spec, origin, exec);
            if (!c) {
                CheckRow row{.op = std::string(spec->name),
                             .pair = {},
                             .backend = "cpu",
                             .shape = {},
                             .parameters = origin.params,
                             .maxRatio = {},
                             .ok = false,
                             .boundKind = {},
                             .reason = c.error().message};
                add(std::move(row));
                continue;
            }
            if (!runCase(*c, exec, add))
                return rows;
        }
    }
    return rows;
}

} // namespace engine
