#include "engine/analysis/stages.h"

#include "engine/model/convert.h"

#include <atomic>

namespace engine {

namespace {

Tensor zeros(const Shape& shape)
{
    Tensor t = Tensor::allocate(DType::f64, shape);
    std::fill_n(t.mutableData<double>(), t.elements(), 0.0);
    return t;
}

} // namespace

Tensor difference(const ElementReader& a, const ElementReader& b, const Shape& shape, const Exec& exec)
{
    Tensor out = Tensor::allocate(DType::f64, shape);
    double* d = out.mutableData<double>();
    std::atomic<bool> differs = false;
    forChunks(exec, out.elements(), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
        RealRoom aRoom, bRoom;
        bool any = false;
        forBlocks(begin, end, [&](std::int64_t first, int n) {
            const RealSpan x = a.read(first, n, aRoom), y = b.read(first, n, bRoom);
            for (int i = 0; i < n; ++i) {
                const double e = ((x.hi[i] - y.hi[i]) - (y.lo ? y.lo[i] : 0)) + (x.lo ? x.lo[i] : 0);
                d[first + i] = e;
                any |= e != 0; // NaN too
            }
        });
        if (any)
            differs = true;
    });
    return differs ? out : Tensor{};
}

Tensor difference(const Tensor& a, const Tensor& b, const Shape& shape, const Exec& exec)
{
    if (a.isNull() || b.isNull())
        return {};
    const bool wordsMeanTheSame = storageOf(a.dtype()) == storageOf(b.dtype());
    // Also of infinities: a value that did not change is not an error.
    if (a.sharesBytesWith(b) && wordsMeanTheSame)
        return {};
    return difference(ElementReader(a), ElementReader(b), shape, exec);
}

void addTo(Tensor& sum, const Tensor& term, double sign, const Exec& exec)
{
    if (term.isNull())
        return;
    Tensor out = Tensor::allocate(DType::f64, term.shape());
    double* o = out.mutableData<double>();
    const double *s = sum.isNull() ? nullptr : sum.data<double>(), *t = term.data<double>();
    forChunks(exec, term.elements(), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            o[i] = s ? s[i] + sign * t[i] : sign * t[i];
    });
    sum = out;
}

int biasPort(const OpSpec& spec)
{
    for (std::size_t p = 0; p < spec.ports.size(); ++p)
        if (spec.ports[p].role == PortRole::Bias)
            return static_cast<int>(p);
    return -1;
}

void addBias(Tensor& y, const Tensor& bias, const Shape& shape, const Params& params, const Exec& exec)
{
    if (bias.isNull())
        return;
    const auto format = params.map().find("data_format");
    const bool channelsFirst = format != params.map().end() && std::holds_alternative<std::string>(format->second) &&
                               std::get<std::string>(format->second) == "channels_first";
    std::int64_t inner = 1;
    for (int d = channelsFirst ? 2 : shape.rank(); d < shape.rank(); ++d)
        inner *= shape[d];
    Tensor out = y.isNull() ? zeros(shape) : Tensor::allocate(DType::f64, shape);
    double* o = out.mutableData<double>();
    const double *s = y.isNull() ? o : y.data<double>(), *b = bias.data<double>();
    const std::int64_t channels = bias.elements();
    forChunks(exec, out.elements(), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            o[i] = s[i] + b[i / inner % channels];
    });
    y = out;
}

Result<Tensor> asFloat64(const Tensor& t, const Exec& exec)
{
    Tensor wide = toFloat64(t, exec);
    if (wide.isNull())
        return stoppedAnalysis();
    return wide;
}

Error stoppedAnalysis()
{
    return {"stopped", {}, "the run was stopped", {}};
}

bool isOwned(const AttributionInput& in, std::size_t port)
{
    if (port < in.owned.size())
        return in.owned[port] != 0;
    const PortRole role = in.spec.ports[port].role;
    return role == PortRole::Weight || role == PortRole::Bias || role == PortRole::Statistic;
}

} // namespace engine
